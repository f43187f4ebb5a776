import type { CheckpointPlan } from '../advice/checkpoint-plan';
import type { Facts } from '../advice/facts';
import { formatCount } from '../format';
import { listLeftOut, type ReviewOrigin, writeHeading } from './review-heading';
import { quoteInComment, quoteInString, quoteInStringInScript, quoteStringInScript, writeInteger, writeShownName } from './quote';
import type { ReviewScript } from './script-set';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/** A first CHECKPOINT writes what is there, so at least one more has to follow. */
export const scanCostTimes = { fewest: 2, byDefault: 6, most: 100 } as const;

/**
 * Several timed CHECKPOINTs in the first database of the plan, which should be idle: what they take is the scan of the buffer pool.
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
  const { name, createdLocal, targetSeconds } = step.database;
  if (targetSeconds !== 0)
    throw new Error(`${name} uses indirect checkpoints, which do not scan the buffer pool: choose one with automatic checkpoints.`);
  if (!Number.isInteger(times) || times < scanCostTimes.fewest || times > scanCostTimes.most)
    throw new Error(`A measurement takes from ${scanCostTimes.fewest} to ${scanCostTimes.most} checkpoints.`);
  const heading = writeHeading(
    `SCAN COST: CHECKPOINT ${times} times in ${name} on ${origin.serverName}, timed. It issues checkpoints.`,
    origin,
    [
      'Choose a database that nobody writes to now: then what a CHECKPOINT takes is the scan of the buffer pool. Each automatic checkpoint of each database pays it.',
      describeMemory(facts),
      'Published for one server with an idle database: 40 ms with an empty buffer pool, 400 ms with 100 GB, 700 ms with 200 GB; the script draws a straight line between these points beside your time. SQL Server 2022 and later scan a large one with several tasks.',
      'It changes no setting and needs no rollback.',
      ...listLeftOut(plan.leftOut),
    ],
  );
  const shown = writeShownName(name);
  const row = `INSERT @chosen (database_name, created_local${shown.column}) VALUES (${quoteStringInScript(name)}, '${quoteInString(createdLocal)}'${shown.value}); /* ${quoteInComment(step.basis)} */`;
  const filled = fillTemplate(template, {
    server_name: quoteInStringInScript(origin.serverName),
    chosen_databases: row,
    times: writeInteger(times),
  });
  return [{ title: `Scan cost on ${origin.serverName}`, kind: 'analysis', wave: null, text: `${heading}\n${filled}` as ReviewText }];
}

function describeMemory({ state }: Facts): string {
  if (state.kind === 'not observable') return `Memory of this instance: not observable, ${state.reason}.`;
  const { committedTargetMb, physicalMemoryMb } = state.value;
  return `Memory of this instance: it may use ${formatCount(committedTargetMb)} MB of ${formatCount(physicalMemoryMb)} MB; what the buffer pool holds is printed beside the result.`;
}
