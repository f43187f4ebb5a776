/*
Name:     database-counters
Purpose:  Log and write transactions of every database since it was opened, from the counters of the object Databases. One row a database.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  cumulative, in spite of the "/sec" in the counters' names. counter_instance is the database's name, on Managed Instance its
          physical_database_name. Only counters of the cumulative type are taken (cntr_type 272696576); NULL: not there.
          Log Flush Wait Time is left out: what it counts is told in different ways.
*/
SELECT TOP (<rows, int, 10000>)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    ticks_ms = CONVERT(varchar(20), i.ms_ticks),
    started_ticks_ms = CONVERT(varchar(20), i.sqlserver_start_time_ms_ticks),
    counter_instance = CONVERT(nvarchar(128), RTRIM(n.instance_name)),
    log_flushed_bytes = CONVERT(varchar(20), NULLIF(n.log_flushed_bytes, -1)),
    log_flushes = CONVERT(varchar(20), NULLIF(n.log_flushes, -1)),
    write_transactions = CONVERT(varchar(20), NULLIF(n.write_transactions, -1))
FROM sys.dm_os_sys_info AS i
CROSS JOIN
(
    SELECT
        c.instance_name,
        log_flushed_bytes = MAX(CASE WHEN c.counter_name = N'Log Bytes Flushed/sec' THEN c.cntr_value ELSE -1 END),
        log_flushes = MAX(CASE WHEN c.counter_name = N'Log Flushes/sec' THEN c.cntr_value ELSE -1 END),
        write_transactions = MAX(CASE WHEN c.counter_name = N'Write Transactions/sec' THEN c.cntr_value ELSE -1 END)
    FROM sys.dm_os_performance_counters AS c
    WHERE RTRIM(c.object_name) LIKE N'%:Databases'
    AND   c.cntr_type = 272696576
    AND   c.counter_name IN (N'Log Bytes Flushed/sec', N'Log Flushes/sec', N'Write Transactions/sec')
    AND   c.instance_name <> N'_Total'
    GROUP BY c.instance_name
) AS n
ORDER BY n.instance_name;
