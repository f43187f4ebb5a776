/*
Name:     session-start
Purpose:  Starts the event session, so that checkpoints are recorded from now on.
Changes:  the state of our own event session; touches no database and no other session
Needs:    ALTER ANY EVENT SESSION; from SQL Server 2022 ALTER ANY EVENT SESSION ENABLE
Runs on:  SQL Server 2012 and later
Read it:  one row; error_number is NULL on success. guard may ask first whether it is the session that was seen; if not, error_number is -1. The session ends at a restart or a failover of the server.
*/
SET NOCOUNT ON;
DECLARE @error_number int, @error_message nvarchar(2048);
BEGIN TRY<guard, clause, >
    IF @error_number IS NULL
        ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON SERVER STATE = START;
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
