/*
Name:     log-used
Purpose:  How full the log of every database is now, the fullest first. One row a database.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  counter_instance is the database's name, on Managed Instance its physical_database_name. System databases are left out: no switch concerns them.
*/
SELECT TOP (<rows, int, 1>)
    counter_instance = CONVERT(nvarchar(128), RTRIM(c.instance_name)),
    used_percent = CONVERT(varchar(20), c.cntr_value)
FROM sys.dm_os_performance_counters AS c
WHERE RTRIM(c.object_name) LIKE N'%:Databases'
AND   c.counter_name = N'Percent Log Used'
AND   c.instance_name NOT IN (N'_Total', N'master', N'tempdb', N'model', N'msdb', N'mssqlsystemresource')
ORDER BY
    c.cntr_value DESC,
    c.instance_name;
