/*
Name:     flagged-databases
Purpose:  Every database whose checkpoints are automatic or whose target recovery time is unusual, and model, with what has to be known before it is changed. The first part of the report.
Changes:  nothing
Needs:    CONNECT; databases that this login cannot see are not in it
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  finding says what the value is, look_first what stands against a change here. No row: every database has 60 seconds. That a database is listed is no advice to change it:
          only what was measured says whether its checkpoints do harm.
*/
SELECT TOP (<rows, int, 5000>)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    database_name = d.name,
    target_seconds = d.target_recovery_time_in_seconds,
    finding = CASE
        WHEN d.database_id = 3 THEN N'model: new databases will have automatic checkpoints'
        WHEN d.target_recovery_time_in_seconds = 0 THEN N'automatic checkpoints'
        WHEN d.target_recovery_time_in_seconds IS NULL THEN N'target recovery time is not shown'
        ELSE N'another target than 60 seconds, set on purpose perhaps'
    END,
    look_first = CASE
        WHEN d.database_id <= 4 THEN N'system database: not part of a switch'
        WHEN d.source_database_id IS NOT NULL THEN N'database snapshot'
        WHEN d.state <> 0 THEN d.state_desc
        WHEN d.is_in_standby = 1 THEN N'standby'
        WHEN d.is_read_only = 1 THEN N'read-only'
        WHEN ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'UNKNOWN') <> N'READ_WRITE' THEN N'not writable here'
        WHEN d.log_reuse_wait_desc = N'OLDEST_PAGE' AND d.target_recovery_time_in_seconds > 0 THEN N'its log waits for OLDEST_PAGE'
        WHEN d.replica_id IS NOT NULL THEN N'in an availability group: on the primary only'
        ELSE N''
    END,
    recovery_model = d.recovery_model_desc,
    compatibility_level = CONVERT(int, d.compatibility_level)
FROM sys.databases AS d
WHERE (d.database_id > 4 AND ISNULL(d.target_recovery_time_in_seconds, -1) <> 60)
OR    (d.database_id = 3 AND d.target_recovery_time_in_seconds = 0)
ORDER BY
    CASE WHEN d.database_id <= 4 THEN 0 ELSE 1 END,
    d.target_recovery_time_in_seconds,
    d.name;
