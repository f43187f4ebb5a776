/*
Name:     server-facts
Purpose:  Who this server is, what it runs on, and what this login may see and do. One row.
Changes:  nothing
Needs:    CONNECT; asks for nothing that a public login cannot see
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance, Azure SQL Database
Read it:  permission columns are 1, 0, or NULL where this version does not know the permission.
          path_separator tells Linux from Windows and is NULL before SQL Server 2017, which ran on Windows only.
          started_local is the creation time of tempdb: the server's last start, in its own local time.
*/
SELECT TOP (1)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    product_version = CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion')),
    product_level = CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductLevel')),
    edition = CONVERT(nvarchar(128), SERVERPROPERTY(N'Edition')),
    engine_edition = CONVERT(varchar(11), SERVERPROPERTY(N'EngineEdition')),
    is_clustered = CONVERT(varchar(11), SERVERPROPERTY(N'IsClustered')),
    is_hadr_enabled = CONVERT(varchar(11), SERVERPROPERTY(N'IsHadrEnabled')),
    path_separator = CONVERT(nvarchar(1), SERVERPROPERTY(N'PathSeparator')),
    login_name = SUSER_SNAME(),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    utc_offset_minutes = CONVERT(varchar(11), DATEPART(TZOFFSET, SYSDATETIMEOFFSET())),
    started_local = (
        SELECT CONVERT(varchar(30), t.create_date, 126)
        FROM sys.databases AS t
        WHERE t.name = N'tempdb'
    ),
    model_target_seconds = (
        SELECT CONVERT(varchar(11), m.target_recovery_time_in_seconds)
        FROM sys.databases AS m
        WHERE m.name = N'model'
    ),
    can_view_server_state = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE')),
    can_view_performance_state = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER PERFORMANCE STATE')),
    can_alter_event_session = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER ANY EVENT SESSION')),
    can_create_event_session = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'CREATE ANY EVENT SESSION')),
    can_enable_event_session = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER ANY EVENT SESSION ENABLE')),
    can_disable_event_session = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER ANY EVENT SESSION DISABLE')),
    can_add_session_event = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER ANY EVENT SESSION ADD EVENT')),
    can_drop_session_event = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER ANY EVENT SESSION DROP EVENT')),
    can_drop_event_session = CONVERT(varchar(1), HAS_PERMS_BY_NAME(NULL, NULL, N'DROP ANY EVENT SESSION'));
