/*
Name:     sp_CheckpointHealth
Purpose:  What checkpoints do to this server, which databases still have automatic ones, and what an event session has measured of them.
Changes:  creates or replaces the procedure dbo.sp_CheckpointHealth in the current database. It changes nothing but temporary tables
          of its own, and adds the findings to the table that @OutputTableName names, if it names one. With @script = 1 it returns the
          text of a switch, which it does not run
Needs:    to install: CREATE PROCEDURE, and ALTER on the schema dbo. To run: EXECUTE on it, and VIEW SERVER STATE (2022 and later:
          VIEW SERVER PERFORMANCE STATE; for the error log VIEW ANY ERROR LOG). What a login cannot see is listed in the findings
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance. Installed in master it can be called from every database
Read it:  EXECUTE sp_CheckpointHealth; gives seven result sets, the findings first, as sp_Blitz does: the lower the priority, the sooner.
          EXECUTE sp_CheckpointHealth @help = 1; says what they and the parameters mean.
          Cost: catalog and management views, and one small query for each database. By default it reads the one event file that is being
          written and the current error log, with @hours all files of the session and six archives of the log, at some thousand events a
          second. It keeps the newest @max_events of them. To sort those takes up to 1 KB of tempdb each: 200 MB for 200,000.
          Without these rights: write CREATE PROCEDURE #sp_CheckpointHealth for ALTER PROCEDURE dbo.sp_CheckpointHealth, and run the first
          batch, then that one. It is gone when the window is closed.
*/
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
GO
IF OBJECT_ID(N'dbo.sp_CheckpointHealth', N'P') IS NULL
    EXECUTE (N'CREATE PROCEDURE dbo.sp_CheckpointHealth AS RETURN 0;');
GO
ALTER PROCEDURE dbo.sp_CheckpointHealth
    @database sysname = NULL,                   /* list this database alone; NULL: all */
    @hours int = NULL,                          /* read all event files for this many hours; NULL: the one being written; 0: none */
    @top int = 50,                              /* rows of each list */
    @session sysname = N'CheckpointHealth',     /* the event session */
    @max_events int = 200000,                   /* keep no more events than this: the newest */
    @script bit = 0,                            /* 1: return the switch as text, a line in each row, and nothing else */
    @OutputDatabaseName sysname = NULL,         /* the database of that table */
    @OutputSchemaName sysname = N'dbo',
    @OutputTableName sysname = NULL,            /* add the findings to this table, created if missing; NULL: to none */
    @help bit = 0
AS
SET NOCOUNT ON;
SET ROWCOUNT 0;
SET XACT_ABORT OFF;
SET NUMERIC_ROUNDABORT OFF;
SET ANSI_WARNINGS, ANSI_PADDING, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON; /* the methods of xml need them */
IF @help = 1
BEGIN
    SELECT item = h.item, meaning = h.meaning
    FROM (VALUES
        (1, N'@database = NULL', N'list this database alone; NULL: all'),
        (2, N'@hours = NULL', N'NULL: read the event file that is being written; 24: all files, for the last 24 hours; 0: none'),
        (3, N'@top = 50', N'rows of each list'),
        (4, N'@session = N''CheckpointHealth''', N'the event session: any that records checkpoint_begin and checkpoint_end'),
        (5, N'@max_events = 200000', N'keep this many events at most, the newest; each takes up to 1 KB of tempdb'),
        (6, N'@script = 0', N'1: return the switch of the automatic databases to 60 seconds as text; nothing is run'),
        (7, N'@OutputDatabaseName = NULL', N'the database of the table for findings'),
        (8, N'@OutputSchemaName = N''dbo''', N'its schema'),
        (9, N'@OutputTableName = NULL', N'its name: the findings are added to it, as sp_Blitz does; it is created if missing'),
        (10, N'results', N'seven, the findings first; sql/README.md describes each')
        ) AS h (ordinal, item, meaning)
    ORDER BY h.ordinal;
    RETURN 0;
END;
SELECT @top = CASE WHEN @top > 0 THEN @top ELSE 50 END, @max_events = CASE WHEN @max_events > 0 THEN @max_events ELSE 200000 END,
    @hours = CASE WHEN @hours > 876000 THEN 876000 WHEN @hours < 0 THEN 0 ELSE @hours END; /* at most a century */

CREATE TABLE #CheckpointHealth_database
(
    database_id int PRIMARY KEY, name sysname NOT NULL, created datetime NOT NULL, group_id uniqueidentifier NULL,
    replica_id uniqueidentifier NULL, seconds int NULL, kind nvarchar(60) NOT NULL, look_first nvarchar(60) NOT NULL,
    only_redoes bit NOT NULL, /* a secondary, a forwarder or a standby: its checkpoints are no turns of the task */
    since_checkpoint_mb decimal(19, 1) NULL, log_write_ms decimal(19, 2) NULL, data_write_ms decimal(19, 2) NULL,
    changed datetime NULL, was_automatic bit NULL, /* the last change while events were recorded; before the first of them */
    share float NULL, late int NULL, role nvarchar(30) NULL
);
CREATE TABLE #CheckpointHealth_finding (ordinal int IDENTITY PRIMARY KEY, Priority int NOT NULL DEFAULT 210,
    FindingsGroup nvarchar(50) NOT NULL DEFAULT N'Not seen', Finding nvarchar(200) NOT NULL, DatabaseName sysname NULL,
    Details nvarchar(2048) NOT NULL, URL nvarchar(200) NULL);
DECLARE @only int = (SELECT d.database_id FROM sys.databases AS d WHERE d.name = @database);
IF @database IS NOT NULL AND @only IS NULL
BEGIN
    RAISERROR(N'No database has that name here, or this login cannot see it.', 16, 1);
    RETURN 1;
END;
/* The table for the findings, in three names as for sp_Blitz, so that each is quoted whole. A #table is one of the caller. */
DECLARE @statement nvarchar(4000), @target_table nvarchar(800) = CASE
    WHEN @OutputTableName LIKE N'#%' THEN N'tempdb..' + QUOTENAME(@OutputTableName)
    ELSE QUOTENAME(@OutputDatabaseName) + N'.' + QUOTENAME(@OutputSchemaName) + N'.' + QUOTENAME(@OutputTableName) END;
IF @OutputTableName IS NOT NULL AND (@target_table IS NULL OR (@OutputTableName LIKE N'#[^#]%' AND OBJECT_ID(@target_table) IS NULL)
    OR (@OutputTableName NOT LIKE N'#%' AND DB_ID(@OutputDatabaseName) IS NULL))
BEGIN
    RAISERROR(N'@OutputTableName needs @OutputDatabaseName, which is here, and @OutputSchemaName, or a #table. Nothing was written.', 16, 1);
    RETURN 1;
END;

/* 1. The databases. */
INSERT INTO #CheckpointHealth_database (database_id, name, created, group_id, replica_id, seconds, kind, look_first, only_redoes)
SELECT d.database_id, d.name, d.create_date, d.group_database_id, d.replica_id, d.target_recovery_time_in_seconds,
    CASE
        WHEN d.database_id <= 4 OR d.is_distributor = 1 THEN N'5 system'
        /* The master and msdb of a contained availability group, which SQL Server 2022 brought: named after the group that they are in. */
        WHEN CONVERT(int, LEFT(CONVERT(nvarchar(20), SERVERPROPERTY(N'ProductVersion')), 2)) >= 16 AND EXISTS
            (SELECT 1 FROM sys.availability_replicas AS r INNER JOIN sys.availability_groups AS g ON g.group_id = r.group_id
            WHERE r.replica_id = d.replica_id AND d.name COLLATE Latin1_General_BIN2 IN (g.name + N'_master', g.name + N'_msdb'))
            THEN N'5 system'
        WHEN w.is_writable = 0 THEN N'4 not writable here'
        WHEN d.target_recovery_time_in_seconds = 0 THEN N'1 automatic checkpoints'
        WHEN d.target_recovery_time_in_seconds = 60 THEN N'3 indirect, 60 seconds'
        ELSE N'2 indirect, another target'
    END,
    CASE
        WHEN d.source_database_id IS NOT NULL THEN N'database snapshot'
        WHEN d.state <> 0 THEN d.state_desc
        WHEN d.is_in_standby = 1 THEN N'standby'
        WHEN d.is_read_only = 1 THEN N'read-only'
        WHEN d.log_reuse_wait_desc = N'OLDEST_PAGE' AND d.target_recovery_time_in_seconds > 0 THEN N'its log waits for OLDEST_PAGE'
        WHEN d.target_recovery_time_in_seconds BETWEEN 1 AND 19 THEN N'Watch: its target is far below 60'
        WHEN d.replica_id IS NOT NULL AND w.is_writable = 0 THEN N'secondary or forwarder: change it on the primary replica'
        WHEN d.replica_id IS NOT NULL THEN N'in an availability group: its secondaries follow a change'
        ELSE N''
    END,
    CASE WHEN d.is_in_standby = 1 OR (d.replica_id IS NOT NULL AND w.is_writable = 0) THEN 1 ELSE 0 END
FROM sys.databases AS d
CROSS APPLY (SELECT is_writable = CASE WHEN d.state = 0
    AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE' THEN 1 ELSE 0 END) AS w;

/* 2. With @script: the switch as text; ` is an apostrophe in it. From DECLARE @at on it is sql/change/set-target-recovery-time.sql. */
IF @script = 1
BEGIN
    DECLARE @switched table
    (
        n int PRIMARY KEY, database_id int NOT NULL, wave nvarchar(11) NOT NULL, name sysname NOT NULL,
        length int NOT NULL, is_plain bit NOT NULL, piece int NOT NULL, rest nvarchar(100) NOT NULL
    );
    /* A name with anything but letters, digits, blanks and - _ . is written as bytes, 25 characters to a line; others 100 to a line. */
    INSERT INTO @switched (n, database_id, wave, name, length, is_plain, piece, rest)
    SELECT s.n, s.database_id, CONVERT(nvarchar(11), CASE WHEN s.n > 3 THEN 2 + (s.n - 4) / 25 ELSE 1 END),
        s.name, DATALENGTH(s.name) / 2, s.is_plain, CASE WHEN s.is_plain = 1 THEN 100 ELSE 25 END,
        ISNULL(N'''' + CONVERT(nvarchar(36), s.group_id) + N''', NULL', N'NULL, ''' + CONVERT(nvarchar(30), s.created, 126) + N'''')
            + N', 0, 60)'
    FROM
    (
        SELECT d.database_id, d.name, d.group_id, d.created, n = ROW_NUMBER() OVER (ORDER BY d.database_id),
            is_plain = CASE WHEN d.name COLLATE Latin1_General_BIN2 LIKE N'%[^-0-9A-Za-z_. ]%' THEN 0 ELSE 1 END
        FROM #CheckpointHealth_database AS d
        WHERE d.kind = N'1 automatic checkpoints'
        AND   (@only IS NULL OR d.database_id = @only)
    ) AS s;
    DECLARE @count int, @last_wave nvarchar(11), @width int;
    SELECT @count = COUNT(*), @last_wave = 1 + (COUNT(*) + 21) / 25,
        @width = MAX(CASE WHEN s.is_plain = 1 AND s.length <= 40 THEN s.length ELSE 0 END)
    FROM @switched AS s;
    IF @count = 0
    BEGIN
        RAISERROR(N'No database with automatic checkpoints can be changed here.', 0, 1);
        RETURN 0;
    END;
    DECLARE @line table (ordinal int IDENTITY PRIMARY KEY, line nvarchar(4000) NOT NULL);
    DECLARE @next nvarchar(4000), @end int, @text nvarchar(max) =
N'/* SWITCH to indirect checkpoints on {server}. Databases: {count}. ALTER DATABASE [name] SET TARGET_RECOVERY_TIME = 60 SECONDS.
   Written:  by sp_CheckpointHealth at {now} UTC. Not executed: read it, then run it yourself.
   Evidence: none; the choice rests on the settings alone.
   Forecast: page writes move from checkpoints to the background writer and may rise in all. It takes effect at once; no restart is needed.
   Left out: system databases, those with a target of their own, those that are not writable here.
   Waves:    1 is a canary of up to 3, each later one has up to 25. Run the whole text, watch log writes, set @wave, run it again.
   Needs:    SQL Server 2012 or later; ALTER on each database. A second run changes nothing that is done.
   Prints:   each ALTER before it runs, then CHANGED, LEFT ALONE or FAILED; at the end one table. Cancelled: no table, what is done stays.
   Undo:     a copy of this text with its undo_row output pasted over its list.
   Window:   it is left with NOCOUNT ON, ROWCOUNT 0 and IMPLICIT_TRANSACTIONS OFF. */
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;
DECLARE @wave int = 1; /* the waves: 1 to {waves}; NULL: all at once */
DECLARE @list table (ordinal int IDENTITY PRIMARY KEY, wave int NOT NULL, name sysname NOT NULL, group_id uniqueidentifier NULL,
    created datetime NULL, reviewed int NOT NULL, wanted int NOT NULL, outcome nvarchar(2048) NULL);
INSERT @list (wave, name, group_id, created, reviewed, wanted) VALUES
{list}

/* Guard: a server that this text names, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N`ServerName`)), N``) NOT IN
{servers}
BEGIN
    RAISERROR(N`Stopped: this text does not name this server, or a transaction is open in this window. Nothing was changed.`, 16, 1);
    RETURN;
END;
DECLARE @at int = 0, @name sysname, @wanted int, @outcome nvarchar(2048), @statement nvarchar(400), @changed int = 0, @failed int = 0;
WHILE @failed < 3
BEGIN
    /* The next database of the wave, and what stops its change now; NULL: nothing. */
    SELECT TOP (1) @at = l.ordinal, @name = l.name, @wanted = l.wanted, @outcome = CASE
        WHEN d.database_id IS NULL THEN N`LEFT ALONE: not here, or renamed or re-created since the review`
        WHEN CONVERT(int, LEFT(CONVERT(nvarchar(20), SERVERPROPERTY(N`ProductVersion`)), 2)) >= 16 AND EXISTS (SELECT 1
            FROM sys.availability_replicas AS r INNER JOIN sys.availability_groups AS g ON g.group_id = r.group_id
            WHERE r.replica_id = d.replica_id AND d.name COLLATE Latin1_General_BIN2 IN (g.name + N`_master`, g.name + N`_msdb`))
            THEN N`LEFT ALONE: a system database of a contained group`
        WHEN d.target_recovery_time_in_seconds = l.wanted THEN N`LEFT ALONE: already has the wanted value`
        WHEN ISNULL(d.target_recovery_time_in_seconds, -1) <> l.reviewed THEN N`LEFT ALONE: its value differs from the reviewed one`
        WHEN d.state <> 0 OR ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N`Updateability`)), N``) <> N`READ_WRITE`
            THEN N`LEFT ALONE: not writable here now (` + d.state_desc
                + CASE WHEN d.replica_id IS NULL THEN N`)` ELSE N`; a secondary or a forwarder: run this text on the primary)` END END
    FROM @list AS l
    LEFT JOIN sys.databases AS d
        ON d.name COLLATE Latin1_General_BIN2 = l.name AND d.database_id > 4
        AND (d.group_database_id = l.group_id OR d.create_date = l.created)
    WHERE l.ordinal > @at AND (l.wave = @wave OR @wave IS NULL)
    ORDER BY l.ordinal;
    IF @@ROWCOUNT = 0 BREAK;
    IF @outcome IS NULL
    BEGIN TRY
        SET @statement = REPLACE(REPLACE(
            N`ALTER DATABASE [name] SET TARGET_RECOVERY_TIME = {wanted} SECONDS WITH NO_WAIT;`,
            N`{wanted}`, @wanted), N`[name]`, QUOTENAME(@name));
        RAISERROR(N`%s`, 0, 1, @statement) WITH NOWAIT;
        EXECUTE sys.sp_executesql @statement;
        SELECT @changed += 1, @outcome = N`CHANGED`;
    END TRY
    BEGIN CATCH
        SELECT @failed += 1, @outcome = N`FAILED: ` + CONVERT(nvarchar(11), ERROR_NUMBER()) + N` ` + ERROR_MESSAGE();
    END CATCH;
    UPDATE @list SET outcome = @outcome WHERE ordinal = @at;
    RAISERROR(N`    %s: %s`, 0, 1, @name, @outcome) WITH NOWAIT;
END;
/* What became of each database of the wave, and what its value is now. */
SELECT l.wave, l.name, l.reviewed, l.wanted, now = d.target_recovery_time_in_seconds, outcome = ISNULL(l.outcome, N`NOT REACHED`),
    undo_row = CASE WHEN l.outcome = N`CHANGED` THEN N`INSERT @list (wave, name, group_id, created, reviewed, wanted) VALUES (`
        + CONVERT(nvarchar(11), l.wave) + N`, ` + CASE WHEN l.name COLLATE Latin1_General_BIN2 LIKE N`%[^-0-9A-Za-z_. ]%`
            THEN N`CONVERT(nvarchar(128), ` + CONVERT(nvarchar(600), CONVERT(varbinary(256), l.name), 1) + N`)`
            ELSE N`N``` + l.name + N```` END + N`, ` + ISNULL(QUOTENAME(CONVERT(nvarchar(36), l.group_id), N````), N`NULL`) + N`, `
        + ISNULL(QUOTENAME(CONVERT(nvarchar(30), l.created, 126), N````), N`NULL`) + N`, `
        + CONVERT(nvarchar(11), l.wanted) + N`, ` + CONVERT(nvarchar(11), l.reviewed) + N`);` ELSE N`` END
FROM @list AS l LEFT JOIN sys.databases AS d ON d.name COLLATE Latin1_General_BIN2 = l.name
WHERE l.wave = @wave OR @wave IS NULL ORDER BY l.ordinal;
RAISERROR(N`%d changed, %d failed; the table shows the rest.`, 0, 1, @changed, @failed);
IF @failed > 0 RAISERROR(N`%d FAILED; it stops at 3. Run one ALTER alone to see its full error.`, 16, 1, @failed);';
    SET @text = REPLACE(REPLACE(REPLACE(REPLACE(@text, N'{server}', CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName'))),
        N'{count}', @count), N'{now}', CONVERT(nvarchar(16), SYSUTCDATETIME(), 120)), N'{waves}', @last_wave);
    WHILE @text <> N''
    BEGIN
        SET @end = CHARINDEX(NCHAR(10), @text + NCHAR(10));
        SET @next = REPLACE(REPLACE(LEFT(@text, @end - 1), NCHAR(13), N''), N'`', N'''');
        SET @text = SUBSTRING(@text, @end + 1, 8000);
        IF @next = N'{list}'
            /* Pieces 0 to 5 are the name; 6 is what stands behind it, where that has a line of its own; 7 begins the next 1,000 rows. */
            INSERT INTO @line (line)
            SELECT CASE
                    WHEN p.piece = 7 THEN N'INSERT @list (wave, name, group_id, created, reviewed, wanted) VALUES'
                    WHEN p.piece = 6 THEN SPACE(8) + s.rest
                    WHEN p.piece > 0 THEN SPACE(8) + N'+ '
                    ELSE N'    (' + SPACE(LEN(@last_wave) - LEN(s.wave)) + s.wave
                        + CASE WHEN s.is_plain = 1 THEN N', ' ELSE N', CONVERT(nvarchar(128), ' END
                END
                + CASE
                    WHEN p.piece > 5 THEN N''
                    WHEN s.is_plain = 1 THEN N'N''' + SUBSTRING(s.name COLLATE Latin1_General_BIN2, p.piece * s.piece + 1, s.piece) + N''''
                    ELSE CONVERT(nvarchar(110),
                        CONVERT(varbinary(50), SUBSTRING(s.name COLLATE Latin1_General_BIN2, p.piece * s.piece + 1, s.piece)), 1)
                END
                + CASE
                    WHEN p.piece > 5 OR (p.piece + 1) * s.piece < s.length THEN N''
                    WHEN s.is_plain = 0 THEN N'),'
                    WHEN s.length > 40 THEN N','
                    ELSE N', ' + SPACE(@width - s.length) + s.rest
                END
                + CASE
                    WHEN p.piece <> CASE WHEN s.is_plain = 1 AND s.length <= 40 THEN 0 ELSE 6 END THEN N''
                    WHEN s.n = @count OR s.n % 1000 = 0 THEN N';'
                    ELSE N','
                END
                + CASE
                    WHEN p.piece = 6 AND s.is_plain = 0 THEN N' /* database_id ' + CONVERT(nvarchar(11), s.database_id) + N' */'
                    ELSE N''
                END
            FROM @switched AS s
            CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7)) AS p (piece)
            WHERE (p.piece < 6 AND p.piece * s.piece < s.length)
            OR    (p.piece = 6 AND (s.is_plain = 0 OR s.length > 40))
            OR    (p.piece = 7 AND s.n % 1000 = 0 AND s.n < @count)
            ORDER BY s.n, p.piece;
        ELSE IF @next = N'{servers}'
            /* This server, and the other replicas of the groups that its databases are in. */
            INSERT INTO @line (line)
            SELECT N'    ' + CASE WHEN s.n = 1 THEN N'(' ELSE N'' END + N'N''' + REPLACE(s.name, N'''', N'''''') + N''''
                + CASE WHEN s.n = COUNT(*) OVER () THEN N')' ELSE N',' END
            FROM
            (
                SELECT u.name, n = ROW_NUMBER() OVER (ORDER BY u.name)
                FROM
                (
                    SELECT name = CONVERT(nvarchar(256), SERVERPROPERTY(N'ServerName')) COLLATE Latin1_General_BIN2
                    UNION
                    SELECT a.replica_server_name COLLATE Latin1_General_BIN2
                    FROM @switched AS w
                    INNER JOIN #CheckpointHealth_database AS d
                        ON d.database_id = w.database_id
                    INNER JOIN sys.availability_replicas AS r
                        ON r.replica_id = d.replica_id
                    INNER JOIN sys.availability_replicas AS a
                        ON a.group_id = r.group_id
                ) AS u
            ) AS s
            ORDER BY s.n;
        ELSE
            INSERT INTO @line (line) VALUES (@next);
    END;
    SELECT line = l.line FROM @line AS l ORDER BY l.ordinal;
    RETURN 0;
END;

/* 3. Log since the last checkpoint, one database at a time, so that one which cannot be read or goes away leaves the others alone. */
DECLARE @id int = 0, @unread int = 0, @error int, @why nvarchar(2048);
IF OBJECT_ID(N'sys.dm_db_log_stats') IS NULL
    INSERT INTO #CheckpointHealth_finding (Finding, Details)
    VALUES (N'Log since the last checkpoint', N'Not available in this version; needs SQL Server 2016 SP2 or later.');
ELSE
    WHILE 1 = 1
    BEGIN
        SELECT @id = MIN(d.database_id)
        FROM #CheckpointHealth_database AS d
        INNER JOIN sys.databases AS o
            ON o.database_id = d.database_id
        WHERE d.database_id > @id
        AND   o.state = 0;
        IF @id IS NULL BREAK;
        BEGIN TRY
            EXECUTE sys.sp_executesql N'
                UPDATE d SET d.since_checkpoint_mb = l.log_since_last_checkpoint_mb
                FROM #CheckpointHealth_database AS d
                INNER JOIN sys.dm_db_log_stats(@id) AS l
                    ON l.database_id = d.database_id;', N'@id int', @id;
        END TRY
        BEGIN CATCH
            SELECT @unread += 1, @error = ERROR_NUMBER(), @why = ERROR_MESSAGE();
            IF @error IN (297, 300) BREAK; /* no permission: the same for all */
        END CATCH;
    END;
IF @unread > 0
    INSERT INTO #CheckpointHealth_finding (Finding, Details)
    VALUES (N'Log since the last checkpoint of ' + CASE WHEN @error IN (297, 300) THEN N'all databases'
        ELSE N'some databases (' + CONVERT(nvarchar(11), @unread) + N')' END, @why);

/* 4. How long writes took since the server started, memory, settings. */
DECLARE @memory_gb int, @writelog_ms decimal(19, 2), @interval int, @by_waits nvarchar(300);
DECLARE @started nvarchar(16) = (SELECT CONVERT(nvarchar(16), t.create_date, 120) FROM sys.databases AS t WHERE t.name = N'tempdb');
BEGIN TRY
    UPDATE d SET d.log_write_ms = f.log_stall_ms / NULLIF(f.log_writes, 0),
        d.data_write_ms = f.data_stall_ms / NULLIF(f.data_writes, 0)
    FROM #CheckpointHealth_database AS d INNER JOIN
    (
        SELECT v.database_id,
            log_writes = SUM(CASE WHEN m.type = 1 THEN 1e0 * v.num_of_writes ELSE 0 END),
            log_stall_ms = SUM(CASE WHEN m.type = 1 THEN 1e0 * v.io_stall_write_ms ELSE 0 END),
            data_writes = SUM(CASE WHEN m.type = 0 THEN 1e0 * v.num_of_writes ELSE 0 END),
            data_stall_ms = SUM(CASE WHEN m.type = 0 THEN 1e0 * v.io_stall_write_ms ELSE 0 END)
        FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v
        INNER JOIN sys.master_files AS m
            ON  m.database_id = v.database_id
            AND m.file_id = v.file_id
        GROUP BY v.database_id
    ) AS f
        ON f.database_id = d.database_id;
    SELECT @memory_gb = (i.committed_target_kb + 524288) / 1048576 FROM sys.dm_os_sys_info AS i;
    SELECT @writelog_ms = 1e0 * w.wait_time_ms / NULLIF(w.waiting_tasks_count, 0)
    FROM sys.dm_os_wait_stats AS w WHERE w.wait_type = N'WRITELOG';
    /* In CHECKPOINT_QUEUE the task waits for work. What was cleared is missing, so it is the most that it was busy; the wait that goes on is added. */
    SELECT @by_waits = N'By CHECKPOINT_QUEUE, busy at most '
        + CONVERT(nvarchar(11), 100 - 100 * q.ms / t.ms) + N' % of the ' + CONVERT(nvarchar(30), CONVERT(decimal(19, 1), t.ms / 3600000e0))
        + N' hours since the server started, less if waits were cleared since. They name no database.'
    FROM (SELECT ms = i.ms_ticks - i.sqlserver_start_time_ms_ticks FROM sys.dm_os_sys_info AS i) AS t
    CROSS JOIN (SELECT ms = ISNULL(SUM(g.wait_duration_ms), 0) FROM sys.dm_os_waiting_tasks AS g WHERE g.wait_type = N'CHECKPOINT_QUEUE') AS g
    CROSS APPLY (SELECT ms = g.ms + w.wait_time_ms FROM sys.dm_os_wait_stats AS w WHERE w.wait_type = N'CHECKPOINT_QUEUE') AS q
    WHERE t.ms > 600000 AND q.ms <= t.ms;
END TRY
BEGIN CATCH
    INSERT INTO #CheckpointHealth_finding (Finding, Details) VALUES (N'Write latency and memory', ERROR_MESSAGE());
END CATCH;
DECLARE @sees_all bit = HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW ANY DATABASE');
IF @sees_all = 0
    INSERT INTO #CheckpointHealth_finding (Finding, Details) VALUES (N'Databases', N'This login cannot see all databases.');
SELECT @interval = CONVERT(int, c.value_in_use) FROM sys.configurations AS c WHERE c.name = N'recovery interval (min)';
INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, DatabaseName, Details)
SELECT 100, N'Settings', t.Finding, t.DatabaseName, t.Details
FROM
(
    SELECT place = 1, Finding = N'model is automatic', DatabaseName = d.name, Details = N'The next new database will be automatic too.'
    FROM #CheckpointHealth_database AS d
    WHERE d.database_id = 3 AND d.seconds = 0
    UNION ALL
    SELECT 0, N'Recovery interval ' + CONVERT(nvarchar(11), @interval) + N' min', NULL,
        N'The default is 0, about one minute. It decides how often automatic checkpoints come'
        + CASE WHEN @interval > 1 THEN N': look at it first, resetting it may be all you need.' ELSE N'.' END
    WHERE @interval > 0
    UNION ALL
    SELECT 2, N'Its log waits for OLDEST_PAGE', d.name, N'An indirect checkpoint holds back the truncation of its log.'
    FROM #CheckpointHealth_database AS d
    WHERE d.look_first LIKE N'its log waits%'
    UNION ALL
    SELECT 2, N'Target far below 60', d.name, N'With ' + CONVERT(nvarchar(11), d.seconds)
        + N' s, pages that change often are written again and again. Raise it, unless that recovery time was agreed.'
    FROM #CheckpointHealth_database AS d
    WHERE d.look_first LIKE N'Watch:%'
) AS t
ORDER BY t.place, t.DatabaseName;
INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, Details)
SELECT 200, N'Good to know', t.Finding, t.Details
FROM (VALUES
    (1, N'Log writes (WRITELOG)', N'They waited ' + CONVERT(nvarchar(30), @writelog_ms)
        + N' ms on average since the server started, ' + @started + N'.'),
    (2, N'Rows left out', CASE
        WHEN (SELECT COUNT(*) FROM #CheckpointHealth_database AS d WHERE d.kind <> N'5 system') > @top AND @only IS NULL
        THEN N'The lists end after ' + CONVERT(nvarchar(11), @top) + N' rows: @top = 1000 shows more.' END)
    ) AS t (place, Finding, Details)
WHERE t.Details IS NOT NULL
ORDER BY t.place;

/* 5. The event session. */
DECLARE @state nvarchar(20) = N'not observable', @running_since datetime, @lost_events bigint, @lost_buffers bigint,
    @path nvarchar(400), @predicate nvarchar(3000), @target nvarchar(60), @target_text nvarchar(max), @target_xml xml, @read nvarchar(400),
    @stem nvarchar(260), @digits_at int;
BEGIN TRY
    SELECT TOP (1)
        @state = CASE WHEN s.event_session_id IS NULL THEN N'not there' WHEN r.address IS NULL THEN N'stopped' ELSE N'running' END,
        @running_since = r.create_time, @lost_events = r.dropped_event_count, @lost_buffers = r.dropped_buffer_count,
        @predicate = CASE WHEN e.event_session_id IS NOT NULL THEN ISNULL(CONVERT(nvarchar(3000), e.predicate), N'all databases') END,
        @path = CONVERT(nvarchar(260), f.value), @target = t.name, @target_text = x.target_data
    FROM (SELECT one = 1) AS n
    LEFT JOIN sys.server_event_sessions AS s
        ON s.name = @session
    LEFT JOIN sys.dm_xe_sessions AS r
        ON r.name COLLATE Latin1_General_BIN2 = s.name
    LEFT JOIN sys.server_event_session_events AS e
        ON  e.event_session_id = s.event_session_id
        AND e.name = N'checkpoint_begin'
    LEFT JOIN sys.server_event_session_targets AS t
        ON  t.event_session_id = s.event_session_id
        AND t.name IN (N'event_file', N'ring_buffer')
    LEFT JOIN sys.server_event_session_fields AS f
        ON  f.event_session_id = t.event_session_id
        AND f.object_id = t.target_id
        AND f.name = N'filename'
    LEFT JOIN sys.dm_xe_session_targets AS x
        ON  x.event_session_address = r.address
        AND x.target_name COLLATE Latin1_General_BIN2 = t.name
    ORDER BY t.name; /* the file, where there are both */
    INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, Details)
    SELECT t.Priority, N'Event session', t.Finding, t.Details
    FROM (VALUES
        (10, N'Not there', CASE WHEN @state = N'not there'
            THEN N'No event session has that name, so nothing is measured. sql/change/session-create.sql creates one.' END),
        (10, N'Stopped', CASE WHEN @state = N'stopped' AND @hours IS NULL AND @path IS NOT NULL THEN N'@hours = 24 reads its files.' END),
        (210, N'Events lost', CASE WHEN @lost_events > 0 OR @lost_buffers > 0
            THEN N'The session has lost events since it started: checkpoint counts are too low.' END)
        ) AS t (Priority, Finding, Details)
    WHERE t.Details IS NOT NULL;
END TRY
BEGIN CATCH
    INSERT INTO #CheckpointHealth_finding (Finding, Details) VALUES (N'The event session', ERROR_MESSAGE());
END CATCH;

/*
6. Its events, as short texts. A file gives its oldest event first: all of them are read, and the newest kept. Files are called by the
   session's file name, _0_, and digits alone: other text there is of another session whose file name begins alike.
*/
CREATE TABLE #CheckpointHealth_text (is_end int NOT NULL, at_text nvarchar(40) NULL, database_text nvarchar(60) NULL,
    activity nvarchar(60) NULL, event_file nvarchar(30) NULL);
DECLARE @from nvarchar(23) = ISNULL(CONVERT(nvarchar(23), DATEADD(HOUR, -@hours, SYSUTCDATETIME()), 126), N'');
BEGIN TRY
    IF @target_text <> N'' SET @target_xml = CONVERT(xml, @target_text);
END TRY
BEGIN CATCH
    INSERT INTO #CheckpointHealth_finding (Finding, Details)
    VALUES (N'The text of the target was cut and is not XML any more', ERROR_MESSAGE());
END CATCH;
SET @stem = CASE
    WHEN @target = N'event_file' THEN LEFT(@path, LEN(@path) - CASE WHEN @path LIKE N'%.xel' THEN 4 ELSE 0 END)
    WHEN @state = N'not there' THEN @session
END + N'_0_';
SET @digits_at = CHARINDEX(N'/', REVERSE(N'/' + REPLACE(@stem, N'\', N'/')));
SET @read = CASE
    WHEN @hours IS NULL THEN @target_xml.value('(/EventFileTarget/File/@name)[1]', 'nvarchar(400)')
    WHEN @hours > 0 THEN @stem + CASE WHEN @stem LIKE N'https:%' THEN N'' ELSE N'*.xel' END
END;
BEGIN TRY
    IF @read IS NOT NULL
        INSERT INTO #CheckpointHealth_text (is_end, at_text, database_text, activity, event_file)
        SELECT TOP (@max_events)
            CASE WHEN f.object_name = N'checkpoint_end' THEN 1 ELSE 0 END, p.at_text,
            CASE WHEN p.is_whole = 1 THEN LEFT(p.database_text, CHARINDEX(N'<', p.database_text + N'<') - 1) END,
            LEFT(p.activity, CHARINDEX(N'<', p.activity + N'<') - 1), RIGHT(f.file_name, 30)
        FROM sys.fn_xe_file_target_read_file(@read, NULL, NULL, NULL) AS f
        CROSS APPLY (SELECT event_text = f.event_data COLLATE Latin1_General_BIN2) AS t
        CROSS APPLY
        (
            SELECT at_piece = SUBSTRING(t.event_text, NULLIF(CHARINDEX(N' timestamp="', t.event_text), 0) + 12, 40),
                database_piece = SUBSTRING(t.event_text, NULLIF(CHARINDEX(N'<data name="database_id">', t.event_text), 0) + 24, 200),
                activity_piece = SUBSTRING(t.event_text, NULLIF(CHARINDEX(N'<action name="attach_activity_id"', t.event_text), 0) + 33, 200)
        ) AS c
        CROSS APPLY /* pieces of nvarchar(max) are of that type too: a sort of such rows asks for far more memory */
        (
            SELECT is_whole = CASE WHEN t.event_text LIKE N'%</event>' THEN 1 ELSE 0 END,
                at_text = CONVERT(nvarchar(40), LEFT(c.at_piece, CHARINDEX(N'"', c.at_piece + N'"') - 1)),
                database_text = CONVERT(nvarchar(60), SUBSTRING(c.database_piece, NULLIF(CHARINDEX(N'<value>', c.database_piece), 0) + 7, 60)),
                activity = CONVERT(nvarchar(60), SUBSTRING(c.activity_piece, NULLIF(CHARINDEX(N'<value>', c.activity_piece), 0) + 7, 60))
        ) AS p
        WHERE f.object_name IN (N'checkpoint_begin', N'checkpoint_end')
        AND   (@hours IS NULL OR SUBSTRING(RIGHT(f.file_name, CHARINDEX(N'/', REVERSE(N'/' + REPLACE(f.file_name, N'\', N'/'))) - 1),
            @digits_at, 260) NOT LIKE N'%[^0-9]%.xel')
        AND   (p.at_text >= @from OR p.at_text NOT LIKE N'20[0-9][0-9]-%' OR p.at_text IS NULL)
        ORDER BY p.at_text DESC;
    IF @target = N'ring_buffer' AND ISNULL(@hours, 1) > 0
        INSERT INTO #CheckpointHealth_text (is_end, at_text, database_text, activity)
        SELECT TOP (@max_events) CASE WHEN e.event_name = N'checkpoint_end' THEN 1 ELSE 0 END, e.at_text, e.database_text, e.activity
        FROM
        (
            SELECT event_name = n.e.value('(@name)[1]', 'nvarchar(60)'),
                at_text = n.e.value('(@timestamp)[1]', 'nvarchar(40)'),
                database_text = n.e.value('(data[@name="database_id"]/value/text())[1]', 'nvarchar(60)'),
                activity = n.e.value('(action[@name="attach_activity_id"]/value/text())[1]', 'nvarchar(60)')
            FROM @target_xml.nodes('/RingBufferTarget/event') AS n (e)
        ) AS e
        WHERE e.event_name IN (N'checkpoint_begin', N'checkpoint_end')
        AND   e.at_text >= @from
        ORDER BY e.at_text DESC;
    IF (SELECT COUNT(*) FROM #CheckpointHealth_text) = @max_events
        INSERT INTO #CheckpointHealth_finding (Finding, Details)
        SELECT N'More events than @max_events', N'Those before ' + ISNULL(MIN(t.at_text), N'') + N' were left out.'
        FROM #CheckpointHealth_text AS t;
    IF @target_xml.exist('/RingBufferTarget[@truncated="1"]') = 1
        INSERT INTO #CheckpointHealth_finding (Finding, Details)
        VALUES (N'The text of the ring buffer was cut', N'Events are missing.');
END TRY
BEGIN CATCH
    INSERT INTO #CheckpointHealth_finding (Finding, Details) VALUES (N'The events', ERROR_MESSAGE());
END CATCH;

/* 7. Those texts as values. Where the session tracks causality, attach_activity_id is GUID-N: the task, and the event's number in it. */
CREATE TABLE #CheckpointHealth_event (event_id int IDENTITY PRIMARY KEY, is_end int NOT NULL, database_id bigint NULL, at_ms bigint NULL,
    task nvarchar(60) NOT NULL, event_file nvarchar(30) NOT NULL, number_in_task bigint NULL, outcome nvarchar(40) NULL, ordinal bigint NULL,
    depth bigint NULL, hill bigint NULL, run bigint NULL);
INSERT INTO #CheckpointHealth_event (is_end, database_id, at_ms, task, event_file, number_in_task)
SELECT d.is_end,
    CASE WHEN d.database_text LIKE N'[0-9]%' AND LEN(d.database_text) <= 18 AND d.database_text NOT LIKE N'%[^0-9]%'
        THEN CONVERT(bigint, d.database_text) END,
    CONVERT(bigint, DATEDIFF(DAY, CONVERT(datetime2(3), '19700101', 112), d.at_utc)) * 86400000
        + DATEDIFF(MILLISECOND, CONVERT(datetime2(3), CONVERT(date, d.at_utc)), d.at_utc),
    ISNULL(LEFT(d.activity, LEN(d.activity) - d.last_part), N''), ISNULL(d.event_file, N''),
    CASE WHEN d.activity IS NULL THEN 0
        WHEN d.last_part BETWEEN 2 AND 19 AND RIGHT(d.activity, d.last_part - 1) NOT LIKE N'%[^0-9]%'
            THEN CONVERT(bigint, RIGHT(d.activity, d.last_part - 1)) END
FROM
(
    SELECT t.is_end, t.database_text, t.activity, t.event_file, last_part = CHARINDEX(N'-', REVERSE(t.activity)),
        at_utc = CASE
            WHEN z.at_text LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]%'
            AND  ISDATE(LEFT(z.at_text, 19)) = 1
            AND  (LEN(z.at_text) = 19 OR (LEN(z.at_text) BETWEEN 21 AND 27 AND SUBSTRING(z.at_text, 20, 1) = N'.'
                AND SUBSTRING(z.at_text, 21, 20) NOT LIKE N'%[^0-9]%'))
                THEN CONVERT(datetime2(3), z.at_text, 126)
        END
    FROM #CheckpointHealth_text AS t
    CROSS APPLY (SELECT at_text = REPLACE(t.at_text, N'Z', N'')) AS z
) AS d;
UPDATE e SET e.outcome = N'malformed'
FROM #CheckpointHealth_event AS e
WHERE e.database_id IS NULL
OR    e.at_ms IS NULL
OR    e.number_in_task IS NULL;

/*
8. Pairing, in one pass whatever was lost. A task runs one checkpoint at a time: within one, only a begin and the very next end are a pair.
   Without tasks, the level counts the begins that are open, and never falls below 0: an end at 0 has lost its begin. A run goes from 0
   back to 0:
       level  1 0            b e : one checkpoint
              1 2 1 0        b b e e : nothing tells which end is whose, so nothing is paired
   A run that does not come back, or takes longer than an hour with others in it, has lost the end of its first begin. That one is given
   up, and the rest is judged again without it. What comes of that can be told at once: depth is the level on a begin and before an end,
   and at each depth a begin is answered by the next end. hill counts the begins that follow an end. farthest_ms is the latest time between
   a begin and its answer, also where the clock was moved in between.
*/
UPDATE e SET e.outcome = CASE WHEN e.is_end = 1 THEN N'end without begin' ELSE N'begin without end' END
FROM #CheckpointHealth_event AS e INNER JOIN
(
    SELECT u.event_id, u.is_end,
        end_before = LAG(u.is_end, 1, 1) OVER (PARTITION BY u.task, u.database_id ORDER BY u.number_in_task, u.at_ms, u.is_end, u.event_id),
        end_after = LEAD(u.is_end, 1, 0) OVER (PARTITION BY u.task, u.database_id ORDER BY u.number_in_task, u.at_ms, u.is_end, u.event_id)
    FROM #CheckpointHealth_event AS u
    WHERE u.outcome IS NULL
    AND   u.task <> N''
) AS n
    ON n.event_id = e.event_id
WHERE (n.is_end = 0 AND n.end_after = 0)
OR    (n.is_end = 1 AND n.end_before = 1);
UPDATE e SET e.ordinal = o.ordinal
FROM #CheckpointHealth_event AS e INNER JOIN
(
    SELECT u.event_id,
        ordinal = ROW_NUMBER() OVER (PARTITION BY u.task, u.database_id ORDER BY u.number_in_task, u.at_ms, u.is_end, u.event_id)
    FROM #CheckpointHealth_event AS u
    WHERE u.outcome IS NULL
) AS o
    ON o.event_id = e.event_id;
UPDATE e SET e.depth = v.depth, e.hill = v.hill
FROM #CheckpointHealth_event AS e INNER JOIN
(
    SELECT p.event_id, depth = CASE WHEN p.is_end = 0 THEN p.level_after ELSE p.level_before END,
        hill = SUM(CASE WHEN p.is_end = 0 AND p.follows_end = 1 THEN 1 ELSE 0 END)
            OVER (PARTITION BY p.task, p.database_id ORDER BY p.ordinal ROWS UNBOUNDED PRECEDING)
    FROM
    (
        SELECT l.event_id, l.task, l.database_id, l.ordinal, l.is_end, l.level_after,
            level_before = LAG(l.level_after, 1, 0) OVER (PARTITION BY l.task, l.database_id ORDER BY l.ordinal),
            follows_end = LAG(l.is_end, 1, 0) OVER (PARTITION BY l.task, l.database_id ORDER BY l.ordinal)
        FROM
        (
            SELECT b.event_id, b.task, b.database_id, b.ordinal, b.is_end,
                level_after = b.balance - CASE WHEN b.lowest < 0 THEN b.lowest ELSE 0 END
            FROM
            (
                SELECT s.event_id, s.task, s.database_id, s.ordinal, s.is_end, s.balance,
                    lowest = MIN(s.balance) OVER (PARTITION BY s.task, s.database_id ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING)
                FROM
                (
                    SELECT u.event_id, u.task, u.database_id, u.ordinal, u.is_end,
                        balance = SUM(CASE WHEN u.is_end = 1 THEN -1 ELSE 1 END)
                            OVER (PARTITION BY u.task, u.database_id ORDER BY u.ordinal ROWS UNBOUNDED PRECEDING)
                    FROM #CheckpointHealth_event AS u
                    WHERE u.ordinal IS NOT NULL
                ) AS s
            ) AS b
        ) AS l
    ) AS p
) AS v
    ON v.event_id = e.event_id;

CREATE TABLE #CheckpointHealth_given_up (begin_id int PRIMARY KEY, end_id int NULL);
INSERT INTO #CheckpointHealth_given_up (begin_id, end_id)
SELECT a.event_id, a.end_id
FROM
(
    SELECT f.event_id, f.ordinal, f.is_end, f.at_ms, f.farthest_ms,
        end_id = LEAD(f.event_id) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal),
        end_ordinal = LEAD(f.ordinal) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal),
        end_farthest_ms = LEAD(f.farthest_ms) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal)
    FROM
    (
        SELECT l.event_id, l.task, l.database_id, l.ordinal, l.is_end, l.at_ms, l.depth,
            farthest_ms = MAX(l.at_ms) OVER (PARTITION BY l.task, l.database_id, l.hill, l.is_end
                ORDER BY CASE WHEN l.is_end = 1 THEN l.ordinal ELSE -l.ordinal END ROWS UNBOUNDED PRECEDING)
        FROM #CheckpointHealth_event AS l
        WHERE l.depth > 0
    ) AS f
) AS a
WHERE a.is_end = 0
AND   (a.end_id IS NULL
    OR (a.end_ordinal - a.ordinal > 1
        AND (a.farthest_ms - a.at_ms > 3600000 OR a.end_farthest_ms - a.at_ms > 3600000)));
UPDATE e SET e.outcome = CASE WHEN e.is_end = 1 THEN N'end without begin' ELSE N'begin without end' END
FROM #CheckpointHealth_event AS e
WHERE e.depth = 0
OR    EXISTS (SELECT 1 FROM #CheckpointHealth_given_up AS g WHERE g.begin_id = e.event_id)
OR    EXISTS (SELECT 1 FROM #CheckpointHealth_given_up AS g WHERE g.end_id = e.event_id);

/*
   Every run of what is left comes back to 0. Each start of the session begins a new file, and what ran before it was not seen to end. So a begin
   and an end in two files are no checkpoint, though they may be one: one that ran while a file became full.
*/
UPDATE e SET e.run = r.run
FROM #CheckpointHealth_event AS e INNER JOIN
(
    SELECT s.event_id,
        run = SUM(CASE WHEN s.is_end = 0 AND s.balance = 1 THEN 1 ELSE 0 END)
            OVER (PARTITION BY s.task, s.database_id ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING)
    FROM
    (
        SELECT l.event_id, l.task, l.database_id, l.ordinal, l.is_end,
            balance = SUM(CASE WHEN l.is_end = 1 THEN -1 ELSE 1 END)
                OVER (PARTITION BY l.task, l.database_id ORDER BY l.ordinal ROWS UNBOUNDED PRECEDING)
        FROM #CheckpointHealth_event AS l
        WHERE l.outcome IS NULL
    ) AS s
) AS r
    ON r.event_id = e.event_id;
DECLARE @offset_ms bigint = 60000 * DATEPART(TZOFFSET, SYSDATETIMEOFFSET());
CREATE TABLE #CheckpointHealth_run (database_id bigint NOT NULL, begin_ms bigint NOT NULL, end_ms bigint NOT NULL, events int NOT NULL,
    outcome nvarchar(40) NOT NULL);
INSERT INTO #CheckpointHealth_run (database_id, begin_ms, end_ms, events, outcome)
SELECT ISNULL(-d.database_id, g.database_id), g.begin_ms, g.end_ms, g.events,
    CASE
        WHEN g.events > 2 THEN N'overlap without activity id'
        WHEN g.begin_file <> g.end_file THEN N'begin and end in two files'
        WHEN g.end_ms < g.begin_ms THEN N'clock moved back'
        WHEN g.end_ms - g.begin_ms > 4294967295 THEN N'too long'
        ELSE N'checkpoint'
    END
FROM
(
    SELECT e.task, e.database_id, events = COUNT(*),
        begin_ms = MAX(CASE WHEN e.is_end = 0 THEN e.at_ms END), end_ms = MAX(CASE WHEN e.is_end = 1 THEN e.at_ms END),
        begin_file = MAX(CASE WHEN e.is_end = 0 THEN e.event_file END), end_file = MAX(CASE WHEN e.is_end = 1 THEN e.event_file END)
    FROM #CheckpointHealth_event AS e
    WHERE e.outcome IS NULL
    GROUP BY e.task, e.database_id, e.run
) AS g
LEFT JOIN #CheckpointHealth_database AS d /* was made under that id later: the checkpoint was of another one, which is gone */
    ON  d.database_id = g.database_id
    AND d.database_id > 4
    AND CONVERT(bigint, 1000) * DATEDIFF(SECOND, CONVERT(datetime, '20000101', 112), d.created) > g.end_ms - 946684800000 + @offset_ms;

/*
9. What was observed: each file from its first event to its last, because between two files the session may have been stopped. Changes of
   target recovery times are in the error log, each with its time by the server's clock. They divide what was observed: before the first
   one, and from three minutes after the last one. Without a change all of it is after.
*/
DECLARE @automatic int, @databases int, @first_ms bigint, @last_ms bigint, @observed_ms bigint, @log int = 0;
SELECT @automatic = SUM(CASE WHEN d.kind = N'1 automatic checkpoints' THEN 1 ELSE 0 END), @databases = COUNT(*)
FROM #CheckpointHealth_database AS d
WHERE d.kind <> N'5 system';
CREATE TABLE #CheckpointHealth_span (begin_ms bigint NOT NULL, end_ms bigint NOT NULL);
INSERT INTO #CheckpointHealth_span (begin_ms, end_ms)
SELECT CASE WHEN s.before_ms > s.first_ms THEN s.before_ms ELSE s.first_ms END, s.last_ms
FROM
(
    SELECT f.first_ms, f.last_ms,
        before_ms = ISNULL(MAX(f.last_ms) OVER (ORDER BY f.first_ms, f.last_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
    FROM
    (
        SELECT first_ms = MIN(e.at_ms), last_ms = MAX(e.at_ms)
        FROM #CheckpointHealth_event AS e
        WHERE ISNULL(e.outcome, N'') <> N'malformed'
        GROUP BY e.event_file
    ) AS f
) AS s
WHERE s.last_ms > s.before_ms;
SELECT @first_ms = MIN(s.begin_ms), @last_ms = MAX(s.end_ms), @observed_ms = SUM(s.end_ms - s.begin_ms) FROM #CheckpointHealth_span AS s;
CREATE TABLE #CheckpointHealth_log (log_date datetime NULL, process_info nvarchar(100) NULL, log_text nvarchar(max) NULL);
BEGIN TRY
    WHILE @log <= CASE WHEN @hours > 0 THEN 6 ELSE 0 END AND @first_ms IS NOT NULL
    BEGIN
        IF DB_ID(N'rdsadmin') IS NULL
            INSERT INTO #CheckpointHealth_log (log_date, process_info, log_text)
            EXECUTE sys.sp_readerrorlog @log, 1, N'target_recovery_time';
        ELSE
            INSERT INTO #CheckpointHealth_log (log_date, process_info, log_text)
            EXECUTE rdsadmin.dbo.rds_read_error_log @index = @log, @type = 1, @search_str1 = N'target_recovery_time';
        SET @log += 1;
    END;
END TRY
BEGIN CATCH
    IF @log = 0 /* the others are archives, of which there may be fewer */
        INSERT INTO #CheckpointHealth_finding (Finding, Details)
        VALUES (N'Changes of target recovery times, in the error log', ERROR_MESSAGE());
END CATCH;
CREATE TABLE #CheckpointHealth_change (database_id int NOT NULL, changed datetime NOT NULL, seconds int NOT NULL, at_ms bigint NOT NULL);
INSERT INTO #CheckpointHealth_change (database_id, changed, seconds, at_ms)
SELECT d.database_id, l.log_date, p.seconds, m.at_ms
FROM #CheckpointHealth_log AS l
CROSS APPLY (SELECT seconds = CASE WHEN l.log_text LIKE N'Setting database option target_recovery_time to [0-9]% for database %'
    THEN CONVERT(int, SUBSTRING(l.log_text, 49, CHARINDEX(N' ', l.log_text + N' ', 49) - 49)) END) AS p
INNER JOIN #CheckpointHealth_database AS d
    ON  RTRIM(CONVERT(nvarchar(400), l.log_text)) COLLATE Latin1_General_BIN2 = N'Setting database option target_recovery_time to '
        + CONVERT(nvarchar(11), p.seconds) + N' for database ''' + d.name COLLATE Latin1_General_BIN2 + N'''.'
    AND d.created <= l.log_date
CROSS APPLY (SELECT from_ms = 946684800000 - @offset_ms, at_s = DATEDIFF(SECOND, CONVERT(datetime, '20000101', 112), l.log_date)) AS z
CROSS APPLY (SELECT at_ms = z.from_ms + CONVERT(bigint, 1000) * z.at_s) AS m
WHERE m.at_ms >= @first_ms;
INSERT INTO #CheckpointHealth_finding (Finding, Details)
SELECT N'Changes in another language', N'Error log lines about target_recovery_time in another language, not counted: '
    + CONVERT(nvarchar(11), COUNT(*)) + N'.'
FROM #CheckpointHealth_log AS l
WHERE l.log_text NOT LIKE N'Setting database option target_recovery_time to %'
HAVING COUNT(*) > 0;
DECLARE @first_change_ms bigint, @last_change_ms bigint, @changed nvarchar(16), @changed_first nvarchar(16);
SELECT @first_change_ms = MIN(c.at_ms), @last_change_ms = MAX(c.at_ms), @changed = CONVERT(nvarchar(16), MAX(c.changed), 120),
    @changed_first = CONVERT(nvarchar(16), MIN(c.changed), 120)
FROM #CheckpointHealth_change AS c;
UPDATE d SET d.changed = c.changed, d.was_automatic = CASE WHEN c.seconds > 0 THEN 1 ELSE 0 END
FROM #CheckpointHealth_database AS d
INNER JOIN (SELECT c.database_id, c.seconds, changed = MAX(c.changed) OVER (PARTITION BY c.database_id),
        place = ROW_NUMBER() OVER (PARTITION BY c.database_id ORDER BY c.at_ms) FROM #CheckpointHealth_change AS c) AS c
    ON  c.database_id = d.database_id
    AND c.place = 1;
DECLARE @changes int = (SELECT COUNT(*) FROM #CheckpointHealth_database AS d WHERE d.changed IS NOT NULL AND d.seconds > 0);
/* Each span as far as it lies on one side: 0 is before, 1 after. */
CREATE TABLE #CheckpointHealth_part (side int NOT NULL, begin_ms bigint NOT NULL, end_ms bigint NOT NULL);
INSERT INTO #CheckpointHealth_part (side, begin_ms, end_ms)
SELECT w.side, CASE WHEN s.begin_ms < w.begin_ms THEN w.begin_ms ELSE s.begin_ms END,
    CASE WHEN s.end_ms > w.end_ms THEN w.end_ms ELSE s.end_ms END
FROM (VALUES (0, @first_ms, @first_change_ms), (1, ISNULL(@last_change_ms + 180000, @first_ms), @last_ms)) AS w (side, begin_ms, end_ms)
INNER JOIN #CheckpointHealth_span AS s
    ON  s.begin_ms < w.end_ms
    AND s.end_ms > w.begin_ms;

/*
10. The verdict. One task runs the automatic checkpoints of all databases, also of those that cannot be changed here or are gone. A moment
   at which several checkpoints ran counts once. Of a part of the databases, or with events lost, the share is at least what was seen: never free.
   What a session lost is known of its present run alone, which began at this time, to the second.
*/
DECLARE @start_utc datetime2(3) = DATEADD(SECOND, -1, DATEADD(MINUTE, -DATEPART(TZOFFSET, SYSDATETIMEOFFSET()), @running_since));
DECLARE @has_earlier bit = CASE WHEN DATEADD(SECOND, @first_ms / 1000, CONVERT(datetime2(3), '19700101', 112)) < @start_utc THEN 1 ELSE 0 END;
DECLARE @is_whole bit =
    CASE WHEN @predicate = N'all databases' AND @sees_all = 1 AND @lost_events + @lost_buffers + @has_earlier = 0 THEN 1 ELSE 0 END;
/* Turns within each part, with the end of those before. More than 0.12 s without one is a pause; a run has none. */
CREATE TABLE #CheckpointHealth_turn (side int NOT NULL, part_ms bigint NOT NULL, database_id bigint NOT NULL, begin_ms bigint NOT NULL,
    end_ms bigint NOT NULL, before_ms bigint NOT NULL, run int NOT NULL);
INSERT INTO #CheckpointHealth_turn (side, part_ms, database_id, begin_ms, end_ms, before_ms, run)
SELECT t.side, t.part_ms, t.database_id, t.begin_ms, t.end_ms, t.before_ms, SUM(CASE WHEN t.begin_ms > t.before_ms + 120 THEN 1 ELSE 0 END)
    OVER (PARTITION BY t.part_ms ORDER BY t.begin_ms, t.end_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
FROM
(
    SELECT i.side, i.part_ms, i.database_id, i.begin_ms, i.end_ms, before_ms = ISNULL(MAX(i.end_ms) OVER (PARTITION BY i.part_ms
        ORDER BY i.begin_ms, i.end_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
    FROM
    (
        SELECT s.side, r.database_id, part_ms = s.begin_ms,
            begin_ms = CASE WHEN r.begin_ms < s.begin_ms THEN s.begin_ms ELSE r.begin_ms END,
            end_ms = CASE WHEN r.end_ms > s.end_ms THEN s.end_ms ELSE r.end_ms END
        FROM #CheckpointHealth_run AS r
        INNER JOIN #CheckpointHealth_part AS s
            ON  s.end_ms > r.begin_ms
            AND s.begin_ms < r.end_ms
        LEFT JOIN #CheckpointHealth_database AS d
            ON d.database_id = r.database_id
        WHERE r.outcome = N'checkpoint'
        AND   CASE WHEN d.database_id IS NULL THEN @sees_all WHEN s.side = 0 AND d.changed IS NOT NULL THEN d.was_automatic WHEN d.seconds = 0 THEN 1 ELSE 0 END = 1
        AND   ISNULL(d.only_redoes, 0) = 0
    ) AS i
) AS t;
DECLARE @before_ms bigint, @after_ms bigint, @before_h float, @after_h float, @busy_before int, @busy int, @takers int, @unpaused_ms bigint;
SELECT @before_ms = SUM(CASE WHEN s.side = 0 THEN s.end_ms - s.begin_ms ELSE 0 END),
    @after_ms = SUM(CASE WHEN s.side = 1 THEN s.end_ms - s.begin_ms ELSE 0 END)
FROM #CheckpointHealth_part AS s;
/* Less than ten minutes give no figure. */
SELECT @before_h = CASE WHEN @before_ms >= 600000 THEN @before_ms / 3600000e0 END,
    @after_h = CASE WHEN @after_ms >= 600000 THEN @after_ms / 3600000e0 END;
SELECT @takers = COUNT(DISTINCT CASE WHEN b.side = 1 THEN b.database_id END),
    @busy = 100 * SUM(CASE WHEN b.side = 1 THEN b.ms ELSE 0 END) / NULLIF(@after_ms, 0),
    @busy_before = 100 * SUM(CASE WHEN b.side = 0 THEN b.ms ELSE 0 END) / NULLIF(@before_ms, 0)
FROM
(
    SELECT c.side, c.database_id, ms = CASE WHEN c.end_ms > c.before_ms THEN c.end_ms - c.begin_ms
        - CASE WHEN c.before_ms > c.begin_ms THEN c.before_ms - c.begin_ms ELSE 0 END ELSE 0 END
    FROM #CheckpointHealth_turn AS c
) AS b;
/* The longest time without a pause in which two databases or more had their turns. */
SELECT TOP (1) @unpaused_ms = MAX(c.end_ms) - MIN(c.begin_ms)
FROM #CheckpointHealth_turn AS c
WHERE c.side = 1
GROUP BY c.part_ms, c.run
HAVING COUNT(DISTINCT c.database_id) > 1
ORDER BY MAX(c.end_ms) - MIN(c.begin_ms) DESC;
/* Each database's part of the task, and its turns right behind another one's, when the task had run for a recovery interval or longer. */
UPDATE d SET d.share = k.ms / 3600000e0 / @after_h, d.late = k.late
FROM #CheckpointHealth_database AS d
INNER JOIN
(
    SELECT t.database_id, ms = SUM(t.end_ms - t.begin_ms), late = SUM(CASE
        WHEN t.begin_ms <= t.before_ms + 120 AND t.before_id <> t.database_id
        AND t.begin_ms - t.run_ms >= 60000 * CASE WHEN @interval > 0 THEN @interval ELSE 1 END THEN 1 ELSE 0 END)
    FROM
    (
        SELECT c.database_id, c.begin_ms, c.end_ms, c.before_ms, run_ms = MIN(c.begin_ms) OVER (PARTITION BY c.part_ms, c.run),
            before_id = LAG(c.database_id) OVER (PARTITION BY c.part_ms ORDER BY c.begin_ms, c.end_ms)
        FROM #CheckpointHealth_turn AS c
        WHERE c.side = 1
    ) AS t
    GROUP BY t.database_id
) AS k
    ON k.database_id = d.database_id;
DECLARE @state_of_task nvarchar(30) = CASE
    WHEN @first_ms IS NULL THEN N'Nothing recorded'
    WHEN @after_h IS NULL THEN N'Too early to say'
    WHEN @busy >= 80 THEN N'Almost never free'
    WHEN (@busy >= 30 AND @takers > 1) OR @unpaused_ms > 600000 THEN N'Queue at times'
    WHEN @is_whole = 1 THEN N'Mostly free'
    ELSE N'Cannot be judged' END;
/* A database feeds the queue if all take more than 30 %, none counted with more than this one takes. */
UPDATE d SET d.role = CASE
    WHEN d.kind = N'4 not writable here' THEN N'8 Cannot be changed here'
    WHEN d.changed IS NOT NULL AND d.seconds > 0 THEN N'5 Changed while tracked'
    WHEN d.seconds = 60 THEN N'6 Indirect before'
    WHEN d.seconds > 0 THEN N'7 Other value'
    WHEN @state_of_task IN (N'Nothing recorded', N'Too early to say') THEN N'0 Not measured'
    WHEN f.share IS NULL THEN CASE WHEN @is_whole = 1 THEN N'4 No checkpoint seen' ELSE N'0 Not measured' END
    WHEN @takers > 1 AND f.fixed + f.fair > 0.3 AND f.fair > 0.05 THEN N'1 Feeds the queue'
    WHEN f.late > 0 AND @state_of_task IN (N'Almost never free', N'Queue at times') THEN N'2 Waits in the queue'
    ELSE N'3 Quiet' END
FROM #CheckpointHealth_database AS d
LEFT JOIN
(
    SELECT o.database_id, o.share, o.late,
        fixed = ISNULL((SELECT SUM(x.share) FROM #CheckpointHealth_database AS x WHERE x.kind <> o.kind), 0),
        fair = SUM(o.share) OVER (PARTITION BY o.kind ORDER BY o.share, o.database_id ROWS UNBOUNDED PRECEDING) + o.share
            * (COUNT(*) OVER (PARTITION BY o.kind) - ROW_NUMBER() OVER (PARTITION BY o.kind ORDER BY o.share, o.database_id))
    FROM #CheckpointHealth_database AS o
    WHERE o.share IS NOT NULL
) AS f
    ON f.database_id = d.database_id
WHERE d.kind <> N'5 system';
CREATE TABLE #CheckpointHealth_figure (side int NOT NULL, database_id bigint NOT NULL, checkpoints int NOT NULL, total_ms bigint NOT NULL,
    median_ms bigint NULL, longest_ms bigint NOT NULL);
INSERT INTO #CheckpointHealth_figure (side, database_id, checkpoints, total_ms, median_ms, longest_ms)
SELECT n.side, n.database_id, COUNT(*), SUM(n.ms), MAX(CASE WHEN n.place = (n.places + 1) / 2 THEN n.ms END), MAX(n.ms)
FROM
(
    SELECT s.side, r.database_id, ms = r.end_ms - r.begin_ms,
        place = ROW_NUMBER() OVER (PARTITION BY s.side, r.database_id ORDER BY r.end_ms - r.begin_ms),
        places = COUNT(*) OVER (PARTITION BY s.side, r.database_id)
    FROM #CheckpointHealth_run AS r
    INNER JOIN #CheckpointHealth_part AS s
        ON  r.begin_ms >= s.begin_ms
        AND r.begin_ms < s.end_ms
    WHERE r.outcome = N'checkpoint'
    AND   CASE s.side WHEN 0 THEN @before_h ELSE @after_h END IS NOT NULL
) AS n
GROUP BY n.side, n.database_id;
CREATE TABLE #CheckpointHealth_result (place int NOT NULL, DatabaseName nvarchar(128) NOT NULL, ChangedAt datetime NULL,
    PerHourBefore decimal(18, 1) NULL, PerHourAfter decimal(18, 1) NULL, AvgMsBefore decimal(18, 0) NULL, AvgMsAfter decimal(18, 0) NULL,
    LongestMsBefore bigint NULL, LongestMsAfter bigint NULL, SecPerHourBefore decimal(18, 1) NULL, SecPerHourAfter decimal(18, 1) NULL);
INSERT INTO #CheckpointHealth_result (place, DatabaseName, ChangedAt, PerHourBefore, PerHourAfter, AvgMsBefore, AvgMsAfter, LongestMsBefore,
    LongestMsAfter, SecPerHourBefore, SecPerHourAfter)
SELECT g.place, g.name, CASE WHEN g.place = 0 THEN MAX(d.changed) END,
    SUM(CASE WHEN f.side = 0 THEN f.checkpoints ELSE 0 END) / @before_h,
    SUM(CASE WHEN f.side = 1 THEN f.checkpoints ELSE 0 END) / @after_h,
    SUM(CASE WHEN f.side = 0 THEN f.total_ms END) * 1e0 / SUM(CASE WHEN f.side = 0 THEN f.checkpoints END),
    SUM(CASE WHEN f.side = 1 THEN f.total_ms END) * 1e0 / SUM(CASE WHEN f.side = 1 THEN f.checkpoints END),
    MAX(CASE WHEN f.side = 0 THEN f.longest_ms END), MAX(CASE WHEN f.side = 1 THEN f.longest_ms END),
    SUM(CASE WHEN f.side = 0 THEN f.total_ms ELSE 0 END) / 1e3 / @before_h,
    SUM(CASE WHEN f.side = 1 THEN f.total_ms ELSE 0 END) / 1e3 / @after_h
FROM #CheckpointHealth_database AS d
CROSS APPLY (VALUES (0, d.name), (1, N'(all)')) AS g (place, name)
LEFT JOIN #CheckpointHealth_figure AS f
    ON f.database_id = d.database_id
WHERE d.changed IS NOT NULL
AND   d.seconds > 0
GROUP BY g.place, g.name;

/* 11. The findings of what was measured. */
DECLARE @feeding int, @waiting int, @waiting_share float, @fixed int, @fixed_why nvarchar(1000);
DECLARE @named int = CASE WHEN @top > 50 THEN @top ELSE 5 END;
SELECT @feeding = SUM(CASE WHEN d.role = N'1 Feeds the queue' THEN 1 ELSE 0 END),
    @waiting = SUM(CASE WHEN d.role = N'2 Waits in the queue' THEN 1 ELSE 0 END),
    @waiting_share = SUM(CASE WHEN d.role = N'2 Waits in the queue' THEN d.share END),
    @fixed = SUM(CASE WHEN d.role = N'8 Cannot be changed here' THEN 1 ELSE 0 END)
FROM #CheckpointHealth_database AS d;
SET @fixed_why = SUBSTRING((SELECT N', ' + CONVERT(nvarchar(11), COUNT(*)) + N' ' + d.look_first FROM #CheckpointHealth_database AS d
    WHERE d.role = N'8 Cannot be changed here' GROUP BY d.look_first ORDER BY COUNT(*) DESC FOR XML PATH(N'')), 3, 1000) + N'.';
IF @changes > 0
BEGIN TRY
    INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, DatabaseName, Details)
    SELECT TOP (5) 1, N'Limit exceeded', N'Log used', d.name, CONVERT(nvarchar(20), c.cntr_value)
        + N' %, limit 70 %. Change no more databases. If it lasts 30 minutes, undo the last change.'
    FROM sys.dm_os_performance_counters AS c
    INNER JOIN #CheckpointHealth_database AS d
        ON d.name COLLATE Latin1_General_BIN2 = RTRIM(c.instance_name) COLLATE Latin1_General_BIN2
    WHERE RTRIM(c.object_name) LIKE N'%:Databases'
    AND   c.counter_name = N'Percent Log Used'
    AND   c.cntr_value >= 70
    AND   d.changed IS NOT NULL
    ORDER BY c.cntr_value DESC;
END TRY
BEGIN CATCH
    INSERT INTO #CheckpointHealth_finding (Finding, Details) VALUES (N'How full logs are', ERROR_MESSAGE());
END CATCH;
INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, Details)
SELECT t.Priority, t.FindingsGroup, t.Finding, t.Details
FROM (VALUES
    (10, N'Checkpoint task', @state_of_task, CASE
        WHEN @first_ms IS NULL THEN N'Not measured: no events were read.'
        WHEN @after_h IS NULL
            THEN ISNULL(N'The last change was at ' + @changed + N'; the first result comes 13 minutes after it.',
                N'The events cover less than ten minutes.')
        ELSE N'Busy ' + CASE WHEN @is_whole = 1 THEN N'' ELSE N'at least ' END + CONVERT(nvarchar(11), ISNULL(@busy, 0)) + N' % of '
            + CONVERT(nvarchar(11), @after_ms / 60000) + N' min'
            + ISNULL(N' since the change of ' + @changed, N'')
            + CASE WHEN @before_h IS NOT NULL THEN N'; ' + CONVERT(nvarchar(11), ISNULL(@busy_before, 0)) + N' % of '
                + CONVERT(nvarchar(11), @before_ms / 60000) + N' min before the first change' ELSE N'' END
            + N'. Goal: under 30 %. Manual checkpoints and those of backups count too.'
            + CASE
                WHEN @busy >= 30 AND @takers > 1 THEN N''
                WHEN @unpaused_ms > 600000 THEN N' It had no pause for ' + CONVERT(nvarchar(11), @unpaused_ms / 60000) + N' minutes.'
                WHEN @is_whole = 1 AND @takers = 1 THEN N' Only one database uses it, so none waits.'
                WHEN @busy >= 80 OR @is_whole = 1 THEN N''
                WHEN @sees_all = 0 THEN N' This login cannot see all databases.'
                WHEN @predicate <> N'all databases' THEN N' The session records only what result 5 says.'
                WHEN @predicate IS NULL THEN N' What the session records: not known.'
                WHEN @has_earlier = 1 THEN N' Events lost in an earlier run of the session: not known.'
                WHEN @lost_events IS NULL THEN N' Lost events can be seen only while the session runs.'
                ELSE N' Events were lost.'
            END END),
    (10, N'Checkpoint task', N'Wait statistics', @by_waits),
    (20, N'Before and after', CONVERT(nvarchar(11), @changes)
        + CASE @changes WHEN 1 THEN N' database changed' ELSE N' databases changed' END, CASE
        WHEN @changes = 0 THEN NULL
        WHEN @after_h IS NULL THEN N'The first result comes 13 minutes after the last change, ' + @changed + N'.'
        WHEN ISNULL(@before_h, 0) < 0.5
            THEN N'Only ' + CONVERT(nvarchar(11), ISNULL(@before_ms, 0) / 60000) + N' minutes before: no comparison.'
        ELSE (SELECT CONVERT(nvarchar(30), r.SecPerHourBefore) + N' -> ' + CONVERT(nvarchar(30), r.SecPerHourAfter)
                FROM #CheckpointHealth_result AS r WHERE r.place = 1)
            + N' seconds an hour in checkpoints: ' + CONVERT(nvarchar(11), @before_ms / 60000) + N' min before ' + @changed_first + N', '
            + CONVERT(nvarchar(11), @after_ms / 60000) + N' min from 3 minutes after ' + @changed + N'. Result 3 has each of them.' END),
    (150, N'Waits in the queue', CONVERT(nvarchar(11), @waiting)
        + CASE @waiting WHEN 1 THEN N' database comes late' ELSE N' databases come late' END, CASE WHEN @waiting > 0 THEN
        CONVERT(nvarchar(30), CONVERT(decimal(9, 1), 100 * @waiting_share)) + N' % of the task together. Nothing to change in them.' END),
    (200, N'Good to know',
        N'Automatic databases: ' + CONVERT(nvarchar(11), ISNULL(@automatic, 0)) + N' of ' + CONVERT(nvarchar(11), @databases),
        CASE WHEN @automatic > 0 THEN N'Each of their checkpoints scans the buffer pool' + ISNULL(N', up to '
            + CONVERT(nvarchar(11), @memory_gb) + N' GB (published: 0.4 s for 100 GB, 0.7 s for 200 GB)', N'') + N'.'
        ELSE N'Nothing to switch: none can be changed here.' END),
    (200, N'Good to know', CONVERT(nvarchar(11), @fixed) + N' cannot be changed here', @fixed_why),
    (210, N'Not seen', N'Do log writes wait?', N'One run has no samples. The extension takes them while it tracks, and makes a forecast.'),
    (210, N'Not seen', N'Limits after a change', N'They need values from before the change. The extension keeps them.'
        + CASE WHEN @hours IS NULL THEN N' Changes that only an archive of the error log has: @hours = 24 reads them.' ELSE N'' END),
    (255, N'Checkpoint Health', N'0.1.0, read ' + CONVERT(nvarchar(16), GETDATE(), 120), N'Session ' + QUOTENAME(@session) + N' ' + @state
        + ISNULL(N' since ' + CONVERT(nvarchar(16), @running_since, 120), N'') + N', '
        + CONVERT(nvarchar(11), (SELECT COUNT(*) FROM #CheckpointHealth_event)) + N' events read'
        + ISNULL(N' of ' + CONVERT(nvarchar(19), DATEADD(SECOND, @first_ms / 1000, CONVERT(datetime2(0), '19700101', 112)), 120) + N' to '
            + CONVERT(nvarchar(19), DATEADD(SECOND, @last_ms / 1000, CONVERT(datetime2(0), '19700101', 112)), 120) + N' UTC', N'')
        + ISNULL(N', ' + CONVERT(nvarchar(20), @lost_events) + N' lost', N'') + N'.')
    ) AS t (Priority, FindingsGroup, Finding, Details)
WHERE t.Details IS NOT NULL
AND  (t.Priority > 10 OR @automatic > 0);
INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, DatabaseName, Details)
SELECT TOP (@named) 50, N'Feeds the queue', N'Use indirect checkpoints', d.name,
    CONVERT(nvarchar(30), CONVERT(decimal(9, 1), 100 * d.share))
    + N' % of the task; ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), f.checkpoints / @after_h)) + N' checkpoints/h; median '
    + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), f.median_ms / 1000e0)) + N' s, longest '
    + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), f.longest_ms / 1000e0)) + N' s.'
FROM #CheckpointHealth_database AS d
INNER JOIN #CheckpointHealth_figure AS f
    ON  f.database_id = d.database_id
    AND f.side = 1
WHERE d.role = N'1 Feeds the queue'
ORDER BY d.share DESC;
IF @feeding > @named
    INSERT INTO #CheckpointHealth_finding (Priority, FindingsGroup, Finding, Details)
    SELECT 50, N'Feeds the queue', CONVERT(nvarchar(11), @feeding - @named) + N' more like this',
        CONVERT(nvarchar(30), CONVERT(decimal(9, 1), 100 * SUM(m.share)))
        + N' % of the task together. All of them: @top = ' + CONVERT(nvarchar(11), CASE WHEN @feeding > 51 THEN @feeding ELSE 51 END) + N'.'
    FROM (SELECT d.share, place = ROW_NUMBER() OVER (ORDER BY d.share DESC) FROM #CheckpointHealth_database AS d
        WHERE d.role = N'1 Feeds the queue') AS m
    WHERE m.place > @named;
UPDATE f SET f.URL = N'https://github.com/checkpoint-health/checkpoint-health/blob/main/' + CASE
    WHEN f.FindingsGroup = N'Limit exceeded' THEN N'docs/check.md#limit-exceeded'
    WHEN f.Finding = N'Almost never free' THEN N'docs/check.md#checkpoint-task-saturated'
    WHEN f.Finding = N'Queue at times' THEN N'docs/check.md#checkpoint-task-queue'
    WHEN f.FindingsGroup = N'Checkpoint task' THEN N'docs/check.md#checkpoint-task-unknown'
    WHEN f.FindingsGroup = N'Feeds the queue' THEN N'docs/check.md#database-switch'
    WHEN f.FindingsGroup = N'Settings' THEN N'docs/check.md#server-finding'
    WHEN f.FindingsGroup = N'Waits in the queue' THEN N'docs/check.md#database-watch'
    WHEN f.Finding LIKE N'% cannot be changed here' THEN N'docs/check.md#not-changeable-here'
    ELSE N'sql/README.md#sp_checkpointhealth' END
FROM #CheckpointHealth_finding AS f;

/* 12. The seven results. */
SELECT f.Priority, f.FindingsGroup, f.Finding, f.DatabaseName, f.Details, f.URL
FROM #CheckpointHealth_finding AS f
ORDER BY f.Priority, f.ordinal;
SELECT [Role] = SUBSTRING(g.role, 3, 30), [Databases] = COUNT(*), ShareOfTask = CONVERT(decimal(9, 1), 100 * SUM(d.share))
FROM #CheckpointHealth_database AS d
CROSS APPLY (VALUES (d.role), (N'9 All')) AS g (role)
WHERE d.role IS NOT NULL
GROUP BY g.role
ORDER BY g.role;
SELECT r.DatabaseName, r.ChangedAt, r.PerHourBefore, r.PerHourAfter, r.AvgMsBefore, r.AvgMsAfter, r.LongestMsBefore, r.LongestMsAfter,
    r.SecPerHourBefore, r.SecPerHourAfter
FROM
(
    SELECT x.*, ordinal = ROW_NUMBER() OVER (PARTITION BY x.place ORDER BY x.SecPerHourBefore DESC, x.DatabaseName)
    FROM #CheckpointHealth_result AS x
) AS r
WHERE r.ordinal <= @top
AND   @changes > 0
ORDER BY r.place, r.ordinal;
SELECT TOP (@top) d.kind, d.name, d.seconds, d.since_checkpoint_mb, d.log_write_ms, d.data_write_ms, d.look_first
FROM #CheckpointHealth_database AS d
WHERE (@only IS NULL AND d.kind <> N'5 system')
OR    d.database_id = @only
ORDER BY d.kind, d.since_checkpoint_mb DESC, d.log_write_ms DESC, d.database_id;
SELECT session_name = @session, session_state = @state, started_local = @running_since, lost_events = @lost_events,
    lost_buffers = @lost_buffers, records = @predicate, target = @target, event_files = @path, files_read = @read;
SELECT TOP (@top) database_name = DB_NAME(CONVERT(int, k.database_id)), k.database_id, d.kind, k.checkpoints,
    per_hour = CONVERT(decimal(18, 2), k.checkpoints * 3600000e0 / NULLIF(@observed_ms, 0)),
    average_ms = CONVERT(decimal(18, 3), k.total_ms * 1e0 / k.checkpoints), k.p50_ms, k.p95_ms, k.p99_ms, k.maximum_ms,
    total_seconds = CONVERT(decimal(18, 3), k.total_ms / 1e3)
FROM
(
    SELECT n.database_id, checkpoints = COUNT_BIG(*), total_ms = SUM(n.ms), maximum_ms = MAX(n.ms),
        p50_ms = MAX(CASE WHEN n.place = (n.places * 50 + 99) / 100 THEN n.ms END),
        p95_ms = MAX(CASE WHEN n.place = (n.places * 95 + 99) / 100 THEN n.ms END),
        p99_ms = MAX(CASE WHEN n.place = (n.places * 99 + 99) / 100 THEN n.ms END)
    FROM
    (
        SELECT r.database_id, ms = r.end_ms - r.begin_ms,
            place = ROW_NUMBER() OVER (PARTITION BY r.database_id ORDER BY r.end_ms - r.begin_ms),
            places = COUNT_BIG(*) OVER (PARTITION BY r.database_id)
        FROM #CheckpointHealth_run AS r
        WHERE r.outcome = N'checkpoint'
        AND   (@only IS NULL OR r.database_id = @only)
    ) AS n
    GROUP BY n.database_id
) AS k
LEFT JOIN #CheckpointHealth_database AS d
    ON d.database_id = k.database_id
ORDER BY k.total_ms DESC, k.maximum_ms DESC, k.database_id;
SELECT o.outcome, events = SUM(o.events), databases = COUNT(DISTINCT o.database_id)
FROM
(
    SELECT r.outcome, r.events, r.database_id FROM #CheckpointHealth_run AS r
    UNION ALL
    SELECT e.outcome, 1, e.database_id FROM #CheckpointHealth_event AS e WHERE e.outcome IS NOT NULL
) AS o
GROUP BY o.outcome
ORDER BY o.outcome;

/* 13. The findings into the table that was named, if one was. */
IF @target_table IS NOT NULL
BEGIN
    SET @statement = N'IF OBJECT_ID(@target_table) IS NULL CREATE TABLE ' + @target_table + N' (ID bigint IDENTITY PRIMARY KEY,
        ServerName nvarchar(128) NULL, CheckDate datetimeoffset(0) NOT NULL, Priority int NOT NULL,
        FindingsGroup nvarchar(50) NOT NULL, Finding nvarchar(200) NOT NULL,
        DatabaseName nvarchar(128) NULL, Details nvarchar(2048) NOT NULL, URL nvarchar(200) NULL);';
    EXECUTE sys.sp_executesql @statement, N'@target_table nvarchar(800)', @target_table;
    SET @statement = N'INSERT INTO ' + @target_table + N' (ServerName, CheckDate, Priority, FindingsGroup, Finding, DatabaseName, Details, URL)
        SELECT CONVERT(nvarchar(128), SERVERPROPERTY(N''ServerName'')), SYSDATETIMEOFFSET(), f.Priority, f.FindingsGroup, f.Finding,
            f.DatabaseName, f.Details, f.URL FROM #CheckpointHealth_finding AS f ORDER BY f.Priority, f.ordinal;';
    EXECUTE sys.sp_executesql @statement;
END;
RETURN 0;
