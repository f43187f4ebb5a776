/*
Name:     distributed-groups
Purpose:  The availability groups that a distributed availability group is made of, and which of them takes the writes.
Changes:  nothing
Needs:    VIEW ANY DEFINITION and VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2016 and later with Always On availability groups; no rows elsewhere
Read it:  the replicas of a distributed group are groups. member_role SECONDARY: the primary replica of that group is a forwarder and cannot be written.
*/
SELECT TOP (<rows, int, 1000>)
    member_group = r.replica_server_name,
    member_role = MIN(s.role_desc),
    is_local = CONVERT(varchar(1), MAX(CASE WHEN s.is_local = 1 THEN 1 ELSE 0 END))
FROM sys.availability_groups AS g
INNER JOIN sys.availability_replicas AS r
    ON r.group_id = g.group_id
LEFT JOIN sys.dm_hadr_availability_replica_states AS s
    ON  s.group_id = r.group_id
    AND s.replica_id = r.replica_id
WHERE g.is_distributed = 1
GROUP BY
    g.name,
    r.replica_server_name
ORDER BY
    g.name,
    r.replica_server_name;
