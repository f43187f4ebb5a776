import assert from 'node:assert/strict';
import { type Finding, type Preflight, writeFinding } from '../../../src/core/advice/finding';
import { checkPreflight, planSwitch } from '../finished';
import { judgeDatabase } from '../../../src/core/advice/verdict';
import { createReviewDraft, readReviewDraft, type ReviewDraft } from '../../../src/core/review/review-draft';
import { tickDatabase } from '../../../src/core/review/review-edits';
import type { InstanceVerdict } from '../../../src/core/advice/instance';
import {
  describeReview,
  type ReviewPage,
  type ReviewRow,
  writeReviewTitle,
  writeReviewWhy,
} from '../../../src/core/review/review-page';
import { gatherFindings } from '../../../src/core/review/review-findings';
import { FAKE_NAMES, fakeDraft, fakePage } from '../../webview/fake-review';
import { databaseOf, factsOf } from '../advice/facts-of';
import { unseenInstance } from '../../shell/sample';
import { valuesOf } from '../values-of';

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

function review(
  draft: ReviewDraft,
  preflight: Preflight = nothing,
  next: InstanceVerdict['next'] = null,
  later: InstanceVerdict['later'] = [],
  part: Partial<InstanceVerdict> = {},
): ReviewPage {
  const { choice } = readReviewDraft(draft);
  const plan = planSwitch(choice!, facts, () => 'no checkpoint measured', { firstWave: next?.wave ?? 1 });
  const namedIds = new Set(draft.namedIds);
  const instance = next && { ...unseenInstance, next, later, ran: next.wave - 1, ...part };
  const unseen = { instance, forecast: null, mediansMs: new Map(), previews: [], scripts: null };
  return describeReview({ revision: draft.revision, facts, verdicts, namedIds, plan, preflight, ...unseen });
}

const finding = (severity: Finding['severity'], sentence: string, remedy: string | null = null): Finding => ({
  rule: 'r',
  severity,
  sentence,
  remedy,
  sources: [],
});
const rowOf = (page: ReviewPage, databaseId: number): ReviewRow =>
  page.rows.find((row) => row.databaseId === databaseId)!;
const draft = createReviewDraft([1, 5, 6, 8], []);

describe('The page of a review', () => {
  it('says of every database what becomes of it, and why', () => {
    const page = review(draft);
    assert.deepEqual(valuesOf(page.rows, 'name', 'state', 'canBeIn', 'wave'), [
      ['master', 'left out', false, null],
      ['five', 'in', true, 1],
      ['six', 'in', true, 1],
      ['seven', 'has it already', false, null],
      ['eight', 'left out', true, null],
      ['nine', 'not chosen', true, null],
    ]);
    assert.equal(rowOf(page, 1).reason, 'It is a system database.');
    assert.match(rowOf(page, 5).reason, /^Uses automatic checkpoints; not measured yet/);
    assert.equal(rowOf(page, 7).reason, 'It already has 60 seconds.');
    assert.equal(rowOf(page, 8).reason, 'It already has 120 seconds. Choose it by name to overwrite that.');
    assert.match(rowOf(page, 9).reason, /^Uses automatic checkpoints; not measured yet/);
  });

  it('says that the proposed wave was changed where other databases are ticked than proposed, and not of a choice apart from it', () => {
    const titleOf = (...ids: readonly number[]): string =>
      review(createReviewDraft(ids, [], true), nothing, { wave: 3, databaseIds: [5, 6] }).title;
    assert.equal(titleOf(5, 6), 'Wave 3: set 60 seconds on 2 databases.');
    assert.equal(titleOf(5), 'Wave 3: set 60 seconds on 1 database. Changed by you.');
    assert.equal(titleOf(5, 6, 9), 'Wave 3: set 60 seconds on 3 databases. Changed by you.');
    assert.equal(titleOf(9), 'Wave 3: set 60 seconds on 1 database.');
  });

  it('says how the last wave went and that no limit is exceeded, unless something speaks against the next, or it was seen long ago', () => {
    const limits = 'None is exceeded.';
    const soFar = { wave: 2, atUtcMs: facts.server.nowUtcMs, forecast: 'as forecast', limits } as const;
    const say = (part: Partial<InstanceVerdict>): string => {
      const next = { wave: 3, databaseIds: [5] };
      const { why } = review(createReviewDraft([5], [], true), nothing, next, [], { soFar, ...part });
      return /(Wave 2: .*|Limits: .*)$/.exec(why.map(({ text }) => text).join(''))?.[0] ?? '';
    };
    const clear = 'Limits: None is exceeded.';
    assert.equal(say({}), `Wave 2: forecast holds. ${clear}`);
    assert.equal(say({ soFar: { ...soFar, wave: 1 } }), clear, 'it was of the wave before');
    assert.equal(say({ soFar: { ...soFar, atUtcMs: soFar.atUtcMs - 3_600_000 } }), '');
    const missed = { wave: 2, low: 0, high: 0.1, busyShare: 0.5 };
    assert.equal(say({ objection: { kind: 'missed', missed } }), '');
  });

  it('says of a database that is not ticked which later wave it is planned for', () => {
    const next = { wave: 3, databaseIds: [5] };
    const waves = (...ids: readonly number[]): readonly unknown[] => {
      const later = [{ wave: 4, databaseIds: [6] }];
      const page = review(createReviewDraft(ids, [], true), nothing, next, later);
      return [5, 6].flatMap((id) => [rowOf(page, id).wave, rowOf(page, id).laterWave]);
    };
    assert.deepEqual([...waves(5), ...waves(5, 6)], [3, null, null, 4, 3, null, 3, null]);
  });

  it('says in one sentence what changes', () => {
    const page = review(draft);
    assert.equal(page.title, 'Set 60 seconds on 2 databases.');
    const title = (databases: number, waves: number, targets: readonly number[]): string =>
      writeReviewTitle(databases, waves, targets);
    assert.equal(title(78, 4, [60]), 'Set 60 seconds on 78 databases, in 4 waves.');
    assert.equal(title(0, 0, [60]), 'No database that can be changed is ticked.');
    assert.equal(title(1, 1, [1, 60]), 'Set 1 or 60 seconds on 1 database.');
    assert.equal(title(3, 1, [0]), 'Set automatic checkpoints (0 seconds) on 3 databases.');
  });

  it('brings what has to be looked at first to its database, whose name keeps its spelling, and what is only to know to nobody', () => {
    const ofFive = [
      finding('look first', 'Its log waits for OLDEST_PAGE', 'Wait'),
      finding('inform', 'x'),
      finding('blocks', 'msdb is a system database.', 'Wait'),
    ];
    const databases = new Map([[5, ofFive]]);
    const page = review(draft, { ...nothing, databases, server: [finding('inform', 'z')] });
    assert.deepEqual(rowOf(page, 5).notes, [
      'Look first: Its log waits for OLDEST_PAGE. Wait.',
      'Blocks: msdb is a system database. Wait.',
    ]);
    assert.deepEqual(rowOf(page, 6).notes, []);
  });

  it('keeps a database that was chosen and is gone', () => {
    const page = review(createReviewDraft([77], [77]));
    assert.deepEqual([rowOf(page, 77).state, rowOf(page, 77).canBeIn, page.scripts], ['left out', false, []]);
  });
});

describe('The head of a review', () => {
  const why = (page: ReturnType<typeof fakePage>): string => page.why.map(({ text }) => text).join('');

  it('says the verdict on the task, the reasons of those on the ticked databases, each once, and what the task would be then', () => {
    const page = fakePage(fakeDraft());
    assert.match(page.title, /^Set 60 seconds on 8 databases, in 3 waves\. Changed by you\.$/);
    assert.equal(
      why(page),
      'The checkpoint task is almost never free. 3 feed the queue; each alone would be harmless. ' +
        '1 hurts on its own. Log writes take 41 ms during its checkpoints, 3 ms otherwise. 1 waits in the queue: late because of the others. ' +
        '3 are quiet. With these 8 on indirect checkpoints, the task should be busy 0 %; now it is 97 %.',
    );
    assert.deepEqual(valuesOf(page.forecast?.waves, 'databases'), [2, 4, 2]);
  });

  it('follows what is ticked: without the heaviest the task stays busy', () => {
    const page = fakePage(tickDatabase(fakeDraft(), 5, false));
    const [all, without] = [fakePage(fakeDraft()).forecast!.waves.at(-1)!, page.forecast!.waves.at(-1)!];
    assert.ok(without.low > all.low + 0.3 && without.high > all.high + 0.3);
    assert.match(why(page), /These 2 of the 3 that feed the queue take 34 % of the task\./);
  });

  it('says of one database the reason of its verdict', () => {
    const alone = (databaseId: number): string =>
      why(fakePage(createReviewDraft([databaseId], [databaseId])));
    assert.match(
      alone(8),
      /^The checkpoint task is almost never free\. Log writes take 41 ms during its checkpoints, 3 ms otherwise\. With this one/,
    );
    assert.match(alone(5), /\. Harmless alone, but it adds to the queue\. With this one/);
    assert.match(alone(12), /\. Late because of the others\. With this one/);
  });

  it('says of many that hurt, each by another reason, where those stand, and a reason that all have once', () => {
    const names = Array.from({ length: 64 }, (_, at) => `Db${at}`);
    const hurting = names.flatMap((_, at) => (at % 8 === 3 ? [5 + at] : []));
    const page = fakePage(createReviewDraft(hurting, []), names);
    assert.match(
      why(page),
      /\. 8 hurt on their own\. Log writes take 41 ms during its checkpoints, 3 ms otherwise\. With these 8/,
    );
    const held = { ...rowOf(page, 8), reason: 'Its log is held.' };
    const rows = page.rows.map((row) => (row.databaseId === 8 ? held : row));
    const words = writeReviewWhy({ title: 'T.', lines: [], note: null, rests: [], brief: '' }, rows, null);
    const text = valuesOf(words, 'text').join('');
    assert.equal(text, 'T. 8 hurt on their own. The reason for each is given below.');
  });

  it('says that nothing is ticked, with all that is known of the instance', () => {
    const page = fakePage(createReviewDraft([], []));
    assert.deepEqual(
      [page.title, page.previews, page.forecast?.waves],
      ['No database that can be changed is ticked.', [], []],
    );
    assert.match(why(page), /^The checkpoint task is almost never free\./);
  });

  it('has figures of its own for each database: share of the task, turns an hour, the median', () => {
    const row = fakePage(fakeDraft()).rows.find(({ name }) => name === FAKE_NAMES[0])!;
    assert.deepEqual([row.group, row.share, row.perHour], ['Feeds the queue', 0.45, 30]);
    assert.equal(row.medianMs, 54_000);
  });

  it('tells the reason under the rows that hurt by themselves, and under those that were ticked and are left out, alone', () => {
    const told = fakePage(fakeDraft()).rows.filter(({ isTold }) => isTold);
    assert.ok(told.every(({ group, state }) => group === 'Hurts by itself' || state === 'left out'));
    assert.equal(
      told.find(({ name }) => name === 'Orders_US')?.reason,
      'Log writes take 41 ms during its checkpoints, 3 ms otherwise.',
    );
  });
});

describe('The findings of a review', () => {
  it('name each database once, on the page and in the change record, and those with the same finding together', () => {
    const simple = factsOf([5, 6].map((databaseId) => databaseOf({ databaseId, recoveryModel: 'SIMPLE' })));
    const preflight = checkPreflight(simple);
    const listed = gatherFindings(preflight, simple).listed.filter(({ rule }) => rule === 'simple-log');
    assert.deepEqual(valuesOf(listed, 'about', 'sentence'), [
      ['db5, db6', 'The recovery model is SIMPLE: only checkpoints empty the log.'],
    ]);
    const [own] = preflight.databases.get(5) ?? [];
    const line = writeFinding('db5', own ?? assert.fail('no finding'));
    assert.match(line, /^- \*\*db5\*\*, good to know: The recovery model is SIMPLE/);
    assert.equal(line.split('db5').length, 2);
  });

  const facts = factsOf([5, 6, 7, 8, 9].map((databaseId) => databaseOf({ databaseId })));

  it('are counted by kind, the worst first, and say the same of several databases once', () => {
    const same = finding('look first', 'Its log waits.');
    const { counts, listed } = gatherFindings(
      {
        server: [finding('inform', 'model is at 0.'), finding('blocks', 'Stop.')],
        databases: new Map(
          [5, 6, 7, 8].map((id) => [id, id === 5 ? [same, finding('inform', 'x')] : [same]]),
        ),
        unseen: [],
      },
      facts,
    );
    assert.deepEqual(counts, { blocks: 1, 'look first': 1, inform: 2 });
    assert.deepEqual(valuesOf(listed, 'about', 'sentence'), [
      [null, 'Stop.'],
      ['4 databases', 'Its log waits.'],
      [null, 'model is at 0.'],
      ['db5', 'x'],
    ]);
  });
});
