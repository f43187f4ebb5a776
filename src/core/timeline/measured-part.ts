/**
 * Figures of a part of the picture that the reader chose: the checkpoints of some databases in some time, taken
 * together.
 */
import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { observationOf } from '../capture/unrecorded';
import {
  type CheckpointStatistics,
  computeStatistics,
  type CountedWindow,
  type StatisticsSet,
} from '../statistics/statistics';
import type { TimeWindow } from '../statistics/observed-time';
import type { Steps } from '../steps';
import { findFirstFrom, type LaneIndex } from './lane-index';

/** `figures` treat all databases as if they were one. Its share is the time in which any of them had a checkpoint. */
export interface MeasuredFigures extends Pick<StatisticsSet, 'coverage' | 'acrossGaps'> {
  readonly figures: CheckpointStatistics;
  /**
   * How many of several databases the session did not record throughout the window. For one alone, the coverage tells
   * it.
   */
  readonly partlyRecorded: number;
}

/**
 * Figures of the checkpoints that begin in a window and belong to the databases (numbers in the `database` column), by
 * the same rules as those of the tables (computeStatistics). In steps of a few milliseconds. It costs by what lies in
 * the window, not by what the capture holds.
 */
export function* measurePart(
  columns: CheckpointColumns,
  index: LaneIndex,
  window: TimeWindow,
  databases: readonly number[],
  observation: Observation,
): Steps<MeasuredFigures> {
  const chosen = yield* selectRows(columns, index, window, databases);
  const together: CheckpointColumns = { ...chosen, database: new Uint16Array(chosen.rows) };
  const [only] = databases;
  const watched =
    databases.length === 1 ? observationOf(observation, only!) : { ...observation, unrecorded: [] };
  const set = yield* computeStatistics(together, 1, window, watched);
  const partlyRecorded = databases.length === 1 ? 0 : countUnrecorded(window, databases, observation);
  return { figures: set.databases[0]!, coverage: set.coverage, acrossGaps: set.acrossGaps, partlyRecorded };
}

/**
 * Figures of each database in a window, as computeStatistics gives them. It costs by what lies in the window.
 * @param databases how many there are
 */
export function* measureWindow(
  columns: CheckpointColumns,
  index: LaneIndex,
  window: CountedWindow,
  databases: number,
  observation: Observation,
): Steps<StatisticsSet> {
  const all = Array.from({ length: databases }, (_, database) => database);
  const inside = yield* selectRows(columns, index, window, all);
  return yield* computeStatistics(inside, databases, window, observation);
}

/** The checkpoints that reach into a window and belong to the databases, as their own columns, database by database. */
function* selectRows(
  columns: CheckpointColumns,
  index: LaneIndex,
  window: TimeWindow,
  databases: readonly number[],
): Steps<CheckpointColumns> {
  const parts = databases.map((database) => rowsOf(columns, index, window, database));
  const rows = parts.reduce((sum, part) => sum + part.length, 0);
  const chosen = {
    rows,
    beginUtcMs: new Float64Array(rows),
    durationMs: new Uint32Array(rows),
    database: new Uint16Array(rows),
  };
  let at = 0;
  for (const [i, part] of parts.entries()) {
    chosen.database.fill(databases[i]!, at, at + part.length);
    for (const row of part) {
      chosen.beginUtcMs[at] = columns.beginUtcMs[row]!;
      chosen.durationMs[at++] = columns.durationMs[row]!;
    }
    yield;
  }
  return chosen;
}

function countUnrecorded(
  window: TimeWindow,
  databases: readonly number[],
  { unrecorded = [] }: Observation,
): number {
  const touched = unrecorded.filter(
    (stretch) => stretch.beginUtcMs < window.endUtcMs && stretch.endUtcMs > window.beginUtcMs,
  );
  return new Set(touched.map(({ database }) => database).filter((database) => databases.includes(database)))
    .size;
}

function rowsOf(
  columns: CheckpointColumns,
  index: LaneIndex,
  window: TimeWindow,
  database: number,
): Uint32Array {
  const lane = index.lanes[database];
  if (!lane) return new Uint32Array();
  // An earlier one may reach into the window if it is as long as the longest.
  return lane.rows.subarray(
    findFirstFrom(lane, columns, window.beginUtcMs - lane.longestMs),
    findFirstFrom(lane, columns, window.endUtcMs),
  );
}
