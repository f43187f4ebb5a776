/*
Name:     throttled-checkpoint
Purpose:  Not for production. Changes many pages twice and writes them once with CHECKPOINT and once with CHECKPOINT n, while throttled-checkpoint-watch.sql in a second window shows the latency of each second.
Changes:  creates the database CheckpointHealthLabThrottle and removes it at the end, after an error too; the first CHECKPOINT is meant to make the storage busy, which other databases on it feel
Needs:    sysadmin on a test server, and a second window; disk: pages times 16 KB for data, and log of about a quarter of that; time: loading, a minute of rest, and seconds (the parameter) once
Runs on:  SQL Server 2012 and later, a test server. Never run by Checkpoint Health
Read it:  start this, and throttled-checkpoint-watch.sql when it says so; it waits two minutes for it. The number of seconds is a request: the engine may end earlier or later.
          Published, for one server: between checkpoints about 105 writes a second under 1 ms, during one about 5,000 and 20 ms, log writes waiting with them; too short a time still spikes, too long falls behind.
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
        WHEN DB_ID(N'CheckpointHealthLabThrottle') IS NOT NULL THEN N'a database CheckpointHealthLabThrottle is there already. If it was left behind by a run that was cancelled, and you know that, drop it: DROP DATABASE [CheckpointHealthLabThrottle];'
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
AND (SELECT COUNT(*) FROM sys.databases AS d WHERE d.database_id > 4) <= 5 AND DB_ID(N'CheckpointHealthLabThrottle') IS NULL
BEGIN
    BEGIN TRY
        EXECUTE sys.sp_executesql N'CREATE DATABASE [CheckpointHealthLabThrottle];';
        UPDATE l SET l.created = d.create_date FROM #lab AS l INNER JOIN sys.databases AS d ON d.name = N'CheckpointHealthLabThrottle';
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabThrottle] SET RECOVERY SIMPLE;';
        /* Automatic checkpoints, whatever model has: with indirect ones the background writer would write ahead of what is measured. */
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabThrottle] SET TARGET_RECOVERY_TIME = 0 SECONDS;';
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

DECLARE @pages int = <pages, int, 200000>;
DECLARE @seconds int = <seconds, int, 60>;
/* Called by a name with a database in it, sp_executesql runs its text there. */
DECLARE @there nvarchar(300) = N'[CheckpointHealthLabThrottle].sys.sp_executesql', @state nvarchar(20) = N'CHECKPOINT', @loaded int = 0,
    @waited int = 0, @watched int = 0, @statement nvarchar(60), @began datetime2(3), @took_ms bigint, @line nvarchar(2000);

IF NOT EXISTS (SELECT 1 FROM #lab AS l WHERE l.is_ready = 1)
    SET @state = N'none';
IF @pages NOT BETWEEN 1000 AND 10000000 OR @seconds NOT BETWEEN 1 AND 3600
BEGIN
    RAISERROR(N'Stopped: pages is from 1000 to 10000000 and seconds from 1 to 3600.', 16, 1);
    SET @state = N'none';
END;

BEGIN TRY
    IF @state = N'CHECKPOINT'
    BEGIN
        EXECUTE @there N'CREATE TABLE dbo.pages (page_number int NOT NULL IDENTITY(1, 1) CONSTRAINT pk_pages PRIMARY KEY CLUSTERED, mark int NOT NULL, filler char(7000) NOT NULL);';
        EXECUTE @there N'CREATE TABLE dbo.watch (sample_number int NOT NULL IDENTITY(1, 1) CONSTRAINT pk_watch PRIMARY KEY CLUSTERED, doing nvarchar(60) NULL);';
        EXECUTE @there N'CREATE TABLE dbo.doing (what nvarchar(60) NOT NULL);';
        EXECUTE @there N'INSERT dbo.doing (what) VALUES (N''rest'');';
        WHILE @loaded < 2 * @pages
        BEGIN
            EXECUTE @there N'INSERT dbo.pages (mark, filler) SELECT TOP (2048) 0, REPLICATE(''x'', 7000) FROM sys.all_columns AS a CROSS JOIN sys.all_columns AS b;';
            SET @loaded = @loaded + 2048;
        END;
        EXECUTE @there N'CHECKPOINT;';
        RAISERROR(N'READY       Start throttled-checkpoint-watch.sql in a second window now.', 0, 1) WITH NOWAIT;
        WHILE @watched < 5 AND @waited < 120
        BEGIN
            WAITFOR DELAY '00:00:01';
            SET @waited = @waited + 1;
            EXECUTE @there N'SELECT @n = COUNT(*) FROM dbo.watch AS w;', N'@n int OUTPUT', @n = @watched OUTPUT;
        END;
        IF @watched < 5
            RAISERROR(N'NOT WATCHED only the times of the checkpoints are shown.', 0, 1) WITH NOWAIT;
    END;

    WHILE @state IN (N'CHECKPOINT', N'CHECKPOINT n')
    BEGIN
        SET @statement = N'CHECKPOINT' + CASE @state WHEN N'CHECKPOINT' THEN N'' ELSE N' ' + CONVERT(nvarchar(11), @seconds) END + N';';
        /* Every other page, which is the harder case. */
        EXECUTE @there N'UPDATE p SET p.mark = p.mark + 1 FROM dbo.pages AS p WHERE p.page_number % 2 = 0 AND p.page_number <= 2 * @n;', N'@n int', @n = @pages;
        EXECUTE @there N'UPDATE d SET d.what = @what FROM dbo.doing AS d;', N'@what nvarchar(60)', @what = @statement;
        SET @began = SYSUTCDATETIME();
        EXECUTE @there @statement;
        SET @took_ms = DATEDIFF(SECOND, @began, SYSUTCDATETIME());
        SET @took_ms = CASE WHEN @took_ms BETWEEN 0 AND 86400 THEN DATEDIFF(MILLISECOND, @began, SYSUTCDATETIME()) ELSE @took_ms * 1000 END;
        EXECUTE @there N'UPDATE d SET d.what = N''rest'' FROM dbo.doing AS d;';
        SET @line = N'MEASURED    ' + @statement + N' of ' + CONVERT(nvarchar(11), @pages) + N' pages took ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 3), @took_ms / 1000.0)) + N' s.';
        RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
        WAITFOR DELAY '00:00:30';
        SET @state = CASE @state WHEN N'CHECKPOINT' THEN N'CHECKPOINT n' ELSE N'done' END;
    END;
END TRY
BEGIN CATCH
    SET @line = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    RAISERROR(N'FAILED      %s The test database is removed next.', 0, 1, @line) WITH NOWAIT;
END CATCH;
PRINT N'PUBLISHED   one server: about 105 writes a second under 1 ms between checkpoints, about 5,000 and 20 ms during one, and log writes wait with them.';
GO

/* Removes the test database, also after an error above: the one that was created here, known by its create_date, and no other. */
SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;
DECLARE @attempt int = 1, @left nvarchar(2000) = N'unknown';
WHILE @attempt <= 5 AND EXISTS (SELECT 1 FROM #lab AS l INNER JOIN sys.databases AS d ON d.create_date = l.created AND d.name = N'CheckpointHealthLabThrottle')
BEGIN
    BEGIN TRY
        EXECUTE sys.sp_executesql N'ALTER DATABASE [CheckpointHealthLabThrottle] SET SINGLE_USER WITH ROLLBACK IMMEDIATE;';
        EXECUTE sys.sp_executesql N'DROP DATABASE [CheckpointHealthLabThrottle];';
        RAISERROR(N'REMOVED     the test database.', 0, 1) WITH NOWAIT;
    END TRY
    BEGIN CATCH
        /* Another window may have been in it in that moment. */
        SET @left = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
        WAITFOR DELAY '00:00:02';
    END CATCH;
    SET @attempt = @attempt + 1;
END;
IF EXISTS (SELECT 1 FROM #lab AS l INNER JOIN sys.databases AS d ON d.create_date = l.created AND d.name = N'CheckpointHealthLabThrottle')
    RAISERROR(N'LEFT BEHIND CheckpointHealthLabThrottle: %s. Drop it by hand.', 16, 1, @left);
DROP TABLE #lab;
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
GO
