/*
Name:     database-copies
Purpose:  What is known here of the copies of every database in an availability group: its identity on all replicas, and the log that still has to be redone.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later with Always On availability groups; no rows elsewhere
Read it:  on the primary replica all copies are known, elsewhere the local one alone. redo_queue_kb is that of the copy that is furthest behind; NULL where none says.
*/
SELECT TOP (<rows, int, 10000>)
    database_id = CONVERT(varchar(11), d.database_id),
    group_database_id = CONVERT(varchar(36), d.group_database_id),
    redo_queue_kb = CONVERT(varchar(20), MAX(s.redo_queue_size))
FROM sys.databases AS d
INNER JOIN sys.dm_hadr_database_replica_states AS s
    ON s.group_database_id = d.group_database_id
GROUP BY
    d.database_id,
    d.group_database_id
ORDER BY d.database_id;
