import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { STRIP_SERIES, type StripSamples } from '../../../src/core/timeline/strip-samples';
import {
  MOST_STRIP_SAMPLES,
  readStripSamples,
  type StripPosition,
} from '../../../src/core/timeline/strip-series';
import { finishSteps } from '../../../src/core/steps';
import { fileOf, filesAt, instanceAt, MIDNIGHT_MS, momentAt } from '../write-work/work-readings-of';
import { forAll } from '../../for-all';

const secondMs = 1_000;
const minuteMs = 60_000;
const longestMs = 3 * minuteMs;

/** All counters of the instance at the same value. */
function instance(log: WriteWorkLog, atMs: number, value: number): void {
  log.appendInstance(instanceAt(atMs, value), longestMs);
}

/** Two databases; `stall` of the first one's writes. */
function databases(log: WriteWorkLog, atMs: number, writes: number, stall: number): void {
  const figures = {
    dataWrites: writes,
    dataWriteStallMs: stall,
    logWrites: writes,
    logWriteStallMs: stall * 2,
  };
  const idle = { dataWrites: 0, dataWriteStallMs: 0, logWrites: 0, logWriteStallMs: 0 };
  finishSteps(
    log.appendDatabases(
      filesAt(atMs, fileOf(5, 0, { figures }), fileOf(6, 0, { figures: idle })),
      null,
      longestMs,
    ),
  );
}

function list({ samples, beginUtcMs, endUtcMs, values }: StripSamples): readonly (readonly number[])[] {
  return Array.from({ length: samples }, (_, at) => [
    (beginUtcMs[at] ?? NaN) - MIDNIGHT_MS,
    (endUtcMs[at] ?? NaN) - MIDNIGHT_MS,
    ...STRIP_SERIES.map((series) => values[series][at] ?? NaN),
  ]);
}

const whole = (log: WriteWorkLog, isGoingOn = false): readonly (readonly number[])[] =>
  list(readStripSamples(log, isGoingOn, null)?.samples ?? assert.fail());

describe('Samples for the strips', () => {
  it('are rates and averages of each sample of the instance, with the latencies over all databases then', () => {
    const log = new WriteWorkLog();
    databases(log, 0, 0, 0);
    instance(log, 0, 0);
    instance(log, 30 * secondMs, 300);
    instance(log, minuteMs, 900);
    databases(log, minuteMs, 50, 400);
    // Counters of the instance are all the same: WRITELOG waited 300 ms in 300 waits.
    assert.deepEqual(whole(log), [
      [0, 30 * secondMs, 8, 16, 1, 10, 10],
      [30 * secondMs, minuteMs, 8, 16, 1, 20, 20],
    ]);
  });

  it('are given again where the clock went back, because what was given lies in a time that comes again', () => {
    const log = new WriteWorkLog();
    for (let minute = 0; minute <= 5; minute++) instance(log, minute * minuteMs, minute * 60);
    const { cursor } = readStripSamples(log, false, null) ?? assert.fail();
    for (let minute = 6; minute <= 8; minute++) {
      const moment = momentAt(minute * minuteMs, { nowUtcMs: MIDNIGHT_MS + (minute - 4) * minuteMs });
      log.appendInstance({ ...instanceAt(0, minute * 120), moment }, longestMs);
    }
    const update = readStripSamples(log, false, cursor) ?? assert.fail();
    assert.equal(update.replaces, true);
    assert.deepEqual(
      list(update.samples).map(([begin, end, , , , pages]) => [begin, end, pages]),
      [
        [0, minuteMs, 1],
        [minuteMs, 2 * minuteMs, 1],
        [2 * minuteMs, 3 * minuteMs, 2],
        [3 * minuteMs, 4 * minuteMs, 2],
      ],
    );
  });

  it('are not a number where nothing was written, nothing waited, or nothing could be observed', () => {
    const log = new WriteWorkLog();
    databases(log, 0, 7, 7);
    instance(log, 0, 5);
    log.appendInstance(instanceAt(minuteMs, 5, { backgroundWriterPages: null }), longestMs);
    databases(log, minuteMs, 7, 7);
    assert.deepEqual(whole(log), [[0, minuteMs, NaN, NaN, NaN, 0, NaN]]);
  });

  it('leave out time that was not sampled', () => {
    const log = new WriteWorkLog();
    for (const at of [0, 1, 60, 61]) instance(log, at * minuteMs, at);
    assert.deepEqual(
      whole(log).map(([begin, end]) => [begin, end]),
      [
        [0, minuteMs],
        [60 * minuteMs, 61 * minuteMs],
      ],
    );
  });

  it('are those of databases alone where the instance was not sampled', () => {
    const log = new WriteWorkLog();
    databases(log, 0, 0, 0);
    databases(log, minuteMs, 10, 20);
    databases(log, 2 * minuteMs, 20, 60);
    assert.deepEqual(whole(log), [
      [0, minuteMs, 2, 4, NaN, NaN, NaN],
      [minuteMs, 2 * minuteMs, 4, 8, NaN, NaN, NaN],
    ]);
  });

  it('wait for the sample of the databases while more is sampled, but not for ever', () => {
    const log = new WriteWorkLog();
    databases(log, 0, 0, 0);
    instance(log, 0, 0);
    for (let at = 1; at <= 3; at++) instance(log, at * 15 * secondMs, at);
    assert.equal(whole(log, true).length, 0);
    assert.equal(whole(log, false).length, 3);
    for (let at = 4; at <= 8; at++) instance(log, at * 15 * secondMs, at);
    assert.deepEqual(
      whole(log, true).map(([, end]) => end),
      [15 * secondMs, 30 * secondMs],
    );
  });

  it('never hold a part of a reading that is still being taken in', () => {
    const log = new WriteWorkLog();
    const many = (writes: number): ReturnType<typeof fileOf>[] =>
      Array.from({ length: 2_500 }, (_, at) =>
        fileOf(at + 5, 0, { figures: { dataWrites: writes, dataWriteStallMs: writes } }),
      );
    finishSteps(log.appendDatabases(filesAt(0, ...many(0)), null, longestMs));
    const steps = log.appendDatabases(filesAt(minuteMs, ...many(3)), null, longestMs);
    steps.next();
    assert.ok(log.databaseSamples().rows > 0);
    assert.equal(whole(log).length, 0);
    finishSteps(steps);
    assert.equal(whole(log).length, 1);
  });

  it('come after the blocks of the time before them', () => {
    const log = new WriteWorkLog();
    const minutes = MOST_STRIP_SAMPLES + 60;
    for (let at = 0; at < 60; at++) instance(log, at * minuteMs, at * 60);
    // As the log itself would, but at once.
    const row = [0, 0, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60];
    for (let at = 59; at < minutes; at++)
      log.instanceSampleTable.append([
        MIDNIGHT_MS + at * minuteMs,
        MIDNIGHT_MS + (at + 1) * minuteMs,
        ...row.slice(2),
      ]);
    const rows = whole(log);
    const blocks = rows.filter(([begin = 0, end = 0]) => end - begin > minuteMs);
    assert.deepEqual([blocks.length, rows.length], [4, MOST_STRIP_SAMPLES + 4]);
    assert.deepEqual(blocks[3], [45 * minuteMs, 60 * minuteMs, NaN, NaN, 1, 1, 1]);
    assert.equal(rows[4]?.[0], 60 * minuteMs);
  });

  it('take the latencies of blocks where samples of databases are gone', () => {
    const log = new WriteWorkLog();
    for (let at = 0; at <= 40; at++) instance(log, at * minuteMs, at);
    for (const block of [0, 1, 2])
      for (const database of [0, 1])
        log.databaseBlockTables.busy.append([
          MIDNIGHT_MS / BLOCK_MS + block,
          BLOCK_MS,
          0,
          database,
          0,
          2 + block,
          6,
          0,
          0,
          0,
          0,
        ]);
    databases(log, 30 * minuteMs, 0, 0);
    databases(log, 31 * minuteMs, 10, 70);
    const latencies = whole(log).map(([, , data]) => data);
    assert.deepEqual(latencies.slice(0, 31), [...Array<number>(15).fill(3), ...Array<number>(15).fill(2), 7]);
    assert.deepEqual(
      new Set(latencies.slice(31)),
      new Set([NaN]),
      'behind the oldest sample blocks say nothing more',
    );
  });
});

describe('Samples for the strips, given one after the other', () => {
  it('are, put together, what is given at once; in order, and never one over another', () => {
    const reading = fc.record({
      afterMs: fc.integer({ min: 900, max: 100_000 }),
      what: fc.constantFrom('instance', 'databases', 'both'),
      asks: fc.boolean(),
      restarts: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    });
    forAll(fc.array(reading, { maxLength: 60 }), 150, (readings) => {
      const log = new WriteWorkLog();
      const joined: (readonly number[])[] = [];
      let cursor: StripPosition | null = null;
      let [atMs, startedTicksMs] = [0, 95_000];
      const ask = (isGoingOn: boolean): void => {
        const update = readStripSamples(log, isGoingOn, cursor);
        if (update === null) return;
        if (update.replaces) joined.length = 0;
        joined.push(...list(update.samples));
        cursor = update.cursor;
      };
      for (const [count, { afterMs, what, asks, restarts }] of readings.entries()) {
        atMs += afterMs;
        if (restarts) startedTicksMs++;
        const moment = momentAt(atMs, { startedTicksMs });
        if (what !== 'databases') log.appendInstance({ ...instanceAt(atMs, count), moment }, longestMs);
        const files = fileOf(5, 0, { figures: { dataWrites: count, dataWriteStallMs: count * count } });
        if (what !== 'instance')
          finishSteps(log.appendDatabases({ moment, databases: [files] }, null, longestMs));
        if (asks) ask(true);
      }
      ask(false);
      if (cursor === null) return;
      joined.slice(1).forEach(([begin = NaN], at) => assert.ok(begin >= (joined[at]?.[1] ?? NaN)));
      joined.forEach(([begin = NaN, end = NaN]) => assert.ok(end > begin));
      const sampled = log.instanceSamples();
      const missed = Array.from(
        { length: sampled.rows },
        (_, row) => (sampled.endUtcMs[row] ?? 0) - MIDNIGHT_MS,
      ).filter((end) => !joined.some((each) => each[1] === end));
      assert.deepEqual(missed, [], 'every sample of the instance is there');
    });
  });
});
