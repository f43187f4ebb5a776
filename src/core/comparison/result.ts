/**
 * The plain result of changed target recovery times: what a DBA writes down before and after. Everything in it was
 * seen; nothing is estimated. A checkpoint belongs to the side in which it begins.
 */
import { type CheckpointColumns, selectRows } from '../capture/checkpoint-columns';
import { computeStatistics, type CheckpointStatistics, findSecondsAnHour } from '../statistics/statistics';
import { findPiece } from '../statistics/observed-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import type { ChangeMoment } from '../task/change-moment';
import type { TaskShare } from '../task/task-share';
import type { Side, Sides } from './sides';

/** A side with less observed time says nothing. */
export const LEAST_SEEN_MS = 10 * 60_000;
/** With fewer checkpoints on a side, how long they took is chance. */
export const LEAST_CHECKPOINTS = 3;

/** Figures of one side. null: no time was observed, or there was no checkpoint. */
export interface SideFigures {
  readonly checkpoints: number;
  readonly perHour: number | null;
  readonly averageMs: number | null;
  readonly p95Ms: number | null;
  readonly longestMs: number | null;
  /** Seconds in checkpoints in one hour. */
  readonly secondsPerHour: number | null;
  /**
   * Of the checkpoint task's time, 0 to 1: turns on it, and for a database with indirect checkpoints, which takes none,
   * the time in its checkpoints.
   */
  readonly share: number | null;
}

export interface BothSides<T> {
  readonly before: T;
  readonly after: T;
}

export interface ChangedDatabase {
  readonly databaseId: number;
  readonly name: string;
  /** Index in the capture's list of databases; null: it has no checkpoint there. */
  readonly captured: number | null;
  /** Its changes in order of time, each once; not empty. */
  readonly changes: readonly ChangeMoment[];
  /** Whether the session records it, so far as that is known. */
  readonly isRecorded: boolean;
  /**
   * Its target recovery time is 0 now, also where the last known change says otherwise: a restore, for example, changes
   * it without a message.
   */
  readonly isAutomatic: boolean;
}

export interface ResultRow extends BothSides<SideFigures> {
  readonly databaseId: number;
  readonly name: string;
  /** Its last known change. */
  readonly change: ChangeMoment;
  /** Whether its target recovery time is 0 now. */
  readonly isAutomatic: boolean;
}

export interface Result {
  readonly sides: Sides;
  /** Databases that were changed in the series, by seconds an hour before, the most first. */
  readonly rows: readonly ResultRow[];
  /** The same as one, without those that are automatic again or were not recorded on a side. */
  readonly together: BothSides<SideFigures> & { readonly databases: number };
  readonly server: BothSides<SideFigures>;
  /** One average checkpoint of each changed database, one after another; null: one of them had none. */
  readonly oneOfEachMs: BothSides<number | null>;
  /** The longest observed time in which one of the changed databases had no checkpoint; null: none was recorded. */
  readonly longestWithoutMs: BothSides<number | null>;
}

interface ResultInput {
  readonly columns: CheckpointColumns;
  /** How many databases the capture has. */
  readonly databases: number;
  readonly sides: Sides;
  /** The checkpoint task on each side, by index into the capture's databases. */
  readonly task: BothSides<TaskShare>;
  readonly changed: readonly ChangedDatabase[];
}

export function* computeResult(input: ResultInput): Steps<Result> {
  const { sides } = input;
  const inSeries = input.changed.filter(({ changes }) => lastOf(changes).atUtcMs >= sides.firstUtcMs);
  const before = yield* measureSide(input, sides.before, input.task.before);
  const after = yield* measureSide(input, sides.after, input.task.after);
  const rows = inSeries.map((one): ResultRow => ({
    databaseId: one.databaseId,
    name: one.name,
    change: lastOf(one.changes),
    isAutomatic: one.isAutomatic,
    before: before.of(one),
    after: after.of(one),
  }));
  // A database that was not recorded on one side is in no sum of either: its begin would look like the work of the
  // change.
  const isMissing = (one: ChangedDatabase): boolean =>
    (sides.before.observedMs > 0 && before.of(one).perHour === null) ||
    (sides.after.observedMs > 0 && after.of(one).perHour === null);
  const kept = inSeries.filter((one) => !one.isAutomatic && !isMissing(one));
  const [was, is] = [yield* before.sumUp(kept), yield* after.sumUp(kept)];
  const sumOfEach = (side: MeasuredSide): number | null =>
    kept.reduce<number | null>((sum, one) => addUp(sum, side.of(one).averageMs), 0);
  return {
    sides,
    rows: rows.sort(
      (a, b) => (b.before.secondsPerHour ?? 0) - (a.before.secondsPerHour ?? 0) || (a.name < b.name ? -1 : 1),
    ),
    together: { before: was.together, after: is.together, databases: kept.length },
    server: { before: before.server, after: after.server },
    oneOfEachMs: { before: sumOfEach(before), after: sumOfEach(after) },
    longestWithoutMs: { before: was.longestWithoutMs, after: is.longestWithoutMs },
  };
}

const addUp = (sum: number | null, more: number | null): number | null =>
  sum === null || more === null ? null : sum + more;

const lastOf = (changes: readonly ChangeMoment[]): ChangeMoment => changes[changes.length - 1]!;

type Capturable = Pick<ChangedDatabase, 'captured' | 'isRecorded'>;

interface MeasuredSide {
  readonly of: (database: Capturable) => SideFigures;
  readonly server: SideFigures;
  /** Of these databases together. */
  readonly sumUp: (
    databases: readonly Capturable[],
  ) => Steps<{ readonly together: SideFigures; readonly longestWithoutMs: number | null }>;
}

function* measureSide({ columns, databases }: ResultInput, side: Side, task: TaskShare): Steps<MeasuredSide> {
  const { beginUtcMs, durationMs } = columns;
  const rows = yield* selectRows(columns, (row) => {
    const begin = beginUtcMs[row] ?? 0;
    return begin < side.endUtcMs && begin + (durationMs[row] ?? 0) >= side.beginUtcMs;
  });
  const { databases: each } = yield* computeStatistics(rows, databases, side, side.observation);
  const whole = { ...side.observation, unrecorded: [] };
  const pool = function* (isWanted: (row: number) => boolean): Steps<CheckpointStatistics | undefined> {
    const pooled = yield* selectRows(rows, isWanted, () => 0);
    return (yield* computeStatistics(pooled, 1, side, whole)).databases[0];
  };
  const of = ({ captured, isRecorded }: Capturable): SideFigures => {
    const own = captured === null ? undefined : each[captured];
    if (own === undefined ? !isRecorded : own.perHour === null) return NOTHING_SEEN;
    return describe(
      own,
      side,
      (captured === null ? null : task.databases.get(captured)?.share) ?? own?.share ?? 0,
    );
  };
  return {
    of,
    server: describe(yield* pool(() => true), side, task.busyShare),
    *sumUp(wanted) {
      const indexes = new Set(wanted.flatMap(({ captured }) => captured ?? []));
      const figures = yield* pool((row) => indexes.has(rows.database[row] ?? 0));
      const share = wanted.reduce((sum, one) => sum + (of(one).share ?? 0), 0);
      return {
        together: describe(figures, side, share),
        longestWithoutMs: yield* findLongestWithout(rows, side, indexes, wanted.length),
      };
    },
  };
}

const NOTHING_SEEN: SideFigures = {
  checkpoints: 0,
  perHour: null,
  averageMs: null,
  p95Ms: null,
  longestMs: null,
  secondsPerHour: null,
  share: null,
};

function describe(
  figures: CheckpointStatistics | undefined,
  { observedMs }: Side,
  share: number,
): SideFigures {
  if (observedMs === 0) return NOTHING_SEEN;
  const { count = 0, perHour = 0, averageMs = null, p95Ms = null, maximumMs = null } = figures ?? {};
  const secondsPerHour = findSecondsAnHour({ perHour, averageMs });
  return { checkpoints: count, perHour, averageMs, p95Ms, longestMs: maximumMs, secondsPerHour, share };
}

/**
 * From the end of one checkpoint of a database to the begin of its next, or to where the observed time is cut.
 * @param databases those without any included
 */
function* findLongestWithout(
  columns: CheckpointColumns,
  { pieces }: Side,
  wanted: ReadonlySet<number>,
  databases: number,
): Steps<number | null> {
  const ends = new Map<number, number>();
  let longestMs: number | null = null;
  const take = (fromUtcMs: number, toUtcMs: number): void =>
    void (longestMs = Math.max(longestMs ?? 0, toUtcMs - fromUtcMs));
  const edgeOf = (utcMs: number, edge: 0 | 1): number | undefined =>
    pieces[2 * findPiece(pieces, utcMs) + edge];
  for (let row = 0; row < columns.rows; row++) {
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const begin = columns.beginUtcMs[row] ?? 0;
    const database = columns.database[row] ?? 0;
    if (!wanted.has(database) || findPiece(pieces, begin) < 0) continue;
    const pieceBegin = edgeOf(begin, 0) ?? begin;
    const lastEnd = ends.get(database) ?? -Infinity;
    take(Math.max(pieceBegin, lastEnd), begin);
    if (ends.has(database) && lastEnd < pieceBegin) take(lastEnd, edgeOf(lastEnd, 1) ?? lastEnd);
    ends.set(database, Math.max(lastEnd, begin + (columns.durationMs[row] ?? 0)));
  }
  for (const end of ends.values()) take(end, edgeOf(end, 1) ?? end);
  if (ends.size < databases)
    for (let i = 0; i + 1 < pieces.length; i += 2) take(pieces[i] ?? 0, pieces[i + 1] ?? 0);
  return longestMs;
}
