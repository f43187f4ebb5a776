import assert from 'node:assert/strict';
import { proposeDatabases } from '../../../src/core/advice/proposal';
import type { Group, Verdict } from '../../../src/core/advice/verdict';
import { judgeDatabase } from '../../../src/core/advice/verdict';
import { databaseOf, factsOf } from './facts-of';

const facts = factsOf([
  databaseOf({ databaseId: 1, name: 'master' }),
  databaseOf({ databaseId: 3, name: 'model', targetSeconds: 60 }),
  databaseOf({ databaseId: 5 }),
  databaseOf({ databaseId: 6 }),
  databaseOf({ databaseId: 7, targetSeconds: 60 }),
  databaseOf({ databaseId: 8, targetSeconds: 120 }),
  databaseOf({ databaseId: 9, isReadOnly: true }),
  databaseOf({ databaseId: 10, targetSeconds: null }),
]);
const judged = (harmful: readonly number[]): ReadonlyMap<number, Verdict> =>
  new Map(
    facts.databases.map((database) => {
      const verdict = judgeDatabase(database, facts, null);
      return [database.databaseId, harmful.includes(database.databaseId) ? { ...verdict, verdict: 'Switch', group: 'Switch' } : verdict];
    }),
  );
const ofServer = { databaseIds: [], group: null };

describe('The databases that a review begins with', () => {
  it('are those that were pointed at, by name', () => {
    assert.deepEqual(proposeDatabases({ databaseIds: [8, 1], group: 'Switch' }, facts, judged([5])), {
      databaseIds: [8, 1],
      namedIds: [8, 1],
    });
  });

  it('are all automatic ones where no harm was measured, and what a plain "<> 60" would change besides, so that it is said why we do not', () => {
    assert.deepEqual(proposeDatabases(ofServer, facts, judged([])), { databaseIds: [1, 5, 6, 8, 9, 10], namedIds: [] });
  });

  it('are only those judged Switch where there are some, with the same others', () => {
    assert.deepEqual(proposeDatabases(ofServer, facts, judged([6])).databaseIds, [1, 6, 8, 9, 10]);
  });

  it('are also those with measured harm where something is to be looked at first: the review says what', () => {
    const held = new Map(
      [...judged([])].map(([id, verdict]): [number, Verdict] => [id, id === 6 ? { ...verdict, isHeldBack: true } : verdict]),
    );
    assert.deepEqual(proposeDatabases(ofServer, facts, held).databaseIds, [1, 6, 8, 9, 10]);
  });

  it('are with a policy also those that it wants changed, and those that it excepts, so that it is said why they stay', () => {
    const place = (databaseId: number, group: Group): ReadonlyMap<number, Verdict> =>
      new Map([...judged([])].map(([id, verdict]) => [id, id === databaseId ? { ...verdict, group } : verdict]));
    assert.deepEqual(proposeDatabases(ofServer, facts, place(5, 'Not as the policy wants')).databaseIds, [1, 5, 8, 9, 10]);
    const both = new Map([...place(5, 'As the policy wants'), [6, judged([6]).get(6)!]]);
    assert.deepEqual(proposeDatabases(ofServer, facts, both).databaseIds, [1, 5, 6, 8, 9, 10]);
  });

  it('are those of the group that was pointed at, none of them by name', () => {
    const ofGroup = proposeDatabases({ databaseIds: [], group: 'Unusual value' }, facts, judged([5]));
    assert.deepEqual(ofGroup, { databaseIds: [8], namedIds: [] });
  });
});
