import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GapKind } from '../../../src/core/session/gap';
import { type Cadence, describeCadence } from '../../../src/core/statistics/cadence';
import { finishSteps } from '../../../src/core/steps';
import { countPauses } from '../finished';
import { columnsOf, observe, type Row } from './columns';

const ALWAYS = { beginUtcMs: -Infinity, endUtcMs: Infinity };
type GivenGap = readonly [number, number, GapKind];

/** Of sorted values. */
const rank = (values: readonly number[], percent: number): number | null =>
  [...values].sort((a, b) => a - b)[Math.ceil((percent * values.length) / 100) - 1] ?? null;

/** The intervals between these begins, one by one, and all figures of them by sorting at once. */
function describeAtOnce(begins: readonly number[], gaps: readonly GivenGap[], from: number, to: number): Omit<Cadence, 'database'> {
  const isGap = (ms: number): boolean => gaps.some(([a, b]) => ms >= a && ms < b);
  const seen = [from, ...gaps.map(([, end]) => end)].filter((ms) => ms >= from && ms < to && !isGap(ms));
  const seenUntil = [to, ...gaps.map(([begin]) => begin)].filter((ms) => ms > from && ms <= to && !isGap(ms - 1));
  const [first, last] = [Math.min(...seen), Math.max(...seenUntil)];
  const all = begins
    .slice(1)
    .map((begin, i) => ({ at: begins[i] ?? 0, ms: begin - (begins[i] ?? 0) }))
    .filter(({ at, ms }) => !gaps.some(([a, b]) => a < b && at < b && a < at + ms));
  const lengths = all.map(({ ms }) => ms);
  const inFirst = all.filter(({ at }) => at < first + (last - first) / 3).map(({ ms }) => ms);
  const inLast = all.filter(({ at }) => at >= last - (last - first) / 3).map(({ ms }) => ms);
  const isTold = inFirst.length >= 5 && inLast.length >= 5;
  return {
    intervals: all.length,
    medianMs: rank(lengths, 50),
    p25Ms: rank(lengths, 25),
    p75Ms: rank(lengths, 75),
    drift: isTold ? { firstThirdMs: rank(inFirst, 50) ?? 0, lastThirdMs: rank(inLast, 50) ?? 0 } : null,
  };
}

describe('cadence', () => {
  it('has the intervals that are found one by one, never with a gap in them, their quartiles, and their drift', () => {
    const time = fc.integer({ min: 0, max: 3_000 });
    const gap = fc
      .tuple(time, fc.integer({ min: -20, max: 200 }), fc.constantFrom<GapKind>('session stopped', 'events lost'))
      .map(([begin, ms, kind]): GivenGap => [begin, begin + ms, kind]);
    const cases = fc.record({
      rows: fc.array(fc.tuple(time, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 2 })), { maxLength: 150, size: 'max' }),
      gaps: fc.array(gap, { maxLength: 3 }),
    });
    let drifts = 0;
    fc.assert(
      fc.property(cases, ({ rows, gaps }) => {
        const cadences = finishSteps(describeCadence(columnsOf(...rows), 3, ALWAYS, observe(100, 2_900, ...gaps)));
        const isWatched = (ms: number): boolean => ms >= 100 && ms < 2_900 && !gaps.some(([a, b]) => ms >= a && ms < b);
        const isDoubtful = ([begin, ms]: Row): boolean =>
          gaps.some(([a, b, kind]) => a < b && (kind === 'events lost' ? a <= begin + ms && begin <= b : begin < b && b <= begin + ms));
        const expected = [0, 1, 2].flatMap((database) => {
          const mine = rows.filter((row) => row[2] === database && isWatched(row[0]) && !isDoubtful(row));
          if (mine.length === 0) return [];
          const begins = mine.map(([begin]) => begin).sort((a, b) => a - b);
          const figures = describeAtOnce(begins, gaps, 100, 2_900);
          if (figures.drift !== null) drifts++;
          return [{ database, ...figures }];
        });
        assert.deepEqual(cadences, expected);
      }),
      { numRuns: 400 },
    );
    assert.ok(drifts > 100, String(drifts));
  });

  it('is told of many checkpoints in steps, of one database or of many', () => {
    const rows = 150_000;
    for (const databases of [1, 3_000]) {
      const columns = {
        rows,
        beginUtcMs: Float64Array.from({ length: rows }, (_, row) => row * 1000 + ((row * 7919) % 997)),
        durationMs: new Uint32Array(rows),
        database: Uint16Array.from({ length: rows }, (_, row) => (row * 31) % databases),
      };
      const { pauses } = countPauses(describeCadence(columns, databases, ALWAYS, observe(0, rows * 1000 + 1000)));
      // Reading the rows has ten of them, sorting the intervals in parts of a few milliseconds the others.
      assert.ok(pauses > 20, `${pauses} pauses with ${databases} databases`);
    }
  });
});
