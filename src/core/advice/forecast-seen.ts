/**
 * What came true of a forecast: how busy the checkpoint task was after each wave. Only the hours that the forecast rests on count: with nights and weekends any
 * forecast would look too high.
 */
import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import type { OffsetPeriod } from '../errorlog/server-clock';
import { SETTLING_MS } from '../comparison/change-window';
import { createLocalClock, type LocalClock } from '../comparison/local-blocks';
import { LEAST_HOURS } from '../comparison/matched-days';
import { createPieceMeter, findObservedPieces, type TimeWindow } from '../statistics/observed-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import type { ForecastWave, KeptForecast } from './forecast';
import { LEAST_OBSERVED_MS } from './instance';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_HOURS = 24;
/** A picture of more blocks than this is unreadable. But no block is longer than two hours, even if there are more. */
const MOST_BLOCKS = 260;
const BLOCK_MINUTES = [1, 2, 5, 15, 30, 60, 120];
/** How far before the first wave the picture begins, at most. */
const MOST_BEFORE_MS = 7 * DAY_HOURS * HOUR_MS;
/** Two points outside the range still count as inside: a task that is busy 1 % instead of 0.2 % is as free as forecast. */
const TOLERANCE = 0.02;
/** As much as a verdict needs. */
const LEAST_SEEN_MS = 10 * MINUTE_MS;

/** Hours of the day by the server's clock, on working days, weekends or both. */
export interface SameHours {
  readonly hours: ReadonlySet<number>;
  readonly days: 'working days' | 'weekends' | 'all';
}

export interface SeenWave extends ForecastWave {
  /** When at least half of its databases, and of those of each wave before it, had been changed; null: not yet. */
  readonly runUtcMs: number | null;
  /** Until the next wave; until now for the last one that was run. */
  readonly endUtcMs: number | null;
  /** null: not enough was observed. */
  readonly busyShare: number | null;
  /** Observed time that is missing before there is a figure; 0: none, or there never will be one. Milliseconds. */
  readonly missingMs: number;
  readonly verdict: 'as forecast' | 'above' | 'below' | null;
  /** Databases of it that use automatic checkpoints again. */
  readonly again: number;
}

/** How busy the task was in one block of time; null: too little of it was observed. */
interface SeenBlock {
  readonly beginUtcMs: number;
  readonly busyShare: number | null;
}

export interface ForecastSeen {
  /** null: all hours count. */
  readonly sameHours: SameHours | null;
  readonly blockMs: number;
  readonly blocks: readonly SeenBlock[];
  readonly waves: readonly SeenWave[];
  readonly nowUtcMs: number;
}

interface SeenInput {
  readonly columns: CheckpointColumns;
  readonly observation: Observation;
  /** Checkpoints that the task ran, and the share of the time for which that is not certain. */
  readonly rows: Uint32Array;
  readonly margin: number;
  readonly offsets: readonly OffsetPeriod[];
  /** When that database was switched after the forecast was made; null: it was not. */
  readonly switchedUtcMs: (databaseId: number) => number | null;
  readonly isAutomaticAgain: (databaseId: number) => boolean;
}

export function* compareForecast(kept: KeptForecast, input: SeenInput): Steps<ForecastSeen> {
  const meter = yield* measureTask(input);
  const clock = createLocalClock(input.offsets, 60);
  const sameHours = findSameHours(kept, clock);
  const nowUtcMs = input.observation.endUtcMs;
  const runs = findRuns(kept, input.switchedUtcMs);
  const waves = kept.waves.map((wave, at): SeenWave => {
    const runUtcMs = runs[at] ?? null;
    const nextUtcMs = runs[at + 1] ?? null;
    const again = wave.databaseIds.filter((id) => input.isAutomaticAgain(id)).length;
    const nothing = { runUtcMs, endUtcMs: null, busyShare: null, missingMs: 0, verdict: null, again };
    if (runUtcMs === null) return { ...wave, ...nothing };
    const endUtcMs = nextUtcMs ?? nowUtcMs;
    const side = settle(runUtcMs, endUtcMs);
    const { busyMs, observedMs } = meterHours(meter, clock, sameHours, side);
    const missingMs = Math.max(0, LEAST_OBSERVED_MS - observedMs);
    if (missingMs > 0) return { ...wave, ...nothing, endUtcMs, missingMs: nextUtcMs === null ? missingMs : 0 };
    const busyShare = busyMs / observedMs;
    return { ...wave, ...nothing, endUtcMs, busyShare, verdict: judge(busyShare, input.margin, wave) };
  });
  yield;
  return { sameHours, ...listBlocks(kept, input, meter), waves, nowUtcMs };
}

/** The first wave that was run, if any. */
export function findFirstRun({ waves }: ForecastSeen): number | null {
  return waves[0]?.runUtcMs ?? null;
}

/** The last wave that was run, with its number from 1. */
export function findLastRun({ waves }: ForecastSeen): { readonly wave: number; readonly seen: SeenWave } | null {
  const wave = waves.filter(({ runUtcMs }) => runUtcMs !== null).length;
  const seen = waves[wave - 1];
  return seen === undefined ? null : { wave, seen };
}

/** Whether a moment lies in the hours that are compared. */
export function isInSameHours(sameHours: SameHours | null, offsets: readonly OffsetPeriod[]): (utcMs: number) => boolean {
  if (sameHours === null) return () => true;
  const clock = createLocalClock(offsets, 60);
  return (utcMs) => counts(sameHours, clock.indexOf(utcMs));
}

function judge(share: number, margin: number, { low, high }: ForecastWave): SeenWave['verdict'] {
  if (share - margin > high + TOLERANCE) return 'above';
  return share + margin < low - TOLERANCE ? 'below' : 'as forecast';
}

/** A wave counts as run only once all before it were, because its forecast assumes that. */
function findRuns({ waves }: KeptForecast, switchedUtcMs: SeenInput['switchedUtcMs']): readonly (number | null)[] {
  let lastUtcMs: number | null = -Infinity;
  return waves.map(({ databaseIds }) => {
    const own = findRun(databaseIds, switchedUtcMs);
    lastUtcMs = own === null || lastUtcMs === null ? null : Math.max(own, lastUtcMs);
    return lastUtcMs;
  });
}

/** The wave after the last one that was run, with its number from 1; null: none was run, or all were. */
export function findNextWave(
  kept: KeptForecast,
  switchedUtcMs: SeenInput['switchedUtcMs'],
): { readonly wave: number; readonly databaseIds: readonly number[] } | null {
  const next = findRuns(kept, switchedUtcMs).indexOf(null);
  const wave = kept.waves[next];
  return next < 1 || wave === undefined ? null : { wave: next + 1, databaseIds: wave.databaseIds };
}

/** When at least half of these databases had been switched; null: they were not. */
export function findRun(databaseIds: readonly number[], switchedUtcMs: SeenInput['switchedUtcMs']): number | null {
  const moments = databaseIds.flatMap((id) => switchedUtcMs(id) ?? []).sort((a, b) => a - b);
  return moments[Math.ceil(databaseIds.length / 2) - 1] ?? null;
}

/** Leaves out the time right after a change, in which work that was held up is written; at most a quarter of the time. */
function settle(runUtcMs: number, endUtcMs: number): TimeWindow {
  const settlingMs = Math.min(SETTLING_MS, Math.max(0, endUtcMs - runUtcMs) / 4);
  return { beginUtcMs: runUtcMs + settlingMs, endUtcMs };
}

/** How much of the time between two moments was observed, and how much of it the task worked. */
type TaskMeter = (beginUtcMs: number, endUtcMs: number) => { readonly busyMs: number; readonly observedMs: number };

/** Turns of the task never overlap, so the work between two moments is the difference of two sums. */
function* measureTask({ columns, rows, observation }: SeenInput): Steps<TaskMeter> {
  const observed = findObservedPieces(observation, observation);
  const turns = new Float64Array(2 * rows.length);
  for (let i = 0; i < rows.length; i++) {
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const row = rows[i] ?? 0;
    const begin = columns.beginUtcMs[row] ?? 0;
    turns[2 * i] = begin;
    turns[2 * i + 1] = begin + (columns.durationMs[row] ?? 0);
  }
  const [observedBefore, turnsBefore] = [createPieceMeter(observed), createPieceMeter(turns)];
  return (beginUtcMs, endUtcMs) => {
    const observedMs = observedBefore(endUtcMs) - observedBefore(beginUtcMs);
    const busyMs = turns.length === 0 ? 0 : turnsBefore(endUtcMs) - turnsBefore(beginUtcMs);
    return { busyMs: Math.min(observedMs, busyMs), observedMs };
  };
}

/** The hours that the forecast rests on; null if they are all hours, or too few to compare hours of the day. */
function findSameHours({ fromUtcMs, toUtcMs }: KeptForecast, clock: LocalClock): SameHours | null {
  if (toUtcMs - fromUtcMs < LEAST_HOURS * HOUR_MS) return null;
  const hours = new Set<number>();
  const days = new Set<SameHours['days']>();
  for (let index = clock.indexOf(fromUtcMs); index <= clock.indexOf(toUtcMs - 1); index++) {
    const begin = clock.utcMsOf(index);
    if (Math.min(toUtcMs, begin + HOUR_MS) - Math.max(fromUtcMs, begin) < HOUR_MS / 2) continue;
    hours.add(index % DAY_HOURS);
    days.add(nameDay(index));
  }
  if (hours.size === DAY_HOURS && days.size === 2) return null;
  return { hours, days: days.size === 1 ? ([...days][0] ?? 'all') : 'all' };
}

/** 1 January 1970 was a Thursday. */
function nameDay(index: number): SameHours['days'] {
  const day = (Math.floor(index / DAY_HOURS) + 4) % 7;
  return day === 0 || day === 6 ? 'weekends' : 'working days';
}

function counts({ hours, days }: SameHours, index: number): boolean {
  return hours.has(index % DAY_HOURS) && (days === 'all' || days === nameDay(index));
}

function meterHours(
  meter: TaskMeter,
  clock: LocalClock,
  sameHours: SameHours | null,
  { beginUtcMs, endUtcMs }: TimeWindow,
): ReturnType<TaskMeter> {
  if (sameHours === null || endUtcMs <= beginUtcMs) return meter(beginUtcMs, Math.max(beginUtcMs, endUtcMs));
  let [busyMs, observedMs] = [0, 0];
  for (let index = clock.indexOf(beginUtcMs); index <= clock.indexOf(endUtcMs - 1); index++) {
    if (!counts(sameHours, index)) continue;
    const from = Math.max(beginUtcMs, clock.utcMsOf(index));
    const hour = meter(from, Math.max(from, Math.min(endUtcMs, clock.utcMsOf(index + 1))));
    busyMs += hour.busyMs;
    observedMs += hour.observedMs;
  }
  return { busyMs, observedMs };
}

function listBlocks(
  { madeUtcMs, fromUtcMs }: KeptForecast,
  { observation }: SeenInput,
  meter: TaskMeter,
): Pick<ForecastSeen, 'blockMs' | 'blocks'> {
  const { endUtcMs } = observation;
  const observedFromUtcMs = findObservedPieces(observation, observation)[0] ?? endUtcMs;
  const from = Math.max(observedFromUtcMs, Math.min(fromUtcMs, madeUtcMs), madeUtcMs - MOST_BEFORE_MS);
  const minutes = BLOCK_MINUTES.find((one) => (endUtcMs - from) / (one * MINUTE_MS) <= MOST_BLOCKS) ?? 120;
  const blockMs = minutes * MINUTE_MS;
  const blocks: SeenBlock[] = [];
  for (let begin = Math.floor(from / blockMs) * blockMs; begin < endUtcMs; begin += blockMs) {
    const { busyMs, observedMs } = meter(begin, begin + blockMs);
    blocks.push({ beginUtcMs: begin, busyShare: observedMs >= Math.min(blockMs / 2, LEAST_SEEN_MS) ? busyMs / observedMs : null });
  }
  return { blockMs, blocks };
}
