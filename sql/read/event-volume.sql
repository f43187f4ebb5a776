/*
Name:     event-volume
Purpose:  Free space of the volume that holds the error log, where event files lie unless a folder is given. One row or none.
Changes:  nothing
Needs:    VIEW SERVER STATE, from SQL Server 2022 VIEW SERVER PERFORMANCE STATE; and VIEW ANY DEFINITION
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  only volumes with files of system databases can be seen. No row: the error log lies on none of them.
          A volume mounted in a folder, without a file of theirs, is taken for the volume that the folder is on.
*/
SELECT TOP (1)
    volume_name = v.volume_mount_point,
    free_mb = CONVERT(varchar(20), v.available_bytes / 1048576)
FROM
(
    SELECT
        f.database_id,
        f.file_id
    FROM sys.master_files AS f
    WHERE f.database_id <= 4
) AS m
CROSS APPLY sys.dm_os_volume_stats(m.database_id, m.file_id) AS v
CROSS JOIN (SELECT error_log = UPPER(CONVERT(nvarchar(260), SERVERPROPERTY(N'ErrorLogFileName')))) AS e
WHERE LEFT(e.error_log, LEN(v.volume_mount_point)) COLLATE Latin1_General_BIN2 = UPPER(v.volume_mount_point)
AND   (RIGHT(v.volume_mount_point, 1) IN (N'\', N'/') OR SUBSTRING(e.error_log, LEN(v.volume_mount_point) + 1, 1) = N'/')
ORDER BY LEN(v.volume_mount_point) DESC;
