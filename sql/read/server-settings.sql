/*
Name:     server-settings
Purpose:  The recovery interval, whether advanced options are shown, and every setting whose configured value is not the one in use.
Changes:  nothing
Needs:    CONNECT; sys.configurations is visible to everyone
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  RECONFIGURE would apply every pending setting at once; one that is not dynamic waits for a restart instead.
          min server memory that is configured as 0 and in use as 8 or 16 is what SQL Server makes of 0 by itself: it is not pending.
*/
SELECT TOP (<rows, int, 1000>)
    setting_name = c.name,
    configured = CONVERT(varchar(11), c.value),
    in_use = CONVERT(varchar(11), c.value_in_use),
    is_dynamic = CONVERT(varchar(1), c.is_dynamic),
    is_pending = CASE
        WHEN CONVERT(int, c.value) = CONVERT(int, c.value_in_use) THEN '0'
        WHEN c.name = N'min server memory (MB)' AND CONVERT(int, c.value) IN (0, 8, 16) AND CONVERT(int, c.value_in_use) IN (0, 8, 16) THEN '0'
        ELSE '1'
    END
FROM sys.configurations AS c
WHERE c.name IN (N'recovery interval (min)', N'show advanced options')
OR    CONVERT(int, c.value) <> CONVERT(int, c.value_in_use)
ORDER BY c.configuration_id;
