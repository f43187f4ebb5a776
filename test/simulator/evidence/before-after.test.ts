import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createModelledServer } from '../../../simulator/engine/landscape';
import type { ModelledServer } from '../../../simulator/engine/modelled-server';
import type { HistoryOptions } from '../../../simulator/scenarios/history';
import { createCapture } from '../../../src/core/capture/capture';
import { compareChanges, type ChangeComparison, type Comparison } from '../../../src/core/comparison/comparison';
import type { ComparisonInput } from '../../../src/core/comparison/comparison-input';
import { finishSteps } from '../../../src/core/steps';
import { BLOCK_MS, type DatabaseBlock, type InstanceBlock } from '../../../src/core/write-work/block';
import { DBA, readFunction, readRows } from '../../../simulator/test/engine/modelled';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;

/** Columns of sys.dm_io_virtual_file_stats: of the data file, which is the first one, or of the log. */
const FILE_FIGURES = {
  dataWrittenBytes: [1, 'num_of_bytes_written'],
  dataWrites: [1, 'num_of_writes'],
  dataWriteStallMs: [1, 'io_stall_write_ms'],
  logWrittenBytes: [2, 'num_of_bytes_written'],
  logWrites: [2, 'num_of_writes'],
  logWriteStallMs: [2, 'io_stall_write_ms'],
} as const;
const INSTANCE_COUNTERS = {
  checkpointPages: 'Checkpoint pages/sec',
  backgroundWriterPages: 'Background writer pages/sec',
  lazyWrites: 'Lazy writes/sec',
  pageWrites: 'Page writes/sec',
} as const;

type Counts = Readonly<Record<string, number>>;

/** What weeks of sampling would give, taken from the model's own views: by database_id and, as 0, of the instance. */
type Recorded = ReadonlyMap<number, (Counts & { readonly beginUtcMs: number; readonly observedMs: number })[]>;

interface History {
  readonly server: ModelledServer;
  readonly changedUtcMs: number;
  readonly comparison: Comparison;
  /** By name: pages that the ledger says were written after the change for each before it, a week each. */
  readonly ledger: ReadonlyMap<string, number>;
}

/** A week of automatic checkpoints, the switch of those databases, a week of indirect ones; one server, made up of its own blocks and ledger. */
function runHistory(history: HistoryOptions): History {
  const server = createModelledServer({ scenario: 'io-storm', databases: 5, rate: 0, seed: 1, history });
  const users = readRows(server, 'sys.databases').filter((row) => Number(row['database_id']) > 4);
  const recorded: Recorded = new Map([0, ...users.map((row) => Number(row['database_id']))].map((id) => [id, []]));
  const beginUtcMs = server.clock.nowUtcMs();
  recordWeek(server, recorded);
  const changedUtcMs = server.clock.nowUtcMs();
  const automatic = users.filter((row) => row['target_recovery_time_in_seconds'] === 0).map((row) => String(row['name']));
  for (const name of automatic) server.setTargetRecoveryTime(name, 60, DBA);
  recordWeek(server, recorded);
  const comparison = finishSteps(compareChanges(describeServer(server, recorded, beginUtcMs)));
  return { server, changedUtcMs, comparison, ledger: countPages(server, changedUtcMs) };
}

/** Change moments from the error log, as message 5084 tells them. */
function describeServer(server: ModelledServer, recorded: Recorded, beginUtcMs: number): ComparisonInput {
  const capture = createCapture({ id: 'history' });
  const ids = new Map(readRows(server, 'sys.databases').map((row) => [String(row['name']), Number(row['database_id'])]));
  const changes = server.ledger.settingChanges;
  return {
    databases: [...ids]
      .filter(([, id]) => recorded.has(id))
      .map(([name, id]) => ({
        database: null,
        name,
        changes: changes
          .filter((change) => change.databaseName === name)
          .map(({ atUtcMs, fromSeconds, toSeconds }) => ({
            atUtcMs,
            notBeforeUtcMs: atUtcMs,
            source: 'error log',
            fromSeconds,
            toSeconds,
          })),
        blocks: recorded.get(id) as unknown as readonly DatabaseBlock[],
        flushCacheUtcMs: null,
        backups: null,
      })),
    columns: capture.columns,
    observation: { beginUtcMs, endUtcMs: server.clock.nowUtcMs(), gaps: [] },
    instance: recorded.get(0) as unknown as readonly InstanceBlock[],
    breaks: [],
    errorLog: null,
    offsets: [{ fromUtcMs: -Infinity, offsetMinutes: 120 }],
  };
}

/** Hour by hour what each added, in equal parts for its quarters, as sampling does where an interval lies in several blocks. The model begins at a full hour. */
function recordWeek(server: ModelledServer, recorded: Recorded): void {
  for (let hour = 0, before = readCounts(server, recorded); hour < WEEK_HOURS; hour++) {
    const fromUtcMs = server.clock.nowUtcMs();
    server.advance(HOUR_MS);
    const after = readCounts(server, recorded);
    for (const [id, blocks] of recorded) {
      const added = Object.entries(after.get(id) ?? {}).map(
        ([name, value]) => [name, (value - (before.get(id)?.[name] ?? NaN)) / 4] as const,
      );
      for (let beginUtcMs = fromUtcMs; beginUtcMs < fromUtcMs + HOUR_MS; beginUtcMs += BLOCK_MS)
        blocks.push({ ...Object.fromEntries(added), beginUtcMs, observedMs: BLOCK_MS });
    }
    before = after;
  }
}

/** All that was counted so far. */
function readCounts(server: ModelledServer, recorded: Recorded): ReadonlyMap<number, Counts> {
  const trimmed = (value: unknown): string => String(value).trimEnd();
  const counters = new Map(
    readRows(server, 'sys.dm_os_performance_counters').map((row) => [
      `${trimmed(row['counter_name'])}|${trimmed(row['instance_name'])}`,
      Number(row['cntr_value']),
    ]),
  );
  const writelog = readRows(server, 'sys.dm_os_wait_stats').find((row) => row['wait_type'] === 'WRITELOG');
  const instance = Object.entries(INSTANCE_COUNTERS).map(([name, counter]) => [name, counters.get(`${counter}|`) ?? NaN]);
  const waits = { writelogWaits: Number(writelog?.['waiting_tasks_count']), writelogWaitMs: Number(writelog?.['wait_time_ms']) };
  const readDatabase = (id: number): Counts => {
    const files = [1, 2].map((file) => readFunction(server, 'sys.dm_io_virtual_file_stats', [id, file], DBA)[0]);
    const figures = Object.entries(FILE_FIGURES).map(([name, [file, column]]) => [name, Number(files[file - 1]?.[column])]);
    const writeTransactions = counters.get(`Write Transactions/sec|${server.databaseName(id)}`) ?? NaN;
    return { ...(Object.fromEntries(figures) as Counts), writeTransactions };
  };
  return new Map(
    [...recorded.keys()].map((id) => [id, id === 0 ? { ...(Object.fromEntries(instance) as Counts), ...waits } : readDatabase(id)]),
  );
}

/** Whatever wrote them: checkpoints themselves, and the recovery writer ahead of them. */
function countPages(server: ModelledServer, changedUtcMs: number): ReadonlyMap<string, number> {
  const pages = new Map<string, [number, number]>();
  for (const entry of server.ledger.listCheckpoints()) {
    const sums = pages.get(entry.databaseName) ?? [0, 0];
    const side = entry.beginUtcMs < changedUtcMs ? 0 : 1;
    sums[side] += entry.pages + entry.backgroundPages;
    pages.set(entry.databaseName, sums);
  }
  const changed = [...new Set(server.ledger.settingChanges.map(({ databaseName }) => databaseName))].flatMap((name) => [
    pages.get(name) ?? [0, 0],
  ]);
  const sumOfSide = (side: 0 | 1): number => changed.reduce((sum, sums) => sum + (sums[side] ?? 0), 0);
  pages.set(`${changed.length} databases together`, [sumOfSide(0), sumOfSide(1)]);
  return new Map([...pages].map(([name, [before, after]]) => [name, after / before]));
}

function describeAll({ changes }: Comparison): string {
  return JSON.stringify(changes.map(({ name, conclusion, measures }) => [name, conclusion, measures[0]?.effect]));
}

/** Those that write; the others have nothing to compare. */
function listWriting({ comparison, ledger }: History): readonly { readonly change: ChangeComparison; readonly truth: number }[] {
  return comparison.changes
    .filter(({ measures }) => measures[0]?.effect != null)
    .map((change) => ({ change, truth: ledger.get(change.name) ?? NaN }));
}

describe('before and after, in histories whose truth is in the ledger', () => {
  it('says that total write work rose where it did, with the ledger within its interval', () => {
    const history = runHistory({});
    const writing = listWriting(history);
    assert.ok(writing.length >= 3, describeAll(history.comparison));
    for (const { change, truth } of writing) {
      const effect = change.measures[0]?.effect;
      assert.ok(effect != null && effect.ratio !== null && effect.high !== null);
      const expected = truth >= 1.05 ? 'rose' : 'no difference';
      assert.equal(change.conclusion.kind, expected, `${change.name}: ledger ${truth}, ${JSON.stringify(effect)}`);
      assert.ok(Math.abs(Math.log(effect.ratio / truth)) < 0.35, `${change.name}: ledger ${truth}, ${JSON.stringify(effect)}`);
    }
    assert.ok(writing.some(({ change }) => change.conclusion.kind === 'rose'));
  });

  it('says that no difference was seen where indirect checkpoints write the same', () => {
    const history = runHistory({ indirectWrites: 'same' });
    for (const { change, truth } of listWriting(history)) {
      assert.ok(truth > 0.97 && truth < 1.03, `${truth}`);
      assert.equal(change.conclusion.kind, 'no difference', describeAll(history.comparison));
      assert.ok((change.conclusion.largest ?? 9) < 1.1, describeAll(history.comparison));
    }
  });

  it('says that total write work fell where it did', () => {
    const history = runHistory({ indirectWrites: 'less' });
    for (const { change, truth } of listWriting(history)) {
      assert.ok(truth < 0.8, `${truth}`);
      assert.equal(change.conclusion.kind, 'fell', describeAll(history.comparison));
    }
  });

  it('cannot tell where the workload changed at the same moment', () => {
    const history = runHistory({ indirectWrites: 'same', workloadChange: { afterMs: WEEK_HOURS * HOUR_MS, factor: 1.6 } });
    for (const { change } of listWriting(history)) {
      assert.equal(change.conclusion.kind, 'cannot tell', describeAll(history.comparison));
      assert.match(change.conclusion.because.join(), /workload changed at the same time \(log bytes an hour: 1\.[56]/);
    }
  });
});
