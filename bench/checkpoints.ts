import type { CheckpointColumns } from '../src/core/capture/checkpoint-columns';

export const BEGIN_UTC_MS = Date.UTC(2026, 0, 5, 10);
/** Milliseconds from one begin to the next. */
export const STEP_MS = 80;

/** Checkpoints in order of time, with room for more. Mostly short, some of minutes; always the same ones. */
export function makeCheckpoints(rows: number, databases: number, spare = 0): CheckpointColumns {
  const [beginUtcMs, durationMs] = [new Float64Array(rows + spare), new Uint32Array(rows + spare)];
  const database = new Uint16Array(rows + spare);
  let state = 20_160_709;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let row = 0; row < rows + spare; row++) {
    beginUtcMs[row] = BEGIN_UTC_MS + row * STEP_MS;
    durationMs[row] = Math.floor(40 * Math.exp(6 * (random() + random() + random() - 1.5)));
    database[row] = Math.floor(random() * databases);
  }
  return { rows, beginUtcMs, durationMs, database };
}

/** Observed from the first checkpoint until after the last. */
export function observeAll({ rows }: CheckpointColumns) {
  return { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + rows * STEP_MS + 1e9, gaps: [] };
}
