/** Marks checkpoints column by column, without levels of detail, and finds where another picture differs by more than a pixel. Pure. */
import type { CheckpointColumns } from '../../src/core/capture/checkpoint-columns';
import type { TimeWindow } from '../../src/core/statistics/statistics';

/** Columns painted beyond either edge of the view, because a mark there may reach into the view by the allowed pixel. */
const EDGE = 1;

/** One byte for each column from `-EDGE` to `columns + EDGE` of each lane: 1 if a checkpoint touches it. */
export function paintExactly(checkpoints: CheckpointColumns, lanes: number, window: TimeWindow, columns: number): readonly Uint8Array[] {
  const { rows, beginUtcMs, durationMs, database } = checkpoints;
  const pictures = Array.from({ length: lanes }, () => new Uint8Array(columns + 2 * EDGE));
  const columnsPerMs = columns / (window.endUtcMs - window.beginUtcMs);
  for (let row = 0; row < rows; row++) {
    const begin = (beginUtcMs[row]! - window.beginUtcMs) * columnsPerMs;
    const end = begin + durationMs[row]! * columnsPerMs;
    if (begin >= columns + EDGE || end < -EDGE) continue;
    const first = Math.floor(begin);
    // If it is shorter than a column, the column that contains it.
    const last = Math.max(first, Math.ceil(end) - 1);
    pictures[database[row]!]?.fill(1, Math.max(0, first + EDGE), Math.max(0, last + EDGE + 1));
  }
  return pictures;
}

export interface Differences {
  /** Columns that the exact painter marks. */
  readonly marked: number;
  /** How many of these have no mark within a pixel. */
  readonly missing: number;
  /** Columns with a mark if the exact painter has none within a pixel. */
  readonly ghosts: number;
}

/**
 * Compares one lane. `seen` has a byte for each column in view, not 0 if something is drawn there. A mark in the first or last column never counts as missing,
 * because the allowed pixel may be out of view.
 */
export function compareLane(exact: Uint8Array, seen: Uint8Array): Differences {
  const isNear = (marks: Uint8Array, at: number): boolean => !!(marks[at - 1] || marks[at] || marks[at + 1]);
  let [marked, missing, ghosts] = [0, 0, 0];
  for (let column = 0; column < seen.length; column++) {
    const isMarked = exact[column + EDGE] === 1;
    if (isMarked) marked++;
    const isAtEdge = column === 0 || column === seen.length - 1;
    if (isMarked && !isAtEdge && !isNear(seen, column)) missing++;
    if (seen[column] && !isNear(exact, column + EDGE)) ghosts++;
  }
  return { marked, missing, ghosts };
}

/** Sums of differences. */
export function addDifferences(all: readonly Differences[]): Differences {
  return all.reduce(
    (sum, one) => ({ marked: sum.marked + one.marked, missing: sum.missing + one.missing, ghosts: sum.ghosts + one.ghosts }),
    { marked: 0, missing: 0, ghosts: 0 },
  );
}
