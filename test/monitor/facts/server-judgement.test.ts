import assert from 'node:assert/strict';
import { observed } from '../../../src/core/advice/facts';
import { noPolicy, type PolicyInForce } from '../../../src/core/advice/policy';
import { finishSteps, ROWS_A_STEP } from '../../../src/core/steps';
import { ServerJudgement } from '../../../src/monitor/facts/server-judgement';
import { databaseOf, factsOf, serverOf } from '../../core/advice/facts-of';
import { everySecond, recordOf } from '../../core/capture/record-of';

const facts = factsOf(
  [databaseOf({ databaseId: 1, name: 'master' }), databaseOf({ databaseId: 7, name: 'Shop' })],
  {
    server: serverOf({ modelTargetSeconds: 60, recoveryIntervalMinutes: 32_767 }),
    startup: observed({ checkpointMbPerSecond: null }),
  },
);
const exempted: PolicyInForce = {
  policy: {
    targets: [{ server: null, database: '*', targetSeconds: 60 }],
    exceptions: [{ server: 'LEGACY-SQL07', database: 'shop', reason: 'Vendor', expires: null }],
  },
  problems: ['Policy a: targets[1]: is wrong.'],
};

const judge = (judgement: ServerJudgement, of = facts): void =>
  finishSteps(judgement.judge({ facts: of, tracked: null, known: null }));

describe('The judgement of a server', () => {
  it('follows a policy that changes, and says what of it could not be read', () => {
    let policy = noPolicy;
    const judgement = new ServerJudgement(() => policy);
    const group = (): string | undefined => judgement.verdicts.get(7)?.group;
    judge(judgement);
    assert.equal(group(), 'Automatic, not measured');
    policy = exempted;
    judge(judgement);
    assert.equal(group(), 'As the policy wants');
    assert.equal(judgement.verdicts.get(1)?.group, 'Cannot change here');
    assert.ok(judgement.preflight.unseen.includes('Policy a: targets[1]: is wrong.'));
    policy = { ...exempted, policy: { ...exempted.policy, exceptions: [] } };
    judge(judgement);
    assert.equal(group(), 'Not as the policy wants');
  });

  it('checks the same facts once, and other facts again', () => {
    const judgement = new ServerJudgement(() => noPolicy);
    judge(judgement);
    const { preflight } = judgement;
    assert.deepEqual([preflight.server.length, preflight.server[0]?.rule], [1, 'recovery-interval-32767']);
    finishSteps(judgement.judge({ facts, tracked: null, known: new Map() }));
    assert.equal(judgement.preflight, preflight);
    judge(judgement, { ...facts });
    assert.notEqual(judgement.preflight, preflight);
  });

  it('changes nothing before its last step, and nothing at all if it began again meanwhile', () => {
    let policy = noPolicy;
    const judgement = new ServerJudgement(() => policy);
    const databases = Array.from({ length: 1000 }, (_, at) => databaseOf({ databaseId: at + 5 }));
    const many = { facts: factsOf(databases), tracked: null, known: null };
    const slow = judgement.judge(many);
    assert.equal(slow.next().done, false);
    assert.equal(judgement.verdicts.size, 0);
    policy = exempted;
    finishSteps(judgement.judge(many));
    finishSteps(slow);
    assert.equal(judgement.verdicts.get(5)?.group, 'Not as the policy wants');
    assert.equal(judgement.verdicts.size, 1000);
  });

  it('sums up a million checkpoints in steps, while each redraw shows the old figures', () => {
    const databases = [{ databaseId: 7, createdLocal: null, name: 'Shop' }];
    const captureOf = (rows: number) =>
      recordOf(everySecond(rows), {
        databases,
        observation: { beginUtcMs: 0, endUtcMs: rows * 1_000, gaps: [] },
        slice: () => assert.fail('nothing is sent'),
      });
    const judgement = new ServerJudgement(() => noPolicy);
    judgement.summarize(captureOf(10), facts);
    judge(judgement);
    const [before, rows] = [judgement.statistics, 1_000_000];
    assert.equal(before.get(7)?.count, 10);
    assert.deepEqual(
      [judgement.hasGrown(10), judgement.hasGrown(11)],
      [false, true],
      'by more than a twentieth',
    );
    judgement.summarize(captureOf(rows), facts);
    const steps = judgement.judge({ facts, tracked: null, known: null });
    let count = 0;
    for (; steps.next().done !== true; count++) assert.equal(judgement.statistics, before);
    assert.equal(judgement.statistics.get(7)?.count, rows);
    assert.ok(count > (2 * rows) / ROWS_A_STEP, `${count} steps`);
  });

  it('holds on to no queue that the first part of the stored events alone had', () => {
    const both = factsOf([
      databaseOf({ databaseId: 7, name: 'Shop' }),
      databaseOf({ databaseId: 8, name: 'Bank' }),
    ]);
    const databases = both.databases.map(({ databaseId, name }) => ({
      databaseId,
      createdLocal: null,
      name,
    }));
    // 40 % of the first quarter of an hour, 24 % of the rest, and 28 % of the hour.
    const captureOf = (seconds: number) =>
      recordOf(
        {
          ...everySecond(seconds, 0, 2),
          durationMs: Uint32Array.from({ length: seconds }, (_, at) => (at < 900 ? 400 : 240)),
        },
        { databases, observation: { beginUtcMs: 0, endUtcMs: seconds * 1_000, gaps: [] } },
      );
    const judgement = new ServerJudgement(() => noPolicy);
    for (const seconds of [900, 3_600]) {
      judgement.summarize(captureOf(seconds), both, seconds === 3_600);
      judge(judgement, both);
    }
    assert.equal(judgement.instance?.state, 'mostly free');
  });

  it('takes fewer databases in a step the longer the policy is', () => {
    const databases = Array.from({ length: 500 }, (_, at) => databaseOf({ databaseId: at + 5 }));
    const countSteps = (entries: number): number => {
      const exceptions = Array.from({ length: entries }, (_, at) => ({
        server: null,
        database: `*x${at}*`,
        reason: 'r',
        expires: null,
      }));
      const judgement = new ServerJudgement(() => ({ policy: { targets: [], exceptions }, problems: [] }));
      const steps = judgement.judge({ facts: factsOf(databases), tracked: null, known: null });
      let count = 0;
      while (steps.next().done !== true) count++;
      return count;
    };
    assert.ok(countSteps(0) < 16);
    assert.ok(countSteps(5000) > 45);
  });
});
