/*
Name:     trace-flags
Purpose:  Trace flags that are on for the whole instance.
Changes:  nothing
Needs:    membership in public
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  caught_number is the error where reading was refused, and then there is nothing else. Without rows trace_flag is NULL.
*/
DECLARE @flags table (trace_flag int NULL, status_now int NULL, is_global int NULL, is_session int NULL);
DECLARE @caught_number int, @caught_message nvarchar(2048);
BEGIN TRY
    INSERT INTO @flags (trace_flag, status_now, is_global, is_session)
    EXEC sys.sp_executesql N'DBCC TRACESTATUS (-1) WITH NO_INFOMSGS;';
END TRY
BEGIN CATCH
    SELECT @caught_number = ERROR_NUMBER(), @caught_message = ERROR_MESSAGE();
END CATCH;
SELECT TOP (<rows, int, 1000>)
    caught_number = CONVERT(varchar(11), @caught_number),
    caught_message = @caught_message,
    trace_flag = CONVERT(varchar(11), f.trace_flag)
FROM (SELECT one = 1) AS n
LEFT JOIN @flags AS f
    ON  @caught_number IS NULL
    AND f.is_global = 1
ORDER BY f.trace_flag;
