/*
Name:     session-create
Purpose:  Creates the event session that records when each checkpoint begins and ends, and who asked for it. It does not start it.
Changes:  the server's event sessions: adds one definition; touches no database and no other session
Needs:    ALTER ANY EVENT SESSION; from SQL Server 2022 CREATE ANY EVENT SESSION is enough
Runs on:  SQL Server 2012 and later, where a session may write event files
Read it:  one row; error_number is NULL on success. The files stay on disk when the session is dropped. They have one name at every start,
          so that the server's bound on their number is one for all: four and the one being written, of 50 MB each.
          Tell captures apart by time.
          A file name without a folder lands beside the error log. event_predicate is empty for all databases, else a WHERE on the event field database_id.
          is_system tells the engine's own tasks from sessions that ask for a checkpoint; session_id is the number of that session.
          more_events may hold sqlserver.user_event with a text that nothing sends: the mark by which the installation that made the session knows it again.
          It also has recovery_target_miss, where the server knows it: 1,000 of them at most between a start and a stop. Without it, nothing is said.
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
    ADD TARGET package0.event_file
    (
        SET filename = N'<file_name, nvarchar(260), CheckpointHealth.xel>',
        max_file_size = (<max_file_size_mb, int, 50>),
        max_rollover_files = (<max_rollover_files, int, 4>)
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
    BEGIN TRY
        IF EXISTS
        (
            SELECT one = 1
            FROM sys.dm_xe_objects AS o
            WHERE o.object_type = N'event'
            AND   o.name = N'recovery_target_miss'
        )
            ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER
            ADD EVENT sqlserver.recovery_target_miss
            (
                WHERE ([package0].[counter] <= (1000))
            );
    END TRY
    BEGIN CATCH
        /* It only adds detail: the checkpoints are recorded without it. */
        SET @error_number = NULL;
    END CATCH;
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
