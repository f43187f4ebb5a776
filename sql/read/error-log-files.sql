/*
Name:     error-log-files
Purpose:  The current error log and its archives with their sizes.
Changes:  nothing
Needs:    securityadmin (sp_enumerrorlogs checks it itself); from SQL Server 2022 VIEW ANY ERROR LOG may do
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  log_number 0 is the current one. caught_number is the error where this was refused, and then there is nothing else.
*/
DECLARE @files table (log_number int NULL, changed nvarchar(50) NULL, size_bytes bigint NULL);
DECLARE @caught_number int, @caught_message nvarchar(2048);
BEGIN TRY
    INSERT INTO @files (log_number, changed, size_bytes)
    EXEC sys.sp_executesql N'EXEC sys.sp_enumerrorlogs 1;';
END TRY
BEGIN CATCH
    SELECT @caught_number = ERROR_NUMBER(), @caught_message = ERROR_MESSAGE();
END CATCH;
SELECT TOP (100)
    caught_number = CONVERT(varchar(11), @caught_number),
    caught_message = @caught_message,
    log_number = CONVERT(varchar(11), f.log_number),
    size_bytes = CONVERT(varchar(20), f.size_bytes)
FROM (SELECT one = 1) AS n
LEFT JOIN @files AS f
    ON @caught_number IS NULL
ORDER BY f.log_number;
