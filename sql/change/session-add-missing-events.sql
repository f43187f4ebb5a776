/*
Name:     session-add-missing-events
Purpose:  Gives the event session back checkpoint_begin or checkpoint_end where a change of its databases was broken off between dropping one and adding it again.
Changes:  the events of our own event session: adds the one that is missing; touches no database and no other session
Needs:    ALTER ANY EVENT SESSION; from SQL Server 2022 ALTER ANY EVENT SESSION ADD EVENT
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  one row; error_number is NULL on success, also where nothing was missing. event_predicate has to be that of the event which is still there.
          guard may ask first whether it is the session that was seen; if not, error_number is -1.
*/
SET NOCOUNT ON;
SET ROWCOUNT 0;
DECLARE @error_number int, @error_message nvarchar(2048);
BEGIN TRY<guard, clause, >
    IF @error_number IS NULL AND NOT EXISTS
    (
        SELECT one = 1
        FROM sys.server_event_sessions AS s
        INNER JOIN sys.server_event_session_events AS e
            ON e.event_session_id = s.event_session_id
        WHERE s.name = N'<session_name, sysname, CheckpointHealth>'
        AND   e.name = N'checkpoint_begin'
    )
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.is_system, sqlserver.session_id)<event_predicate, clause, >);
    IF @error_number IS NULL AND NOT EXISTS
    (
        SELECT one = 1
        FROM sys.server_event_sessions AS s
        INNER JOIN sys.server_event_session_events AS e
            ON e.event_session_id = s.event_session_id
        WHERE s.name = N'<session_name, sysname, CheckpointHealth>'
        AND   e.name = N'checkpoint_end'
    )
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_end (ACTION (sqlserver.is_system, sqlserver.session_id)<event_predicate, clause, >);
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
