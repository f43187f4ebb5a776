import { planCheckpoints } from '../../../src/core/advice/checkpoint-plan';
import type { Facts } from '../../../src/core/advice/facts';
import { writeBeforeFailover } from '../../../src/core/script/before-failover';
import { writeModelTarget } from '../../../src/core/script/model-target';
import { writeRecoveryInterval } from '../../../src/core/script/recovery-interval';
import type { ReviewOrigin } from '../../../src/core/script/review-program';
import { writeScanCost } from '../../../src/core/script/scan-cost';
import type { ReviewScript } from '../../../src/core/script/script-set';
import { writeThrottledCheckpoint } from '../../../src/core/script/throttled-checkpoint';
import { reviewTemplates } from '../../../src/texts';
import { readLiteral } from './read-literal';

export const otherOrigin: ReviewOrigin = {
  serverName: "SQL'07\\*/",
  readAt: '2026-03-02 09:00:00 UTC+1',
  evidence: "it's /* not */ measured\nGO\n$(x)",
};

/** One of each script beside the switch, over these facts; of every user database where one is about databases. */
export function listOtherScripts(facts: Facts, windows = 2, origin = otherOrigin): readonly ReviewScript[] {
  const ids = facts.databases.map(({ databaseId }) => databaseId);
  const plan = planCheckpoints(ids, facts, ({ databaseId, name }) => ({
    estimatedMs: databaseId % 3 === 0 ? null : databaseId * 100,
    basis: `seen: ${name}`,
  }));
  const automatic = { ...plan, steps: plan.steps.filter(({ database }) => database.targetSeconds === 0) };
  const {
    checkpointBeforeFailover,
    checkpointThrottled,
    measureScanCost,
    setModelTargetRecoveryTime,
    setRecoveryInterval,
  } = reviewTemplates;
  return [
    ...writeBeforeFailover({ plan, windows, stopAfterMinutes: 90 }, facts, origin, checkpointBeforeFailover),
    ...writeThrottledCheckpoint(plan, 120, origin, checkpointThrottled),
    ...writeScanCost(automatic, 5, facts, origin, measureScanCost),
    ...writeRecoveryInterval(32_767, facts, origin, setRecoveryInterval),
    ...writeModelTarget(60, facts, origin, setModelTargetRecoveryTime),
  ];
}

const literal = String.raw`(?:N'(?:[^']|'')*'|CONVERT\(nvarchar\(\d+\), 0x[\dA-F]+\))`;
const row = new RegExp(String.raw`^ {4}\((${literal}(?:\s+\+ ${literal})*),\s+'\d{4}-`, 'gm');

/** Names of the databases in the list of a script that runs CHECKPOINT, in its order. */
export function listNames(script: string): readonly string[] {
  return [...script.matchAll(row)].map(([, name = '']) => readLiteral(name));
}
