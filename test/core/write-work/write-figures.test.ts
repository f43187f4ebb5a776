import assert from 'node:assert/strict';
import type { DatabaseBlock, InstanceBlock } from '../../../src/core/write-work/block';
import { estimateScanCost, toCacheGb } from '../../../src/core/task/scan-cost';
import {
  addLook,
  describeDatabaseWrites,
  describeInstanceWrites,
  measureLooks,
  measureQueueBusy,
} from '../../../src/core/write-work/write-figures';
import type { InstanceReading } from '../../../src/core/write-work/work-readings';
import { INSTANCE_FIGURES, type InstanceSamples } from '../../../src/core/write-work/work-samples';
import { valuesOf } from '../values-of';

const databaseBlock: DatabaseBlock = {
  beginUtcMs: 0,
  observedMs: 900_000,
  dataWrittenBytes: 81_920,
  dataWrites: 5,
  dataWriteStallMs: 20,
  logWrittenBytes: 40_960,
  logWrites: 10,
  logWriteStallMs: 15,
  writeTransactions: 7,
};
const instanceBlock: InstanceBlock = {
  beginUtcMs: 0,
  observedMs: 900_000,
  checkpointPages: 60,
  backgroundWriterPages: 30,
  lazyWrites: 10,
  pageWrites: 101,
  writelogWaits: 4,
  writelogWaitMs: 10,
};

describe('The checkpoint task by its own waits', () => {
  it('is busy for the time in which it did not wait for work, of the samples that lie in the window and have the wait', () => {
    const rows = [
      [0, 60, 45],
      [60, 120, 30],
      [120, 180, NaN],
      [180, 240, 0],
    ];
    const column = (at: number): Float64Array => Float64Array.from(rows, (row) => (row[at] ?? 0) * 1000);
    const samples = {
      rows: 4,
      beginUtcMs: column(0),
      endUtcMs: column(1),
      checkpointQueueWaitMs: column(2),
    } as unknown as InstanceSamples;
    assert.deepEqual(measureQueueBusy(samples, { beginUtcMs: 0, endUtcMs: 200_000 }), {
      share: 45 / 120,
      observedMs: 120_000,
    });
    assert.equal(measureQueueBusy(samples, { beginUtcMs: 125_000, endUtcMs: 239_000 }), null);
  });

  /** A look at a second of the machine, with the seconds that the task had waited by then. */
  const look = (
    second: number,
    waited: number,
    more: { started?: number; all?: number; slept?: number } = {},
  ): InstanceReading => ({
    moment: {
      serverName: 'S',
      nowUtcMs: second * 1000,
      ticksMs: second * 1000,
      startedTicksMs: more.started ?? 0,
    },
    figures: Float64Array.from(INSTANCE_FIGURES, (name) =>
      name === 'checkpointQueueWaitMs' ? waited * 1000 : 0,
    ),
    flushSleepMs: more.slept ?? null,
    allWaitMs: (more.all ?? second) * 1000,
    databasePages: null,
  });
  const judge = (...looks: readonly InstanceReading[]) =>
    measureLooks(looks.reduce<readonly InstanceReading[]>(addLook, []));

  it('is known from two looks, and from the first and the last of an hour', () => {
    assert.equal(judge(look(100, 50)), null);
    assert.equal(judge(look(100, 50), look(102, 50)), null, 'two seconds tell nothing');
    assert.deepEqual(judge(look(100, 50), look(130, 56)), { share: 0.8, observedMs: 30_000 });
    assert.deepEqual(judge(look(100, 50), look(1900, 1850), look(3800, 2800)), {
      share: 0.5,
      observedMs: 1_900_000,
    });
  });

  it('comes with the time in which checkpoints held their writes back, where both looks know it', () => {
    const held = judge(look(100, 50, { slept: 700 }), look(130, 56, { slept: 1_900 }));
    assert.deepEqual(held?.heldBack, { ms: 1_200, ofMs: 30_000 });
    assert.equal(judge(look(100, 50, { slept: 700 }), look(130, 56))?.heldBack, undefined);
  });

  it('begins again with a restart, with waits that were cleared and after an hour without a look; more waiting than time is no figure', () => {
    for (const [name, broken] of Object.entries({
      restart: [look(200, 5, { started: 150 }), look(230, 20, { started: 150 })],
      clear: [look(200, 60, { all: 1 }), look(230, 75)],
      'clear of this wait': [look(200, 10), look(230, 25)],
      'an hour': [look(4000, 60), look(4030, 75)],
    }))
      assert.deepEqual(judge(look(100, 50), ...broken), { share: 0.5, observedMs: 30_000 }, name);
    assert.equal(judge(look(100, 50), look(130, 110)), null);
  });
});

describe('Figures of what a database wrote', () => {
  it('are pages a write, latency of either kind of file, and data for each byte of log', () => {
    const figures = describeDatabaseWrites([
      databaseBlock,
      { ...databaseBlock, dataWrites: 15, writeTransactions: 3 },
    ]);
    assert.deepEqual(figures, {
      observedMs: 1_800_000,
      dataWrittenBytes: 163_840,
      logWrittenBytes: 81_920,
      writeTransactions: 10,
      pagesPerWrite: 1,
      dataLatencyMs: 2,
      logLatencyMs: 1.5,
      dataBytesPerLogByte: 2,
    });
  });

  it('are not there where there is nothing to divide by, or a counter was not observed', () => {
    const idle = {
      ...databaseBlock,
      dataWrittenBytes: 0,
      dataWrites: 0,
      dataWriteStallMs: 0,
      writeTransactions: null,
    };
    const { pagesPerWrite, dataLatencyMs, writeTransactions } = describeDatabaseWrites([idle]);
    assert.deepEqual([pagesPerWrite, dataLatencyMs, writeTransactions], [null, null, null]);
  });
});

describe('Figures of what the instance wrote', () => {
  it('are the shares of checkpoints, background writer and lazy writer, and the average wait for the log', () => {
    const { totalPages, checkpointShare, backgroundWriterShare, lazyWriterShare, writelogWaitMs } =
      describeInstanceWrites([instanceBlock]);
    assert.deepEqual(
      [totalPages, checkpointShare, backgroundWriterShare, lazyWriterShare, writelogWaitMs],
      [100, 0.6, 0.3, 0.1, 2.5],
    );
  });

  it('have no shares where one of the three was not observed', () => {
    const { totalPages, checkpointShare, checkpointPages } = describeInstanceWrites([
      { ...instanceBlock, backgroundWriterPages: null },
    ]);
    assert.deepEqual([totalPages, checkpointShare, checkpointPages], [null, null, 60]);
  });
});

describe('What a scan of the cache may cost', () => {
  it('is the published figure where there is one, and a line between', () => {
    const estimates = [0, 50, 100, 200].map((gb) => estimateScanCost(gb, 15));
    assert.deepEqual(valuesOf(estimates, 'estimateMs'), [40, 220, 400, 700]);
    assert.match(estimates[0]?.source ?? '', /estimate, not measured here/);
  });

  it('is called an extrapolation above 200 GB, and is not given above 2 TB', () => {
    const { estimateMs, source } = estimateScanCost(2048, 15);
    assert.equal(estimateMs, 8000);
    assert.match(source, /not measured anywhere/);
    assert.deepEqual(
      [estimateScanCost(4096, 15).estimateMs, estimateScanCost(NaN, 15).estimateMs],
      [null, null],
    );
  });

  it('comes with the case that took far longer, and since 2022 with scans in parallel', () => {
    assert.match(estimateScanCost(64, 15).cautions.join(' '), /228 s/);
    assert.match(estimateScanCost(64, 16).cautions.join(' '), /several tasks/);
  });

  it('is asked for gigabytes, of pages of 8 KB', () => assert.equal(toCacheGb(131_072), 1));
});
