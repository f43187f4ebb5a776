import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import type { GapKind } from '../../../src/core/session/gap';
import { findCheckpointTime } from '../../../src/core/statistics/checkpoint-time';
import {
  compareLatency,
  type LatencyAnswer,
  type LatencySamples,
  selectFileSamples,
  selectWritelogSamples,
} from '../../../src/core/write-work/latency-during';
import type { DatabaseSamples, InstanceSamples } from '../../../src/core/write-work/work-samples';
import { createRandom } from '../../../simulator/scenarios/random';
import { finishSteps } from '../../../src/core/steps';
import { isAcrossGap, columnsOf, observe, type Row } from '../statistics/columns';
import { forAll } from '../../for-all';
import { anyRows } from '../timeline/columns-of';

/** [begin, end, operations, stall] a sample. */
type Sample = readonly [number, number, number, number];

function samplesOf(samples: readonly Sample[]): LatencySamples {
  const column = (place: number): Float64Array =>
    Float64Array.from(samples, (sample) => sample[place] ?? NaN);
  return {
    rows: samples.length,
    beginUtcMs: column(0),
    endUtcMs: column(1),
    operations: column(2),
    stallMs: column(3),
  };
}

const WINDOW = { beginUtcMs: 0, endUtcMs: 1e9 };

function ask(
  samples: readonly Sample[],
  rows: readonly Row[],
  observation: Observation = observe(0, 1e9),
  database: number | null = null,
): LatencyAnswer {
  const time = finishSteps(
    findCheckpointTime(
      columnsOf(...rows),
      WINDOW,
      observation,
      database === null ? null : new Set([database]),
    ),
  );
  return finishSteps(compareLatency(samplesOf(samples), time, WINDOW, observation));
}

/** Samples one after the other: during checkpoints an operation waits 20 ms, else 1 ms, ten operations a second. */
function sampleEvery(everyMs: number, untilMs: number, rows: readonly Row[], offsetMs = 0): Sample[] {
  const samples: Sample[] = [];
  for (let begin = offsetMs; begin + everyMs <= untilMs; begin += everyMs) {
    const coveredMs = rows.reduce(
      (sum, [at, ms]) => sum + Math.max(0, Math.min(begin + everyMs, at + ms) - Math.max(begin, at)),
      0,
    );
    samples.push([begin, begin + everyMs, everyMs / 100, (coveredMs * 20 + (everyMs - coveredMs)) / 100]);
  }
  return samples;
}

const everyMinute = (durationMs: number): Row[] =>
  Array.from({ length: 60 }, (_, i): Row => [i * 60_000 + 7_000, durationMs, 0]);

describe('latency during checkpoints against outside', () => {
  it('is refused with samples of 60 s and checkpoints of 2 s, and says which interval would do', () => {
    const answer = ask(sampleEvery(60_000, 3_600_000, everyMinute(2_000)), everyMinute(2_000));
    assert.deepEqual(
      [answer.kind, answer.kind === 'resolution too coarse' && answer.neededMs],
      ['resolution too coarse', 1250],
    );
    assert.deepEqual(
      [answer.sampleMs, answer.use.during, answer.use.outside, answer.use.mixed],
      [60_000, 0, 60, 0],
    );
  });

  it('is told with the very interval that was said to do, wherever the samples fall', () => {
    for (const offsetMs of [0, 400, 625, 999, 1_249]) {
      const answer = ask(sampleEvery(1_250, 3_600_000, everyMinute(2_000), offsetMs), everyMinute(2_000));
      if (answer.kind !== 'answered') return assert.fail(answer.kind);
      assert.ok(answer.during.samples >= 59, `${answer.during.samples} of 60 checkpoints`);
      assert.ok(answer.during.averageMs > 15 && answer.outside.averageMs < 2);
      assert.ok(answer.duringShare >= 0.5);
    }
  });

  it('is told with samples of 5 s and checkpoints of 20 s', () => {
    const rows = everyMinute(20_000);
    const answer = ask(sampleEvery(5_000, 3_600_000, rows), rows);
    if (answer.kind !== 'answered') return assert.fail(answer.kind);
    // 7 s to 27 s: three samples lie wholly inside, two partly.
    assert.deepEqual(answer.during, { samples: 180, averageMs: 20 });
    assert.deepEqual([answer.outside.samples, answer.outside.averageMs, answer.use.mixed], [420, 1, 120]);
    assert.equal(answer.duringShare, 0.75);
  });

  it('is refused where checkpoints leave no time outside of them that a sample fits in', () => {
    const rows = Array.from({ length: 3600 }, (_, i): Row => [i * 1000, 900, 0]);
    const answer = ask(sampleEvery(5_000, 3_600_000, rows), rows, observe(0, 3_600_000));
    assert.deepEqual(
      [answer.kind, answer.kind === 'resolution too coarse' && answer.neededMs],
      ['resolution too coarse', 62],
    );
  });

  it('is estimated where every sample holds a part of a checkpoint, and is as certain as it says, also where fewer operations come during them', () => {
    const ofSite = (seed: number): { readonly answer: LatencyAnswer; readonly difference: number } => {
      const { whole } = createRandom(seed, 0);
      const rows: Row[] = [];
      for (let at = 0; at < 3_600_000; at += whole(2_000, 7_000)) rows.push([at, whole(500, 1_900), 0]);
      const [duringMs, outsideMs] = [whole(1, 60), whole(1, 10)];
      const samples = sampleEvery(15_000, 3_600_000, rows).map(([begin, end, , stall]): Sample => {
        // The time in checkpoints, from the wait that `sampleEvery` gives it.
        const coveredMs = (stall * 100 - 15_000) / 19;
        const [during, outside] = [
          (coveredMs / 100) * whole(80, 120),
          ((15_000 - coveredMs) / 50) * whole(80, 120),
        ];
        return [begin, end, during + outside, during * duringMs + outside * outsideMs];
      });
      return { answer: ask(samples, rows), difference: duringMs - outsideMs };
    };
    const sites = Array.from({ length: 60 }, (_, seed) => ofSite(seed));
    const told = sites.flatMap(({ answer, difference }) =>
      answer.kind === 'answered' && answer.marginMs !== null
        ? [Math.abs(answer.during.averageMs - answer.outside.averageMs - difference) / answer.marginMs]
        : [],
    );
    assert.ok(told.length >= 40, `${told.length} of 60 told`);
    assert.ok(
      told.filter((off) => off <= 1).length >= 0.9 * told.length,
      `off by ${told.map((off) => off.toFixed(1)).join(', ')} margins`,
    );
    assert.ok(sites.every(({ answer }) => answer.kind !== 'not enough samples'));
  });

  it('is not estimated from what else comes and goes with checkpoints: a day that gets busier, or a burst before each', () => {
    const ask15 = (
      rows: readonly Row[],
      latencyAt: (begin: number, coveredMs: number) => number,
    ): LatencyAnswer =>
      ask(
        sampleEvery(15_000, 3_600_000, rows).map(([begin, end, operations, stall]): Sample => {
          return [begin, end, operations, operations * latencyAt(begin, (stall * 100 - 15_000) / 19)];
        }),
        rows,
      );
    // From hour to hour more checkpoints and slower writes, which wait for none of them.
    const denser: Row[] = Array.from({ length: 600 }, (_, i): Row => [
      Math.round(3_600_000 * Math.sqrt(i / 600)),
      1_500,
      0,
    ]);
    const day = ask15(denser, (begin) => 3 + begin / 300_000);
    assert.ok(
      day.kind !== 'answered' || Math.abs(day.during.averageMs - day.outside.averageMs) < 1,
      JSON.stringify(day),
    );
    // A job writes log each minute, and then the checkpoint comes: no sample lies far enough into it.
    const bursts = everyMinute(3_000);
    assert.equal(ask15(bursts, (begin) => (begin % 60_000 === 0 ? 12 : 2)).kind, 'resolution too coarse');
  });

  it('is refused where there are too few samples, or no checkpoint at all, without blaming the resolution', () => {
    const rows = everyMinute(20_000).slice(0, 2);
    assert.deepEqual(ask(sampleEvery(5_000, 95_000, rows), rows).kind, 'not enough samples');
    assert.deepEqual(ask(sampleEvery(5_000, 3_600_000, []), []).kind, 'not enough samples');
    assert.deepEqual(ask([], rows).kind, 'not enough samples');
  });

  it('uses no sample without an operation, and none whose counters could not be observed', () => {
    const samples: readonly Sample[] = [
      [0, 10, 0, 0],
      [10, 20, NaN, NaN],
      [20, 30, 5, NaN],
      [30, 30, 5, 5],
      [30, 40, 5, 5],
    ];
    assert.deepEqual(ask(samples, []).use, {
      samples: 5,
      during: 0,
      outside: 1,
      mixed: 0,
      unobserved: 1,
      idle: 3,
    });
  });

  it('sorts samples as going through every millisecond does, for any checkpoints and gaps', () => {
    const time = fc.integer({ min: 0, max: 300 });
    const cases = fc.record({
      rows: anyRows(300, 60, 2, 12),
      gaps: fc.array(fc.tuple(time, time, fc.constantFrom<GapKind>('session stopped', 'events lost')), {
        maxLength: 3,
      }),
      database: fc.constantFrom(null, 0, 1),
      lengths: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }),
    });
    forAll(cases, 400, ({ rows, gaps, database, lengths }) => {
      let at = 0;
      const samples = lengths.map((ms): Sample => [at, (at += ms), 1, 1]);
      const { use } = ask(samples, rows, observe(5, 290, ...gaps), database);
      const isGap = (ms: number): boolean => ms < 5 || ms >= 290 || gaps.some(([a, b]) => ms >= a && ms < b);
      const isAcross = (row: Row): boolean => isAcrossGap(row, gaps);
      const mine = rows.filter((row) => database === null || row[2] === database);
      const runsAt = (ms: number, some: readonly Row[]): boolean =>
        some.some(([begin, length]) => ms >= begin && ms < begin + length);
      const [sound, doubtful] = [mine.filter((row) => !isAcross(row)), mine.filter(isAcross)];
      const expected = { samples: samples.length, during: 0, outside: 0, mixed: 0, unobserved: 0, idle: 0 };
      for (const [begin, end] of samples) {
        const milliseconds = Array.from({ length: end - begin }, (_, i) => begin + i);
        const covered = milliseconds.filter((ms) => runsAt(ms, sound)).length;
        if (milliseconds.some((ms) => isGap(ms) || runsAt(ms, doubtful))) expected.unobserved++;
        else if (covered * 10 >= milliseconds.length * 8) expected.during++;
        else if (covered * 10 <= milliseconds.length * 2) expected.outside++;
        else expected.mixed++;
      }
      assert.deepEqual(use, expected);
    });
  });
});

describe('latency samples', () => {
  it('are of the files of one database, without what could not be observed', () => {
    const [beginUtcMs, endUtcMs] = [Float64Array.of(0, 0, 10, 10), Float64Array.of(10, 10, 20, 20)];
    const [logWrites, dataWrites] = [Float64Array.of(2, 5, NaN, 7), Float64Array.of(1, 1, 1, 1)];
    const times = { rows: 4, beginUtcMs, endUtcMs, database: Uint16Array.of(0, 1, 0, 1) };
    const figures = {
      logWrites,
      logWriteStallMs: logWrites.map((writes) => writes * 3),
      dataWrites,
      dataWriteStallMs: new Float64Array(4),
    };
    const samples = { ...times, ...figures } as unknown as DatabaseSamples;
    const list = ({ rows, beginUtcMs, endUtcMs, operations, stallMs }: LatencySamples): unknown =>
      Array.from({ length: rows }, (_, i) => [beginUtcMs[i], endUtcMs[i], operations[i], stallMs[i]]);
    assert.deepEqual(list(selectFileSamples(samples, 'log', 0)), [[0, 10, 2, 6]]);
    assert.deepEqual(list(selectFileSamples(samples, 'data', 1)), [
      [0, 10, 1, 0],
      [10, 20, 1, 0],
    ]);
  });

  it('are of waits for the log of the whole instance', () => {
    const one = (value: number): Float64Array => Float64Array.of(value);
    const writelog = {
      rows: 1,
      beginUtcMs: one(0),
      endUtcMs: one(5),
      writelogWaits: one(4),
      writelogWaitMs: one(9),
    };
    const samples = selectWritelogSamples(writelog as unknown as InstanceSamples);
    assert.deepEqual([samples.rows, samples.operations[0], samples.stallMs[0]], [1, 4, 9]);
  });
});
