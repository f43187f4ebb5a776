/*
Name:     write-size
Purpose:  Not for production. Changes the same number of pages twice, once one next to the other and once every other one, and shows how many bytes each write of the CHECKPOINT after it had. Then changes them once more and switches the database to indirect checkpoints: what is written at once, and which plans are left.
Changes:  creates the database CheckpointHealthLabWrites and removes it at the end, after an error too; it writes and reads pages times 16 KB and more, which other databases on that storage feel
Needs:    sysadmin on a test server; disk: pages times 16 KB for data, and log of about a quarter of that; time: seconds for each 100,000 pages, as the storage allows
Runs on:  SQL Server 2012 and later, a test server. Never run by Checkpoint Health
Read it:  MEASURED lines: neighbours are gathered into writes of up to 256 KB before SQL Server 2016, up to 1 MB since; every other page is written by itself, 8 KB each.
          Published, for half a million pages: 21 s in one run, 71 s every other one. An automatic checkpoint in the middle takes pages away: then the pages that were written are fewer than asked for, and it is said.
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
        WHEN DB_ID(N'CheckpointHealthLabWrites') IS NOT NULL THEN N'a database CheckpointHealthLabWrites is there already. If it was left behind by a run that was cancelled, and you know that, drop it: DROP DATABASE [CheckpointHealthLabWrites];'
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
AND (SELECT COUNT(*) FROM sys.databases AS d WHERE d.database_id > 4) <= 5 AND DB_ID(N'CheckpointHealthLabWrites') IS NULL
BEGIN
    BEGIN TRY
        EXECUTE sys.sp_executesql N'CREATE DATABASE [CheckpointHealthLabWrites];';
        UPDATE l SET l.created = d.create_date FROM #lab AS l INNER JOIN sys.databases AS d ON d.name = N'CheckpointHealthLabWrites';
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabWrites] SET RECOVERY SIMPLE;';
        /* Automatic checkpoints, whatever model has: with indirect ones the background writer would write ahead of what is measured. */
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabWrites] SET TARGET_RECOVERY_TIME = 0 SECONDS;';
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

/* Pages that are changed; the table has twice as many. */
DECLARE @pages int = <pages, int, 100000>;
/* Called by a name with a database in it, sp_executesql runs its text there. */
DECLARE @there nvarchar(300) = N'[CheckpointHealthLabWrites].sys.sp_executesql', @state nvarchar(20) = N'one run', @loaded int = 0,
    @began datetime2(3), @took_ms bigint, @writes_before bigint, @bytes_before bigint, @writes bigint, @bytes bigint, @line nvarchar(2000),
    @plans int, @plans_left int, @count_plans nvarchar(300) = N'SELECT @n = COUNT(*) FROM sys.dm_exec_cached_plans AS c CROSS APPLY sys.dm_exec_plan_attributes(c.plan_handle) AS a WHERE a.attribute = N''dbid'' AND CONVERT(int, a.value) = DB_ID();';

IF NOT EXISTS (SELECT 1 FROM #lab AS l WHERE l.is_ready = 1)
    SET @state = N'none';
IF @pages NOT BETWEEN 1000 AND 10000000
BEGIN
    RAISERROR(N'Stopped: pages is from 1000 to 10000000.', 16, 1);
    SET @state = N'none';
END;

BEGIN TRY
    IF @state = N'one run'
    BEGIN
        /* A row a page, in the order of the key; 2048 rows a transaction. */
        EXECUTE @there N'CREATE TABLE dbo.pages (page_number int NOT NULL IDENTITY(1, 1) CONSTRAINT pk_pages PRIMARY KEY CLUSTERED, mark int NOT NULL, filler char(7000) NOT NULL);';
        WHILE @loaded < 2 * @pages
        BEGIN
            EXECUTE @there N'INSERT dbo.pages (mark, filler) SELECT TOP (2048) 0, REPLICATE(''x'', 7000) FROM sys.all_columns AS a CROSS JOIN sys.all_columns AS b;';
            SET @loaded = @loaded + 2048;
        END;
    END;

    WHILE @state IN (N'one run', N'every other', N'switch')
    BEGIN
        EXECUTE @there N'CHECKPOINT;';
        /* Small changes, so that little log is written and no automatic checkpoint becomes due. */
        IF @state = N'one run'
            EXECUTE @there N'UPDATE p SET p.mark = p.mark + 1 FROM dbo.pages AS p WHERE p.page_number <= @n;', N'@n int', @n = @pages;
        ELSE
            EXECUTE @there N'UPDATE p SET p.mark = p.mark + 1 FROM dbo.pages AS p WHERE p.page_number % 2 = 0 AND p.page_number <= 2 * @n;', N'@n int', @n = @pages;

        SELECT
            @writes_before = SUM(s.num_of_writes),
            @bytes_before = SUM(s.num_of_bytes_written)
        FROM sys.dm_io_virtual_file_stats(DB_ID(N'CheckpointHealthLabWrites'), 1) AS s;
        SET @began = SYSUTCDATETIME();
        IF @state = N'switch'
        BEGIN
            EXECUTE @there @count_plans, N'@n int OUTPUT', @n = @plans OUTPUT;
            EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabWrites] SET TARGET_RECOVERY_TIME = 60 SECONDS WITH NO_WAIT;';
            EXECUTE @there @count_plans, N'@n int OUTPUT', @n = @plans_left OUTPUT;
            WAITFOR DELAY '00:00:10';
        END;
        ELSE
            EXECUTE @there N'CHECKPOINT;';
        SET @took_ms = DATEDIFF(SECOND, @began, SYSUTCDATETIME());
        SET @took_ms = CASE WHEN @took_ms BETWEEN 0 AND 86400 THEN DATEDIFF(MILLISECOND, @began, SYSUTCDATETIME()) ELSE @took_ms * 1000 END;
        SELECT
            @writes = SUM(s.num_of_writes) - @writes_before,
            @bytes = SUM(s.num_of_bytes_written) - @bytes_before
        FROM sys.dm_io_virtual_file_stats(DB_ID(N'CheckpointHealthLabWrites'), 1) AS s;

        SET @line = N'MEASURED    ' + @state + N': ' + CONVERT(nvarchar(11), @pages) + N' pages changed, ' + CONVERT(nvarchar(20), @bytes / 8192) + N' written in ' + CONVERT(nvarchar(20), @writes) + N' writes, '
            + ISNULL(CONVERT(nvarchar(20), CONVERT(decimal(18, 1), @bytes / 1024.0 / NULLIF(@writes, 0))), N'no') + N' KB each, in ' + CONVERT(nvarchar(20), @took_ms) + N' ms.'
            + CASE WHEN @state = N'switch' THEN N' Plans of the database: ' + CONVERT(nvarchar(11), @plans) + N' before the ALTER, ' + CONVERT(nvarchar(11), @plans_left) + N' behind it.'
                WHEN @bytes / 8192 BETWEEN 0 AND @pages * CONVERT(bigint, 9) / 10 THEN N' Fewer than were changed: something else had written them before. Try again.' ELSE N'' END;
        RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
        SET @state = CASE @state WHEN N'one run' THEN N'every other' WHEN N'every other' THEN N'switch' ELSE N'done' END;
    END;
END TRY
BEGIN CATCH
    SET @line = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    RAISERROR(N'FAILED      %s The test database is removed next.', 0, 1, @line) WITH NOWAIT;
END CATCH;
PRINT N'PUBLISHED   half a million pages: 21 s in one run, 71 s every other one; writes of up to 256 KB before SQL Server 2016 and 1 MB since, against 8 KB.';
GO

/* Removes the test database, also after an error above: the one that was created here, known by its create_date, and no other. */
SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;
DECLARE @attempt int = 1, @left nvarchar(2000) = N'unknown';
WHILE @attempt <= 5 AND EXISTS (SELECT 1 FROM #lab AS l INNER JOIN sys.databases AS d ON d.create_date = l.created AND d.name = N'CheckpointHealthLabWrites')
BEGIN
    BEGIN TRY
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabWrites] SET SINGLE_USER WITH ROLLBACK IMMEDIATE;';
        EXECUTE sys.sp_executesql N'DROP DATABASE [CheckpointHealthLabWrites];';
        RAISERROR(N'REMOVED     the test database.', 0, 1) WITH NOWAIT;
    END TRY
    BEGIN CATCH
        /* Another window may have been in it in that moment. */
        SET @left = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
        WAITFOR DELAY '00:00:02';
    END CATCH;
    SET @attempt = @attempt + 1;
END;
IF EXISTS (SELECT 1 FROM #lab AS l INNER JOIN sys.databases AS d ON d.create_date = l.created AND d.name = N'CheckpointHealthLabWrites')
    RAISERROR(N'LEFT BEHIND CheckpointHealthLabWrites: %s. Drop it by hand.', 16, 1, @left);
DROP TABLE #lab;
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
GO
