/*
Name:     session-stop
Purpose:  Stops the event session of this database. What it recorded in memory is gone then: read it before.
Changes:  the state of that event session; touches no data and no other session
Needs:    ALTER ANY DATABASE EVENT SESSION, or ALTER ANY DATABASE EVENT SESSION DISABLE
Runs on:  Azure SQL Database, in the database to be watched; not in master
Read it:  one row; error_number is NULL on success.
*/
SET NOCOUNT ON;
DECLARE @error_number int, @error_message nvarchar(2048);
BEGIN TRY
    ALTER EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON DATABASE STATE = STOP;
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
