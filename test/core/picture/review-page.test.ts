import assert from 'node:assert/strict';
import type { Finding, Preflight } from '../../../src/core/advice/finding';
import { planSwitch } from '../../../src/core/advice/plan';
import { judgeDatabase } from '../../../src/core/advice/verdict';
import { createReviewDraft, readReviewDraft, type ReviewDraft } from '../../../src/core/picture/review-draft';
import { changeText, indexDraft, isTicked, moveDatabase, tickDatabase, tickRows } from '../../../src/core/picture/review-edits';
import { describeReview, describeWaves, type ReviewPage, type ReviewRow } from '../../../src/core/picture/review-page';
import { selectReviewRows, type ReviewView } from '../../../src/core/picture/review-rows';
import { writeReviewSentence } from '../../../src/core/picture/review-sentence';
import { databaseOf, factsOf } from '../advice/facts-of';

const facts = factsOf([
  databaseOf({ databaseId: 1, name: 'master' }),
  databaseOf({ databaseId: 5, name: 'five' }),
  databaseOf({ databaseId: 6, name: 'six' }),
  databaseOf({ databaseId: 7, name: 'seven', targetSeconds: 60 }),
  databaseOf({ databaseId: 8, name: 'eight', targetSeconds: 120 }),
  databaseOf({ databaseId: 9, name: 'nine' }),
]);
const verdicts = new Map(facts.databases.map((one) => [one.databaseId, judgeDatabase(one, facts, null)]));
const nothing: Preflight = { server: [], databases: new Map(), unseen: [] };

function review(draft: ReviewDraft, preflight: Preflight = nothing): ReviewPage {
  const { choice } = readReviewDraft(draft);
  const plan = planSwitch(choice!, facts, () => 'no checkpoint measured');
  const namedIds = new Set(draft.namedIds);
  return describeReview({ revision: draft.revision, facts, verdicts, namedIds, plan, preflight, scripts: null });
}

const rowOf = (page: ReviewPage, databaseId: number): ReviewRow => page.rows.find((row) => row.databaseId === databaseId)!;
const draft = createReviewDraft([1, 5, 6, 8], []);

describe('The page of a review', () => {
  it('says of every database what becomes of it, and why', () => {
    const page = review(draft);
    assert.deepEqual(
      page.rows.map(({ name, state, canBeIn, wave }) => [name, state, canBeIn, wave]),
      [
        ['master', 'left out', false, null],
        ['five', 'in', true, 1],
        ['six', 'in', true, 1],
        ['seven', 'has it already', false, null],
        ['eight', 'left out', true, null],
        ['nine', 'not chosen', true, null],
      ],
    );
    assert.equal(rowOf(page, 1).reason, 'It is a system database.');
    assert.equal(rowOf(page, 5).reason, 'No checkpoint measured.');
    assert.equal(rowOf(page, 7).reason, 'It already has 60 seconds.');
    assert.match(rowOf(page, 8).reason, /^It has 120 seconds already; choose it by name to overwrite it\.$/);
    assert.match(rowOf(page, 9).reason, /^Not chosen\. Uses automatic checkpoints/);
  });

  it('counts databases of users, and names those that are never switched', () => {
    const system = [1, 2, 3, 4].map((databaseId) => databaseOf({ databaseId, targetSeconds: databaseId === 1 ? 0 : 60 }));
    const users = [databaseOf({ databaseId: 5, targetSeconds: 0 }), databaseOf({ databaseId: 6, targetSeconds: 60 })];
    const snapshot = databaseOf({ databaseId: 7, targetSeconds: 60, isSnapshot: true });
    const all = factsOf([...system, ...users, snapshot]);
    const plan = planSwitch(readReviewDraft(createReviewDraft([5], [])).choice!, all, () => 'seen');
    const preflight = { server: [], databases: new Map(), unseen: [] };
    const page = describeReview({ revision: 1, facts: all, verdicts: new Map(), namedIds: new Set(), plan, preflight, scripts: null });
    assert.equal(
      page.sentence,
      `1 database would change to 60 seconds on ${all.server.serverName}. 1 has 60 seconds already. 5 system databases and snapshots are never switched.`,
    );
  });

  it('counts in one sentence as many as it has rows', () => {
    const page = review(draft);
    const { counts, rows } = page;
    assert.equal(counts.in + counts.leftOut + counts.haveIt + counts.notChosen + counts.never, rows.length);
    assert.equal(
      page.sentence,
      `2 databases would change to 60 seconds on ${facts.server.serverName}; 2 are left out. 1 has 60 seconds already. 1 was not chosen.`,
    );
    assert.equal(
      writeReviewSentence({
        serverName: 'LEGACY-SQL07',
        counts: { in: 308, leftOut: 9, haveIt: 0, notChosen: 0, never: 0 },
        waves: 3,
        targets: [60],
      }),
      '308 databases would change to 60 seconds on LEGACY-SQL07 in 3 waves; 9 are left out.',
    );
    const none = writeReviewSentence({
      serverName: 'A',
      counts: { in: 0, leftOut: 1, haveIt: 0, notChosen: 0, never: 0 },
      waves: 0,
      targets: [60],
    });
    assert.equal(none, 'Nothing would change on A; 1 is left out.');
    const two = writeReviewSentence({
      serverName: 'A',
      counts: { in: 1, leftOut: 0, haveIt: 0, notChosen: 0, never: 0 },
      waves: 1,
      targets: [1, 60],
    });
    assert.equal(two, '1 database would change to 1 or 60 seconds on A.');
  });

  it('puts a database with a value of its own in once it is pointed at, and nothing that cannot be changed', () => {
    const named = tickDatabase(tickDatabase(draft, 8, true), 1, true);
    const page = review(named);
    assert.deepEqual([rowOf(page, 8).state, rowOf(page, 8).wantedSeconds, rowOf(page, 1).state], ['in', 60, 'left out']);
    assert.equal(rowOf(page, 1).canBeIn, false);
  });

  it('keeps a value above 0 where all rows shown are put in at once', () => {
    const page = review(draft);
    const all = tickRows(draft, page.rows, true);
    assert.deepEqual([all.databaseIds, all.namedIds], [[1, 5, 6, 8, 9], []]);
    assert.equal(rowOf(review(all), 8).state, 'left out');
    assert.deepEqual(tickRows(all, page.rows, false).databaseIds, [1], 'what cannot be in stays, so that the script says why');
  });

  it('shows a tick at once, and keeps it only where the plan does', () => {
    const page = review(draft);
    const asks = (edited: ReviewDraft, databaseId: number): boolean => isTicked(rowOf(page, databaseId), indexDraft(edited), page.revision);
    assert.deepEqual([asks(draft, 5), asks(draft, 8), asks(draft, 1)], [true, false, false]);
    const edited = tickDatabase(draft, 9, true);
    assert.deepEqual([asks(edited, 9), asks(edited, 5), asks(edited, 8), asks(edited, 1)], [true, true, false, false]);
    assert.deepEqual([asks(tickDatabase(draft, 8, true), 8), asks(tickDatabase(draft, 5, false), 5)], [true, false]);
  });

  it('counts the databases of each wave, as the reader moved them', () => {
    const page = review(moveDatabase(changeText(draft, 'canary', '1'), 6, 3));
    assert.equal(page.waves.length, 2);
    assert.equal(
      page.waves.reduce((sum, { databases }) => sum + databases, 0),
      page.counts.in,
    );
    assert.match(page.sentence, / in 2 waves;/);
    assert.equal(describeWaves([{ wave: 1, databases: 308 }]), '');
    const many = Array.from({ length: 12 }, (_, at) => ({ wave: at + 1, databases: 1000 }));
    assert.match(describeWaves(many), /^Databases in wave 1: 1,000, wave 2: .+, and 4 more waves\.$/);
  });

  it('says what a short target costs', () => {
    assert.equal(review(draft).shortTarget, null);
    assert.match(review(changeText(draft, 'targetSeconds', '10')).shortTarget ?? '', /^Below 20 seconds/);
  });

  it('brings what has to be looked at first to its database, whose name keeps its spelling, and what is only to know to nobody', () => {
    const finding = (severity: Finding['severity'], sentence: string): Finding => ({
      rule: 'r',
      severity,
      sentence,
      remedy: 'Wait',
      sources: [],
    });
    const databases = new Map([
      [
        5,
        [finding('look first', 'Its log waits for OLDEST_PAGE'), finding('inform', 'x'), finding('blocks', 'msdb is a system database.')],
      ],
    ]);
    const page = review(draft, { ...nothing, databases, server: [finding('inform', 'z')] });
    assert.deepEqual(rowOf(page, 5).notes, [
      'Look first: Its log waits for OLDEST_PAGE. Wait.',
      'Blocks: msdb is a system database. Wait.',
    ]);
    assert.deepEqual([rowOf(page, 6).notes, page.findings.length], [[], 1]);
  });

  it('keeps a database that was chosen and is gone', () => {
    const page = review(createReviewDraft([77], [77]));
    assert.deepEqual([rowOf(page, 77).state, rowOf(page, 77).canBeIn, page.changeScripts], ['left out', false, 0]);
  });
});

describe('The rows of a review', () => {
  const view: ReviewView = { filter: '', show: 'all', sort: { column: 'database', descending: false } };
  const names = (part: Partial<ReviewView>): readonly string[] =>
    selectReviewRows(review(draft).rows, { ...view, ...part }).map(({ name }) => name);

  it('are filtered by name, case aside, and by what becomes of them', () => {
    assert.deepEqual(names({ filter: 'IVE' }), ['five']);
    assert.deepEqual(names({ show: 'left out' }), ['eight', 'master']);
    assert.deepEqual(names({ show: 'in', filter: 'x' }), ['six']);
  });

  it('are sorted by any column, what has no value last either way', () => {
    const byWave = names({ sort: { column: 'wave', descending: false } });
    assert.deepEqual(
      [byWave.slice(0, 2), names({ sort: { column: 'wave', descending: true } }).slice(0, 2)],
      [
        ['five', 'six'],
        ['five', 'six'],
      ],
    );
    assert.equal(names({ sort: { column: 'now', descending: true } })[0], 'eight');
    assert.deepEqual(names({ sort: { column: 'database', descending: true } }), ['six', 'seven', 'nine', 'master', 'five', 'eight']);
    for (const column of ['wanted', 'verdict', 'reason'] as const)
      assert.equal(names({ sort: { column, descending: true } }).length, facts.databases.length);
  });
});
