import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createModelledServer } from '../../../simulator/engine/landscape';
import type { ModelledServer } from '../../../simulator/engine/modelled-server';
import type { HistoryOptions } from '../../../simulator/scenarios/history';
import { createCapture } from '../../../src/core/capture/capture';
import { compareChanges, type ChangeComparison, type Comparison } from '../../../src/core/comparison/comparison';
import type { ComparisonInput } from '../../../src/core/comparison/comparison-input';
import { finishSteps } from '../../../src/core/steps';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { DBA } from '../../../simulator/test/engine/modelled';
import { listUsers, recordHours, startRecording, type RecordedBlocks } from '../product/block-readings';
import { sampleSimulator } from '../product/sampled-server';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;

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
  const users = listUsers(server);
  const ids = users.map((row) => Number(row['database_id']));
  const recorded = startRecording(ids);
  const beginUtcMs = server.clock.nowUtcMs();
  recordHours(server, WEEK_HOURS, recorded, ids);
  const changedUtcMs = server.clock.nowUtcMs();
  const automatic = users.filter((row) => row['target_recovery_time_in_seconds'] === 0).map((row) => String(row['name']));
  for (const name of automatic) server.setTargetRecoveryTime(name, 60, DBA);
  recordHours(server, WEEK_HOURS, recorded, ids);
  const comparison = finishSteps(compareChanges(describeServer(server, recorded, beginUtcMs)));
  return { server, changedUtcMs, comparison, ledger: countPages(server, changedUtcMs) };
}

/** Change moments from the error log, as message 5084 tells them. */
function describeServer(server: ModelledServer, recorded: RecordedBlocks, beginUtcMs: number): ComparisonInput {
  const capture = createCapture({ id: 'history' });
  const ids = new Map(listUsers(server).map((row) => [String(row['name']), Number(row['database_id'])]));
  const changes = server.ledger.settingChanges;
  return {
    databases: [...ids].map(([name, id]) => ({
      database: null,
      name,
      changes: changes
        .filter((change) => change.databaseName === name)
        .map(({ atUtcMs, fromSeconds, toSeconds }) => ({ atUtcMs, notBeforeUtcMs: atUtcMs, source: 'error log', fromSeconds, toSeconds })),
      blocks: recorded.databases.get(id) ?? [],
      flushCacheUtcMs: null,
      backups: null,
    })),
    columns: capture.columns,
    observation: { beginUtcMs, endUtcMs: server.clock.nowUtcMs(), gaps: [] },
    instance: recorded.instance,
    breaks: [],
    errorLog: null,
    offsets: [{ fromUtcMs: -Infinity, offsetMinutes: 120 }],
  };
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

  for (const indirectWrites of ['more', 'same', 'less'] as const) {
    it(`cannot tell where the workload changed at the same moment, and indirect checkpoints write ${indirectWrites}`, () => {
      const history = runHistory({ indirectWrites, workloadChange: { afterMs: WEEK_HOURS * HOUR_MS, factor: 1.6 } });
      for (const { change } of listWriting(history)) {
        assert.equal(change.conclusion.kind, 'cannot tell', describeAll(history.comparison));
        assert.match(change.conclusion.because.join(), /workload changed at the same time \(log bytes an hour: 1\.[56]/);
      }
    });
  }

  it('is made of the same blocks as sampling over SQL gives', async () => {
    const options = { scenario: 'io-storm', databases: 3, rate: 0 } as const;
    const sampled = await sampleSimulator(options, undefined, { instanceMs: BLOCK_MS, databasesMs: BLOCK_MS });
    try {
      await sampled.sampleFor(HOUR_MS);
      const twin = createModelledServer(options);
      const ids = listUsers(twin).map((row) => Number(row['database_id']));
      const recorded = startRecording(ids);
      recordHours(twin, 1, recorded, ids);
      const { log } = sampled;
      let written = 0;
      log.databases.forEach(({ databaseId }, index) => {
        const expected = recorded.databases.get(databaseId);
        if (expected === undefined) return;
        for (const figure of ['dataWrittenBytes', 'logWrittenBytes', 'dataWrites', 'writeTransactions'] as const) {
          assert.equal(sumOf(log.databaseBlocks(index), figure), sumOf(expected, figure), `${databaseId} ${figure}`);
        }
        written += sumOf(expected, 'dataWrittenBytes');
      });
      assert.ok(written > 1e9, 'something was written');
      for (const figure of ['checkpointPages', 'backgroundWriterPages', 'lazyWrites', 'writelogWaits'] as const) {
        assert.equal(sumOf(log.instanceBlocks(), figure), sumOf(recorded.instance, figure), figure);
      }
    } finally {
      await sampled.dispose();
    }
  });
});

function sumOf<K extends string>(blocks: readonly { readonly [N in K]: number | null }[], figure: K): number {
  return blocks.reduce((sum, block) => sum + (block[figure] ?? NaN), 0);
}
