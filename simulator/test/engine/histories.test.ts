import assert from 'node:assert/strict';
import { createModelledServer } from '../../engine/landscape';
import type { ScenarioOptions } from '../../scenarios/scenario';
import { listWritable, switchAll } from './modelled';
import { listen } from './reconciled';

const DAY_MS = 86_400_000;

/**
 * Two days of automatic checkpoints, an hour to settle, two days of indirect ones: bytes to data files per byte of log,
 * after over before.
 */
function compareDays(history: NonNullable<ScenarioOptions['history']>): readonly number[] {
  const server = createModelledServer({ scenario: 'io-storm', databases: 6, rate: 0, history });
  const ids = listWritable(server).flatMap((row) =>
    row['target_recovery_time_in_seconds'] === 0 ? [Number(row['database_id'])] : [],
  );
  /** Bytes written to data and log of each of them. */
  const read = (): readonly (readonly [data: number, log: number])[] => {
    const { file } = listen(server);
    return ids.map((id) => [file(1, 'num_of_bytes_written', id), file(2, 'num_of_bytes_written', id)]);
  };
  const readings = [read()];
  const advance = (ms: number): void => {
    server.advance(ms);
    readings.push(read());
  };
  advance(2 * DAY_MS);
  switchAll(server);
  advance(DAY_MS / 24);
  advance(2 * DAY_MS);
  const grown = (at: number, database: number, file: 0 | 1): number =>
    (readings[at + 1]?.[database]?.[file] ?? 0) - (readings[at]?.[database]?.[file] ?? 0);
  const writing = ids.map((_, i) => i).filter((i) => grown(0, i, 1) > 0);
  return writing.map((i) => grown(2, i, 0) / grown(2, i, 1) / (grown(0, i, 0) / grown(0, i, 1)));
}

describe('a history', () => {
  for (const [history, what, isSo] of [
    [
      {},
      'more',
      (ratios: readonly number[]) => ratios.every((ratio) => ratio > 1) && ratios.some((ratio) => ratio > 3),
    ],
    [
      { indirectWrites: 'same' },
      'as much',
      (ratios: readonly number[]) => ratios.every((ratio) => ratio > 0.97 && ratio < 1.03),
    ],
  ] as const)
    it(`has indirect checkpoints write ${what} for the same work: ${JSON.stringify(history)}`, () => {
      const perLogByte = compareDays(history);
      assert.ok(perLogByte.length >= 3 && isSo(perLogByte), perLogByte.join(' '));
    });
});
