/*
Name:     tracking-state
Purpose:  Whether the event session of Checkpoint Health is defined and running here, since when, what it lost and where it records. The second part of the report.
Changes:  a table variable of its own, and nothing else
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE; without it the row says so
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  one row. session_state is running, stopped, not there or not observable; started_local is as the server wrote it; lost_events and lost_buffers are the server's own counters.
*/
SET NOCOUNT ON;
SET ROWCOUNT 0;
DECLARE @state table
(
    session_state nvarchar(400) NOT NULL,
    started_local datetime NULL,
    lost_events bigint NULL,
    lost_buffers bigint NULL,
    event_files nvarchar(260) NULL,
    recorded_databases nvarchar(3000) NULL
);
BEGIN TRY
    INSERT INTO @state (session_state, started_local, lost_events, lost_buffers, event_files, recorded_databases)
    SELECT TOP (1)
        CASE WHEN s.event_session_id IS NULL THEN N'not there' WHEN r.address IS NULL THEN N'stopped' ELSE N'running' END,
        r.create_time,
        r.dropped_event_count,
        r.dropped_buffer_count,
        (
            SELECT TOP (1) CONVERT(nvarchar(260), f.value)
            FROM sys.server_event_session_targets AS t
            INNER JOIN sys.server_event_session_fields AS f
                ON  f.event_session_id = t.event_session_id
                AND f.object_id = t.target_id
            WHERE t.event_session_id = s.event_session_id
            AND   t.name = N'event_file'
            AND   f.name = N'filename'
        ),
        CASE
            WHEN s.event_session_id IS NULL THEN NULL
            ELSE ISNULL(
                (
                    SELECT TOP (1) CONVERT(nvarchar(3000), e.predicate)
                    FROM sys.server_event_session_events AS e
                    WHERE e.event_session_id = s.event_session_id
                    AND   e.name = N'checkpoint_begin'
                ), N'all')
        END
    FROM (SELECT one = 1) AS n
    LEFT JOIN sys.server_event_sessions AS s
        ON s.name = N'<session_name, sysname, CheckpointHealth>'
    LEFT JOIN sys.dm_xe_sessions AS r
        ON r.name = N'<session_name, sysname, CheckpointHealth>';
END TRY
BEGIN CATCH
    INSERT INTO @state (session_state)
    VALUES (LEFT(N'not observable: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE(), 400));
END CATCH;
SELECT
    session_state = s.session_state,
    started_local = s.started_local,
    lost_events = s.lost_events,
    lost_buffers = s.lost_buffers,
    event_files = s.event_files,
    recorded_databases = s.recorded_databases
FROM @state AS s;
