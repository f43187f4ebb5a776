import assert from 'node:assert/strict';
import type { InstanceVerdict } from '../../src/core/advice/instance';
import { finishSteps, DATABASES_A_STEP } from '../../src/core/steps';
import { reviewSwitch } from '../../src/monitor/switch-review';
import { databaseOf, factsOf } from '../core/advice/facts-of';
import { taskOf } from '../core/advice/task-of';
import { changeOf, choiceOf, rollbackOf } from '../core/script/scripts-of';
import { unseenInstance } from '../shell/sample';

describe('A review of thousands of databases', () => {
  const ids = Array.from({ length: 2_000 }, (_, at) => at + 5);
  const facts = factsOf(
    ids.map((databaseId) => databaseOf({ databaseId, targetSeconds: databaseId % 3 === 0 ? 7 : 0 })),
  );

  it('looks at a few hundred of them in each step, with the same result as in one go', () => {
    const looked = new Set<number>();
    const databases = facts.databases.map((database) => ({
      ...database,
      get logReuseWait() {
        looked.add(database.databaseId);
        return database.logReuseWait;
      },
    }));
    const steps = reviewSwitch(choiceOf(ids), { ...facts, databases }, null, null, {});
    let before = 0;
    let count = 1;
    let step = steps.next();
    for (; step.done !== true; step = steps.next(), count++) {
      assert.ok(looked.size - before <= DATABASES_A_STEP, `${looked.size - before} databases in one step`);
      before = looked.size;
    }
    assert.equal(looked.size, ids.length);
    assert.ok(count >= (5 * ids.length) / DATABASES_A_STEP, `${count} steps`);
    const { plan, ...atOnce } = finishSteps(reviewSwitch(choiceOf(ids), facts, null, null));
    const { plan: planned, ...inSteps } = step.value;
    assert.deepEqual(inSteps, atOnce);
    assert.deepEqual([planned.steps.length, planned.exclusions], [plan.steps.length, plan.exclusions]);
  });
});

describe('The forecast of a review', () => {
  const ids = [5, 6];
  const facts = factsOf(ids.map((databaseId) => databaseOf({ databaseId })));
  const own = { count: 240, share: 0.45, mostShare: 0.6, variance: 0, late: 0 };
  const task = taskOf({ 5: own, 6: own }, { longestMs: 90_000 });
  const { observedMs } = task;
  const instance: InstanceVerdict = {
    ...unseenInstance,
    automatic: 2,
    databases: 2,
    state: 'saturated',
    neededMs: 0,
    observedMs,
    task,
  };
  const forecast = (databaseIds: readonly number[], targetSeconds = 60, of = instance) =>
    finishSteps(
      reviewSwitch(choiceOf(databaseIds, true, { targetSeconds, reason: 'r' }), facts, null, null, {
        instance: of,
      }),
    ).forecast;

  it('is of the databases that are ticked, not of those that are advised', () => {
    assert.deepEqual(forecast([5])?.waves, [{ wave: 1, databases: 1, low: 0.45 * 0.97, high: 0.6 * 1.03 }]);
    assert.deepEqual(forecast(ids)?.waves, [{ wave: 1, databases: 2, low: 0, high: 0 }]);
  });

  it('is that of the dashboard, under the same number, if the review opened with the wave that is to be run next', () => {
    const next = { wave: 3, databaseIds: [5] };
    const ran = 2;
    assert.deepEqual(forecast([5], 60, { ...instance, next, ran })?.waves, [
      { wave: 3, databases: 1, low: 0.45 * 0.97, high: 0.6 * 1.03 },
    ]);
    assert.equal(forecast(ids, 60, { ...instance, next, ran })?.waves[0]?.wave, 3, 'one more is ticked');
    assert.equal(
      forecast([6], 60, { ...instance, next, ran })?.waves[0]?.wave,
      3,
      'another database is ticked',
    );
  });

  it('is missing if too little was seen, or if databases go back to automatic checkpoints, because they join the task again', () => {
    assert.equal(forecast(ids, 60, { ...instance, neededMs: 1 }), null);
    assert.equal(forecast(ids, 0), null);
  });

  it('is missing where a part of the databases is recorded, and the script is on hold while a limit is exceeded, but not its rollback', () => {
    assert.equal(forecast(ids, 60, { ...instance, partly: { recorded: 2, of: 300, unread: 0 } }), null);
    const limit = {
      id: 'pages',
      brief: '',
      text: 'pages written per MB of log 816, limit 740',
      isUp: true,
    } as const;
    const held = { ...instance, objection: { kind: 'stop', limit } } as const;
    const review = (seconds: number) =>
      finishSteps(
        reviewSwitch(choiceOf(ids, true, { targetSeconds: seconds, reason: 'r' }), facts, null, null, {
          instance: held,
        }),
      );
    const { preflight, scripts } = review(60);
    assert.deepEqual(
      preflight.server.filter(({ severity }) => severity === 'blocks').map(({ sentence }) => sentence),
      ['On hold: pages written per MB of log 816, limit 740.'],
    );
    assert.match(changeOf(scripts), /DECLARE @anyway bit = 0;\nIF @anyway = 0/);
    assert.doesNotMatch(rollbackOf(scripts), /@anyway/);
    assert.ok(!review(0).preflight.server.some(({ severity }) => severity === 'blocks'));
  });

  it('stands in the change record', () => {
    const { scripts } = finishSteps(reviewSwitch(choiceOf(ids), facts, null, null, { instance }));
    assert.match(scripts?.record ?? '', /busy 90 % of the time[\s\S]*\| 1 \| 2 \| 0 % \|/);
  });
});
