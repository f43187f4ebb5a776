/** How busy the checkpoint task would be without some of its databases: a range, from the capture itself. */
import type { UtcMs, WholeNumber } from '../schema';
import type { TaskShare } from '../task/task-share';

/** Shares of the time, 0 to 1. */
export interface Forecast {
  readonly low: number;
  readonly high: number;
  /** Between the two; absent where they are close, or the log that databases wrote does not tell it. */
  readonly likely?: number;
}

/** A wider range than this foresees nothing by itself. */
const WIDEST = 0.4;

export const isWide = ({ low, high }: Forecast): boolean => high - low > WIDEST;

/** A wave after which the task was busier than the forecast that was kept for it. */
export interface MissedForecast extends Forecast {
  readonly wave: number;
  readonly busyShare: number;
}

/** How busy the task was, and how busy it would be after each wave. */
export interface ForecastSteps {
  readonly now: number;
  /** Up to this share the task counts as free. */
  readonly bound: number;
  readonly waves: readonly (Forecast & { readonly wave: number; readonly databases: number })[];
}

/** Both ends are wider by this part of them, because the load of the next hours is not exactly the same. */
const SLACK = 0.03;
/**
 * And by as many standard deviations of what the capture and the half hour after a wave can differ by chance: from then
 * on it is judged.
 */
const DEVIATIONS = 1.5;
const LEAST_AFTER_HOURS = 0.5;
/**
 * Of those alike, the ones that seemed to ask for least stay, by chance: the upper end leaves room for this part of the
 * standard error of each.
 */
const CHOSEN_ERRORS = 0.8;
/**
 * A database that can ask for almost as much as the last one that is needed is needed too; and if no larger part would
 * be left, all are.
 */
const ALIKE = 0.1;
/** A likely value is told only in a range wider than this. */
const LEAST_RANGE = 0.2;
/** It needs the log of this many databases, which have this part of the task's time. */
const LEAST_LOGGED = 5;
const LEAST_PART = 0.9;
/** How many waits are tried. */
const WAITS = 40;
/**
 * Where log at a request differs by more than this, or more than this part of what rates of log do (variances of
 * logarithms), it tells nothing.
 */
const MOST_SPREAD = 0.64;
const MOST_UNTOLD = 0.8;

/** What a forecast rests on. */
export interface Measured {
  readonly task: TaskShare;
  /** `Instance.bound` and `Instance.room`. */
  readonly bound: number;
  readonly room: number;
  readonly likely?: ReadonlyMap<number, number> | null;
}

/**
 * The lower end is the measured time of the databases that stay. The upper end is what they could ask for without a
 * queue (`OwnTaskShare.mostShare`): in a queue they take the time that is freed. It leaves room for databases that had
 * no turn yet (`Instance.room`).
 * @param gone ids of databases that would use indirect checkpoints by then
 */
export function forecastTask(
  { task, room, likely = null }: Omit<Measured, 'bound'>,
  gone: ReadonlySet<number>,
): Forecast {
  const hours = Math.max(1, task.observedMs) / 3_600_000;
  let least = 0;
  let most = room;
  let leastVariance = 0;
  let mostVariance = 0;
  let errors = 0;
  let middle = 0;
  for (const [databaseId, { share, mostShare, variance }] of task.databases) {
    if (gone.has(databaseId)) continue;
    least += share;
    most += mostShare;
    middle += likely?.get(databaseId) ?? share;
    leastVariance += variance;
    mostVariance += share > 0 ? variance * (mostShare / share) : 0;
    errors += Math.sqrt(variance / hours);
  }
  // The busier the task, the less its share differs: what one does not take, another does.
  const deviate = (share: number, variance: number): number =>
    DEVIATIONS * Math.sqrt(variance * Math.max(0, 1 - share) * (1 / hours + 1 / LEAST_AFTER_HOURS));
  const low = Math.min(1, Math.max(0, least * (1 - SLACK) - deviate(least, leastVariance)));
  const high = Math.min(1, most * (1 + SLACK) + deviate(most, mostVariance) + CHOSEN_ERRORS * errors);
  return {
    low,
    high,
    ...(likely !== null && high - low > LEAST_RANGE && { likely: Math.min(high, Math.max(low, middle)) }),
  };
}

/**
 * What each database would likely take of the task without a queue, by id, 0 to 1, and in all perhaps more than 1. Each
 * is taken to ask again once it has written as much log as every other one, and to wait as long (docs/facts.md, SQL
 * Server 1): with the right wait, the log from turn to request comes out most alike.
 * @param logRates log written in the same time, by id, in any one unit
 * @returns null: too few have one, or no wait makes them alike
 */
export function estimateLikely(
  { databases, busyShare }: TaskShare,
  logRates: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> | null {
  const own = [...databases].flatMap(([id, { count, share, mostShare, observedMs }]) => {
    const mostMs = observedMs / count;
    return count === 0 || share === 0
      ? []
      : [{ id, share, mostMs, leastMs: (mostMs * share) / mostShare, rate: logRates.get(id) ?? 0 }];
  });
  const logged = own.filter(({ rate }) => rate > 0);
  if (
    logged.length < LEAST_LOGGED ||
    logged.reduce((sum, { share }) => sum + share, 0) < LEAST_PART * busyShare
  )
    return null;
  const longestMs = Math.max(...own.map(({ mostMs, leastMs }) => mostMs - leastMs));
  const waits = Array.from({ length: WAITS + 1 }, (_, step) => {
    const askMs = ({ mostMs, leastMs }: (typeof own)[number]): number =>
      Math.max(leastMs, mostMs - (longestMs * step) / WAITS);
    return { askMs, spread: measureSpread(logged.map((one) => one.rate * askMs(one))) };
  });
  const best = waits.reduce((one, other) => (other.spread < one.spread ? other : one));
  if (best.spread > Math.min(MOST_SPREAD, MOST_UNTOLD * measureSpread(logged.map(({ rate }) => rate))))
    return null;
  return new Map(own.map((one) => [one.id, one.share * (one.mostMs / best.askMs(one))]));
}

/** The variance of their logarithms. */
function measureSpread(values: readonly number[]): number {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
}

/** A wave by its number, with the ids of its databases. */
export interface Wave {
  readonly wave: number;
  readonly databaseIds: readonly number[];
}

/** The forecast after each wave, in their order. */
export function forecastWaves(measured: Measured, waves: readonly Wave[]): ForecastSteps {
  const gone = new Set<number>();
  return {
    now: measured.task.busyShare,
    bound: measured.bound,
    waves: waves.map(({ wave, databaseIds }) => {
      for (const id of databaseIds) gone.add(id);
      return { wave, databases: databaseIds.length, ...forecastTask(measured, gone) };
    }),
  };
}

/**
 * The databases to switch so that the upper end of the forecast comes down to the bound, from the one that can ask for
 * most. One that can ask for about as much as the last one taken is taken too. If only few would then be left, all are
 * taken.
 * @param candidates ids of databases that can be changed
 * @param already ids of those that are switched in any case
 */
export function findNeeded(
  measured: Measured,
  candidates: readonly number[],
  already: ReadonlySet<number>,
): readonly number[] {
  const { task, bound } = measured;
  const askOf = (id: number): number => task.databases.get(id)?.mostShare ?? 0;
  const ordered = [...candidates].sort((a, b) => askOf(b) - askOf(a) || a - b);
  let [needed, enough] = [0, ordered.length];
  while (needed < enough) {
    const middle = (needed + enough) >> 1;
    if (forecastTask(measured, new Set([...already, ...ordered.slice(0, middle)])).high <= bound)
      enough = middle;
    else needed = middle + 1;
  }
  const last = askOf(ordered[needed - 1] ?? 0);
  while (needed < ordered.length && needed > 0 && askOf(ordered[needed] ?? 0) >= last * (1 - ALIKE)) needed++;
  return ordered.length - needed <= ordered.length * ALIKE ? ordered : ordered.slice(0, needed);
}

/** A forecast that was made when scripts were opened: what happens afterwards is compared with it. */
export interface KeptForecast {
  readonly madeUtcMs: UtcMs;
  /** When waves that were still to be run were foreseen again; absent: never. */
  readonly renewedUtcMs?: UtcMs;
  /** The time that it rests on. */
  readonly fromUtcMs: UtcMs;
  readonly toUtcMs: UtcMs;
  readonly now: number;
  readonly bound: number;
  /** After each wave, with those before it. @minItems 1 */
  readonly waves: readonly ForecastWave[];
}

export interface ForecastWave extends Forecast {
  readonly databaseIds: readonly WholeNumber[];
}

/** null: there is nothing to keep. @param waves as the forecast was made for them */
export function keepForecast(
  forecast: ForecastSteps,
  waves: readonly Wave[],
  when: Pick<KeptForecast, 'madeUtcMs' | 'fromUtcMs' | 'toUtcMs'>,
): KeptForecast | null {
  const { now, bound } = forecast;
  const kept = forecast.waves.map(({ low, high, likely }, at) => {
    return { low, high, ...(likely !== undefined && { likely }), databaseIds: waves[at]?.databaseIds ?? [] };
  });
  return kept.length === 0 ? null : { ...when, now, bound, waves: kept };
}
