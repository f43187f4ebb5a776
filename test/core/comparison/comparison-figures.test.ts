import assert from 'node:assert/strict';
import type { Gap } from '../../../src/core/session/gap';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import type { MeasureComparison } from '../../../src/core/comparison/comparison';
import type { ComparedDatabase, ComparisonInput } from '../../../src/core/comparison/comparison-input';
import type { MeasureId } from '../../../src/core/comparison/comparison-measure';
import { writeMeasureSentence } from '../../../src/core/comparison/comparison-sentences';
import { BEGIN_UTC_MS, DAY_MS, HOUR_MS, changeAt, compare, createDraw, generateBlocks } from '../statistics/generated-history';

const CHANGE_UTC_MS = BEGIN_UTC_MS + 7 * DAY_MS;
const END_UTC_MS = BEGIN_UTC_MS + 14 * DAY_MS;
const CALM = { noise: 0.02, correlation: 0.5, log: 0.02 };
const BLOCKS = generateBlocks(createDraw(1), CALM, 14, 7);

/** One checkpoint each time that this many minutes have passed, so long before the change and so long after. */
function makeCheckpoints(everyMinutes: readonly [number, number], durationMs: readonly [number, number]): Pick<ComparisonInput, 'columns'> {
  const begins: number[] = [];
  for (let at = BEGIN_UTC_MS; at < END_UTC_MS; at += everyMinutes[at < CHANGE_UTC_MS ? 0 : 1] * 60_000) begins.push(at);
  return {
    columns: {
      rows: begins.length,
      beginUtcMs: Float64Array.from(begins),
      durationMs: Uint32Array.from(begins, (at, i) => durationMs[at < CHANGE_UTC_MS ? 0 : 1] * (i % 20 === 0 ? 10 : 1)),
      database: new Uint16Array(begins.length),
    },
  };
}

function observe(gaps: readonly Gap[] = []): Pick<ComparisonInput, 'observation'> {
  return { observation: { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS, gaps } };
}

function measure(id: MeasureId, one: Partial<ComparedDatabase>, rest: Partial<ComparisonInput> = {}): MeasureComparison {
  const [change] = compare([{ name: 'Orders', database: 0, changes: [changeAt(CHANGE_UTC_MS)], blocks: BLOCKS, ...one }], rest).changes;
  return change?.measures.find((each) => each.measure.id === id) ?? assert.fail('not measured');
}

function describeMeasure({ effect, conclusion }: MeasureComparison): readonly unknown[] {
  return [conclusion.kind, effect && Number(effect.before.toPrecision(3)), effect && Number(effect.after.toPrecision(3))];
}

describe('figures before and after', () => {
  it('of checkpoints: the time in them, called a different mechanism', () => {
    const rest = { ...makeCheckpoints([1, 1 / 3], [2000, 20]), ...observe() };
    const of = (id: MeasureId): readonly unknown[] => describeMeasure(measure(id, {}, rest));
    // One in twenty takes ten times as long: 60 * 2 s * (19 + 10) / 20.
    assert.deepEqual(of('checkpoint seconds'), ['fell', 174, 5.22]);
    assert.match(
      writeMeasureSentence(measure('checkpoint seconds', {}, rest), 60, { fromSeconds: 0, toSeconds: 60 }),
      /^Time in checkpoints fell: 0\.030 times .*seconds an hour: 174 before, 5\.22 after; .* Different mechanism/,
    );
    for (const [fromSeconds, toSeconds] of [
      [60, 30],
      [null, 60],
      [0, null],
    ] as const) {
      const sentence = writeMeasureSentence(measure('checkpoint seconds', {}, rest), 60, { fromSeconds, toSeconds });
      assert.doesNotMatch(sentence, /mechanism/, 'only where automatic became indirect, or the other way round, and it is known');
    }
    // What is written stayed the same, and so does the conclusion that counts.
    assert.equal(measure('write work', {}, rest).conclusion.kind, 'no difference');
  });

  it('of checkpoints count nothing of a gap: neither time nor what began in it', () => {
    const beginUtcMs = BEGIN_UTC_MS + 2 * DAY_MS;
    const gap: Gap = { kind: 'session stopped', beginUtcMs, endUtcMs: beginUtcMs + 6 * HOUR_MS + 7 * 60_000, reason: '' };
    const rest = { ...makeCheckpoints([1, 1], [2000, 2000]), ...observe([gap]) };
    const whole = measure('checkpoint seconds', {}, { ...makeCheckpoints([1, 1], [2000, 2000]), ...observe() });
    const cut = measure('checkpoint seconds', {}, rest);
    // One in twenty takes ten times as long: 60 * 2 s * 29 / 20.
    assert.deepEqual(describeMeasure(cut), ['no difference', 174, 174]);
    // Six hours are gone; of the seventh 53 minutes are enough.
    assert.equal(cut.blocks, whole.blocks - 6);
    assert.deepEqual(describeMeasure(measure('checkpoint seconds', { database: null }, rest)), ['not observable', null, null]);
  });

  it('of latency: milliseconds a write, data and log apart, and WRITELOG of the instance', () => {
    const blocks = BLOCKS.map((block) => ({ ...block, dataWriteStallMs: block.dataWrites * (block.beginUtcMs < CHANGE_UTC_MS ? 20 : 4) }));
    const instance = BLOCKS.map(({ beginUtcMs }) => ({
      beginUtcMs,
      observedMs: BLOCK_MS,
      checkpointPages: 100,
      backgroundWriterPages: null,
      lazyWrites: 1,
      pageWrites: 101,
      writelogWaits: 1000,
      writelogWaitMs: beginUtcMs < CHANGE_UTC_MS ? 9000 : 3000,
    }));
    assert.deepEqual(describeMeasure(measure('data latency', { blocks })), ['fell', 20, 4]);
    assert.equal(measure('log latency', { blocks }).conclusion.kind, 'no difference');
    assert.deepEqual(describeMeasure(measure('writelog wait', { blocks }, { instance })), ['fell', 9, 3]);
    // Before 2012 there is no counter of the background writer: the sum cannot be known.
    assert.equal(measure('instance write work', { blocks }, { instance }).conclusion.kind, 'not observable');
  });
});
