/** What was measured of one database with automatic checkpoints, and whether that is harm. */
import type { LatencyAnswer, LatencySide } from '../evidence/latency-during';
import type { CheckpointStatistics } from '../evidence/statistics';
import { LEAST_INTERVALS, type TaskDelay } from '../evidence/task-delay';
import { countOf, formatCount, formatDuration, formatPercent } from '../format';
import { describeBackups, describeBusy, type TaskOfDatabase } from './task-busy';
import type { Group, Verdict } from './verdict';

/** What a capture says about one database and about the one checkpoint task that serves them all. */
export interface Evidence {
  /** null: no checkpoint of this database was captured. */
  readonly statistics: CheckpointStatistics | null;
  readonly observedMs: number;
  /** Whether this database was among those tracked. */
  readonly tracked: boolean;
  /** The one task of automatic checkpoints. */
  readonly task: TaskOfDatabase;
  /** What is known beside the checkpoints; null: nobody asked for it yet. */
  readonly known: KnownOfDatabase | null;
}

/** What is read and computed when somebody looks at the evidence. Only figures of the database itself; each null where it is not known. */
export interface KnownOfDatabase {
  /** FlushCache messages of so many days of the error log. */
  readonly flushCache: { readonly messages: number; readonly days: number } | null;
  /** How its checkpoints stood behind those of others. */
  readonly delay: TaskDelay | null;
  /** Writes to its log during its checkpoints against outside of them. */
  readonly logLatency: LatencyAnswer | null;
}

export type Judgement = Omit<Verdict, 'databaseId'>;

/** A minute of checkpoints says little: below this nothing is called measured. */
const leastObservedMs = 10 * 60_000;
/** Below this nothing is called harm, and a verdict is of low confidence. */
const leastCheckpoints = 5;
/** Automatic checkpoints of all databases queue on one task (docs/facts.md, SQL Server 1); from here on they wait for each other. */
const saturatedShare = 0.6;
/** From this share of the time on, a database is part of what keeps the task busy: a limit of ours. */
const heavyShare = 0.1;
/** A database below this share of the time is not worth a word about it. */
const notableShare = 0.01;
/** Log writes wait with the checkpoint where they take so many times as long during it, and so much longer: limits of ours. */
const longerTimes = 2;
const longerByMs = 5;

/** @param intervalMs the recovery interval, from which a checkpoint is logged as FlushCache */
export function judgeMeasured(evidence: Evidence, intervalMs: number): Judgement {
  const { observedMs, tracked, known } = evidence;
  if (!tracked) return judgeUntracked(known);
  if (observedMs < leastObservedMs) {
    const reason = `Only ${formatDuration(observedMs)} observed so far; ${formatDuration(leastObservedMs)} are needed.`;
    const wouldChange = `Another ${formatDuration(leastObservedMs - observedMs)} of tracking.`;
    return { verdict: 'Cannot tell here', group: 'Automatic, not measured', reason, confidence: 'low', wouldChange };
  }
  return findHarm(evidence, intervalMs) ?? findConcern(evidence, intervalMs) ?? describeCalm(evidence);
}

/** The error log counts for databases that nobody tracks. No line in it says nothing: it has long checkpoints alone (docs/facts.md, SQL Server 5). */
export function judgeUntracked(known: KnownOfDatabase | null): Judgement {
  const wouldChange = 'Tracking it for ten minutes or more.';
  const logged = describeFlushCache(known);
  if (logged !== null) {
    const reason = `${logged}; not measured yet.`;
    return { verdict: 'Watch', group: 'Watch', reason, confidence: 'low', wouldChange };
  }
  const reason = 'Uses automatic checkpoints; not measured yet. Tracking measures it.';
  return { verdict: 'Cannot tell here', group: 'Automatic, not measured', reason, confidence: 'high', wouldChange };
}

/** The task was busy, with certainty: not only where overlaps leave it open which checkpoint it ran. */
function isSaturated({ busyShare, margin }: TaskOfDatabase): boolean {
  return busyShare - margin >= saturatedShare;
}

/** Harm that this database does or suffers: reasons to switch it. */
function findHarm(evidence: Evidence, intervalMs: number): Judgement | null {
  const { statistics, task, known } = evidence;
  if ((statistics?.count ?? 0) < leastCheckpoints) return null;
  const reasons: string[] = [];
  const isBusy = isSaturated(task);
  const isHeavy = isBusy && task.ownCount >= leastCheckpoints && task.ownShare >= heavyShare;
  if (isHeavy)
    reasons.push(`${describeBusy(task)}, ${formatPercent(task.ownShare)} of the time with this database alone; the others wait behind it.`);
  const late = isBusy ? describeDelay(known?.delay ?? null, intervalMs) : null;
  if (late !== null) reasons.push(isHeavy ? `${late}.` : `${describeBusy(task)}. ${late}.`);
  const isByTask = reasons.length > 0;
  if (isByTask && !task.areBackupsKnown) reasons.push(describeBackups(task));
  const waits = findLogWaits(known?.logLatency ?? null);
  if (waits !== null) reasons.push(describeWaits(waits.during, waits.outside));
  if (reasons.length === 0) return null;
  const changes = [
    ...(isByTask
      ? [`the task below ${formatPercent(saturatedShare)} busy, or less than ${formatPercent(heavyShare)} of the time with it`]
      : []),
    ...(late === null ? [] : ['checkpoints that begin in time']),
    ...(waits === null ? [] : ['log writes that take as long outside of its checkpoints as during them']),
  ];
  const confidence = isByTask && waits === null && !task.areBackupsKnown ? 'low' : rateConfidence(evidence);
  return { verdict: 'Switch', group: 'Switch', reason: reasons.join(' '), confidence, wouldChange: capitalise(`${changes.join('; ')}.`) };
}

/** Long alone is not harm: the engine slows itself down by write latency (docs/facts.md, SQL Server 1). A reason to watch. */
function findConcern(evidence: Evidence, intervalMs: number): Judgement | null {
  const { statistics, known, task } = evidence;
  const longestMs = statistics?.maximumMs ?? 0;
  const late = describeDelay(known?.delay ?? null, intervalMs);
  const logged = describeFlushCache(known);
  const waits = findLogWaits(known?.logLatency ?? null);
  const left = task.busyShare < saturatedShare ? ', and the checkpoint task had time left' : '';
  const reasons = [
    ...describeBusyWithOthers(evidence),
    ...(longestMs >= intervalMs
      ? [`Its longest checkpoint, ${formatDuration(longestMs)}, outlasted the recovery interval; long alone is not harm${left}.`]
      : []),
    ...(logged === null ? [] : [`${logged}; long alone is not harm.`]),
    ...(late === null ? [] : [`${late}.`]),
    ...(waits === null ? [] : [`${describeWaits(waits.during, waits.outside)} That is ${countSeen(statistics?.count ?? 0)}: too few.`]),
  ];
  if (reasons.length === 0) return null;
  const wouldChange = `${describeLimits()}, or log writes that wait longer during its checkpoints, would be harm.${describeMissing(known)}`;
  const isUncertain = task.busyShare >= saturatedShare && !isSaturated(task);
  const confidence = isUncertain ? 'low' : rateConfidence(evidence);
  return { verdict: 'Watch', group: 'Watch', reason: reasons.join(' '), confidence, wouldChange };
}

/** The task is busy, or may be, and this database is not shown to be why. */
function describeBusyWithOthers({ task, statistics }: Evidence): readonly string[] {
  const { busyShare, ownShare, ownCount, heaviest } = task;
  if (busyShare < saturatedShare || Math.max(ownShare, statistics?.share ?? 0) < notableShare) return [];
  if (!isSaturated(task))
    return [`${describeBusy(task)}: checkpoints overlapped without a known cause, so it is not certain which of them were the task's.`];
  if (ownShare >= heavyShare)
    return [`${describeBusy(task)}, ${formatPercent(ownShare)} with this database, of which it ran ${countSeen(ownCount)}: too few.`];
  const most =
    heaviest === null || heaviest.isOwn
      ? 'no database takes most of it'
      : `most of it is ${heaviest.name} (${formatPercent(heaviest.share)})`;
  return [`${describeBusy(task)}, only ${formatPercent(ownShare)} with this database; ${most}.`];
}

function describeLimits(): string {
  const [busy, heavy] = [formatPercent(saturatedShare), formatPercent(heavyShare)];
  return `A checkpoint task busy ${busy} of the time or more, ${heavy} or more with at least ${leastCheckpoints} checkpoints of this database`;
}

function countSeen(count: number): string {
  return count === 1 ? 'one checkpoint' : `${formatCount(count)} checkpoints`;
}

function describeCalm(evidence: Evidence): Judgement {
  const { statistics, observedMs, task, known } = evidence;
  const reason =
    (statistics?.count ?? 0) === 0
      ? `No checkpoint in ${formatDuration(observedMs)}: nothing to gain from a change.`
      : `${describeBusy(task)}, ${formatPercent(task.ownShare)} of the time with this database: no harm seen.`;
  const wouldChange = `${describeLimits()}, a checkpoint beyond the recovery interval, or log writes that wait longer during its checkpoints.${describeMissing(known)}`;
  const group: Group = 'Automatic, measured, no harm seen';
  return { verdict: 'Leave', group, reason, confidence: rateConfidence(evidence), wouldChange };
}

/** Behind others by more than the recovery interval: its own crash recovery gets longer by that. */
function describeDelay(delay: TaskDelay | null, intervalMs: number): string | null {
  if (delay === null || delay.intervals < LEAST_INTERVALS || delay.lateP95Ms === null || delay.lateP95Ms < intervalMs) return null;
  return `One in twenty of its checkpoints began ${formatDuration(delay.lateP95Ms)} or more late, behind those of other databases`;
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
  const isLonger = during.averageMs >= longerTimes * outside.averageMs && during.averageMs - outside.averageMs >= longerByMs;
  return isLonger ? { during, outside } : null;
}

function describeWaits(during: LatencySide, outside: LatencySide): string {
  const side = ({ averageMs, samples }: LatencySide): string => `${formatDuration(averageMs)} (${countOf(samples, 'sample')})`;
  return `A write to its log took ${side(during)} during its checkpoints, ${side(outside)} outside of them.`;
}

/** What could not be asked yet, so that nobody takes it for a pass. */
function describeMissing(known: KnownOfDatabase | null): string {
  if (known === null) return ' The error log and the latency of log writes were not looked at yet: open the evidence.';
  const missing = [
    ...(known.flushCache === null ? ['the error log could not be read'] : []),
    ...(known.logLatency === null || known.logLatency.kind !== 'answered'
      ? [`whether log writes wait is not known${describeWhy(known.logLatency)}`]
      : []),
  ];
  return missing.length === 0 ? '' : ` ${capitalise(missing.join(', and '))}.`;
}

function describeWhy(answer: LatencyAnswer | null): string {
  if (answer?.kind === 'resolution too coarse') return `: samples of ${formatDuration(answer.neededMs)} or shorter would tell`;
  return answer?.kind === 'not enough samples' ? ': there are too few samples' : '';
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Few checkpoints or a short time can be chance. */
function rateConfidence({ observedMs, statistics }: Evidence): Verdict['confidence'] {
  const count = statistics?.count ?? 0;
  if (observedMs >= 60 * 60_000 && count >= 20) return 'high';
  return count >= leastCheckpoints ? 'medium' : 'low';
}
