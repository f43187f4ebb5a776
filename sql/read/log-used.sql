/*
Name:     log-used
Purpose:  How full the logs of the databases are now, the fullest first. One row a database.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  system databases are left out: no switch concerns them. On Managed Instance counter_instance_column is physical_database_name.
*/
SELECT TOP (<rows, int, 50>)
    database_name = d.name,
    used_percent = CONVERT(varchar(20), c.cntr_value)
FROM sys.dm_os_performance_counters AS c
INNER JOIN sys.databases AS d
    ON  d.<counter_instance_column, sysname, name> = RTRIM(c.instance_name) COLLATE Latin1_General_BIN2
WHERE RTRIM(c.object_name) LIKE N'%:Databases'
AND   c.counter_name = N'Percent Log Used'
AND   d.database_id > 4
ORDER BY
    c.cntr_value DESC,
    d.name;
