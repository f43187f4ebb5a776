import type { CheckpointEntry } from '../../engine/ledger/checkpoint-columns';
import { createModelledServer, type ModelledServerOptions } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { DBA, readFunction, readRows, type Row } from './modelled';

/** What a server says of itself, read at one moment. */
export interface Said {
  counter(name: string, instance?: string): number;
  /** Sums over the data (1) or log (2) files of a database, of all databases without one. */
  file(id: 1 | 2, column: string, databaseId?: number): number;
  wait(type: string): number;
}

export function listen(server: ModelledServer): Said {
  const counters = new Map(
    readRows(server, 'sys.dm_os_performance_counters').map((row) => [
      `${String(row['counter_name']).trimEnd()}|${String(row['instance_name']).trimEnd()}`,
      Number(row['cntr_value']),
    ]),
  );
  const files = readFiles(server);
  const waits = new Map(
    readRows(server, 'sys.dm_os_wait_stats').map((row) => [
      String(row['wait_type']),
      Number(row['wait_time_ms']),
    ]),
  );
  return {
    counter: (name, instance = '') => counters.get(`${name}|${instance}`) ?? NaN,
    file: (id, column, databaseId) =>
      files
        .filter((row) => row['file_id'] === id && (databaseId ?? row['database_id']) === row['database_id'])
        .reduce((sum, row) => sum + Number(row[column]), 0),
    wait: (type) => waits.get(type) ?? NaN,
  };
}

/** Azure SQL Database shows each database its own files. */
function readFiles(server: ModelledServer): readonly Row[] {
  const asked =
    server.platform === 'azure-sql-database'
      ? [...readRows(server, 'sys.databases').map(({ name }) => String(name)), 'tempdb']
      : ['master'];
  return asked.flatMap((database) =>
    readFunction(server, 'sys.dm_io_virtual_file_stats', [null, null], { ...DBA, database }),
  );
}

/** The last moment of a run, in virtual milliseconds since its begin, at which no checkpoint was under way. */
export function findQuiet(
  checkpoints: readonly CheckpointEntry[],
  startUtcMs: number,
  untilMs: number,
): number {
  const isQuiet = (ms: number): boolean =>
    checkpoints.every(
      (each) => each.endUs < (startUtcMs + ms) * 1000 || each.beginUs > (startUtcMs + ms) * 1000,
    );
  // What was still under way at the end is not in the ledger: stay well before it.
  for (let ms = untilMs - 300_000; ms > 0; ms -= 7) if (isQuiet(ms)) return ms;
  throw new Error('a checkpoint was always under way');
}

/** The same run again, up to its last quiet moment. */
export function runToQuiet(
  options: ModelledServerOptions,
  untilMs: number,
  act: (server: ModelledServer) => void,
): ModelledServer {
  const run = (ms: number): ModelledServer => {
    const server = createModelledServer({ ...options, rate: 0 });
    server.advance(ms / 2);
    return server;
  };
  const first = run(untilMs);
  const startUtcMs = first.clock.nowUtcMs() - untilMs / 2;
  act(first);
  first.advance(untilMs / 2);
  const quietMs = findQuiet(first.ledger.checkpoints, startUtcMs, untilMs);
  const again = run(untilMs);
  act(again);
  again.advance(quietMs - untilMs / 2);
  return again;
}

export function sumOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}

export const backupsOf = (server: ModelledServer): readonly Row[] =>
  readRows(server, 'dbo.backupset', DBA, 'msdb');
