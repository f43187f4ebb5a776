/*
Name:     checkpoint-throttled
Purpose:  Runs CHECKPOINT with a requested duration in the databases listed below, one after the other, and prints the time each took beside the time asked for.
Changes:  no data and no setting: each CHECKPOINT writes the changed pages of its database to disk now instead of later
Needs:    in each database sysadmin, db_owner or db_backupoperator; for those in an availability group also VIEW SERVER STATE (2022: VIEW SERVER PERFORMANCE STATE, and VIEW ANY DEFINITION)
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  the number of seconds is a request and no bound: the engine tries to spread the writes over it, and may end earlier or later. A shorter time takes more of the storage at once,
          a longer one leaves more to redo after a crash in the meantime. Without a number the engine throttles itself by write latency, which is the better choice unless you measured otherwise.
          Each database prints BEGINS, then DONE with both times, LEFT ALONE with the reason, or FAILED with the error; after one that FAILED it ends in an error. A second run does no harm.
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

/* The list: one row a database. created_local tells the database from another one that has taken its name since. Names are written as sys.databases has them.
   shown_name is what is printed of a name that holds characters which nobody sees; NULL: the name. */
DECLARE @chosen table
(
    ordinal int IDENTITY(1, 1) PRIMARY KEY,
    database_name sysname NOT NULL,
    shown_name nvarchar(1200) NULL,
    created_local datetime NULL,
    wanted_seconds int NOT NULL DEFAULT (60)
);
<chosen_databases, statements, INSERT @chosen (database_name) VALUES (N'TYPE A DATABASE NAME HERE');>

DECLARE @ordinal int = 1;
/* The guard once more, for whoever selects only a part of this script and runs that: elsewhere, or in a transaction, the list counts as empty. */
DECLARE @last int =
(
    SELECT MAX(c.ordinal)
    FROM @chosen AS c
    WHERE @@TRANCOUNT = 0
    AND   (@@OPTIONS & 2) = 0
    AND   CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
);
DECLARE @began datetime2(3);
DECLARE @took bigint;
DECLARE @name sysname;
DECLARE @shown nvarchar(1200);
DECLARE @created datetime;
DECLARE @wanted int;
DECLARE @database_id int;
DECLARE @replica uniqueidentifier;
DECLARE @role nvarchar(60);
DECLARE @group_unseen int;
DECLARE @contained_system int;
DECLARE @obstacle nvarchar(400);
/* Called by a name with a database in it, sp_executesql runs its text there. */
DECLARE @procedure nvarchar(300);
DECLARE @statement nvarchar(60);
DECLARE @outcome nvarchar(2000);
DECLARE @done int = 0;
DECLARE @left_alone int = 0;
DECLARE @failed int = 0;

WHILE @ordinal <= @last
BEGIN
    SELECT
        @name = c.database_name,
        @shown = ISNULL(c.shown_name, QUOTENAME(c.database_name)),
        @created = c.created_local,
        @wanted = c.wanted_seconds
    FROM @chosen AS c
    WHERE c.ordinal = @ordinal;

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
                ELSE NULL
            END
    FROM sys.databases AS d
    WHERE d.name COLLATE Latin1_General_BIN2 = @name;

    /* CHECKPOINT takes a whole number above 0. */
    IF @obstacle IS NULL AND @wanted < 1
        SET @obstacle = N'has no number of seconds above 0 beside it in the list';

    IF @obstacle IS NULL
    BEGIN
        SET @outcome = N'BEGINS      ' + @shown + N', asked to take ' + CONVERT(nvarchar(11), @wanted) + N' s.';
        RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
        SET @began = SYSUTCDATETIME();
        BEGIN TRY
            SET @procedure = QUOTENAME(@name) + N'.sys.sp_executesql';
            SET @statement = N'CHECKPOINT ' + CONVERT(nvarchar(11), @wanted) + N';';
            EXECUTE @procedure @statement;
            SET @took = DATEDIFF(SECOND, @began, SYSUTCDATETIME());
            SET @took = CASE WHEN @took BETWEEN 0 AND 86400 THEN DATEDIFF(MILLISECOND, @began, SYSUTCDATETIME()) ELSE @took * 1000 END;
            SET @done = @done + 1;
            SET @outcome = N'DONE        ' + @shown + N' asked ' + CONVERT(nvarchar(11), @wanted) + N' s, took ' + CONVERT(nvarchar(20), CONVERT(decimal(15, 3), @took / 1000.0)) + N' s.';
        END TRY
        BEGIN CATCH
            SET @failed = @failed + 1;
            SET @outcome = N'FAILED      ' + @shown + N': ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE() + N' The next database follows.';
        END CATCH;
    END;
    ELSE
    BEGIN
        SET @left_alone = @left_alone + 1;
        SET @outcome = N'LEFT ALONE  ' + @shown + N' ' + @obstacle + N'.';
    END;
    RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
    SET @ordinal = @ordinal + 1;
END;

IF @last IS NULL
    RAISERROR(N'Stopped: the list is empty, a transaction is open, implicit transactions are on, or this is not the server that the script was written for. Nothing was done.', 16, 1);
SET @outcome = CONVERT(nvarchar(11), @done) + N' checkpointed, ' + CONVERT(nvarchar(11), @left_alone) + N' left alone, ' + CONVERT(nvarchar(11), @failed) + N' failed.';
PRINT @outcome;
/* Last, so that nothing is left undone by a tool that ends at the first error. */
IF @failed > 0
    RAISERROR(N'%d failed: see the lines above.', 16, 1, @failed);
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
PRINT N'This window is left with XACT_ABORT OFF, NOCOUNT ON, ROWCOUNT 0, and QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_WARNINGS and CONCAT_NULL_YIELDS_NULL ON.';
GO
