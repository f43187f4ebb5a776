/*
Name:     event-session
Purpose:  One look at an event session: on which server, defined or not, running or not, since when, its events and target, and what it lost. Always one row.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  started_local, server_started_local and first_started_local are in the server's local time: of this session, of the server (tempdb's creation), and of
          the session that runs longest. target_data is how the target's own account of itself begins; NULL while the session is stopped.
          begin_predicate and end_predicate are NULL where all databases are tracked; has_begin and has_end say whether the session has that event at all.
          mark_predicate has the mark by which an installation of Checkpoint Health knows the session that it made; NULL where there is none.
          buffer_bytes is the memory of the session's buffers on the server.
          configured_file is the file name that the session was created with; max_rollover_files and max_file_size_mb are NULL where they
          were left to the server.
*/
SELECT TOP (1)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    server_started_local = (
        SELECT CONVERT(varchar(30), d.create_date, 126)
        FROM sys.databases AS d
        WHERE d.name = N'tempdb'
    ),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    utc_offset_minutes = CONVERT(varchar(11), DATEPART(TZOFFSET, SYSDATETIMEOFFSET())),
    is_defined = CASE WHEN s.event_session_id IS NULL THEN '0' ELSE '1' END,
    is_running = CASE WHEN r.address IS NULL THEN '0' ELSE '1' END,
    definition_id = CONVERT(varchar(11), s.event_session_id),
    started_local = CONVERT(varchar(30), r.create_time, 126),
    first_started_local = (
        SELECT CONVERT(varchar(30), MIN(a.create_time), 126)
        FROM sys.dm_xe_sessions AS a
    ),
    dropped_events = CONVERT(varchar(20), r.dropped_event_count),
    dropped_buffers = CONVERT(varchar(20), r.dropped_buffer_count),
    buffer_bytes = CONVERT(varchar(20), r.total_buffer_size),
    tracks_causality = CONVERT(varchar(1), s.track_causality),
    dispatch_latency_ms = CONVERT(varchar(20), s.max_dispatch_latency),
    has_begin = (
        SELECT CONVERT(varchar(1), COUNT(*))
        FROM sys.server_event_session_events AS e
        WHERE e.event_session_id = s.event_session_id
        AND   e.package = N'sqlserver'
        AND   e.name = N'checkpoint_begin'
    ),
    has_end = (
        SELECT CONVERT(varchar(1), COUNT(*))
        FROM sys.server_event_session_events AS e
        WHERE e.event_session_id = s.event_session_id
        AND   e.package = N'sqlserver'
        AND   e.name = N'checkpoint_end'
    ),
    begin_predicate = (
        SELECT TOP (1) CONVERT(nvarchar(3000), e.predicate)
        FROM sys.server_event_session_events AS e
        WHERE e.event_session_id = s.event_session_id
        AND   e.name = N'checkpoint_begin'
    ),
    end_predicate = (
        SELECT TOP (1) CONVERT(nvarchar(3000), e.predicate)
        FROM sys.server_event_session_events AS e
        WHERE e.event_session_id = s.event_session_id
        AND   e.name = N'checkpoint_end'
    ),
    mark_predicate = (
        SELECT TOP (1) CONVERT(nvarchar(3000), e.predicate)
        FROM sys.server_event_session_events AS e
        WHERE e.event_session_id = s.event_session_id
        AND   e.name = N'user_event'
    ),
    configured_file = (
        SELECT TOP (1) CONVERT(nvarchar(260), f.value)
        FROM sys.server_event_session_targets AS t
        INNER JOIN sys.server_event_session_fields AS f
            ON  f.event_session_id = t.event_session_id
            AND f.object_id = t.target_id
        WHERE t.event_session_id = s.event_session_id
        AND   t.name = N'event_file'
        AND   f.name = N'filename'
    ),
    max_rollover_files = (
        SELECT TOP (1) CONVERT(varchar(11), f.value)
        FROM sys.server_event_session_targets AS t
        INNER JOIN sys.server_event_session_fields AS f
            ON  f.event_session_id = t.event_session_id
            AND f.object_id = t.target_id
        WHERE t.event_session_id = s.event_session_id
        AND   t.name = N'event_file'
        AND   f.name = N'max_rollover_files'
    ),
    max_file_size_mb = (
        SELECT TOP (1) CONVERT(varchar(20), f.value)
        FROM sys.server_event_session_targets AS t
        INNER JOIN sys.server_event_session_fields AS f
            ON  f.event_session_id = t.event_session_id
            AND f.object_id = t.target_id
        WHERE t.event_session_id = s.event_session_id
        AND   t.name = N'event_file'
        AND   f.name = N'max_file_size'
    ),
    has_ring = (
        SELECT CONVERT(varchar(1), COUNT(*))
        FROM sys.server_event_session_targets AS t
        WHERE t.event_session_id = s.event_session_id
        AND   t.name = N'ring_buffer'
    ),
    target_data = (
        SELECT TOP (1) CONVERT(nvarchar(1000), LEFT(x.target_data, 1000))
        FROM sys.dm_xe_session_targets AS x
        WHERE x.event_session_address = r.address
        AND   x.target_name IN (N'event_file', N'ring_buffer')
        ORDER BY x.target_name
    )
FROM (SELECT one = 1) AS n
LEFT JOIN sys.server_event_sessions AS s
    ON s.name = N'<session_name, sysname, CheckpointHealth>'
LEFT JOIN sys.dm_xe_sessions AS r
    ON r.name = N'<session_name, sysname, CheckpointHealth>';
