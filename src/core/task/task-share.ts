import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findTaskRows, type TaskScope } from './checkpoint-task';
import { createPieceMeter, findObservedPieces, sumPieces, type TimePieces } from '../statistics/observed-time';
import { measureOwnScanCost } from './scan-cost';
import { createObservedOf } from '../statistics/statistics';
import { BACK_TO_BACK_MS } from './task-overlap';
import { describeRun, findTaskRuns, type TaskRun, type TaskRuns } from './task-run';

/** One database's part of the one automatic task's time. Shares are of the time in which the database was observed, 0 to 1. */
export interface OwnTaskShare {
  /** Turns: its checkpoints that the task ran. */
  readonly count: number;
  readonly share: number;
  /** What its share could be if it had to wait for nobody: its mean turn over the shortest time between turns that the capture proves. May be above 1. */
  readonly mostShare: number;
  /** Turns that began right after another database's, when the task had been busy for a recovery interval or longer. */
  readonly late: number;
  /** Observed time in which it had its turns, in milliseconds. */
  readonly observedMs: number;
}

/**
 * How busy the one task of automatic checkpoints was, and with which databases. What ran beside it is left out, as far as events, overlaps and known
 * backups show it (findTaskRows). Shares are of the observed time, 0 to 1.
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
  /** The longest of all turns, in milliseconds. */
  readonly longestMs: number;
  /** The longest run in which two or more databases had a turn; null: there is none. */
  readonly longestRun:
    | (Pick<TaskRun, 'beginUtcMs' | 'endUtcMs'> & { readonly databases: number; readonly isDuringBackups: boolean })
    | null;
  /** Whether the task paused at all. */
  readonly hasPause: boolean;
  /** Milliseconds that a turn costs even with next to nothing to write; null: too few turns to tell. */
  readonly scanMs: number | null;
}

/**
 * @param databases of the capture
 * @param intervalMs the recovery interval: nobody asks for a turn sooner than half of it after the last one [I]
 */
export function* measureTaskShare(columns: CheckpointColumns, databases: number, scope: TaskScope, intervalMs: number): Steps<TaskShare> {
  const { rows, uncertainMs, isCertain } = yield* findTaskRows(columns, scope);
  const pieces = findObservedPieces(scope.window, scope.observation);
  const runs = yield* findTaskRuns(columns, rows, pieces);
  const turns = yield* followTurns(columns, databases, rows, { pieces, runs, intervalMs });
  const observedMs = sumPieces(pieces);
  const observedMsOf = createObservedOf(scope.window, scope.observation, observedMs);
  const toShare = (ms: number, ofMs: number): number => (ofMs > 0 ? ms / ofMs : 0);
  const own = new Map<number, OwnTaskShare>();
  let busyMs = 0;
  turns.counts.forEach((count, database) => {
    if (count === 0) return;
    const ownMs = turns.coveredMs[database] ?? 0;
    const ofMs = observedMsOf(database);
    busyMs += ownMs;
    const share = toShare(ownMs, ofMs);
    const mostShare = Math.max(share, (turns.totalMs[database] ?? 0) / count / turns.proveInterval(database));
    own.set(database, { count, share, mostShare, late: turns.late[database] ?? 0, observedMs: ofMs });
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
  };
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
  /** Intervals between its turns, and the time in them in which it is proven not to have asked. */
  private readonly intervals: Uint32Array;
  private readonly provenMs: Float64Array;
  /** For a database with one turn: the longest time in which it is proven not to have asked. */
  private readonly unaskedMs: Float64Array;
  /** The latest turn before, of all databases served since. While one waits nobody is served twice, so whoever is served next asked after that turn. */
  private latestBeforeMs = -Infinity;

  constructor(
    databases: number,
    private readonly intervalMs: number,
  ) {
    const [numbers, counts] = [() => new Float64Array(databases), () => new Uint32Array(databases)];
    [this.counts, this.late, this.intervals] = [counts(), counts(), counts()];
    [this.coveredMs, this.totalMs, this.provenMs] = [numbers(), numbers(), numbers()];
    [this.unaskedMs, this.lastBegin] = [numbers(), numbers()];
    this.lastPiece = new Int32Array(databases).fill(-1);
  }

  /** @param freeUtcMs when the task was last free, and nobody waited; -Infinity: not known @param pieceBeginUtcMs since when there is no gap */
  take(database: number, beginUtcMs: number, piece: number, freeUtcMs: number, pieceBeginUtcMs: number): void {
    const isFirst = this.lastPiece[database] !== piece;
    const before = isFirst ? pieceBeginUtcMs : (this.lastBegin[database] ?? 0);
    if (!isFirst) this.latestBeforeMs = Math.max(this.latestBeforeMs, before);
    const provenMs = this.proveUnasked(before, freeUtcMs);
    if (isFirst) this.unaskedMs[database] = Math.max(this.unaskedMs[database] ?? 0, provenMs);
    else {
      this.intervals[database] = (this.intervals[database] ?? 0) + 1;
      this.provenMs[database] = (this.provenMs[database] ?? 0) + Math.max(provenMs, this.intervalMs / 2);
    }
    this.counts[database] = (this.counts[database] ?? 0) + 1;
    this.lastBegin[database] = beginUtcMs;
    this.lastPiece[database] = piece;
  }

  /** For databases with one turn, adds the time after it as far as that proves something. */
  finish(piece: number, freeUtcMs: number): void {
    this.counts.forEach((count, database) => {
      if (count === 0 || this.intervals[database] !== 0 || this.lastPiece[database] !== piece) return;
      this.unaskedMs[database] = Math.max(this.unaskedMs[database] ?? 0, this.proveUnasked(this.lastBegin[database] ?? 0, freeUtcMs));
    });
  }

  /** The shortest proven time between its turns if it had to wait for nobody: milliseconds, at least half a recovery interval. */
  proveInterval(database: number): number {
    const intervals = this.intervals[database] ?? 0;
    if (intervals > 0) return (this.provenMs[database] ?? 0) / intervals;
    return Math.max(this.unaskedMs[database] ?? 0, this.intervalMs / 2);
  }

  private proveUnasked(sinceUtcMs: number, freeUtcMs: number): number {
    return Math.max(0, Math.max(freeUtcMs, this.latestBeforeMs) - sinceUtcMs);
  }
}

interface TurnScope {
  readonly pieces: TimePieces;
  readonly runs: TaskRuns;
  readonly intervalMs: number;
}

/** One pass over the task's checkpoints: who had how many turns, after whom, and how soon each could have asked again. */
function* followTurns(columns: CheckpointColumns, databases: number, rows: Uint32Array, scope: TurnScope): Steps<Turns> {
  const { pieces, runs } = scope;
  const observedBefore = createPieceMeter(pieces);
  const turns = new Turns(databases, scope.intervalMs);
  let [run, freeUtcMs, lastEndUtcMs, lastDatabase] = [-1, -Infinity, -Infinity, -1];
  for (let i = 0; i < rows.length; i++) {
    if (i % (ROWS_A_STEP / 4) === ROWS_A_STEP / 4 - 1) yield;
    const row = rows[i] ?? 0;
    const [begin, database, durationMs] = [columns.beginUtcMs[row] ?? 0, columns.database[row] ?? 0, columns.durationMs[row] ?? 0];
    turns.coveredMs[database] = (turns.coveredMs[database] ?? 0) + observedBefore(begin + durationMs) - observedBefore(begin);
    turns.totalMs[database] = (turns.totalMs[database] ?? 0) + durationMs;
    turns.longestMs = Math.max(turns.longestMs, durationMs);
    while (run + 1 < runs.count && (runs.firstPlace[run + 1] ?? 0) <= i) {
      run++;
      freeUtcMs = runs.isBeginCut[run] === 1 ? -Infinity : (runs.beginUtcMs[run] ?? 0);
    }
    const piece = run < 0 ? 0 : (runs.stretch[run] ?? 0);
    const isBehind = database !== lastDatabase && begin - lastEndUtcMs <= BACK_TO_BACK_MS;
    if (isBehind && begin - (runs.beginUtcMs[run] ?? begin) >= scope.intervalMs) turns.late[database] = (turns.late[database] ?? 0) + 1;
    turns.take(database, begin, piece, freeUtcMs, pieces[2 * piece] ?? begin);
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
  const lengthOf = (run: number): number => (run < 0 ? 0 : (runs.endUtcMs[run] ?? 0) - (runs.beginUtcMs[run] ?? 0));
  for (let run = 0; run < runs.count; run++) {
    if (lengthOf(run) > lengthOf(longest) && hasTwoDatabases(columns, rows, runs, run)) longest = run;
    if (run % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  if (longest < 0) return null;
  const { beginUtcMs, endUtcMs, databases } = describeRun(columns, rows, runs, longest);
  const isBeside = (one: { readonly beginUtcMs: number; readonly endUtcMs: number }): boolean =>
    Math.min(one.endUtcMs, endUtcMs) - Math.max(one.beginUtcMs, beginUtcMs) > 0;
  const beside = [...(backups ?? new Map<number, readonly never[]>()).values()].flatMap((ofOne) => ofOne.filter(isBeside));
  const firstUtcMs = beside.reduce((first, one) => Math.min(first, Math.max(one.beginUtcMs, beginUtcMs)), endUtcMs);
  const lastUtcMs = beside.reduce((last, one) => Math.max(last, Math.min(one.endUtcMs, endUtcMs)), beginUtcMs);
  return { beginUtcMs, endUtcMs, databases: databases.length, isDuringBackups: lastUtcMs - firstUtcMs >= (endUtcMs - beginUtcMs) / 2 };
}

function hasTwoDatabases({ database }: CheckpointColumns, rows: Uint32Array, runs: TaskRuns, run: number): boolean {
  const from = runs.firstPlace[run] ?? 0;
  const to = from + (runs.checkpoints[run] ?? 0);
  for (let place = from + 1; place < to; place++) if (database[rows[place] ?? 0] !== database[rows[from] ?? 0]) return true;
  return false;
}
