/*
Name:     adoptable-sessions
Purpose:  Event sessions that run and record both the begin and the end of checkpoints, whoever made them, so that one can be followed.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  without has_file what was recorded is gone when the session stops. Without tracks_causality overlapping checkpoints of one database cannot be told
          apart. has_caller is 1 where both events record is_system: otherwise they do not say who asked for a checkpoint.
          begin_predicate filters what is recorded; NULL is all databases.
*/
SELECT TOP (<rows, int, 100>)
    session_name = s.name,
    started_local = CONVERT(varchar(30), r.create_time, 126),
    tracks_causality = CONVERT(varchar(1), s.track_causality),
    has_caller = (
        SELECT CASE WHEN COUNT(*) = 2 THEN '1' ELSE '0' END
        FROM sys.server_event_session_actions AS a
        WHERE a.event_session_id = s.event_session_id
        AND   a.event_id IN (b.event_id, e.event_id)
        AND   a.package = N'sqlserver'
        AND   a.name = N'is_system'
    ),
    has_file = CASE WHEN f.event_session_id IS NULL THEN '0' ELSE '1' END,
    has_ring = CASE WHEN g.event_session_id IS NULL THEN '0' ELSE '1' END,
    begin_predicate = CONVERT(nvarchar(3000), b.predicate)
FROM sys.server_event_sessions AS s
INNER JOIN sys.dm_xe_sessions AS r
    ON r.name COLLATE Latin1_General_BIN2 = s.name
INNER JOIN sys.server_event_session_events AS b
    ON  b.event_session_id = s.event_session_id
    AND b.package = N'sqlserver'
    AND b.name = N'checkpoint_begin'
INNER JOIN sys.server_event_session_events AS e
    ON  e.event_session_id = s.event_session_id
    AND e.package = N'sqlserver'
    AND e.name = N'checkpoint_end'
LEFT JOIN sys.server_event_session_targets AS f
    ON  f.event_session_id = s.event_session_id
    AND f.name = N'event_file'
LEFT JOIN sys.server_event_session_targets AS g
    ON  g.event_session_id = s.event_session_id
    AND g.name = N'ring_buffer'
WHERE f.event_session_id IS NOT NULL
OR    g.event_session_id IS NOT NULL
ORDER BY s.name;
