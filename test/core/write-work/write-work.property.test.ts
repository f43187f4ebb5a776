import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import type { ServerMoment } from '../../../src/core/write-work/work-readings';
import {
  decodeWriteWork,
  encodeWriteWork,
  joinWriteWork,
} from '../../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { finishSteps } from '../../../src/core/steps';
import { fileOf, filesAt, instanceAt, MIDNIGHT_MS } from './work-readings-of';
import { forAll } from '../../for-all';

/** What happens between two readings of a server that would otherwise go on writing. */
type Disturbance =
  | 'none'
  | 'restart'
  | 'clock back'
  | 'clock forward'
  | 'long silence'
  | 'reopened'
  | 'other server';
const FORWARD: readonly Disturbance[] = [
  'none',
  'none',
  'none',
  'restart',
  'clock forward',
  'long silence',
  'reopened',
  'other server',
];
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

/**
 * Readings of a server to which those steps happen, recorded; and what was written in the stretches that can be told.
 */
function record(history: readonly Step[]): {
  readonly log: WriteWorkLog;
  readonly instance: number;
  readonly database: number;
} {
  const log = new WriteWorkLog();
  // Large, so that a counter that begins again is below what it was.
  const first = 1e12;
  let [instance, database, offsetMs] = [first, first, 0];
  let moment: ServerMoment = {
    serverName: 'PROD',
    nowUtcMs: MIDNIGHT_MS,
    ticksMs: 1e9,
    startedTicksMs: 1_000,
  };
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
    // Whoever was closed and wrote more than ever before until the next reading cannot be told: that limit has a test
    // of its own.
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
    forAll(steps(FORWARD), (history) => {
      const { log, instance, database } = record(history);
      const { pageWrites, writelogWaitMs } = log.instanceSamples();
      const { dataWrittenBytes, logWriteStallMs } = log.databaseSamples();
      assert.equal(sum(pageWrites), instance);
      assert.equal(sum(writelogWaitMs), instance);
      assert.equal(sum(dataWrittenBytes), database);
      assert.equal(sum(logWriteStallMs), database);
      for (const column of [pageWrites, dataWrittenBytes]) assert.ok(column.every((value) => value >= 0));
    });
  });

  it('are the same in blocks as in samples, and no block is observed for longer than it lasts', () => {
    forAll(steps(FORWARD), (history) => {
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
    });
  });

  it('never tell of a time twice, whatever is done to the clock', () => {
    forAll(steps(DISTURBANCES), (history) => {
      const { log } = record(history);
      const { rows, beginUtcMs, endUtcMs } = log.instanceSamples();
      for (let row = 1; row < rows; row++) assert.ok((beginUtcMs[row] ?? 0) >= (endUtcMs[row - 1] ?? 0));
      const begins = log.instanceBlocks().map((block) => block.beginUtcMs);
      assert.deepEqual(
        begins,
        [...new Set(begins)].sort((a, b) => a - b),
      );
      for (const block of [...log.instanceBlocks(), ...log.databaseBlocks(0)])
        assert.ok(block.observedMs <= BLOCK_MS);
    });
  });

  it('come back from bytes as they were, and go on behind them', () => {
    forAll(steps(DISTURBANCES), 50, (history) => {
      const { log } = record(history);
      const { log: again, problem } = finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(log))));
      assert.equal(problem, null);
      assert.deepEqual(again?.instanceSamples(), log.instanceSamples());
      assert.deepEqual(again?.databaseSamples(), log.databaseSamples());
      assert.deepEqual(again?.instanceBlocks(), log.instanceBlocks());
      assert.deepEqual(again?.databaseBlocks(0), log.databaseBlocks(0));
      assert.deepEqual([again?.breaks, again?.databases], [log.breaks, log.databases]);
    });
  });

  it('are written out as they were at the first step, whatever is recorded between the steps', () => {
    const history = Array.from({ length: 40 }, (_, at) => ({
      afterMs: 60_000,
      written: at,
      disturbance: 'none' as const,
    }));
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

  it('are refused with a reason where their bytes are cut off or more than they should be, or tell what cannot be', () => {
    const { log } = record([
      { afterMs: 60_000, written: 5, disturbance: 'none' },
      { afterMs: 60_000, written: 7, disturbance: 'none' },
      { afterMs: 60_000, written: 7, disturbance: 'restart' },
    ]);
    const whole = finishSteps(encodeWriteWork(log));
    // A block beyond the year 2199, and one that was watched for longer than it lasts.
    for (const row of [
      [1e9, BLOCK_MS, 0, 0],
      [1, BLOCK_MS + 1, 0, 0],
    ]) {
      const other = new WriteWorkLog();
      other.instanceBlockTables.idle.append(row);
      assert.match(
        finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(other)))).problem ?? '',
        /figures that cannot be/,
      );
    }
    for (const bytes of [
      whole.subarray(0, 0),
      whole.subarray(0, 20),
      whole.subarray(0, -1),
      Uint8Array.of(...whole, 0),
    ])
      assert.match(finishSteps(decodeWriteWork(bytes)).problem ?? '', /^it /);
  });
});

/**
 * A server that writes as much in each millisecond, and two windows that sample it, keep their log in one place, and
 * are opened again.
 */
const windowSteps = fc.array(
  fc.record({
    window: fc.constantFrom(0, 1),
    afterMs: fc.integer({ min: 1_000, max: 170_000 }),
    does: fc.constantFrom('sample', 'sample', 'sample', 'sample', 'keep', 'open again'),
  }),
  { minLength: 10, maxLength: 60, size: 'max' },
);
const WRITTEN_A_MS = 3;

type Interval = readonly [beginUtcMs: number, endUtcMs: number];

interface WindowOfTwo {
  log: WriteWorkLog;
  lastMs: number | null;
  /** What it sampled, and how much of that by the last time that it was kept. */
  readonly sampled: Interval[];
  kept: number;
}

/** @returns what is kept in the end, and what each window had sampled by its last keeping */
function keepByTwo(history: typeof windowSteps extends fc.Arbitrary<infer T> ? T : never) {
  const windows: WindowOfTwo[] = [0, 1].map(() => ({
    log: new WriteWorkLog(),
    lastMs: null,
    sampled: [],
    kept: 0,
  }));
  let [afterMs, kept]: [number, Uint8Array | null] = [0, null];
  const keep = (window: WindowOfTwo): Uint8Array => {
    const own = finishSteps(encodeWriteWork(window.log));
    window.kept = window.sampled.length;
    return (kept = kept === null ? own : (finishSteps(joinWriteWork(own, kept)) ?? assert.fail()));
  };
  for (const { window: at, does, ...step } of history) {
    const window = windows[at]!;
    afterMs += step.afterMs;
    if (does !== 'sample') keep(window);
    if (does === 'open again')
      Object.assign(window, {
        log: finishSteps(decodeWriteWork(kept ?? assert.fail())).log ?? assert.fail(),
        lastMs: null,
      });
    if (does !== 'sample') continue;
    const written = WRITTEN_A_MS * afterMs;
    window.log.appendInstance(instanceAt(afterMs, written), longestMs);
    // The one that both see has another place in each list.
    const files = at === 0 ? [fileOf(9, 2 * written)] : [fileOf(5, written), fileOf(9, 2 * written)];
    finishSteps(window.log.appendDatabases(filesAt(afterMs, ...files), null, longestMs));
    if (window.lastMs !== null && afterMs - window.lastMs <= longestMs)
      window.sampled.push([MIDNIGHT_MS + window.lastMs, MIDNIGHT_MS + afterMs]);
    window.lastMs = afterMs;
  }
  const bytes = keep(windows[0]!);
  const joined = finishSteps(joinWriteWork(bytes, bytes)) ?? assert.fail();
  assert.deepEqual(finishSteps(joinWriteWork(joined, bytes)), joined, 'joined again, it is the same');
  return { bytes: keep(windows[1]!), sampled: windows.map((window) => window.sampled.slice(0, window.kept)) };
}

describe('What two windows sampled of one server', () => {
  it('is kept once: no stretch that one of them saw is lost, and none is counted twice', () => {
    forAll(windowSteps, 30, (history) => {
      const { bytes, sampled } = keepByTwo(history);
      const log = finishSteps(decodeWriteWork(bytes)).log ?? assert.fail();
      const common = log.databases.findIndex(({ databaseId }) => databaseId === 9);
      const blocks = [
        ...log.instanceBlocks().map((block) => ({ ...block, written: block.pageWrites ?? NaN })),
        ...log.databaseBlocks(common).map((block) => ({ ...block, written: block.dataWrittenBytes / 2 })),
      ];
      for (const { observedMs, written } of blocks) {
        assert.ok(observedMs <= BLOCK_MS);
        assert.ok(Math.abs(written - WRITTEN_A_MS * observedMs) < 1e-3, `${written} in ${observedMs} ms`);
      }
      const samples = log.instanceSamples();
      const kept = [...samples.beginUtcMs].map((begin, row): Interval => [begin, samples.endUtcMs[row]!]);
      kept.forEach(([begin, end], row) => assert.ok(begin < end && begin >= (kept[row - 1]?.[1] ?? 0)));
      for (const window of sampled) {
        for (const [begin, end] of window) assert.ok(kept.some((each) => each[0] < end && begin < each[1]));
        for (const { beginUtcMs } of log.instanceBlocks()) {
          const seenMs = sum(
            window.map(([begin, end]) =>
              Math.max(0, Math.min(end, beginUtcMs + BLOCK_MS) - Math.max(begin, beginUtcMs)),
            ),
          );
          for (const block of blocks)
            if (block.beginUtcMs === beginUtcMs) assert.ok(block.observedMs >= seenMs - 1e-3);
        }
      }
    });
  });
});
