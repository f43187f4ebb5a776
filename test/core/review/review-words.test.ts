import assert from 'node:assert/strict';
import { gatherFindings } from '../../../src/core/review/review-findings';
import type { Finding } from '../../../src/core/advice/finding';
import { writeReviewWhy } from '../../../src/core/review/review-words';
import { FAKE_NAMES, fakeDraft, fakePage } from '../../webview/fake-review';
import { tickDatabase } from '../../../src/core/review/review-edits';
import { createReviewDraft } from '../../../src/core/review/review-draft';
import { databaseOf, factsOf } from '../advice/facts-of';

describe('The head of a review', () => {
  const why = (page: ReturnType<typeof fakePage>): string => page.why.map(({ text }) => text).join('');

  it('says the verdict on the task, the reasons of those on the ticked databases, each once, and what the task would be then', () => {
    const page = fakePage(fakeDraft());
    assert.match(page.title, /^8 databases get 60 seconds, in 3 waves\.$/);
    assert.equal(
      why(page),
      'The checkpoint task is almost never free. 3 feed the queue: the queue is the reason, no database alone. ' +
        '1 hurts by itself. Log writes take 41 ms during its checkpoints, 3 ms otherwise. 1 waits in the queue: late because of the others. ' +
        '3 are quiet: no harm was seen. With these 8 on indirect checkpoints, the task should be busy 0 %; now it is 97 %.',
    );
    assert.deepEqual(
      page.forecast?.waves.map(({ databases }) => databases),
      [2, 4, 2],
    );
  });

  it('follows what is ticked: without the heaviest the task stays busy, and it is named among what is left', () => {
    const page = fakePage(tickDatabase(fakeDraft(), 5, false));
    const [all, without] = [fakePage(fakeDraft()).forecast!.waves.at(-1)!, page.forecast!.waves.at(-1)!];
    assert.ok(without.low > all.low + 0.3 && without.high > all.high + 0.3);
    assert.match(why(page), /2 feed the queue: the queue is the reason/);
    assert.match(page.left, /^Left as they are: 1 feeding the queue; .*1 indirect already/);
  });

  it('says of one database the reason of its verdict', () => {
    const alone = (databaseId: number): string => why(fakePage(createReviewDraft([databaseId], [databaseId])));
    assert.match(
      alone(8),
      /^The checkpoint task is almost never free\. Log writes take 41 ms during its checkpoints, 3 ms otherwise\. With this one/,
    );
    assert.match(alone(5), /\. The queue is the reason; the database alone would do no harm\. With this one/);
    assert.match(alone(12), /\. Late because of the others\. With this one/);
  });

  it('says of many that hurt, each by another reason, where those stand, and a reason that all have once', () => {
    const names = Array.from({ length: 64 }, (_, at) => `Db${at}`);
    const hurting = names.flatMap((_, at) => (at % 8 === 3 ? [5 + at] : []));
    const page = fakePage(createReviewDraft(hurting, []), names);
    assert.match(why(page), /\. 8 hurt by themselves\. Log writes take 41 ms during its checkpoints, 3 ms otherwise\. With these 8/);
    const rows = page.rows.map((row) => (row.databaseId === 8 ? { ...row, reason: 'Its log is held.' } : row));
    const words = writeReviewWhy({ title: 'T.', lines: [], note: null, rests: [], brief: '' }, rows, null);
    assert.equal(words.map(({ text }) => text).join(''), 'T. 8 hurt by themselves; the reason of each stands below it.');
  });

  it('says that nothing is ticked, with all that is known of the instance', () => {
    const page = fakePage(createReviewDraft([], []));
    assert.deepEqual([page.title, page.previews, page.forecast?.waves], ['Nothing is ticked that can be changed.', [], []]);
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
    assert.equal(told.find(({ name }) => name === 'Orders_US')?.reason, 'Log writes take 41 ms during its checkpoints, 3 ms otherwise.');
  });
});

describe('The findings of a review', () => {
  const finding = (severity: Finding['severity'], sentence: string): Finding => ({
    rule: 'r',
    severity,
    sentence,
    remedy: null,
    sources: [],
  });
  const facts = factsOf([5, 6, 7, 8, 9].map((databaseId) => databaseOf({ databaseId })));

  it('are counted by kind, the worst first, and say the same of several databases once', () => {
    const same = finding('look first', 'Its log waits.');
    const { counts, listed } = gatherFindings(
      {
        server: [finding('inform', 'model is at 0.'), finding('blocks', 'Stop.')],
        databases: new Map([5, 6, 7, 8].map((id) => [id, id === 5 ? [same, finding('inform', 'x')] : [same]])),
        unseen: [],
      },
      facts,
    );
    assert.deepEqual(counts, { blocks: 1, 'look first': 1, inform: 2 });
    assert.deepEqual(
      listed.map(({ about, sentence }) => [about, sentence]),
      [
        [null, 'Stop.'],
        ['4 databases', 'Its log waits.'],
        [null, 'model is at 0.'],
        ['db5', 'x'],
      ],
    );
  });
});
