/*
Name:     error-log
Purpose:  Rows of one error log from a local time on, in the order of the file, without the logins and backups that fill it.
Changes:  nothing
Needs:    one of: EXECUTE on xp_readerrorlog; securityadmin or VIEW SERVER STATE, from SQL Server 2022 VIEW ANY ERROR LOG (sp_readerrorlog);
          in Amazon RDS what rdsadmin.dbo.rds_read_error_log needs
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  caught_number is the error where reading was refused, and then there is nothing else. Without rows ordinal is NULL. noise_rows counts what was left out.
          begins_local is the time of the first row that was looked at: before the time that was asked for, no older log holds anything of interest.
          xp_readerrorlog gives no row from before that time, so there begins_local does not tell.
          log_date is server local time. Where utc_offset_minutes is smaller now than the one given, clocks went back: so much more is read.
          The last five seconds are left for the next read, because a message of several lines may still be on its way.
          Nothing is sought in the texts by the procedure itself: the later lines of a message do not hold what its first line does.
*/
DECLARE @log table
(
    ordinal int IDENTITY(1, 1) NOT NULL PRIMARY KEY,
    log_date datetime NULL,
    process_info nvarchar(100) NULL,
    log_text nvarchar(max) NULL
);
DECLARE @since datetime = CONVERT(datetime, N'<since_local, nvarchar(30), 2000-01-01T00:00:00>', 126);
DECLARE @offset int = DATEPART(TZOFFSET, SYSDATETIMEOFFSET());
DECLARE @caught_number int, @caught_message nvarchar(2048);
DECLARE @noise_rows int = 0;
DECLARE @begins datetime = NULL;
IF @offset < <utc_offset_minutes, int, -900>
    SET @since = DATEADD(MINUTE, @offset - <utc_offset_minutes, int, -900>, @since);
BEGIN TRY
    INSERT INTO @log (log_date, process_info, log_text)
    EXEC sys.sp_executesql N'<call, clause, EXEC sys.sp_readerrorlog;>', N'@since datetime', @since;
END TRY
BEGIN CATCH
    SELECT @caught_number = ERROR_NUMBER(), @caught_message = ERROR_MESSAGE();
END CATCH;
SET @begins = (SELECT MIN(b.log_date) FROM @log AS b);
DELETE l
FROM @log AS l
WHERE l.log_date < @since
OR    l.log_date >= DATEADD(SECOND, -5, GETDATE());
DELETE l
FROM @log AS l
WHERE l.log_text LIKE N'Log was backed up. Database: %'
OR    l.log_text LIKE N'Database backed up. Database: %'
OR    l.log_text LIKE N'BACKUP DATABASE successfully processed %'
OR    l.log_text LIKE N'BACKUP LOG successfully processed %'
OR    l.log_text LIKE N'Login succeeded for user %'
OR    l.log_text LIKE N'Login failed for user %'
OR    l.log_text LIKE N'Error: 18456, Severity: 14, State: %';
SET @noise_rows = @@ROWCOUNT;
SELECT TOP (<rows, int, 20000>)
    caught_number = CONVERT(varchar(11), @caught_number),
    caught_message = @caught_message,
    noise_rows = CONVERT(varchar(11), @noise_rows),
    begins_local = CONVERT(varchar(30), @begins, 126),
    utc_offset_minutes = CONVERT(varchar(11), @offset),
    ordinal = CONVERT(varchar(11), l.ordinal),
    log_date = CONVERT(varchar(30), l.log_date, 126),
    process_info = l.process_info,
    log_text = CONVERT(nvarchar(4000), l.log_text)
FROM (SELECT one = 1) AS n
LEFT JOIN @log AS l
    ON @caught_number IS NULL
ORDER BY l.ordinal;
