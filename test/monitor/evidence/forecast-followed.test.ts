import assert from 'node:assert/strict';
import type { KeptForecast } from '../../../src/core/advice/forecast';
import type { LimitLook } from '../../../src/core/advice/limits';
import { CheckpointStore } from '../../../src/core/capture/checkpoint-store';
import { finishSteps } from '../../../src/core/steps';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import type { EvidenceSources } from '../../../src/monitor/evidence/evidence-world';
import { followForecast } from '../../../src/monitor/evidence/forecast-followed';
import { listTurns } from '../../../src/monitor/evidence/write-work-evidence';
import { noTaskGrounds, summarizeCapture } from '../../../src/monitor/facts/judgement';
import { joinDatabases } from '../../../src/monitor/evidence/joined-database';
import { databaseOf, factsOf, serverOf } from '../../core/advice/facts-of';
import { recordOf } from '../../core/capture/record-of';
import { changedAt } from '../../core/task/changed';

const HOUR_MS = 3_600_000;
const begin = Date.UTC(2026, 2, 2, 8);
const madeUtcMs = begin + HOUR_MS;
const [firstUtcMs, secondUtcMs] = [begin + HOUR_MS, begin + 3 * HOUR_MS];

/**
 * Two databases take turns; each is a wave of its own. The error log tells when they were switched, and nobody looked
 * before and after.
 */
function follow(looks: readonly Partial<LimitLook>[] = []) {
  const databases = ['Sales', 'Stock'].map((name, at) =>
    databaseOf({ databaseId: 5 + at, name, targetSeconds: 60 }),
  );
  const facts = factsOf(databases, { server: serverOf({ nowUtcMs: begin + 4 * HOUR_MS }) });
  const store = new CheckpointStore();
  const switchedUtcMs = [firstUtcMs, secondUtcMs];
  for (let at = begin; at < secondUtcMs; at += 30_000)
    for (const database of [0, 1])
      if (at < (switchedUtcMs[database] ?? 0)) store.append(at + 15_000 * database, 15_000, database);
  const waves = [5, 6].map((id) => ({ low: 0, high: 1, databaseIds: [id] }));
  const forecast: KeptForecast = {
    madeUtcMs,
    fromUtcMs: begin,
    toUtcMs: madeUtcMs,
    now: 1,
    bound: 0.3,
    waves,
  };
  const captured = databases.map(({ databaseId, createdLocal, name }) => ({
    databaseId,
    createdLocal,
    name,
  }));
  const observation = { beginUtcMs: begin, endUtcMs: begin + 4 * HOUR_MS, gaps: [] };
  const capture = recordOf(store.columns(), { databases: captured, observation });
  const readings = { backups: null, looks, lookReasons: null } as unknown as EvidenceSources['readings'];
  const sources = {
    facts,
    capture,
    forecast,
    readings,
    work: new WriteWorkLog(),
  } as unknown as EvidenceSources;
  const toldOf = (atUtcMs: number) => changedAt(atUtcMs, { source: 'error log', fromSeconds: null });
  const changes = switchedUtcMs.map((atUtcMs, at) => ({ ...toldOf(atUtcMs), databaseId: 5 + at }));
  const { result } =
    finishSteps(summarizeCapture(capture, facts, { ...noTaskGrounds, changes })) ?? assert.fail();
  const joined = joinDatabases(facts, {
    captured,
    sampled: [],
    changes: [],
    loggedChanges: new Map([
      ['Sales', [toldOf(firstUtcMs)]],
      ['Stock', [toldOf(secondUtcMs)]],
    ]),
    flushCache: null,
    backups: null,
  });
  return finishSteps(
    followForecast({ ...sources, result }, joined, null, finishSteps(listTurns(sources, joined))),
  );
}

describe('The forecast, held against what was seen', () => {
  it('counts what the databases of later waves took until they were switched, though the error log does not say from which value', () => {
    const { seen } = follow();
    const [first, second] = seen?.waves ?? [];
    assert.equal(
      first?.busyShare?.toFixed(2),
      '0.50',
      'Stock still took half of the time after the first wave',
    );
    assert.equal(second?.busyShare, 0);
  });

  it('stops for a log that is full at the last look, not for one that was full once', () => {
    const look = (minutes: number, logUsedShare: number | null) => ({
      atUtcMs: secondUtcMs + minutes * 60_000,
      logUsedShare,
      logUsedBy: 'Stock',
      redoQueueKb: null,
      redoQueueBy: '',
      backoffs: null,
    });
    const stateOf = (looks: readonly Partial<LimitLook>[]) =>
      follow(looks).signs?.find(({ id }) => id === 'log used');
    assert.equal(stateOf([look(5, 0.71)])?.state, 'up');
    const passed = stateOf([look(5, 0.71), look(9, 0.03), look(10, null)]);
    assert.deepEqual([passed?.state, passed?.now], ['clear', 0.03]);
    assert.match(passed?.note ?? '', /Highest since the change: 71 %\./);
  });
});
