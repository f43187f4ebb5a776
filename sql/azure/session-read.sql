/*
Name:     session-read
Purpose:  The begin and end events that the event session of this database holds in memory, in the order of their times, one row an event.
Changes:  a variable of its own, and nothing else
Needs:    VIEW DATABASE STATE, or VIEW DATABASE PERFORMANCE STATE
Runs on:  Azure SQL Database, in the database that is watched; not in master
Read it:  a begin and the end behind it with the same task are one checkpoint; where two of them stand side by side, an event was lost: no duration can be told then.
          truncated is 1 where the text was cut, and recorded is how many events the session took in all: more than rows here means that the oldest are gone.
*/
SET NOCOUNT ON;
SET ROWCOUNT 0;
DECLARE @ring xml =
(
    SELECT TOP (1) TRY_CONVERT(xml, t.target_data)
    FROM sys.dm_xe_database_sessions AS s
    INNER JOIN sys.dm_xe_database_session_targets AS t
        ON t.event_session_address = s.address
    WHERE s.name = N'<session_name, sysname, CheckpointHealth>'
    AND   t.target_name = N'ring_buffer'
);
SELECT TOP (<rows, int, 5000>)
    at_utc = d.at_utc,
    event_name = d.event_name,
    database_id = d.database_id,
    task = d.task,
    truncated = @ring.value('(/RingBufferTarget/@truncated)[1]', 'varchar(11)'),
    recorded = @ring.value('(/RingBufferTarget/@totalEventsProcessed)[1]', 'varchar(20)')
FROM
(
    SELECT
        at_utc = n.e.value('(@timestamp)[1]', 'varchar(40)'),
        event_name = n.e.value('(@name)[1]', 'varchar(60)'),
        database_id = n.e.value('(data[@name="database_id"]/value/text())[1]', 'varchar(20)'),
        task = n.e.value('(action[@name="attach_activity_id"]/value/text())[1]', 'varchar(60)')
    FROM @ring.nodes('/RingBufferTarget/event') AS n (e)
) AS d
ORDER BY
    d.at_utc,
    d.event_name;
