/*
Name:     event-session
Purpose:  The state of our event session: defined or not, running or not, since when, its file target, and what it lost. Always one row.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later
Read it:  started_local is in the server's local time. target_data is the file target's own account of itself; NULL while the session is stopped.
          configured_file is the file name the session was created with; begin_predicate is NULL where all databases are tracked.
*/
SELECT TOP (1)
    is_defined = CASE WHEN s.event_session_id IS NULL THEN '0' ELSE '1' END,
    is_running = CASE WHEN r.address IS NULL THEN '0' ELSE '1' END,
    started_local = CONVERT(varchar(30), r.create_time, 126),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    dropped_events = CONVERT(varchar(20), r.dropped_event_count),
    dropped_buffers = CONVERT(varchar(20), r.dropped_buffer_count),
    tracks_causality = CONVERT(varchar(1), s.track_causality),
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
    begin_predicate = (
        SELECT TOP (1) CONVERT(nvarchar(3000), e.predicate)
        FROM sys.server_event_session_events AS e
        WHERE e.event_session_id = s.event_session_id
        AND   e.name = N'checkpoint_begin'
    ),
    target_data = (
        SELECT TOP (1) CONVERT(nvarchar(4000), x.target_data)
        FROM sys.dm_xe_session_targets AS x
        WHERE x.event_session_address = r.address
        AND   x.target_name = N'event_file'
    )
FROM (SELECT one = 1) AS n
LEFT JOIN sys.server_event_sessions AS s
    ON s.name = N'<session_name, sysname, CheckpointHealth>'
LEFT JOIN sys.dm_xe_sessions AS r
    ON r.name = N'<session_name, sysname, CheckpointHealth>';
