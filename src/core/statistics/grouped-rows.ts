import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';

/** The rows of each database, in the given order: a counting sort, a few nanoseconds a row. @param given absent: all rows, in the order of the columns */
export function* groupRows(columns: CheckpointColumns, databases: number, given?: Uint32Array): Steps<(database: number) => Uint32Array> {
  const { database } = columns;
  const count = given?.length ?? columns.rows;
  const starts = new Uint32Array(databases + 1);
  for (let i = 0; i < count; i++) {
    const index = database[given === undefined ? i : (given[i] ?? 0)] ?? 0;
    if (index < databases) starts[index + 1] = (starts[index + 1] ?? 0) + 1;
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  for (let i = 1; i <= databases; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const sorted = new Uint32Array(starts[databases] ?? 0);
  const next = starts.slice();
  for (let i = 0; i < count; i++) {
    const row = given === undefined ? i : (given[i] ?? 0);
    const index = database[row] ?? 0;
    if (index < databases) {
      const place = next[index] ?? 0;
      sorted[place] = row;
      next[index] = place + 1;
    }
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return (index) => (index >= 0 && index < databases ? sorted.subarray(starts[index] ?? 0, starts[index + 1] ?? 0) : new Uint32Array(0));
}
