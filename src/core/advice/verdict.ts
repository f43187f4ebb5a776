/** The verdict on one database: from its setting, obstacles, the policy and the measured harm. */
import { formatCount, formatDuration, formatPercent } from '../format';
import { joinSentences, t } from '../language';
import type { CheckpointStatistics } from '../statistics/statistics';
import type { OwnTaskShare } from '../task/task-share';
import {
  areAutomaticOff,
  type DatabaseFacts,
  type Facts,
  isSystemDatabase,
  recoveryIntervalMs,
} from './facts';
import { describeUnreadBackups, findLongRun, hasQueue, type Instance, LEAST_OBSERVED_MS } from './instance';
import {
  describeFailures,
  describeFlushCache,
  describeHeldLog,
  describeLogWaits,
  describeNeighbours,
  describeSlowIo,
  describeSmallLog,
  type KnownOfDatabase,
  listMissing,
} from './known-of-database';
import { findObstacle, type Obstacle, SYSTEM } from './obstacle';
import { DEFAULT_TARGET_SECONDS } from './plan';
import {
  describeDeparture,
  describeException,
  describeUnmet,
  type Expectation,
  findWanted,
  nameTarget,
} from './policy';
import type { Group, Part, VERDICT_NAMES } from './verdict-names';

export interface Verdict {
  readonly databaseId: number;
  readonly verdict: keyof typeof VERDICT_NAMES;
  /** The part it plays; null if that is not known, or if it uses no automatic checkpoints. */
  readonly part: Part | null;
  readonly group: Group;
  /** Its reason says more than that of its group. */
  readonly hasMore?: true;
  /** Why, in one sentence or a few, without its share and its turns: those stand beside it everywhere. */
  readonly reason: string;
  /** What would change the verdict, as a sentence. */
  readonly wouldChange: string;
  /** The forecast reaches the bound without it: switch it only if the task is still too busy then. */
  readonly isIfNeeded?: true;
}

/**
 * Whether its row says something to look at, also where the verdict is to leave it: a log that is held or too small,
 * slow I/O, harm by others.
 */
export const isToLookAt = (verdict: Verdict | undefined): boolean =>
  verdict?.verdict === 'Watch' || verdict?.hasMore === true;

/** What a capture says about one database and about the one checkpoint task that serves them all. */
export interface Evidence {
  /** null: no checkpoint of this database was captured, or none since the last change that counts. */
  readonly statistics: CheckpointStatistics | null;
  /** There is one, before that change too. */
  readonly hasEarlier: boolean;
  /** The begin of one was seen, and no end: it may still be running. */
  readonly hasBegun: boolean;
  readonly observedMs: number;
  readonly tracked: boolean;
  readonly instance: Instance;
  /** What is known besides the checkpoints; null: not read yet. */
  readonly known: KnownOfDatabase | null;
  /** log_reuse_wait_desc: what keeps its log from being truncated. */
  readonly logReuseWait: string;
  /** The most log that may have to be redone, by the policy file; null: no bound. Megabytes. */
  readonly mostMbToRedo: number | null;
}

type Judgement = Omit<Verdict, 'databaseId'>;

/** With fewer checkpoints nothing counts as harm. */
const LEAST_CHECKPOINTS = 5;

/**
 * The verdict on one database, after the one on the instance. A policy decides where the pane shows it, never what was
 * measured. Findings, to be looked at before a change, stand beside the verdict.
 */
export function judgeDatabase(
  database: DatabaseFacts,
  facts: Facts,
  evidence: Evidence | null,
  expectation: Expectation = { kind: 'none' },
): Verdict {
  const { databaseId } = database;
  const obstacle = findObstacle(database, facts);
  const judged =
    obstacle === null
      ? placeByPolicy(judgeSetting(database, facts, evidence), database, expectation)
      : judgeFixed(database, obstacle, expectation);
  const known = evidence?.known ?? null;
  const own = evidence?.instance.task?.databases.get(databaseId) ?? null;
  const log = joinSentences(describeHeldLog(database, facts), describeSmallLog(database, facts, own));
  const more = joinSentences(log, describeNeighbours(known), describeSlowIo(known));
  return more === ''
    ? { databaseId, ...judged }
    : { databaseId, ...judged, hasMore: true, reason: joinSentences(judged.reason, more) };
}

function judgeFixed(
  { databaseId, targetSeconds, isSnapshot }: DatabaseFacts,
  obstacle: Obstacle,
  expectation: Expectation,
): Judgement {
  const isNever = isSystemDatabase(databaseId) || isSnapshot || obstacle.kind === SYSTEM.kind;
  const wanted = isNever ? null : findWanted(expectation);
  const unmet = wanted === null || targetSeconds === null ? '' : describeUnmet(wanted, targetSeconds);
  const wouldChange = isNever
    ? t('Nothing: it is never part of a switch.')
    : t('Checking it where, or once, it can be changed.');
  return {
    part: null,
    verdict: isNever ? 'Leave' : 'Cannot tell here',
    group: 'Cannot change here',
    reason: joinSentences(obstacle.sentence, unmet),
    wouldChange,
  };
}

function judgeSetting(database: DatabaseFacts, facts: Facts, evidence: Evidence | null): Judgement {
  const target = database.targetSeconds ?? 0;
  const failing = evidence && judgeFailing(evidence);
  if (target > 0 && failing !== null) return { ...failing, part: null };
  if (target === DEFAULT_TARGET_SECONDS)
    return {
      part: null,
      verdict: 'Leave',
      group: 'Indirect',
      reason: t('Already uses indirect checkpoints, with the default target of 60 seconds.'),
      wouldChange: t('A rise in total writes since the change: see Before / after.'),
    };
  if (target > 0) {
    const isShort = target < FAR_BELOW && isPerhapsHot(evidence);
    const rewritten = t(
      '{0} is far below 60: pages that change often are written again and again. Raise it, unless that recovery time was agreed.',
      nameTarget(target),
    );
    return {
      part: null,
      verdict: isShort ? 'Watch' : 'Leave',
      group: 'Other value',
      reason: isShort
        ? rewritten
        : t('Uses indirect checkpoints with {0}, not the default of 60 seconds.', nameTarget(target)),
      wouldChange: t('Agreement from the person who chose that value.'),
    };
  }
  if (areAutomaticOff(facts)) return judgeTurnedOff(facts);
  return evidence === null
    ? judgeUntracked(null)
    : judgeMeasured(database.databaseId, evidence, recoveryIntervalMs(facts.server));
}

/** Seconds. A target below this writes pages that change often again and again: our own number. */
const FAR_BELOW = 20;

/** A database without a checkpoint in ten minutes or more writes next to nothing. */
function isPerhapsHot(evidence: Evidence | null): boolean {
  return (
    evidence === null ||
    !evidence.tracked ||
    evidence.observedMs < LEAST_OBSERVED_MS ||
    evidence.statistics !== null
  );
}

/** If automatic checkpoints are off, seeing none proves nothing. */
function judgeTurnedOff({ server }: Facts): Judgement {
  const reason = t(
    'The recovery interval is {0} minutes, the maximum, so automatic checkpoints are off. What was measured says nothing about them.',
    formatCount(server.recoveryIntervalMinutes ?? 0),
  );
  return judgeUnknown(reason, t('A measurement with the usual recovery interval.'));
}

/**
 * Measured harm keeps its group unless the policy exempts the database. Any other database is as the policy wants, or
 * not.
 */
function placeByPolicy(
  judged: Judgement,
  { targetSeconds }: DatabaseFacts,
  expectation: Expectation,
): Judgement {
  if (expectation.kind === 'none') return judged;
  if (expectation.kind === 'exception') {
    const measured = isInSight(judged) ? t('Measured: {0}', judged.reason) : '';
    const reason = joinSentences(describeException(expectation), measured);
    const wouldChange =
      expectation.expires === null
        ? t('A change of the policy.')
        : t('The end of the exception, or a change of the policy.');
    return { ...judged, verdict: 'Leave', group: 'As the policy wants', reason, wouldChange };
  }
  const wanted = findWanted(expectation);
  const isMet = wanted === (targetSeconds ?? 0);
  const group = isMet ? 'As the policy wants' : 'Not as the policy wants';
  const reason = joinSentences(
    judged.reason,
    isMet ? t('It has {0}, as the policy wants.', nameTarget(wanted)) : '',
    ...describeDeparture(expectation, targetSeconds),
  );
  return { ...judged, group: isInSight(judged) ? judged.group : group, reason };
}

function isInSight({ verdict }: Judgement): boolean {
  return verdict === 'Switch' || verdict === 'Watch';
}

/** @param intervalMs the recovery interval: a checkpoint that takes this or more is logged as FlushCache */
function judgeMeasured(databaseId: number, evidence: Evidence, intervalMs: number): Judgement {
  const { observedMs, tracked, known, instance } = evidence;
  if (!tracked || instance.task === null) return judgeUntracked(known);
  if (observedMs < LEAST_OBSERVED_MS || instance.neededMs > 0) {
    const missingMs = Math.max(LEAST_OBSERVED_MS - observedMs, instance.neededMs);
    const seen =
      missingMs < LEAST_OBSERVED_MS
        ? t('{0} seen so far.', formatDuration(LEAST_OBSERVED_MS - missingMs))
        : instance.sinceUtcMs === null
          ? t('Not measured yet.')
          : t('Not measured since the last change.');
    return judgeFailing(evidence, seen) ?? judgeUnknown(seen, describeTracking(missingMs));
  }
  const own = instance.task.databases.get(databaseId) ?? null;
  return (
    judgeFeeder(databaseId, own, evidence) ??
    judgeHarm(own, evidence, intervalMs) ??
    judgeBlind(instance) ??
    judgeUnseen(own, evidence) ??
    judgeHog(databaseId, evidence) ??
    judgeWaiting(databaseId, own, evidence) ??
    judgeCalm(evidence, intervalMs)
  );
}

function describeTracking(missingMs: number): string {
  return t('Another {0} of tracking.', formatDuration(missingMs));
}

/**
 * Judges by the error log, if the database is not tracked. It names only long checkpoints, so no message is no proof
 * (docs/facts.md, SQL Server 5).
 */
function judgeUntracked(known: KnownOfDatabase | null): Judgement {
  const wouldChange = t('Tracking it for ten minutes or more.');
  const failed = describeFailures(known);
  const logged = failed === '' ? describeFlushCache(known) : failed;
  if (logged === null)
    return judgeUnknown(
      t('Uses automatic checkpoints; not measured yet. Tracking measures it.'),
      wouldChange,
    );
  const reason = joinSentences(logged, t('Not measured yet.'));
  const group = failed === '' ? 'Long checkpoints' : 'Hurts by itself';
  return { verdict: 'Watch', part: null, group, reason, wouldChange };
}

function judgeUnknown(reason: string, wouldChange: string): Judgement {
  return { verdict: 'Cannot tell here', part: null, group: 'Automatic, not measured', reason, wouldChange };
}

const LESS_WORK = t('Less work for the task, from this and other databases.');

function judgeFeeder(databaseId: number, own: OwnTaskShare | null, evidence: Evidence): Judgement | null {
  const { instance } = evidence;
  if (own === null || !instance.feeders.has(databaseId)) return null;
  return {
    verdict: 'Switch',
    part: 'feeds',
    group: 'Feeds the queue',
    reason: joinSentences(
      t('Harmless alone, but it adds to the queue.'),
      describeUnreadBackups(instance.task),
    ),
    wouldChange: LESS_WORK,
  };
}

/** Harm that the database suffers by itself, queue or not. */
function judgeHarm(own: OwnTaskShare | null, evidence: Evidence, intervalMs: number): Judgement | null {
  const { known, statistics, mostMbToRedo, logReuseWait, instance, observedMs } = evidence;
  const count = statistics?.count ?? 0;
  const harm = (part: Part, verdict: 'Switch' | 'Watch', reason: string, wouldChange: string): Judgement => {
    return { verdict, part, group: 'Hurts by itself', reason, wouldChange };
  };
  const waits = describeLogWaits(known?.logLatency ?? null);
  if (waits !== null && count >= LEAST_CHECKPOINTS)
    return harm(
      'hurts alone',
      'Switch',
      waits,
      t('Log writes that take as long outside its checkpoints as during them.'),
    );
  const scanMs = known?.scanMs ?? 0;
  if (scanMs >= intervalMs)
    return harm(
      'hurts alone',
      'Switch',
      t(
        'Its checkpoint scanned the buffer pool for {0} (message 898). Indirect checkpoints do not scan it.',
        formatDuration(scanMs),
      ),
      t('Shorter scans.'),
    );
  const toRedoMb = known?.toRedoMb ?? null;
  if (mostMbToRedo !== null && toRedoMb !== null && toRedoMb > mostMbToRedo)
    return harm(
      'much to redo',
      'Switch',
      t(
        '{0} MB of log to redo after a crash; the policy allows {1} MB.',
        formatCount(toRedoMb),
        formatCount(mostMbToRedo),
      ),
      t('Less log between checkpoints, or a higher limit in the policy.'),
    );
  const isUnseen = count + (own?.count ?? 0) === 0;
  const isHeld = logReuseWait === 'CHECKPOINT';
  const held = t('Its log cannot be reused until its next checkpoint (log_reuse_wait_desc CHECKPOINT).');
  const isQueued = hasQueue(instance) && (instance.task?.busyShare ?? 0) > instance.bound;
  if (isHeld && !isUnseen && isQueued)
    return harm(
      'held back',
      'Switch',
      joinSentences(held, t('That checkpoint waits in the queue.')),
      t('A task that is mostly free.'),
    );
  const failing = judgeFailing(evidence);
  if (failing !== null) return failing;
  if (!isHeld || (isUnseen && instance.blind !== null && instance.partly === null)) return null;
  const seen = isUnseen
    ? t('None came in {0}.', formatDuration(observedMs))
    : t('Seen once. Without a queue it clears by itself.');
  const wouldChange = isUnseen ? t('Its next checkpoint.') : t('Seeing it again while the log fills up.');
  return harm('held back', 'Watch', joinSentences(held, seen), wouldChange);
}

/** Its checkpoints fail or come too late, by the error log: no tracking is needed to see that. */
function judgeFailing({ known }: Evidence, more = ''): Judgement | null {
  const failed = describeFailures(known);
  if (failed === '') return null;
  const [reason, wouldChange] = [joinSentences(failed, more), t('A week without such a message.')];
  return { verdict: 'Watch', part: 'held back', group: 'Hurts by itself', reason, wouldChange };
}

function judgeBlind({ blind, partly, cure }: Instance): Judgement | null {
  const wouldChange =
    cure !== undefined
      ? cure
      : partly === null
        ? t('Some time without such overlaps.')
        : t('Reading and recording all automatic databases.');
  return blind === null ? null : judgeUnknown(t('Cannot tell: {0}.', blind), wouldChange);
}

/** In a queue, its turn may still come. */
function judgeUnseen(
  own: OwnTaskShare | null,
  { instance, observedMs, statistics }: Evidence,
): Judgement | null {
  if (own !== null || (statistics?.count ?? 0) > 0 || instance.forecastInMs === 0) return null;
  const reason = t('No checkpoint in {0}. It may still be waiting in the queue.', formatDuration(observedMs));
  return judgeUnknown(reason, describeTracking(instance.forecastInMs));
}

/** It makes the longest stretch without a pause, though in all the time it takes little. */
function judgeHog(databaseId: number, { instance: { state, task }, known }: Evidence): Judgement | null {
  const part = task === null ? undefined : findLongRun(task)?.hogs.get(databaseId);
  if (part === undefined || state !== 'queue at times') return null;
  return {
    verdict: 'Watch',
    part: 'feeds',
    group: 'Feeds the queue',
    reason: t(
      'It takes {0} of the longest time without a pause. If that time matters, switch it.',
      formatPercent(part),
    ),
    wouldChange: joinSentences(t('A shorter time without a pause.'), ...listMissing(known)),
  };
}

/** Its turns came after others, and later than the recovery interval allows. */
function judgeWaiting(databaseId: number, own: OwnTaskShare | null, evidence: Evidence): Judgement | null {
  const { instance } = evidence;
  if (own === null || !hasQueue(instance)) return null;
  if (own.share >= instance.bound && instance.takers > 1)
    return {
      verdict: 'Watch',
      part: 'feeds',
      group: 'Feeds the queue',
      reason: t('It takes {0} of the checkpoint task.', formatPercent(own.share)),
      wouldChange: LESS_WORK,
    };
  if (own.late === 0 && !instance.perhaps.has(databaseId)) return null;
  return {
    verdict: 'Watch',
    part: 'waits',
    group: 'Waits in the queue',
    reason:
      own.late === 0
        ? t('It may feed the queue once the others are switched.')
        : t('Late because of the others.'),
    wouldChange: joinSentences(
      t('Look again once those that feed the queue use indirect checkpoints.'),
      ...listMissing(evidence.known),
    ),
  };
}

/** A day: what comes once in a night was seen then. */
const ENOUGH_WITHOUT_MS = 24 * 3_600_000;

/** No reader calls a checkpoint of ten seconds or more short. */
const SHORT_MS = 10_000;

/** A long checkpoint alone is no harm: the engine slows it down if writes are slow (docs/facts.md, SQL Server 1). */
function judgeCalm(evidence: Evidence, intervalMs: number): Judgement {
  const { statistics, observedMs, known } = evidence;
  const count = statistics?.count ?? 0;
  // It did have some: that a little time had none tells nothing.
  if (count === 0 && evidence.hasEarlier && observedMs < ENOUGH_WITHOUT_MS) {
    const none = t(
      'No checkpoint in {0} since the last change. Before that it had some.',
      formatDuration(observedMs),
    );
    return judgeUnknown(none, t('A checkpoint, or a day without one.'));
  }
  if (count === 0 && evidence.hasBegun)
    return judgeUnknown(
      t('Its checkpoint began, but the end was not seen.'),
      t('The end of that checkpoint.'),
    );
  const wouldChange = joinSentences(
    t('A queue that it feeds, or log writes that wait during its checkpoints.'),
    ...listMissing(known),
  );
  if (count === 0) {
    const reason = t('No checkpoint in {0}: nothing to gain from a change.', formatDuration(observedMs));
    return { verdict: 'Leave', part: 'none seen', group: 'No checkpoint seen', reason, wouldChange };
  }
  const longestMs = statistics?.maximumMs ?? 0;
  const isLong = longestMs >= intervalMs || (known?.flushCache?.messages ?? 0) > 0;
  const calm = { part: 'quiet', wouldChange } as const;
  if (!isLong && longestMs < SHORT_MS)
    return { ...calm, verdict: 'Leave', group: 'Quiet', reason: t('Its checkpoints are short.') };
  const isLongest = longestMs >= intervalMs || !isLong;
  const long = isLongest
    ? t('Its longest checkpoint took {0}.', formatDuration(longestMs))
    : (describeFlushCache(known) ?? '');
  if (!isLong) return { ...calm, verdict: 'Leave', group: 'Quiet', reason: long };
  const told = joinSentences(long, t('That alone does no harm.'));
  if (known?.logLatency?.kind === 'answered')
    return {
      ...calm,
      verdict: 'Leave',
      group: 'Quiet',
      reason: joinSentences(told, t('Log writes do not wait.')),
    };
  return {
    ...calm,
    verdict: 'Watch',
    group: 'Long checkpoints',
    reason: joinSentences(told, t('Log writes: not known.')),
  };
}
