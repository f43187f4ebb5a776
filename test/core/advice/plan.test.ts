import assert from 'node:assert/strict';
import { checkTargetSeconds, planSwitch } from '../../../src/core/advice/plan';
import { choiceOf } from '../script/scripts-of';
import { databaseOf, factsOf } from './facts-of';

const facts = factsOf([
  databaseOf({ databaseId: 5 }),
  databaseOf({ databaseId: 6, targetSeconds: 600 }),
  databaseOf({ databaseId: 7, targetSeconds: 60 }),
  databaseOf({ databaseId: 8, isReadOnly: true }),
  databaseOf({ databaseId: 1, name: 'master' }),
]);
const plan = (databaseIds: number[], byName = false) =>
  planSwitch(choiceOf(databaseIds, byName), facts, (database) => `seen ${database.name}`);

describe('A plan', () => {
  it('takes what can be switched, once, in the order chosen, with its evidence', () => {
    const { steps, exclusions } = planSwitch(choiceOf([6, 5, 6], true), facts, () => 'why');
    assert.deepEqual(
      steps.map((step) => [step.database.databaseId, step.fromSeconds, step.toSeconds, step.evidence]),
      [
        [6, 600, 60, 'why'],
        [5, 0, 60, 'why'],
      ],
    );
    assert.deepEqual(exclusions, []);
  });

  it('overwrites a value above 0 only where the user chose the database by name', () => {
    assert.match(plan([6]).exclusions[0]?.reason ?? '', /600 seconds already; choose it by name/);
    assert.equal(plan([6], true).steps.length, 1);
    const named = planSwitch(choiceOf([6, 5], false, { namedIds: new Set([6]) }), facts, () => '');
    const other = planSwitch(choiceOf([6, 5], false, { namedIds: new Set([5]) }), facts, () => '');
    assert.deepEqual([named.steps.length, other.steps.length], [2, 1], 'of several, exactly the one that was pointed at');
  });

  it('says of each one left out why', () => {
    const { steps, exclusions } = plan([5, 7, 8, 1, 99]);
    assert.deepEqual(
      steps.map((step) => step.database.databaseId),
      [5],
    );
    assert.deepEqual(
      exclusions.map(({ name, reason }) => ({ name, reason })),
      [
        { name: 'db7', reason: 'already has 60 seconds' },
        { name: 'db8', reason: 'is read-only' },
        { name: 'master', reason: 'is a system database' },
        { name: 'database_id 99', reason: 'is not on this server any more' },
      ],
    );
  });

  it('takes a target recovery time of 1 to 3600 whole seconds', () => {
    for (const seconds of [1, 60, 3600]) assert.equal(checkTargetSeconds(seconds), null);
    for (const seconds of [0, -1, 1.5, NaN, 3601]) assert.match(checkTargetSeconds(seconds) ?? '', /target recovery time/);
  });
});
