import assert from 'node:assert/strict';
import { INITIAL_REVIEW_VIEW, parseReviewView } from '../../../src/webview/review/review-table';

describe('The kept view of a review', () => {
  it('comes back as it was', () => {
    const view = {
      filter: 'x',
      sort: { column: 'wave', descending: true },
      open: { 'wave-2': true, 'Feeds the queue': false },
      whole: ['Quiet'],
    } as const;
    assert.deepEqual(parseReviewView(JSON.parse(JSON.stringify(view))), view);
  });

  it('takes initial values for whatever does not fit', () => {
    for (const kept of [
      undefined,
      null,
      'x',
      { filter: 3, sort: { column: 'x' }, open: { Quiet: 1 }, whole: 'Quiet' },
    ])
      assert.deepEqual(parseReviewView(kept), INITIAL_REVIEW_VIEW);
  });
});
