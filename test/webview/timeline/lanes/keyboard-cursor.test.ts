import assert from 'node:assert/strict';
import { createClock } from '../../../../src/webview/model/clock';
import { KeyboardCursor } from '../../../../src/webview/timeline/lanes/keyboard-cursor';
import type { TimelineInput } from '../../../../src/webview/timeline/lanes/timeline-scene';
import { columnsOf, indexOf } from '../../../core/timeline/columns-of';
import { FAKE_SERVER, fakeDatabases } from '../../fake-capture';
import { changeOf } from '../../../core/task/changed';

/** What the cursor reads of the timeline, of another capture each time. */
function inputOf(): TimelineInput {
  const columns = columnsOf([[1000, 10, 0]]);
  const bounds = { beginUtcMs: 0, endUtcMs: 10_000 };
  const read: Partial<TimelineInput> = {
    columns,
    index: indexOf(columns),
    lanes: [{ databaseId: 5, name: 'dbA', database: 0, heavy: false, pinned: false }],
    window: bounds,
    bounds,
    changes: [changeOf(5, 5000)],
    clock: createClock('utc', { ...FAKE_SERVER, offsets: [] }),
    selectedDatabaseId: 5,
    databases: fakeDatabases(1, 1),
    gaps: [],
    marks: [],
  };
  return read as TimelineInput;
}

describe('The cursor of the keyboard', () => {
  const plot = { leftPx: 0, widthPx: 100 };

  it('keeps the change that it reached while rows arrive, and lets go of it in another capture', () => {
    const cursor = new KeyboardCursor();
    const input = inputOf();
    cursor.keepOf(input, null);
    cursor.stepMark(input, 1);
    cursor.keepOf({ ...input }, input);
    assert.equal(cursor.noted(input, plot)?.lines[0]?.text, 'dbA → 60 s');
    const other = inputOf();
    cursor.keepOf(other, input);
    assert.equal(cursor.noted(other, plot), null);
    assert.equal(cursor.clear(), false);
  });

  it('tells five changes of a moment and counts the others, and puts no number behind a name from right to left', () => {
    const cursor = new KeyboardCursor();
    const databases = fakeDatabases(30, 30).map((one, at) => (at === 0 ? { ...one, name: 'سجل 12' } : one));
    const changes = databases.map(({ databaseId }) => changeOf(databaseId, 5000));
    const { text } = cursor.stepMark({ ...inputOf(), databases, changes }, 1);
    const told = 'dbB → 60 s; dbC → 60 s; Orders_EU → 60 s; Orders_US → 60 s; and 25 more';
    assert.equal(text, `1970-01-01 00:00:05.000, → 60 s: سجل 12; ${told}`);
  });

  it('keeps its checkpoint while the database stays selected', () => {
    const cursor = new KeyboardCursor();
    const input = inputOf();
    cursor.keepOf(input, null);
    cursor.step(input, 1);
    cursor.keepOf({ ...input }, input);
    assert.equal(cursor.row, 0);
    cursor.keepOf({ ...input, selectedDatabaseId: null }, input);
    assert.equal(cursor.row, null);
  });
});
