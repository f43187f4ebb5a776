/*
Name:     session-drop
Purpose:  Removes the event session of this database. It leaves nothing behind.
Changes:  the event sessions of the current database: removes that definition; touches no data and no other session
Needs:    ALTER ANY DATABASE EVENT SESSION, or DROP ANY DATABASE EVENT SESSION
Runs on:  Azure SQL Database, in the database to be watched; not in master
Read it:  one row; error_number is NULL on success.
*/
SET NOCOUNT ON;
DECLARE @error_number int, @error_message nvarchar(2048);
BEGIN TRY
    DROP EVENT SESSION [<session_name, sysname, CheckpointHealth>] ON DATABASE;
END TRY
BEGIN CATCH
    SELECT @error_number = ERROR_NUMBER(), @error_message = ERROR_MESSAGE();
END CATCH;
SELECT error_number = CONVERT(varchar(11), @error_number), error_message = @error_message;
