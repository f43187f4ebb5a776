import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import type { ServerMoment } from '../../../src/core/write-work/work-readings';
import { decodeWriteWork, encodeWriteWork } from '../../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { finishSteps } from '../../../src/core/steps';
import { fileOf, instanceAt, MIDNIGHT_MS } from './work-readings-of';

/** What happens between two readings of a server that would otherwise go on writing. */
type Disturbance = 'none' | 'restart' | 'clock back' | 'clock forward' | 'long silence' | 'reopened' | 'other server';
const FORWARD: readonly Disturbance[] = ['none', 'none', 'none', 'restart', 'clock forward', 'long silence', 'reopened', 'other server'];
const DISTURBANCES: readonly Disturbance[] = [...FORWARD, 'clock back'];

interface Step {
  readonly afterMs: number;
  readonly written: number;
  readonly disturbance: Disturbance;
}

const longestMs = 180_000;
const steps = (disturbances: readonly Disturbance[]): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: 1_000, max: longestMs }),
      written: fc.nat({ max: 100_000 }),
      disturbance: fc.constantFrom(...disturbances),
    }),
    { minLength: 2, maxLength: 60 },
  );

/** Readings of a server to which those steps happen, recorded; and what was written in the stretches that can be told. */
function record(history: readonly Step[]): { readonly log: WriteWorkLog; readonly instance: number; readonly database: number } {
  const log = new WriteWorkLog();
  // Large, so that a counter that begins again is below what it was.
  const first = 1e12;
  let [instance, database, offsetMs] = [first, first, 0];
  let moment: ServerMoment = { serverName: 'PROD', nowUtcMs: MIDNIGHT_MS, ticksMs: 1e9, startedTicksMs: 1_000 };
  const expected = { instance: 0, database: 0 };
  const append = (): void => {
    log.appendInstance({ ...instanceAt(0, instance), moment }, longestMs);
    finishSteps(log.appendDatabases({ moment, databases: [fileOf(5, database)] }, null, longestMs));
  };
  append();
  for (const { afterMs, written, disturbance } of history) {
    const silentMs = disturbance === 'long silence' ? afterMs + longestMs : afterMs;
    if (disturbance === 'clock back') offsetMs -= 3_600_000;
    if (disturbance === 'clock forward') offsetMs += 3_600_000;
    const ticksMs = moment.ticksMs + silentMs;
    const startedTicksMs = disturbance === 'restart' ? ticksMs - 500 : moment.startedTicksMs;
    const serverName = disturbance === 'other server' ? `${moment.serverName}'` : moment.serverName;
    moment = { serverName, nowUtcMs: MIDNIGHT_MS + ticksMs - 1e9 + offsetMs, ticksMs, startedTicksMs };
    const isReset = ['restart', 'other server'].includes(disturbance);
    // Whoever was closed and wrote more than ever before until the next reading cannot be told: that limit has a test of its own.
    const isReopened = disturbance === 'reopened' && database > written;
    // After a restart the counters may be higher than before by the time that they are read.
    const begun = isReset && written % 2 === 1 ? 9 * first + written : written;
    instance = isReset ? begun : instance + written;
    database = isReset || isReopened ? begun : database + written;
    if (['none', 'reopened'].includes(disturbance)) expected.instance += written;
    if (disturbance === 'none' || (disturbance === 'reopened' && !isReopened)) expected.database += written;
    append();
  }
  return { log, ...expected };
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

describe('Figures from cumulative counters', () => {
  it('add up to what was written in the stretches that are unbroken, and are never negative', () => {
    fc.assert(
      fc.property(steps(FORWARD), (history) => {
        const { log, instance, database } = record(history);
        const { pageWrites, writelogWaitMs } = log.instanceSamples();
        const { dataWrittenBytes, logWriteStallMs } = log.databaseSamples();
        assert.equal(sum(pageWrites), instance);
        assert.equal(sum(writelogWaitMs), instance);
        assert.equal(sum(dataWrittenBytes), database);
        assert.equal(sum(logWriteStallMs), database);
        for (const column of [pageWrites, dataWrittenBytes]) assert.ok(column.every((value) => value >= 0));
      }),
    );
  });

  it('are the same in blocks as in samples, and no block is observed for longer than it lasts', () => {
    fc.assert(
      fc.property(steps(FORWARD), (history) => {
        const { log, instance, database } = record(history);
        const [instanceBlocks, databaseBlocks] = [log.instanceBlocks(), log.databaseBlocks(0)];
        assert.ok(Math.abs(sum(instanceBlocks.map((block) => block.checkpointPages ?? NaN)) - instance) < 1e-3);
        assert.ok(Math.abs(sum(databaseBlocks.map((block) => block.logWrittenBytes)) - database) < 1e-3);
        for (const { beginUtcMs, observedMs } of [...instanceBlocks, ...databaseBlocks]) {
          assert.equal(beginUtcMs % BLOCK_MS, 0);
          assert.ok(observedMs > 0 && observedMs <= BLOCK_MS);
        }
        const { beginUtcMs, endUtcMs } = log.instanceSamples();
        const observedMs = sum(endUtcMs.map((end, row) => end - (beginUtcMs[row] ?? 0)));
        assert.equal(sum(instanceBlocks.map((block) => block.observedMs)), observedMs);
      }),
    );
  });

  it('never tell of a time twice, whatever is done to the clock', () => {
    fc.assert(
      fc.property(steps(DISTURBANCES), (history) => {
        const { log } = record(history);
        const { rows, beginUtcMs, endUtcMs } = log.instanceSamples();
        for (let row = 1; row < rows; row++) assert.ok((beginUtcMs[row] ?? 0) >= (endUtcMs[row - 1] ?? 0));
        const begins = log.instanceBlocks().map((block) => block.beginUtcMs);
        assert.deepEqual(
          begins,
          [...new Set(begins)].sort((a, b) => a - b),
        );
        for (const block of [...log.instanceBlocks(), ...log.databaseBlocks(0)]) assert.ok(block.observedMs <= BLOCK_MS);
      }),
    );
  });

  it('come back from bytes as they were, and go on behind them', () => {
    fc.assert(
      fc.property(steps(DISTURBANCES), (history) => {
        const { log } = record(history);
        const { log: again, problem } = finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(log))));
        assert.equal(problem, null);
        assert.deepEqual(again?.instanceSamples(), log.instanceSamples());
        assert.deepEqual(again?.databaseSamples(), log.databaseSamples());
        assert.deepEqual(again?.instanceBlocks(), log.instanceBlocks());
        assert.deepEqual(again?.databaseBlocks(0), log.databaseBlocks(0));
        assert.deepEqual([again?.breaks, again?.databases], [log.breaks, log.databases]);
      }),
      { numRuns: 50 },
    );
  });

  it('are written out as they were at the first step, whatever is recorded between the steps', () => {
    const history = Array.from({ length: 40 }, (_, at) => ({ afterMs: 60_000, written: at, disturbance: 'none' as const }));
    const { log } = record(history);
    const expected = finishSteps(encodeWriteWork(log));
    const steps = encodeWriteWork(log);
    steps.next();
    for (let at = 1; at <= 300; at++) log.instanceSampleTable.append([at, at + 1]);
    log.databaseBlockTables.add(0, 2e12, 2e12 + 1000, [1]);
    assert.deepEqual(finishSteps(steps), expected);
    const columns = log.instanceSampleTable.names.length + log.databaseSampleTable.names.length;
    assert.ok([...encodeWriteWork(log)].length > columns, 'a pause behind each column of each table');
  });

  it('are refused with a reason where their bytes are cut off or more than they should be', () => {
    const { log } = record([
      { afterMs: 60_000, written: 5, disturbance: 'none' },
      { afterMs: 60_000, written: 7, disturbance: 'none' },
      { afterMs: 60_000, written: 7, disturbance: 'restart' },
    ]);
    const whole = finishSteps(encodeWriteWork(log));
    for (const bytes of [whole.subarray(0, 0), whole.subarray(0, 20), whole.subarray(0, -1), Uint8Array.of(...whole, 0)])
      assert.match(finishSteps(decodeWriteWork(bytes)).problem ?? '', /^it /);
  });
});
