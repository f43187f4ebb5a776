import { type CheckpointPlan, type CheckpointStep, splitCheckpoints } from '../advice/checkpoint-plan';
import type { Facts } from '../advice/facts';
import { explainWhole } from '../bounds';
import { english } from '../format';
import { t } from '../language';
import { describeLeftOut, writeCheckpointList } from './checkpoint-list';
import type { OtherScript } from './other-script';
import { quoteInStringInScript, writeInteger } from './quote';
import { type Heading, type HeadingField, type ReviewOrigin, writeProgram } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate } from './text';

interface BeforeFailover {
  readonly plan: CheckpointPlan;
  /** Number of scripts, to be run at the same time in as many windows: T-SQL has no threads. */
  readonly windows: number;
  /** Begin no further CHECKPOINT after this many minutes; 0: no limit. */
  readonly stopAfterMinutes: number;
}

/**
 * What a CHECKPOINT before a failover can shorten here, and what it cannot: it depends on what the server is part of
 * (docs/facts.md, SQL Server 6).
 */
export function describeTopology({ server, databases }: Facts): readonly HeadingField[] {
  const inGroups = databases.filter(({ inAvailabilityGroup }) => inAvailabilityGroup).length;
  const restart = 'the shutdown itself, and what a crash before it would leave to redo.';
  const shortens =
    server.isClustered === true
      ? `a planned failover of this cluster instance, which checkpoints every database to go offline; and ${restart}`
      : `${restart}${server.isClustered === null ? ' Whether this is a failover cluster instance was not observable.' : ''}`;
  if (inGroups === 0) return [['Shortens', shortens]];
  const copies = `${english.countDatabases(inGroups)} here. It does not shorten the redo of the new primary, which redoes its log by itself (see redo_queue_kb).`;
  return [
    ['Shortens', shortens],
    ['Availability groups', `${copies} It may shorten the return of the old primary; not measured.`],
  ];
}

/**
 * Writes a CHECKPOINT of each database of the plan, the most work first, with its estimate beside the actual time; one
 * script a window. There is no rollback, because there is nothing to undo.
 * @throws Error for a plan without databases
 */
function writeBeforeFailover(
  { plan, windows, stopAfterMinutes }: BeforeFailover,
  facts: Facts,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): readonly ReviewScript[] {
  if (plan.steps.length === 0) throw new Error('A plan without databases has no script');
  const lists = splitCheckpoints(plan.steps, windows);
  const isSplit = lists.length > 1;
  return lists.map((steps, at) => {
    const number = isSplit ? ` ${at + 1} of ${lists.length}` : '';
    const together = isSplit
      ? ` Run the ${english.countOf(lists.length, 'script')} at once, each in a window of its own.`
      : '';
    const heading: Heading = {
      what: `CHECKPOINT${number} BEFORE A FAILOVER: ${english.countDatabases(steps.length)} on ${origin.serverName}, the most work first.`,
      origin: { ...origin, evidence: describeEstimate(steps) },
      fields: [
        ...describeTopology(facts),
        ['Load', `it changes no setting, but expect slower reads and log writes meanwhile.${together}`],
        ...(at === 0 ? describeLeftOut(plan.leftOut) : []),
        [
          'Needs',
          'SQL Server 2012 or later; in each database db_owner or db_backupoperator; VIEW SERVER STATE to see log and redo queues.',
        ],
        [
          'Prints',
          'each statement before it runs, then DONE, LEFT ALONE or FAILED; at the end one table. Stops after 3 failures.',
        ],
        [
          'Again',
          'it goes on: what has less than 16 MB of log since its checkpoint is left alone (SQL Server 2016 SP2 or later).',
        ],
      ],
    };
    return {
      title: `Checkpoint before a failover on ${origin.serverName}${isSplit ? `, window${number}` : ''}`,
      kind: 'change',
      text: writeProgram(heading, template, {
        server_name: quoteInStringInScript(origin.serverName),
        databases: writeCheckpointList(steps, true),
        stop_after_minutes: writeInteger(stopAfterMinutes),
      }),
    };
  });
}

function describeEstimate(steps: readonly CheckpointStep[]): string {
  const measured = steps.filter(({ estimatedMs }) => estimatedMs !== null);
  const unmeasured = steps.length - measured.length;
  if (measured.length === 0) return 'nothing was measured, so there is no estimate.';
  const totalMs = measured.reduce((sum, { estimatedMs }) => sum + (estimatedMs ?? 0), 0);
  const rest = unmeasured === 0 ? '' : `; ${english.countDatabases(unmeasured)} without an estimate on top`;
  return `${english.formatDuration(totalMs)} for ${english.countDatabases(measured.length)}, by the median measured for each${rest}.`;
}

export const beforeFailover: OtherScript<{
  /** null: every user database with automatic checkpoints. */
  readonly databaseIds: readonly number[] | null;
  /** Number of scripts, to be run at the same time. */
  readonly windows: number;
  /** Begin no further CHECKPOINT after this many minutes; 0: no limit. */
  readonly stopAfterMinutes: number;
}> = {
  label: t('CHECKPOINT before a failover or restart'),
  description: t(
    'Runs CHECKPOINT in the databases one by one, the most work first. Shows the time of each beside its estimate.',
  ),
  questions: () => ({
    databaseIds: {
      of: 'databases',
      title: t('Databases to checkpoint; those with automatic checkpoints are picked'),
    },
    windows: {
      of: 'number',
      title: t({ message: 'Windows', comment: ['Query windows, one for each script'] }),
      prompt: t('How many windows at once? The list is split into that many scripts.'),
      byDefault: 1,
      check: (windows) => explainWhole(windows, { least: 1, most: 16 }),
    },
    stopAfterMinutes: {
      of: 'number',
      title: t('Time limit'),
      prompt: t('After how many minutes does no further CHECKPOINT begin? 0 means no limit.'),
      byDefault: 0,
      check: (minutes) => explainWhole(minutes, { least: 0, most: 1440 }),
    },
  }),
  write: ({ databaseIds, windows, stopAfterMinutes }, { plan, facts, origin, template }) =>
    writeBeforeFailover({ plan: plan(databaseIds), windows, stopAfterMinutes }, facts, origin, template),
};
