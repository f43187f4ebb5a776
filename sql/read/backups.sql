/*
Name:     backups
Purpose:  The last full, differential and log backups that this server made, newest first.
Changes:  nothing
Needs:    SELECT on msdb.dbo.backupset
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  begin_local and end_local are server local time, in whole seconds. quarter_hours is the offset from UTC at that time, in quarters of an
          hour; 127 is unknown. made_here is 0 for what came with a backup of another server. Snapshots of storage take no time that could be
          compared. size_bytes is uncompressed. Log backups are many: the pattern [DI] leaves them out.
*/
SELECT TOP (<rows, int, 20000>)
    database_name = b.database_name,
    backup_type = CONVERT(varchar(2), b.type),
    begin_local = CONVERT(varchar(30), b.backup_start_date, 126),
    end_local = CONVERT(varchar(30), b.backup_finish_date, 126),
    quarter_hours = CONVERT(varchar(11), b.time_zone),
    size_bytes = CONVERT(varchar(30), b.backup_size),
    is_snapshot = CONVERT(varchar(1), b.is_snapshot),
    made_here = CASE WHEN b.server_name IN (@@SERVERNAME, CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName'))) THEN '1' ELSE '0' END
FROM msdb.dbo.backupset AS b
WHERE b.type LIKE '<type_pattern, varchar(5), [DIL]>'
AND   b.backup_finish_date >= CONVERT(datetime, N'<since_local, nvarchar(30), 2000-01-01T00:00:00>', 126)
ORDER BY b.backup_finish_date DESC;
