import assert from 'node:assert/strict';
import {
  checkWave,
  createReviewDraft,
  describeShortTarget,
  readReviewDraft,
  replaceDatabases,
  type ReviewDraft,
  type ReviewField,
} from '../../../src/core/review/review-draft';
import { changeBetween, changeText, moveDatabase, tickDatabase } from '../../../src/core/review/review-edits';

const draft = createReviewDraft([5, 6], [6]);
const withTexts = (
  texts: Partial<Record<ReviewField, string>>,
  between: ReviewDraft['between'] = 'by hand',
): ReviewDraft => ({ ...draft, between, texts: { ...draft.texts, ...texts } });

describe('The draft of a review', () => {
  it('asks for 60 seconds to begin with, three databases first and then 25 at a time', () => {
    assert.deepEqual(readReviewDraft(draft), {
      choice: {
        databaseIds: [5, 6],
        byName: false,
        namedIds: new Set([6]),
        targetSeconds: 60,
        reason: null,
        waves: { canary: 3, batch: 25, pauseMinutes: null, stopAboveWriteMs: null },
        waveOf: new Map(),
      },
      errors: {},
    });
  });

  it('proposes no canary once one was run, unless the reader typed another', () => {
    const canaryOf = (one: ReviewDraft): number | undefined => readReviewDraft(one).choice?.waves.canary;
    assert.equal(canaryOf(createReviewDraft([7, 8], [], true)), 0);
    assert.deepEqual(
      [canaryOf(replaceDatabases(draft, [7], [], true)), canaryOf(replaceDatabases(draft, [7], []))],
      [0, 3],
    );
    assert.equal(canaryOf(replaceDatabases(withTexts({ canary: '5' }), [7], [], true)), 5);
  });

  it('is of databases by name where every one was pointed at, and never where none is chosen', () => {
    assert.equal(readReviewDraft(createReviewDraft([5], [5])).choice?.byName, true);
    assert.equal(readReviewDraft(createReviewDraft([], [])).choice?.byName, false);
  });

  it('takes a pause and its limit only where one script pauses', () => {
    const texts = { canary: '5', batch: ' 50 ', pauseMinutes: '20', stopAboveWriteMs: '25' };
    const sizes = { canary: 5, batch: 50 };
    assert.deepEqual(readReviewDraft(withTexts(texts)).choice?.waves, {
      ...sizes,
      pauseMinutes: null,
      stopAboveWriteMs: null,
    });
    assert.deepEqual(readReviewDraft(withTexts(texts, 'pause')).choice?.waves, {
      ...sizes,
      pauseMinutes: 20,
      stopAboveWriteMs: 25,
    });
    const open = withTexts({ ...texts, stopAboveWriteMs: '' }, 'pause');
    assert.equal(readReviewDraft(open).choice?.waves.stopAboveWriteMs, null);
  });

  for (const [field, text] of [
    ['targetSeconds', ''],
    ['targetSeconds', '0'],
    ['targetSeconds', '1.5'],
    ['targetSeconds', '3601'],
    ['targetSeconds', '6e1'],
    ['targetSeconds', '0x3c'],
    ['targetSeconds', 'soon'],
    ['canary', '-1'],
    ['canary', 'one'],
    ['batch', '1.5'],
    ['batch', '99999'],
    ['pauseMinutes', ''],
    ['pauseMinutes', '0'],
    ['pauseMinutes', '1440'],
    ['stopAboveWriteMs', '0'],
  ] as const) {
    it(`has no choice, and one sentence at its field, where ${field} is "${text}"`, () => {
      const { choice, errors } = readReviewDraft(withTexts({ [field]: text }, 'pause'));
      assert.equal(choice, null);
      assert.deepEqual(Object.keys(errors), [field]);
      assert.match(
        errors[field] ?? '',
        /^(?:The|Databases in) .+ whole number.+\.$|^The target recovery time must be between.+\.$/,
      );
    });
  }

  it('takes 0 with a reason, and says what it means', () => {
    const { choice } = readReviewDraft(withTexts({ targetSeconds: '0', reason: ' agreed with the vendor ' }));
    assert.deepEqual([choice?.targetSeconds, choice?.reason], [0, 'agreed with the vendor']);
    assert.match(describeShortTarget(0) ?? '', /^0 turns indirect checkpoints off\. /);
    assert.deepEqual(Object.keys(readReviewDraft(withTexts({ targetSeconds: '0', reason: '  ' })).errors), [
      'targetSeconds',
    ]);
    assert.deepEqual(Object.keys(readReviewDraft(withTexts({ reason: 'x'.repeat(501) })).errors), ['reason']);
  });

  it('does not mind what stands in a field that does not count', () => {
    assert.notEqual(readReviewDraft(withTexts({ pauseMinutes: 'x', stopAboveWriteMs: '-' })).choice, null);
  });

  it('has a higher revision after each edit, and forgets the wave and the name of what is taken out', () => {
    const moved = moveDatabase(moveDatabase(draft, 6, 2), 6, 3);
    assert.deepEqual([moved.revision, moved.waveOf], [3, [[6, 3]]]);
    const without = tickDatabase(moved, 6, false);
    assert.deepEqual(
      [without.revision, without.databaseIds, without.namedIds, without.waveOf],
      [4, [5], [], []],
    );
    assert.deepEqual(
      [tickDatabase(without, 8, true).namedIds, tickDatabase(without, 8, true).databaseIds],
      [[8], [5, 8]],
    );
    assert.equal(changeText(draft, 'canary', '3').texts.canary, '3');
    assert.equal(changeBetween(draft, 'pause').between, 'pause');
  });

  it('knows a wave and a short target', () => {
    assert.deepEqual(
      ['1', '999', '0', '', '1000', '1.5', '1e2'].map((text) => checkWave(text) === null),
      [true, true, false, false, false, false, false],
    );
    assert.equal(describeShortTarget(60), null);
    assert.match(
      describeShortTarget(59) ?? '',
      /^Below 60 seconds .+total writes rise\. You gain a shorter recovery after a crash\.$/,
    );
  });
});
