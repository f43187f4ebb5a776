/*
Name:     throttled-checkpoint-watch
Purpose:  Not for production. The second window of throttled-checkpoint.sql: each second it commits one row, and shows how long that took and what the files of the test database did in that second.
Changes:  adds a row a second to a table of the test database CheckpointHealthLabThrottle, which throttled-checkpoint.sql removes; nothing elsewhere
Needs:    sysadmin on the test server on which throttled-checkpoint.sql says READY; time: it ends by itself when that is done, after watch_seconds at the latest
Runs on:  SQL Server 2012 and later, a test server. Never run by Checkpoint Health
Read it:  one line a second: what the other window does, the commit of one row (mostly its log write), then writes and milliseconds a write of the data file and of the log file. Compare the lines during
          CHECKPOINT; with those during CHECKPOINT n; and those at rest. Published, for one server: under 1 ms at rest, 20 ms during a checkpoint.
*/
/* The window keeps these options. */
SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;

/* Guard: only where the test database is. SET NOEXEC ON also stops every batch behind the next GO. */
IF @@TRANCOUNT > 0 OR (@@OPTIONS & 2) = 2 OR DB_ID(N'CheckpointHealthLabThrottle') IS NULL
OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'') <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: a transaction is open, implicit transactions are on, this is not the server that was typed into the script, or throttled-checkpoint.sql is not READY here. Nothing was done.', 16, 1);
    SET NOEXEC ON;
END;
GO

SET NOCOUNT ON; SET ROWCOUNT 0; SET XACT_ABORT OFF; SET QUOTED_IDENTIFIER ON; SET ANSI_NULLS ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;

DECLARE @watch_seconds int = <watch_seconds, int, 900>;
/* Called by a name with a database in it, sp_executesql runs its text there. */
DECLARE @there nvarchar(300) = N'[CheckpointHealthLabThrottle].sys.sp_executesql';
DECLARE @files table (sample int NOT NULL, file_id int NOT NULL, writes bigint NOT NULL, stall_ms bigint NOT NULL, PRIMARY KEY (sample, file_id));
DECLARE @sample int = 0, @began datetime2(7), @commit_us bigint, @doing nvarchar(60), @line nvarchar(2000);

IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>' AND @@TRANCOUNT = 0 AND (@@OPTIONS & 2) = 0
BEGIN TRY
    WHILE @sample <= @watch_seconds AND DB_ID(N'CheckpointHealthLabThrottle') IS NOT NULL
    BEGIN
        SET @began = SYSUTCDATETIME();
        EXECUTE @there N'INSERT dbo.watch (doing) SELECT d.what FROM dbo.doing AS d;';
        SET @commit_us = DATEDIFF(SECOND, @began, SYSUTCDATETIME());
        SET @commit_us = CASE WHEN @commit_us BETWEEN 0 AND 1800 THEN DATEDIFF(MICROSECOND, @began, SYSUTCDATETIME()) ELSE @commit_us * 1000000 END;
        EXECUTE @there N'SELECT @what = MAX(d.what) FROM dbo.doing AS d;', N'@what nvarchar(60) OUTPUT', @what = @doing OUTPUT;
        INSERT @files (sample, file_id, writes, stall_ms)
        SELECT
            @sample,
            s.file_id,
            s.num_of_writes,
            s.io_stall_write_ms
        FROM sys.dm_io_virtual_file_stats(DB_ID(N'CheckpointHealthLabThrottle'), NULL) AS s
        WHERE s.file_id IN (1, 2);

        /* File 1 is data, file 2 the log: the database was created with one of each. */
        SELECT @line = N'SECOND      ' + CONVERT(nvarchar(11), @sample) + N', ' + ISNULL(@doing, N'unknown') + N': commit ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), @commit_us / 1000.0)) + N' ms; data '
            + ISNULL(CONVERT(nvarchar(20), MAX(CASE WHEN n.file_id = 1 THEN n.writes - b.writes END)), N'unknown') + N' writes, '
            + ISNULL(CONVERT(nvarchar(20), CONVERT(decimal(18, 1), MAX(CASE WHEN n.file_id = 1 THEN (n.stall_ms - b.stall_ms) * 1.0 / NULLIF(n.writes - b.writes, 0) END))), N'no') + N' ms each; log '
            + ISNULL(CONVERT(nvarchar(20), MAX(CASE WHEN n.file_id = 2 THEN n.writes - b.writes END)), N'unknown') + N' writes, '
            + ISNULL(CONVERT(nvarchar(20), CONVERT(decimal(18, 1), MAX(CASE WHEN n.file_id = 2 THEN (n.stall_ms - b.stall_ms) * 1.0 / NULLIF(n.writes - b.writes, 0) END))), N'no') + N' ms each.'
        FROM @files AS n
        INNER JOIN @files AS b
            ON  b.file_id = n.file_id
            AND b.sample = n.sample - 1
        WHERE n.sample = @sample;
        IF @sample > 0
            RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
        SET @sample = @sample + 1;
        WAITFOR DELAY '00:00:01';
    END;
END TRY
BEGIN CATCH
    /* The other window removes the database when it is done, under this one too. */
    SET @line = CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    RAISERROR(N'ENDED       %s', 0, 1, @line) WITH NOWAIT;
END CATCH;
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
GO
