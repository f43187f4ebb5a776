/**
 * The verdict on the checkpoint task: whether there is a queue, what it costs, and who feeds it. Databases are judged
 * after it. Otherwise even the busiest server would look calm, because each database by itself does little harm.
 */
import { countDatabases, formatCount } from '../format';
import { t } from '../language';
import type { Steps } from '../steps';
import type { LongestRun, TaskShare } from '../task/task-share';
import {
  findNeeded,
  forecastTask,
  type ForecastSteps,
  type Measured,
  type MissedForecast,
  type Wave,
} from './forecast';
import type { QueueBusy } from '../write-work/write-figures';
import type { LogWrites } from './known-of-database';
import type { NearestLimit } from './limits';

export type InstanceState =
  | 'saturated'
  | 'queue at times'
  | 'mostly free'
  | 'cannot tell yet'
  | 'cannot tell';

/** With less observed time nothing counts as measured: a few minutes are chance. */
export const LEAST_OBSERVED_MS = 10 * 60_000;
/** Up to this share of the time the task counts as free: the default of a setting. */
export const DEFAULT_BOUND = 0.3;
/** From this share on the task is called saturated. Like all limits here, it is our own. */
const SATURATED_SHARE = 0.8;
/**
 * Those that can be switched must take this much of the time, none counted with more than this one takes, or its switch
 * is not worth it.
 */
const LEAST_WORTH = 0.05;
/** A run of turns without a pause is a queue from this length on. */
const LONG_RUN_MS = 10 * 60_000;
/** A database without a turn in two cycles, or in this time, needs none. */
const MOST_WAIT_MS = 60 * 60_000;
/**
 * What was never seen may still come up to three times in the same time (95 %, the rule of three): ten minutes miss
 * many hourly batch jobs.
 */
const UNSEEN_CHECKPOINTS = 3;
/** A verdict is taken back only this far below its limit, so that it does not flicker. */
const STAYS = 0.85;
/** And advice only this far below it: it may be on its way to a change board. */
const ADVICE_STAYS = 0.5;

/** What is known of the instance before its databases are judged. */
export interface Instance {
  readonly state: InstanceState;
  /**
   * Why nothing can be told, as it stands after "Cannot tell: ", without a full stop; null if something can, or if only
   * time is missing.
   */
  readonly blind: string | null;
  /** What would let it be told, in a sentence; absent: it depends on why. */
  readonly cure?: string;
  /** Counts from the last change of a target recovery time, if one lies within the capture. */
  readonly observedMs: number;
  /** When that was; null: not within the capture. */
  readonly sinceUtcMs: number | null;
  /** Observed time that is missing until a first verdict, in milliseconds; 0: none. */
  readonly neededMs: number;
  /** null: nothing was observed yet. Where not all databases are recorded, its share is at least that. */
  readonly task: TaskShare | null;
  /**
   * How many of the automatic databases are recorded, where not all are, and how many databases could not be read;
   * null: all, or it is not known.
   */
  readonly partly: { readonly recorded: number; readonly of: number; readonly unread: number } | null;
  readonly bound: number;
  /** Databases that had a turn. */
  readonly takers: number;
  /** Databases whose turn may still come in a queue. Nothing is forecast until it could have come twice. */
  readonly unseen: number;
  /** Observed time that is missing until then, in milliseconds; 0: none. */
  readonly forecastInMs: number;
  /** Ids of the databases that take more than their fair part of the bound. */
  readonly feeders: ReadonlySet<number>;
  /** And of those that may do so as soon as the queue is shorter: in it they may ask less often than they would. */
  readonly perhaps: ReadonlySet<number>;
  /**
   * Share of the task that a forecast leaves free for long checkpoints of databases without a turn so far; 0 if all had
   * one.
   */
  readonly room: number;
  /** `estimateLikely` of the task; null or absent: not known. */
  readonly likely?: ReadonlyMap<number, number> | null;
  /**
   * The task by its own waits: of the time of the events where they judge it, else of the last hour; null or absent:
   * not seen. It judges no database.
   */
  readonly byWaits?: QueueBusy | null;
  /**
   * Share of the task taken by databases that cannot be changed here, and the id of the only one of them; null: none or
   * several.
   */
  readonly fixedShare: number;
  readonly fixedId: number | null;
}

/** The instance with what was found about its databases. */
export interface InstanceVerdict extends Instance {
  /** How many databases with automatic checkpoints it has, and how many databases in all. */
  readonly automatic: number;
  readonly databases: number;
  /** Ids of databases to switch for their own sake, queue or not. */
  readonly hurting: readonly number[];
  /** Ids of databases that we advise to switch: of the feeders only as many as the forecast needs. */
  readonly advised: readonly number[];
  /** How many were advised before that last changed in this capture; null: it did not. */
  readonly advisedBefore: number | null;
  /** How many planned waves were run. */
  readonly ran: number;
  /**
   * The wave that comes next, once the first one was run, also while something speaks against it; null: none was run,
   * none is left, or none is needed.
   */
  readonly next: Wave | null;
  /** The planned waves behind it. */
  readonly later: readonly Wave[];
  /** The task after each wave of the advised switch; null if nothing is advised or nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** How busy the task was before the first change within the capture; null: not known. */
  readonly busyBefore: number | null;
  /** Why nothing is advised now, whatever the task's time says; null: nothing speaks against the next wave. */
  readonly objection: Objection | null;
  /** The databases that were changed last; null: none was, or it made no difference to the task. */
  readonly lastWave: RunWave | null;
  readonly soFar: SoFar | null;
  readonly logWrites: LogWrites;
  /** How many databases say something to look at: those to watch, and those with slow I/O on their files. */
  readonly watched: number;
}

/** How it went so far since databases were switched; null: none was, or the pages were not made yet. */
export interface SoFar {
  /** The last wave that was run; null: databases were changed without waves. */
  readonly wave: number | null;
  /** By the server's clock. */
  readonly atUtcMs: number;
  /** The last planned wave; null: none was run, or too little was seen. In a wide range nearly everything lies. */
  readonly forecast: 'as forecast' | 'wide' | 'above' | 'below' | null;
  /** Whether limits are exceeded, as a sentence or two. */
  readonly limits: string;
}

/** Databases that were changed together. */
export interface RunWave {
  /** Its number as it was planned; null: it was not planned. */
  readonly wave: number | null;
  /** The last of its changes. */
  readonly atUtcMs: number;
  readonly changed: number;
  /** Enough was seen since then. */
  readonly isSeen: boolean;
  /** Ids of its databases that have another target recovery time than 0 now. */
  readonly databaseIds: readonly number[];
  /**
   * When enough will have been seen since then; null: it is not being recorded. In the past: it was not, or enough was
   * seen.
   */
  readonly resultUtcMs: number | null;
}

/** What speaks against the next wave. The first that holds counts, in this order. */
export type Objection =
  /** A limit is exceeded since databases were switched. */
  | { readonly kind: 'stop'; readonly limit: NearestLimit }
  /** Too little was seen since the last wave. */
  | { readonly kind: 'just switched'; readonly last: RunWave }
  /** The task is busier than was forecast for the last wave. */
  | { readonly kind: 'missed'; readonly missed: MissedForecast };

export const nothingSeen: Instance = {
  state: 'cannot tell yet',
  blind: null,
  observedMs: 0,
  sinceUtcMs: null,
  neededMs: LEAST_OBSERVED_MS,
  task: null,
  partly: null,
  bound: DEFAULT_BOUND,
  takers: 0,
  unseen: 0,
  forecastInMs: 0,
  feeders: new Set(),
  perhaps: new Set(),
  fixedShare: 0,
  fixedId: null,
  room: 0,
};

/**
 * Since when the figures of databases count: since the last change that counts, once ten minutes of it were observed;
 * null: all observed time.
 */
export function findFiguresSince({ sinceUtcMs, task }: Pick<Instance, 'sinceUtcMs' | 'task'>): number | null {
  return (task?.observedMs ?? 0) >= LEAST_OBSERVED_MS ? sinceUtcMs : null;
}

export interface InstanceGrounds extends Pick<
  Instance,
  'bound' | 'sinceUtcMs' | 'blind' | 'partly' | 'byWaits'
> {
  /** Ids of databases that use automatic checkpoints and can be changed here. */
  readonly changeable: ReadonlySet<number>;
  /** The recovery interval in milliseconds: a checkpoint that takes this or more is a long one. */
  readonly intervalMs: number;
  /** The verdict before this one, on the same capture; null: none. */
  readonly before: Pick<InstanceVerdict, 'state' | 'feeders' | 'advised'> | null;
}

/** @param task its databases by database_id; null: nothing was observed */
export function judgeInstance(
  task: TaskShare | null,
  { changeable, bound, sinceUtcMs, intervalMs, blind, partly, before, byWaits = null }: InstanceGrounds,
): Instance {
  const nothing = { ...nothingSeen, bound, sinceUtcMs, partly };
  if (blind !== null) return { ...nothing, state: 'cannot tell', blind, neededMs: 0, task };
  if (task === null) return nothing;
  const { observedMs } = task;
  const { turns } = countTurns(task);
  const takers = countTakers(task);
  const seen = {
    ...nothing,
    observedMs,
    neededMs: Math.max(0, LEAST_OBSERVED_MS - observedMs),
    task,
    takers,
  };
  if (seen.neededMs > 0) return seen;
  const fixed = [...task.databases].filter(([id]) => !changeable.has(id));
  const state = nameState(task, bound, before?.state);
  if (isHiddenByJob(task, state, bound))
    return {
      ...seen,
      state: 'cannot tell',
      blind: describeJob(task.job?.databases ?? 0),
      cure: RECORD_CALLER,
    };
  // What is recorded may prove a queue, never that there is none.
  if (state === 'mostly free' && partly !== null)
    return { ...seen, state: 'cannot tell', blind: describePartly(partly) };
  if (state === 'mostly free' && areApart(byWaits, task) && (byWaits?.share ?? 0) > bound)
    return { ...seen, state: 'cannot tell', blind: APART };
  if (state === 'mostly free' && task.margin > 0 && task.busyShare + task.margin > bound)
    return { ...seen, state: 'cannot tell', blind: UNCERTAIN };
  const cycleMs = turns === 0 ? 0 : (observedMs * takers) / turns;
  const waitMs = hasQueue({ state }) ? Math.max(0, Math.min(MOST_WAIT_MS, 2 * cycleMs) - observedMs) : 0;
  const unseen = [...changeable].filter((id) => !task.databases.has(id)).length;
  return {
    ...seen,
    state,
    unseen: waitMs > 0 ? unseen : 0,
    forecastInMs: unseen > 0 ? waitMs : 0,
    room:
      unseen > 0 ? Math.min(1, (UNSEEN_CHECKPOINTS * Math.max(intervalMs, task.longestMs)) / observedMs) : 0,
    fixedShare: fixed.reduce((sum, [, { share }]) => sum + share, 0),
    fixedId: fixed.length === 1 ? (fixed[0]?.[0] ?? null) : null,
    feeders: findFeeders(task, changeable, bound, before, hasQueue({ state })),
    perhaps: findFeeders({ ...task, databases: asUnqueued(task) }, changeable, bound, null, false),
  };
}

/**
 * Which feeders to switch: as many as the forecast needs. Those that were advised before stay. More come only if the
 * upper end is clearly above the bound, and they bring it down to the bound or by half; fewer are advised only if it is
 * far below the bound.
 * @param already ids of databases that are switched in any case
 * @param before the verdict before this one, on the same capture; null: none
 */
export function* chooseAdvised(
  measured: Measured,
  feeders: readonly number[],
  already: ReadonlySet<number>,
  before: Pick<InstanceVerdict, 'advised' | 'forecast'> | null,
): Steps<readonly number[]> {
  const needed = findNeeded(measured, feeders, already);
  if (before === null || before.forecast === null) return needed;
  yield;
  const was = new Set(before.advised);
  const kept = feeders.filter((id) => was.has(id));
  const gone = new Set([...already, ...kept]);
  const [{ high }, { bound }] = [forecastTask(measured, gone), measured];
  if (high < ADVICE_STAYS * bound) return needed.length < kept.length ? needed : kept;
  if (STAYS * high <= bound) return kept;
  yield;
  const others = feeders.filter((id) => !gone.has(id));
  const more = findNeeded(measured, others, gone);
  const thenHigh = forecastTask(measured, new Set([...gone, ...more])).high;
  return thenHigh <= Math.max(bound, ADVICE_STAYS * high) ? [...kept, ...more] : kept;
}

/** '' where they were read, so that what they caused is left out. */
export function describeUnreadBackups(task: TaskShare | null): string {
  return task?.areBackupsKnown === false
    ? t('Backups were not read, so this may include checkpoints that backups caused.')
    : '';
}

/** "only 1 of 312 automatic databases is recorded" */
export function describePartly({ recorded, of, unread }: NonNullable<Instance['partly']>): string {
  if (unread > 0) return t('what the server says about {0} could not be read', countDatabases(unread));
  const all = formatCount(of);
  return recorded === 1
    ? t('only 1 of {0} automatic databases is recorded', all)
    : t('only {0} of {1} automatic databases are recorded', formatCount(recorded), all);
}

/** Turns of all databases together, and those that may have waited for a recovery interval or longer. */
export function countTurns({ databases }: TaskShare): { readonly turns: number; readonly late: number } {
  const own = [...databases.values()];
  return {
    turns: own.reduce((sum, { count }) => sum + count, 0),
    late: own.reduce((sum, one) => sum + one.late, 0),
  };
}

/** For example checkpoints by hand in four windows at once: the task ran one of them, or none. */
const UNCERTAIN = t('checkpoints overlapped, and it is not certain which of them the checkpoint task ran');

/** "a task goes through 80 databases in one walk and then rests, …" */
function describeJob(databases: number): string {
  return t(
    'a task goes through {0} in one walk and then rests, so it may be a job that runs CHECKPOINT. Add is_system to the event session',
    countDatabases(databases),
  );
}

const RECORD_CALLER = t(
  'An event session that records is_system, as one made by Start Tracking does: it tells jobs from the checkpoint task.',
);

/**
 * Whether the verdict would be another if that task is a job's, which is not known. If another task has a queue, it is
 * the same either way.
 */
function isHiddenByJob({ job, observedMs }: TaskShare, state: InstanceState, bound: number): boolean {
  if (job === null) return false;
  const isMuch = job.busyMs > bound * observedMs || job.longestMs > LONG_RUN_MS;
  return hasQueue({ state }) ? job.isTask : isMuch;
}

const APART = t('the events and the wait statistics of the checkpoint task disagree');

/** Databases that had turns, those that are gone since included. */
const countTakers = ({ databases, gone }: TaskShare): number => databases.size + (gone?.databases ?? 0);

/**
 * Whether the waits alone tell that the task is hardly ever free, after as much time as events need. They never tell
 * that it is free.
 */
export function isBusyByWaits({ byWaits = null }: Pick<Instance, 'byWaits'>): boolean {
  return byWaits !== null && byWaits.observedMs >= LEAST_OBSERVED_MS && byWaits.share > SATURATED_SHARE;
}

/**
 * The events and the waits of the task differ by more than this share of the time: something was not recorded, or they
 * measure different things.
 */
const MOST_APART = 0.1;

/** How busy the task was by its events; `margin`: the share by which that may be off. */
export type EventsBusy = Pick<TaskShare, 'busyShare' | 'observedMs' | 'margin'>;

/**
 * Whether the second witness contradicts the events. Where one of them saw more of the time, the rest of it may have
 * been any.
 */
export function areApart(byWaits: QueueBusy | null, { busyShare, observedMs, margin }: EventsBusy): boolean {
  if (byWaits === null) return false;
  const shared = Math.min(byWaits.observedMs, observedMs) / Math.max(byWaits.observedMs, observedMs, 1);
  return Math.abs(byWaits.share - busyShare) - margin > MOST_APART + 1 - shared;
}

export function hasQueue({ state }: Pick<Instance, 'state'>): boolean {
  return state === 'saturated' || state === 'queue at times';
}

/** The longest stretch without a pause; null: none is long enough to be a queue. */
export function findLongRun({ longestRun }: TaskShare): LongestRun | null {
  return longestRun !== null && longestRun.endUtcMs - longestRun.beginUtcMs > LONG_RUN_MS ? longestRun : null;
}

/** If only one database uses the task, none waits, unless it never lets go. */
function nameState(task: TaskShare, bound: number, before: InstanceState | undefined): InstanceState {
  const { busyShare, margin } = task;
  const least = busyShare - margin;
  const isAbove = (limit: number, wasAbove: boolean): boolean => least > (wasAbove ? STAYS * limit : limit);
  if (isAbove(SATURATED_SHARE, before === 'saturated')) return 'saturated';
  if (countTakers(task) < 2) return 'mostly free';
  const hadQueue = before === 'saturated' || before === 'queue at times';
  return findLongRun(task) !== null || isAbove(bound, hadQueue) ? 'queue at times' : 'mostly free';
}

const asUnqueued = ({ databases }: TaskShare): TaskShare['databases'] =>
  new Map([...databases].map(([id, own]) => [id, { ...own, share: own.mostShare }]));

/**
 * Who takes more than its fair part of the bound. Adds up what all databases take, none counted with more than this one
 * takes: if the sum is above the bound, this one feeds the queue. So similar databases get the same word, and more load
 * anywhere clears none. One database alone makes no queue.
 */
function findFeeders(
  task: TaskShare,
  changeable: ReadonlySet<number>,
  bound: number,
  before: InstanceGrounds['before'],
  isQueue: boolean,
): ReadonlySet<number> {
  const feeders = new Set<number>();
  const { databases, margin } = task;
  if (countTakers(task) < 2) return feeders;
  // Time that may not be the task's counts against none.
  let [fixed, below] = [-margin, 0];
  const shares: (readonly [number, number])[] = [];
  for (const [id, { share }] of databases) {
    if (changeable.has(id)) shares.push([id, share]);
    else fixed += share;
  }
  const advised = new Set(isQueue ? before?.advised : []);
  const staysOf = (id: number): number =>
    advised.has(id) ? ADVICE_STAYS : before?.feeders.has(id) === true ? STAYS : 1;
  shares.sort(([, a], [, b]) => a - b);
  shares.forEach(([id, share], at) => {
    const fairSum = below + share * (shares.length - at);
    if (fixed + fairSum > staysOf(id) * bound && fairSum > staysOf(id) * LEAST_WORTH) feeders.add(id);
    below += share;
  });
  return feeders;
}
