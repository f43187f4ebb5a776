/**
 * What is known of following one session, and what each event makes of it: when it is read, what is told, what is kept.
 * Values only.
 */
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { TrackingStatus } from '../../core/capture/tracking-status';
import { type ObserverCost, spaceOut } from '../queries/observer-cost';
import type { Turn } from './session-reader';
import { countStored, isInMemory, listTracked, type Reading } from './reading';
import { describeEnding, describeStopped } from './tracking-sentences';
import { t } from '../../core/language';

/** A session that does not run is looked at less often: this many times the usual interval. */
const WAITING_FACTOR = 15;
/** A ring buffer is read less often, because it is read whole each time. */
const MEMORY_FACTOR = 5;
/** If each query is a login. */
const LOGIN_FACTOR = 2;
/**
 * If nothing has come for this many reads, and the user has not looked since, each interval is longer than the one
 * before, up to this many times the usual one.
 */
const QUIET_READS = 6;
const MOST_QUIET_FACTOR = 12;
/** After a read that failed, the next one comes within this time: a server that does not answer does no work for us. */
const RETRY_MS = 60_000;
/** A capture is kept each time this much more was observed. A long one less often, because it is written whole. */
const KEEP_EVERY_MS = 3 * 60_000;
const ROWS_KEPT_OFTEN = 1_000_000;

/** What following keeps of its own, at its begin. */
const NOTHING_READ = {
  isOn: true,
  /**
   * We stopped the session, or leave it alone from now on; what it recorded until then is being read. null: it is
   * followed.
   */
  ending: null as 'Stopped' | 'Removed' | null,
  /** Why the last read failed, as one sentence; null: it did not. */
  failure: null as string | null,
  /** The user paused the reading of what is stored. */
  isPaused: false,
  /** The next read has its time, or its place in the queue. */
  next: 'none' as 'none' | 'timer' | 'turn',
  /** When the newest file is to be read again. */
  recentDueMs: -Infinity,
  /** The last turn left more to be read; stored events that were read, as far as is known. */
  hadMore: false,
  storedRead: 0,
  /** Reads in a row that brought nothing, without a look of the user. */
  quiet: 0,
  rowsRead: 0,
  /** Milliseconds that the server took for the last turn. */
  costMs: 0,
  /** How far the capture was observed when it was kept last; of a new one, when it begins. */
  keptToUtcMs: -Infinity,
  /** The databases that the session records; null: all. */
  databaseIds: null as readonly number[] | null,
  /** See SessionSnapshot; null: not known. */
  targetsSum: null as number | null,
};
export type Following = Readonly<typeof NOTHING_READ>;

/** The same, with what it rests on at the moment. */
export interface Followed extends Following {
  readonly reading: Reading;
  readonly whole: CaptureRecord;
  /** The newest file is read too, and shown until all files were read in order. */
  readonly hasRecent: boolean;
  readonly pollIntervalMs: number;
  readonly isLoginForEach: boolean;
  readonly elapsedMs: number;
}

type Read = 'queue' | 'readWhole' | 'readNewest';
/** The effects of an event, in this order. A number: milliseconds until the next read. */
export type FollowingEffect =
  | number
  | Read
  | 'report'
  | 'changed'
  | 'rows'
  | 'allRows'
  | 'settleAll'
  | 'showWhole'
  | 'keep'
  | 'readFacts'
  | 'goOn';
export type FollowingChange = readonly [Partial<Following>, ...FollowingEffect[]];

export const onFollowing = {
  /** A person looks: if reads had become rare, or wait for a session that did not run, the next one comes now. */
  look: (now: Followed): FollowingChange =>
    isRare(now) && now.next === 'timer' ? [{ quiet: 0 }, 0] : [{ quiet: 0 }],
  /** The user pauses the reading of stored events, and goes on. */
  pause: (now: Followed): FollowingChange => [
    { isPaused: now.isPaused || describeReading(now) !== null },
    'changed',
  ],
  readOn: (now: Followed): FollowingChange =>
    now.isPaused ? [{ quiet: 0, isPaused: false }, 'queue', 'changed'] : onFollowing.look(now),
  /** The server answers: a read comes at the next opportunity. */
  resume: ({ next }: Followed): FollowingChange => (next === 'none' ? [{}, 0] : [{}]),
  /** No read until `goOn`. */
  hold: ({ next }: Followed): FollowingChange => [{ next: next === 'timer' ? 'none' : next }],
  goOn: (now: Followed): FollowingChange => (now.next === 'turn' ? [{}] : [{}, findInterval(now)]),
  /** The time of a read has come; then its turn in the queue. */
  tick: (): FollowingChange => [{ next: 'none' }, 'queue'],
  turn: (now: Followed): FollowingChange => {
    // If the user paused, stored events wait, and so do the new ones after them.
    const isHeld = isHeldBack(now);
    const isRecentNext = now.hasRecent && now.ending === null && (isHeld || now.elapsedMs >= now.recentDueMs);
    return isRecentNext
      ? [{ next: 'none' }, 'readNewest']
      : isHeld
        ? [{ next: 'none' }]
        : [{ next: 'none' }, 'readWhole'];
  },
  page: takePage,
  /** A page of the newest file was read: new events are shown at the usual pace while older files are read. */
  newest: (now: Followed, turn: Turn): FollowingChange => {
    const recentDueMs = turn === 'more' ? now.recentDueMs : now.elapsedMs + now.pollIntervalMs;
    return [{ recentDueMs }, 'rows', isHeldBack(now) && turn !== 'more' ? now.pollIntervalMs : 'queue'];
  },
  /** The next turn goes on from the same place: the events wait there. */
  failure: (_: Followed, sentence: string, costMs: number): FollowingChange => [
    { failure: sentence, costMs },
    'report',
    'goOn',
  ],
  /** Its databases were changed, and it was looked at again. */
  changed: ({ reading }: Followed): FollowingChange => [{ failure: null, databaseIds: listTracked(reading) }],
  stopped: (now: Followed): FollowingChange => [
    { ...onFollowing.hold(now)[0], ending: 'Stopped' },
    'report',
    ...(now.isPaused ? [] : ['readWhole' as const]),
  ],
  /** The session was dropped. Its files stay, and the rest of them is read. */
  removed: (): FollowingChange => [{ ending: 'Removed' }, 'report'],
  end: (): FollowingChange => [{ isOn: false }, 'settleAll', 'showWhole', 'keep'],
  /** The window ends, or another server answers: it may be followed again. */
  close: (): FollowingChange => [{ isOn: false }],
};

/** The same change, with the next read as it is planned then. */
export function planNext(
  now: Followed,
  [change, ...all]: FollowingChange,
): Readonly<{ change: Partial<Following>; effects: readonly FollowingEffect[] }> {
  const { isOn, next } = { ...now, ...change };
  // One that waits for its turn is soon enough.
  const effects = isOn && next !== 'turn' ? all : all.filter((each) => !isPlan(each));
  const plan = effects.find(isPlan);
  const planned = plan === undefined ? next : plan === 'queue' ? 'turn' : 'timer';
  return { change: { ...change, next: isOn ? planned : 'none' }, effects };
}

const isPlan = (effect: FollowingEffect): boolean => effect === 'queue' || typeof effect === 'number';

export function beginFollowing(reading: Reading): Following {
  const { nowUtcMs, targetsSum = null } = reading.plan.snapshot;
  return { ...NOTHING_READ, databaseIds: listTracked(reading), keptToUtcMs: nowUtcMs, targetsSum };
}

function takePage(now: Followed, turn: Turn, costMs: number): FollowingChange {
  const { reading, ending, whole } = now;
  const { rowsRead } = whole.ledger();
  const { isRunning } = reading;
  const known = {
    failure: null,
    costMs,
    rowsRead,
    quiet: rowsRead === now.rowsRead ? now.quiet + 1 : 0,
    hadMore: turn === 'more',
    storedRead: countStored(reading) ?? now.storedRead,
    databaseIds: listTracked(reading),
    targetsSum: reading.seen.targetsSum ?? now.targetsSum,
  };
  if (turn !== 'more' && ending !== null)
    return [{ ...known, isOn: false }, 'report', 'allRows', 'showWhole', 'keep'];
  const told: FollowingEffect[] =
    turn === 'nothing' ? ['report'] : ['report', turn === 'end' && !isRunning ? 'allRows' : 'rows'];
  // A script was run, perhaps ours: the pane shows it at once, not a minute later.
  if (now.targetsSum !== null && known.targetsSum !== now.targetsSum) told.push('readFacts');
  // The newest file was read on meanwhile, so the whole capture is read once more before it takes its place.
  const isAgain = turn === 'end' && now.hadMore && now.hasRecent && isRunning;
  if (turn === 'more' || isAgain) return [known, ...told, 'queue'];
  const kept: FollowingEffect[] = turn === 'end' && (!isRunning || isKeepDue(now)) ? ['keep'] : [];
  return [{ ...known, isPaused: false }, ...told, 'showWhole', ...kept, 'goOn'];
}

function isKeepDue({ whole: { observation, columns }, keptToUtcMs }: Followed): boolean {
  const everyMs = KEEP_EVERY_MS * Math.max(1, columns.rows / ROWS_KEPT_OFTEN);
  return observation !== null && observation.endUtcMs - keptToUtcMs >= everyMs;
}

function standingOf({ isOn, ending, failure, reading }: Followed): keyof typeof standings {
  if (!isOn) return 'over';
  if (ending !== null) return failure === null ? 'ending' : 'endingUnread';
  return !reading.isRunning ? 'gone' : failure === null ? 'followed' : 'unread';
}

/** What the user is told of each. */
const standings = {
  followed: { trouble: null, say: () => null },
  unread: {
    trouble: 'not read',
    say: ({ failure }) => t('New events could not be read: {0}', failure ?? ''),
  },
  gone: { trouble: 'session gone', say: ({ reading }) => describeStopped(reading.trouble ?? '') },
  ending: {
    trouble: null,
    say: ({ ending, reading }) => describeEnding(ending ?? 'Stopped', countStored(reading) ?? 0, null),
  },
  endingUnread: {
    trouble: 'not read',
    say: ({ ending, failure }) => describeEnding(ending ?? 'Stopped', 0, failure),
  },
  over: { trouble: null, say: () => null },
} as const satisfies Readonly<
  Record<
    string,
    { readonly trouble: TrackingStatus['trouble']; readonly say: (now: Followed) => string | null }
  >
>;

export function describeFollowing(
  now: Followed,
): Pick<TrackingStatus, 'state' | 'trouble' | 'message' | 'reading'> {
  const { trouble, say } = standings[standingOf(now)];
  const isFollowed = now.isOn && now.ending === null && now.reading.isRunning;
  const state = now.ending === 'Removed' ? 'not tracking' : isFollowed ? 'tracking' : 'stopped';
  return { state, trouble, message: say(now), reading: now.isOn ? describeReading(now) : null };
}

/** What following costs the server, beside the queries. */
export function measureCost(now: Followed): Omit<ObserverCost, 'lastMinute'> {
  const isFollowed = now.isOn && now.reading.isRunning;
  const sessionBytes = (isFollowed ? now.reading.seen.bufferBytes : null) ?? null;
  const intervalMs = findInterval(now);
  return {
    sessionBytes,
    readEveryMs: isFollowed ? intervalMs : null,
    isSpacedOut: isFollowed && intervalMs > findUsual(now),
  };
}

function describeReading({ reading, hasRecent, storedRead, isPaused }: Followed): TrackingStatus['reading'] {
  const events = countStored(reading) ?? (hasRecent ? storedRead : null);
  return events === null ? null : { events, isPaused };
}

const isHeldBack = (now: Followed): boolean => now.isPaused && describeReading(now) !== null;
const isRare = ({ quiet, reading }: Followed): boolean => quiet > QUIET_READS || !reading.isRunning;

/** Milliseconds between two reads, without the ceiling of what we cost. */
function findUsual({ reading, ending, quiet, isLoginForEach, pollIntervalMs }: Followed): number {
  if (!reading.isRunning && ending === null) return pollIntervalMs * WAITING_FACTOR;
  const factor = Math.max(isInMemory(reading) ? MEMORY_FACTOR : 1, isLoginForEach ? LOGIN_FACTOR : 1);
  return pollIntervalMs * Math.max(factor, Math.min(MOST_QUIET_FACTOR, quiet - QUIET_READS));
}

function findInterval(now: Followed): number {
  const usualMs = findUsual(now);
  const spacedMs = spaceOut(usualMs, now.costMs);
  return now.failure === null ? spacedMs : Math.min(spacedMs, Math.max(usualMs, RETRY_MS));
}
