/*
Name:     session-change-databases
Purpose:  Changes which databases the event session records, while it runs: what was recorded stays, and so do its files.
Changes:  the events of our own event session: each is dropped and added again with another predicate; touches no database and no other session
Needs:    ALTER ANY EVENT SESSION; from SQL Server 2022 ALTER ANY EVENT SESSION DROP EVENT and ALTER ANY EVENT SESSION ADD EVENT
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  one row; error_number is NULL on success. event_predicate is empty for all databases, else a WHERE on the event field database_id.
          An event cannot be dropped and added in one statement, so between the two it is not recorded: that moment is a gap. One event after the other, so that
          the session is never left without any. Where adding fails, both are put back as they were before; where that fails too, error_message says so.
          error_message without error_number is a note: the two events were changed, and buffer_pool_scan_complete, which only adds detail, was not.
          guard may ask first whether it is the session that was seen; if not, error_number is -1.
*/
SET NOCOUNT ON;
DECLARE @error_number int, @error_message nvarchar(2048);
/* How far it came: 1 without its begin, 2 begin changed, 3 without its end, 4 both changed. */
DECLARE @step int = 0;
BEGIN TRY<guard, clause, >
    IF @error_number IS NULL
    BEGIN
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER DROP EVENT sqlserver.checkpoint_begin;
        SET @step = 1;
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.is_system, sqlserver.session_id)<event_predicate, clause, >);
        SET @step = 2;
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER DROP EVENT sqlserver.checkpoint_end;
        SET @step = 3;
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_end (ACTION (sqlserver.is_system, sqlserver.session_id)<event_predicate, clause, >);
        SET @step = 4;
    END;
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
    BEGIN TRY
        IF @step = 1
            ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.is_system, sqlserver.session_id)<earlier_predicate, clause, >);
        IF @step = 3
            ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_end (ACTION (sqlserver.is_system, sqlserver.session_id)<earlier_predicate, clause, >);
        IF @step IN (2, 3)
        BEGIN
            ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER DROP EVENT sqlserver.checkpoint_begin;
            ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.is_system, sqlserver.session_id)<earlier_predicate, clause, >);
        END;
    END TRY
    BEGIN CATCH
        SET @error_message = LEFT(@error_message, 1000) + N' The event session now lacks one of its events, which could not be put back: ' + LEFT(ERROR_MESSAGE(), 800);
    END CATCH;
END CATCH;<more_changes, clause, >
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
