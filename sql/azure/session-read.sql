/*
Name:     session-read
Purpose:  The begin and end events that the event session of this database holds in memory, one row an event: task by task, in the order in which each task fired them.
Changes:  variables of its own, and nothing else
Needs:    VIEW DATABASE STATE, or VIEW DATABASE PERFORMANCE STATE
Runs on:  Azure SQL Database, in the database that is watched; not in master
Read it:  a begin and the end right behind it with the same task and database_id are one checkpoint; where two begins or two ends stand side by side, an event was lost: no
          duration can be told then. number_in_task counts the events of a task from 1; one that is missing there was lost, or is of another event.
          is_system is 1 for a task of the engine and 0 for a session that asked for the checkpoint, whose number is session_id; NULL: not recorded.
          truncated is 1 where the text was cut, and recorded is how many events the session took in all: more than rows here means that the oldest are gone.
          No row: the session does not run, or its text was cut so that it is no XML any more.
*/
SET NOCOUNT ON;
SET ROWCOUNT 0;
SET NUMERIC_ROUNDABORT OFF;
SET QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_WARNINGS, ANSI_PADDING, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON; /* the methods of xml need them */
DECLARE @ring xml;
DECLARE @ring_text nvarchar(max) =
(
    SELECT TOP (1) t.target_data
    FROM sys.dm_xe_database_sessions AS s
    INNER JOIN sys.dm_xe_database_session_targets AS t
        ON t.event_session_address = s.address
    WHERE s.name = N'<session_name, sysname, CheckpointHealth>'
    AND   t.target_name = N'ring_buffer'
);
BEGIN TRY
    SET @ring = CONVERT(xml, @ring_text);
END TRY
BEGIN CATCH
    SET @ring = NULL;
END CATCH;
SELECT TOP (<rows, int, 5000>)
    at_utc = n.at_utc,
    event_name = n.event_name,
    database_id = n.database_id,
    task = n.task,
    number_in_task = n.number_in_task,
    is_system = n.is_system,
    session_id = n.session_id,
    truncated = @ring.value('(/RingBufferTarget/@truncated)[1]', 'varchar(11)'),
    recorded = @ring.value('(/RingBufferTarget/@totalEventsProcessed)[1]', 'varchar(20)')
FROM
(
    SELECT
        t.at_utc, t.event_name, t.database_id, t.task, t.is_system, t.session_id,
        number_in_task = CASE WHEN t.number_text <> '' AND LEN(t.number_text) <= 18 AND t.number_text NOT LIKE '%[^0-9]%' THEN CONVERT(bigint, t.number_text) ELSE NULL END,
        first_utc = CASE WHEN t.task IS NULL THEN t.at_utc ELSE MIN(t.at_utc) OVER (PARTITION BY t.task) END
    FROM
    (
        SELECT
            d.at_utc, d.event_name, d.database_id, d.session_id,
            is_system = CASE WHEN d.system_text IN ('true', '1') THEN '1' WHEN d.system_text IN ('false', '0') THEN '0' ELSE NULL END,
            task = CASE WHEN CHARINDEX('-', REVERSE(d.activity)) > 1 THEN LEFT(d.activity, LEN(d.activity) - CHARINDEX('-', REVERSE(d.activity))) ELSE NULL END,
            number_text = CASE WHEN CHARINDEX('-', REVERSE(d.activity)) > 1 THEN RIGHT(d.activity, CHARINDEX('-', REVERSE(d.activity)) - 1) ELSE '' END
        FROM
        (
            SELECT
                at_utc = x.e.value('(@timestamp)[1]', 'varchar(40)'),
                event_name = x.e.value('(@name)[1]', 'varchar(60)'),
                database_id = x.e.value('(data[@name="database_id"]/value/text())[1]', 'varchar(20)'),
                system_text = x.e.value('(action[@name="is_system"]/value/text())[1]', 'varchar(10)'),
                session_id = x.e.value('(action[@name="session_id"]/value/text())[1]', 'varchar(11)'),
                activity = x.e.value('(action[@name="attach_activity_id"]/value/text())[1]', 'varchar(60)')
            FROM @ring.nodes('/RingBufferTarget/event') AS x (e)
        ) AS d
    ) AS t
) AS n
ORDER BY
    n.first_utc,
    n.task,
    n.number_in_task,
    n.at_utc,
    n.event_name;
