/*
Name:     event-session
Purpose:  One look at an event session: on which server, defined or not, running or not, since when, its events and target, and what it lost. Always one row.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  started_local, server_started_local and first_started_local are in the server's local time: of this session, of the server (tempdb's creation), and of
          the session that runs longest. target_data is how the target's own account of itself begins; NULL while the session is stopped.
          begin_predicate and end_predicate are NULL where all databases are tracked; has_begin and has_end say whether the session has that event at all.
          has_caller is 1 where both record is_system, by which a session that asks for a checkpoint is told from the engine's own tasks.
          mark_predicate has the mark by which an installation of Checkpoint Health knows the session that it made; NULL where there is none.
          buffer_bytes is the memory of the session's buffers on the server.
          targets_sum is another number once a target recovery time, or the list of databases, has changed; which one, it does not say.
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
    targets_sum = (
        SELECT CONVERT(varchar(20), SUM(CONVERT(bigint, d.database_id) * (d.target_recovery_time_in_seconds + 1)))
        FROM sys.databases AS d
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
    has_begin = CONVERT(varchar(1), ISNULL(e.begins, 0)),
    has_end = CONVERT(varchar(1), ISNULL(e.ends, 0)),
    has_caller = (
        SELECT CASE WHEN COUNT(*) = 2 THEN '1' ELSE '0' END
        FROM sys.server_event_session_events AS v
        INNER JOIN sys.server_event_session_actions AS a
            ON  a.event_session_id = v.event_session_id
            AND a.event_id = v.event_id
        WHERE v.event_session_id = s.event_session_id
        AND   v.package = N'sqlserver'
        AND   v.name IN (N'checkpoint_begin', N'checkpoint_end')
        AND   a.package = N'sqlserver'
        AND   a.name = N'is_system'
    ),
    begin_predicate = NULLIF(e.begin_predicate, N''),
    end_predicate = NULLIF(e.end_predicate, N''),
    mark_predicate = NULLIF(e.mark_predicate, N''),
    configured_file = NULLIF(f.file_name, N''),
    max_rollover_files = NULLIF(f.max_rollover_files, ''),
    max_file_size_mb = NULLIF(f.max_file_size, ''),
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
    ON r.name = N'<session_name, sysname, CheckpointHealth>'
OUTER APPLY
(
    SELECT
        begins = SUM(CASE WHEN v.name = N'checkpoint_begin' THEN 1 ELSE 0 END),
        ends = SUM(CASE WHEN v.name = N'checkpoint_end' THEN 1 ELSE 0 END),
        begin_predicate = MAX(CASE WHEN v.name = N'checkpoint_begin' THEN ISNULL(CONVERT(nvarchar(3000), v.predicate), N'') ELSE N'' END),
        end_predicate = MAX(CASE WHEN v.name = N'checkpoint_end' THEN ISNULL(CONVERT(nvarchar(3000), v.predicate), N'') ELSE N'' END),
        mark_predicate = MAX(CASE WHEN v.name = N'user_event' THEN ISNULL(CONVERT(nvarchar(3000), v.predicate), N'') ELSE N'' END)
    FROM sys.server_event_session_events AS v
    WHERE v.event_session_id = s.event_session_id
    AND   v.package = N'sqlserver'
) AS e
OUTER APPLY
(
    SELECT
        file_name = MAX(CASE WHEN v.name = N'filename' THEN CONVERT(nvarchar(260), v.value) ELSE N'' END),
        max_rollover_files = MAX(CASE WHEN v.name = N'max_rollover_files' THEN CONVERT(varchar(11), v.value) ELSE '' END),
        max_file_size = MAX(CASE WHEN v.name = N'max_file_size' THEN CONVERT(varchar(20), v.value) ELSE '' END)
    FROM sys.server_event_session_targets AS t
    INNER JOIN sys.server_event_session_fields AS v
        ON  v.event_session_id = t.event_session_id
        AND v.object_id = t.target_id
    WHERE t.event_session_id = s.event_session_id
    AND   t.name = N'event_file'
) AS f;
