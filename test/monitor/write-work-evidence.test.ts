import assert from 'node:assert/strict';
import type { Facts } from '../../src/core/advice/facts';
import type { CaptureRecord } from '../../src/core/capture/capture-record';
import { CheckpointStore } from '../../src/core/capture/checkpoint-store';
import { BLOCK_MS } from '../../src/core/evidence/block';
import { WriteWorkLog } from '../../src/core/evidence/write-work-log';
import type { EvidencePage } from '../../src/core/picture/evidence-page';
import type { EvidenceSources } from '../../src/monitor/evidence/evidence-pages';
import { joinDatabases } from '../../src/monitor/evidence/joined-database';
import { computeWriteWork } from '../../src/monitor/evidence/write-work-evidence';
import { watch } from './watched-fake';

const MB = 2 ** 20;
const begin = Math.floor(Date.UTC(2026, 2, 2, 8) / BLOCK_MS) * BLOCK_MS;
/** Weeks before anybody watched checkpoints. */
const earlier = begin - 2_000 * BLOCK_MS;

/** The page of a capture of one hour without checkpoints, over a log that goes back weeks. */
async function compute(
  fill: (log: WriteWorkLog) => void,
  withFacts: (facts: Facts) => Facts = (facts) => facts,
): Promise<{ cells: (id: string) => string[][]; page: EvidencePage; notes: readonly string[]; steps: number }> {
  const { monitor } = await watch();
  assert.ok(monitor.snapshot.facts);
  const facts = withFacts(monitor.snapshot.facts);
  await monitor.dispose();
  const work = new WriteWorkLog();
  const sampled = facts.databases.map(({ databaseId, createdLocal, name }) => ({ databaseId, createdLocal, name }));
  work.restoreLists(sampled, [], []);
  fill(work);
  const observation = { beginUtcMs: begin, endUtcMs: begin + 4 * BLOCK_MS, gaps: [] };
  const capture = { databases: [], columns: new CheckpointStore().columns(), observation, unpaired: () => [] } as unknown as CaptureRecord;
  const readings = { backups: null } as unknown as EvidenceSources['readings'];
  const sources = { facts, capture, trackedDatabaseIds: null, changes: [], work, sampling: null, readings };
  const known = { captured: [], sampled, changes: [], loggedChanges: null, flushCache: null, backups: null };
  const run = computeWriteWork(sources, joinDatabases(facts, known), (utcMs) => utcMs);
  for (let steps = 0; ; steps++) {
    const step = run.next();
    if (step.done !== true) continue;
    const { page } = step.value;
    const { tables, notes } = page;
    const cells = (id: string): string[][] =>
      (tables.find((table) => table.id === id)?.rows ?? []).map((row) => row.cells.map(({ text }) => text));
    return { cells, page, notes, steps };
  }
}

function addBlock(log: WriteWorkLog, database: number, at: number, bytes: number): void {
  log.databaseBlockTables.add(database, at, at + BLOCK_MS, [bytes, 1, 1, bytes, 1, 1, 1]);
}

describe('The page of write work', () => {
  it('is of the time in which checkpoints were watched, not of the weeks before that were sampled too', async () => {
    const { cells } = await compute((log) => {
      for (let i = 0; i < 10; i++) addBlock(log, 0, earlier + i * BLOCK_MS, 1000 * MB);
      addBlock(log, 0, begin, MB);
      log.instanceBlockTables.add(0, earlier, earlier + BLOCK_MS, new Float64Array(7).fill(9_000_000));
      log.instanceBlockTables.add(0, begin, begin + BLOCK_MS, new Float64Array(7).fill(900));
    });
    assert.deepEqual(
      cells('databases').map(([name, written]) => [name, written]),
      [['Sales', '4.0 MB']],
    );
    assert.ok(cells('instance').length > 0);
    for (const [name, rate] of cells('instance')) assert.equal(Number(rate), 1, name);
  });

  it('takes a database that was not sampled meanwhile for one of which nothing is known, and one that wrote log for silent', async () => {
    const { cells, notes } = await compute((log) => {
      addBlock(log, 0, earlier, 1000 * MB);
      addBlock(log, 1, begin + BLOCK_MS, 2 * MB);
    });
    assert.deepEqual(
      cells('silent').map(([name, written]) => [name, written]),
      [['Stock', '2.0 MB']],
    );
    assert.ok(notes.some((note) => note.startsWith('Of 2 databases without a checkpoint it is not known whether they wrote log.')));
  });

  it('names the permission without which nothing is sampled, by the release', async () => {
    const firstNote = async (productVersion: string, viewServerState: boolean): Promise<string | undefined> => {
      const withFacts = ({ server, ...facts }: Facts): Facts => {
        const permissions = { ...server.permissions, viewServerState, viewPerformanceState: false };
        return { ...facts, server: { ...server, productVersion, permissions } };
      };
      return (await compute(() => undefined, withFacts)).notes[0];
    };
    assert.match((await firstNote('15.0.4322.2', false)) ?? '', /not sampled now: it takes VIEW SERVER STATE,/);
    assert.match((await firstNote('16.0.4105.2', false)) ?? '', /it takes VIEW SERVER PERFORMANCE STATE,/);
    assert.doesNotMatch((await firstNote('15.0.4322.2', true)) ?? '', /it takes/);
  });

  it('lets others have the thread between two databases', async () => {
    const { steps } = await compute((log) => [0, 1, 2].forEach((database) => addBlock(log, database, begin, MB)));
    assert.ok(steps >= 6, String(steps));
  });
});
