import assert from 'node:assert/strict';
import { proposeDatabases } from '../../../src/core/advice/proposal';
import { judgeDatabase, type Verdict } from '../../../src/core/advice/verdict';
import { databaseOf, factsOf } from './facts-of';

const facts = factsOf([
  databaseOf({ databaseId: 1, name: 'master' }),
  databaseOf({ databaseId: 5 }),
  databaseOf({ databaseId: 6 }),
  databaseOf({ databaseId: 7, targetSeconds: 60 }),
  databaseOf({ databaseId: 8, targetSeconds: 120 }),
  databaseOf({ databaseId: 9 }),
]);
const judged = (different: Readonly<Record<number, Partial<Verdict>>> = {}): ReadonlyMap<number, Verdict> =>
  new Map(
    facts.databases.map((one) => [
      one.databaseId,
      { ...judgeDatabase(one, facts, null), ...different[one.databaseId] },
    ]),
  );
const ofServer = { databaseIds: [], group: null };
const propose = (
  target: Parameters<typeof proposeDatabases>[0],
  advised: readonly number[],
  verdicts = judged(),
) => proposeDatabases(target, facts, verdicts, advised);

describe('The databases that a review begins with', () => {
  it('are those that were pointed at, by name, whatever is advised', () => {
    const pointedAt = propose({ databaseIds: [8, 1], group: 'Quiet' }, [5]);
    assert.deepEqual(pointedAt, { databaseIds: [8, 1], namedIds: [8, 1] });
  });

  it('are exactly the advised ones, and none of them by name', () => {
    assert.deepEqual(propose(ofServer, [6, 5]), { databaseIds: [6, 5], namedIds: [] });
  });

  it('are none where nothing is advised: an automatic database alone is no reason', () => {
    assert.deepEqual(propose(ofServer, []).databaseIds, []);
  });

  it('are also those that are not as the policy wants, each once', () => {
    const unwanted = { group: 'Not as the policy wants' } as const;
    assert.deepEqual(propose(ofServer, [5, 6], judged({ 5: unwanted, 8: unwanted })).databaseIds, [5, 6, 8]);
  });

  it('are those of the group that was pointed at, none of them by name', () => {
    const ofGroup = propose({ databaseIds: [], group: 'Other value' }, [5]);
    assert.deepEqual(ofGroup, { databaseIds: [8], namedIds: [] });
  });

  it('are of a group only those that the forecast needs: the others are to be switched if the task is still busy then', () => {
    const feeds = { group: 'Feeds the queue', verdict: 'Switch' } as const;
    const verdicts = judged({ 5: feeds, 6: { ...feeds, isIfNeeded: true }, 9: feeds });
    const ofGroup = propose({ databaseIds: [], group: 'Feeds the queue' }, [5, 9], verdicts);
    assert.deepEqual(ofGroup.databaseIds, [5, 9]);
    assert.deepEqual(propose({ databaseIds: [6], group: null }, [5, 9], verdicts).databaseIds, [6]);
  });
});
