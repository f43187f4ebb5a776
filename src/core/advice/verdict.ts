import type { CheckpointStatistics } from '../evidence/statistics';
import { formatDuration, formatPercent } from '../format';
import { type DatabaseFacts, type Facts, recoveryIntervalMs } from './facts';
import { findObstacle } from './obstacle';

/** Where the pane shows a database. */
export type Group =
  | 'Switch'
  | 'Watch'
  | 'Automatic, measured, no harm seen'
  | 'Automatic, not measured'
  | 'Indirect'
  | 'Unusual value'
  | 'Not changeable here';

export const groups: readonly Group[] = [
  'Switch',
  'Watch',
  'Automatic, not measured',
  'Automatic, measured, no harm seen',
  'Unusual value',
  'Indirect',
  'Not changeable here',
];

export interface Verdict {
  readonly databaseId: number;
  readonly verdict: 'Leave' | 'Watch' | 'Switch' | 'Cannot tell here';
  readonly group: Group;
  /** One sentence with the measured reason. */
  readonly reason: string;
  readonly confidence: 'high' | 'medium' | 'low';
}

/** What a capture says about one database and about the one checkpoint task that serves them all. */
export interface Evidence {
  /** null: no checkpoint of this database was captured. */
  readonly statistics: CheckpointStatistics | null;
  readonly observedMs: number;
  /** Whether this database was among those tracked. */
  readonly tracked: boolean;
  /** Share of the observed time in which any automatic checkpoint ran, 0 to 1. */
  readonly taskBusyShare: number;
}

/** A minute of checkpoints says little: below this nothing is called measured. */
const leastObservedMs = 10 * 60_000;
/** Below this a verdict is of low confidence. */
const leastCheckpoints = 5;
/** Automatic checkpoints of all databases queue on one task (docs/facts.md, SQL Server 1); from here on they wait for each other. */
const saturatedShare = 0.6;
/** A database below this share of the time is not what keeps the task busy. */
const notableShare = 0.01;

/**
 * The verdict on one database. Harm is a saturated checkpoint task to which this database contributes; a long checkpoint alone is not harm, since the engine
 * slows itself down by write latency (docs/facts.md, SQL Server 1): it is a reason to watch.
 */
export function judgeDatabase(database: DatabaseFacts, facts: Facts, evidence: Evidence | null): Verdict {
  const say = (verdict: Verdict['verdict'], group: Group, reason: string, confidence: Verdict['confidence'] = 'high'): Verdict => ({
    databaseId: database.databaseId,
    verdict,
    group,
    reason,
    confidence,
  });
  const obstacle = findObstacle(database, facts);
  if (obstacle !== null) return say(database.databaseId <= 4 ? 'Leave' : 'Cannot tell here', 'Not changeable here', `It ${obstacle}.`);
  const target = database.targetSeconds as number;
  if (target === 60) return say('Leave', 'Indirect', 'Already uses indirect checkpoints, with the default target of 60 seconds.');
  if (target > 0) return say('Leave', 'Unusual value', `Uses indirect checkpoints with ${target} seconds: someone chose that value.`);
  if (evidence === null || !evidence.tracked)
    return say('Cannot tell here', 'Automatic, not measured', 'Uses automatic checkpoints; not measured yet. Start tracking.');
  const measured = judgeMeasured(evidence, recoveryIntervalMs(facts.server));
  return say(measured.verdict, measured.group, measured.reason, measured.confidence);
}

type Judgement = Omit<Verdict, 'databaseId'>;

function judgeMeasured(evidence: Evidence, intervalMs: number): Judgement {
  const { statistics, observedMs, taskBusyShare } = evidence;
  if (observedMs < leastObservedMs) {
    const reason = `Only ${formatDuration(observedMs)} observed so far; ${formatDuration(leastObservedMs)} are needed.`;
    return { verdict: 'Cannot tell here', group: 'Automatic, not measured', reason, confidence: 'low' };
  }
  const count = statistics?.count ?? 0;
  const share = statistics?.share ?? 0;
  const longestMs = statistics?.maximumMs ?? 0;
  const confidence = rateConfidence(observedMs, count);
  const busy = `The one task of automatic checkpoints was busy ${formatPercent(taskBusyShare)} of the time`;
  if (taskBusyShare >= saturatedShare && share >= notableShare) {
    const reason = `${busy}, ${formatPercent(share)} of the time with this database alone; the others wait behind it.`;
    return { verdict: 'Switch', group: 'Switch', reason, confidence };
  }
  if (longestMs >= intervalMs) {
    const reason = `Its longest checkpoint, ${formatDuration(longestMs)}, outlasted the recovery interval; long alone is not harm, and the checkpoint task had time left.`;
    return { verdict: 'Watch', group: 'Watch', reason, confidence };
  }
  const reason =
    count === 0
      ? `No checkpoint in ${formatDuration(observedMs)}: nothing to gain from a change.`
      : `${busy}, ${formatPercent(share)} of the time with this database: no harm seen.`;
  return { verdict: 'Leave', group: 'Automatic, measured, no harm seen', reason, confidence };
}

/** Few checkpoints or a short time can be chance. */
function rateConfidence(observedMs: number, count: number): Verdict['confidence'] {
  if (observedMs >= 60 * 60_000 && count >= 20) return 'high';
  return count >= leastCheckpoints ? 'medium' : 'low';
}
