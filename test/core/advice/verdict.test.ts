import assert from 'node:assert/strict';
import type { Finding } from '../../../src/core/advice/finding';
import type { Expectation } from '../../../src/core/advice/policy';
import { type Evidence, groups, judgeDatabase, type KnownOfDatabase } from '../../../src/core/advice/verdict';
import type { TaskOfDatabase } from '../../../src/core/advice/task-busy';
import type { LatencyAnswer } from '../../../src/core/evidence/latency-during';
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
const task = (more: Partial<TaskOfDatabase> = {}): TaskOfDatabase => ({
  busyShare: 0.71,
  margin: 0,
  areBackupsKnown: true,
  ownCount: 118,
  ownShare: 0.16,
  heaviest: { name: 'Big', share: 0.4, isOwn: false },
  ...more,
});
const small = task({ ownCount: 110, ownShare: 0.001 });
const idle = task({ busyShare: 0.3 });
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  statistics: statistics(),
  observedMs: 2 * 3_600_000,
  tracked: true,
  task: task(),
  known: null,
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

  it('is Watch with low confidence where few checkpoints took much of the time: few can be chance', () => {
    const few = evidence({ statistics: statistics({ count: 2 }), task: task({ ownCount: 2 }), known: known({ logLatency: waits(18, 2) }) });
    const verdict = judge({ databaseId: 7 }, few);
    assert.deepEqual([verdict.verdict, verdict.confidence], ['Watch', 'low']);
    assert.match(verdict.reason, /16 % with this database, of which it ran 2 checkpoints: too few\./);
  });

  it('is Watch for a small share of a task that another database keeps busy, and names that one', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ task: task({ ownShare: 0.011 }) }));
    assert.equal(verdict.verdict, 'Watch');
    assert.match(verdict.reason, /busy 71 % of the time, only 1\.1 % with this database; most of it is Big \(40 %\)\./);
    assert.match(verdict.wouldChange, /60 % of the time or more, 10 % or more with at least 5 checkpoints of this database/);
  });

  it('is Watch, not Switch, where overlaps leave open which checkpoints the task ran', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ task: task({ margin: 0.2 }) }));
    assert.deepEqual([verdict.verdict, verdict.confidence], ['Watch', 'low']);
    assert.match(verdict.reason, /busy 71 % of the time, give or take 20 %: checkpoints overlapped without a known cause/);
    assert.equal(judge({ databaseId: 7 }, evidence({ task: task({ margin: 0.05 }) })).verdict, 'Switch');
  });

  it('is of low confidence, and says so, where the backups were not read', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ task: task({ areBackupsKnown: false }) }));
    assert.deepEqual([verdict.verdict, verdict.confidence], ['Switch', 'low']);
    assert.match(verdict.reason, /Backups were not read, so that checkpoints opened by backups may be in it\.$/);
  });

  it('is Watch, not Switch, for a long checkpoint alone: long is not harm', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ task: idle, statistics: statistics({ maximumMs: 65_500 }) }));
    assert.equal(verdict.verdict, 'Watch');
    assert.match(verdict.reason, /65\.5 s, outlasted the recovery interval; long alone is not harm/);
  });

  it('is Leave where it was measured and no harm was seen', () => {
    assert.equal(judge({ databaseId: 7 }, evidence({ task: idle })).verdict, 'Leave');
    assert.equal(judge({ databaseId: 7 }, evidence({ statistics: statistics({ share: 0.001 }), task: small })).verdict, 'Leave');
    assert.match(
      judge({ databaseId: 7 }, evidence({ statistics: null, task: task({ ownCount: 0, ownShare: 0 }) })).reason,
      /^No checkpoint in 2 h/,
    );
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
    const seen = evidence({ task: idle, statistics: statistics({ maximumMs: 65_500 }) });
    assert.equal(judgeDatabase(database, longer, seen).verdict, 'Leave');
  });

  it('puts every database into a group that the pane knows', () => {
    for (const targetSeconds of [0, 60, 600, null]) assert.ok(groups.includes(judge({ databaseId: 7, targetSeconds }, evidence()).group));
  });
});

const known = (more: Partial<KnownOfDatabase> = {}): KnownOfDatabase => ({
  flushCache: { messages: 0, days: 7 },
  delay: null,
  logLatency: null,
  ...more,
});
const waits = (duringMs: number, outsideMs: number): LatencyAnswer => {
  const side = (averageMs: number) => ({ samples: 40, operations: 4000, averageMs, p50Ms: averageMs, p95Ms: averageMs });
  return {
    kind: 'answered',
    use: { samples: 80, during: 40, outside: 40, mixed: 0, unobserved: 0, idle: 0 },
    sampleMs: 1000,
    during: side(duringMs),
    outside: side(outsideMs),
    duringShare: 0.9,
  };
};
const late = (lateP95Ms: number): KnownOfDatabase['delay'] => ({
  database: 0,
  checkpoints: 100,
  behindP50Ms: 1000,
  behindP95Ms: lateP95Ms,
  behindMaximumMs: lateP95Ms,
  intervals: 99,
  lateP95Ms,
  lateMaximumMs: lateP95Ms,
});

describe('The verdict, where more than checkpoints is known,', () => {
  const calm = { task: idle };

  it('is Switch where writes to its own log wait with its checkpoints, whatever the task does', () => {
    const verdict = judge({ databaseId: 7 }, evidence({ ...calm, known: known({ logLatency: waits(18, 2) }) }));
    assert.equal(verdict.verdict, 'Switch');
    assert.equal(verdict.reason, 'A write to its log took 18 ms (40 samples) during its checkpoints, 2 ms (40 samples) outside of them.');
    assert.match(verdict.wouldChange, /^Log writes that take as long/);
  });

  it('takes a log write that is hardly longer for no harm', () => {
    for (const answer of [waits(3, 1), waits(21, 15)])
      assert.equal(judge({ databaseId: 7 }, evidence({ ...calm, known: known({ logLatency: answer }) })).verdict, 'Leave');
  });

  it('is Switch for one that others make late on a saturated task, and Watch where the task has time left', () => {
    const few = { statistics: statistics({ share: 0.001 }), task: small };
    const delayed = known({ delay: late(90_000) });
    const verdict = judge({ databaseId: 7 }, evidence({ ...few, known: delayed }));
    assert.equal(verdict.verdict, 'Switch');
    assert.match(verdict.reason, /busy 71 % of the time\. One in twenty of its checkpoints began 90\.0 s or more late/);
    assert.equal(judge({ databaseId: 7 }, evidence({ ...few, ...calm, known: delayed })).verdict, 'Watch');
    assert.equal(judge({ databaseId: 7 }, evidence({ ...few, known: known({ delay: late(30_000) }) })).verdict, 'Leave');
  });

  it('is Watch with low confidence for FlushCache messages about a database that nobody tracked, and none of them says nothing', () => {
    const logged = known({ flushCache: { messages: 12, days: 7 } });
    const verdict = judge({ databaseId: 7 }, evidence({ tracked: false, known: logged }));
    assert.deepEqual([verdict.verdict, verdict.group, verdict.confidence], ['Watch', 'Watch', 'low']);
    assert.match(verdict.reason, /12 FlushCache messages about it in the last 7 days; not measured yet/);
    assert.equal(judge({ databaseId: 7 }, evidence({ tracked: false, known: known() })).group, 'Automatic, not measured');
  });

  it('says what was not looked at, so that nobody takes it for a pass', () => {
    assert.match(judge({ databaseId: 7 }, evidence(calm)).wouldChange, /were not looked at yet: open the evidence/);
    const coarse = { ...waits(1, 1), kind: 'resolution too coarse', neededMs: 900 } as const;
    const unread = known({ flushCache: null, logLatency: coarse });
    const { wouldChange } = judge({ databaseId: 7 }, evidence({ ...calm, known: unread }));
    assert.match(
      wouldChange,
      /The error log could not be read, and whether log writes wait is not known: samples of 900 ms or shorter would tell\.$/,
    );
    assert.doesNotMatch(
      judge({ databaseId: 7 }, evidence({ ...calm, known: known({ logLatency: waits(1, 1) }) })).wouldChange,
      /not known|not looked/,
    );
  });

  it('always says what would change it', () => {
    for (const targetSeconds of [0, 60, 600, null])
      for (const seen of [null, evidence(), evidence(calm), evidence({ observedMs: 60_000 }), evidence({ tracked: false })])
        assert.match(judge({ databaseId: 7, targetSeconds }, seen).wouldChange, /\.$/);
  });
});

describe('The verdict, where something has to be looked at first,', () => {
  const decision: Finding = {
    rule: 'r',
    severity: 'look first',
    sentence: 'The storage is slow.',
    remedy: 'Look at the storage.',
    sources: [],
  };

  it('is Watch instead of Switch, with the measured reason, what to look at and what to do', () => {
    const verdict = judgeDatabase(databaseOf({ databaseId: 7 }), factsOf([]), evidence(), {
      expectation: { kind: 'none' },
      decisions: [decision],
    });
    assert.deepEqual([verdict.verdict, verdict.group, verdict.isHeldBack], ['Watch', 'Watch', true]);
    assert.match(verdict.reason, /busy 71 % .* Look first: The storage is slow\.$/);
    assert.equal(verdict.wouldChange, 'Switch, once this is done: Look at the storage.');
  });

  it('stays what it is where there is nothing to switch', () => {
    const calm = evidence({ task: idle });
    const circumstances = { expectation: { kind: 'none' }, decisions: [decision] } as const;
    assert.deepEqual(judgeDatabase(databaseOf({ databaseId: 7 }), factsOf([]), calm, circumstances), judge({ databaseId: 7 }, calm));
  });
});

describe('The verdict under a policy', () => {
  const judgeBy = (expectation: Expectation, targetSeconds: number, seen: Evidence | null = null, more = {}) =>
    judgeDatabase(databaseOf({ databaseId: 7, targetSeconds, ...more }), factsOf([]), seen, { expectation, decisions: [] });
  const sixty = { kind: 'target', targetSeconds: 60 } as const;
  const exception = { kind: 'exception', reason: 'Vendor forbids it', expires: '2026-12-31' } as const;

  it('groups what has the wanted target, automatic checkpoints among it, as the policy wants', () => {
    for (const [expectation, target] of [
      [sixty, 60],
      [{ kind: 'target', targetSeconds: 0 }, 0],
      [{ kind: 'target', targetSeconds: 600 }, 600],
    ] as const) {
      const verdict = judgeBy(expectation, target);
      assert.equal(verdict.group, 'As the policy wants');
      assert.match(verdict.reason, /The policy wants (60 seconds|600 seconds|automatic checkpoints): so it is\.$/);
    }
  });

  it('shows what has another target apart, whatever its verdict', () => {
    for (const target of [0, 120]) {
      const verdict = judgeBy(sixty, target);
      assert.equal(verdict.group, 'Not as the policy wants');
      assert.match(verdict.reason, /The policy wants 60 seconds; it has (automatic checkpoints|120 seconds)\.$/);
    }
    assert.equal(judgeBy({ kind: 'target', targetSeconds: 0 }, 60).group, 'Not as the policy wants');
  });

  it('keeps measured harm in sight unless an exception holds', () => {
    assert.equal(judgeBy(sixty, 0, evidence()).group, 'Switch');
    assert.equal(judgeBy({ kind: 'target', targetSeconds: 0 }, 0, evidence()).group, 'Switch');
    const excepted = judgeBy(exception, 0, evidence());
    assert.deepEqual([excepted.verdict, excepted.group], ['Leave', 'As the policy wants']);
    assert.match(excepted.reason, /^The policy leaves it alone until 2026-12-31: Vendor forbids it\. Measured: The one task/);
  });

  it('says of an exception that ran out when, why it was there, and what counts again', () => {
    const expired = { kind: 'expired', reason: 'Vendor forbids it', expires: '2025-12-31', targetSeconds: 60 } as const;
    const verdict = judgeBy(expired, 0);
    assert.equal(verdict.group, 'Not as the policy wants');
    assert.match(
      verdict.reason,
      /wants 60 seconds; it has automatic checkpoints\. Its exception ran out on 2025-12-31: Vendor forbids it\.$/,
    );
    assert.equal(judgeBy(expired, 60).group, 'As the policy wants');
    assert.match(judgeBy({ ...expired, targetSeconds: null }, 0).reason, /names no target for it/);
  });

  it('is not about what cannot be changed here, but says what is wanted of a secondary', () => {
    assert.equal(judgeBy(exception, 0, null, { isReadOnly: true }).group, 'Not changeable here');
    assert.match(
      judgeBy(sixty, 0, null, { isReadOnly: true }).reason,
      /is read-only\. The policy wants 60 seconds; it has automatic checkpoints/,
    );
    const master = judgeDatabase(databaseOf({ databaseId: 1 }), factsOf([]), null, { expectation: sixty, decisions: [] });
    assert.equal(master.reason, 'It is a system database.');
  });
});
