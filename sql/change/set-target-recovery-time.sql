/*
Name:     set-target-recovery-time
Purpose:  Sets the target recovery time of the databases listed, wave by wave, and says for each what it did, or why not
Changes:  TARGET_RECOVERY_TIME of the listed databases, and nothing else
Needs:    ALTER on each database. Databases of an availability group: VIEW ANY DEFINITION, to tell the system databases of a contained one.
          To go on by itself: VIEW SERVER STATE (2022: VIEW SERVER PERFORMANCE STATE); counter_instance_column is physical_database_name
          on Managed Instance
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  each ALTER is printed before it runs, then CHANGED, LEFT ALONE or FAILED with the reason; at the end one table. Three failures
          stop it. A second run changes nothing that is done. If you cancel it, there is no table; what is changed stays changed.
          created is the create_date of a database in no availability group, typed with the T: without it a German login takes the month for
          the day. group_id is the group_database_id of one in a group. Either tells it from another database that has taken its name.
          undo_row is the row that takes a change back: put such rows in place of the list.
          The window is left with NOCOUNT ON, ROWCOUNT 0 and IMPLICIT_TRANSACTIONS OFF.
*/
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;
DECLARE @wave int = <wave, int, 1>; /* <waves, text, the wave to run; NULL: all> */
DECLARE @list table (ordinal int IDENTITY PRIMARY KEY, wave int NOT NULL, name sysname NOT NULL, group_id uniqueidentifier NULL,
    created datetime NULL, reviewed int NOT NULL, wanted int NOT NULL, outcome nvarchar(2048) NULL);
INSERT @list (wave, name, group_id, created, reviewed, wanted) VALUES
    (1, N'<database_name, sysname, TYPE A DATABASE NAME HERE>', NULL,
        '<create_date, datetime, 1900-01-01T00:00:00>', <reviewed_seconds, int, 0>, <wanted_seconds, int, 60>);

/* Guard: one of these servers, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')
    NOT IN (N'<server_name, sysname, TYPE THE SERVER NAME HERE>')
BEGIN
    RAISERROR(N'Stopped: the guard does not name this server, or a transaction is open in this window. Nothing was changed.', 16, 1);
    RETURN;
END;
/* goes on by itself: it watches for @pause before the first wave, and again before each later one. It stops where writes are
   slower than a limit, where a log is 70 % used and was less at first, or above 90 % and fuller than at first, where one of these
   cannot be seen, and where an earlier wave has changed since. */
DECLARE @pause char(8) = '<pause, char(8), 00:00:00>'; /* hours:minutes:seconds; 00:00:00: no pause, no checks */
/* Milliseconds of a data write and of a WRITELOG wait; NULL: twice the first reading, at least 5 and 2. */
DECLARE @limit_ms float = <limit_ms, float, NULL>, @log_limit_ms float = NULL;
DECLARE @unseen_is_fine bit = 0; /* 1: goes on where a limit cannot be seen */
DECLARE @entered int = 0, @next int, @turn int, @writes bigint, @write_ms bigint, @waits bigint, @wait_ms bigint, @ms float, @log_ms float,
    @log sysname, @used bigint, @first_used bigint, @is_over bit, @line nvarchar(2048), @unseen nvarchar(2048), @stopped nvarchar(2048);
DECLARE @logs table (name sysname NOT NULL, wanted int NOT NULL, first_used bigint NULL, used bigint NULL);
/* until here */
DECLARE @at int = 0, @name sysname, @wanted int, @outcome nvarchar(2048), @statement nvarchar(400), @changed int = 0, @failed int = 0;
WHILE @failed < 3
BEGIN
    /* The next database of the wave, and what stops its change now; NULL: nothing. */
    SELECT TOP (1) @at = l.ordinal, @name = l.name, @wanted = l.wanted, @outcome = CASE
        WHEN d.database_id IS NULL THEN N'LEFT ALONE: not here, or renamed or re-created since the review'
        WHEN CONVERT(int, LEFT(CONVERT(nvarchar(20), SERVERPROPERTY(N'ProductVersion')), 2)) >= 16 AND EXISTS (SELECT 1
            FROM sys.availability_replicas AS r INNER JOIN sys.availability_groups AS g ON g.group_id = r.group_id
            WHERE r.replica_id = d.replica_id AND d.name COLLATE Latin1_General_BIN2 IN (g.name + N'_master', g.name + N'_msdb'))
            THEN N'LEFT ALONE: a system database of a contained group'
        WHEN d.target_recovery_time_in_seconds = l.wanted THEN N'LEFT ALONE: already has the wanted value'
        WHEN ISNULL(d.target_recovery_time_in_seconds, -1) <> l.reviewed THEN N'LEFT ALONE: its value differs from the reviewed one'
        WHEN d.state <> 0 OR ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'') <> N'READ_WRITE'
            THEN N'LEFT ALONE: not writable here now (' + d.state_desc
                + CASE WHEN d.replica_id IS NULL THEN N')' ELSE N'; a secondary or a forwarder: run this text on the primary)' END END
    FROM @list AS l
    LEFT JOIN sys.databases AS d
        ON d.name COLLATE Latin1_General_BIN2 = l.name AND d.database_id > 4
        AND (d.group_database_id = l.group_id OR d.create_date = l.created)
    WHERE l.ordinal > @at AND (l.wave = @wave OR @wave IS NULL)
    ORDER BY l.ordinal;
    IF @@ROWCOUNT = 0 BREAK;
    /* goes on by itself */
    SELECT @next = l.wave FROM @list AS l WHERE l.ordinal = @at;
    IF @next > @entered AND @outcome IS NULL AND @pause > '00:00:00'
    BEGIN
        SET @stopped = CASE WHEN @failed > 0 THEN N'a database of an earlier wave failed'
            WHEN @entered = 0 AND @unseen_is_fine = 0 AND (@limit_ms IS NULL OR @log_limit_ms IS NULL) AND EXISTS (SELECT 1 FROM @list AS l
                INNER JOIN sys.databases AS d ON d.name COLLATE Latin1_General_BIN2 = l.name
                    AND (d.group_database_id = l.group_id OR d.create_date = l.created)
                WHERE d.target_recovery_time_in_seconds = l.wanted
                AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE')
                THEN N'some of these databases are already switched, so it cannot measure the time before. Set @limit_ms and @log_limit_ms '
                    + N'in this text: to the LIMITS that its first start on this server printed, or to your own' END;
        IF @stopped IS NOT NULL BREAK;
        RAISERROR(N'PAUSE %s before wave %d. Cancel to stop here; what is changed stays changed.', 0, 1, @pause, @next) WITH NOWAIT;
        SELECT @at -= 1, @turn = 0, @writes = 0, @write_ms = 0, @waits = 0, @wait_ms = 0;
        BEGIN TRY
            WHILE @turn < 2
            BEGIN
                SELECT @writes = SUM(v.num_of_writes) - @writes, @write_ms = SUM(v.io_stall_write_ms) - @write_ms
                FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v
                WHERE v.file_id <> 2 AND v.database_id IN (SELECT d.database_id FROM sys.databases AS d INNER JOIN @list AS l
                    ON d.name COLLATE Latin1_General_BIN2 = l.name);
                SELECT @waits = SUM(w.waiting_tasks_count) - @waits, @wait_ms = SUM(w.wait_time_ms) - @wait_ms
                FROM sys.dm_os_wait_stats AS w WHERE w.wait_type = N'WRITELOG';
                IF @turn = 0 WAITFOR DELAY @pause;
                SET @turn += 1;
            END;
            INSERT @logs (name, wanted) SELECT l.name, l.wanted FROM @list AS l INNER JOIN sys.databases AS d
                ON d.name COLLATE Latin1_General_BIN2 = l.name AND d.state = 0
            WHERE l.name COLLATE Latin1_General_BIN2 NOT IN (SELECT g.name FROM @logs AS g);
            /* The first log use of a database that was switched before this run is not known. */
            UPDATE g SET used = c.cntr_value, first_used = CASE WHEN @entered > 0 THEN g.first_used
                WHEN d.target_recovery_time_in_seconds <> g.wanted OR @unseen_is_fine = 1 THEN c.cntr_value END
            FROM @logs AS g LEFT JOIN sys.databases AS d ON d.name COLLATE Latin1_General_BIN2 = g.name
            LEFT JOIN sys.dm_os_performance_counters AS c ON c.counter_name = N'Percent Log Used'
                AND RTRIM(c.instance_name) COLLATE Latin1_General_BIN2 = d.<counter_instance_column, sysname, name>;
        END TRY
        BEGIN CATCH
            SET @stopped = N'it cannot measure: ' + ERROR_MESSAGE();
        END CATCH;
        SELECT @ms = CASE WHEN @writes > 0 AND @write_ms >= 0 THEN 1.0 * @write_ms / @writes END,
            @log_ms = CASE WHEN @waits > 0 AND @wait_ms >= 0 THEN 1.0 * @wait_ms / @waits WHEN @waits = 0 THEN 0 END;
        IF @entered = 0 SELECT @limit_ms = ISNULL(@limit_ms, CASE WHEN @ms > 2.5 THEN 2 * @ms ELSE 5 END),
            @log_limit_ms = ISNULL(@log_limit_ms, CASE WHEN @log_ms > 1 THEN 2 * @log_ms ELSE 2 END);
        SELECT TOP (1) @log = g.name, @used = g.used, @first_used = g.first_used, @is_over = o.is_over
        FROM @logs AS g CROSS APPLY (SELECT is_over = CASE WHEN g.used >= 70 AND ISNULL(g.first_used, 0) < 70
            OR g.used > 90 AND g.used > g.first_used THEN 1 ELSE 0 END) AS o
        ORDER BY o.is_over DESC, g.used DESC;
        SET @unseen = CASE WHEN @ms IS NULL THEN N', a data write' ELSE N'' END
            + CASE WHEN @log_ms IS NULL THEN N', WRITELOG waits' ELSE N'' END
            + (SELECT CASE WHEN COUNT(*) > 0 THEN N', the log of ' + MIN(g.name) + CASE WHEN COUNT(*) > 1 THEN N' and of more' ELSE N'' END
            ELSE N'' END FROM @logs AS g WHERE g.used IS NULL);
        SET @line = N'SEEN before wave ' + CONVERT(nvarchar(11), @next) + N': data write ' + ISNULL(LTRIM(STR(@ms, 12, 3)), N'?')
            + N' ms (limit ' + LTRIM(STR(@limit_ms, 12, 3)) + N'), WRITELOG wait ' + ISNULL(LTRIM(STR(@log_ms, 12, 3)), N'?')
            + N' ms (limit ' + LTRIM(STR(@log_limit_ms, 12, 3)) + N'), log of ' + @log + N' ' + ISNULL(CONVERT(nvarchar(20), @used), N'?')
            + N' % used (at first ' + ISNULL(CONVERT(nvarchar(20), @first_used), N'?') + N').'
            + CASE WHEN @unseen > N'' THEN N' It cannot see ' + SUBSTRING(@unseen, 3, 400) + N'.' ELSE N'' END;
        IF @stopped IS NULL RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
        SET @stopped = CASE WHEN @stopped IS NOT NULL THEN @stopped
            WHEN EXISTS (SELECT 1 FROM @list AS l LEFT JOIN sys.databases AS d
                    ON d.name COLLATE Latin1_General_BIN2 = l.name
                    AND (d.group_database_id = l.group_id OR d.create_date = l.created)
                    AND d.target_recovery_time_in_seconds = l.wanted
                    AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE'
                WHERE l.outcome = N'CHANGED' AND d.database_id IS NULL)
                THEN N'a database of an earlier wave has changed since: failed over, replaced, or changed otherwise'
            WHEN @is_over = 1 THEN N'the log of ' + @log + N' is ' + CONVERT(nvarchar(20), @used) + N' % used, less or unknown at first'
            WHEN @ms > @limit_ms THEN N'a data write takes longer than the limit'
            WHEN @log_ms > @log_limit_ms THEN N'a WRITELOG wait takes longer than the limit'
            WHEN @unseen > N'' AND @unseen_is_fine = 0
                THEN N'it cannot see ' + SUBSTRING(@unseen, 3, 400) + N'. @unseen_is_fine = 1 goes on anyway' END;
        IF @stopped IS NOT NULL BREAK;
        SET @line = N'LIMITS as first read on ' + CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) + N', to go on there: DECLARE'
            + N' @limit_ms float = ' + LTRIM(STR(@limit_ms, 12, 3)) + N', @log_limit_ms float = ' + LTRIM(STR(@log_limit_ms, 12, 3)) + N';';
        IF @entered = 0 RAISERROR(N'%s', 0, 1, @line) WITH NOWAIT;
        SET @entered = @next;
        CONTINUE;
    END;
    /* until here */
    IF @outcome IS NULL
    BEGIN TRY
        SET @statement = REPLACE(REPLACE(
            N'ALTER DATABASE [name] SET TARGET_RECOVERY_TIME = {wanted} SECONDS WITH NO_WAIT;',
            N'{wanted}', @wanted), N'[name]', QUOTENAME(@name));
        RAISERROR(N'%s', 0, 1, @statement) WITH NOWAIT;
        EXECUTE sys.sp_executesql @statement;
        SELECT @changed += 1, @outcome = N'CHANGED';
    END TRY
    BEGIN CATCH
        SELECT @failed += 1, @outcome = N'FAILED: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
    UPDATE @list SET outcome = @outcome WHERE ordinal = @at;
    RAISERROR(N'    %s: %s', 0, 1, @name, @outcome) WITH NOWAIT;
END;
/* What became of each database of the wave, and what its value is now. */
SELECT l.wave, l.name, l.reviewed, l.wanted, now = d.target_recovery_time_in_seconds, outcome = ISNULL(l.outcome, N'NOT REACHED'),
    undo_row = CASE WHEN l.outcome = N'CHANGED' THEN N'INSERT @list (wave, name, group_id, created, reviewed, wanted) VALUES ('
        + CONVERT(nvarchar(11), l.wave) + N', ' + CASE WHEN l.name COLLATE Latin1_General_BIN2 LIKE N'%[^-0-9A-Za-z_. ]%'
            THEN N'CONVERT(nvarchar(128), ' + CONVERT(nvarchar(600), CONVERT(varbinary(256), l.name), 1) + N')'
            ELSE N'N''' + l.name + N'''' END + N', ' + ISNULL(QUOTENAME(CONVERT(nvarchar(36), l.group_id), N''''), N'NULL') + N', '
        + ISNULL(QUOTENAME(CONVERT(nvarchar(30), l.created, 126), N''''), N'NULL') + N', '
        + CONVERT(nvarchar(11), l.wanted) + N', ' + CONVERT(nvarchar(11), l.reviewed) + N');' ELSE N'' END
FROM @list AS l LEFT JOIN sys.databases AS d ON d.name COLLATE Latin1_General_BIN2 = l.name
WHERE l.wave = @wave OR @wave IS NULL ORDER BY l.ordinal;
RAISERROR(N'%d changed, %d failed; the table shows the rest.', 0, 1, @changed, @failed);
/* goes on by itself */
IF @stopped IS NOT NULL RAISERROR(N'Stopped before wave %d: %s. What is NOT REACHED was not changed.', 16, 1, @next, @stopped);
/* until here */
IF @failed > 0 RAISERROR(N'%d FAILED; it stops at 3. Run one ALTER alone to see its full error.', 16, 1, @failed);
