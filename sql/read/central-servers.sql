/*
Name:     central-servers
Purpose:  The servers that are registered on this central management server, by their groups.
Changes:  nothing
Needs:    the role ServerGroupReaderRole in msdb
Runs on:  SQL Server 2012 and later
Read it:  one row for each server, and one without a server for a group that has none. A group whose parent_id is NULL is the one above all groups of
          the Database Engine. server_address is what a client connects to; server_name is what people see. No login is registered with it.
*/
SELECT TOP (<rows, int, 20000>)
    group_id = CONVERT(varchar(11), g.server_group_id),
    parent_id = CONVERT(varchar(11), g.parent_id),
    group_name = g.name,
    server_name = s.name,
    server_address = s.server_name
FROM msdb.dbo.sysmanagement_shared_server_groups AS g
LEFT JOIN msdb.dbo.sysmanagement_shared_registered_servers AS s ON s.server_group_id = g.server_group_id
WHERE g.server_type = 0
ORDER BY g.server_group_id, s.server_id;
