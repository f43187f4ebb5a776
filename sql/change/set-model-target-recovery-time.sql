/*
Name:     set-model-target-recovery-time
Purpose:  Sets the target recovery time of model, which databases created from now on begin with, and tempdb at the next start.
Changes:  TARGET_RECOVERY_TIME of model, and nothing else: no database that is there now
Needs:    ALTER on model
Runs on:  SQL Server 2012 and later. Reviewed and run by a person; Checkpoint Health never runs it
Read it:  the table shows what model has now. A database that is restored or attached keeps its own value. On SQL Server 2016 and 2017 look
          up KB4040276 first: before it, indirect checkpoints of tempdb could stop a scheduler.
*/
SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF; DECLARE @reviewed int = <expected_seconds, int, 0>; /* what model had */

/* Guard: this server and no other, and no open transaction. All is one batch, so that RETURN ends all of it. */
IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')
    <> N'<server_name, sysname, TYPE THE SERVER NAME HERE>'
BEGIN
    RAISERROR(N'Stopped: this is not the server that the script names, or a transaction is open in this window. Nothing was done.', 16, 1);
    RETURN;
END;

IF EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = 3 AND d.target_recovery_time_in_seconds = @reviewed
    AND d.state = 0 AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE')
    ALTER DATABASE [model] SET TARGET_RECOVERY_TIME = <wanted_seconds, int, 60> SECONDS WITH NO_WAIT;
ELSE PRINT N'model LEFT ALONE: its value differs from the reviewed one (a second run finds the wanted one), or it cannot be written.';

SELECT d.name, reviewed = @reviewed, wanted = <wanted_seconds, int, 60>, now = d.target_recovery_time_in_seconds
FROM sys.databases AS d WHERE d.database_id = 3;
