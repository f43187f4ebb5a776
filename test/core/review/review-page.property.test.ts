import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planSwitch } from '../finished';
import { createReviewDraft, readReviewDraft, type ReviewDraft } from '../../../src/core/review/review-draft';
import { indexDraft, isTicked, tickDatabase, tickRows } from '../../../src/core/review/review-edits';
import { describeReview, type ReviewPage } from '../../../src/core/review/review-page';
import { databaseOf, factsOf } from '../advice/facts-of';

const databases = fc.uniqueArray(
  fc.record({
    databaseId: fc.integer({ min: 1, max: 40 }),
    name: fc.string({ maxLength: 12 }),
    targetSeconds: fc.constantFrom(0, 0, 60, 90, null),
    isReadOnly: fc.boolean(),
    state: fc.constantFrom('ONLINE', 'ONLINE', 'RESTORING'),
  }),
  { selector: ({ databaseId }) => databaseId, maxLength: 20 },
);
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 45 }), { maxLength: 20 });

/** What the extension answers to a draft. */
function answer(
  facts: ReturnType<typeof factsOf>,
  draft: ReviewDraft,
): { page: ReviewPage; plan: ReturnType<typeof planSwitch> } {
  const plan = planSwitch(readReviewDraft(draft).choice!, facts, () => 'seen');
  const preflight = { server: [], databases: new Map(), unseen: [] };
  const namedIds = new Set(draft.namedIds);
  const unjudged = {
    instance: null,
    verdicts: new Map(),
    forecast: null,
    mediansMs: new Map(),
    previews: [],
    scripts: null,
  };
  return {
    plan,
    page: describeReview({ revision: draft.revision, facts, ...unjudged, namedIds, plan, preflight }),
  };
}

describe('The page of any review', () => {
  it('has every database once, and says of exactly those of the plan that they are in', () => {
    fc.assert(
      fc.property(databases, ids, ids, (given, chosen, named) => {
        const facts = factsOf(given.map((one) => databaseOf(one)));
        const { page, plan } = answer(facts, createReviewDraft([...new Set([...chosen, ...named])], named));
        const inPlan = plan.steps.map(({ database }) => database.databaseId).sort((a, b) => a - b);
        const inRows = page.rows.filter(({ state }) => state === 'in').map(({ databaseId }) => databaseId);
        assert.deepEqual(
          inRows.sort((a, b) => a - b),
          inPlan,
        );
        assert.equal(new Set(page.rows.map(({ databaseId }) => databaseId)).size, page.rows.length);
        const leftOut = page.rows.filter(({ state }) => state === 'left out').length;
        assert.equal(leftOut, plan.exclusions.length);
        for (const row of page.rows)
          assert.ok(row.reason.length > 2 && (row.state === 'in') === (row.wave !== null), row.name);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the promise of every tick: what can be in is in once it is ticked by itself, what cannot stays out, and a set value is never taken with others', () => {
    fc.assert(
      fc.property(databases, ids, (given, chosen) => {
        const facts = factsOf(given.map((one) => databaseOf(one)));
        const draft = createReviewDraft(chosen, []);
        const { page } = answer(facts, draft);
        for (const row of page.rows) {
          const edited = tickDatabase(draft, row.databaseId, true);
          const after = answer(facts, edited).page.rows.find(
            ({ databaseId }) => databaseId === row.databaseId,
          );
          assert.equal(after?.state === 'in', row.canBeIn, row.name);
          assert.equal(
            isTicked(row, indexDraft(edited), page.revision),
            row.canBeIn,
            'as shown before the answer came',
          );
          assert.ok(!isTicked(row, indexDraft(tickDatabase(draft, row.databaseId, false)), page.revision));
          assert.equal(
            isTicked(row, indexDraft(draft), page.revision),
            row.state === 'in',
            'as the plan has it',
          );
        }
        const all = answer(facts, tickRows(draft, page.rows, true)).page;
        for (const row of all.rows) if (row.state === 'in') assert.equal(row.nowSeconds, 0);
      }),
      { numRuns: 60 },
    );
  });
});
