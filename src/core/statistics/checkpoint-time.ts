import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { createGapCrossing } from '../session/gap-crossing';
import { joinPiece, type TimePieces, type TimeWindow } from './observed-time';
import { orderRows } from './row-order';

/** When checkpoints ran: the union of their intervals. Intervals that overlap or touch are one piece. */
export interface CheckpointTime {
  readonly covered: TimePieces;
  /** The union of checkpoints that a gap may have made of two: whether one was running then is not known. */
  readonly doubtful: TimePieces;
}

/** @param databases their indexes; null: all. Takes the checkpoints that reach into the window, whole. */
export function* findCheckpointTime(
  columns: CheckpointColumns,
  window: TimeWindow,
  observation: Observation,
  databases: ReadonlySet<number> | null,
): Steps<CheckpointTime> {
  const isAcrossGap = createGapCrossing(observation.gaps);
  const rows = yield* orderRows(columns, (row) => {
    const begin = columns.beginUtcMs[row] ?? 0;
    if (databases !== null && !databases.has(columns.database[row] ?? -1)) return false;
    return begin < window.endUtcMs && begin + (columns.durationMs[row] ?? 0) > window.beginUtcMs;
  });
  const [covered, doubtful]: [number[], number[]] = [[], []];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const begin = columns.beginUtcMs[row] ?? 0;
    const end = begin + (columns.durationMs[row] ?? 0);
    joinPiece(isAcrossGap?.(begin, end) === true ? doubtful : covered, begin, end);
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return { covered: Float64Array.from(covered), doubtful: Float64Array.from(doubtful) };
}
