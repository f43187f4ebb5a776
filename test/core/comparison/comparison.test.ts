import assert from 'node:assert/strict';
import { addBlocks } from '../../../src/core/comparison/added-blocks';
import type { MeasureComparison } from '../../../src/core/comparison/comparison';
import type { ComparisonInput } from '../../../src/core/comparison/comparison-figures';
import type { MeasureId } from '../../../src/core/comparison/comparison-measure';
import {
  writeAnswer,
  writeMeasureSentence,
  writeMethodSentence,
} from '../../../src/core/comparison/comparison-sentences';
import type { Gap } from '../../../src/core/session/gap';
import { finishSteps } from '../../../src/core/steps';
import {
  BEGIN_UTC_MS,
  compare,
  createDraw,
  DAY_MS,
  generateBlocks,
  HOUR_MS,
  measureOf,
  type Shift,
} from '../statistics/generated-history';
import { valuesOf } from '../values-of';
import { gapOf } from '../gap-of';

const CALM = { noise: 0.05, correlation: 0.5 };
const CHANGE_UTC_MS = BEGIN_UTC_MS + 7 * DAY_MS;
const END_UTC_MS = BEGIN_UTC_MS + 14 * DAY_MS;
const compareShift = (shift: Shift, more: Partial<ComparisonInput> = {}) =>
  compare(generateBlocks(createDraw(1), CALM, 14, 7, shift), CHANGE_UTC_MS, more);
const conclude = (shift: Shift): string => measureOf(compareShift(shift)).conclusion.kind;

/** One checkpoint each minute, twenty seconds long before the change and 20 ms after it. */
function checkpoints(gaps: readonly Gap[] = []): Partial<ComparisonInput> {
  const rows = (END_UTC_MS - BEGIN_UTC_MS) / 60_000;
  const beginUtcMs = Float64Array.from({ length: rows }, (_, i) => BEGIN_UTC_MS + i * 60_000);
  const durationMs = Uint32Array.from(beginUtcMs, (at) => (at < CHANGE_UTC_MS ? 20_000 : 20));
  const columns = { rows, beginUtcMs, durationMs, database: new Uint16Array(rows) };
  return {
    columns,
    captured: new Set([0]),
    observation: { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS, gaps },
  };
}

describe('Whether a change is more than chance', () => {
  it('says that total write work rose, fell or showed no difference, as it was made', () => {
    assert.deepEqual(
      [conclude({ writes: 1.6 }), conclude({ writes: 0.6 }), conclude({})],
      ['rose', 'fell', 'no difference'],
    );
  });

  it('cannot tell where the log, the transactions or their mix changed at the same moment', () => {
    for (const shift of [{ writes: 1.6, log: 2 }, { log: 0.5 }, { writes: 1.6, transactions: 2 }])
      assert.equal(conclude(shift), 'cannot tell');
  });

  it('gives the effect with an interval that holds what was made', () => {
    const { effect, pairs, blocks } = measureOf(compareShift({ writes: 1.6 }));
    assert.ok(
      effect !== null && effect.low > 1.4 && effect.low < 1.6 && effect.high! > 1.6 && effect.high! < 1.8,
      JSON.stringify(effect),
    );
    // 24 hours of seven days, less the hour in which the change settles.
    assert.deepEqual([pairs, blocks], [7, 7 * 24 - 1]);
  });

  it('needs five pairs of days, and gives no answer from days of other weekdays', () => {
    const days = (from: number, to: number): string => {
      const blocks = generateBlocks(createDraw(1), CALM, 14, 7, { writes: 2 }).filter(
        ({ beginUtcMs }) =>
          beginUtcMs >= BEGIN_UTC_MS + from * DAY_MS && beginUtcMs < BEGIN_UTC_MS + to * DAY_MS,
      );
      return measureOf(compare(blocks, CHANGE_UTC_MS)).conclusion.kind;
    };
    assert.equal(days(0, 12), 'rose');
    // Four days after; then five before and five after, three of them in common.
    for (const [from, to] of [
      [0, 11],
      [2, 12],
      [3, 11],
      [0, 7],
    ] as const)
      assert.equal(days(from, to), 'not enough data');
  });

  it('leaves out the time in which the change may lie, and what was before another one', () => {
    const blocks = generateBlocks(createDraw(1), CALM, 14, 7);
    const sides = {
      calmUtcMs: BEGIN_UTC_MS + DAY_MS,
      firstUtcMs: CHANGE_UTC_MS - 6 * HOUR_MS,
      lastUtcMs: CHANGE_UTC_MS,
    };
    const { pairs, blocks: count } = measureOf(compare(blocks, CHANGE_UTC_MS, { sides }));
    assert.deepEqual([pairs, count], [6, 6 * 24 - 6]);
  });

  it('counts time in checkpoints of the changed databases, and nothing of a gap', () => {
    const of = (more: Partial<ComparisonInput>): MeasureComparison =>
      measureOf(compareShift({}, more), 'checkpoint seconds');
    const { effect, blocks, conclusion } = of(checkpoints());
    assert.deepEqual(
      [conclusion.kind, effect?.before.toFixed(1), effect?.after.toFixed(1)],
      ['fell', '1200.0', '1.2'],
    );
    const beginUtcMs = BEGIN_UTC_MS + 2 * DAY_MS;
    const gap = gapOf('session stopped', beginUtcMs, beginUtcMs + 6 * HOUR_MS + 7 * 60_000);
    // Six hours are gone; of the seventh 53 minutes are enough.
    assert.deepEqual(
      [of(checkpoints([gap])).blocks, of(checkpoints([gap])).effect?.before.toFixed(1)],
      [blocks - 6, '1200.0'],
    );
    assert.equal(of({}).conclusion.kind, 'not observable');
    assert.equal(of({ ...checkpoints(), captured: new Set([1]) }).conclusion.kind, 'no difference');
  });

  it('compares how long a write took, data and log apart', () => {
    const blocks = generateBlocks(createDraw(1), CALM, 14, 7).map((block) => ({
      ...block,
      dataWriteStallMs: block.dataWrites * (block.beginUtcMs < CHANGE_UTC_MS ? 20 : 4),
    }));
    const kindOf = (id: MeasureId): string => measureOf(compare(blocks, CHANGE_UTC_MS), id).conclusion.kind;
    assert.deepEqual([kindOf('data latency'), kindOf('log latency')], ['fell', 'no difference']);
  });

  it('answers in a sentence or two, and says what each measure rests on', () => {
    const told = compareShift({ writes: 1.6 }, checkpoints());
    assert.match(
      writeAnswer(told),
      /^Time in checkpoints fell: 1,200 → 1\.2\d? seconds an hour\. Data per byte of log of the changed databases rose: 3 → 4\.8 bytes\.$/,
    );
    assert.match(
      writeMeasureSentence(measureOf(told)),
      /^Data per byte of log of the changed databases rose: 1\.\d\d times .*; bytes: [\d.]+ before, \d\.\d+ after; 7 pairs of days, 167 hours on each side\.$/,
    );
    assert.match(
      writeMethodSentence(told),
      /Bonferroni-corrected for 4 measures: 98\.7 % each\. .*a slow drift cannot be told from a change\./,
    );
    assert.equal(writeAnswer(compare([], CHANGE_UTC_MS)), '0 of 5 comparable days so far.');
  });

  it('counts days without anything to measure by: a database that wrote no log', () => {
    const idle = { dataWrittenBytes: 0, logWrittenBytes: 0, writeTransactions: 0 };
    const blocks = generateBlocks(createDraw(1), { noise: 0, correlation: 0 }, 14, 7).map((block) => ({
      ...block,
      ...idle,
    }));
    assert.deepEqual(measureOf(compare(blocks, CHANGE_UTC_MS)).conclusion.because, [
      '0 pairs of days with 4 hours or more in common; 5 are needed.',
      '7 more pairs had nothing to measure.',
    ]);
  });

  it('adds up databases in the quarter hours in which each of them was sampled', () => {
    const [one, other] = [1, 2].map((seed) => generateBlocks(createDraw(seed), CALM, 1, 1));
    const added = finishSteps(addBlocks([() => one!, () => other!.slice(4), () => []]));
    assert.equal(added.length, one!.length - 4);
    assert.equal(added[0]?.dataWrittenBytes, one![4]!.dataWrittenBytes + other![4]!.dataWrittenBytes);
    assert.deepEqual(valuesOf(added, 'beginUtcMs'), valuesOf(one!.slice(4), 'beginUtcMs'));
    const [unseen] = finishSteps(
      addBlocks([() => one!, () => other!.map((block) => ({ ...block, writeTransactions: null }))]),
    );
    assert.equal(unseen?.writeTransactions, null);
  });
});
