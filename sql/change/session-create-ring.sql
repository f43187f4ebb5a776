/*
Name:     session-create-ring
Purpose:  Creates the event session that records when each checkpoint begins and ends, and who asked for it, in memory. It does not start it.
Changes:  the server's event sessions: adds one definition; touches no database and no other session
Needs:    ALTER ANY EVENT SESSION; from SQL Server 2022 CREATE ANY EVENT SESSION is enough
Runs on:  Azure SQL Managed Instance, where a session cannot write event files of its own; SQL Server 2012 and later
Read it:  one row; error_number is NULL on success. What was recorded is gone when the session stops: read it before.
          The number of events keeps the text of the ring below 4 MB: the server cuts a longer one. event_predicate is empty for all databases, else a WHERE on the event field database_id.
          is_system tells the engine's own tasks from sessions that ask for a checkpoint; session_id is the number of that session.
          more_events may hold sqlserver.user_event with a text that nothing sends: the mark by which the installation that made the session knows it again.
          It runs until it is stopped. SQL Server 2025 can end it by itself. Put this into more_options, with the days that you need:
          , MAX_DURATION = 14 DAYS
*/
SET NOCOUNT ON;
DECLARE @error_number int, @error_message nvarchar(2048);
BEGIN TRY
    CREATE EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin
    (
        ACTION (sqlserver.is_system, sqlserver.session_id)<event_predicate, clause, >
    ),
    ADD EVENT sqlserver.checkpoint_end
    (
        ACTION (sqlserver.is_system, sqlserver.session_id)<event_predicate, clause, >
    )<more_events, clause, >
    ADD TARGET package0.ring_buffer
    (
        SET max_events_limit = (<max_events, int, 2000>),
        max_memory = (<max_memory_kb, int, 4096>)
    )
    WITH
    (
        MAX_MEMORY = 4096 KB,
        EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS,
        MAX_DISPATCH_LATENCY = <dispatch_latency_seconds, int, 5> SECONDS,
        MEMORY_PARTITION_MODE = NONE,
        TRACK_CAUSALITY = ON,
        STARTUP_STATE = OFF<more_options, clause, >
    );
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
