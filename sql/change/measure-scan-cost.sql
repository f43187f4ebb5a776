/*
Name:     measure-scan-cost
Purpose:  Runs CHECKPOINT several times in one idle database with automatic checkpoints, and prints what each took: mostly the scan of the buffer pool, since an idle database has next to nothing to write.
Changes:  no data and no setting. It does issue checkpoints: the first writes whatever changed pages the database has, and each scans the buffer pool
Needs:    in the database sysadmin, db_owner or db_backupoperator; VIEW SERVER STATE (2022: VIEW SERVER PERFORMANCE STATE) for the size of the buffer pool, without which it is not observable; in an availability group that too (2022: and VIEW ANY DEFINITION)
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  the first time holds writing too and is printed apart; the lowest of the others is the cost of a scan, what is above it is writing or waiting. Every automatic checkpoint of every database
          pays that cost. From SQL Server 2022 a large buffer pool is scanned by several tasks at once. Published for one server, an idle database: 40 ms with an empty buffer pool, 400 ms with 100 GB,
          700 ms with 200 GB. Yours need not lie on a line between these points.
*/
SET NOCOUNT ON;
SET ROWCOUNT 0;
SET XACT_ABORT OFF;
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET ANSI_WARNINGS ON;
SET CONCAT_NULL_YIELDS_NULL ON;

/* Guard: the right server, no open transaction, and none that opens by itself. SET NOEXEC ON also stops every batch behind the next GO. */
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    IF (@@OPTIONS & 2) = 2
    BEGIN
        RAISERROR(N'Stopped: implicit transactions are on in this session. Nothing was done. Run SET IMPLICIT_TRANSACTIONS OFF; in it, then run the whole script again.', 16, 1);
        SET NOEXEC ON;
    END;
    ELSE IF @@TRANCOUNT = 0
        PRINT N'Server ' + CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) + N': the one this script was written for.';
    ELSE
    BEGIN
        RAISERROR(N'Stopped: a transaction is open in this session. Nothing was done. Commit it or roll it back, then run the whole script again.', 16, 1);
        SET NOEXEC ON;
    END;
END;
ELSE
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script was written for. Nothing was done. Connect to the right server, then run the whole script.', 16, 1);
    SET NOEXEC ON;
END;
GO

SET NOCOUNT ON;
SET ROWCOUNT 0;
SET XACT_ABORT OFF;
SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET ANSI_WARNINGS ON;
SET CONCAT_NULL_YIELDS_NULL ON;

/* One database that nobody writes to now. created_local tells it from another one that has taken its name since. Names are written as sys.databases has them.
   shown_name is what is printed of a name that holds characters which nobody sees; NULL: the name. */
DECLARE @chosen table
(
    ordinal int IDENTITY(1, 1) PRIMARY KEY,
    database_name sysname NOT NULL,
    shown_name nvarchar(1200) NULL,
    created_local datetime NULL
);
<chosen_databases, statements, INSERT @chosen (database_name) VALUES (N'TYPE A DATABASE NAME HERE');>

/* How often, 2 to 100. */
DECLARE @times int = <times, int, 6>;
/* The guard once more, for whoever selects only a part of this script and runs that: elsewhere, or in a transaction, the list counts as empty. */
DECLARE @last int =
(
    SELECT MAX(c.ordinal)
    FROM @chosen AS c
    WHERE @@TRANCOUNT = 0
    AND   (@@OPTIONS & 2) = 0
    AND   CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
);
DECLARE @times_taken table
(
    run int NOT NULL PRIMARY KEY,
    took_us bigint NOT NULL
);
DECLARE @run int = 1;
DECLARE @began datetime2(7);
DECLARE @took_us bigint;
DECLARE @lowest_us bigint;
DECLARE @highest_us bigint;
DECLARE @pool_mb bigint;
DECLARE @line_ms bigint;
DECLARE @name sysname;
DECLARE @shown nvarchar(1200);
DECLARE @created datetime;
DECLARE @database_id int;
DECLARE @replica uniqueidentifier;
DECLARE @role nvarchar(60);
DECLARE @group_unseen int;
DECLARE @contained_system int;
DECLARE @obstacle nvarchar(400);
/* Called by a name with a database in it, sp_executesql runs its text there. */
DECLARE @procedure nvarchar(300);
DECLARE @outcome nvarchar(2000);
DECLARE @failed int = 0;

IF @last IS NULL
    RAISERROR(N'Stopped: the list is empty, a transaction is open, implicit transactions are on, or this is not the server that the script was written for. Nothing was done.', 16, 1);
IF @last > 1
    RAISERROR(N'Only the first database of the list is measured.', 0, 1) WITH NOWAIT;
IF @times NOT BETWEEN 2 AND 100
    SET @times = CASE WHEN @times < 2 THEN 2 ELSE 100 END;

IF @last IS NOT NULL
BEGIN
    SELECT
        @name = c.database_name,
        @shown = ISNULL(c.shown_name, QUOTENAME(c.database_name)),
        @created = c.created_local
    FROM @chosen AS c
    WHERE c.ordinal = 1;

    /* Asked now, not when the script was written: a database may have been dropped, failed over or closed to this login since. */
    SET @replica = NULL;
    SET @role = NULL;
    SET @group_unseen = 0;
    SET @contained_system = 0;
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
        SELECT @group_unseen = CASE WHEN COUNT(*) = 0 AND CONVERT(int, SERVERPROPERTY(N'ProductMajorVersion')) >= 16 THEN 1 ELSE 0 END
        FROM sys.availability_replicas AS r
        INNER JOIN sys.availability_groups AS g
            ON g.group_id = r.group_id
        WHERE r.replica_id = @replica;
        SELECT @contained_system = COUNT(*)
        FROM sys.availability_replicas AS r
        INNER JOIN sys.availability_groups AS g
            ON g.group_id = r.group_id
        WHERE r.replica_id = @replica
        AND   @name IN (g.name + N'_master', g.name + N'_msdb')
        AND   CONVERT(int, SERVERPROPERTY(N'ProductMajorVersion')) >= 16;
    END;

    SET @obstacle = N'is not on this server under exactly this name (or this login cannot see it)';
    SELECT
        @database_id = d.database_id,
        @obstacle =
            CASE
                WHEN d.database_id <= 4 THEN N'is a system database'
                WHEN @contained_system > 0 THEN N'is a system database of a contained availability group'
                WHEN d.source_database_id IS NOT NULL THEN N'is a database snapshot'
                WHEN d.create_date <> @created THEN N'is another database than the one that was reviewed: it was created since'
                WHEN d.state <> 0 THEN N'is ' + d.state_desc
                WHEN d.is_in_standby = 1 THEN N'is in standby'
                WHEN d.is_read_only = 1 THEN N'is read-only'
                WHEN d.replica_id IS NOT NULL AND @role IS NULL THEN N'is in an availability group and its role here cannot be seen (VIEW SERVER STATE is needed)'
                WHEN @group_unseen > 0 THEN N'is in an availability group that cannot be seen, so it may be a system database of it (VIEW ANY DEFINITION is needed)'
                WHEN d.replica_id IS NOT NULL AND @role <> N'PRIMARY' THEN N'is not the primary replica here, where CHECKPOINT would write nothing: connect to the primary and have a script written there (this one stops on any other server)'
                WHEN ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'UNKNOWN') <> N'READ_WRITE' THEN N'is not writable here (a forwarder of a distributed availability group, perhaps)'
                WHEN HAS_DBACCESS(d.name) = 0 THEN N'does not let this login in'
                WHEN HAS_PERMS_BY_NAME(QUOTENAME(d.name), N'DATABASE', N'CHECKPOINT') = 0 THEN N'does not let this login run CHECKPOINT (sysadmin, db_owner or db_backupoperator is needed)'
                WHEN d.target_recovery_time_in_seconds <> 0 THEN N'uses indirect checkpoints, which do not scan the buffer pool: there is no scan to measure'
                ELSE NULL
            END
    FROM sys.databases AS d
    WHERE d.name COLLATE Latin1_General_BIN2 = @name;

    IF @obstacle IS NOT NULL
    BEGIN
        SET @outcome = N'LEFT ALONE  ' + @shown + N' ' + @obstacle + N'.';
        RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
    END;

    /* What the buffer pool holds now, in pages of 8 KB. The object is named after the instance and padded with blanks. */
    BEGIN TRY
        SELECT @pool_mb = MAX(p.cntr_value) / 128
        FROM sys.dm_os_performance_counters AS p
        WHERE p.object_name LIKE N'%:Buffer Manager%'
        AND   p.counter_name = N'Database pages';
    END TRY
    BEGIN CATCH
        SET @pool_mb = NULL;
    END CATCH;

    WHILE @obstacle IS NULL AND @run <= @times
    BEGIN
        BEGIN TRY
            SET @procedure = QUOTENAME(@name) + N'.sys.sp_executesql';
            SET @began = SYSUTCDATETIME();
            EXECUTE @procedure N'CHECKPOINT;';
            SET @took_us = DATEDIFF(SECOND, @began, SYSUTCDATETIME());
            SET @took_us = CASE WHEN @took_us BETWEEN 0 AND 1800 THEN DATEDIFF(MICROSECOND, @began, SYSUTCDATETIME()) ELSE @took_us * 1000000 END;
            INSERT @times_taken (run, took_us) VALUES (@run, @took_us);
            SET @outcome = N'CHECKPOINT  ' + CONVERT(nvarchar(11), @run) + N' of ' + CONVERT(nvarchar(11), @times) + N' in ' + @shown + N' took '
                + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), @took_us / 1000.0)) + N' ms' + CASE WHEN @run = 1 THEN N' (not counted: it wrote what was there)' ELSE N'' END + N'.';
        END TRY
        BEGIN CATCH
            SET @outcome = N'FAILED      ' + @shown + N': ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE() + N' No further CHECKPOINT follows.';
            SET @failed = @failed + 1;
            SET @obstacle = N'failed';
        END CATCH;
        RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
        SET @run = @run + 1;
    END;

    SELECT
        @lowest_us = MIN(t.took_us),
        @highest_us = MAX(t.took_us)
    FROM @times_taken AS t
    WHERE t.run >= 2;
    SET @line_ms =
        CASE
            WHEN @pool_mb <= 102400 THEN 40 + 360 * @pool_mb / 102400
            WHEN @pool_mb <= 204800 THEN 400 + 300 * (@pool_mb - 102400) / 102400
            ELSE NULL
        END;
    SET @outcome = N'RESULT      lowest ' + ISNULL(CONVERT(nvarchar(30), CONVERT(decimal(18, 1), @lowest_us / 1000.0)) + N' ms, highest ' + CONVERT(nvarchar(30), CONVERT(decimal(18, 1), @highest_us / 1000.0)) + N' ms', N'not measured')
        + N'; buffer pool ' + ISNULL(CONVERT(nvarchar(20), @pool_mb) + N' MB', N'not observable') + N'; a straight line between the published points (40 ms, 400 ms at 100 GB, 700 ms at 200 GB) '
        + CASE
            WHEN @pool_mb IS NULL THEN N'needs that size'
            WHEN @line_ms IS NULL THEN N'ends at 200 GB'
            ELSE N'would give ' + CONVERT(nvarchar(20), @line_ms) + N' ms'
          END + N'.';
    RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
END;
IF @failed > 0
    RAISERROR(N'%d failed: see the lines above.', 16, 1, @failed);
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
PRINT N'This window is left with XACT_ABORT OFF, NOCOUNT ON, ROWCOUNT 0, and QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_WARNINGS and CONCAT_NULL_YIELDS_NULL ON.';
GO
