import assert from 'node:assert/strict';
import { createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import type { HistoryOptions } from '../../scenarios/history';
import { DBA, readFunction, readRows } from './modelled';

const DAY_MS = 86_400_000;

/** Bytes written to data and log of each user database that is automatic at first and writes. */
function readWritten(server: ModelledServer, ids: readonly number[]): readonly (readonly [data: number, log: number])[] {
  const written = (id: number, file: number): number =>
    Number(readFunction(server, 'sys.dm_io_virtual_file_stats', [id, file])[0]?.['num_of_bytes_written']);
  return ids.map((id) => [written(id, 1), written(id, 2)]);
}

/** Two days of automatic checkpoints, an hour to settle, two days of indirect ones: bytes to data files per byte of log, after over before. */
function compareDays(history: HistoryOptions, seed: number): { readonly perLogByte: readonly number[]; readonly log: readonly number[] } {
  const server = createModelledServer({ scenario: 'io-storm', databases: 6, rate: 0, seed, history });
  const users = readRows(server, 'sys.databases').filter(
    (row) => Number(row['database_id']) > 4 && row['target_recovery_time_in_seconds'] === 0,
  );
  const ids = users.map((row) => Number(row['database_id']));
  const readings = [readWritten(server, ids)];
  const advance = (ms: number): void => {
    server.advance(ms);
    readings.push(readWritten(server, ids));
  };
  advance(2 * DAY_MS);
  for (const row of users) server.setTargetRecoveryTime(String(row['name']), 60, DBA);
  advance(DAY_MS / 24);
  advance(2 * DAY_MS);
  const grown = (at: number, database: number, file: 0 | 1): number =>
    (readings[at + 1]?.[database]?.[file] ?? 0) - (readings[at]?.[database]?.[file] ?? 0);
  const writing = ids.map((_, i) => i).filter((i) => grown(0, i, 1) > 0);
  return {
    perLogByte: writing.map((i) => grown(2, i, 0) / grown(2, i, 1) / (grown(0, i, 0) / grown(0, i, 1))),
    log: writing.map((i) => grown(2, i, 1) / grown(0, i, 1)),
  };
}

describe('a history', () => {
  for (const seed of [1]) {
    it(`has indirect checkpoints write more for the same work as published, or as much, or less`, () => {
      const more = compareDays({}, seed).perLogByte;
      const same = compareDays({ indirectWrites: 'same' }, seed).perLogByte;
      const less = compareDays({ indirectWrites: 'less' }, seed).perLogByte;
      assert.ok(more.length >= 3 && more.every((ratio) => ratio > 1) && more.some((ratio) => ratio > 3), `more: ${more.join(' ')}`);
      assert.ok(
        same.every((ratio) => ratio > 0.97 && ratio < 1.03),
        `same: ${same.join(' ')}`,
      );
      assert.ok(
        less.every((ratio) => ratio < 0.7),
        `less: ${less.join(' ')}`,
      );
    });
  }

  it('multiplies the log of every database from the moment on at which the workload changes', () => {
    const { log } = compareDays({ workloadChange: { afterMs: 2 * DAY_MS, factor: 2.5 } }, 1);
    assert.ok(log.length >= 3 && log.every((ratio) => ratio > 2.4 && ratio < 2.6), log.join(' '));
  });
});
