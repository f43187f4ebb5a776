import type { CheckpointPlan } from '../advice/checkpoint-plan';
import { english } from '../format';
import { t } from '../language';
import { describeLeftOut, writeCheckpointList } from './checkpoint-list';
import type { OtherScript } from './other-script';
import { quoteInStringInScript, writeInteger } from './quote';
import { type Heading, type ReviewOrigin, writeProgram } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate } from './text';

/** Why a CHECKPOINT cannot be asked for this duration, as one sentence; null if it can. */
export function checkCheckpointSeconds(seconds: number): string | null {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return null;
  return t('CHECKPOINT takes a whole number of seconds, from 1 to 86400 (a day) here.');
}

/**
 * Writes `CHECKPOINT n` of each database of the plan, with what it can do and what not (docs/facts.md, SQL Server 1).
 * No rollback: there is nothing to undo.
 * @throws Error for a plan without databases, or seconds that checkCheckpointSeconds refuses
 */
export function writeThrottledCheckpoint(
  plan: CheckpointPlan,
  seconds: number,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): readonly ReviewScript[] {
  if (plan.steps.length === 0) throw new Error('A plan without databases has no script');
  const refusal = checkCheckpointSeconds(seconds);
  if (refusal !== null) throw new Error(refusal);
  const heading: Heading = {
    what: `THROTTLED CHECKPOINT: ${english.countDatabases(plan.steps.length)} on ${origin.serverName}, each asked to take ${seconds} s.`,
    origin,
    fields: [
      [
        'Time',
        `about ${english.formatDuration(1000 * seconds * plan.steps.length)} in all, if each takes what it was asked for. It changes no setting.`,
      ],
      [
        'Number',
        'a request, not a limit: a checkpoint may end earlier or later. A shorter time takes more of the storage at once, a longer one leaves more to redo after a crash meanwhile. Without a number the engine throttles itself by write latency.',
      ],
      ...describeLeftOut(plan.leftOut),
      [
        'Needs',
        'SQL Server 2012 or later; in each database db_owner or db_backupoperator. A second run does no harm.',
      ],
      [
        'Prints',
        'each statement before it runs, then DONE, LEFT ALONE or FAILED; at the end one table. Stops after 3 failures.',
      ],
    ],
  };
  const text = writeProgram(heading, template, {
    server_name: quoteInStringInScript(origin.serverName),
    databases: writeCheckpointList(plan.steps, false),
    seconds: writeInteger(seconds),
  });
  return [{ title: `Throttled checkpoint on ${origin.serverName}`, kind: 'change', text }];
}

export const throttledCheckpoint: OtherScript<{
  readonly databaseIds: readonly number[];
  readonly seconds: number;
}> = {
  label: t('Throttled CHECKPOINT'),
  description: t('Asks each checkpoint to spread its writes over a number of seconds that you choose.'),
  questions: () => ({
    databaseIds: { of: 'databases', title: t('Databases to checkpoint') },
    seconds: {
      of: 'number',
      title: t('Seconds'),
      prompt: t(
        'How many seconds should each CHECKPOINT take? It is a request, not a limit. Fewer seconds load the storage more; more seconds leave more to redo after a crash.',
      ),
      byDefault: 60,
      check: checkCheckpointSeconds,
    },
  }),
  write: ({ databaseIds, seconds }, { plan, origin, template }) =>
    writeThrottledCheckpoint(plan(databaseIds), seconds, origin, template),
};
