import assert from 'node:assert/strict';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { findBreak } from '../../../src/core/write-work/work-deltas';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { joinLogs } from '../../../src/core/write-work/joined-log';
import {
  decodeWriteWork,
  encodeWriteWork,
  joinWriteWork,
} from '../../../src/core/write-work/write-work-bytes';
import { finishSteps } from '../../../src/core/steps';
import type { InstanceReading } from '../../../src/core/write-work/work-readings';
import { FILE_FIGURES } from '../../../src/core/write-work/work-samples';
import { countersAt, fileOf, filesAt, instanceAt, MIDNIGHT_MS, momentAt } from './work-readings-of';
import { valuesOf } from '../values-of';

const minuteMs = 60_000;
const longestMs = 3 * minuteMs;

const appendDatabases = (log: WriteWorkLog, ...readings: Parameters<WriteWorkLog['appendDatabases']>): void =>
  finishSteps(log.appendDatabases(...readings));

/** A log of these readings of the instance. */
function logOf(...readings: readonly InstanceReading[]): WriteWorkLog {
  const log = new WriteWorkLog();
  for (const reading of readings) log.appendInstance(reading, longestMs);
  return log;
}

/** Kind, databases if it is of some, and begin and end in minutes after midnight, of each break. */
const breaksOf = ({ breaks }: WriteWorkLog): readonly unknown[] =>
  breaks.map(({ kind, databases, beginUtcMs, endUtcMs }) => [
    kind,
    databases,
    minuteOf(beginUtcMs),
    minuteOf(endUtcMs),
  ]);
const minuteOf = (utcMs: number): number => (utcMs - MIDNIGHT_MS) / minuteMs;

describe('Two readings next to each other', () => {
  for (const [name, changes, kind, afterMs] of [
    ['are compared', {}, null, minuteMs],
    ['are not of another server', { serverName: 'OTHER' }, 'another server', minuteMs],
    ['are not of another start of the instance', { startedTicksMs: 1 }, 'server restarted', minuteMs],
    ['are not of another start of the machine', { ticksMs: 5_000 }, 'server restarted', minuteMs],
    [
      'are not compared over a clock that was set back',
      { nowUtcMs: MIDNIGHT_MS - 5 },
      'clock set back',
      minuteMs,
    ],
    ['nor set back a little', { nowUtcMs: MIDNIGHT_MS + 50_000 }, 'clock set back', minuteMs],
    ['nor set forward', { nowUtcMs: MIDNIGHT_MS + 3_600_000 }, 'clock set forward', minuteMs],
    ['may differ by what a slow query makes of it', { nowUtcMs: MIDNIGHT_MS + 57_000 }, null, minuteMs],
    ['are not too far apart', {}, 'too far apart', longestMs + 1],
  ] as const)
    it(name, () => assert.equal(findBreak(momentAt(0), momentAt(afterMs, changes), longestMs), kind));
});

describe('What the instance wrote', () => {
  it('keeps its pages where somebody cleared the waits, whose figures are not there', () => {
    const log = logOf(instanceAt(0, 500), { ...instanceAt(minuteMs, 700), allWaitMs: 12 });
    const { checkpointPages, writelogWaits } = log.instanceSamples();
    assert.deepEqual([checkpointPages[0], writelogWaits[0]], [200, NaN]);
    assert.deepEqual(log.instanceBlocks(), []);
    assert.equal(log.breaks[0]?.kind, 'waits cleared');
  });

  it('is not observable where this server lacks a counter, and never 0', () => {
    const unseen = { backgroundWriterPages: null };
    const log = logOf(instanceAt(0, 500, unseen), instanceAt(minuteMs, 700, unseen));
    assert.equal(log.instanceSamples().backgroundWriterPages[0], NaN);
    assert.equal(log.instanceBlocks()[0]?.backgroundWriterPages, null);
    assert.equal(log.instanceBlocks()[0]?.checkpointPages, 200);
  });

  it('is split at the border of two blocks in proportion to time', () => {
    const log = logOf(instanceAt(BLOCK_MS - 45_000, 0), instanceAt(BLOCK_MS + 15_000, 400));
    assert.deepEqual(
      log
        .instanceBlocks()
        .map(({ beginUtcMs, observedMs, pageWrites }) => [beginUtcMs - MIDNIGHT_MS, observedMs, pageWrites]),
      [
        [0, 45_000, 300],
        [BLOCK_MS, 15_000, 100],
      ],
    );
  });

  /** Writes a page a minute, then two pages a minute after the clock was set back by 20 minutes at the 40th. */
  const recordSetBack = (isKept: boolean, minutes = 70): WriteWorkLog => {
    const log = logOf(...Array.from({ length: 41 }, (_, minute) => instanceAt(minute * minuteMs, minute)));
    const next = isKept
      ? (finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(log)))).log ?? assert.fail())
      : log;
    for (let minute = 41; minute <= minutes; minute++) {
      const moment = momentAt(minute * minuteMs, { nowUtcMs: MIDNIGHT_MS + (minute - 20) * minuteMs });
      next.appendInstance({ ...instanceAt(0, 2 * minute), moment }, longestMs);
    }
    return next;
  };
  const listMinutes = (log: WriteWorkLog): readonly (readonly (number | null)[])[] =>
    log
      .instanceBlocks()
      .map((block) => [minuteOf(block.beginUtcMs), block.observedMs / minuteMs, block.pageWrites]);

  for (const [how, isKept] of [
    ['while it is sampled', false],
    ['while no window was open', true],
  ] as const)
    it(`goes on at once where the clock is set back ${how}, without what was recorded of the time that comes again`, () => {
      const log = recordSetBack(isKept);
      assert.deepEqual(listMinutes(log), [
        [0, 15, 15],
        [15, 9, 18],
        [30, 15, 30],
        [45, 5, 10],
      ]);
      const { beginUtcMs, endUtcMs } = log.instanceSamples();
      assert.ok(
        endUtcMs.every(
          (end, row) => row === 0 || ((endUtcMs[row - 1] ?? NaN) <= (beginUtcMs[row] ?? NaN) && end > 0),
        ),
      );
      assert.deepEqual(breaksOf(log), [['clock set back', null, 21, 40]]);
    });

  it('is of the second time too where another window did not see that the clock was set back', () => {
    const first = logOf(...Array.from({ length: 41 }, (_, minute) => instanceAt(minute * minuteMs, minute)));
    const [seen, unseen] = [recordSetBack(false), first].map((log) => finishSteps(encodeWriteWork(log))) as [
      Uint8Array,
      Uint8Array,
    ];
    for (const bytes of [joinWriteWork(seen, unseen), joinWriteWork(unseen, seen)]) {
      const { log } = finishSteps(decodeWriteWork(finishSteps(bytes) ?? assert.fail()));
      assert.deepEqual(listMinutes(log ?? assert.fail()), listMinutes(recordSetBack(false)));
    }
  });

  it('is of both windows where one was opened only after the clock was set back, within the hour that came twice', () => {
    const [first, later] = [
      recordSetBack(false, 43),
      logOf(...[23, 24, 25, 26].map((minute) => instanceAt(minute * minuteMs, minute))),
    ];
    for (const [own, other] of [[first, later] as const, [later, first] as const])
      assert.equal(finishSteps(joinLogs(own, other)).instanceSamples().rows, 26);
  });
});

describe('What a database wrote', () => {
  it('is of no other database, and breaks stay apart, where two windows know more databases than one log holds', () => {
    const [own, other] = (['instance', 'databases'] as const).map((scope) => {
      const log = new WriteWorkLog();
      const databases = Array.from({ length: 40_000 }, (_, at) => ({
        databaseId: 5 + at,
        createdLocal: scope,
        name: null,
      }));
      log.restoreLists(
        databases,
        [],
        [{ kind: 'clock set back', scope, databases: null, beginUtcMs: 1, endUtcMs: 2 }],
      );
      for (const database of [10_000, 30_000]) log.databaseBlockTables.idle.append([2e6, 9e5, 0, database]);
      return log;
    }) as [WriteWorkLog, WriteWorkLog];
    const joined = finishSteps(joinLogs(own, other));
    assert.deepEqual([...joined.databaseBlockTables.idle.columns().database], [10_000, 30_000, 50_000]);
    assert.equal(joined.breaks.length, 2);
  });

  it('goes on at once where the clock is set back by hours, each minute told once', () => {
    const log = new WriteWorkLog();
    for (let minute = 0; minute <= 60; minute++) {
      const [aheadMinutes, writes] = minute <= 50 ? [0, minute] : [960, 3 * minute];
      const moment = momentAt(minute * minuteMs, {
        nowUtcMs: MIDNIGHT_MS + (minute - aheadMinutes) * minuteMs,
      });
      appendDatabases(log, { databases: [fileOf(5, writes)], moment }, null, longestMs);
    }
    assert.deepEqual(
      log
        .databaseBlocks(0)
        .map((block) => [minuteOf(block.beginUtcMs), block.observedMs / minuteMs, block.dataWrites]),
      [[-915, 9, 27]],
    );
    assert.deepEqual([...log.databaseSamples().dataWrites], Array(9).fill(3));
  });

  const append = (log: WriteWorkLog, atMs: number, ...files: ReturnType<typeof fileOf>[]): void =>
    appendDatabases(log, filesAt(atMs, ...files), null, longestMs);

  it('is told from what a later database of the same id wrote', () => {
    const log = new WriteWorkLog();
    append(log, 0, fileOf(5, 100));
    append(log, minuteMs, fileOf(5, 900, { createdLocal: '2026-03-02T00:00:30', name: 'new' }));
    append(log, 2 * minuteMs, fileOf(5, 950, { createdLocal: '2026-03-02T00:00:30', name: 'new' }));
    const { rows, database, dataWrites } = log.databaseSamples();
    assert.deepEqual([rows, database[0], dataWrites[0]], [1, 1, 50]);
    assert.deepEqual(valuesOf(log.databases, 'name'), ['db5', 'new']);
  });

  it('is of one tempdb before and after a restart, which gives it another create_date', () => {
    const log = new WriteWorkLog();
    const read = (atMs: number, writes: number, createdLocal: string, changes = {}): void => {
      const databases = [fileOf(2, writes, { name: 'tempdb', createdLocal })];
      appendDatabases(log, { moment: momentAt(atMs, changes), databases }, null, longestMs);
    };
    [100, 130].forEach((writes, at) => read(at * minuteMs, writes, '2026-03-01T00:00:00'));
    [140, 150].forEach((writes, at) =>
      read((2 + at) * minuteMs, writes, '2026-03-02T00:01:30', { startedTicksMs: 1_090_000 }),
    );
    assert.deepEqual(valuesOf(log.databases, 'databaseId'), [2]);
    const { rows, database, dataWrites } = log.databaseSamples();
    // A minute before the restart and one after it; none over it.
    assert.deepEqual([...database.subarray(0, rows), ...dataWrites.subarray(0, rows)], [0, 0, 30, 10]);
  });

  it('has no figure where it was closed in between, or lost a file, while the others have theirs', () => {
    const log = new WriteWorkLog();
    append(log, 0, fileOf(5, 100), fileOf(6, 100), fileOf(7, 100, { dataFiles: 2 }));
    append(log, minuteMs, fileOf(5, 110), fileOf(6, 200, { figures: { logWrites: 3 } }), fileOf(7, 300));
    assert.deepEqual([...log.databaseSamples().database], [0]);
    assert.deepEqual(valuesOf(log.breaks, 'kind', 'databases'), [['counters fell', 2]]);
  });

  it('is one break where it is opened again and again', () => {
    const log = new WriteWorkLog();
    for (const minute of [0, 1, 2, 3, 4])
      append(log, minute * minuteMs, fileOf(5, 100 - minute), fileOf(6, minute === 2 ? 0 : 50 + minute));
    assert.deepEqual(breaksOf(log), [['counters fell', 2, 0, 4]]);
    assert.deepEqual([...log.databaseSamples().dataWrites], [1, 53, 1]);
  });

  it('is not observable where log files cannot be told from data files', () => {
    const log = new WriteWorkLog();
    const figures = Object.fromEntries(FILE_FIGURES.map((name) => [name, null]));
    for (const atMs of [0, minuteMs])
      append(log, atMs, fileOf(5, 0, { untypedFiles: 2, dataFiles: 0, logFiles: 0, figures }));
    assert.equal(log.databaseSamples().rows, 0);
    assert.equal(log.untypedDatabases, 1);
  });

  it('has its counters beside its files, by the name that counters know it by', () => {
    const log = new WriteWorkLog();
    const file = { counterInstance: '8A5B-11' };
    appendDatabases(
      log,
      filesAt(0, fileOf(5, 0, file), fileOf(6, 0)),
      countersAt(0, { '8A5B-11': 7, other: 1 }),
      longestMs,
    );
    appendDatabases(
      log,
      filesAt(minuteMs, fileOf(5, 1, file), fileOf(6, 1)),
      countersAt(minuteMs, { '8A5B-11': 19, other: 1 }),
      longestMs,
    );
    assert.deepEqual([...log.databaseSamples().writeTransactions], [12, NaN]);
    assert.deepEqual(
      [log.databaseBlocks(0)[0]?.writeTransactions, log.databaseBlocks(1)[0]?.writeTransactions],
      [12, null],
    );
  });

  it('has no count of transactions, and never one below zero, where its counters began again: OFFLINE and ONLINE, a restore, AUTO_CLOSE', () => {
    const log = new WriteWorkLog();
    [3083, 3100, 11, 20].forEach((transactions, at) =>
      appendDatabases(
        log,
        filesAt(at * minuteMs, fileOf(5, at)),
        countersAt(at * minuteMs, { db5: transactions }),
        longestMs,
      ),
    );
    assert.deepEqual([...log.databaseSamples().writeTransactions], [17, 9]);
    assert.deepEqual(breaksOf(log), [['counters fell', 1, 1, 2]]);
  });

  it('has blocks that know why its log could not be reused', () => {
    const log = new WriteWorkLog();
    const waits = ['NOTHING', 'CHECKPOINT', 'CHECKPOINT', 'LOG_BACKUP'];
    waits.forEach((logReuseWait, at) => append(log, at * 10 * minuteMs, fileOf(5, at, { logReuseWait })));
    assert.deepEqual(log.databaseBlocks(0), []);
    waits.forEach((logReuseWait, at) =>
      appendDatabases(
        log,
        filesAt(40 * minuteMs + at * 5 * minuteMs, fileOf(5, at + 9, { logReuseWait })),
        null,
        BLOCK_MS,
      ),
    );
    assert.deepEqual(
      log.databaseBlocks(0).map((block) => [minuteOf(block.beginUtcMs), block.logReuseWaits]),
      [
        [30, ['LOG_BACKUP', 'NOTHING', 'CHECKPOINT']],
        [45, ['LOG_BACKUP', 'CHECKPOINT']],
      ],
    );
  });
});
