/** How busy the checkpoint task would be without some of its databases: a range, from the capture itself. */
import type { TaskShare } from '../task/task-share';

/** Shares of the time, 0 to 1. */
export interface Forecast {
  readonly low: number;
  readonly high: number;
}

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
/** And by as many standard deviations of what the capture and the half hour after a wave can differ by chance: from then on it is judged. */
const DEVIATIONS = 1.5;
const LEAST_AFTER_HOURS = 0.5;
/** Of those alike, the ones that seemed to ask for least stay, by chance: the upper end leaves room for this part of the standard error of each. */
const CHOSEN_ERRORS = 0.8;
/** A database that can ask for almost as much as the last one that is needed is needed too; and if no larger part would be left, all are. */
const ALIKE = 0.1;

/** What a forecast rests on. */
export interface Measured {
  readonly task: TaskShare;
  /** `Instance.bound` and `Instance.room`. */
  readonly bound: number;
  readonly room: number;
}

/**
 * The lower end is the measured time of the databases that stay. The upper end is what they could ask for without a queue
 * (`OwnTaskShare.mostShare`): in a queue they take the time that is freed. It leaves room for databases that had no turn yet (`Instance.room`).
 * @param gone ids of databases that would use indirect checkpoints by then
 */
export function forecastTask({ task, room }: Omit<Measured, 'bound'>, gone: ReadonlySet<number>): Forecast {
  const hours = Math.max(1, task.observedMs) / 3_600_000;
  let [least, most, leastVariance, mostVariance, errors] = [0, room, 0, 0, 0];
  for (const [databaseId, { share, mostShare, variance }] of task.databases) {
    if (gone.has(databaseId)) continue;
    least += share;
    most += mostShare;
    leastVariance += variance;
    mostVariance += share > 0 ? variance * (mostShare / share) : 0;
    errors += Math.sqrt(variance / hours);
  }
  // The busier the task, the less its share differs: what one does not take, another does.
  const deviate = (share: number, variance: number): number =>
    DEVIATIONS * Math.sqrt(variance * Math.max(0, 1 - share) * (1 / hours + 1 / LEAST_AFTER_HOURS));
  return {
    low: Math.min(1, Math.max(0, least * (1 - SLACK) - deviate(least, leastVariance))),
    high: Math.min(1, most * (1 + SLACK) + deviate(most, mostVariance) + CHOSEN_ERRORS * errors),
  };
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
 * The databases to switch so that the upper end of the forecast comes down to the bound, from the one that can ask for most. One that can ask for about as
 * much as the last one taken is taken too. If only few would then be left, all are taken.
 * @param candidates ids of databases that can be changed @param already ids of those that are switched in any case
 */
export function findNeeded(measured: Measured, candidates: readonly number[], already: ReadonlySet<number>): readonly number[] {
  const { task, bound } = measured;
  const askOf = (id: number): number => task.databases.get(id)?.mostShare ?? 0;
  const ordered = [...candidates].sort((a, b) => askOf(b) - askOf(a) || a - b);
  let [needed, enough] = [0, ordered.length];
  while (needed < enough) {
    const middle = (needed + enough) >> 1;
    if (forecastTask(measured, new Set([...already, ...ordered.slice(0, middle)])).high <= bound) enough = middle;
    else needed = middle + 1;
  }
  const last = askOf(ordered[needed - 1] ?? 0);
  while (needed < ordered.length && needed > 0 && askOf(ordered[needed] ?? 0) >= last * (1 - ALIKE)) needed++;
  return ordered.length - needed <= ordered.length * ALIKE ? ordered : ordered.slice(0, needed);
}

/** A forecast that was made when scripts were opened: what happens afterwards is compared with it. */
export interface KeptForecast {
  readonly madeUtcMs: number;
  /** When waves that were still to be run were foreseen again; absent: never. */
  readonly renewedUtcMs?: number;
  /** The time that it rests on. */
  readonly fromUtcMs: number;
  readonly toUtcMs: number;
  readonly now: number;
  readonly bound: number;
  /** After each wave, with those before it. */
  readonly waves: readonly ForecastWave[];
}

export interface ForecastWave extends Forecast {
  readonly databaseIds: readonly number[];
}

/** null: there is nothing to keep. @param waves as the forecast was made for them */
export function keepForecast(
  forecast: ForecastSteps,
  waves: readonly Wave[],
  when: Pick<KeptForecast, 'madeUtcMs' | 'fromUtcMs' | 'toUtcMs'>,
): KeptForecast | null {
  const { now, bound } = forecast;
  const kept = forecast.waves.map(({ low, high }, at) => ({ low, high, databaseIds: waves[at]?.databaseIds ?? [] }));
  return kept.length === 0 ? null : { ...when, now, bound, waves: kept };
}

/**
 * Which forecast counts when scripts are opened again. Before any wave was run, the new one. After that the waves stay as they were planned if they cover all
 * these databases: a forecast that is replaced when it fails is worth nothing. Otherwise the waves of the new one follow those that were run.
 * @param hasRun whether the wave of that number, from 0, was run
 */
export function renewForecast(kept: KeptForecast | null, fresh: KeptForecast, hasRun: (wave: number) => boolean): KeptForecast {
  if (kept === null) return fresh;
  const run = kept.waves.filter((_, wave) => hasRun(wave));
  if (run.length === 0) return fresh;
  const foreseen = new Set(kept.waves.flatMap(({ databaseIds }) => databaseIds));
  const isForeseen = fresh.waves.every(({ databaseIds }) => databaseIds.every((id) => foreseen.has(id)));
  if (!isForeseen) return { ...kept, renewedUtcMs: fresh.madeUtcMs, waves: [...run, ...fresh.waves] };
  // A wave that is still to be run is foreseen by what is seen now, and frozen when it runs.
  const nameIds = ({ databaseIds }: ForecastWave): string => [...databaseIds].sort((a, b) => a - b).join();
  const renewed = new Map(fresh.waves.map((wave) => [nameIds(wave), wave]));
  const waves = kept.waves.map((wave, at) => (hasRun(at) ? wave : (renewed.get(nameIds(wave)) ?? wave)));
  return { ...kept, renewedUtcMs: fresh.madeUtcMs, waves };
}
