/*
Name:     set-recovery-interval
Purpose:  Sets the server option recovery interval (min): how often databases with a target recovery time of 0 are checkpointed.
Changes:  recovery interval (min), at once; show advanced options meanwhile, where it is off. No database with a target above 0 is affected
Needs:    ALTER SETTINGS (sysadmin and serveradmin have it)
Runs on:  SQL Server 2012 and later, not Azure SQL Database. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  CHANGED, LEFT ALONE with the reason, or FAILED with the error, and both options as they are afterwards. 0 means about one minute;
          32767 effectively turns automatic checkpoints off: logs grow, and recovery after a crash has all of that to redo. Cancelled
          before its RECONFIGURE, it leaves values set and not in use, which the next one of any login applies: set them back by hand.
*/
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF; DECLARE @reviewed int = <expected_minutes, int, NULL>,
    @wanted int = <wanted_minutes, int, 0>; /* minutes: what was in use when this was written, and what is wanted */

/* Guard: this server and no other, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')
    <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script names, or a transaction is open in this window. Nothing was done.', 16, 1);
    RETURN;
END;
DECLARE @advanced int, @waiting nvarchar(1000), @outcome nvarchar(4000) = N'LEFT ALONE: this login cannot see it', @failed bit = 0;
SELECT @advanced = CONVERT(int, c.value_in_use) FROM sys.configurations AS c WHERE c.name = N'show advanced options';
/* What RECONFIGURE would bring into use too. What waits for a restart is left to it; a min server memory of 0 is in use as 8 or 16. */
SELECT TOP (5) @waiting = ISNULL(@waiting, N'') + N', ' + c.name
    + N' (' + CONVERT(nvarchar(20), c.value_in_use) + N' in use, ' + CONVERT(nvarchar(20), c.value) + N' set)'
FROM sys.configurations AS c
WHERE c.is_dynamic = 1 AND c.value <> c.value_in_use
AND   NOT (c.name = N'min server memory (MB)' AND c.value IN (0, 8, 16) AND c.value_in_use IN (0, 8, 16));
SELECT @outcome = CASE
    WHEN @waiting IS NOT NULL THEN N'LEFT ALONE: other settings wait for RECONFIGURE: ' + SUBSTRING(@waiting, 3, 1000)
    WHEN c.value_in_use = @wanted THEN N'LEFT ALONE: already has the wanted value'
    WHEN @reviewed IS NULL OR c.value_in_use <> @reviewed THEN N'LEFT ALONE: its value differs from the reviewed one'
    WHEN HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER SETTINGS') = 0 THEN N'LEFT ALONE: this login lacks ALTER SETTINGS' END
FROM sys.configurations AS c
WHERE c.name = N'recovery interval (min)';
IF @outcome IS NULL
BEGIN
    BEGIN TRY /* WITH OVERRIDE: above 60 minutes RECONFIGURE wants it. It applies nothing else, because nothing else waits. */
        IF @advanced = 0
        BEGIN
            EXECUTE sys.sp_configure N'show advanced options', 1;
            RECONFIGURE WITH OVERRIDE;
        END;
        EXECUTE sys.sp_configure N'recovery interval (min)', @wanted;
        IF (SELECT COUNT(*) FROM sys.configurations AS c WHERE c.is_dynamic = 1 AND c.value <> c.value_in_use
            AND c.name <> N'min server memory (MB)') > 1
            RAISERROR(N'Another option was set meanwhile and waits for RECONFIGURE.', 16, 1);
        RECONFIGURE WITH OVERRIDE;
        SET @outcome = N'CHANGED';
    END TRY
    BEGIN CATCH
        SELECT @failed = 1, @outcome = N'FAILED: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
    BEGIN TRY /* What is not in use goes back, and advanced options with it; without RECONFIGURE where that would apply another login's. */
        IF @advanced = 0 EXECUTE sys.sp_configure N'show advanced options', 0;
        IF EXISTS (SELECT 1 FROM sys.configurations AS c WHERE c.name = N'recovery interval (min)' AND c.value <> c.value_in_use)
            EXECUTE sys.sp_configure N'recovery interval (min)', @reviewed;
        IF @advanced = 0 AND NOT EXISTS (SELECT 1 FROM sys.configurations AS c WHERE c.is_dynamic = 1 AND c.value <> c.value_in_use
            AND c.name NOT IN (N'show advanced options', N'min server memory (MB)'))
            RECONFIGURE WITH OVERRIDE;
    END TRY
    BEGIN CATCH
        SELECT @failed = 1, @outcome += N' NOT SET BACK: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
END;
SELECT c.name, value_set = c.value, c.value_in_use, outcome = CASE c.name WHEN N'recovery interval (min)' THEN @outcome ELSE N'' END
FROM sys.configurations AS c
WHERE c.name IN (N'recovery interval (min)', N'show advanced options')
ORDER BY c.name;
IF @failed = 1 RAISERROR(N'%s', 16, 1, @outcome);
ELSE RAISERROR(N'recovery interval (min): %s', 0, 1, @outcome);
