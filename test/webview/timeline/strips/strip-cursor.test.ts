import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  STRIP_SERIES,
  type StripSamples,
  type StripSeries,
} from '../../../../src/core/timeline/strip-samples';
import {
  columnOfPlace,
  moveOnStrips,
  type ShownStrips,
  type StripPlace,
} from '../../../../src/webview/timeline/strips/strip-cursor';
import { forAll } from '../../../for-all';

/**
 * Samples one behind the other from a moment on, by their lengths; of each pair the second number is what was not
 * sampled before it.
 */
function samplesOf(
  fromUtcMs: number,
  lengths: readonly (readonly [lengthMs: number, holeMs: number])[],
): StripSamples {
  const begins: number[] = [];
  const ends: number[] = [];
  let at = fromUtcMs;
  for (const [lengthMs, holeMs] of lengths) {
    begins.push((at += holeMs));
    ends.push((at += lengthMs));
  }
  const values = Object.fromEntries(
    STRIP_SERIES.map((name) => [name, new Float32Array(begins.length)]),
  ) as Record<StripSeries, Float32Array>;
  return {
    samples: begins.length,
    beginUtcMs: Float64Array.from(begins),
    endUtcMs: Float64Array.from(ends),
    values,
  };
}

const view = { beginUtcMs: 1_700_000_000_000, endUtcMs: 1_700_000_100_000, columns: 100 };
const shown: ShownStrips = {
  ids: ['busy', 'logWrite', 'pages'],
  view,
  samples: samplesOf(view.beginUtcMs, []),
};
const columnOf = (place: StripPlace, { view: of } = shown): number => columnOfPlace(of, place)!;
const onBusy = (column: number): StripPlace => ({ id: 'busy', utcMs: view.beginUtcMs + column * 1000 + 1 });

describe('The place of the keyboard on the strips', () => {
  it('goes by pixel columns where a strip is made of checkpoints, and stops at the ends of the window', () => {
    const by = (from: number, steps: number): number =>
      columnOf(moveOnStrips({ type: 'time', steps }, onBusy(from), shown));
    assert.deepEqual(
      [by(40, 1), by(40, -1), by(40, 10), by(40, -10), by(95, 10), by(3, -10)],
      [41, 39, 50, 30, 99, 0],
    );
    assert.equal(columnOf(moveOnStrips({ type: 'begin' }, onBusy(40), shown)), 0);
    assert.equal(columnOf(moveOnStrips({ type: 'end' }, onBusy(40), shown)), 99);
  });

  it('goes from strip to strip at the same moment, and stops at the first and the last', () => {
    const below = moveOnStrips({ type: 'strip', step: 1 }, onBusy(40), shown);
    assert.deepEqual([below.id, columnOf(below)], ['logWrite', 40]);
    const last = moveOnStrips({ type: 'strip', step: 1 }, { ...below, id: 'pages' }, shown);
    assert.deepEqual([last.id, columnOf(last)], ['pages', 40]);
    assert.equal(moveOnStrips({ type: 'strip', step: -1 }, onBusy(40), shown).id, 'busy');
    assert.equal(
      moveOnStrips({ type: 'strip', step: 1 }, { ...below, id: 'writelog' }, shown).id,
      'logWrite',
      'one that is gone is the first',
    );
  });

  it('begins at the edge from which the step leads into the window, also where the window has left it behind', () => {
    for (const place of [
      null,
      { id: 'busy', utcMs: view.beginUtcMs - 1 },
      { id: 'busy', utcMs: view.endUtcMs },
    ] as const) {
      assert.equal(columnOf(moveOnStrips({ type: 'time', steps: 1 }, place, shown)), 0);
      assert.equal(columnOf(moveOnStrips({ type: 'time', steps: -10 }, place, shown)), 99);
      const first = moveOnStrips({ type: 'strip', step: 1 }, place, shown);
      assert.deepEqual([first.id, columnOf(first)], ['busy', 99]);
    }
  });

  it('stays at its moment while the window moves', () => {
    const place = moveOnStrips({ type: 'time', steps: 1 }, onBusy(40), shown);
    const later = { ...view, beginUtcMs: view.beginUtcMs + 5000, endUtcMs: view.endUtcMs + 5000 };
    assert.equal(columnOfPlace(later, place), 36);
    assert.equal(columnOfPlace({ ...view, beginUtcMs: view.beginUtcMs + 60_000 }, place), null);
  });

  it('goes by samples where they are wider than a pixel, and through what was not sampled by pixels', () => {
    const samples = samplesOf(view.beginUtcMs, [
      [15_000, 0],
      [15_000, 0],
      [15_000, 3000],
    ]);
    const of: ShownStrips = { ids: ['logWrite'], view, samples };
    const walk = (steps: 1 | -1, from: number, presses: number): readonly number[] => {
      let place: StripPlace = { id: 'logWrite', utcMs: view.beginUtcMs + from * 1000 + 500 };
      return Array.from({ length: presses }, () =>
        columnOf((place = moveOnStrips({ type: 'time', steps }, place, of))),
      );
    };
    assert.deepEqual(walk(1, 4, 7), [15, 30, 31, 32, 33, 48, 49]);
    assert.deepEqual(walk(-1, 50, 8), [49, 48, 47, 32, 31, 30, 29, 14]);
    assert.equal(
      columnOf(moveOnStrips({ type: 'time', steps: 10 }, { id: 'logWrite', utcMs: view.beginUtcMs }, of)),
      52,
    );
  });

  it('comes to every sample that fills a pixel column, and never past another column, in both directions', () => {
    const tens = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map((tenth) => tenth * 10);
    const lengths = fc.array(fc.tuple(tens(1, 900), fc.oneof(fc.constant(0), tens(0, 500))), {
      maxLength: 40,
    });
    forAll(
      fc.tuple(lengths, tens(-500, 500), fc.constantFrom(1 as const, -1 as const)),
      ([of, from, direction]) => {
        const samples = samplesOf(view.beginUtcMs + from, of);
        const visited: number[] = [];
        let place = moveOnStrips(
          { type: direction === 1 ? 'begin' : 'end' },
          { id: 'pages', utcMs: 0 },
          { ...shown, samples },
        );
        for (let column = columnOf(place); ; column = columnOf(place)) {
          assert.ok(
            visited.length === 0 || (column - visited[visited.length - 1]!) * direction > 0,
            'it always goes on',
          );
          visited.push(column);
          if (column === (direction === 1 ? 99 : 0)) break;
          place = moveOnStrips({ type: 'time', steps: direction }, place, { ...shown, samples });
        }
        const holds = (column: number, sample: number): boolean =>
          samples.beginUtcMs[sample]! <= view.beginUtcMs + column * 1000 &&
          samples.endUtcMs[sample]! >= view.beginUtcMs + (column + 1) * 1000;
        for (let sample = 0; sample < samples.samples; sample++) {
          const filled = Array.from({ length: 100 }, (_, column) => column).filter((column) =>
            holds(column, sample),
          );
          const stops = filled.filter((column) => visited.includes(column));
          if (filled.length > 0) assert.ok(stops.length >= 1, `sample ${sample} is told`);
        }
        // What is passed over lies within samples that were told.
        for (let column = 0; column < 100; column++) {
          if (visited.includes(column)) continue;
          const near = Array.from({ length: samples.samples }, (_, sample) => sample).filter(
            (sample) =>
              samples.beginUtcMs[sample]! < view.beginUtcMs + (column + 1) * 1000 &&
              samples.endUtcMs[sample]! > view.beginUtcMs + column * 1000,
          );
          assert.ok(near.length > 0, `column ${column} without a sample was passed over`);
        }
      },
    );
  });
});
