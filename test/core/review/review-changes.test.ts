import assert from 'node:assert/strict';
import { type DatabaseFacts, type Facts, observed } from '../../../src/core/advice/facts';
import { describeReviewChanges, type PlanOfFacts } from '../../../src/core/review/review-changes';
import { databaseOf, factsOf } from '../advice/facts-of';
import { planSwitch } from '../finished';
import { choiceOf } from '../script/scripts-of';

const ids = [5, 6, 7, 8, 9];
const plan = (facts: Facts): PlanOfFacts => ({
  facts,
  plan: planSwitch(choiceOf(ids), facts, () => `measured ${Math.random()}`),
});
const base = ids.map((databaseId) => databaseOf({ databaseId }));
const change = (databaseId: number, part: Partial<DatabaseFacts>): readonly DatabaseFacts[] =>
  base.map((one) => (one.databaseId === databaseId ? { ...one, ...part } : one));
const describeChange = (
  now: readonly DatabaseFacts[],
  before: readonly DatabaseFacts[] = base,
): string | null => describeReviewChanges(plan(factsOf(before)), plan(factsOf(now)));

describe('What changed on the server since a plan was seen', () => {
  it('is nothing where only time has passed and something was measured again', () => {
    assert.equal(describeChange(base), null);
    assert.equal(describeChange(change(5, { logReuseWait: 'CHECKPOINT' })), null);
  });

  it('is said of each database by its name', () => {
    assert.equal(describeChange(base.slice(1)), 'db5: It is no longer on this server.');
    assert.equal(describeChange(change(6, { targetSeconds: 60 })), 'db6: It already has 60 seconds.');
    assert.equal(describeChange(change(7, { isReadOnly: true })), 'db7: It is read-only.');
    assert.equal(describeChange(change(8, { name: 'db8_old' })), 'db8 is called db8_old now.');
    assert.equal(
      describeChange(change(9, { createdLocal: '2026-03-02T09:00:00.000' })),
      'db9 was dropped, and another database has its id.',
    );
    assert.equal(describeChange(base, change(5, { state: 'RESTORING' })), 'db5 can be changed here now.');
  });

  it('is a role that another replica has now', () => {
    const grouped = change(5, { inAvailabilityGroup: true });
    const role = (name: string): Facts => {
      const one = {
        databaseId: 5,
        role: name,
        groupName: 'ag',
        primaryReplica: name === 'PRIMARY' ? 'SQL07' : 'NODE2',
      };
      return { ...factsOf(grouped), roles: observed(new Map([[5, one]])) } as Facts;
    };
    assert.match(
      describeReviewChanges(plan(role('PRIMARY')), plan(role('SECONDARY'))) ?? '',
      /^db5: It is a secondary replica here\./,
    );
    assert.equal(
      describeReviewChanges(plan(role('SECONDARY')), plan(role('PRIMARY'))),
      'db5 can be changed here now.',
    );
  });

  it('names three, and counts the others', () => {
    const all = base.map((one) => ({ ...one, targetSeconds: 60 }));
    assert.equal(
      describeChange(all),
      'db5: It already has 60 seconds. db6: It already has 60 seconds. db7: It already has 60 seconds. 2 more changes.',
    );
  });

  it('is another server, before anything else', () => {
    const facts = factsOf(base);
    const other = { ...facts, server: { ...facts.server, serverName: 'NODE2' } };
    assert.equal(
      describeReviewChanges(plan(facts), plan(other)),
      `Another server answers: NODE2, not ${facts.server.serverName}.`,
    );
  });
});
