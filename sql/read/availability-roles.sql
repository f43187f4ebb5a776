/*
Name:     availability-roles
Purpose:  The role of the local availability replica for each database that is in an availability group.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE. Names of groups and replicas need VIEW ANY DEFINITION too and are NULL without it
Runs on:  SQL Server 2012 and later with Always On availability groups; no rows elsewhere
Read it:  one row a database: a database in a distributed availability group can join twice, so roles are aggregated; two different roles give MIXED.
          The primary_replica is where this database can be changed now; replicas are all servers of its group, behind a comma each.
*/
SELECT TOP (<rows, int, 10000>)
    database_id = CONVERT(varchar(11), d.database_id),
    role_name = CASE WHEN MIN(s.role_desc) = MAX(s.role_desc) THEN MIN(s.role_desc) ELSE N'MIXED' END,
    group_name = MIN(g.name),
    primary_replica = MIN(p.primary_replica),
    replicas = CONVERT(nvarchar(4000),
    (
        SELECT N',' + r.replica_server_name
        FROM sys.availability_replicas AS own
        INNER JOIN sys.availability_replicas AS r
            ON r.group_id = own.group_id
        WHERE own.replica_id = d.replica_id
        ORDER BY r.replica_server_name
        FOR XML PATH('')
    ))
FROM sys.databases AS d
INNER JOIN sys.dm_hadr_availability_replica_states AS s
    ON  s.replica_id = d.replica_id
    AND s.is_local = 1
LEFT JOIN sys.availability_groups AS g
    ON g.group_id = s.group_id
LEFT JOIN sys.dm_hadr_availability_group_states AS p
    ON p.group_id = s.group_id
GROUP BY
    d.database_id,
    d.replica_id
ORDER BY d.database_id;
