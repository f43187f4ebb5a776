/*
Name:     set-model-target-recovery-time
Purpose:  Sets the target recovery time of model, which databases created from now on inherit, and tempdb at the next start of the instance.
Changes:  TARGET_RECOVERY_TIME of model, and nothing else: no database that is there now
Needs:    ALTER on model
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  nothing is changed unless the server is the one named in the guard. Prints CHANGED, LEFT ALONE with the reason, or FAILED with the error; then it ends in an error.
          A restored or attached database keeps its own value. On SQL Server 2016 and 2017 look up KB4040276 first: before it, indirect checkpoints on tempdb could stop a scheduler.
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

/* expected_seconds is the value that was seen when the script was written; another value found now is left alone. NULL: whatever is there. */
DECLARE @expected int = <expected_seconds, int, NULL>;
DECLARE @wanted int = <wanted_seconds, int, 60>;
DECLARE @found int;
DECLARE @obstacle nvarchar(200) = N'cannot be seen by this login';
DECLARE @statement nvarchar(600);
DECLARE @outcome nvarchar(2000);
DECLARE @failed int = 0;

SELECT
    @found = d.target_recovery_time_in_seconds,
    @obstacle =
        CASE
            WHEN d.state <> 0 THEN N'is ' + d.state_desc
            WHEN d.is_read_only = 1 THEN N'is read-only'
            WHEN @wanted IS NULL OR @wanted NOT BETWEEN 0 AND 3600 THEN N'would get a target recovery time outside of 0 to 3600 seconds'
            WHEN d.target_recovery_time_in_seconds IS NULL THEN N'does not show its target recovery time'
            WHEN d.target_recovery_time_in_seconds = @wanted THEN N'already has this target recovery time'
            WHEN d.target_recovery_time_in_seconds <> @expected THEN N'has another target recovery time than the one that was reviewed: ' + CONVERT(nvarchar(11), d.target_recovery_time_in_seconds) + N' seconds'
            ELSE NULL
        END
FROM sys.databases AS d
WHERE d.database_id = 3
AND   d.name = N'model';

/* The guard once more, for whoever selects only a part of this script and runs that. */
IF @@TRANCOUNT > 0 OR (@@OPTIONS & 2) = 2 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'') <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: a transaction is open, implicit transactions are on, or this is not the server that the script was written for. Nothing was changed.', 16, 1);
    SET @obstacle = N'is not touched in a transaction, with implicit transactions, or on another server';
END;

IF @obstacle IS NULL
BEGIN
    RAISERROR(N'SETTING     [model]', 0, 1) WITH NOWAIT;
    BEGIN TRY
        SET @statement = N'ALTER DATABASE [model] SET TARGET_RECOVERY_TIME = ' + CONVERT(nvarchar(11), @wanted) + N' SECONDS;';
        EXECUTE sys.sp_executesql @statement;
        SET @outcome = N'CHANGED     [model] from ' + CONVERT(nvarchar(11), @found) + N' to ' + CONVERT(nvarchar(11), @wanted) + N' seconds. Databases that are there already keep theirs.';
    END TRY
    BEGIN CATCH
        SET @failed = @failed + 1;
        SET @outcome = N'FAILED      [model]: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE() + N' Run by itself, this says all of the error: ' + @statement;
    END CATCH;
END;
ELSE
    SET @outcome = N'LEFT ALONE  [model] ' + @obstacle + N'.';
RAISERROR(N'%s', 0, 1, @outcome) WITH NOWAIT;
IF @failed > 0
    RAISERROR(N'%d failed: see the lines above.', 16, 1, @failed);
GO

/* Leaves the session usable after a stop by the guard. */
SET NOEXEC OFF;
PRINT N'This window is left with XACT_ABORT OFF, NOCOUNT ON, ROWCOUNT 0, and QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_WARNINGS and CONCAT_NULL_YIELDS_NULL ON.';
GO
