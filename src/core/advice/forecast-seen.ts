/** What came true of a forecast: how busy the checkpoint task was after each wave. */
import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import type { ResultRow } from '../comparison/result';
import { SETTLES_MS, type Side, type Sides } from '../comparison/sides';
import { createPieceMeter, findObservedPieces } from '../statistics/observed-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type ChangeMoment, type DatabaseChange, findSwitches } from '../task/change-moment';
import { type ForecastWave, isWide, type KeptForecast, type MissedForecast } from './forecast';
import { LEAST_OBSERVED_MS, type RunWave, type SoFar } from './instance';

/** Two points outside the range count as inside: a task that is busy 1 % instead of 0.2 % is as free as forecast. */
const TOLERANCE = 0.02;

export interface SeenWave extends ForecastWave {
  /** When at least half of its databases, and of those of each wave before it, had been changed; null: not yet. */
  readonly runUtcMs: number | null;
  /** null: not enough was observed. */
  readonly busyShare: number | null;
  /** The time that it is of, in milliseconds. */
  readonly observedMs: number;
  /** Observed time that is missing before there is a figure; 0: none, or there never will be one. Milliseconds. */
  readonly missingMs: number;
  /** null also while a database of it, or of a wave before it, is automatic: the forecast is of all of them. */
  readonly verdict: 'as forecast' | 'above' | 'below' | null;
  /** How many of them use automatic checkpoints now. */
  readonly automatic: number;
}

interface SeenInput {
  readonly columns: CheckpointColumns;
  readonly observation: Observation;
  /** Checkpoints that the task ran, and the share of the time for which that is not certain. */
  readonly rows: Uint32Array;
  readonly margin: number;
  /** What is shown of the time since the last change: it is also what was seen after the last wave that was run. */
  readonly after: TaskTime & { readonly sinceUtcMs: number };
  /** When that database was switched after the forecast was made; null: it was not. */
  readonly switchedUtcMs: (databaseId: number) => number | null;
  /** Whether its target recovery time is 0 now. */
  readonly isAutomatic: (databaseId: number) => boolean;
}

/** How much time was observed, in milliseconds, and the share of it in which the task worked. */
interface TaskTime {
  readonly observedMs: number;
  readonly busyShare: number;
}

export function* compareForecast(kept: KeptForecast, input: SeenInput): Steps<readonly SeenWave[]> {
  const meter = yield* measureTask(input);
  const runs = findRuns(kept, input.switchedUtcMs);
  let [automatic, lastUtcMs] = [0, -Infinity];
  return kept.waves.map((wave, at): SeenWave => {
    const runUtcMs = runs[at] ?? null;
    automatic += wave.databaseIds.filter((id) => input.isAutomatic(id)).length;
    lastUtcMs = wave.databaseIds.reduce(
      (last, id) => Math.max(last, input.switchedUtcMs(id) ?? last),
      lastUtcMs,
    );
    const nothing = {
      ...wave,
      runUtcMs,
      busyShare: null,
      observedMs: 0,
      missingMs: 0,
      verdict: null,
      automatic,
    };
    if (runUtcMs === null) return nothing;
    const endUtcMs = findNextChange(kept.waves.slice(at + 1), lastUtcMs, input);
    const { observedMs, busyShare } =
      endUtcMs === null ? input.after : meter(lastUtcMs + SETTLES_MS, endUtcMs);
    const missingMs = Math.max(0, LEAST_OBSERVED_MS - observedMs);
    if (missingMs > 0) return { ...nothing, missingMs: endUtcMs === null ? missingMs : 0 };
    return {
      ...nothing,
      busyShare,
      observedMs,
      verdict: automatic > 0 ? null : judge(busyShare, input.margin, wave),
    };
  });
}

/**
 * When a database of a later wave was first changed, or another one after that; null: none was. Waves that were run at
 * once have no time of their own.
 */
function findNextChange(
  later: readonly ForecastWave[],
  lastUtcMs: number,
  { switchedUtcMs, after }: SeenInput,
): number | null {
  const moments = later.flatMap(({ databaseIds }) => databaseIds.flatMap((id) => switchedUtcMs(id) ?? []));
  const next = Math.min(...moments, after.sinceUtcMs > lastUtcMs ? after.sinceUtcMs : Infinity);
  return next === Infinity ? null : next;
}

/** The last wave that was run, with its number from 1. */
export function findLastRun(
  waves: readonly SeenWave[],
): { readonly wave: number; readonly seen: SeenWave } | null {
  const wave = waves.filter(({ runUtcMs }) => runUtcMs !== null).length;
  const seen = waves[wave - 1];
  return seen === undefined ? null : { wave, seen };
}

/** The last wave that was run, and whether its forecast came true. */
export function judgeLastRun(waves: readonly SeenWave[]): Pick<SoFar, 'wave' | 'forecast'> {
  const last = findLastRun(waves);
  if (last === null) return { wave: null, forecast: null };
  const { verdict } = last.seen;
  return { wave: last.wave, forecast: verdict === 'as forecast' && isWide(last.seen) ? 'wide' : verdict };
}

/** In less time a busy task can be chance. */
const LEAST_MISSED_MS = 30 * 60_000;

/** Of the last wave that was run; null: the task is no busier than forecast, or that is not known yet. */
export function findMissed(waves: readonly SeenWave[]): MissedForecast | null {
  const last = findLastRun(waves);
  if (
    last === null ||
    last.seen.verdict !== 'above' ||
    last.seen.busyShare === null ||
    last.seen.observedMs < LEAST_MISSED_MS
  )
    return null;
  const { low, high, busyShare } = last.seen;
  return { wave: last.wave, low, high, busyShare };
}

function judge(share: number, margin: number, { low, high }: ForecastWave): SeenWave['verdict'] {
  if (share - margin > high + TOLERANCE) return 'above';
  return share + margin < low - TOLERANCE ? 'below' : 'as forecast';
}

/** A wave counts as run only once all before it were, because its forecast assumes that. */
function findRuns(
  { waves }: KeptForecast,
  switchedUtcMs: SeenInput['switchedUtcMs'],
): readonly (number | null)[] {
  let lastUtcMs: number | null = -Infinity;
  return waves.map(({ databaseIds }) => {
    const own = findRun(databaseIds, switchedUtcMs);
    lastUtcMs = own === null || lastUtcMs === null ? null : Math.max(own, lastUtcMs);
    return lastUtcMs;
  });
}

/**
 * The plan that counts, of all whose scripts were opened; null: there is none. Before any wave was run, the newest.
 * From then on it stays: a plan with other databases that was opened later counts once a wave of it was run, or all
 * waves before were. What is left of the earlier one comes behind it.
 * @param plans oldest first
 * @param changes tell which waves were run, and when
 */
export function choosePlan(
  plans: readonly KeptForecast[],
  changes: readonly DatabaseChange[],
): KeptForecast | null {
  const [first, ...later] = plans;
  if (first === undefined) return null;
  return later.reduce((kept, fresh) => {
    // What was taken back since was run all the same.
    const since = changes.filter(({ toSeconds, atUtcMs }) => toSeconds !== 0 || atUtcMs <= fresh.madeUtcMs);
    const runsOf = (plan: KeptForecast): readonly (number | null)[] =>
      findRuns(plan, findSwitches(since, plan.madeUtcMs));
    return followPlan(kept, fresh, runsOf(kept), runsOf(fresh)[0] !== null);
  }, first);
}

/** The one of two plans that counts, or both in one. @param runs when each wave of the earlier one was run */
function followPlan(
  kept: KeptForecast,
  fresh: KeptForecast,
  runs: readonly (number | null)[],
  isFreshRun: boolean,
): KeptForecast {
  const ran = runs.filter((runUtcMs) => runUtcMs !== null).length;
  if (ran === 0) return fresh;
  const listIds = ({ waves }: KeptForecast): readonly number[] =>
    waves.flatMap(({ databaseIds }) => databaseIds);
  const [all, own] = [new Set(listIds(kept)), new Set(listIds(fresh))];
  const renewed = { ...kept, renewedUtcMs: fresh.madeUtcMs };
  if ([...own].every((id) => all.has(id))) return { ...renewed, waves: renewWaves(kept.waves, runs, fresh) };
  if (ran < runs.length && !isFreshRun) return kept;
  const isLater = (wave: ForecastWave, at: number): boolean =>
    (runs[at] ?? Infinity) > fresh.madeUtcMs &&
    (runs[at] === null || wave.databaseIds.every((id) => own.has(id)));
  const rest = kept.waves
    .filter(isLater)
    .map((wave) => ({ ...wave, databaseIds: wave.databaseIds.filter((id) => !own.has(id)) }));
  const run = kept.waves.filter((wave, at) => !isLater(wave, at));
  return {
    ...renewed,
    waves: [...run, ...fresh.waves, ...rest.filter(({ databaseIds }) => databaseIds.length > 0)],
  };
}

/** A wave that is still to be run is foreseen by what is seen when its script is opened, and frozen when it runs. */
function renewWaves(
  waves: readonly ForecastWave[],
  runs: readonly (number | null)[],
  fresh: KeptForecast,
): readonly ForecastWave[] {
  const nameIds = ({ databaseIds }: ForecastWave): string => [...databaseIds].sort((a, b) => a - b).join();
  const renewed = new Map(fresh.waves.map((wave) => [nameIds(wave), wave]));
  return waves.map((wave, at) =>
    (runs[at] ?? Infinity) <= fresh.madeUtcMs ? wave : (renewed.get(nameIds(wave)) ?? wave),
  );
}

/** The waves that are still to be run, once the first one was. */
export interface PlannedWaves {
  /** When their scripts were opened first. */
  readonly madeUtcMs: number;
  /** How many were run. */
  readonly ran: number;
  /** Ids of the databases of the last of them. */
  readonly last: readonly number[];
  /** Ids of the databases of each that is left, in order. */
  readonly waves: readonly (readonly number[])[];
}

/** null: none was run. Numbers and members stay as they were planned, whatever is advised since. */
export function listPlanned(
  kept: KeptForecast,
  switchedUtcMs: SeenInput['switchedUtcMs'],
): PlannedWaves | null {
  const ran = findRuns(kept, switchedUtcMs).filter((runUtcMs) => runUtcMs !== null).length;
  const ids = kept.waves.map(({ databaseIds }) => databaseIds);
  // What was left out of a wave that ran goes with the next one, whose forecast takes it for switched.
  const missed = ids.slice(0, ran).flatMap((own) => own.filter((id) => switchedUtcMs(id) === null));
  const [next = [], ...later] = ids.slice(ran);
  const waves = missed.length + next.length === 0 ? later : [[...missed, ...next], ...later];
  return ran === 0 ? null : { madeUtcMs: kept.madeUtcMs, ran, last: ids[ran - 1] ?? [], waves };
}

/** Databases that are changed by hand within this time are one change. */
const ONE_CHANGE_MS = 5 * 60_000;

/** What a result knows of them. */
interface ChangedRows {
  readonly rows: readonly (Pick<ResultRow, 'databaseId' | 'isAutomatic'> & {
    readonly change: Pick<ChangeMoment, 'atUtcMs' | 'fromSeconds'>;
  })[];
  readonly sides: Pick<Sides, 'lastUtcMs'> & { readonly after: Pick<Side, 'observedMs' | 'endUtcMs'> };
}

/**
 * The databases that were changed last: those of the last planned wave, if most of them belong to it and it is not
 * rolled back.
 */
export function findLastWave(
  { rows, sides: { after, lastUtcMs } }: ChangedRows,
  planned: PlannedWaves | null,
  isRecording: boolean,
): RunWave {
  const wave = new Set(planned?.last);
  const latest = rows.filter(({ change }) => lastUtcMs - change.atUtcMs < ONE_CHANGE_MS);
  const isPlanned =
    latest.filter(({ databaseId, isAutomatic }) => !isAutomatic && wave.has(databaseId)).length * 2 >=
    latest.length;
  const changed = isPlanned ? rows.filter(({ databaseId }) => wave.has(databaseId)) : latest;
  // A wave is planned of automatic databases. Of others it has to be known: a value that was set before is not 0.
  const wasAutomatic = ({ databaseId, change }: (typeof rows)[number]): boolean =>
    change.fromSeconds === 0 || (change.fromSeconds === null && wave.has(databaseId));
  const seenUtcMs = after.observedMs > 0 ? after.endUtcMs : lastUtcMs + SETTLES_MS;
  return {
    wave: isPlanned ? (planned?.ran ?? null) : null,
    atUtcMs: lastUtcMs,
    changed: changed.length,
    isSeen: after.observedMs >= LEAST_OBSERVED_MS,
    databaseIds: changed
      .filter((one) => !one.isAutomatic && wasAutomatic(one))
      .map(({ databaseId }) => databaseId),
    resultUtcMs: isRecording ? seenUtcMs + Math.max(0, LEAST_OBSERVED_MS - after.observedMs) : null,
  };
}

/** When at least half of these databases had been switched; null: they were not. */
function findRun(databaseIds: readonly number[], switchedUtcMs: SeenInput['switchedUtcMs']): number | null {
  const moments = databaseIds.flatMap((id) => switchedUtcMs(id) ?? []).sort((a, b) => a - b);
  return moments[Math.ceil(databaseIds.length / 2) - 1] ?? null;
}

/**
 * Turns of the task never overlap, so the work between two moments is the difference of two sums. Both count observed
 * time only.
 */
function* measureTask({
  columns,
  rows,
  observation,
}: SeenInput): Steps<(beginUtcMs: number, endUtcMs: number) => TaskTime> {
  const observedBefore = createPieceMeter(findObservedPieces(observation, observation));
  const turns = new Float64Array(2 * rows.length);
  for (let i = 0; i < rows.length; i++) {
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const row = rows[i] ?? 0;
    const begin = columns.beginUtcMs[row] ?? 0;
    turns[2 * i] = observedBefore(begin);
    turns[2 * i + 1] = observedBefore(begin + (columns.durationMs[row] ?? 0));
  }
  const turnsBefore = createPieceMeter(turns);
  return (beginUtcMs, endUtcMs) => {
    const [from, to] = [observedBefore(beginUtcMs), observedBefore(endUtcMs)];
    return {
      observedMs: Math.max(0, to - from),
      busyShare: to > from ? (turnsBefore(to) - turnsBefore(from)) / (to - from) : 0,
    };
  };
}
