/*
Name:     accelerated-recovery
Purpose:  The databases with accelerated database recovery.
Changes:  nothing
Needs:    CONNECT; databases that this login cannot see are left out
Runs on:  SQL Server 2019 and later, Azure SQL Managed Instance, Azure SQL Database
Read it:  before SQL Server 2019 the column does not exist and no database has it.
*/
SELECT TOP (<rows, int, 10000>)
    database_id = CONVERT(varchar(11), d.database_id)
FROM sys.databases AS d
WHERE d.is_accelerated_database_recovery_on = 1
ORDER BY d.database_id;
