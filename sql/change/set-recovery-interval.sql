/*
Name:     set-recovery-interval
Purpose:  Sets the server option recovery interval (min), which decides how often databases with a target recovery time of 0 are checkpointed.
Changes:  recovery interval (min) by sp_configure and RECONFIGURE; show advanced options meanwhile, set back at the end; no database, and no database with a target above 0 is affected
Needs:    ALTER SETTINGS (in sysadmin and serveradmin)
Runs on:  SQL Server 2012 and later, not Azure SQL Database. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  nothing is changed unless the server is the one named in the guard, the option has the value that was reviewed, and no other option waits for RECONFIGURE, which would apply it too.
          Prints CHANGED, LEFT ALONE with the reason, or FAILED with the error and what was set back; then it ends in an error. 0 means about one minute; above 60 minutes WITH OVERRIDE is used;
          32767 effectively turns automatic checkpoints off: logs grow, and recovery after a crash may take as long as it takes to redo all of them.
          Cancelled between sp_configure and RECONFIGURE, it leaves recovery interval (min) set and not in use, so that anybody's next RECONFIGURE applies it, and show advanced options
          perhaps at 1: look at value and value_in_use of both in sys.configurations, and set them back by hand.
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

/* expected_minutes is the value that was seen when the script was written; another value found now is left alone. NULL: nothing is expected, and nothing is changed. */
DECLARE @expected int = <expected_minutes, int, NULL>;
DECLARE @wanted int = <wanted_minutes, int, 0>;
DECLARE @found int;
DECLARE @in_use int;
DECLARE @advanced int;
DECLARE @advanced_now nvarchar(60);
DECLARE @pending nvarchar(1000);
DECLARE @obstacle nvarchar(1200) = N'cannot be seen by this login';
DECLARE @outcome nvarchar(2000);
DECLARE @failed int = 0;
DECLARE @step nvarchar(60) = N'before anything was set';
DECLARE @touched bit = 0;
DECLARE @shown bit = 0;
/* Above an hour RECONFIGURE asks for WITH OVERRIDE, which skips the check of values; it applies nothing else here, because nothing else may be pending. */
DECLARE @override bit = 0;

SELECT @advanced = CONVERT(int, c.value_in_use)
FROM sys.configurations AS c
WHERE c.name = N'show advanced options';

/* Everything that RECONFIGURE would apply, or that waits for a restart: then somebody is in the middle of something, and this is left alone.
   min server memory of 0 is in use as 16 on many servers: that is no change that waits. */
SELECT TOP (20) @pending = ISNULL(@pending + N', ', N'') + c.name + N' (' + CONVERT(nvarchar(20), c.value_in_use) + N' in use, ' + CONVERT(nvarchar(20), c.value) + N' set)'
FROM sys.configurations AS c
WHERE CONVERT(bigint, c.value) <> CONVERT(bigint, c.value_in_use)
AND   NOT (c.name = N'min server memory (MB)' AND CONVERT(bigint, c.value) = 0 AND CONVERT(bigint, c.value_in_use) = 16);

SELECT
    @found = CONVERT(int, c.value),
    @in_use = CONVERT(int, c.value_in_use),
    @obstacle =
        CASE
            WHEN @wanted IS NULL OR @wanted NOT BETWEEN 0 AND 32767 THEN N'takes a whole number of minutes from 0 to 32767'
            WHEN @pending IS NOT NULL THEN N'is left alone because RECONFIGURE would apply other changes that wait, or they wait for a restart: ' + @pending
            WHEN @advanced IS NULL THEN N'cannot be set where show advanced options cannot be seen'
            WHEN CONVERT(int, c.value_in_use) = @wanted THEN N'already is ' + CONVERT(nvarchar(11), @wanted)
            WHEN @expected IS NULL THEN N'is ' + CONVERT(nvarchar(11), c.value_in_use) + N' now; write that into the script as the expected value first'
            WHEN CONVERT(int, c.value_in_use) <> @expected THEN N'has another value than the one that was reviewed: ' + CONVERT(nvarchar(11), c.value_in_use)
            WHEN HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER SETTINGS') = 0 THEN N'cannot be changed by this login: ALTER SETTINGS is needed'
            ELSE NULL
        END
FROM sys.configurations AS c
WHERE c.name = N'recovery interval (min)';

/* The guard once more, for whoever selects only a part of this script and runs that. */
IF @@TRANCOUNT > 0 OR (@@OPTIONS & 2) = 2 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'') <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: a transaction is open, implicit transactions are on, or this is not the server that the script was written for. Nothing was changed.', 16, 1);
    SET @obstacle = N'is not touched in a transaction, with implicit transactions, or on another server';
END;

IF @wanted > 60 OR @found > 60
    SET @override = 1;

IF @obstacle IS NULL
BEGIN
    IF @wanted = 32767
        RAISERROR(N'WARNING     32767 effectively turns automatic checkpoints off in every database with a target recovery time of 0.', 0, 1) WITH NOWAIT;
    RAISERROR(N'SETTING     recovery interval (min)', 0, 1) WITH NOWAIT;
    BEGIN TRY
        IF @advanced = 0
        BEGIN
            SET @step = N'showing advanced options';
            EXECUTE sys.sp_configure @configname = N'show advanced options', @configvalue = 1;
            SET @shown = 1;
            IF @override = 1
                RECONFIGURE WITH OVERRIDE;
            ELSE
                RECONFIGURE;
        END;
        SET @step = N'setting the recovery interval';
        EXECUTE sys.sp_configure @configname = N'recovery interval (min)', @configvalue = @wanted;
        SET @touched = 1;
        /* Asked once more, right before: somebody may have set something since. */
        IF EXISTS
        (
            SELECT 1
            FROM sys.configurations AS c
            WHERE CONVERT(bigint, c.value) <> CONVERT(bigint, c.value_in_use)
            AND   c.name <> N'recovery interval (min)'
            AND   NOT (c.name = N'min server memory (MB)' AND CONVERT(bigint, c.value) = 0 AND CONVERT(bigint, c.value_in_use) = 16)
        )
            RAISERROR(N'Another option was set meanwhile and waits for RECONFIGURE.', 16, 1);
        SET @step = N'RECONFIGURE';
        IF @override = 1
            RECONFIGURE WITH OVERRIDE;
        ELSE
            RECONFIGURE;
        SET @touched = 0;
        SET @outcome = N'CHANGED     recovery interval (min) from ' + CONVERT(nvarchar(11), @in_use) + N' to ' + CONVERT(nvarchar(11), @wanted) + N'. Only databases with a target recovery time of 0 are affected.';
    END TRY
    BEGIN CATCH
        SET @failed = @failed + 1;
        SET @outcome = N'FAILED      recovery interval (min) while ' + @step + N': ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
    RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;

    /* What was set and is not in use must not wait for somebody else's RECONFIGURE. */
    IF @touched = 1
    BEGIN TRY
        EXECUTE sys.sp_configure @configname = N'recovery interval (min)', @configvalue = @found;
        RAISERROR(N'SET BACK    recovery interval (min), which had not come into use.', 0, 1) WITH NOWAIT;
    END TRY
    BEGIN CATCH
        SET @failed = @failed + 1;
        SET @outcome = N'FAILED      recovery interval (min) still waits for RECONFIGURE with ' + CONVERT(nvarchar(11), @wanted) + N', and could not be set back: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
        RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
    END CATCH;

    IF @shown = 1
    BEGIN TRY
        EXECUTE sys.sp_configure @configname = N'show advanced options', @configvalue = 0;
        /* RECONFIGURE would apply what somebody else has set meanwhile: then theirs takes this along. */
        IF EXISTS
        (
            SELECT 1
            FROM sys.configurations AS c
            WHERE CONVERT(bigint, c.value) <> CONVERT(bigint, c.value_in_use)
            AND   c.name <> N'show advanced options'
            AND   NOT (c.name = N'min server memory (MB)' AND CONVERT(bigint, c.value) = 0 AND CONVERT(bigint, c.value_in_use) = 16)
        )
            RAISERROR(N'SET BACK    show advanced options to 0; it comes into use with the next RECONFIGURE, because another option waits for one now.', 0, 1) WITH NOWAIT;
        ELSE
        BEGIN
            IF @override = 1
                RECONFIGURE WITH OVERRIDE;
            ELSE
                RECONFIGURE;
            RAISERROR(N'SET BACK    show advanced options to 0.', 0, 1) WITH NOWAIT;
        END;
    END TRY
    BEGIN CATCH
        SET @failed = @failed + 1;
        SELECT @advanced_now = CONVERT(nvarchar(20), c.value) + N' set, ' + CONVERT(nvarchar(20), c.value_in_use) + N' in use'
        FROM sys.configurations AS c
        WHERE c.name = N'show advanced options';
        SET @outcome = N'FAILED      show advanced options was not set back, and is ' + ISNULL(@advanced_now, N'not to be seen by this login') + N': ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
        RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
    END CATCH;
END;
ELSE
BEGIN
    SET @outcome = N'LEFT ALONE  recovery interval (min) ' + @obstacle + N'.';
    RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
END;
/* Last, so that nothing is left undone by a tool that ends at the first error. */
IF @failed > 0
    RAISERROR(N'%d failed: see the lines above.', 16, 1, @failed);
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
PRINT N'This window is left with XACT_ABORT OFF, NOCOUNT ON, ROWCOUNT 0, and QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_WARNINGS and CONCAT_NULL_YIELDS_NULL ON.';
GO
