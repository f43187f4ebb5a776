import assert from 'node:assert/strict';
import type { CheckpointStatistics } from '../../../src/core/evidence/statistics';
import { findHeavyDatabases } from '../../../src/core/picture/heavy-databases';
import { selectOffenderRows, type OffenderSort } from '../../../src/core/picture/offender-rows';

const figures = (database: number, totalMs: number, part: Partial<CheckpointStatistics> = {}): CheckpointStatistics => ({
  database,
  count: totalMs === 0 ? 0 : 1,
  perHour: 1,
  averageMs: totalMs,
  p50Ms: totalMs,
  p95Ms: totalMs,
  p99Ms: totalMs,
  maximumMs: totalMs,
  totalMs,
  share: 0.1,
  ...part,
});

const databases = [
  { databaseId: 5, createdLocal: null, name: 'db10', verdict: 'Leave' },
  { databaseId: 6, createdLocal: null, name: 'db2', verdict: 'Leave' },
  { databaseId: 7, createdLocal: null, name: 'Quiet', verdict: 'Leave' },
  { databaseId: 8, createdLocal: null, name: 'Orders', verdict: 'Leave' },
];
const statistics = [figures(0, 100), figures(1, 300), figures(2, 0), figures(3, 300, { share: null })];
const byTotal: OffenderSort = { column: 'totalMs', descending: true };
const ids = (sort: OffenderSort, filter = ''): readonly number[] =>
  selectOffenderRows(statistics, databases, filter, sort).rows.map((row) => row.databaseId);

describe('The rows of the offenders table', () => {
  it('are the databases with a checkpoint, the largest total first, equals by name', () => {
    assert.deepEqual(ids(byTotal), [6, 8, 5]);
  });

  it('count those without a checkpoint, whatever the filter', () => {
    assert.equal(selectOffenderRows(statistics, databases, 'orders', byTotal).withoutCheckpoint, 1);
  });

  it('sort names as people count: db2 before db10', () => {
    assert.deepEqual(ids({ column: 'database', descending: false }), [6, 5, 8]);
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

describe('The heavy databases', () => {
  it('are the fewest that make up at least 80 % of the checkpoint time', () => {
    const heavy = findHeavyDatabases([figures(0, 10), figures(1, 70), figures(2, 15), figures(3, 5)]);
    assert.deepEqual(heavy, { databases: [1, 2], share: 0.85 });
  });

  it('are none where no time was spent', () => {
    assert.deepEqual(findHeavyDatabases([figures(0, 0)]), { databases: [], share: 0 });
  });
});
