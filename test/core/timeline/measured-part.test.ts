import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeStatistics as stepStatistics } from '../../../src/core/statistics/statistics';
import { computeStatistics } from '../finished';
import { measurePart, measureWindow, type MeasuredFigures } from '../../../src/core/timeline/measured-part';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, indexOf, type Row } from './columns-of';

const measure = (...given: Parameters<typeof measurePart>): MeasuredFigures => finishSteps(measurePart(...given));
const SPAN_MS = 100_000;
const GAP = { kind: 'server restarted' as const, beginUtcMs: 40_000, endUtcMs: 45_000, reason: '' };
const OBSERVATION = { beginUtcMs: 0, endUtcMs: SPAN_MS, gaps: [GAP] };

const rowArbitrary: fc.Arbitrary<Row> = fc.tuple(
  fc.integer({ min: 0, max: SPAN_MS - 1 }),
  fc.integer({ min: 0, max: 9000 }),
  fc.integer({ min: 0, max: 3 }),
);
const windowArbitrary = fc
  .tuple(fc.integer({ min: 0, max: SPAN_MS - 2 }), fc.integer({ min: 1, max: SPAN_MS }))
  .map(([beginUtcMs, span]) => ({ beginUtcMs, endUtcMs: Math.min(SPAN_MS, beginUtcMs + span) }));

describe('What is measured', () => {
  it('of one database is what the tables say of it in that window', () => {
    fc.assert(
      fc.property(fc.array(rowArbitrary, { maxLength: 60 }), windowArbitrary, fc.integer({ min: 0, max: 3 }), (rows, window, database) => {
        const columns = columnsOf(rows);
        const { figures } = measure(columns, indexOf(columns), window, [database], OBSERVATION);
        assert.deepEqual({ ...figures, database }, computeStatistics(columns, 4, window, OBSERVATION)[database]);
      }),
    );
  });

  it('of several is of their checkpoints taken together, those that a gap spoilt left out and told', () => {
    const chosenArbitrary = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 2 });
    fc.assert(
      fc.property(fc.array(rowArbitrary, { maxLength: 60 }), windowArbitrary, chosenArbitrary, (rows, window, chosen) => {
        const columns = columnsOf(rows);
        const { figures, acrossGaps } = measure(columns, indexOf(columns), window, chosen, OBSERVATION);
        const all = rows.filter(
          ([begin, , database = 0]) => chosen.includes(database) && begin >= window.beginUtcMs && begin < window.endUtcMs,
        );
        const asOne = computeStatistics(columnsOf(all.map(([begin, duration]) => [begin, duration])), 1, window, OBSERVATION)[0];
        assert.deepEqual({ ...figures, database: 0 }, asOne);
        assert.equal(figures.count + acrossGaps, all.length);
      }),
    );
  });

  it('tells the time that was not observed, and databases that were not recorded throughout', () => {
    const columns = columnsOf([[1000, 10, 1]]);
    const window = { beginUtcMs: 0, endUtcMs: 50_000 };
    const unrecorded = [{ database: 1, beginUtcMs: 10_000, endUtcMs: 20_000 }];
    const several = measure(columns, indexOf(columns), window, [0, 1], { ...OBSERVATION, unrecorded });
    assert.deepEqual([several.coverage.observedMs, several.coverage.gapMs, several.partlyRecorded], [45_000, 5000, 1]);
    const alone = measure(columns, indexOf(columns), window, [1], { ...OBSERVATION, unrecorded });
    assert.deepEqual([alone.coverage.observedMs, alone.partlyRecorded], [35_000, 0]);
  });
});

describe('Figures of the databases in a window', () => {
  it('are those of the statistics, at the cost of what begins in it', () => {
    fc.assert(
      fc.property(fc.array(rowArbitrary, { maxLength: 60 }), windowArbitrary, (rows, window) => {
        const columns = columnsOf(rows);
        const figures = finishSteps(measureWindow(columns, indexOf(columns), window, 5, OBSERVATION));
        assert.deepEqual(figures, finishSteps(stepStatistics(columns, 5, window, OBSERVATION)));
      }),
    );
  });
});
