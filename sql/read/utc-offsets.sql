/*
Name:     utc-offsets
Purpose:  Offsets from UTC that this server had, day by day, as its backups tell them: by them local times in the error log become UTC.
Changes:  nothing
Needs:    SELECT on msdb.dbo.backupset
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  between first_local and last_local of one row the offset was quarter_hours quarters of an hour. A day on which clocks changed has two rows.
          What came with a backup of another server is left out, because that has its own clock.
*/
SELECT TOP (5000)
    quarter_hours = CONVERT(varchar(11), b.time_zone),
    first_local = CONVERT(varchar(30), MIN(b.backup_start_date), 126),
    last_local = CONVERT(varchar(30), MAX(b.backup_start_date), 126)
FROM msdb.dbo.backupset AS b
WHERE b.time_zone BETWEEN -48 AND 56
AND   b.backup_start_date >= CONVERT(datetime, N'<since_local, nvarchar(30), 2000-01-01T00:00:00>', 126)
AND   b.server_name IN (@@SERVERNAME, CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')))
GROUP BY
    CONVERT(date, b.backup_start_date),
    b.time_zone
ORDER BY MIN(b.backup_start_date) DESC;
