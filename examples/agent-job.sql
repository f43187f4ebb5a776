/*
Name:     agent-job
Purpose:  A job of SQL Server Agent that collects every quarter of an hour, by a CmdExec step. It is created disabled.
Changes:  msdb: adds one job with a step and a schedule
Needs:    sysadmin, because the step runs as the account of SQL Server Agent. With a proxy, SQLAgentUserRole in msdb and that proxy: add @proxy_name.
Runs on:  SQL Server 2012 and later on Windows; Agent on Linux has no CmdExec steps
Read it:  change the paths first. The account needs Node 20 or later, the environment variable CHECKPOINT_HEALTH_PASSWORD, and the right to write the lake.
          The step fails with exit code 3 if some servers were not reached; the output in its history says which.
Remove:   EXECUTE msdb.dbo.sp_delete_job @job_name = N'Checkpoint Health: collect';
*/
SET NOCOUNT ON;
DECLARE @name sysname = N'Checkpoint Health: collect';
DECLARE @job uniqueidentifier;
DECLARE @command nvarchar(max) = N'"C:\Program Files\nodejs\node.exe" "C:\checkpoint-health\checkpoint-health.js" --log text collect --lake D:\checkpoint-health\lake --servers C:\checkpoint-health\servers.json';
BEGIN TRY
    BEGIN TRANSACTION;
    EXECUTE msdb.dbo.sp_add_job @job_name = @name, @enabled = 0, @job_id = @job OUTPUT,
        @description = N'Reads what checkpoints did on the servers of the list into a lake. It changes nothing on them.';
    EXECUTE msdb.dbo.sp_add_jobstep @job_id = @job, @step_name = N'collect', @subsystem = N'CmdExec', @command = @command,
        @cmdexec_success_code = 0, @on_success_action = 1, @on_fail_action = 2, @retry_attempts = 0,
        @flags = 16; /* output appended to the log of the step, uncut: sp_help_jobsteplog shows it */
    EXECUTE msdb.dbo.sp_add_jobschedule @job_id = @job, @name = N'every quarter of an hour', @enabled = 1,
        @freq_type = 4, @freq_interval = 1, @freq_subday_type = 4, @freq_subday_interval = 15;
    EXECUTE msdb.dbo.sp_add_jobserver @job_id = @job, @server_name = N'(LOCAL)';
    COMMIT TRANSACTION;
    PRINT N'Created, disabled. Start it by hand, then enable it: ' + @name;
END TRY
BEGIN CATCH
    IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;
    THROW;
END CATCH;
