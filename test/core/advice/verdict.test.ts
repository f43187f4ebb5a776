import assert from 'node:assert/strict';
import { type Evidence, groups, judgeDatabase } from '../../../src/core/advice/verdict';
import type { CheckpointStatistics } from '../../../src/core/evidence/statistics';
import { databaseOf, factsOf } from './facts-of';

const statistics = (more: Partial<CheckpointStatistics> = {}): CheckpointStatistics => ({
  database: 0,
  count: 120,
  perHour: 60,
  averageMs: 9_800,
  p50Ms: 7_200,
  p95Ms: 29_500,
  p99Ms: 41_000,
  maximumMs: 55_000,
  totalMs: 1_176_000,
  share: 0.16,
  ...more,
});
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  statistics: statistics(),
  observedMs: 2 * 3_600_000,
  tracked: true,
  taskBusyShare: 0.71,
  ...more,
});
const judge = (facts: Parameters<typeof databaseOf>[0], seen: Evidence | null) => judgeDatabase(databaseOf(facts), factsOf([]), seen);

describe('The verdict on a database', () => {
  it('is Switch where the one checkpoint task is saturated and this database takes a share of it', () => {
    const verdict = judge({ databaseId: 7 }, evidence());
    assert.equal(verdict.verdict, 'Switch');
    assert.equal(verdict.confidence, 'high');
    assert.match(verdict.reason, /busy 71 % of the time, 16 % of the time with this database alone/);
  });

  it('is Switch with low confidence where few checkpoints took much of the time', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ statistics: statistics({ count: 2 }) }));
    assert.deepEqual([verdict.verdict, verdict.confidence], ['Switch', 'low']);
  });

  it('is Watch, not Switch, for a long checkpoint alone: long is not harm', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ taskBusyShare: 0.3, statistics: statistics({ maximumMs: 65_500 }) }));
    assert.equal(verdict.verdict, 'Watch');
    assert.match(verdict.reason, /65\.5 s, outlasted the recovery interval; long alone is not harm/);
  });

  it('is Leave where it was measured and no harm was seen', () => {
    assert.equal(judge({ databaseId: 7 }, evidence({ taskBusyShare: 0.3 })).verdict, 'Leave');
    assert.equal(judge({ databaseId: 7 }, evidence({ statistics: statistics({ share: 0.001 }) })).verdict, 'Leave');
    assert.match(judge({ databaseId: 7 }, evidence({ statistics: null })).reason, /^No checkpoint in 2 h/);
  });

  it('is withheld while little was observed, or the database was not tracked', () => {
    assert.equal(judge({ databaseId: 7 }, evidence({ observedMs: 60_000 })).verdict, 'Cannot tell here');
    assert.equal(judge({ databaseId: 7 }, evidence({ tracked: false })).group, 'Automatic, not measured');
    assert.equal(judge({ databaseId: 7 }, null).group, 'Automatic, not measured');
  });

  it('is Leave for indirect checkpoints, and an unusual value is its own finding', () => {
    assert.equal(judge({ databaseId: 7, targetSeconds: 60 }, evidence()).group, 'Indirect');
    assert.equal(judge({ databaseId: 7, targetSeconds: 600 }, evidence()).group, 'Unusual value');
  });

  it('is never Switch where it cannot be changed', () => {
    assert.equal(judge({ databaseId: 7, isReadOnly: true }, evidence()).verdict, 'Cannot tell here');
    assert.equal(judge({ databaseId: 1 }, evidence()).verdict, 'Leave');
  });

  it('takes the recovery interval that is in use', () => {
    const database = databaseOf({ databaseId: 7 });
    const facts = factsOf([]);
    const longer = { ...facts, server: { ...facts.server, recoveryIntervalMinutes: 5 } };
    const seen = evidence({ taskBusyShare: 0.3, statistics: statistics({ maximumMs: 65_500 }) });
    assert.equal(judgeDatabase(database, longer, seen).verdict, 'Leave');
  });

  it('puts every database into a group that the pane knows', () => {
    for (const targetSeconds of [0, 60, 600, null]) assert.ok(groups.includes(judge({ databaseId: 7, targetSeconds }, evidence()).group));
  });
});
