/**
 * The verdict on the one task that runs the automatic checkpoints of all databases: whether there is a queue, what it costs, and who feeds it. Databases are judged
 * after it, because in a queue the busiest server would else look calm: each database for itself does little harm.
 */
import type { TaskShare } from '../task/task-share';
import type { ForecastSteps } from './forecast';

export type InstanceState = 'saturated' | 'queue at times' | 'mostly free' | 'cannot tell yet' | 'cannot tell';

/** Below this nothing is called measured: a few minutes are chance. */
export const LEAST_OBSERVED_MS = 10 * 60_000;
/** Up to this share of the time the task counts as free: the default of a setting. */
export const DEFAULT_BOUND = 0.3;
/** From here on the task is called saturated: limits of ours, as all of these. */
const SATURATED_SHARE = 0.8;
/** A run of turns without a pause is a queue from this length on. */
export const LONG_RUN_MS = 10 * 60_000;
/** Who had no turn in two cycles, or in this time, wants none. */
const MOST_WAIT_MS = 60 * 60_000;
/** What was not seen once may come three times in as long (95 %, the rule of three): batch jobs come once an hour, and ten minutes do not meet all of them. */
const UNSEEN_CHECKPOINTS = 3;
/** What was called before is taken back only this far below the limit, so that a verdict changes when the evidence does. */
const STAYS = 0.85;

/** What is known of the instance before its databases are judged. */
export interface Instance {
  readonly state: InstanceState;
  /** Why nothing can be told, as the end of a sentence; null where it can, or where only time is missing. */
  readonly blind: string | null;
  /** Since the last change of a target recovery time, where one lies within the capture. */
  readonly observedMs: number;
  /** When that was; null: not within the capture. */
  readonly sinceUtcMs: number | null;
  /** Observed time that is missing until a first verdict, in milliseconds; 0: none. */
  readonly neededMs: number;
  /** null: nothing was observed yet. */
  readonly task: TaskShare | null;
  readonly bound: number;
  /** Databases that had a turn, and how long it is from one turn to the next, taken over all of them; null: none had one. */
  readonly takers: number;
  readonly cycleMs: number | null;
  /** Databases whose turn may still come, while a queue stands: nothing is forecast before it can have come twice. */
  readonly unseen: number;
  /** Until then, in milliseconds of observed time; 0: it can have come. */
  readonly forecastInMs: number;
  /** Ids of the databases that take more than their fair part of the bound. */
  readonly feeders: ReadonlySet<number>;
  /** Share of the task that a forecast leaves free for long checkpoints of databases which had no turn yet; 0 where all had one. */
  readonly room: number;
  /** Share of the task that databases take which cannot be changed here. */
  readonly fixedShare: number;
}

/** The same with what was found about its databases. */
export interface InstanceVerdict extends Instance {
  /** How many automatic databases it has in all, and how many databases. */
  readonly automatic: number;
  readonly databases: number;
  /** Ids of those that are a reason to switch by themselves. */
  readonly hurting: readonly number[];
  /** Ids of those that are advised to be switched: of the feeders only as many as the forecast needs. */
  readonly advised: readonly number[];
  /** The task once all advised are switched, wave by wave; null where nothing is advised or nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** How busy the task was before the first change within the capture; null: not known. */
  readonly busyBefore: number | null;
}

export const nothingSeen: Instance = {
  state: 'cannot tell yet',
  blind: null,
  observedMs: 0,
  sinceUtcMs: null,
  neededMs: LEAST_OBSERVED_MS,
  task: null,
  bound: DEFAULT_BOUND,
  takers: 0,
  cycleMs: null,
  unseen: 0,
  forecastInMs: 0,
  feeders: new Set(),
  fixedShare: 0,
  room: 0,
};

export interface InstanceGrounds {
  /** Ids of databases that use automatic checkpoints and can be changed here. */
  readonly changeable: ReadonlySet<number>;
  readonly bound: number;
  readonly sinceUtcMs: number | null;
  /** The recovery interval in milliseconds: a checkpoint as long as that is a long one. */
  readonly intervalMs: number;
  readonly blind: string | null;
  /** The verdict before this one, on the same capture; null: none. */
  readonly before: Pick<Instance, 'state' | 'feeders'> | null;
}

/** @param task its databases by database_id; null: nothing was observed */
export function judgeInstance(
  task: TaskShare | null,
  { changeable, bound, sinceUtcMs, intervalMs, blind, before }: InstanceGrounds,
): Instance {
  const nothing = { ...nothingSeen, bound, sinceUtcMs };
  if (blind !== null) return { ...nothing, state: 'cannot tell', blind, neededMs: 0, task };
  if (task === null) return nothing;
  const { observedMs } = task;
  const turns = countTurns(task);
  const takers = task.databases.size;
  const cycleMs = turns === 0 ? null : (observedMs * takers) / turns;
  const seen = { ...nothing, observedMs, neededMs: Math.max(0, LEAST_OBSERVED_MS - observedMs), task, takers, cycleMs };
  if (seen.neededMs > 0) return seen;
  const fixedShare = [...task.databases].reduce((sum, [id, { share }]) => sum + (changeable.has(id) ? 0 : share), 0);
  const state = nameState(task, bound, before?.state);
  if (state === 'mostly free' && task.busyShare > bound && task.margin > 0) return { ...seen, state: 'cannot tell', blind: UNCERTAIN };
  const waitMs = hasQueue({ state }) ? Math.max(0, Math.min(MOST_WAIT_MS, 2 * (cycleMs ?? 0)) - observedMs) : 0;
  const unseen = [...changeable].filter((id) => !task.databases.has(id)).length;
  return {
    ...seen,
    state,
    unseen: waitMs > 0 ? unseen : 0,
    forecastInMs: unseen > 0 ? waitMs : 0,
    room: unseen > 0 ? Math.min(1, (UNSEEN_CHECKPOINTS * Math.max(intervalMs, task.longestMs)) / observedMs) : 0,
    fixedShare,
    feeders: findFeeders(task, changeable, bound, before?.feeders),
  };
}

/** Of all its databases. */
export function countTurns({ databases }: TaskShare): number {
  return [...databases.values()].reduce((sum, { count }) => sum + count, 0);
}

/** As checkpoints by hand in four windows at once: the task was busy with one of them, or with none. */
const UNCERTAIN = 'checkpoints overlapped, and which of them the checkpoint task ran is not certain';

export function hasQueue({ state }: Pick<Instance, 'state'>): boolean {
  return state === 'saturated' || state === 'queue at times';
}

/** Nobody waits where one database has the task alone, unless it never lets go. */
function nameState(
  { busyShare, margin, longestRun, databases }: TaskShare,
  bound: number,
  before: InstanceState | undefined,
): InstanceState {
  const least = busyShare - margin;
  const isAbove = (limit: number, wasAbove: boolean): boolean => least > (wasAbove ? STAYS * limit : limit);
  if (isAbove(SATURATED_SHARE, before === 'saturated')) return 'saturated';
  if (databases.size < 2) return 'mostly free';
  const runMs = longestRun === null ? 0 : longestRun.endUtcMs - longestRun.beginUtcMs;
  const hadQueue = before === 'saturated' || before === 'queue at times';
  return runMs > LONG_RUN_MS || isAbove(bound, hadQueue) ? 'queue at times' : 'mostly free';
}

/**
 * Who takes more than its fair part of the bound: the sum of what each database takes, none counted with more than this one takes itself, is above it. Databases alike
 * get the same word, and time that is added anywhere takes none out. A queue needs two databases: a long run of one is a long checkpoint.
 */
function findFeeders(
  { databases, margin }: TaskShare,
  changeable: ReadonlySet<number>,
  bound: number,
  before: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const feeders = new Set<number>();
  if (databases.size < 2) return feeders;
  // What is not certain to be the task's speaks for nobody.
  let below = -margin;
  const shares: (readonly [number, number])[] = [];
  for (const [id, { share }] of databases) {
    if (changeable.has(id)) shares.push([id, share]);
    else below += share;
  }
  shares.sort(([, a], [, b]) => a - b);
  shares.forEach(([id, share], at) => {
    const fairSum = below + share * (shares.length - at);
    if (fairSum > bound || (before.has(id) && fairSum > STAYS * bound)) feeders.add(id);
    below += share;
  });
  return feeders;
}
