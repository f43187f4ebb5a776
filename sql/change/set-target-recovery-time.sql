/*
Name:     set-target-recovery-time
Purpose:  Sets the target recovery time of the databases listed below, in waves where there are several, and says for each one what it did or why it did not.
Changes:  TARGET_RECOVERY_TIME of the listed databases, and nothing else
Needs:    ALTER on each database; VIEW SERVER STATE (2022: VIEW SERVER PERFORMANCE STATE) for those in an availability group and for a limit of write latency;
          from 2022 on VIEW ANY DEFINITION for those in an availability group, to tell the system databases of a contained one
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  nothing is changed unless the server is the one named in the guard. Each database prints CHANGED, LEFT ALONE with the reason, FAILED with the error, or
          NOT REACHED where a wave was not begun; the table at the end says the same. undo_row is the row that takes a change back: put it into the list of a copy of this script.
          A line SETTING stands before each change, so that a wait is seen. Where a database failed or a wave was not begun, the script ends with an error of severity 16.
          A second run changes nothing that is done. Cancelled, it leaves what is changed and ends without the table; the messages say how far it came.
          It sets options of the window that it runs in, and says at the end which.
*/
SET IMPLICIT_TRANSACTIONS OFF;
SET NOCOUNT ON;
SET ROWCOUNT 0;
SET XACT_ABORT OFF;
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET ANSI_WARNINGS ON;
SET CONCAT_NULL_YIELDS_NULL ON;

/* Guard: the right server, a version that has the setting, and no open transaction. SET NOEXEC ON also stops every batch behind the next GO. */
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    IF @@TRANCOUNT > 0
    BEGIN
        RAISERROR(N'Stopped: a transaction is open in this session. Nothing was changed. Commit it or roll it back, then run the whole script again.', 16, 1);
        SET NOEXEC ON;
    END;
    ELSE IF CONVERT(int, PARSENAME(CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion')), 4)) >= 11
        PRINT N'Server ' + CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) + N': the one this script was written for.';
    ELSE
    BEGIN
        RAISERROR(N'Stopped: this server is older than SQL Server 2012 and has no target recovery time. Nothing was changed.', 16, 1);
        SET NOEXEC ON;
    END;
END;
ELSE
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script was written for. Nothing was changed. Connect to the right server, then run the whole script.', 16, 1);
    SET NOEXEC ON;
END;
GO

SET IMPLICIT_TRANSACTIONS OFF;
SET NOCOUNT ON;
SET ROWCOUNT 0;
SET XACT_ABORT OFF;
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET ANSI_WARNINGS ON;
SET CONCAT_NULL_YIELDS_NULL ON;

/* The list: one row a database, in order of waves. expected_seconds is the value that was seen when the script was written; another value found now is left alone
   (NULL takes any). created_local and group_database_id tell the database from another one that has taken its name since. Names are written as sys.databases has them.
   shown_name is what is printed of a name that holds characters which nobody sees; NULL: the name. */
DECLARE @chosen table
(
    ordinal int IDENTITY(1, 1) PRIMARY KEY,
    wave int NOT NULL DEFAULT (1),
    database_name sysname NOT NULL,
    shown_name nvarchar(1200) NULL,
    created_local datetime NULL,
    group_database_id uniqueidentifier NULL,
    expected_seconds int NULL DEFAULT (0),
    wanted_seconds int NOT NULL DEFAULT (60)
);
<chosen_databases, statements, INSERT @chosen (database_name) VALUES (N'TYPE A DATABASE NAME HERE');>

/* Chosen and not in the list, for the report alone. */
DECLARE @left_out table
(
    ordinal int IDENTITY(1, 1) PRIMARY KEY,
    database_name nvarchar(200) NOT NULL,
    reason nvarchar(1600) NOT NULL
);
<left_out_databases, statements, >

/* Waves before @first_wave were run by scripts of their own and are only looked at. Before each later wave this script waits for @pause (hours:minutes:seconds) and
   goes on only if nothing failed, what was changed is still so, and writes to the data files of those databases were seen and took no longer than the limit; NULL: no
   limit. */
DECLARE @first_wave int = <first_wave, int, 1>;
DECLARE @pause char(8) = '<pause, char(8), 00:00:00>';
DECLARE @stop_above_write_ms float = <stop_above_write_ms, float, NULL>;

DECLARE @done table
(
    ordinal int PRIMARY KEY,
    created_local datetime NULL,
    group_database_id uniqueidentifier NULL,
    seconds_before int NULL,
    seconds_after int NULL,
    outcome nvarchar(20) NOT NULL,
    reason nvarchar(2000) NULL
);
/* Counters of data files, before a pause and after it. */
DECLARE @before table (database_id int NOT NULL, file_id int NOT NULL, writes bigint NOT NULL, stall_ms bigint NOT NULL, PRIMARY KEY (database_id, file_id));
DECLARE @behind table (database_id int NOT NULL, file_id int NOT NULL, writes bigint NOT NULL, stall_ms bigint NOT NULL, PRIMARY KEY (database_id, file_id));
DECLARE @ordinal int;
/* The guard once more, for whoever selects only a part of this script and runs that: elsewhere, or in a transaction, the list counts as empty. */
DECLARE @last int =
(
    SELECT MAX(c.ordinal)
    FROM @chosen AS c
    WHERE @@TRANCOUNT = 0
    AND   CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
);
DECLARE @entered int = 0;
DECLARE @wave int;
DECLARE @to_change int = 0;
DECLARE @name sysname;
DECLARE @shown nvarchar(1200);
DECLARE @created datetime;
DECLARE @group_database_id uniqueidentifier;
DECLARE @expected int;
DECLARE @wanted int;
DECLARE @found int;
DECLARE @found_created datetime;
DECLARE @found_group uniqueidentifier;
DECLARE @after int;
DECLARE @replica uniqueidentifier;
DECLARE @role nvarchar(60);
DECLARE @contained_system int;
DECLARE @groups_seen int;
DECLARE @obstacle nvarchar(200);
DECLARE @statement nvarchar(600);
DECLARE @outcome nvarchar(2000);
DECLARE @reason nvarchar(2000);
DECLARE @stopped nvarchar(1000);
DECLARE @unlike nvarchar(1200);
DECLARE @ids nvarchar(max);
DECLARE @restarted int;
DECLARE @writes bigint;
DECLARE @stall_ms bigint;
DECLARE @write_ms float;
DECLARE @failed int;
/* A text of its own, because sys.master_files is not everywhere. A file whose type this login cannot see counts as data unless it is the second one, the log. */
DECLARE @measure nvarchar(max) = N'
SELECT
    v.database_id,
    v.file_id,
    v.num_of_writes,
    v.io_stall_write_ms
FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v
LEFT JOIN sys.master_files AS f
    ON  f.database_id = v.database_id
    AND f.file_id = v.file_id
WHERE ISNULL(f.type, CASE WHEN v.file_id = 2 THEN 1 ELSE 0 END) = 0
AND   CHARINDEX(N'','' + CONVERT(nvarchar(11), v.database_id) + N'','', @ids) > 0;';

/* What would stop it half way is asked before anything is changed. */
IF EXISTS (SELECT 1 FROM @chosen AS c INNER JOIN @chosen AS n ON n.ordinal = c.ordinal + 1 WHERE n.wave < c.wave)
    SET @stopped = N'before anything was changed: the list is not in the order of its waves';
IF @last IS NOT NULL AND @stopped IS NULL AND @stop_above_write_ms IS NOT NULL AND EXISTS (SELECT 1 FROM @chosen AS c WHERE c.wave > 1)
BEGIN
    BEGIN TRY
        INSERT @before (database_id, file_id, writes, stall_ms)
        EXECUTE sys.sp_executesql @measure, N'@ids nvarchar(max)', @ids = N',';
    END TRY
    BEGIN CATCH
        SET @stopped = N'before anything was changed: the limit of write latency cannot be watched: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + LEFT(ERROR_MESSAGE(), 600);
    END CATCH;
END;

SELECT @ordinal = MIN(c.ordinal)
FROM @chosen AS c
WHERE c.wave >= @first_wave;

WHILE @ordinal <= @last AND @stopped IS NULL
BEGIN
    SELECT
        @wave = c.wave,
        @name = c.database_name,
        @shown = ISNULL(c.shown_name, QUOTENAME(c.database_name)),
        @created = c.created_local,
        @group_database_id = c.group_database_id,
        @expected = c.expected_seconds,
        @wanted = c.wanted_seconds
    FROM @chosen AS c
    WHERE c.ordinal = @ordinal;

    /* Between two waves; not where all of the next one is done already. */
    IF @wave > @entered
    BEGIN
        SET @entered = @wave;
        SELECT @to_change = COUNT(*)
        FROM @chosen AS c
        INNER JOIN sys.databases AS d
            ON d.name COLLATE Latin1_General_BIN2 = c.database_name
        WHERE c.wave = @wave
        AND   d.target_recovery_time_in_seconds <> c.wanted_seconds
        AND   EXISTS (SELECT 1 FROM @chosen AS e WHERE e.wave < @wave);
    END;
    IF @to_change > 0
    BEGIN
        SET @to_change = 0;
        IF EXISTS (SELECT 1 FROM @done AS o WHERE o.outcome = N'FAILED')
            SET @stopped = N'a database of an earlier wave failed';

        /* Of a wave that has a script of its own: was it run, all of it, and is it still so? */
        SET @unlike = NULL;
        SELECT @unlike = MIN(ISNULL(c.shown_name, QUOTENAME(c.database_name)))
        FROM @chosen AS c
        LEFT JOIN sys.databases AS d
            ON  d.name COLLATE Latin1_General_BIN2 = c.database_name
            AND (d.create_date = c.created_local OR c.created_local IS NULL)
            AND d.target_recovery_time_in_seconds = c.wanted_seconds
            AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE'
        WHERE c.wave < @first_wave
        AND   d.database_id IS NULL;
        IF @unlike IS NOT NULL
            SET @stopped = ISNULL(@stopped, @unlike + N' is not as the script of its wave leaves it: run that script, settle it, or take its row out of this list');

        IF @stopped IS NULL AND @pause <> '00:00:00'
        BEGIN
            SET @ids =
            (
                SELECT N',' + CONVERT(nvarchar(11), d.database_id)
                FROM @chosen AS c
                INNER JOIN sys.databases AS d
                    ON d.name COLLATE Latin1_General_BIN2 = c.database_name
                WHERE c.wave < @wave
                AND   d.target_recovery_time_in_seconds = c.wanted_seconds
                AND   (d.create_date = c.created_local OR c.created_local IS NULL)
                FOR XML PATH('')
            ) + N',';
            IF @ids IS NULL
                SET @stopped = N'no database of the earlier waves has the new value, so there is nothing to judge it by';
        END;
        IF @stopped IS NULL AND @pause <> '00:00:00'
        BEGIN
            BEGIN TRY
                DELETE @before;
                DELETE @behind;
                IF @stop_above_write_ms IS NOT NULL
                    INSERT @before (database_id, file_id, writes, stall_ms)
                    EXECUTE sys.sp_executesql @measure, N'@ids nvarchar(max)', @ids = @ids;
                SET @outcome = N'PAUSE       ' + @pause + N' from ' + CONVERT(nvarchar(8), GETDATE(), 108) + N' on, before wave ' + CONVERT(nvarchar(11), @wave) + N'. Cancel to stop here; what is changed stays changed.';
                RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
                WAITFOR DELAY @pause;
                IF @stop_above_write_ms IS NOT NULL
                    INSERT @behind (database_id, file_id, writes, stall_ms)
                    EXECUTE sys.sp_executesql @measure, N'@ids nvarchar(max)', @ids = @ids;
            END TRY
            BEGIN CATCH
                SET @stopped = N'the pause failed: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + LEFT(ERROR_MESSAGE(), 600);
            END CATCH;
        END;

        /* Failed over, dropped, taken back by somebody: then nobody knows what the pause has shown. */
        SET @unlike = NULL;
        SELECT @unlike = MIN(ISNULL(c.shown_name, QUOTENAME(c.database_name)))
        FROM @chosen AS c
        LEFT JOIN sys.databases AS d
            ON  d.name COLLATE Latin1_General_BIN2 = c.database_name
            AND (d.create_date = c.created_local OR c.created_local IS NULL)
            AND d.target_recovery_time_in_seconds = c.wanted_seconds
            AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE'
        WHERE c.wave < @first_wave
        AND   d.database_id IS NULL;
        IF @unlike IS NOT NULL
            SET @stopped = ISNULL(@stopped, @unlike + N' is not as the script of its wave leaves it: run that script, settle it, or take its row out of this list');
        SET @unlike = NULL;
        SELECT @unlike = MIN(ISNULL(c.shown_name, QUOTENAME(c.database_name)))
        FROM @chosen AS c
        INNER JOIN @done AS o
            ON  o.ordinal = c.ordinal
            AND o.outcome = N'CHANGED'
        LEFT JOIN sys.databases AS d
            ON  d.name COLLATE Latin1_General_BIN2 = c.database_name
            AND d.create_date = o.created_local
            AND d.target_recovery_time_in_seconds = c.wanted_seconds
            AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE'
        WHERE d.database_id IS NULL;
        IF @unlike IS NOT NULL
            SET @stopped = ISNULL(@stopped, @unlike + N' is not any more as this script left it: failed over, replaced, or changed by somebody else');

        IF @stopped IS NULL AND @pause <> '00:00:00' AND @stop_above_write_ms IS NOT NULL
        BEGIN
            /* A file that is gone, or one that counts from 0 again, has lost the writes of the pause. */
            SELECT @restarted = COUNT(*)
            FROM @before AS b
            LEFT JOIN @behind AS e
                ON  e.database_id = b.database_id
                AND e.file_id = b.file_id
            WHERE e.file_id IS NULL
            OR    e.writes < b.writes
            OR    e.stall_ms < b.stall_ms;
            SELECT
                @writes = SUM(e.writes - ISNULL(b.writes, 0)),
                @stall_ms = SUM(e.stall_ms - ISNULL(b.stall_ms, 0))
            FROM @behind AS e
            LEFT JOIN @before AS b
                ON  b.database_id = e.database_id
                AND b.file_id = e.file_id;
            IF @restarted > 0
                SET @stopped = N'counters of data files of the earlier waves began anew or are gone, so the limit could not be judged: run again, or set the limit to NULL';
            ELSE IF ISNULL(@writes, 0) = 0
                SET @stopped = N'no data write of the earlier waves was seen, so the limit could not be judged: run again in a busier hour, or set the limit to NULL';
            ELSE
            BEGIN
                SET @write_ms = CONVERT(float, @stall_ms) / @writes;
                SET @outcome = CONVERT(nvarchar(20), @writes) + N' data writes of the earlier waves during the pause took ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 3), @write_ms)) + N' ms each on average; the limit is ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 3), @stop_above_write_ms)) + N' ms';
                IF @write_ms > @stop_above_write_ms
                    SET @stopped = @outcome;
                SET @outcome = N'MEASURED    ' + @outcome + N'.';
                RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
            END;
        END;
        IF @stopped IS NOT NULL
        BEGIN
            SET @stopped = N'before wave ' + CONVERT(nvarchar(11), @wave) + N': ' + @stopped;
            BREAK;
        END;
    END;

    /* Asked now, not when the script was written: a database may have been dropped, failed over or changed since. */
    SELECT
        @found = NULL,
        @found_created = NULL,
        @found_group = NULL,
        @after = NULL,
        @replica = NULL,
        @role = NULL,
        @contained_system = 0,
        @groups_seen = NULL,
        @obstacle = N'is not on this server under exactly this name (or this login cannot see it)';
    SELECT @replica = d.replica_id
    FROM sys.databases AS d
    WHERE d.name COLLATE Latin1_General_BIN2 = @name;

    /* Only where there is a role to ask for: this view refuses a login without VIEW SERVER STATE, also on a server without availability groups. */
    IF @replica IS NOT NULL
    BEGIN
        BEGIN TRY
            SELECT @role = CASE WHEN MIN(s.role_desc) = MAX(s.role_desc) THEN MIN(s.role_desc) ELSE N'MIXED' END
            FROM sys.dm_hadr_availability_replica_states AS s
            WHERE s.replica_id = @replica
            AND   s.is_local = 1
            HAVING COUNT(*) > 0;
        END TRY
        BEGIN CATCH
            SET @role = NULL;
        END CATCH;

        /* A contained availability group (SQL Server 2022 and later) has a master and an msdb of its own, named after it. Who sees no group does not see its name. */
        SELECT
            @groups_seen = COUNT(*),
            @contained_system = ISNULL(SUM(CASE WHEN @name IN (g.name + N'_master', g.name + N'_msdb') THEN 1 ELSE 0 END), 0)
        FROM sys.availability_replicas AS r
        INNER JOIN sys.availability_groups AS g
            ON g.group_id = r.group_id
        WHERE r.replica_id = @replica;
        IF ISNULL(CONVERT(int, PARSENAME(CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion')), 4)), 0) < 16
            SELECT
                @groups_seen = NULL,
                @contained_system = 0;
    END;

    SELECT
        @found = d.target_recovery_time_in_seconds,
        @obstacle =
            CASE
                WHEN d.database_id <= 4 THEN N'is a system database'
                WHEN @contained_system > 0 THEN N'is a system database of a contained availability group'
                WHEN d.source_database_id IS NOT NULL THEN N'is a database snapshot'
                WHEN d.create_date <> @created THEN N'is another database than the one that was reviewed: it was created since'
                WHEN d.group_database_id <> @group_database_id THEN N'is another database than the one that was reviewed: its identity in the availability group is another'
                WHEN @created IS NULL AND @group_database_id IS NOT NULL AND d.group_database_id IS NULL THEN N'is in no availability group any more, so it cannot be told from another database of this name'
                WHEN d.state <> 0 THEN N'is ' + d.state_desc
                WHEN d.is_in_standby = 1 THEN N'is in standby'
                WHEN d.replica_id IS NOT NULL AND @role IS NULL THEN N'is in an availability group and its role here cannot be seen (VIEW SERVER STATE is needed)'
                WHEN d.replica_id IS NOT NULL AND @groups_seen = 0 THEN N'is in an availability group that cannot be seen, so it may be a system database of it (VIEW ANY DEFINITION is needed)'
                WHEN d.replica_id IS NOT NULL AND @role <> N'PRIMARY' THEN N'is not the primary replica here: connect to the primary and have a script written there (this one stops on any other server)'
                WHEN d.is_read_only = 1 THEN N'is read-only'
                WHEN ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'UNKNOWN') <> N'READ_WRITE' THEN N'is not writable here (a forwarder of a distributed availability group, perhaps)'
                WHEN d.target_recovery_time_in_seconds IS NULL THEN N'does not show its target recovery time'
                WHEN d.target_recovery_time_in_seconds = @wanted THEN N'already has this target recovery time'
                WHEN d.target_recovery_time_in_seconds <> @expected THEN N'has another target recovery time than the one that was reviewed: ' + CONVERT(nvarchar(11), d.target_recovery_time_in_seconds) + N' seconds'
                WHEN HAS_PERMS_BY_NAME(QUOTENAME(d.name), N'DATABASE', N'ALTER') = 0 THEN N'cannot be altered by this login: ALTER on the database is needed'
                ELSE NULL
            END,
        @found_created = d.create_date,
        @found_group = d.group_database_id
    FROM sys.databases AS d
    WHERE d.name COLLATE Latin1_General_BIN2 = @name;

    IF @obstacle IS NOT NULL
    BEGIN
        SELECT
            @after = @found,
            @outcome = N'LEFT ALONE',
            @reason = @obstacle + N'.';
    END;
    ELSE
    BEGIN
        BEGIN TRY
            SET @outcome = N'SETTING     ' + @shown;
            RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
            SET @statement = N'ALTER DATABASE ' + QUOTENAME(@name) + N' SET TARGET_RECOVERY_TIME = ' + CONVERT(nvarchar(11), @wanted) + N' SECONDS;';
            EXECUTE sys.sp_executesql @statement;
            SELECT @after = d.target_recovery_time_in_seconds
            FROM sys.databases AS d
            WHERE d.name COLLATE Latin1_General_BIN2 = @name;
            SELECT
                @outcome = CASE WHEN @after = @wanted THEN N'CHANGED' ELSE N'FAILED' END,
                @reason =
                    CASE
                        WHEN @after = @wanted THEN N'from ' + CONVERT(nvarchar(11), @found) + N' to ' + CONVERT(nvarchar(11), @wanted) + N' seconds.'
                        ELSE N'without an error, but the server now says ' + ISNULL(CONVERT(nvarchar(11), @after), N'nothing') + N' for its target recovery time.'
                    END;
        END TRY
        BEGIN CATCH
            SET @after = @found;
            SET @outcome = N'FAILED';
            SET @reason = N'with error ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N': ' + LEFT(ERROR_MESSAGE(), 1000) + N' Run by itself, this says all of the error: ' + @statement;
        END CATCH;
    END;
    INSERT @done (ordinal, created_local, group_database_id, seconds_before, seconds_after, outcome, reason)
    VALUES (@ordinal, @found_created, @found_group, @found, @after, @outcome, @reason);
    SET @outcome = LEFT(@outcome + SPACE(12), 12) + @shown + N' ' + @reason;
    RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
    SET @ordinal = @ordinal + 1;
END;

/* What was chosen and is not in the list, where this is the server that the list is of. */
SET @ordinal = 1;
WHILE @last IS NOT NULL AND @ordinal <= (SELECT MAX(l.ordinal) FROM @left_out AS l)
BEGIN
    SELECT @outcome = N'LEFT OUT    [' + REPLACE(l.database_name, N']', N']]') + N'] ' + l.reason + N'.'
    FROM @left_out AS l
    WHERE l.ordinal = @ordinal;
    RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
    SET @ordinal = @ordinal + 1;
END;

SELECT
    wave = c.wave,
    database_name = c.database_name,
    seconds_before = o.seconds_before,
    seconds_after = o.seconds_after,
    outcome = ISNULL(o.outcome, N'NOT REACHED'),
    reason = ISNULL(o.reason, ISNULL(N'stopped ' + @stopped, N'this is not the server, or a transaction is open')),
    undo_row =
        CASE
            WHEN o.outcome = N'CHANGED' THEN
                N'INSERT @chosen (database_name, created_local, group_database_id, expected_seconds, wanted_seconds) VALUES ('
                /* As its bytes, where a tool could read the characters otherwise. */
                + CASE
                    WHEN c.database_name COLLATE Latin1_General_BIN2 LIKE N'%[^ -~]%' OR CHARINDEX(N'$', c.database_name) > 0
                        THEN N'CONVERT(nvarchar(128), ' + CONVERT(nvarchar(600), CONVERT(varbinary(256), c.database_name), 1) + N')'
                    ELSE N'N''' + REPLACE(c.database_name, N'''', N'''''') + N''''
                END
                + N', ''' + CONVERT(nvarchar(30), o.created_local, 126) + N''', '
                + ISNULL(N'''' + CONVERT(nvarchar(36), o.group_database_id) + N'''', N'NULL') + N', '
                + CONVERT(nvarchar(11), o.seconds_after) + N', ' + CONVERT(nvarchar(11), o.seconds_before) + N');'
            ELSE NULL
        END
FROM @chosen AS c
LEFT JOIN @done AS o
    ON o.ordinal = c.ordinal
WHERE c.wave >= @first_wave
UNION ALL
SELECT
    NULL,
    l.database_name,
    NULL,
    NULL,
    N'LEFT OUT',
    l.reason,
    NULL
FROM @left_out AS l;

IF @last IS NULL
    RAISERROR(N'Stopped: the list is empty, a transaction is open, or this is not the server that the script was written for. Nothing was changed.', 16, 1);
IF @stopped IS NOT NULL
BEGIN
    SET @outcome = N'Stopped ' + @stopped + N'. What is NOT REACHED was not changed; undo_row takes back exactly what is CHANGED.';
    RAISERROR(N'%s', 16, 1, @outcome);
END;
SELECT @outcome =
    CONVERT(nvarchar(11), SUM(CASE WHEN o.outcome = N'CHANGED' THEN 1 ELSE 0 END)) + N' changed, '
    + CONVERT(nvarchar(11), SUM(CASE WHEN o.outcome = N'LEFT ALONE' THEN 1 ELSE 0 END)) + N' left alone, '
    + CONVERT(nvarchar(11), SUM(CASE WHEN o.outcome = N'FAILED' THEN 1 ELSE 0 END)) + N' failed'
    + CASE WHEN SUM(CASE WHEN o.outcome IS NULL THEN 1 ELSE 0 END) > 0 THEN N', ' + CONVERT(nvarchar(11), SUM(CASE WHEN o.outcome IS NULL THEN 1 ELSE 0 END)) + N' not reached' ELSE N'' END + N'.'
FROM @chosen AS c
LEFT JOIN @done AS o
    ON o.ordinal = c.ordinal
WHERE c.wave >= @first_wave;
PRINT @outcome;
SELECT @failed = COUNT(*)
FROM @done AS o
WHERE o.outcome = N'FAILED';
IF @failed > 0
    RAISERROR(N'%d failed: see the lines above.', 16, 1, @failed);
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
PRINT N'This window is left with IMPLICIT_TRANSACTIONS OFF, XACT_ABORT OFF, NOCOUNT ON, ROWCOUNT 0, and QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_WARNINGS and CONCAT_NULL_YIELDS_NULL ON.';
GO
