/*
Name:     checkpoint-throttled
Purpose:  Asks a CHECKPOINT of each database of the list to take this many seconds, one after the other, and shows what each took.
Changes:  no data and no setting: each CHECKPOINT writes the changed pages of its database to disk now instead of later
Needs:    in each database sysadmin, db_owner or db_backupoperator
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  the number is a request, not a limit: the engine tries to spread the writes over it, and may end earlier or later. Prints each
          statement before it runs, then DONE with its time, LEFT ALONE with the reason, or FAILED with the error; three failures stop it.
          At the end one table. A second run does no harm.
*/
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;
DECLARE @seconds int = <seconds, int, 60>; /* A shorter time takes more of the storage at once, a longer one leaves more to redo. */
DECLARE @list table (ordinal int IDENTITY PRIMARY KEY, name sysname NOT NULL, created datetime NULL, took_ms int NULL,
    outcome nvarchar(2048) NULL);
<databases, statements, INSERT @list (name) VALUES (N'TYPE A DATABASE NAME HERE');>

/* Guard: this server and no other, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')
    <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script names, or a transaction is open in this window. Nothing was done.', 16, 1);
    RETURN;
END;
DECLARE @at int = 0, @name sysname, @statement nvarchar(400), @outcome nvarchar(2048), @done int = 0, @failed int = 0,
    @took_ms int, @began datetime2(3);
WHILE @failed < 3
BEGIN
    /* The next database, and what keeps it from being checkpointed now; NULL: nothing does. */
    SELECT TOP (1) @at = l.ordinal, @name = l.name, @took_ms = NULL, @outcome = CASE
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
    IF @outcome IS NULL
    BEGIN TRY
        SET @statement = REPLACE(REPLACE(N'USE [name]; CHECKPOINT {seconds};', N'{seconds}', @seconds), N'[name]', QUOTENAME(@name));
        RAISERROR(N'%s', 0, 1, @statement) WITH NOWAIT;
        SET @began = SYSUTCDATETIME();
        EXECUTE sys.sp_executesql @statement;
        SET @took_ms = DATEDIFF(MILLISECOND, @began, SYSUTCDATETIME());
        SELECT @done += 1, @outcome = N'DONE in ' + CONVERT(nvarchar(20), @took_ms) + N' ms';
    END TRY
    BEGIN CATCH
        SELECT @failed += 1, @outcome = N'FAILED: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
    UPDATE @list SET outcome = @outcome, took_ms = @took_ms WHERE ordinal = @at;
    RAISERROR(N'    %s: %s', 0, 1, @name, @outcome) WITH NOWAIT;
END;

SELECT l.ordinal, l.name, asked_s = @seconds, took_s = CONVERT(decimal(15, 3), l.took_ms / 1000.0),
    outcome = ISNULL(l.outcome, N'NOT REACHED')
FROM @list AS l
ORDER BY l.ordinal;
RAISERROR(N'%d checkpointed, %d failed; the table shows the rest.', 0, 1, @done, @failed);
IF @failed > 0 RAISERROR(N'%d FAILED; it stops at 3.', 16, 1, @failed);
