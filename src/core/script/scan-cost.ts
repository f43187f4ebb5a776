import type { CheckpointPlan } from '../advice/checkpoint-plan';
import type { Facts } from '../advice/facts';
import { explainWhole } from '../bounds';
import { english } from '../format';
import { t } from '../language';
import { writeCheckpointList } from './checkpoint-list';
import type { OtherScript } from './other-script';
import { quoteInStringInScript, writeInteger } from './quote';
import { type Heading, type ReviewOrigin, writeProgram } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate } from './text';

/** The first CHECKPOINT writes dirty pages, so at least one more has to follow. */
const TIMES = { least: 2, most: 100 };

/**
 * Writes several timed CHECKPOINTs of the first database of the plan. It should be idle: then they measure the scan of
 * the buffer pool.
 * @throws Error for a plan without databases, a database with indirect checkpoints, or a number of times out of bounds
 */
export function writeScanCost(
  plan: CheckpointPlan,
  times: number,
  facts: Facts,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): readonly ReviewScript[] {
  const [step] = plan.steps;
  if (step === undefined) throw new Error('A plan without databases has no script');
  const { name, targetSeconds } = step.database;
  if (targetSeconds !== 0)
    throw new Error(
      t(
        '{0} uses indirect checkpoints, which do not scan the buffer pool. Choose a database with automatic checkpoints.',
        name,
      ),
    );
  if (explainWhole(times, TIMES) !== null)
    throw new Error(`A measurement takes from ${TIMES.least} to ${TIMES.most} checkpoints.`);
  const heading: Heading = {
    what: `SCAN COST: CHECKPOINT ${times} times in one idle database on ${origin.serverName}, timed. It issues checkpoints.`,
    origin: { ...origin, evidence: describeMemory(facts) },
    fields: [
      [
        'Choose',
        'an idle database: its CHECKPOINT is mostly the scan of the buffer pool, which every automatic checkpoint pays.',
      ],
      [
        'Compare',
        'published for one server: 40 ms with an empty buffer pool, 400 ms with 100 GB, 700 ms with 200 GB; the table has a straight line between these points beside your time. SQL Server 2022 and later scan a large one with several tasks.',
      ],
      [
        'Needs',
        'SQL Server 2012 or later; db_owner or db_backupoperator there; VIEW SERVER STATE for the size of the buffer pool.',
      ],
      [
        'Prints',
        'each time as it is taken; at the end one table: the first time includes writing, the lowest of the others is the scan.',
      ],
    ],
  };
  const text = writeProgram(heading, template, {
    server_name: quoteInStringInScript(origin.serverName),
    databases: writeCheckpointList([step], false),
    times: writeInteger(times),
  });
  return [{ title: `Scan cost on ${origin.serverName}`, kind: 'analysis', text }];
}

function describeMemory({ state }: Facts): string {
  if (state.kind === 'not observable')
    return `the memory of this instance was not observable: ${state.reason}.`;
  const { committedTargetMb, physicalMemoryMb } = state.value;
  return `this instance may use ${english.formatCount(committedTargetMb)} MB of ${english.formatCount(physicalMemoryMb)} MB of memory.`;
}

export const scanCost: OtherScript<{ readonly databaseId: number; readonly times: number }> = {
  label: t('Measure the cost of a scan'),
  description: t('Runs CHECKPOINT several times in one idle database and times each.'),
  questions: () => ({
    databaseId: {
      of: 'automatic database',
      title: t('An idle database with automatic checkpoints; the script runs CHECKPOINT in it'),
      none: t('No database here uses automatic checkpoints, so there is no scan to measure.'),
    },
    times: {
      of: 'number',
      title: t('Checkpoints'),
      prompt: t('How many checkpoints to run and time; the first is not counted'),
      byDefault: 6,
      check: (times) => explainWhole(times, TIMES),
    },
  }),
  write: ({ databaseId, times }, { plan, facts, origin, template }) =>
    writeScanCost(plan([databaseId]), times, facts, origin, template),
};
