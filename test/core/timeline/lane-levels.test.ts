import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import { codeOfDuration } from '../../../src/core/timeline/duration-levels';
import {
  createLaneIndex,
  indexNewRows,
  type Lane,
  type LaneIndex,
} from '../../../src/core/timeline/lane-index';
import { LEAST_ROWS, type LaneLevels } from '../../../src/core/timeline/lane-levels';
import { columnsOf, type Row } from './columns-of';
import { forAll } from '../../for-all';

const RECOVERY_MS = 60_000;

/** Every bin that holds something, by its number, of every level: told from the checkpoints alone. */
function expectBins(rows: readonly Row[], binMs: number): ReadonlyMap<number, number> {
  const bins = new Map<number, number>();
  for (const [begin, duration] of rows) {
    for (
      let bin = Math.floor(begin / binMs);
      bin === Math.floor(begin / binMs) || bin * binMs < begin + duration;
      bin++
    )
      bins.set(bin, Math.max(bins.get(bin) ?? 0, codeOfDuration(duration, RECOVERY_MS)));
  }
  return bins;
}

function assertExact(levels: LaneLevels, rows: readonly Row[]): void {
  for (const [i, { bins, firstBin }] of levels.levels.entries()) {
    const held = new Map(
      [...bins].flatMap((code, bin) => (code > 0 ? [[firstBin + bin, code] as const] : [])),
    );
    const wanted = expectBins(rows, levels.finestMs * 4 ** i);
    assert.deepEqual([...held].sort(), [...wanted].sort(), `level ${i}`);
  }
}

/** Takes the rows in with as many calls as there are pieces. */
function index(columns: CheckpointColumns, pieces: readonly number[]): LaneIndex {
  const grown = createLaneIndex();
  for (const rows of pieces) indexNewRows(grown, { ...columns, rows });
  return grown;
}

/** A lane at an even pace, checkpoints of a tenth of the time between them. */
const steady = (count: number, everyMs: number, fromMs = 0): readonly Row[] =>
  Array.from({ length: count }, (_, i): Row => [
    fromMs + i * everyMs,
    1 + ((i * 7) % Math.max(2, Math.floor(everyMs / 5))),
  ]);

const laneOf = (rows: readonly Row[], pieces: readonly number[] = [rows.length]): Lane =>
  index(columnsOf(rows), pieces).lanes[0]!;

describe('The levels of detail of a lane', () => {
  it('hold the longest checkpoint of every bin of every level, in whatever order the checkpoints came, early and late ones too', () => {
    const odd: fc.Arbitrary<Row> = fc.tuple(
      fc.integer({ min: -400_000, max: 900_000 }),
      fc.oneof(fc.nat(50), fc.nat(100_000)),
    );
    forAll(
      fc.tuple(fc.integer({ min: 1, max: 300 }), fc.array(odd, { maxLength: 40 }), fc.nat(300)),
      60,
      ([everyMs, late, cut]) => {
        const rows = [...steady(LEAST_ROWS + cut, everyMs), ...late, ...steady(50, 20, 300_000)];
        const lane = laneOf(rows, [cut, LEAST_ROWS + cut, rows.length]);
        assertExact(lane.levels!, rows);
      },
    );
  });

  it('are kept only where there are many checkpoints', () => {
    assert.equal(laneOf(steady(LEAST_ROWS - 1, 100)).levels, null);
    assert.ok(laneOf(steady(LEAST_ROWS, 100)).levels);
  });

  it('are not built again by appends at an even pace: a few bins are touched for each', () => {
    const rows = steady(20_000, 1000);
    const columns = columnsOf(rows);
    const grown = createLaneIndex();
    indexNewRows(grown, { ...columns, rows: 2000 });
    const before = grown.lanes[0]!.levels!;
    const workBefore = before.work;
    for (let held = 2001; held <= rows.length; held += 37) indexNewRows(grown, { ...columns, rows: held });
    indexNewRows(grown, columns);
    assert.equal(grown.lanes[0]!.levels, before);
    const each = (before.work - workBefore) / (rows.length - 2000);
    assert.ok(each > 1 && each < 4, `${each} bins for each checkpoint`);
    assertExact(before, rows);
  });

  it('fit the pace also where it changes a hundredfold, and stay in bounds for a checkpoint of another century', () => {
    const rows = [
      ...steady(3000, 10),
      ...steady(3000, 1000, 30_000),
      ...steady(6000, 10, 4_000_000),
      [4_000_000_000_000, 5] as Row,
    ];
    const lane = laneOf(rows.slice(0, -1));
    assertExact(lane.levels!, rows.slice(0, -1));
    const withOdd = laneOf(rows);
    assertExact(withOdd.levels!, rows);
    for (const { levels } of [lane, withOdd])
      assert.ok(countBytes(levels!) < 12_000 * 20, `${countBytes(levels!)} bytes`);
  });
});

const countBytes = ({ levels }: LaneLevels): number =>
  levels.reduce((sum, { bins }) => sum + bins.byteLength, 0);
