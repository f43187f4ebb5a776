import type { Observation } from '../capture/checkpoint-columns';
import type { CheckpointTime } from '../statistics/checkpoint-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import { sortNumbers, pickRank } from '../sorted';
import {
  createPieceMeter,
  findObservedPieces,
  sumPieces,
  type TimePieces,
  type TimeWindow,
} from '../statistics/observed-time';
import type { DatabaseSamples, InstanceSamples } from './work-samples';

/** A sample counts as during checkpoints, or outside of them, if this share of it is (docs/facts.md, SQL Server 1). */
const PURE_SHARE = 0.8;
/** Fewer samples than this on one side are no answer. */
const LEAST_SAMPLES = 10;

/** Write latency of the samples on one side. Milliseconds an operation. */
interface LatencySide {
  readonly samples: number;
  /** Over all operations together. */
  readonly averageMs: number;
}

/** What became of the samples. The numbers add up to `samples`. */
interface SampleUse {
  readonly samples: number;
  readonly during: number;
  readonly outside: number;
  /** Neither at least 80 % during a checkpoint nor at least 80 % outside. */
  readonly mixed: number;
  /** Not wholly in the window and in observed time, or it is not known whether a checkpoint was running. */
  readonly unobserved: number;
  /** No latency: there was no operation, or its counters could not be observed. */
  readonly idle: number;
}

interface LatencyBasis {
  readonly use: SampleUse;
  /** Median length of the samples in observed time; null if there are none. */
  readonly sampleMs: number | null;
  /** Of all operations, during checkpoints or not, in milliseconds; null or absent: too few samples. */
  readonly averageMs?: number | null;
}

/** Latency during checkpoints compared with latency outside of them, or why it cannot be told. */
export type LatencyAnswer = LatencyBasis &
  (
    | {
        readonly kind: 'answered';
        readonly during: LatencySide;
        readonly outside: LatencySide;
        /**
         * The share of all time during checkpoints that the samples cover, 0 to 1: those that lie in checkpoints leave
         * out short ones.
         */
        readonly duringShare: number;
        /**
         * The difference is this certain (95 %), in milliseconds, where it was estimated from mixed samples; null: all
         * samples lie on one side.
         */
        readonly marginMs: number | null;
      }
    | {
        readonly kind: 'resolution too coarse';
        /**
         * Samples of this length or shorter would have given an answer: half of the time in question lies in stretches
         * that hold one.
         */
        readonly neededMs: number;
      }
    | { readonly kind: 'not enough samples'; readonly leastSamples: number }
  );

/** Each sample is looked up in the pieces six times. */
const SAMPLES_A_STEP = 8_192;

/**
 * Compares, in steps, how long operations waited during checkpoints and outside of them. All checkpoints up to the end
 * of the window must be settled: one that still runs is in no column yet.
 * @param time checkpoints of the database that the samples are of; for samples of the instance, those of all databases
 */
export function* compareLatency(
  samples: LatencySamples,
  time: CheckpointTime,
  window: TimeWindow,
  observation: Observation,
): Steps<LatencyAnswer> {
  const pieces = findObservedPieces(window, observation);
  const sorted = yield* sortSamples(samples, time, pieces);
  const { during, outside } = sorted;
  const sampleMs = pickRank(yield* sortNumbers(sorted.lengths), 50);
  const averageMs = sorted.used.length < LEAST_SAMPLES ? null : describeSide(samples, sorted.used).averageMs;
  const basis = { use: sorted.use, sampleMs, averageMs };
  const shareOf = function* (usedMs: number): Steps<number> {
    const coveredMs = sumPieces(yield* cutPieces(time.covered, pieces));
    return coveredMs > 0 ? Math.min(1, usedMs / coveredMs) : 0;
  };
  if (during.length >= LEAST_SAMPLES && outside.length >= LEAST_SAMPLES) {
    const sides = { during: describeSide(samples, during), outside: describeSide(samples, outside) };
    return {
      ...basis,
      kind: 'answered',
      ...sides,
      duringShare: yield* shareOf(sorted.coveredInDuringMs),
      marginMs: null,
    };
  }
  const estimate = yield* estimateLatency(samples, sorted);
  if (estimate !== null) {
    const { duringMs, outsideMs, marginMs, coveredMs } = estimate;
    const side = (own: readonly number[], averageMs: number): LatencySide => ({
      samples: own.length,
      averageMs,
    });
    const sides = { during: side(during, duringMs), outside: side(outside, outsideMs) };
    return { ...basis, kind: 'answered', ...sides, duringShare: yield* shareOf(coveredMs), marginMs };
  }
  const needs = [
    during.length < LEAST_SAMPLES ? yield* findNeeded(yield* cutPieces(time.covered, pieces)) : null,
    outside.length < LEAST_SAMPLES
      ? yield* findNeeded(yield* cutPieces(invertPieces(time.covered), pieces))
      : null,
  ].filter((neededMs): neededMs is number => neededMs !== null && sampleMs !== null && neededMs < sampleMs);
  if (needs.length > 0) return { ...basis, kind: 'resolution too coarse', neededMs: Math.min(...needs) };
  return { ...basis, kind: 'not enough samples', leastSamples: LEAST_SAMPLES };
}

interface SortedSamples {
  /** The rows of the samples. */
  readonly during: readonly number[];
  readonly outside: readonly number[];
  /** Those and the mixed ones: rows, and how much of each lies in checkpoints, in milliseconds. */
  readonly used: readonly number[];
  readonly coveredMs: readonly number[];
  readonly use: SampleUse;
  readonly lengths: Float64Array;
  readonly coveredInDuringMs: number;
}

function* sortSamples(
  samples: LatencySamples,
  time: CheckpointTime,
  pieces: TimePieces,
): Steps<SortedSamples> {
  const [observedBefore, coveredBefore] = [createPieceMeter(pieces), createPieceMeter(time.covered)];
  const doubtfulBefore = createPieceMeter(time.doubtful);
  const [during, outside, lengths]: [number[], number[], number[]] = [[], [], []];
  const [used, coveredOf]: [number[], number[]] = [[], []];
  let mixed = 0;
  let unobserved = 0;
  let idle = 0;
  let coveredInDuringMs = 0;
  for (let row = 0; row < samples.rows; row++) {
    if (row % SAMPLES_A_STEP === SAMPLES_A_STEP - 1) yield;
    const [begin = 0, end = 0] = [samples.beginUtcMs[row], samples.endUtcMs[row]];
    const [operations = NaN, stallMs = NaN] = [samples.operations[row], samples.stallMs[row]];
    const lengthMs = end - begin;
    const isSeen =
      observedBefore(end) - observedBefore(begin) >= lengthMs &&
      doubtfulBefore(end) === doubtfulBefore(begin);
    if (!(lengthMs > 0) || !isSeen) {
      unobserved++;
      continue;
    }
    lengths.push(lengthMs);
    const coveredMs = coveredBefore(end) - coveredBefore(begin);
    if (!(operations > 0) || Number.isNaN(stallMs)) {
      idle++;
      continue;
    }
    used.push(row);
    coveredOf.push(coveredMs);
    if (coveredMs >= PURE_SHARE * lengthMs) {
      during.push(row);
      coveredInDuringMs += coveredMs;
    } else if (lengthMs - coveredMs >= PURE_SHARE * lengthMs) outside.push(row);
    else mixed++;
  }
  const use = {
    samples: samples.rows,
    during: during.length,
    outside: outside.length,
    mixed,
    unobserved,
    idle,
  };
  return {
    during,
    outside,
    used,
    coveredMs: coveredOf,
    use,
    lengths: Float64Array.from(lengths),
    coveredInDuringMs,
  };
}

function describeSide(samples: LatencySamples, rows: readonly number[]): LatencySide {
  const sum = (column: ArrayLike<number>): number =>
    rows.reduce((total, row) => total + (column[row] ?? 0), 0);
  return { samples: rows.length, averageMs: sum(samples.stallMs) / sum(samples.operations) };
}

/** With fewer samples nothing is estimated. */
const LEAST_ESTIMATED = 30;
/**
 * Neighbours are compared with each other, in parts of three samples or in this many parts: load that rises and falls
 * over hours says nothing of checkpoints. Each part is left out once: how far the estimates differ then says how
 * certain they are (jackknife).
 */
const MOST_PARTS = 64;
/** Of Student's t with nine degrees of freedom, of ten parts, the fewest: 95 % lie within it. */
const T_95 = 2.262;
/**
 * Ten samples must lie this far into checkpoints, and ten this far outside: the lines are not drawn out to more than
 * three times that.
 */
const LEAST_REACH = 1 / 3;
/**
 * Places of the sums of one part: its time, its time in checkpoints and that times its share; then operations and
 * waits, each also times the share.
 */
const MS = 0;
const COVERED = 1;
const SQUARES = 2;
const OPERATIONS = 3;
const STALL = 5;
/** An estimate is told if it is this certain, or to half of the difference. */
const MOST_MARGIN_MS = 2.5;

/**
 * The two latencies from samples that lie partly in checkpoints. Operations and their waits per millisecond are each a
 * straight line over the share of a sample that lies in checkpoints, if each goes on as evenly during checkpoints as
 * outside of them. The ends of the lines are the two sides. null: too few samples, all of about the same share, or too
 * uneven.
 */
function* estimateLatency(
  samples: LatencySamples,
  { used, coveredMs }: SortedSamples,
): Steps<{
  readonly duringMs: number;
  readonly outsideMs: number;
  readonly marginMs: number;
  readonly coveredMs: number;
} | null> {
  if (used.length < LEAST_ESTIMATED) return null;
  const count = Math.min(MOST_PARTS, Math.floor(used.length / 3));
  const parts = Array.from({ length: count }, () => new Float64Array(7));
  const shares: number[] = [];
  for (const [at, row] of used.entries()) {
    if (at % SAMPLES_A_STEP === SAMPLES_A_STEP - 1) yield;
    const ms = (samples.endUtcMs[row] ?? 0) - (samples.beginUtcMs[row] ?? 0);
    const covered = coveredMs[at] ?? 0;
    const share = covered / ms;
    const [operations = 0, stall = 0] = [samples.operations[row], samples.stallMs[row]];
    const own = [ms, covered, covered * share, operations, operations * share, stall, stall * share];
    const part = parts[Math.floor((at * count) / used.length)]!;
    own.forEach((value, place) => void (part[place]! += value));
    shares.push(share);
  }
  shares.sort((a, b) => a - b);
  const [low, high] = [shares[LEAST_SAMPLES - 1] ?? 1, shares[shares.length - LEAST_SAMPLES] ?? 0];
  if (high < LEAST_REACH || low > 1 - LEAST_REACH) return null;
  const sides = fitSides(parts);
  const without = parts.map((part) => fitSides(parts.filter((other) => other !== part)));
  const differences = without.map((one) => (one === null ? NaN : one.duringMs - one.outsideMs));
  const mean = differences.reduce((sum, one) => sum + one, 0) / count;
  const marginMs =
    T_95 * Math.sqrt(((count - 1) / count) * differences.reduce((sum, one) => sum + (one - mean) ** 2, 0));
  if (
    sides === null ||
    !(marginMs <= Math.max(MOST_MARGIN_MS, Math.abs(sides.duringMs - sides.outsideMs) / 2))
  )
    return null;
  return { ...sides, marginMs, coveredMs: coveredMs.reduce((sum, ms) => sum + ms, 0) };
}

/** The ends of both lines, by least squares within the parts; null: there is no line, or it ends below zero. */
function fitSides(
  parts: readonly Float64Array[],
): { readonly duringMs: number; readonly outsideMs: number } | null {
  const sum = (of: (part: Float64Array) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const within = (place: number, product: number): number =>
    sum((part) => part[product]! - (part[COVERED]! * part[place]!) / part[MS]!);
  const spread = within(COVERED, SQUARES);
  const ends = (place: number, product: number): readonly [outside: number, during: number] => {
    const slope = within(place, product) / spread;
    const outside =
      (sum((part) => part[place]!) - slope * sum((part) => part[COVERED]!)) / sum((part) => part[MS]!);
    return [outside, outside + slope];
  };
  const [outside, during] = ends(OPERATIONS, OPERATIONS + 1);
  const [stallOutside, stallDuring] = ends(STALL, STALL + 1);
  if (!(spread > 0) || outside <= 0 || during <= 0 || stallOutside < 0 || stallDuring < 0) return null;
  return { duringMs: stallDuring / during, outsideMs: stallOutside / outside };
}

/**
 * The longest samples of which one is sure to lie at least 80 % in a stretch, wherever samples begin: two samples that
 * meet in its middle have half of it each. Half of the time lies in stretches as long as the one that counts, or
 * longer; null if there is no time at all.
 *   stretch        [===============]          1.6 samples long
 *   samples     |.........|.........|         0.8 of each
 */
function* findNeeded(stretches: TimePieces): Steps<number | null> {
  const lengths = new Float64Array(stretches.length / 2);
  for (let i = 0; i < lengths.length; i++) lengths[i] = (stretches[2 * i + 1] ?? 0) - (stretches[2 * i] ?? 0);
  yield;
  yield* sortNumbers(lengths);
  const totalMs = lengths.reduce((sum, lengthMs) => sum + lengthMs, 0);
  let longerMs = 0;
  for (let i = lengths.length - 1; i >= 0; i--) {
    longerMs += lengths[i] ?? 0;
    if (totalMs > 0 && longerMs >= totalMs / 2)
      return Math.max(1, Math.floor((lengths[i] ?? 0) / (2 * PURE_SHARE)));
  }
  return null;
}

/** Time that lies in both. It has no more pieces than the two have together. */
function* cutPieces(some: TimePieces, others: TimePieces): Steps<TimePieces> {
  const common = new Float64Array(some.length + others.length);
  let length = 0;
  for (let i = 0, j = 0, done = 0; i < some.length && j < others.length; done++) {
    const begin = Math.max(some[i] ?? 0, others[j] ?? 0);
    const end = Math.min(some[i + 1] ?? 0, others[j + 1] ?? 0);
    if (begin < end) {
      common[length++] = begin;
      common[length++] = end;
    }
    if ((some[i + 1] ?? 0) < (others[j + 1] ?? 0)) i += 2;
    else j += 2;
    if (done % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return common.subarray(0, length);
}

/** All time that does not lie in the pieces. */
function invertPieces(pieces: TimePieces): TimePieces {
  const others = new Float64Array(pieces.length + 2);
  others[0] = -Infinity;
  others.set(pieces, 1);
  others[pieces.length + 1] = Infinity;
  return others;
}

/** Operations, and how long they waited between two readings, oldest first. NaN: could not be observed. */
export interface LatencySamples {
  readonly rows: number;
  readonly beginUtcMs: ArrayLike<number>;
  readonly endUtcMs: ArrayLike<number>;
  readonly operations: ArrayLike<number>;
  readonly stallMs: ArrayLike<number>;
}

type FileKind = 'data' | 'log';

/** Waits for the log of the whole instance (WRITELOG). */
export function selectWritelogSamples({
  rows,
  beginUtcMs,
  endUtcMs,
  writelogWaits,
  writelogWaitMs,
}: InstanceSamples): LatencySamples {
  return { rows, beginUtcMs, endUtcMs, operations: writelogWaits, stallMs: writelogWaitMs };
}

/**
 * Writes to the data or the log files of one database; rows that could not be observed are left out.
 * @param database index into the samples' own list
 */
export function selectFileSamples(
  samples: DatabaseSamples,
  kind: FileKind,
  database: number,
): LatencySamples {
  const [writes, stalls] =
    kind === 'log'
      ? [samples.logWrites, samples.logWriteStallMs]
      : [samples.dataWrites, samples.dataWriteStallMs];
  const rows: number[] = [];
  for (let row = 0; row < samples.rows; row++) {
    const [count = NaN, stall = NaN] = [writes[row], stalls[row]];
    if (samples.database[row] === database && !Number.isNaN(count + stall)) rows.push(row);
  }
  const pick = (column: ArrayLike<number>): Float64Array =>
    Float64Array.from(rows, (row) => column[row] ?? NaN);
  const [beginUtcMs, endUtcMs] = [pick(samples.beginUtcMs), pick(samples.endUtcMs)];
  return { rows: rows.length, beginUtcMs, endUtcMs, operations: pick(writes), stallMs: pick(stalls) };
}
