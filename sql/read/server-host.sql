/*
Name:     server-host
Purpose:  The operating system below the instance. One row.
Changes:  nothing
Needs:    SELECT on the view, which public has; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2017 and later, Azure SQL Managed Instance
Read it:  host_platform is Windows or Linux.
*/
SELECT TOP (1)
    host_platform = h.host_platform,
    host_distribution = h.host_distribution,
    host_release = h.host_release
FROM sys.dm_os_host_info AS h;
