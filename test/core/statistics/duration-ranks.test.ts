import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DurationRanks, selectRank } from '../../../src/core/statistics/duration-ranks';

const PERCENTS = [0.01, 50, 95, 99, 100];

function rankAll(databases: number, rows: readonly (readonly [number, number])[]): (number | null)[][] {
  const ranks = new DurationRanks(databases, PERCENTS);
  const counts = new Uint32Array(databases);
  for (const [database, duration] of rows) {
    ranks.count(database, duration);
    counts[database] = (counts[database] ?? 0) + 1;
  }
  ranks.locate(counts);
  for (const [database, duration] of rows) ranks.collect(database, duration);
  return Array.from({ length: databases }, (_, database) => PERCENTS.map((_, position) => ranks.pick(database, position)));
}

function sortAll(databases: number, rows: readonly (readonly [number, number])[]): (number | null)[][] {
  return Array.from({ length: databases }, (_, database) => {
    const sorted = rows.flatMap(([of, duration]) => (of === database ? [duration] : [])).sort((a, b) => a - b);
    return PERCENTS.map((percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null);
  });
}

describe('exact ranks without sorting', () => {
  it('are those of the sorted durations, of any size up to 49 days', () => {
    const duration = fc.oneof(
      fc.integer({ min: 0, max: 4_294_967_295 }),
      fc.integer({ min: 60, max: 70 }),
      fc.constantFrom(0, 1, 63, 64, 127, 128, 65_535, 65_536, 2_147_483_647, 2_147_483_648, 4_294_967_295),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), duration), { maxLength: 200 }), (rows) => {
        assert.deepEqual(rankAll(3, rows), sortAll(3, rows));
      }),
      { numRuns: 500 },
    );
  });

  it('are so too where bins are wide, because databases are many', () => {
    for (const databases of [9_000, 65_535]) {
      const rows = Array.from({ length: 3_000 }, (_, i) => [databases - 1 - (i % 3), (i * 48_271) % 4_294_967_291] as const);
      const ranks = rankAll(databases, rows);
      assert.deepEqual(
        ranks.slice(-3),
        sortAll(
          3,
          rows.map(([database, duration]) => [database - databases + 3, duration]),
        ),
      );
      assert.deepEqual(ranks[0], [null, null, null, null, null]);
    }
  });

  it('are found among a hundred thousand durations of one bin, equal ones too', () => {
    const spread = Uint32Array.from({ length: 100_000 }, (_, i) => 2_147_483_648 + ((i * 7919) % 65_536));
    const sorted = spread.slice().sort();
    for (const rank of [0, 1, 49_999, 95_000, 99_999]) assert.equal(selectRank(spread.slice(), rank), sorted[rank]);
    assert.equal(selectRank(new Uint32Array(100_000).fill(77), 50_000), 77);
  });
});
