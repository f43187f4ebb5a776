/*
Name:     database-logs
Purpose:  Virtual log files and log since the last checkpoint of every open database. One row a database.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2016 SP2 and later, Azure SQL Managed Instance
Read it:  since_checkpoint_mb is what a crash recovery would have to read at least. Columns are NULL where a secondary replica does not know them.
          One database whose log cannot be looked at fails the whole statement: ask for fewer ids at a time then.
*/
SELECT TOP (<rows, int, 10000>)
    database_id = CONVERT(varchar(11), d.database_id),
    vlf_count = CONVERT(varchar(20), l.total_vlf_count),
    since_checkpoint_mb = CONVERT(varchar(30), CONVERT(decimal(19, 3), l.log_since_last_checkpoint_mb))
FROM
(
    SELECT o.database_id
    FROM sys.databases AS o
    WHERE o.state = 0
    AND   o.database_id BETWEEN <first_database_id, int, 1> AND <last_database_id, int, 32767>
) AS d
CROSS APPLY sys.dm_db_log_stats(d.database_id) AS l
ORDER BY d.database_id;
