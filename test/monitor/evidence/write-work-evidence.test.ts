import assert from 'node:assert/strict';
import type { Facts } from '../../../src/core/advice/facts';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import type { ServerMoment } from '../../../src/core/write-work/work-readings';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import type { EvidenceSources } from '../../../src/monitor/evidence/evidence-world';
import { joinDatabases } from '../../../src/monitor/evidence/joined-database';
import { NO_REDO } from '../../../src/monitor/evidence/known-of-databases';
import { finishSteps } from '../../../src/core/steps';
import { scopeTask } from '../../../src/monitor/evidence/task-scope';
import { computeWriteWork, listTurns } from '../../../src/monitor/evidence/write-work-evidence';
import { beginSampling, type PartStatus, type Sampled } from '../../../src/monitor/facts/write-work-sampling';
import { everySecond, recordOf } from '../../core/capture/record-of';
import { instanceAt, momentAt } from '../../core/write-work/work-readings-of';
import { databaseOf, factsOf } from '../../core/advice/facts-of';
import { watch } from '../watched-fake';
import { valuesOf } from '../../core/values-of';
import { changedAt, changeOf } from '../../core/task/changed';

const MB = 2 ** 20;
const begin = Math.floor(Date.UTC(2026, 2, 2, 8) / BLOCK_MS) * BLOCK_MS;
/** Weeks before anybody watched checkpoints. */
const earlier = begin - 2_000 * BLOCK_MS;

/** The page of a capture of one hour without checkpoints, over a log that goes back weeks. */
async function compute(
  fill: (log: WriteWorkLog) => void,
  withFacts: (facts: Facts) => Facts = (facts) => facts,
  sampled: Pick<EvidenceSources, 'sampling' | 'isSampling'> = { sampling: null, isSampling: false },
) {
  const { monitor } = await watch();
  assert.ok(monitor.snapshot.facts);
  const facts = withFacts(monitor.snapshot.facts);
  await monitor.dispose();
  const work = new WriteWorkLog();
  const known = facts.databases.map(({ databaseId, createdLocal, name }) => ({
    databaseId,
    createdLocal,
    name,
  }));
  work.restoreLists(known, [], []);
  fill(work);
  const observation = { beginUtcMs: begin, endUtcMs: begin + 4 * BLOCK_MS, gaps: [] };
  const capture = recordOf(everySecond(0), { observation });
  const readings = { backups: null } as unknown as EvidenceSources['readings'];
  const none = {
    trackedDatabaseIds: null,
    changes: [],
    forecast: null,
    result: null,
    since: null,
    instance: null,
    isHeld: false,
  };
  const sources = { facts, capture, ...none, redo: NO_REDO, work, ...sampled, readings };
  const joined = {
    captured: [],
    sampled: known,
    changes: [],
    loggedChanges: null,
    flushCache: null,
    backups: null,
  };
  const databases = joinDatabases(facts, joined);
  const run = computeWriteWork(
    sources,
    databases,
    (utcMs) => utcMs,
    finishSteps(listTurns(sources, databases)),
  );
  for (let steps = 0; ; steps++) {
    const step = run.next();
    if (step.done !== true) continue;
    const { page, logRates } = step.value;
    const { tables, notes } = page;
    const cells = (id: string): string[][] =>
      (tables.find((table) => table.id === id)?.rows ?? []).map((row) => row.cells.map(({ text }) => text));
    return { cells, page, notes, steps, logRates };
  }
}

function addBlock(log: WriteWorkLog, database: number, at: number, bytes: number): void {
  log.databaseBlockTables.add(database, at, at + BLOCK_MS, [bytes, 1, 1, bytes, 1, 1, 1]);
}

const switchedAt = (atUtcMs: number) => changedAt(atUtcMs, { source: 'error log', fromSeconds: null });

describe('What is joined to a database', () => {
  it('is of the one tempdb, also from before a restart, which gives it another create_date; a restored database knows of changes before it', () => {
    const restartUtcMs = begin + 60 * 60_000;
    const of = (databaseId: number, utcMs: number) =>
      databaseOf({ databaseId, createdLocal: new Date(utcMs).toISOString().slice(0, 23) });
    const facts = factsOf([2, 6].map((id) => of(id, restartUtcMs)));
    const [captured, sampled] = [[6, 2].map((id) => of(id, earlier)), [of(2, earlier)]];
    const flushCache = new Map([2, 6].map((id) => [id, [earlier]]));
    const changes = [2, 6].map((databaseId) => ({ databaseId, ...switchedAt(earlier) }));
    const joined = joinDatabases(facts, {
      captured,
      sampled,
      changes,
      loggedChanges: null,
      flushCache,
      backups: null,
    });
    assert.deepEqual(
      valuesOf(joined, 'databaseId', 'captured', 'sampled', 'flushCacheUtcMs', 'hasEarlierChanges'),
      [
        [2, 1, 0, [earlier], false],
        [6, null, null, [], true],
      ],
    );
  });
});

describe('The page of write work', () => {
  it('covers the time of the capture, and not the weeks before that were sampled too', async () => {
    const { cells, logRates } = await compute((log) => {
      for (let i = 0; i < 10; i++) addBlock(log, 0, earlier + i * BLOCK_MS, 1000 * MB);
      addBlock(log, 0, begin, MB);
      log.instanceBlockTables.add(0, earlier, earlier + BLOCK_MS, new Float64Array(7).fill(9_000_000));
      log.instanceBlockTables.add(0, begin, begin + BLOCK_MS, new Float64Array(7).fill(900));
    });
    const [[name, written] = [], ...more] = cells('databases');
    assert.deepEqual([name, written, more], ['Sales', '4.0 MB', []]);
    assert.deepEqual([...logRates.values()], [MB / BLOCK_MS]);
    assert.ok(cells('instance').length > 0);
    for (const [figure, rate] of cells('instance')) assert.equal(Number(rate), 1, figure);
  });

  it('knows nothing of a database that was not sampled then, and calls one silent that wrote log', async () => {
    const { cells, notes } = await compute((log) => {
      addBlock(log, 0, earlier, 1000 * MB);
      addBlock(log, 1, begin + BLOCK_MS, 2 * MB);
    });
    const [[name, written] = [], ...more] = cells('silent');
    assert.deepEqual([name, written, more], ['Stock', '2.0 MB', []]);
    assert.ok(
      notes.some((note) => note.startsWith('2 databases without a checkpoint: log written not known.')),
    );
  });

  it('names the permission without which nothing is sampled, by the release', async () => {
    const firstNote = async (
      productVersion: string,
      viewServerState: boolean,
    ): Promise<string | undefined> => {
      const withFacts = ({ server, ...facts }: Facts): Facts => {
        const permissions = { ...server.permissions, viewServerState, viewPerformanceState: false };
        return { ...facts, server: { ...server, productVersion, permissions } };
      };
      return (await compute(() => undefined, withFacts)).notes[0];
    };
    assert.match(
      (await firstNote('15.0.4322.2', false)) ?? '',
      /not sampled now: it needs VIEW SERVER STATE,/,
    );
    assert.match((await firstNote('16.0.4105.2', false)) ?? '', /it needs VIEW SERVER PERFORMANCE STATE,/);
    assert.doesNotMatch((await firstNote('15.0.4322.2', true)) ?? '', /it takes/);
  });

  describe('without a figure of the instance', () => {
    const unread = { reason: null, readUtcMs: null };
    const statusOf = (instance: Partial<PartStatus>): Sampled => ({
      ...beginSampling({ instanceMs: 15_000, databasesMs: 60_000 }),
      parts: { instance: { ...unread, ...instance }, files: unread, counters: unread },
    });
    type Sample = readonly [atMs: number, changes?: Partial<ServerMoment>];
    const midnight = momentAt(0).nowUtcMs;
    const cases: readonly (readonly [
      cause: string,
      samples: readonly Sample[],
      said: RegExp,
      instance?: Partial<PartStatus> | null,
    ])[] = [
      ['nobody tracks checkpoints', [], /^Not sampled: .* only while checkpoints are tracked\.$/, null],
      ['the server refused', [], /^Not observable: no \(Msg 300\)$/, { reason: 'no (Msg 300)' }],
      ['nothing has been read yet', [], /^Not sampled yet: the first sample is still to come\.$/],
      [
        'there is one sample',
        [[0]],
        /^No value yet: it takes two samples, and the first came at 2026-03-02 00:00:00\.$/,
        { readUtcMs: midnight },
      ],
      [
        "the server's clock runs 60 times as fast",
        [[0], [900_000], [1_800_000]],
        /Samples too far apart \(15 min; limit 3 min\)\.$/,
        { readUtcMs: midnight },
      ],
      [
        'the clock went back',
        [[0], [15_000, { nowUtcMs: midnight - 3_600_000 }]],
        /clock was set back between the last two samples, at 2026-03-02 00:00:00 and 2026-03-01 23:00:00\.$/,
      ],
      ['the clock went forward', [[0], [15_000, { nowUtcMs: midnight + 3_600_000 }]], /set forward/],
      ['the server restarted', [[0], [15_000, { startedTicksMs: 1 }]], /the server restarted/],
      ['another server answers', [[0], [15_000, { serverName: 'B' }]], /another server took its place/],
      ['the samples are of another time', [[0], [15_000]], /^No sample was taken while checkpoints were/],
    ];
    for (const [cause, samples, said, instance = {}] of cases)
      it(`says so if ${cause}`, async () => {
        const fill = (log: WriteWorkLog): void =>
          samples.forEach(([atMs, changes], at) =>
            log.appendInstance({ ...instanceAt(atMs, at), moment: momentAt(atMs, changes) }, 180_000),
          );
        const sampling = instance === null ? null : statusOf(instance);
        const { page } = await compute(fill, undefined, { sampling, isSampling: sampling !== null });
        assert.ok(!page.tables.some(({ id }) => id === 'instance'));
        assert.ok(
          page.notes.some((note) => said.test(note)),
          page.notes.join(' '),
        );
      });
  });

  it('notes that the clock was set back, and has figures of the time since', async () => {
    const { cells, notes } = await compute((log) => {
      for (const [at, atMs] of [0, 15_000, 30_000, 45_000].entries())
        log.appendInstance(
          {
            ...instanceAt(0, at),
            moment: momentAt(atMs, { nowUtcMs: begin + 60_000 * (at < 2 ? 3 : 0) + atMs }),
          },
          180_000,
        );
    });
    assert.ok(cells('instance').length > 0);
    assert.ok(
      notes.some((note) =>
        /^The server's clock was set back\. What was written from .*:30 to .*:15 is counted once/.test(note),
      ),
    );
  });

  it('lets others have the thread between two databases', async () => {
    const { steps } = await compute((log) =>
      [0, 1, 2].forEach((database) => addBlock(log, database, begin, MB)),
    );
    assert.ok(steps >= 6, String(steps));
  });
});

describe('The task of which a busy share is told', () => {
  it('ran the checkpoints of a database until it was switched, if the error log tells when, and we saw from which value', () => {
    const switchedUtcMs = begin + 10 * 60_000;
    const seen = changeOf(5, begin + BLOCK_MS, { notBeforeUtcMs: begin });
    const databases = joinDatabases(
      factsOf([databaseOf({ databaseId: 5, name: 'Sales', targetSeconds: 60 })]),
      {
        captured: [],
        sampled: [],
        changes: [seen],
        loggedChanges: new Map([['Sales', [switchedAt(switchedUtcMs)]]]),
        flushCache: null,
        backups: null,
      },
    );
    const observation = { beginUtcMs: begin, endUtcMs: begin + 4 * BLOCK_MS, gaps: [] };
    const sources = {
      capture: null,
      facts: factsOf([]),
      readings: { backups: null },
    } as unknown as EvidenceSources;
    const { automatic } = scopeTask(sources, databases, observation);
    assert.deepEqual([...(automatic.get(0) ?? [])], [-Infinity, switchedUtcMs]);
  });
});
