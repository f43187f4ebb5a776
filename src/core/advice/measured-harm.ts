/** What part one database with automatic checkpoints plays, and whether that is a reason to switch it. */
import type { LatencyAnswer, LatencySide } from '../write-work/latency-during';
import type { CheckpointStatistics } from '../statistics/statistics';
import type { OwnTaskShare } from '../task/task-share';
import { formatCount, formatDuration } from '../format';
import { hasQueue, type Instance, LEAST_OBSERVED_MS } from './instance';
import type { Verdict } from './verdict';

/** What a capture says about one database and about the one checkpoint task that serves them all. */
export interface Evidence {
  /** null: no checkpoint of this database was captured. */
  readonly statistics: CheckpointStatistics | null;
  readonly observedMs: number;
  /** Whether this database was among those tracked. */
  readonly tracked: boolean;
  readonly instance: Instance;
  /** What is known beside the checkpoints; null: nobody asked for it yet. */
  readonly known: KnownOfDatabase | null;
  /** log_reuse_wait_desc: what keeps its log from being truncated. */
  readonly logReuseWait: string;
  /** The most log that may have to be redone, by the policy file; null: no bound. Megabytes. */
  readonly mostMbToRedo: number | null;
}

/** What is read and computed when somebody looks at the evidence. Only figures of the database itself; each null where it is not known. */
export interface KnownOfDatabase {
  /** FlushCache messages of this many days of the error log. */
  readonly flushCache: { readonly messages: number; readonly days: number } | null;
  /** Writes to its log during its checkpoints against outside of them. */
  readonly logLatency: LatencyAnswer | null;
  /** The longest scan of the buffer pool that message 898 names for a checkpoint of it, in milliseconds; null: none, or no error log. */
  readonly scanMs: number | null;
  /** Log written since its last checkpoint: the 95th percentile of what was seen, in megabytes. */
  readonly toRedoMb: number | null;
}

/** What it does in the queue, or suffers by itself. */
export type Part = 'feeds' | 'waits' | 'hurts alone' | 'held back' | 'much to redo' | 'quiet' | 'none seen';

export type Judgement = Omit<Verdict, 'databaseId'>;

/** Below this nothing is called harm, and a verdict is of low confidence. */
const LEAST_CHECKPOINTS = 5;
/** Log writes wait with the checkpoint where they take this many times as long during it, and this much longer: limits of ours. */
const LONGER_TIMES = 2;
const LONGER_BY_MS = 5;

/** @param intervalMs the recovery interval, from which a checkpoint is logged as FlushCache */
export function judgeMeasured(databaseId: number, evidence: Evidence, intervalMs: number): Judgement {
  const { observedMs, tracked, known, instance } = evidence;
  if (!tracked || instance.task === null) return judgeUntracked(known);
  if (observedMs < LEAST_OBSERVED_MS || instance.neededMs > 0) {
    const missingMs = Math.max(LEAST_OBSERVED_MS - observedMs, instance.neededMs);
    return judgeUnknown(
      `${formatDuration(LEAST_OBSERVED_MS - missingMs)} seen so far.`,
      `Another ${formatDuration(missingMs)} of tracking.`,
    );
  }
  const own = instance.task.databases.get(databaseId) ?? null;
  return (
    judgeFeeder(databaseId, own, evidence) ??
    judgeHarm(own, evidence, intervalMs) ??
    judgeBlind(instance) ??
    judgeUnseen(own, evidence) ??
    judgeWaiting(own, evidence) ??
    judgeCalm(evidence, intervalMs)
  );
}

/** The error log counts for databases that nobody tracks. No line in it says nothing: it has long checkpoints alone (docs/facts.md, SQL Server 5). */
export function judgeUntracked(known: KnownOfDatabase | null): Judgement {
  const wouldChange = 'Tracking it for ten minutes or more.';
  const logged = describeFlushCache(known);
  if (logged === null) return judgeUnknown('Uses automatic checkpoints; not measured yet. Tracking measures it.', wouldChange);
  const reason = `${logged}; not measured yet.`;
  return { verdict: 'Watch', part: null, group: 'Long checkpoints', reason, confidence: 'low', wouldChange };
}

function judgeUnknown(reason: string, wouldChange: string): Judgement {
  return { verdict: 'Cannot tell here', part: null, group: 'Automatic, not measured', reason, confidence: 'low', wouldChange };
}

function judgeFeeder(databaseId: number, own: OwnTaskShare | null, evidence: Evidence): Judgement | null {
  const { instance } = evidence;
  if (own === null || !instance.feeders.has(databaseId)) return null;
  const backups = instance.task?.areBackupsKnown === false ? ' Backups were not read, so checkpoints of backups may be in it.' : '';
  return {
    verdict: 'Switch',
    part: 'feeds',
    group: 'Feeds the queue',
    reason: `The queue is the reason; the database alone would do no harm.${backups}`,
    confidence: rateConfidence(evidence, own.count),
    wouldChange: 'Less of the task taken by it and by the others.',
  };
}

/** Reasons of its own, with or without a queue. */
function judgeHarm(own: OwnTaskShare | null, evidence: Evidence, intervalMs: number): Judgement | null {
  const { known, statistics, mostMbToRedo, logReuseWait, instance } = evidence;
  const count = statistics?.count ?? 0;
  const harm = (part: Part, verdict: 'Switch' | 'Watch', reason: string, wouldChange: string): Judgement => {
    return { verdict, part, group: 'Hurts by itself', reason, confidence: rateConfidence(evidence, count), wouldChange };
  };
  const waits = findLogWaits(known?.logLatency ?? null);
  if (waits !== null && count >= LEAST_CHECKPOINTS)
    return harm('hurts alone', 'Switch', describeWaits(waits), 'Log writes that take as long outside of its checkpoints as during them.');
  const scanMs = known?.scanMs ?? 0;
  if (scanMs >= intervalMs)
    return harm(
      'hurts alone',
      'Switch',
      `Its checkpoint scanned the buffer pool for ${formatDuration(scanMs)} (message 898). Indirect checkpoints do not scan it.`,
      'Shorter scans.',
    );
  const toRedoMb = known?.toRedoMb ?? null;
  if (mostMbToRedo !== null && toRedoMb !== null && toRedoMb > mostMbToRedo)
    return harm(
      'much to redo',
      'Switch',
      `${formatCount(toRedoMb)} MB of log to redo after a crash, the policy allows ${formatCount(mostMbToRedo)} MB.`,
      'Less log between two checkpoints, or another bound in the policy.',
    );
  if (logReuseWait !== 'CHECKPOINT' || count + (own?.count ?? 0) === 0) return null;
  const held = 'Its log cannot be reused until its next checkpoint (log_reuse_wait_desc CHECKPOINT)';
  return hasQueue(instance)
    ? harm('held back', 'Switch', `${held}, and that waits in the queue.`, 'A task that is mostly free.')
    : harm('held back', 'Watch', `${held}. That was seen once; without a queue it passes.`, 'The same again, with the log filling up.');
}

function judgeBlind({ blind }: Instance): Judgement | null {
  return blind === null ? null : judgeUnknown(`${blind.charAt(0).toUpperCase()}${blind.slice(1)}.`, 'A time without such overlaps.');
}

/** While a queue stands, a turn may still be to come. */
function judgeUnseen(own: OwnTaskShare | null, { instance, observedMs, statistics }: Evidence): Judgement | null {
  if (own !== null || (statistics?.count ?? 0) > 0 || instance.forecastInMs === 0) return null;
  return judgeUnknown(
    `No turn in ${formatDuration(observedMs)}; in the queue, its turn may still come.`,
    `Another ${formatDuration(instance.forecastInMs)} of tracking.`,
  );
}

/** Its turn came behind others, and later than the recovery interval allows. */
function judgeWaiting(own: OwnTaskShare | null, evidence: Evidence): Judgement | null {
  if (own === null || !hasQueue(evidence.instance)) return null;
  if (own.late === 0) return null;
  return {
    verdict: 'Watch',
    part: 'waits',
    group: 'Waits in the queue',
    reason: 'Late because of the others.',
    confidence: rateConfidence(evidence, own.count),
    wouldChange: `Look again once those that feed the queue use indirect checkpoints.${describeMissing(evidence.known)}`,
  };
}

/** Long alone is not harm: the engine slows itself down by write latency (docs/facts.md, SQL Server 1). */
function judgeCalm(evidence: Evidence, intervalMs: number): Judgement {
  const { statistics, observedMs, known } = evidence;
  const count = statistics?.count ?? 0;
  const confidence = rateConfidence(evidence, count);
  const wouldChange = `A queue that it feeds, or log writes that wait during its checkpoints.${describeMissing(known)}`;
  if (count === 0) {
    const reason = `No checkpoint in ${formatDuration(observedMs)}: nothing to gain from a change.`;
    return { verdict: 'Leave', part: 'none seen', group: 'No checkpoint seen', reason, confidence, wouldChange };
  }
  const longestMs = statistics?.maximumMs ?? 0;
  const isLong = longestMs >= intervalMs || (known?.flushCache?.messages ?? 0) > 0;
  const calm = { part: 'quiet', confidence, wouldChange } as const;
  if (!isLong) return { ...calm, verdict: 'Leave', group: 'Quiet', reason: 'No harm seen.' };
  const logged = describeFlushCache(known);
  const long = `${longestMs >= intervalMs ? `Its longest checkpoint took ${formatDuration(longestMs)}` : logged}; long alone is no harm`;
  if (known?.logLatency?.kind === 'answered')
    return { ...calm, verdict: 'Leave', group: 'Quiet', reason: `${long}, and log writes do not wait.` };
  return { ...calm, verdict: 'Watch', group: 'Long checkpoints', reason: `${long}. Whether log writes wait is not known.` };
}

function describeFlushCache(known: KnownOfDatabase | null): string | null {
  const logged = known?.flushCache ?? null;
  if (logged === null || logged.messages === 0) return null;
  const messages = logged.messages === 1 ? 'one FlushCache message' : `${formatCount(logged.messages)} FlushCache messages`;
  return `The error log has ${messages} about it in ${logged.days === 1 ? 'the last day' : `the last ${logged.days} days`}`;
}

interface LogWaits {
  readonly during: LatencySide;
  readonly outside: LatencySide;
}

function findLogWaits(answer: LatencyAnswer | null): LogWaits | null {
  if (answer === null || answer.kind !== 'answered') return null;
  const { during, outside } = answer;
  const isLonger = during.averageMs >= LONGER_TIMES * outside.averageMs && during.averageMs - outside.averageMs >= LONGER_BY_MS;
  return isLonger ? { during, outside } : null;
}

function describeWaits({ during, outside }: LogWaits): string {
  return `Log writes take ${formatDuration(during.averageMs)} during its checkpoints, ${formatDuration(outside.averageMs)} otherwise.`;
}

/** What could not be asked yet, so that nobody takes it for a pass. */
function describeMissing(known: KnownOfDatabase | null): string {
  if (known === null) return ' The error log and log writes were not looked at yet: open the dashboard.';
  const missing = [
    ...(known.flushCache === null ? ['The error log could not be read.'] : []),
    ...(known.logLatency?.kind === 'answered' ? [] : [`Whether log writes wait is not known${describeWhy(known.logLatency)}.`]),
  ];
  return missing.map((sentence) => ` ${sentence}`).join('');
}

function describeWhy(answer: LatencyAnswer | null): string {
  if (answer?.kind === 'resolution too coarse') return `: samples of ${formatDuration(answer.neededMs)} or shorter would tell`;
  return answer?.kind === 'not enough samples' ? ': there are too few samples' : '';
}

/** Few checkpoints or a short time can be chance. */
function rateConfidence({ observedMs, instance }: Evidence, count: number): Verdict['confidence'] {
  const isCertain = instance.task?.areBackupsKnown === true || !hasQueue(instance);
  if (observedMs >= 60 * 60_000 && count >= LEAST_CHECKPOINTS && isCertain) return 'high';
  return count >= LEAST_CHECKPOINTS ? 'medium' : 'low';
}
