/*
Name:     file-io
Purpose:  What has been written to the data and to the log files of every database, and how long that took, since each was opened. One row a database.
Changes:  nothing
Needs:    VIEW SERVER STATE, from SQL Server 2022 VIEW SERVER PERFORMANCE STATE; VIEW ANY DEFINITION, to tell log files from data files
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  cumulative; NULL where the database is not open. A figure that fell: the database was closed, or a file was removed, in between.
          untyped_files counts files that this login cannot tell the type of: then neither sum is whole. FILESTREAM is in neither.
          counter_instance is what the counters of the object Databases call it: its name, on Managed Instance physical_database_name.
*/
SELECT TOP (<rows, int, 10000>)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    ticks_ms = CONVERT(varchar(20), i.ms_ticks),
    started_ticks_ms = CONVERT(varchar(20), i.sqlserver_start_time_ms_ticks),
    database_id = CONVERT(varchar(11), d.database_id),
    database_name = d.name,
    created_local = CONVERT(varchar(30), d.create_date, 126),
    counter_instance = CONVERT(nvarchar(128), d.<counter_instance_column, sysname, name>),
    log_reuse_wait = d.log_reuse_wait_desc,
    data_files = CONVERT(varchar(11), f.data_files),
    log_files = CONVERT(varchar(11), f.log_files),
    untyped_files = CONVERT(varchar(11), f.untyped_files),
    data_writes = CONVERT(varchar(20), f.data_writes),
    data_written_bytes = CONVERT(varchar(20), f.data_written_bytes),
    data_write_stall_ms = CONVERT(varchar(20), f.data_write_stall_ms),
    data_reads = CONVERT(varchar(20), f.data_reads),
    data_read_stall_ms = CONVERT(varchar(20), f.data_read_stall_ms),
    log_writes = CONVERT(varchar(20), f.log_writes),
    log_written_bytes = CONVERT(varchar(20), f.log_written_bytes),
    log_write_stall_ms = CONVERT(varchar(20), f.log_write_stall_ms)
FROM sys.databases AS d
CROSS JOIN sys.dm_os_sys_info AS i
LEFT JOIN
(
    SELECT
        v.database_id,
        data_files = SUM(CASE WHEN m.type = 0 THEN 1 ELSE 0 END),
        log_files = SUM(CASE WHEN m.type = 1 THEN 1 ELSE 0 END),
        untyped_files = SUM(CASE WHEN m.type IS NULL THEN 1 ELSE 0 END),
        data_writes = SUM(CASE WHEN m.type = 0 THEN v.num_of_writes ELSE 0 END),
        data_written_bytes = SUM(CASE WHEN m.type = 0 THEN v.num_of_bytes_written ELSE 0 END),
        data_write_stall_ms = SUM(CASE WHEN m.type = 0 THEN v.io_stall_write_ms ELSE 0 END),
        data_reads = SUM(CASE WHEN m.type = 0 THEN v.num_of_reads ELSE 0 END),
        data_read_stall_ms = SUM(CASE WHEN m.type = 0 THEN v.io_stall_read_ms ELSE 0 END),
        log_writes = SUM(CASE WHEN m.type = 1 THEN v.num_of_writes ELSE 0 END),
        log_written_bytes = SUM(CASE WHEN m.type = 1 THEN v.num_of_bytes_written ELSE 0 END),
        log_write_stall_ms = SUM(CASE WHEN m.type = 1 THEN v.io_stall_write_ms ELSE 0 END)
    FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v
    LEFT JOIN sys.master_files AS m
        ON  m.database_id = v.database_id
        AND m.file_id = v.file_id
    GROUP BY v.database_id
) AS f
    ON f.database_id = d.database_id
ORDER BY d.database_id;
