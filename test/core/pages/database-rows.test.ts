import assert from 'node:assert/strict';
import type { CheckpointStatistics } from '../../../src/core/statistics/statistics';
import {
  type RowDatabase,
  selectDatabaseRows,
  type DatabaseSort,
} from '../../../src/core/pages/database-rows';
import { figures } from '../../shell/sample';
import { valuesOf } from '../values-of';

const statisticsOf = (database: number, totalMs: number): CheckpointStatistics =>
  figures(database, { count: totalMs === 0 ? 0 : 1, totalMs, averageMs: totalMs });

const databases: readonly RowDatabase[] = [
  { databaseId: 5, name: 'db10', verdict: 'Leave', part: 'feeds', targetSeconds: 0 },
  { databaseId: 6, name: 'db2', verdict: 'Leave', part: 'waits', targetSeconds: 0 },
  { databaseId: 7, name: 'Quiet', verdict: 'Leave', part: 'none seen', targetSeconds: 0 },
  { databaseId: 8, name: 'Orders', verdict: 'Leave', part: null, targetSeconds: 60 },
];
const statistics = [
  statisticsOf(0, 100),
  statisticsOf(1, 300),
  statisticsOf(2, 0),
  { ...statisticsOf(3, 300), share: null },
];
const byTotal: DatabaseSort = { column: 'totalMs', descending: true };
const ids = (sort: DatabaseSort, filter = ''): readonly number[] =>
  selectDatabaseRows(statistics, databases, filter, sort).rows.map((row) => row.databaseId);

describe('The rows of the databases table', () => {
  it('are the databases with a checkpoint, the most seconds an hour first, equals by name', () => {
    assert.deepEqual(ids(byTotal), [6, 8, 5]);
  });

  it('count those without a checkpoint, whatever the filter', () => {
    assert.equal(selectDatabaseRows(statistics, databases, 'orders', byTotal).withoutCheckpoint, 1);
  });

  it('sort names as people count: db2 before db10', () => {
    assert.deepEqual(ids({ column: 'database', descending: false }), [6, 5, 8]);
  });

  it('name the part that each plays, and those that take no turns because they are indirect', () => {
    const rows = selectDatabaseRows(statistics, databases, '', { column: 'part', descending: false }).rows;
    assert.deepEqual(valuesOf(rows, 'name', 'part'), [
      ['db10', 'feeds'],
      ['db2', 'waits'],
      ['Orders', 'indirect'],
    ]);
  });

  it('put what was not observed last in both directions', () => {
    assert.equal(ids({ column: 'share', descending: true }).at(-1), 8);
    assert.equal(ids({ column: 'share', descending: false }).at(-1), 8);
  });

  it('are filtered by a part of the name, upper and lower case alike, taken literally', () => {
    assert.deepEqual(ids(byTotal, 'ORD'), [8]);
    assert.deepEqual(ids(byTotal, '.*'), []);
  });
});
