/** Writes a switch as a job of SQL Server Agent: the text creates the job, disabled and without a schedule. */
import { quoteInString, quoteStringInScript } from './quote';
import { writeHeading } from './review-program';
import type { ReviewScript } from './script-set';
import { takeGuard } from './switch-program';
import type { ReviewText } from './text';

/** msdb.dbo.sysjobs.name is a sysname. */
const MOST_NAME_CHARACTERS = 128;

/**
 * Wraps the text of a switch word for word, as one literal, so that Agent runs what was reviewed. It holds no `$(`,
 * which Agent would take for a token (docs/facts.md, SQL Server 2).
 * @param change the switch, as it was written for review
 */
export function writeAgentJob({ title, text }: ReviewScript): ReviewScript {
  const subject = title.replace(/^SWITCH: /, '');
  const job = quoteStringInScript(`Checkpoint Health: switch of ${subject}`.slice(0, MOST_NAME_CHARACTERS));
  const heading = writeHeading(
    `AGENT JOB: switch of ${subject}. Creates a job with one step, the switch script word for word.`,
    [
      [
        'State',
        'the job is disabled and has no schedule. It runs when you start it by hand (Start Job at Step, sp_start_job).',
      ],
      [
        'Wave',
        /^DECLARE @wave /m.test(text)
          ? 'DECLARE @wave in the step names it: change it there, or here.'
          : 'one for all.',
      ],
      ['Output', 'sp_help_jobsteplog in msdb shows all of it. A database that FAILED fails the job.'],
      ['Needs', 'SQLAgentUserRole in msdb.'],
      [
        'Owner',
        "the login that runs this: the step has its permissions, ALTER on each database; a sysadmin's runs as the account of Agent.",
      ],
      [
        'Group',
        'a job does not move with a failover: create it on each replica that the guard names, and start it on the primary.',
      ],
      ['Written', 'by Checkpoint Health. Not executed: read it, then run it yourself.'],
      ['Remove', 'sp_delete_job in msdb, with the name of the job.'],
    ],
  );
  return {
    title: `AGENT JOB: ${subject}`,
    kind: 'agent job',
    text: `${heading}\n${writeStatements(job, text)}` as ReviewText,
  };
}

function writeStatements(job: string, text: ReviewText): string {
  return `SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;
${takeGuard(text)}
DECLARE @name sysname = ${job};
DECLARE @job uniqueidentifier, @step nvarchar(max) =
N'${quoteInString(text)}';
/* All of it or nothing. A job of this name that is there already is an error (14261), and stays as it is. */
BEGIN TRY
    BEGIN TRANSACTION;
    EXECUTE msdb.dbo.sp_add_job @job_name = @name, @enabled = 0, @job_id = @job OUTPUT,
        @description = N'Sets TARGET_RECOVERY_TIME of the databases in its step. Started by hand.';
    EXECUTE msdb.dbo.sp_add_jobstep @job_id = @job, @step_name = N'switch', @subsystem = N'TSQL', @database_name = N'master',
        @command = @step, @on_success_action = 1, @on_fail_action = 2, @retry_attempts = 0,
        @flags = 20; /* 4 + 16: output into the history and, uncut, appended to the log of the step */
    EXECUTE msdb.dbo.sp_add_jobserver @job_id = @job, @server_name = N'(LOCAL)';
    COMMIT TRANSACTION;
    PRINT N'Created, disabled and without a schedule: ' + @name;
END TRY
BEGIN CATCH
    IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;
    THROW;
END CATCH;
`;
}
