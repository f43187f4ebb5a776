/*
Name:     file-volumes
Purpose:  The volumes on which the data and the log files of open databases lie, with their free space. One row a database, kind of file and volume.
Changes:  nothing
Needs:    VIEW SERVER STATE, from SQL Server 2022 VIEW SERVER PERFORMANCE STATE; and VIEW ANY DEFINITION, without which there are no rows
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  file_type 0 is data, 1 is log. Data and log on one volume wait for each other. Two volumes can still be one array: that cannot be seen from here.
*/
SELECT TOP (<rows, int, 70000>)
    database_id = CONVERT(varchar(11), m.database_id),
    file_type = CONVERT(varchar(3), m.type),
    volume_name = v.volume_mount_point,
    free_mb = CONVERT(varchar(20), MIN(v.available_bytes) / 1048576)
FROM
(
    SELECT
        f.database_id,
        f.file_id,
        f.type
    FROM sys.master_files AS f
    WHERE f.type IN (0, 1)
    AND   f.database_id BETWEEN <first_database_id, int, 1> AND <last_database_id, int, 32767>
) AS m
CROSS APPLY sys.dm_os_volume_stats(m.database_id, m.file_id) AS v
GROUP BY
    m.database_id,
    m.type,
    v.volume_mount_point
ORDER BY
    m.database_id,
    m.type,
    v.volume_mount_point;
