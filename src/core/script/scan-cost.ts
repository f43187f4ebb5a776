import type { CheckpointPlan } from '../advice/checkpoint-plan';
import type { Facts } from '../advice/facts';
import { english } from '../format';
import { t } from '../language';
import { writeCheckpointList } from './checkpoint-list';
import { quoteInStringInScript, writeInteger } from './quote';
import { type Heading, type ReviewOrigin, writeProgram } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate } from './text';

/** The first CHECKPOINT writes dirty pages, so at least one more has to follow. */
export const scanCostTimes = { fewest: 2, byDefault: 6, most: 100 } as const;

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
  if (!Number.isInteger(times) || times < scanCostTimes.fewest || times > scanCostTimes.most)
    throw new Error(`A measurement takes from ${scanCostTimes.fewest} to ${scanCostTimes.most} checkpoints.`);
  const heading: Heading = {
    what: `SCAN COST: CHECKPOINT ${times} times in one idle database on ${origin.serverName}, timed. It issues checkpoints.`,
    origin: { ...origin, evidence: describeMemory(facts) },
    fields: [
      [
        'Choose',
        'a database that is not written to now: then what a CHECKPOINT takes is the scan of the buffer pool, which each automatic checkpoint of each database pays.',
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
        'each time as it is taken; at the end one table: the first time holds writing too, the lowest of the others is the scan.',
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
