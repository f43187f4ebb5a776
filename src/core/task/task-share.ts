import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findTaskRows, type PerhapsJob, type TaskScope } from './checkpoint-task';
import {
  createPieceMeter,
  findObservedPieces,
  joinPiece,
  sumPieces,
  type TimePieces,
} from '../statistics/observed-time';
import { measureOwnScanCost } from './scan-cost';
import { type CountedWindow, createObservedOf, isCounted } from '../statistics/statistics';
import { BACK_TO_BACK_MS } from './task-overlap';
import { describeRun, findTaskRuns, type TaskRun, type TaskRuns } from './task-run';
import { HOUR_MS } from '../time';

/**
 * A database that takes more than three times as much of a run as the one in the middle stands out in it: our own
 * number.
 */
const STANDS_OUT = 3;
/** And takes this much of it at least. */
const LEAST_PART = 0.05;

/**
 * One database's part of the one automatic task's time. Shares are of the time in which the database was observed, 0 to
 * 1.
 */
export interface OwnTaskShare {
  /** Turns: its checkpoints that the task ran; 0 if only a part of one was seen. */
  readonly count: number;
  readonly share: number;
  /**
   * What its share could be without a queue: its mean turn, as often as it may have asked for one by the capture. May
   * be above 1.
   */
  readonly mostShare: number;
  /**
   * Variance of its share in an hour, from the lengths of its turns and the times between them; in t hours it is a t-th
   * of that.
   */
  readonly variance: number;
  /** Turns that began right after another database's, when the task had been busy for a recovery interval or longer. */
  readonly late: number;
  /** Observed time in which it had its turns, in milliseconds. */
  readonly observedMs: number;
}

/**
 * How busy the one task of automatic checkpoints was, and with which databases. What ran beside it is left out, as far
 * as events, overlaps and known backups show it (findTaskRows). Shares are of the observed time, 0 to 1.
 */
export interface TaskShare {
  readonly observedMs: number;
  readonly busyShare: number;
  /** The share may be off by this much: in some overlaps it is not certain which checkpoint the task ran. */
  readonly margin: number;
  /** Whether checkpoints of backups could be told from the task's own. */
  readonly areBackupsKnown: boolean;
  /** By index into the capture's databases; only databases that the task ran a checkpoint of. */
  readonly databases: ReadonlyMap<number, OwnTaskShare>;
  /**
   * Databases that had turns and will have none: dropped since, or switched; and their share. Absent: it was not asked
   * which are still there.
   */
  readonly gone?: { readonly databases: number; readonly share: number };
  /** The longest of all turns, in milliseconds. */
  readonly longestMs: number;
  /** The longest run in which two or more databases had a turn; null: there is none. */
  readonly longestRun: LongestRun | null;
  /** Whether the task paused at all. */
  readonly hasPause: boolean;
  /** The 10th percentile of the turns, in milliseconds: nine in ten took as long or longer; null: too few to tell. */
  readonly scanMs: number | null;
  readonly job: PerhapsJob | null;
}

/**
 * @param databases of the capture
 * @param intervalMs the recovery interval: no database asks for a turn sooner than half of it after the last one [I]
 */
export function* measureTaskShare(
  columns: CheckpointColumns,
  databases: number,
  scope: TaskScope,
  intervalMs: number,
): Steps<TaskShare> {
  const { rows, uncertainMs, isCertain, job } = yield* findTaskRows(columns, scope);
  const pieces = findObservedPieces(scope.window, scope.observation);
  const runs = yield* findTaskRuns(columns, rows, pieces);
  const turns = yield* followTurns(columns, databases, rows, {
    pieces,
    runs,
    intervalMs,
    window: scope.window,
  });
  const observedMs = sumPieces(pieces);
  const observedMsOf = createObservedOf(scope.window, scope.observation, observedMs);
  const toShare = (ms: number, ofMs: number): number => (ofMs > 0 ? ms / ofMs : 0);
  const own = new Map<number, OwnTaskShare>();
  let busyMs = 0;
  turns.counts.forEach((count, database) => {
    const ownMs = turns.coveredMs[database] ?? 0;
    if (count === 0 && ownMs === 0) return;
    const ofMs = observedMsOf(database);
    busyMs += ownMs;
    const share = toShare(ownMs, ofMs);
    const meanMs = (turns.totalMs[database] ?? 0) / Math.max(1, count);
    const mostShare = Math.max(share, meanMs * turns.findMostRate(database));
    const variance = toShare(turns.sumSquares(database, share) + meanMs * meanMs, ofMs * HOUR_MS);
    own.set(database, {
      count,
      share,
      mostShare,
      variance,
      late: turns.late[database] ?? 0,
      observedMs: ofMs,
    });
  });
  yield;
  const scan = yield* measureOwnScanCost(columns, rows, new Map());
  return {
    observedMs,
    busyShare: toShare(busyMs, observedMs),
    margin: toShare(uncertainMs, observedMs),
    areBackupsKnown: isCertain || scope.backups !== null,
    databases: own,
    longestMs: turns.longestMs,
    longestRun: yield* findLongestRun(columns, rows, runs, scope),
    hasPause: runs.count > 1 || runs.isBeginCut[0] === 0,
    scanMs: scan.kind === 'observed' ? scan.value.costMs : null,
    job,
  };
}

/** The longest stretch of turns without a pause. */
export interface LongestRun extends Pick<TaskRun, 'beginUtcMs' | 'endUtcMs'> {
  readonly databases: number;
  readonly isDuringBackups: boolean;
  /**
   * By index, the part of it that those take who stand out: 5 % of it or more, and more than three times as much as the
   * one in the middle.
   */
  readonly hogs: ReadonlyMap<number, number>;
}

/** Turns of each database, by index. */
class Turns {
  readonly counts: Uint32Array;
  readonly late: Uint32Array;
  longestMs = 0;
  /** Observed part of its durations, and its durations in full. */
  readonly coveredMs: Float64Array;
  readonly totalMs: Float64Array;
  private readonly lastBegin: Float64Array;
  private readonly lastPiece: Int32Array;
  /** Time from turn to turn, as far as it is known when it asked, and how many turns it could have asked for in it. */
  private readonly spanMs: Float64Array;
  private readonly asks: Float64Array;
  /** Sums over its turns, each with the time since the turn before: of the squares of both, and of their products. */
  private readonly squares: readonly [turns: Float64Array, times: Float64Array, products: Float64Array];
  /**
   * The latest turn before, of all databases served since. While one waits none is served twice, so the one that is
   * served next asked after that turn.
   */
  private latestBeforeMs = -Infinity;

  constructor(
    databases: number,
    private readonly intervalMs: number,
  ) {
    const [numbers, counts] = [() => new Float64Array(databases), () => new Uint32Array(databases)];
    [this.counts, this.late, this.squares] = [counts(), counts(), [numbers(), numbers(), numbers()]];
    [this.coveredMs, this.totalMs, this.spanMs, this.asks] = [numbers(), numbers(), numbers(), numbers()];
    [this.lastBegin, this.lastPiece] = [numbers(), new Int32Array(databases).fill(-1)];
  }

  /**
   * @param freeUtcMs when the task was last free, and none waited; -Infinity: not known
   * @param pieceBeginUtcMs since when there is no gap
   */
  take(
    database: number,
    beginUtcMs: number,
    durationMs: number,
    piece: number,
    freeUtcMs: number,
    pieceBeginUtcMs: number,
  ): void {
    const isFirst = this.lastPiece[database] !== piece;
    const before = isFirst ? pieceBeginUtcMs : (this.lastBegin[database] ?? 0);
    if (!isFirst) this.latestBeforeMs = Math.max(this.latestBeforeMs, before);
    const spanMs = beginUtcMs - before;
    const provenMs = this.proveUnasked(before, freeUtcMs);
    const leastMs = this.intervalMs / 2;
    // Of the time before its first turn, only that without a request counts.
    add(this.spanMs, database, isFirst ? provenMs : spanMs);
    add(
      this.asks,
      database,
      isFirst ? Math.min(1, provenMs / leastMs) : Math.max(1, spanMs / Math.max(provenMs, leastMs)),
    );
    add(this.squares[0], database, durationMs * durationMs);
    add(this.squares[1], database, spanMs * spanMs);
    add(this.squares[2], database, durationMs * spanMs);
    add(this.counts, database, 1);
    [this.lastBegin[database], this.lastPiece[database]] = [beginUtcMs, piece];
  }

  /** Adds the time after each database's last turn in which it surely did not ask for the next. */
  finish(piece: number, freeUtcMs: number): void {
    this.lastPiece.forEach((last, database) => {
      if (last === piece)
        add(this.spanMs, database, this.proveUnasked(this.lastBegin[database] ?? 0, freeUtcMs));
    });
  }

  /**
   * How often it could ask for a turn without a queue, in each millisecond. In a part of the time between two turns it
   * surely did not ask; in the rest it is taken to ask at intervals as long as that part. So a burst counts for the
   * time in which it had to wait, at most twice in a recovery interval.
   */
  findMostRate(database: number): number {
    return Math.max(1, this.asks[database] ?? 0) / Math.max(this.spanMs[database] ?? 0, this.intervalMs / 2);
  }

  /**
   * By how much its turns differ from that share of the time since the turn before: the sum of the squares, in square
   * milliseconds.
   */
  sumSquares(database: number, share: number): number {
    const [turns = 0, times = 0, products = 0] = this.squares.map((sums) => sums[database] ?? 0);
    return Math.max(0, turns - 2 * share * products + share * share * times);
  }

  private proveUnasked(sinceUtcMs: number, freeUtcMs: number): number {
    return Math.max(0, Math.max(freeUtcMs, this.latestBeforeMs) - sinceUtcMs);
  }
}

function add(sums: Float64Array | Uint32Array, at: number, value: number): void {
  sums[at] = (sums[at] ?? 0) + value;
}

interface TurnScope {
  /** A turn belongs, whole, to the window in which it begins; its time to that in which it ran. */
  readonly window: CountedWindow;
  readonly pieces: TimePieces;
  readonly runs: TaskRuns;
  readonly intervalMs: number;
}

/** One pass over the task's checkpoints: who had how many turns, after whom, and how soon each could ask again. */
function* followTurns(
  columns: CheckpointColumns,
  databases: number,
  rows: Uint32Array,
  scope: TurnScope,
): Steps<Turns> {
  const { pieces, runs } = scope;
  const observedBefore = createPieceMeter(pieces);
  const turns = new Turns(databases, scope.intervalMs);
  let run = -1;
  let freeUtcMs = -Infinity;
  let lastEndUtcMs = -Infinity;
  let lastDatabase = -1;
  for (let i = 0; i < rows.length; i++) {
    if (i % (ROWS_A_STEP / 4) === ROWS_A_STEP / 4 - 1) yield;
    const row = rows[i] ?? 0;
    const begin = columns.beginUtcMs[row] ?? 0;
    const database = columns.database[row] ?? 0;
    const durationMs = columns.durationMs[row] ?? 0;
    add(turns.coveredMs, database, observedBefore(begin + durationMs) - observedBefore(begin));
    if (row >= (columns.partsFrom ?? Infinity) || !isCounted(scope.window, begin)) {
      [lastEndUtcMs, lastDatabase] = [begin + durationMs, database];
      continue;
    }
    add(turns.totalMs, database, durationMs);
    turns.longestMs = Math.max(turns.longestMs, durationMs);
    while (run + 1 < runs.count && (runs.firstPlace[run + 1] ?? 0) <= i) {
      run++;
      freeUtcMs = runs.isBeginCut[run] === 1 ? -Infinity : (runs.beginUtcMs[run] ?? 0);
    }
    const piece = run < 0 ? 0 : (runs.stretch[run] ?? 0);
    const isBehind = database !== lastDatabase && begin - lastEndUtcMs <= BACK_TO_BACK_MS;
    if (isBehind && begin - (runs.beginUtcMs[run] ?? begin) >= scope.intervalMs) add(turns.late, database, 1);
    turns.take(database, begin, durationMs, piece, freeUtcMs, pieces[2 * piece] ?? begin);
    [lastEndUtcMs, lastDatabase] = [begin + durationMs, database];
  }
  // After the last checkpoint one may be running that has not ended, so that time proves nothing.
  if (runs.count > 0) turns.finish(runs.stretch[runs.count - 1] ?? 0, freeUtcMs);
  return turns;
}

function* findLongestRun(
  columns: CheckpointColumns,
  rows: Uint32Array,
  runs: TaskRuns,
  { backups }: TaskScope,
): Steps<TaskShare['longestRun']> {
  let longest = -1;
  const lengthOf = (run: number): number =>
    run < 0 ? 0 : (runs.endUtcMs[run] ?? 0) - (runs.beginUtcMs[run] ?? 0);
  for (let run = 0; run < runs.count; run++) {
    if (lengthOf(run) > lengthOf(longest) && describeRun(columns, rows, runs, run).databases.length > 1)
      longest = run;
    if (run % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  if (longest < 0) return null;
  const { beginUtcMs, endUtcMs, databases } = describeRun(columns, rows, runs, longest);
  const isBeside = (one: { readonly beginUtcMs: number; readonly endUtcMs: number }): boolean =>
    Math.min(one.endUtcMs, endUtcMs) - Math.max(one.beginUtcMs, beginUtcMs) > 0;
  const beside = [...(backups ?? new Map<number, readonly never[]>()).values()].flatMap((ofOne) =>
    ofOne.filter(isBeside),
  );
  const pieces: number[] = [];
  for (const one of beside.sort((a, b) => a.beginUtcMs - b.beginUtcMs))
    joinPiece(pieces, Math.max(one.beginUtcMs, beginUtcMs), Math.min(one.endUtcMs, endUtcMs));
  const isDuringBackups = sumPieces(Float64Array.from(pieces)) >= (endUtcMs - beginUtcMs) / 2;
  const parts = new Map<number, number>();
  const [first, count] = [runs.firstPlace[longest] ?? 0, runs.checkpoints[longest] ?? 0];
  for (const row of rows.subarray(first, first + count)) {
    const [database, begin] = [columns.database[row] ?? 0, columns.beginUtcMs[row] ?? 0];
    const ownMs = Math.min(endUtcMs, begin + (columns.durationMs[row] ?? 0)) - Math.max(beginUtcMs, begin);
    parts.set(database, (parts.get(database) ?? 0) + ownMs / (endUtcMs - beginUtcMs));
  }
  const middle = [...parts.values()].sort((a, b) => a - b)[(parts.size - 1) >> 1] ?? 0;
  const hogs = new Map([...parts].filter(([, part]) => part >= LEAST_PART && part > STANDS_OUT * middle));
  return { beginUtcMs, endUtcMs, databases: databases.length, isDuringBackups, hogs };
}
