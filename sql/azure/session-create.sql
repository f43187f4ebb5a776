/*
Name:     session-create
Purpose:  Creates, in Azure SQL Database, the event session that records when each checkpoint of this database begins and ends, and who asked for it, in memory. It does not start it.
Changes:  the event sessions of the current database: adds one definition; touches no data and no other session
Needs:    ALTER ANY DATABASE EVENT SESSION, or CREATE ANY DATABASE EVENT SESSION
Runs on:  Azure SQL Database, in the database to be watched; not in master
Read it:  one row; error_number is NULL on success. What was recorded is gone when the session stops: read it before, with session-read.
          Event sessions there belong to a database. Event files would need a storage container and a credential of yours, so this one records in memory.
          That the service offers both events and both actions in a database was not verified by this project. Error 25623 or 25744 names what it does not
          offer: without an action, delete it here, and session-read shows NULL for it.
*/
SET NOCOUNT ON;
DECLARE @error_number int, @error_message nvarchar(2048);
BEGIN TRY
    CREATE EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON DATABASE
    ADD EVENT sqlserver.checkpoint_begin
    (
        ACTION (sqlserver.is_system, sqlserver.session_id)
    ),
    ADD EVENT sqlserver.checkpoint_end
    (
        ACTION (sqlserver.is_system, sqlserver.session_id)
    )
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
        STARTUP_STATE = OFF
    );
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
