/*
Name:     checkpoint-before-failover
Purpose:  Runs CHECKPOINT in the databases of the list, one after the other, the most work first, and times each beside its estimate:
          less to do for the shutdown, and less to redo after it or after a crash
Changes:  no data and no setting: each CHECKPOINT writes the changed pages of its database to disk now instead of later
Needs:    in each database sysadmin, db_owner or db_backupoperator; VIEW SERVER STATE (2022: VIEW SERVER PERFORMANCE STATE) to see
          the log since the last checkpoint and the redo queues, without which nothing is left alone for having little to do
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  prints each statement before it runs, then DONE with its time, LEFT ALONE with the reason, or FAILED with the error; three
          failures stop it. At the end one table. Cancelled or out of time: run it again, and what has little log since its checkpoint is
          left alone.
*/
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;
/* Begin no CHECKPOINT after this many minutes (0: no limit), nor where less log than this was written since the last one. */
DECLARE @stop_after_minutes int = <stop_after_minutes, int, 0>, @least_log_mb int = 16;
DECLARE @list table (ordinal int IDENTITY PRIMARY KEY, name sysname NOT NULL, created datetime NULL, estimated_ms bigint NULL,
    log_mb decimal(15, 1) NULL, took_ms int NULL, redo_queue_kb bigint NULL, outcome nvarchar(2048) NULL);
<databases, statements, INSERT @list (name) VALUES (N'TYPE A DATABASE NAME HERE');>

/* Guard: this server and no other, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')
    <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script names, or a transaction is open in this window. Nothing was done.', 16, 1);
    RETURN;
END;
DECLARE @at int = 0, @name sysname, @id int, @log_mb float, @statement nvarchar(400), @outcome nvarchar(2048), @done int = 0,
    @failed int = 0, @estimated_ms bigint, @took_ms int, @started datetime2(3) = SYSUTCDATETIME(), @began datetime2(3);
WHILE @failed < 3
BEGIN
    IF @stop_after_minutes > 0 AND DATEDIFF(SECOND, @started, SYSUTCDATETIME()) >= 60 * @stop_after_minutes
    BEGIN
        RAISERROR(N'OUT OF TIME: no further CHECKPOINT starts. To go on, run the whole script again.', 0, 1) WITH NOWAIT;
        BREAK;
    END;
    /* The next database, and what keeps it from being checkpointed now; NULL: nothing does. */
    SELECT TOP (1) @at = l.ordinal, @name = l.name, @id = d.database_id, @estimated_ms = l.estimated_ms, @outcome = CASE
        WHEN d.database_id IS NULL THEN N'LEFT ALONE: no user database here, or renamed or re-created since it was listed'
        WHEN d.state <> 0 OR ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'') <> N'READ_WRITE'
            THEN N'LEFT ALONE: not writable here now (' + d.state_desc
                + CASE WHEN d.replica_id IS NULL THEN N')' ELSE N'; a secondary or a forwarder, where CHECKPOINT writes nothing)' END
        WHEN HAS_DBACCESS(d.name) = 0 THEN N'LEFT ALONE: this login has no access' END
    FROM @list AS l
    LEFT JOIN sys.databases AS d
        ON d.name COLLATE Latin1_General_BIN2 = l.name AND d.create_date = ISNULL(l.created, d.create_date) AND d.database_id > 4
    WHERE l.ordinal > @at
    ORDER BY l.ordinal;
    IF @@ROWCOUNT = 0 BREAK;
    SELECT @log_mb = NULL, @took_ms = NULL;
    IF @outcome IS NULL
    BEGIN TRY /* From 2016 SP2 on, for a login that may see it; else no database is left alone for it. */
        EXECUTE sys.sp_executesql N'SELECT @mb = s.log_since_last_checkpoint_mb FROM sys.dm_db_log_stats(@id) AS s;',
            N'@id int, @mb float OUTPUT', @id = @id, @mb = @log_mb OUTPUT;
        IF @log_mb < @least_log_mb SET @outcome = N'LEFT ALONE: little log since its last checkpoint';
    END TRY
    BEGIN CATCH
        SET @log_mb = NULL;
    END CATCH;
    IF @outcome IS NULL
    BEGIN TRY
        SET @statement = REPLACE(N'USE [name]; CHECKPOINT;', N'[name]', QUOTENAME(@name));
        RAISERROR(N'%s', 0, 1, @statement) WITH NOWAIT;
        SET @began = SYSUTCDATETIME();
        EXECUTE sys.sp_executesql @statement;
        SET @took_ms = DATEDIFF(MILLISECOND, @began, SYSUTCDATETIME());
        SELECT @done += 1, @outcome = N'DONE in ' + CONVERT(nvarchar(20), @took_ms) + N' ms, '
            + CASE WHEN @estimated_ms IS NULL THEN N'no estimate' ELSE N'estimate ' + CONVERT(nvarchar(20), @estimated_ms) + N' ms' END;
    END TRY
    BEGIN CATCH
        SELECT @failed += 1, @outcome = N'FAILED: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
    UPDATE @list SET outcome = @outcome, log_mb = @log_mb, took_ms = @took_ms WHERE ordinal = @at;
    RAISERROR(N'    %s: %s', 0, 1, @name, @outcome) WITH NOWAIT;
END;

/* The longest redo queue of each on any replica, which no CHECKPOINT shortens; NULL: in no availability group, or not to be seen. */
IF SERVERPROPERTY(N'IsHadrEnabled') = 1
BEGIN TRY
    UPDATE l SET redo_queue_kb = (SELECT MAX(r.redo_queue_size) FROM sys.dm_hadr_database_replica_states AS r
        INNER JOIN sys.databases AS d ON d.database_id = r.database_id WHERE d.name COLLATE Latin1_General_BIN2 = l.name)
    FROM @list AS l;
END TRY
BEGIN CATCH
    PRINT N'The redo queues cannot be seen: ' + ERROR_MESSAGE();
END CATCH;
SELECT l.ordinal, l.name, l.estimated_ms, l.took_ms, l.log_mb, l.redo_queue_kb, outcome = ISNULL(l.outcome, N'NOT REACHED')
FROM @list AS l
ORDER BY l.ordinal;
RAISERROR(N'%d checkpointed, %d failed; the table shows the rest.', 0, 1, @done, @failed);
IF @failed > 0 RAISERROR(N'%d FAILED; it stops at 3.', 16, 1, @failed);
