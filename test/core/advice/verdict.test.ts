import assert from 'node:assert/strict';
import type { Expectation } from '../../../src/core/advice/policy';
import { observed } from '../../../src/core/advice/facts';
import type { KnownOfDatabase } from '../../../src/core/advice/known-of-database';
import { groups } from '../../../src/core/advice/verdict-names';
import { type Evidence, judgeDatabase } from '../../../src/core/advice/verdict';
import type { LatencyAnswer } from '../../../src/core/write-work/latency-during';
import type { CheckpointStatistics } from '../../../src/core/statistics/statistics';
import { figures } from '../../shell/sample';
import { databaseOf, factsOf, serverOf } from './facts-of';
import { judgeTask, longestRunOf, manyOf, taskOf } from './task-of';

const HOUR_MS = 3_600_000;
const statistics = (more: Partial<CheckpointStatistics> = {}): CheckpointStatistics =>
  figures(0, { maximumMs: 55_000, ...more });
const queue = judgeTask(
  taskOf({ 7: { share: 0.6 }, 8: { share: 0.001, count: 160 }, 9: { share: 0.0001, count: 1, late: 0 } }),
);
const free = judgeTask(taskOf({ 7: { share: 0.05 }, 8: { share: 0.02 } }));
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  statistics: statistics(),
  hasEarlier: false,
  hasBegun: false,
  observedMs: 8 * HOUR_MS,
  tracked: true,
  instance: queue,
  known: null,
  logReuseWait: 'NOTHING',
  mostMbToRedo: null,
  ...more,
});
const judge = (facts: Parameters<typeof databaseOf>[0], seen: Evidence | null) =>
  judgeDatabase(databaseOf(facts), factsOf([]), seen);
/** The verdict on a database with that id, its part and its reason. */
const say = (databaseId: number, seen: Partial<Evidence> = {}): string => {
  const { verdict, part, reason } = judge({ databaseId }, evidence(seen));
  return `${verdict}, ${part}: ${reason}`;
};
const known = (more: Partial<KnownOfDatabase> = {}): KnownOfDatabase => ({
  flushCache: { messages: 0, days: 7 },
  failures: 0,
  slowIos: 0,
  logLatency: null,
  scanMs: null,
  toRedoMb: null,
  ...more,
});
const waits = (duringMs: number, outsideMs: number): LatencyAnswer => {
  const side = (averageMs: number) => ({
    samples: 40,
    operations: 4000,
    averageMs,
    p50Ms: averageMs,
    p95Ms: averageMs,
  });
  const use = { samples: 80, during: 40, outside: 40, mixed: 0, unobserved: 0, idle: 0 };
  return {
    kind: 'answered',
    use,
    sampleMs: 1000,
    during: side(duringMs),
    outside: side(outsideMs),
    duringShare: 0.9,
    marginMs: null,
  };
};

describe('The verdict on a database', () => {
  it('is Switch for one that feeds the queue, and the queue is the reason', () => {
    assert.equal(say(7), 'Switch, feeds: Harmless alone, but it adds to the queue.');
    assert.equal(judge({ databaseId: 7 }, evidence()).group, 'Feeds the queue');
  });

  it('is Watch for one that waits: it is late because of the others', () => {
    assert.equal(say(8), 'Watch, waits: Late because of the others.');
  });

  it('is Leave for a quiet one, and for one without a checkpoint', () => {
    assert.match(say(9), /^Leave, quiet: /);
    assert.match(say(10, { statistics: null }), /^Leave, none seen: No checkpoint in 8 h: nothing to gain/);
  });

  it('is Watch for one whose log waits for a checkpoint that never came, unless nothing at all was recorded', () => {
    const unseen = { statistics: null, logReuseWait: 'CHECKPOINT' };
    const none = /^Watch, held back: .*log_reuse_wait_desc CHECKPOINT\)\. None came in 8 h\.$/;
    assert.match(say(10, unseen), none);
    const blind = { ...queue, blind: 'no checkpoint of any database was recorded' };
    assert.match(say(10, { ...unseen, instance: blind }), /^Cannot tell here, /);
    const partly = { ...queue, blind: 'only 2 of 3', partly: { recorded: 2, of: 3, unread: 0 } };
    assert.match(say(10, { ...unseen, instance: partly }), /^Watch, /);
  });

  it('is Watch for one whose checkpoints fail, measured or not', () => {
    const failed = known({ failures: 3 });
    const young = { observedMs: 300_000, instance: { ...queue, neededMs: 300_000 } };
    for (const seen of [{}, { statistics: null }, { tracked: false }, young]) {
      const { verdict, group, reason } = judge({ databaseId: 9 }, evidence({ known: failed, ...seen }));
      assert.deepEqual([verdict, group], ['Watch', 'Hurts by itself']);
      assert.match(reason, /^The error log has 3 messages of checkpoints that failed or came too late\./);
    }
    for (const targetSeconds of [60, 20])
      assert.equal(judge({ databaseId: 9, targetSeconds }, evidence({ known: failed })).verdict, 'Watch');
  });

  it('never says that no harm was seen beside slow I/O or latch time-outs on its files', () => {
    assert.equal(
      say(9, { known: known({ slowIos: 2 }) }).replace(/^Leave, \w+: /, ''),
      'Its longest checkpoint took 55.0 s. 2 reports of I/O on its files that took longer than 15 seconds (message 833). Look at the storage first.',
    );
    assert.match(
      judge({ databaseId: 9, targetSeconds: 60 }, evidence({ known: known({ latches: 1 }) })).reason,
      /1 time-out of a latch on its pages \(messages 844 to 847\)/,
    );
  });

  it('says of one without a turn in a young queue how long until that means something', () => {
    const task = taskOf(manyOf(280, 20, { share: 0.98 / 280, count: 1 }), { observedMs: 12 * 60_000 });
    const changeable = new Set([10, ...task.databases.keys()]);
    const young = judgeTask(task, { changeable });
    const seen = { statistics: null, instance: young, observedMs: 12 * 60_000 };
    assert.match(say(10, seen), /^Cannot tell here, .*It may still be waiting in the queue/);
    assert.equal(judge({ databaseId: 10 }, evidence(seen)).wouldChange, 'Another 12 min of tracking.');
  });

  it('says of a feeder where backups were not read', () => {
    const instance = judgeTask(taskOf({ 7: { share: 0.6 }, 8: { share: 0.1 } }, { areBackupsKnown: false }));
    const unread = /Backups were not read, so this may include checkpoints that backups caused\.$/;
    assert.match(say(7, { instance }), unread);
  });

  it('is Switch where its log writes wait during its checkpoints, with or without a queue', () => {
    const wait = 'Log writes take 41 ms during its checkpoints, 3 ms otherwise.';
    for (const instance of [queue, free])
      assert.equal(
        say(8, { instance, known: known({ logLatency: waits(41, 3) }) }),
        `Switch, hurts alone: ${wait}`,
      );
    for (const logLatency of [waits(3, 1), waits(21, 15)])
      assert.match(say(8, { instance: free, known: known({ logLatency }) }), /^Leave, /);
  });

  it('cannot tell of a checkpoint that began and whose end was not seen', () => {
    const begun = /^Cannot tell here, .*: Its checkpoint began, but the end was not seen\.$/;
    assert.match(say(8, { instance: free, statistics: null, hasBegun: true }), begun);
  });

  it('says of one that takes more than the bound how much, not that it is late because of the others', () => {
    const task = taskOf({ 7: { share: 0.91, late: 9 }, 8: { share: 0.06 } });
    const most = judgeTask(task, { changeable: new Set([8]) });
    assert.equal(say(7, { instance: most }), 'Watch, feeds: It takes 91 % of the checkpoint task.');
  });

  it('takes a held log for waiting in the queue only where the task is busy over the bound', () => {
    const longestRun = longestRunOf(0, 15);
    const old = judgeTask(taskOf({ 7: { share: 0.02 }, 8: { share: 0.02 } }, { longestRun }));
    assert.equal(old.state, 'queue at times');
    assert.match(say(7, { instance: old, logReuseWait: 'CHECKPOINT' }), /^Watch, /);
  });

  it('says where its log writes wait for the checkpoints of others', () => {
    const beside = (logLatency: LatencyAnswer) =>
      say(8, { instance: free, known: known({ logLatency, neighbourLatency: waits(35, 3) }) });
    const others = /Log writes take 35 ms during checkpoints of other databases, 3 ms otherwise\.$/;
    assert.match(beside(waits(3, 3)), others);
    assert.doesNotMatch(beside(waits(41, 3)), /other databases/);
  });

  it('tells a SIMPLE database with more than two checkpoints in a recovery interval, and tempdb in a busy task, to grow its log', () => {
    const turns = judgeTask(taskOf({ 7: { share: 0.1, count: 4800 }, 8: { share: 0.01 } }));
    const sayOf = (recoveryModel: string, logMb: number): string => {
      const size = { dataMb: 1, logMb, dataVolumes: [], logVolumes: [], dataWriteMs: null };
      const one = databaseOf({ databaseId: 7, recoveryModel });
      const facts = factsOf([one], { files: observed(new Map([[7, size]])) });
      return judgeDatabase(one, facts, evidence({ instance: turns })).reason;
    };
    assert.match(sayOf('SIMPLE', 64), /600 turns an hour with a log of 64 MB: it is too small\. Grow it\.$/);
    for (const other of [sayOf('FULL', 64), sayOf('SIMPLE', 100_000)])
      assert.doesNotMatch(other, /too small/);
    assert.match(
      say(2, { instance: judgeTask(taskOf({ 2: { share: 0.45 }, 8: { share: 0.1 } })) }),
      /It takes 45 % of the checkpoint task: a larger log needs fewer checkpoints\.$/,
    );
  });

  it('takes a long checkpoint alone for no harm: Leave where log writes are known not to wait, Watch where nobody knows', () => {
    const long = { instance: free, statistics: statistics({ maximumMs: 76_000 }) };
    const { verdict, group } = judge({ databaseId: 7 }, evidence(long));
    assert.deepEqual([verdict, group], ['Watch', 'Long checkpoints']);
    const unhurt = /^Leave, .*76\.0 s\. That alone does no harm\. Log writes do not wait\./;
    assert.match(say(7, { ...long, known: known({ logLatency: waits(2, 2) }) }), unhurt);
    const five = factsOf([], { server: serverOf({ recoveryIntervalMinutes: 5 }) });
    const inFive = judgeDatabase(databaseOf({ databaseId: 7 }), five, evidence(long));
    assert.equal(inFive.verdict, 'Leave', 'not long for this interval');
  });

  it('names the scan of memory that message 898 tells of as the cost', () => {
    const scanned = (scanMs: number): string => say(7, { instance: free, known: known({ scanMs }) });
    assert.match(scanned(228_000), /^Switch, .*scanned the buffer pool for 3 min 48 s \(message 898\)/);
    assert.match(scanned(12_000), /^Leave, /);
  });

  it('is Switch for more to redo than the policy allows, and nothing without a bound', () => {
    const much = { instance: free, known: known({ toRedoMb: 900 }) };
    const told = ', much to redo: 900 MB of log to redo after a crash; the policy allows 500 MB.';
    assert.equal(say(7, { ...much, mostMbToRedo: 500 }), `Switch${told}`);
    assert.match(say(7, much), /^Leave, /);
  });

  it('is withheld while little was observed, or the database was not tracked', () => {
    const young = judge({ databaseId: 7 }, evidence({ observedMs: 240_000 }));
    assert.match(young.wouldChange, /^Another 6 min of tracking/);
    for (const seen of [evidence({ tracked: false }), null])
      assert.equal(judge({ databaseId: 7 }, seen).group, 'Automatic, not measured');
  });

  it('is Watch for FlushCache messages about a database that nobody tracked', () => {
    const logged = known({ flushCache: { messages: 12, days: 7 } });
    assert.match(
      say(7, { tracked: false, known: logged }),
      /^Watch, .*: The error log of the last 7 days has 12 FlushCache messages about it\. Not measured yet\.$/,
    );
  });

  it('is Leave for indirect checkpoints, and another value is its own finding', () => {
    const groupOf = (targetSeconds: number) => judge({ databaseId: 7, targetSeconds }, evidence()).group;
    assert.deepEqual([60, 600].map(groupOf), ['Indirect', 'Other value']);
  });

  it('is never Switch where it cannot be changed', () => {
    assert.equal(judge({ databaseId: 7, isReadOnly: true }, evidence()).verdict, 'Cannot tell here');
    assert.match(say(1), /^Leave, /);
  });

  it('cannot be told where automatic checkpoints are off, or may be', () => {
    const off = factsOf([], { server: serverOf({ recoveryIntervalMinutes: 32_767 }) });
    const { reason } = judgeDatabase(databaseOf({ databaseId: 7 }), off, evidence());
    assert.match(reason, /automatic checkpoints are off/);
    const blind = 'trace flag 3505 is on, which is said to turn automatic checkpoints off';
    const instance = judgeTask(queue.task, { changeable: new Set([7]), blind });
    assert.match(
      say(7, { instance }),
      /^Cannot tell here, .*: Cannot tell: trace flag 3505 is on, which is said to turn automatic checkpoints off\.$/,
    );
  });

  it('says what was not looked at, so that nobody takes it for a pass', () => {
    const changeOf = (seen: Partial<Evidence>) => judge({ databaseId: 9 }, evidence(seen)).wouldChange;
    assert.match(changeOf({}), /have not been checked yet\. Open the dashboard/);
    const coarse = { ...waits(1, 1), kind: 'resolution too coarse', neededMs: 900 } as const;
    assert.match(
      changeOf({ known: known({ flushCache: null, logLatency: coarse }) }),
      /The error log could not be read\. Log writes: not known\. Samples of 900 ms or shorter would tell\.$/,
    );
  });

  it('always has a group that the pane knows, a reason and what would change it', () => {
    for (const targetSeconds of [0, 60, 600, null])
      for (const databaseId of [7, 8, 9, 10])
        for (const seen of [
          null,
          evidence(),
          evidence({ instance: free }),
          evidence({ observedMs: 60_000 }),
          evidence({ tracked: false }),
        ]) {
          const { group, reason, wouldChange } = judge({ databaseId, targetSeconds }, seen);
          assert.ok(groups.includes(group));
          for (const sentence of [reason, wouldChange]) assert.match(sentence, /^[A-Z0-9].*\.$/);
        }
  });
});

describe('The verdict under a policy', () => {
  const judgeBy = (
    expectation: Expectation,
    targetSeconds: number,
    seen: Evidence | null = null,
    more = {},
  ) => judgeDatabase(databaseOf({ databaseId: 7, targetSeconds, ...more }), factsOf([]), seen, expectation);
  const sixty = { kind: 'target', targetSeconds: 60 } as const;
  const exception = { kind: 'exception', reason: 'Vendor forbids it', expires: '2026-12-31' } as const;

  it('groups what has the wanted target, automatic checkpoints among it, as the policy wants', () => {
    for (const [expectation, target] of [
      [sixty, 60],
      [{ kind: 'target', targetSeconds: 0 }, 0],
      [{ kind: 'target', targetSeconds: 600 }, 600],
    ] as const) {
      const { group, reason } = judgeBy(expectation, target);
      assert.equal(group, 'As the policy wants');
      assert.match(reason, /It has (60 seconds|600 seconds|automatic checkpoints), as the policy wants\.$/);
    }
  });

  it('shows what has another target apart, whatever its verdict', () => {
    for (const target of [0, 120]) {
      const { group, reason } = judgeBy(sixty, target);
      assert.equal(group, 'Not as the policy wants');
      assert.match(reason, /The policy wants 60 seconds; it has (automatic checkpoints|120 seconds)\.$/);
    }
    assert.equal(judgeBy({ kind: 'target', targetSeconds: 0 }, 60).group, 'Not as the policy wants');
  });

  it('keeps measured harm in sight unless an exception holds', () => {
    assert.equal(judgeBy(sixty, 0, evidence()).group, 'Feeds the queue');
    assert.equal(judgeBy({ kind: 'target', targetSeconds: 0 }, 0, evidence()).group, 'Feeds the queue');
    const excepted = judgeBy(exception, 0, evidence());
    assert.deepEqual([excepted.verdict, excepted.group], ['Leave', 'As the policy wants']);
    assert.match(
      excepted.reason,
      /^The policy leaves it alone until 2026-12-31: Vendor forbids it\. Measured: Harmless alone, but it adds to the queue/,
    );
  });

  it('says of an exception that ran out when, why it was there, and what counts again', () => {
    const expired = {
      kind: 'expired',
      reason: 'Vendor forbids it',
      expires: '2025-12-31',
      targetSeconds: 60,
    } as const;
    const verdict = judgeBy(expired, 0);
    assert.equal(verdict.group, 'Not as the policy wants');
    assert.match(
      verdict.reason,
      /wants 60 seconds; it has automatic checkpoints\. Its exception expired on 2025-12-31: Vendor forbids it\.$/,
    );
    assert.equal(judgeBy(expired, 60).group, 'As the policy wants');
    assert.match(judgeBy({ ...expired, targetSeconds: null }, 0).reason, /names no target for it/);
  });

  it('is not about what cannot be changed here, but says what is wanted of a secondary', () => {
    assert.equal(judgeBy(exception, 0, null, { isReadOnly: true }).group, 'Cannot change here');
    assert.match(
      judgeBy(sixty, 0, null, { isReadOnly: true }).reason,
      /is read-only\. The policy wants 60 seconds; it has automatic checkpoints/,
    );
    assert.equal(
      judgeDatabase(databaseOf({ databaseId: 1 }), factsOf([]), null, sixty).reason,
      'It is a system database.',
    );
  });
});
