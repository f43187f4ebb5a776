import assert from 'node:assert/strict';
import type { Gap } from '../../../../src/core/session/gap';
import { TaskHistory } from '../../../../src/webview/timeline/minimap/task-history';
import { columnsOf, indexOf } from '../../../core/timeline/columns-of';
import { fakeDatabases } from '../../fake-capture';
import { gapOf } from '../../../core/gap-of';

const gapUntil = (endUtcMs: number, beginUtcMs = 1000): Gap =>
  gapOf('server restarted', beginUtcMs, endUtcMs);

describe("The task's history", () => {
  const columns = columnsOf([
    [100, 300],
    [900, 50],
  ]);
  const common = { columns, index: indexOf(columns), databases: fakeDatabases(2, 2), changes: [] };

  it('is not swept again while a gap lasts, and is where a gap is found in it', () => {
    const history = new TaskHistory();
    assert.ok(history.takeIn({ ...common, gaps: [gapUntil(1100)] }));
    const { busy } = history;
    assert.ok(busy);
    for (const end of [1200, 1300, 9000]) history.takeIn({ ...common, gaps: [gapUntil(end)] });
    assert.equal(history.busy, busy);
    history.takeIn({ ...common, gaps: [gapUntil(250, 200), gapUntil(9000)] });
    assert.notEqual(history.busy, busy);
  });
});
