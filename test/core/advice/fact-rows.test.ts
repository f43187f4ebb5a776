import assert from 'node:assert/strict';
import { type CopiesReading, type GroupMember, joinCopies } from '../../../src/core/advice/fact-rows';
import type { AvailabilityRole } from '../../../src/core/advice/facts';

const copy: CopiesReading = { databaseId: 5, groupDatabaseId: 'g', redoQueueKb: 64 };
const member = (memberGroup: string, role: string | null): GroupMember => ({ memberGroup, role });
const roles = (groupName: string): ReadonlyMap<number, AvailabilityRole> =>
  new Map([[5, { databaseId: 5, role: 'PRIMARY', groupName, primaryReplica: null }]]);

describe('The copies of a database', () => {
  it('are of a forwarder where its group is the second one of a distributed group', () => {
    const members = [member('SalesAG', 'PRIMARY'), member('SalesDR', 'SECONDARY')];
    const found = joinCopies([copy], members, roles('salesdr')).get(5);
    assert.equal(found?.isForwarder, true);
    assert.equal(joinCopies([copy], members, roles('SalesAG')).get(5)?.isForwarder, false);
    const alike = [member('SALESDR', 'PRIMARY'), ...members];
    assert.equal(
      joinCopies([copy], alike, roles('SalesDR')).get(5)?.isForwarder,
      true,
      'two groups on a server that tells case apart',
    );
  });

  it('do not say whether it is one where the role is not known here, or the group is not seen', () => {
    assert.equal(joinCopies([copy], [member('SalesAG', null)], roles('SalesAG')).get(5)?.isForwarder, null);
    for (const group of ['', 'Other']) {
      const found = joinCopies([copy], [member('SalesAG', 'SECONDARY')], roles(group)).get(5);
      assert.deepEqual([found?.isForwarder, found?.redoQueueKb], [null, 64]);
    }
  });
});
