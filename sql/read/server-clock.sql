/*
Name:     server-clock
Purpose:  Which server answers, and what its clock says, for a login that may see nothing else. One row.
Changes:  nothing
Needs:    CONNECT
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  now_utc says until when nothing could be observed, while a permission is missing.
*/
SELECT TOP (1)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    utc_offset_minutes = CONVERT(varchar(11), DATEPART(TZOFFSET, SYSDATETIMEOFFSET()));
