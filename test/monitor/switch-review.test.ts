import assert from 'node:assert/strict';
import { DATABASES_A_STEP } from '../../src/core/steps';
import { reviewSwitch, reviewSwitchInSteps } from '../../src/monitor/switch-review';
import { databaseOf, factsOf } from '../core/advice/facts-of';
import { choiceOf } from '../core/script/scripts-of';

describe('A review of thousands of databases', () => {
  const ids = Array.from({ length: 2_000 }, (_, at) => at + 5);
  const facts = factsOf(ids.map((databaseId) => databaseOf({ databaseId, targetSeconds: databaseId % 3 === 0 ? 7 : 0 })));

  it('looks at a few hundred of them in each step, to the same review as at once', () => {
    const looked = new Set<number>();
    const databases = facts.databases.map((database) => ({
      ...database,
      get logReuseWait() {
        looked.add(database.databaseId);
        return database.logReuseWait;
      },
    }));
    const steps = reviewSwitchInSteps(choiceOf(ids), { ...facts, databases }, null, null, {});
    let before = 0;
    let count = 1;
    let step = steps.next();
    for (; step.done !== true; step = steps.next(), count++) {
      assert.ok(looked.size - before <= DATABASES_A_STEP, `${looked.size - before} databases in one step`);
      before = looked.size;
    }
    assert.equal(looked.size, ids.length);
    assert.ok(count >= (5 * ids.length) / DATABASES_A_STEP, `${count} steps`);
    const { plan, ...atOnce } = reviewSwitch(choiceOf(ids), facts, null, null);
    const { plan: planned, ...inSteps } = step.value;
    assert.deepEqual(inSteps, atOnce);
    assert.deepEqual([planned.steps.length, planned.exclusions], [plan.steps.length, plan.exclusions]);
  });
});
