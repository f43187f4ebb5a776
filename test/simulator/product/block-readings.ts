import type { ModelledServer } from '../../../simulator/engine/modelled-server';
import { BLOCK_MS, type DatabaseBlock, type InstanceBlock } from '../../../src/core/write-work/block';
import { DBA, readFunction, readRows, type Row } from '../../../simulator/test/engine/modelled';

const HOUR_MS = 3_600_000;

/** Blocks taken from a model's own views, without SQL: what weeks of sampling at every quarter of an hour would give. */
export interface RecordedBlocks {
  readonly databases: ReadonlyMap<number, DatabaseBlock[]>;
  readonly instance: InstanceBlock[];
}

/** User databases of a model. */
export function listUsers(server: ModelledServer): readonly Row[] {
  return readRows(server, 'sys.databases').filter((row) => Number(row['database_id']) > 4);
}

/**
 * Advances hour by hour, and writes down what each added, in equal parts for its four quarters: as sampling does where an interval lies in several
 * blocks. The model begins at a full hour.
 */
export function recordHours(server: ModelledServer, hours: number, into: RecordedBlocks, ids: readonly number[]): void {
  const read = createReader(server, ids);
  let before = read();
  for (let hour = 0; hour < hours; hour++) {
    const fromUtcMs = server.clock.nowUtcMs();
    server.advance(HOUR_MS);
    const after = read();
    for (let beginUtcMs = fromUtcMs; beginUtcMs < fromUtcMs + HOUR_MS; beginUtcMs += BLOCK_MS) {
      const block = { beginUtcMs, observedMs: BLOCK_MS };
      ids.forEach((id, i) => into.databases.get(id)?.push({ ...block, ...quarter(before.databases[i], after.databases[i]) }));
      into.instance.push({ ...block, ...quarter(before.instance, after.instance) });
    }
    before = after;
  }
}

export function startRecording(ids: readonly number[]): RecordedBlocks {
  return { databases: new Map(ids.map((id) => [id, []])), instance: [] };
}

type DatabaseCounts = Omit<DatabaseBlock, 'beginUtcMs' | 'observedMs' | 'logReuseWaits'>;
type InstanceCounts = Omit<InstanceBlock, 'beginUtcMs' | 'observedMs'>;

interface Counts {
  readonly databases: readonly DatabaseCounts[];
  readonly instance: InstanceCounts;
}

/** A fourth of what was added in between. */
function quarter<T extends object>(before: T | undefined, after: T | undefined): T {
  const entries = Object.entries(after ?? {}).map(([name, value]) => {
    const from = (before as Readonly<Record<string, number>>)[name] ?? NaN;
    return [name, (Number(value) - from) / 4] as const;
  });
  return Object.fromEntries(entries) as T;
}

function createReader(server: ModelledServer, ids: readonly number[]): () => Counts {
  const names = new Map(readRows(server, 'sys.databases').map((row) => [Number(row['database_id']), String(row['name'])]));
  return () => {
    const counters = readCounters(server);
    const writelog = readRows(server, 'sys.dm_os_wait_stats').find((row) => row['wait_type'] === 'WRITELOG');
    const find = (name: string): number => counters.get(`${name}|`) ?? NaN;
    return {
      databases: ids.map((id) => readFiles(server, id, counters.get(`Write Transactions/sec|${names.get(id) ?? ''}`) ?? NaN)),
      instance: {
        checkpointPages: find('Checkpoint pages/sec'),
        backgroundWriterPages: find('Background writer pages/sec'),
        lazyWrites: find('Lazy writes/sec'),
        pageWrites: find('Page writes/sec'),
        writelogWaits: Number(writelog?.['waiting_tasks_count']),
        writelogWaitMs: Number(writelog?.['wait_time_ms']),
      },
    };
  };
}

/** By name and instance, without padding. */
function readCounters(server: ModelledServer): ReadonlyMap<string, number> {
  const relation = server.relation('master', 'sys', 'dm_os_performance_counters', DBA);
  const at = (name: string): number => relation?.columns.findIndex((column) => column.name === name) ?? -1;
  const [name, instance, value] = [at('counter_name'), at('instance_name'), at('cntr_value')];
  const counters = new Map<string, number>();
  for (const row of relation?.rows() ?? []) {
    counters.set(`${String(row[name]).trimEnd()}|${String(row[instance]).trimEnd()}`, Number(row[value]));
  }
  return counters;
}

function readFiles(server: ModelledServer, id: number, writeTransactions: number): DatabaseCounts {
  const [data, log] = [1, 2].map((file) => readFunction(server, 'sys.dm_io_virtual_file_stats', [id, file], DBA)[0]);
  return {
    dataWrittenBytes: Number(data?.['num_of_bytes_written']),
    dataWrites: Number(data?.['num_of_writes']),
    dataWriteStallMs: Number(data?.['io_stall_write_ms']),
    logWrittenBytes: Number(log?.['num_of_bytes_written']),
    logWrites: Number(log?.['num_of_writes']),
    logWriteStallMs: Number(log?.['io_stall_write_ms']),
    writeTransactions,
  };
}
