/*
Name:     measure-scan-cost
Purpose:  Times CHECKPOINT several times in one idle database with automatic checkpoints: mostly the scan of the buffer pool.
Changes:  no data and no setting. It runs checkpoints: the first writes the dirty pages, and each scans the buffer pool
Needs:    in the database sysadmin, db_owner or db_backupoperator; VIEW SERVER STATE (2022: VIEW SERVER PERFORMANCE STATE) for the size
          of the buffer pool
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  choose a database that is not written to now. At the end one table: the first time includes writing, the lowest of the others is
          the scan, what is above it is writing or waiting; each automatic checkpoint of each database pays the scan. published_ms is what
          one server took with such a buffer pool (40 ms when empty, 400 ms with 100 GB, 700 ms with 200 GB, a straight line between);
          yours may differ. From SQL Server 2022 several tasks scan a large buffer pool.
*/
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;
DECLARE @times int = <times, int, 6>; /* The first is not counted. */
DECLARE @list table (ordinal int IDENTITY PRIMARY KEY, name sysname NOT NULL, created datetime NULL);
<databases, statements, INSERT @list (name) VALUES (N'TYPE A DATABASE NAME HERE');>

/* Guard: this server and no other, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')
    <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script names, or a transaction is open in this window. Nothing was done.', 16, 1);
    RETURN;
END;
DECLARE @run int = 0, @name sysname, @statement nvarchar(400), @outcome nvarchar(2048), @began datetime2(3), @pool_mb bigint,
    @took_ms int, @first_ms int, @lowest_ms int, @highest_ms int;
SELECT TOP (1) @name = l.name, @outcome = CASE
    WHEN d.database_id IS NULL THEN N'LEFT ALONE: no user database here, or renamed or re-created since it was listed'
    WHEN d.state <> 0 OR ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'') <> N'READ_WRITE'
        THEN N'LEFT ALONE: not writable here now (' + d.state_desc
            + CASE WHEN d.replica_id IS NULL THEN N')' ELSE N'; a secondary or a forwarder, where CHECKPOINT writes nothing)' END
    WHEN HAS_DBACCESS(d.name) = 0 THEN N'LEFT ALONE: this login has no access'
    WHEN d.target_recovery_time_in_seconds <> 0 THEN N'LEFT ALONE: has indirect checkpoints, which do not scan the buffer pool' END
FROM @list AS l
LEFT JOIN sys.databases AS d
    ON d.name COLLATE Latin1_General_BIN2 = l.name AND d.create_date = ISNULL(l.created, d.create_date) AND d.database_id > 4
ORDER BY l.ordinal;
WHILE @outcome IS NULL AND @run < @times
BEGIN TRY
    SELECT @run += 1, @statement = REPLACE(N'USE [name]; CHECKPOINT;', N'[name]', QUOTENAME(@name)), @began = SYSUTCDATETIME();
    EXECUTE sys.sp_executesql @statement;
    SET @took_ms = DATEDIFF(MILLISECOND, @began, SYSUTCDATETIME());
    IF @run = 1 SET @first_ms = @took_ms;
    ELSE SELECT @lowest_ms = CASE WHEN @lowest_ms < @took_ms THEN @lowest_ms ELSE @took_ms END,
        @highest_ms = CASE WHEN @highest_ms > @took_ms THEN @highest_ms ELSE @took_ms END;
    RAISERROR(N'%s took %d ms (%d of %d)', 0, 1, @statement, @took_ms, @run, @times) WITH NOWAIT;
END TRY
BEGIN CATCH
    SET @outcome = N'FAILED: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
END CATCH;

BEGIN TRY /* Pages of 8 KB in the buffer pool now; the object is named after the instance. */
    SELECT @pool_mb = MAX(p.cntr_value) / 128
    FROM sys.dm_os_performance_counters AS p
    WHERE p.object_name LIKE N'%:Buffer Manager%' AND p.counter_name = N'Database pages';
END TRY
BEGIN CATCH
    PRINT N'The size of the buffer pool cannot be seen: ' + ERROR_MESSAGE();
END CATCH;
SELECT name = @name, outcome = ISNULL(@outcome, N'DONE'), checkpoints = @run, first_ms = @first_ms, lowest_ms = @lowest_ms,
    highest_ms = @highest_ms, buffer_pool_mb = @pool_mb, published_ms = CASE
        WHEN @pool_mb <= 102400 THEN 40 + 360 * @pool_mb / 102400
        WHEN @pool_mb <= 204800 THEN 400 + 300 * (@pool_mb - 102400) / 102400 END;
IF @outcome LIKE N'FAILED%' RAISERROR(N'%s', 16, 1, @outcome);
