import assert from 'node:assert/strict';
import { gatherFindings } from '../../../src/core/picture/review-findings';
import type { Finding } from '../../../src/core/advice/finding';
import { FAKE_NAMES, fakeDraft, fakePage } from '../../webview/fake-review';
import { tickDatabase } from '../../../src/core/picture/review-edits';
import { createReviewDraft } from '../../../src/core/picture/review-draft';
import { databaseOf, factsOf } from '../advice/facts-of';

describe('The head of a review', () => {
  const why = (page: ReturnType<typeof fakePage>): string => page.why.map(({ text }) => text).join('');

  it('says what the task is now, what the ticked databases are to it, and what it would be without them', () => {
    const page = fakePage(fakeDraft());
    assert.match(page.title, /^8 databases get 60 seconds, in 3 waves\.$/);
    assert.match(
      why(page),
      /^The checkpoint task is almost never free\. Busy 97 % of 8 h\. 8 databases take turns on it; .+ 3 of those ticked feed the queue, 1 hurts by itself\. With these 8 on indirect checkpoints, the task should be busy 0 %\.$/,
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
    assert.match(why(page), /2 of those ticked feed the queue/);
    assert.match(page.left, /^Left as they are: 1 feeding the queue; .*1 indirect already/);
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
