/*
Name:     server-state
Purpose:  Memory of the server, and what its Extended Events can do, for composing the event session. One row.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  committed_target_mb is the memory the server means to use; the has_ columns are 1 where this version has that event or column, else 0.
*/
SELECT TOP (1)
    committed_target_mb = CONVERT(varchar(20), i.committed_target_kb / 1024),
    physical_memory_mb = CONVERT(varchar(20), i.physical_memory_kb / 1024),
    has_buffer_pool_scan_complete = (
        SELECT CONVERT(varchar(1), COUNT(*))
        FROM sys.dm_xe_objects AS o
        WHERE o.object_type = N'event'
        AND   o.name = N'buffer_pool_scan_complete'
    ),
    has_timestamp_utc = (
        SELECT CONVERT(varchar(1), COUNT(*))
        FROM sys.all_columns AS c
        WHERE c.object_id = OBJECT_ID(N'sys.fn_xe_file_target_read_file')
        AND   c.name = N'timestamp_utc'
    )
FROM sys.dm_os_sys_info AS i;
