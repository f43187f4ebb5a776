import assert from 'node:assert/strict';
import { createClock } from '../../../src/webview/model/clock';
import { describeMarksLeftOut } from '../../../src/webview/timeline/legend';

const clock = createClock('utc', { utcOffsetMinutes: 60, offsets: [] });

describe('The marks that are not drawn', () => {
  it('are told by kind, and up to when, so that a reader knows what is missing where', () => {
    const older = [
      { text: '6,700 log backups', lastUtcMs: Date.UTC(2026, 2, 2, 8, 15) },
      { text: '1 FlushCache message', lastUtcMs: Date.UTC(2026, 2, 1, 23, 59) },
    ];
    assert.equal(
      describeMarksLeftOut({ older, undated: 1 }, clock),
      'Not drawn: 6,700 log backups up to 2026-03-02 08:15; 1 FlushCache message up to 2026-03-01 23:59; 1 mark whose UTC time is not known.',
    );
    assert.equal(
      describeMarksLeftOut({ older: [], undated: 2 }, clock),
      'Not drawn: 2 marks whose UTC time is not known.',
    );
  });

  it('are not spoken of where there is none', () => {
    assert.equal(describeMarksLeftOut({ older: [], undated: 0 }, clock), '');
  });
});
