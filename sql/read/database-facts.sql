/*
Name:     database-facts
Purpose:  Every database that this login can see, with its target recovery time and what decides whether it can be changed here.
Changes:  nothing
Needs:    CONNECT; a login without VIEW ANY DATABASE sees master, tempdb and the databases that it owns
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance, Azure SQL Database
Read it:  target_seconds 0 is automatic checkpoints, above 0 indirect checkpoints.
          updateability tells a distributed availability group's forwarder (READ_ONLY) from a true primary; NULL is not changeable.
          in_availability_group is 1 where the database is joined to an availability group on this replica.
*/
SELECT TOP (<rows, int, 10000>)
    database_id = CONVERT(varchar(11), d.database_id),
    database_name = d.name,
    created_local = CONVERT(varchar(30), d.create_date, 126),
    target_seconds = CONVERT(varchar(11), d.target_recovery_time_in_seconds),
    state_name = d.state_desc,
    is_read_only = CONVERT(varchar(1), d.is_read_only),
    is_in_standby = CONVERT(varchar(1), d.is_in_standby),
    source_database_id = CONVERT(varchar(11), d.source_database_id),
    recovery_model = d.recovery_model_desc,
    log_reuse_wait = d.log_reuse_wait_desc,
    updateability = CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')),
    in_availability_group = CASE WHEN d.replica_id IS NULL THEN '0' ELSE '1' END,
    is_distributor = CONVERT(varchar(1), d.is_distributor)
FROM sys.databases AS d
ORDER BY d.database_id;
