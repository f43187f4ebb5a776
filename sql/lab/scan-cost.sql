/*
Name:     scan-cost
Purpose:  Not for production. Times CHECKPOINT in a database of its own with nothing to write, first with an empty buffer pool, then with a filled one: the difference is the scan of the buffer pool.
Changes:  creates the database CheckpointHealthLabScan and removes it at the end, after an error too; DBCC DROPCLEANBUFFERS empties the buffer pool of the whole instance, so that every database reads from disk again
Needs:    sysadmin on a test server; disk: fill_mb twice (data, and log at most) where databases are created; time: as long as it takes to write and read fill_mb, minutes for some GB
Runs on:  SQL Server 2012 and later, a test server. Never run by Checkpoint Health
Read it:  MEASURED lines have the lowest and highest time of each state, from the log records that a checkpoint writes (sys.fn_dblog: LOP_BEGIN_CKPT, LOP_END_CKPT) and by the clock of this session,
          and what the buffer pool held. Published, for a server in Azure: 40 ms empty, 400 ms with 100 GB, 700 ms with 200 GB; so compare with fill_mb near your memory.
          If you cancel it, the test database stays: drop it by hand. Read README.md of this folder first.
*/
/* The window keeps these options. */
SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;

/* Guard: the server named as the test server, nearly empty, without a database of this name. SET NOEXEC ON also stops every batch behind the next GO. */
DECLARE @stopped nvarchar(400) =
    CASE
        WHEN (@@OPTIONS & 2) = 2 THEN N'implicit transactions are on in this session'
        WHEN @@TRANCOUNT > 0 THEN N'a transaction is open in this session'
        WHEN ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'') <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>' THEN N'this is not the server that was typed into the script'
        WHEN N'<this_is_a_test_server, nvarchar(3), NO>' <> N'YES' THEN N'this_is_a_test_server is not YES'
        WHEN ISNULL(CONVERT(int, SERVERPROPERTY(N'EngineEdition')), 0) NOT BETWEEN 1 AND 4 THEN N'this is not a SQL Server instance on its own machine (EngineEdition 1 to 4)'
        WHEN ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) = 0 THEN N'this login is not in sysadmin'
        WHEN EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.replica_id IS NOT NULL) THEN N'databases here are in an availability group: this is no test server'
        WHEN (SELECT COUNT(*) FROM sys.databases AS d WHERE d.database_id > 4) > 5 THEN N'there are more than five user databases: this is no test server'
        WHEN DB_ID(N'CheckpointHealthLabScan') IS NOT NULL THEN N'a database CheckpointHealthLabScan is there already. If it was left behind by a run that was cancelled, and you know that, drop it: DROP DATABASE [CheckpointHealthLabScan];'
        ELSE NULL
    END;
IF @stopped IS NULL
    PRINT N'Server ' + CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) + N': the test server this script was written for.';
ELSE
BEGIN
    RAISERROR(N'Stopped: %s. Nothing was done.', 16, 1, @stopped);
    SET NOEXEC ON;
END;
GO

SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;

/* The database that is created is known by its create_date from here on: nothing else of that name is ever dropped. */
IF OBJECT_ID(N'tempdb..#lab') IS NOT NULL DROP TABLE #lab;
CREATE TABLE #lab (created datetime NULL, is_ready bit NOT NULL);
INSERT #lab (created, is_ready) VALUES (NULL, 0);
DECLARE @stopped nvarchar(2000);
/* The whole guard again, in case only a part of this script is selected and run. */
IF @@TRANCOUNT = 0 AND (@@OPTIONS & 2) = 0
AND CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
AND N'<this_is_a_test_server, nvarchar(3), NO>' = N'YES' AND CONVERT(int, SERVERPROPERTY(N'EngineEdition')) BETWEEN 1 AND 4
AND IS_SRVROLEMEMBER(N'sysadmin') = 1 AND NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.replica_id IS NOT NULL)
AND (SELECT COUNT(*) FROM sys.databases AS d WHERE d.database_id > 4) <= 5 AND DB_ID(N'CheckpointHealthLabScan') IS NULL
BEGIN
    BEGIN TRY
        EXECUTE sys.sp_executesql N'CREATE DATABASE [CheckpointHealthLabScan];';
        UPDATE l SET l.created = d.create_date FROM #lab AS l INNER JOIN sys.databases AS d ON d.name = N'CheckpointHealthLabScan';
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabScan] SET RECOVERY SIMPLE;';
        /* Automatic checkpoints, whatever model has: with indirect ones the background writer would write ahead of what is measured. */
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabScan] SET TARGET_RECOVERY_TIME = 0 SECONDS;';
        UPDATE l SET l.is_ready = 1 FROM #lab AS l;
    END TRY
    BEGIN CATCH
        SET @stopped = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
        RAISERROR(N'Stopped: the test database was not set up: %s', 16, 1, @stopped);
    END CATCH;
END;
ELSE
    RAISERROR(N'Stopped by the guard of the first batch: a transaction is open, this is not the named test server, or another of its checks failed. Run the whole script. Nothing was done.', 16, 1);
GO

SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;

DECLARE @fill_mb int = <fill_mb, int, 4096>;
DECLARE @times int = <times, int, 5>;
/* Called by a name with a database in it, sp_executesql runs its text there. */
DECLARE @there nvarchar(300) = N'[CheckpointHealthLabScan].sys.sp_executesql';
DECLARE @runs table (run int IDENTITY(1, 1) PRIMARY KEY, state_name nvarchar(10) NOT NULL, pool_mb bigint NULL, clock_us bigint NOT NULL,
    log_ms bigint NULL);
DECLARE @state nvarchar(10) = N'empty', @run int, @batch int = 0, @began datetime2(7), @clock_us bigint, @log_ms bigint, @begin_text nvarchar(60),
    @end_text nvarchar(60), @pool_mb bigint, @rows bigint, @line nvarchar(2000);

IF NOT EXISTS (SELECT 1 FROM #lab AS l WHERE l.is_ready = 1)
    SET @state = N'none';
IF @fill_mb NOT BETWEEN 1 AND 1048576 OR @times NOT BETWEEN 1 AND 100
BEGIN
    RAISERROR(N'Stopped: fill_mb is from 1 to 1048576 and times from 1 to 100.', 16, 1);
    SET @state = N'none';
END;

BEGIN TRY
    IF @state = N'empty'
    BEGIN
        /* A row a page, 16 MB a transaction, so that the log is used again and again. */
        EXECUTE @there N'CREATE TABLE dbo.pages (page_number int NOT NULL IDENTITY(1, 1) CONSTRAINT pk_pages PRIMARY KEY CLUSTERED, filler char(8000) NOT NULL);';
        WHILE @batch * 16 < @fill_mb
        BEGIN
            EXECUTE @there N'INSERT dbo.pages (filler) SELECT TOP (2048) REPLICATE(''x'', 8000) FROM sys.all_columns AS a CROSS JOIN sys.all_columns AS b;';
            SET @batch = @batch + 1;
        END;
        EXECUTE @there N'CHECKPOINT;';
        EXECUTE sys.sp_executesql N'DBCC DROPCLEANBUFFERS WITH NO_INFOMSGS;';
    END;

    WHILE @state IN (N'empty', N'filled')
    BEGIN
        SET @run = 1;
        WHILE @run <= @times
        BEGIN
            SELECT @pool_mb = MAX(p.cntr_value) / 128
            FROM sys.dm_os_performance_counters AS p
            WHERE p.object_name LIKE N'%:Buffer Manager%'
            AND   p.counter_name = N'Database pages';

            SET @began = SYSUTCDATETIME();
            EXECUTE @there N'CHECKPOINT;';
            SET @clock_us = DATEDIFF(SECOND, @began, SYSUTCDATETIME());
            SET @clock_us = CASE WHEN @clock_us BETWEEN 0 AND 1800 THEN DATEDIFF(MICROSECOND, @began, SYSUTCDATETIME()) ELSE @clock_us * 1000000 END;

            /* The last checkpoint of the log: two texts like 2026/03/02 09:00:00:123. Another form is unknown. */
            SET @log_ms = NULL;
            EXECUTE @there N'SELECT @b = MAX(r.[Checkpoint Begin]), @e = MAX(r.[Checkpoint End]) FROM sys.fn_dblog(NULL, NULL) AS r WHERE r.[Operation] IN (N''LOP_BEGIN_CKPT'', N''LOP_END_CKPT'');',
                N'@b nvarchar(60) OUTPUT, @e nvarchar(60) OUTPUT', @b = @begin_text OUTPUT, @e = @end_text OUTPUT;
            IF @begin_text LIKE N'____/__/__ __:__:__:___' AND @end_text LIKE N'____/__/__ __:__:__:___'
                SET @log_ms = DATEDIFF(MILLISECOND,
                    CONVERT(datetime, REPLACE(LEFT(@begin_text, 10), N'/', N'') + N' ' + SUBSTRING(@begin_text, 12, 8) + N'.' + SUBSTRING(@begin_text, 21, 3)),
                    CONVERT(datetime, REPLACE(LEFT(@end_text, 10), N'/', N'') + N' ' + SUBSTRING(@end_text, 12, 8) + N'.' + SUBSTRING(@end_text, 21, 3)));
            INSERT @runs (state_name, pool_mb, clock_us, log_ms) VALUES (@state, @pool_mb, @clock_us, @log_ms);
            SET @line = N'CHECKPOINT  ' + @state + N', ' + CONVERT(nvarchar(11), @run) + N' of ' + CONVERT(nvarchar(11), @times) + N': ' + ISNULL(CONVERT(nvarchar(20), @log_ms), N'unknown')
                + N' ms by the log, ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), @clock_us / 1000.0)) + N' ms by the clock, buffer pool ' + ISNULL(CONVERT(nvarchar(20), @pool_mb), N'unknown') + N' MB.';
            RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
            SET @run = @run + 1;
        END;

        /* Filled: every page of the table is read once. */
        IF @state = N'empty'
            EXECUTE @there N'SELECT @n = SUM(CONVERT(bigint, DATALENGTH(p.filler))) FROM dbo.pages AS p;', N'@n bigint OUTPUT', @n = @rows OUTPUT;
        SET @state = CASE @state WHEN N'empty' THEN N'filled' ELSE N'done' END;
    END;
END TRY
BEGIN CATCH
    SET @line = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    RAISERROR(N'FAILED      %s The test database is removed next.', 0, 1, @line) WITH NOWAIT;
END CATCH;

SET @state = N'empty';
WHILE EXISTS (SELECT 1 FROM @runs AS r WHERE r.state_name = @state)
BEGIN
    SELECT @line = N'MEASURED    ' + @state + N': lowest ' + ISNULL(CONVERT(nvarchar(20), MIN(r.log_ms)), N'unknown') + N' ms, highest ' + ISNULL(CONVERT(nvarchar(20), MAX(r.log_ms)), N'unknown') + N' ms by the log; lowest '
        + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), MIN(r.clock_us) / 1000.0)) + N' ms by the clock; buffer pool ' + ISNULL(CONVERT(nvarchar(20), MAX(r.pool_mb)), N'unknown') + N' MB.'
    FROM @runs AS r
    WHERE r.state_name = @state;
    RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
    SET @state = CASE @state WHEN N'empty' THEN N'filled' ELSE N'done' END;
END;
PRINT N'PUBLISHED   one server in Azure, idle database: 40 ms empty, 400 ms with 100 GB, 700 ms with 200 GB in the buffer pool.';
GO

/* Removes the test database, also after an error above: the one that was created here, known by its create_date, and no other. */
SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;
DECLARE @attempt int = 1, @left nvarchar(2000) = N'unknown';
WHILE @attempt <= 5 AND EXISTS (SELECT 1 FROM #lab AS l INNER JOIN sys.databases AS d ON d.create_date = l.created AND d.name = N'CheckpointHealthLabScan')
BEGIN
    BEGIN TRY
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabScan] SET SINGLE_USER WITH ROLLBACK IMMEDIATE;';
        EXECUTE sys.sp_executesql N'DROP DATABASE [CheckpointHealthLabScan];';
        RAISERROR(N'REMOVED     the test database.', 0, 1) WITH NOWAIT;
    END TRY
    BEGIN CATCH
        /* Another window may have been in it in that moment. */
        SET @left = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
        WAITFOR DELAY '00:00:02';
    END CATCH;
    SET @attempt = @attempt + 1;
END;
IF EXISTS (SELECT 1 FROM #lab AS l INNER JOIN sys.databases AS d ON d.create_date = l.created AND d.name = N'CheckpointHealthLabScan')
    RAISERROR(N'LEFT BEHIND CheckpointHealthLabScan: %s. Drop it by hand.', 16, 1, @left);
DROP TABLE #lab;
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
GO
