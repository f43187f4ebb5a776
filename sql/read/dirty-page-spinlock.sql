/*
Name:     dirty-page-spinlock
Purpose:  How often threads backed off from the spinlock that guards the lists of dirty pages of indirect checkpoints, DP_LIST, since the server started.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  cumulative, also since somebody cleared it; a rate is the difference of two rows. No row: this version does not name it so.
*/
SELECT TOP (1)
    backoffs = CONVERT(varchar(20), s.backoffs)
FROM sys.dm_os_spinlock_stats AS s
WHERE s.name = N'DP_LIST';
