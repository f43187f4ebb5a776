import type { CheckpointPlan } from '../advice/checkpoint-plan';
import { countDatabases } from '../format';
import { listLeftOut, type ReviewOrigin, writeDatabaseRows, writeHeading } from './review-heading';
import { quoteInStringInScript } from './quote';
import type { ReviewScript } from './script-set';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/** Why this is no duration to ask a CHECKPOINT for, as one sentence; null where it is one. */
export function checkCheckpointSeconds(seconds: number): string | null {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return null;
  return 'CHECKPOINT takes a whole number of seconds, from 1 to 86400 (a day) here.';
}

/**
 * `CHECKPOINT n` of each database of the plan, with what that can do and cannot (docs/facts.md, SQL Server 1). There is no rollback: nothing is to be undone.
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
  const heading = writeHeading(
    `THROTTLED CHECKPOINT: ${countDatabases(plan.steps.length)} on ${origin.serverName}, each asked to take ${seconds} s.`,
    origin,
    [
      'The number is a request and no bound: a checkpoint may end earlier or later. One author saw too short a time still cause a spike, and too long a time fall behind.',
      'A shorter time takes more of the storage at once. A longer one leaves more to redo after a crash meanwhile.',
      'Without a number the engine throttles itself by write latency (20 ms before SQL Server 2016, 50 ms since).',
      `All of them together: about ${seconds * plan.steps.length} s if each takes what it was asked for. It changes no setting and needs no rollback.`,
      ...listLeftOut(plan.leftOut),
    ],
  );
  const filled = fillTemplate(template, {
    server_name: quoteInStringInScript(origin.serverName),
    chosen_databases: writeDatabaseRows(plan.steps, 'wanted_seconds', () => seconds),
  });
  return [
    { title: `Throttled checkpoint on ${origin.serverName}`, kind: 'change', wave: null, text: `${heading}\n${filled}` as ReviewText },
  ];
}
