import assert from 'node:assert/strict';
import { type ErrorLogReading, readErrorLog } from '../../../src/core/errorlog/error-log';
import type { ErrorLogRow } from '../../../src/core/errorlog/error-log-row';
import type { BackupRun } from '../../../src/core/task/backup-rows';
import { listTimeMarks, type TimeMarks, type TimeMarkSources } from '../../../src/core/timeline/time-marks';
import { finishSteps } from '../../../src/core/steps';
import { createMessage, fixedClock } from '../errorlog/log-texts';

const OFFSET = 60;
const noonUtcMs = Date.UTC(2026, 2, 2, 11);
const NAMES = new Map([[5, 'a]b"<b>']]);

/** At noon and this many seconds, by the server's own clock. */
const row = (seconds: number, text: string): ErrorLogRow => ({
  logDateLocal: new Date(Date.UTC(2026, 2, 2, 12) + seconds * 1000)
    .toISOString()
    .slice(0, 22)
    .replace('T', ' '),
  processInfo: 'spid25s',
  text,
});

function read(rows: readonly ErrorLogRow[], isKnown = true): ErrorLogReading {
  return readErrorLog(rows, { clock: isKnown ? fixedClock(OFFSET) : [] });
}

function list(sources: Partial<TimeMarkSources>, most?: number): TimeMarks {
  const find = (databaseId: number | undefined): { databaseId: number; name: string } | null => {
    const name = NAMES.get(databaseId ?? -1);
    return name === undefined || databaseId === undefined ? null : { databaseId, name };
  };
  const findByName = (name: string): ReturnType<typeof find> =>
    find([...NAMES].find((each) => each[1] === name)?.[0]);
  return finishSteps(
    listTimeMarks({ reading: null, backups: null, findById: find, findByName, ...sources }, most),
  );
}

const run = (type: BackupRun['type'], at: number): BackupRun => ({
  type,
  beginUtcMs: noonUtcMs + at,
  endUtcMs: noonUtcMs + at + 500,
  bytes: 3 * 1024 * 1024,
});

const FLUSH = createMessage(150_000, 14_000, 65_500, 5, { avoided: 1, latency: 12 }).map((text) =>
  row(0, text),
);

describe('Marks on the time', () => {
  it('stand where a long checkpoint was, which is logged at its end, with its figures', () => {
    const { marks } = list({ reading: read(FLUSH) });
    assert.deepEqual(marks, [
      {
        kind: 'FlushCache',
        beginUtcMs: noonUtcMs - 65_500,
        endUtcMs: noonUtcMs,
        databaseId: 5,
        database: 'a]b"<b>',
        text: 'Checkpoint of 65.5 s: 150,000 dirty pages, 14,000 writes, 17.89 MB/s, 12 ms a write. 1 new dirty page avoided.',
      },
    ]);
  });

  it('tell of scans, slow I/O, recoveries, backups, failed checkpoints and settings, each in a sentence', () => {
    const reading = read([
      row(
        0,
        "Buffer Pool scan took 14 seconds: database ID 9, command 'DB STARTUP', operation 'FlushCache', scanned buffers 115, total iterated buffers 204640239, wait time 122 ms",
      ),
      row(
        10,
        'SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\x.mdf] in database [a]b"<b>] (5).  The OS file handle is 0x1.',
      ),
      row(
        20,
        'Recovery completed for database a]b"<b> (database ID 5) in 7 second(s) (analysis 21 ms, redo 5000 ms, undo 10 ms.) This is an informational message only.',
      ),
      row(
        30,
        "Recovery is writing a checkpoint in database 'gone' (77). This is an informational message only.",
      ),
      row(50, "The transaction log for database 'a]b\"<b>' is full due to 'CHECKPOINT'."),
      row(60, 'DBCC TRACEON 3505, server process ID (SPID) 61. This is an informational message only.'),
    ]);
    const { marks } = list({ reading, backups: new Map([['a]b"<b>', [run('full', 40_000)]]]) });
    const told = marks.map(({ kind, beginUtcMs, endUtcMs, databaseId, database, text }) => {
      const [from, to] = [beginUtcMs, endUtcMs].map((utcMs) => (utcMs - noonUtcMs) / 1000);
      return `${kind} ${from} to ${to}, ${databaseId} ${database}: ${text}`;
    });
    assert.deepEqual(told, [
      'buffer pool scan -14 to 0, null database 9: Scan of the buffer pool for 14.0 s: FlushCache of DB STARTUP, 115 of 204,640,239 buffers.',
      'slow I/O 10 to 10, 5 a]b"<b>: 3 I/O requests over 15.0 s: E:\\x.mdf',
      'recovery 13 to 20, 5 a]b"<b>: Recovery in 7.0 s, redo 5.0 s.',
      'recovery 30 to 30, null gone: Recovery writes a checkpoint.',
      'backup 40 to 40.5, 5 a]b"<b>: Full backup of 3.0 MB in 500 ms.',
      'notice 50 to 50, 5 a]b"<b>: The log is full and waits for a checkpoint.',
      'notice 60 to 60, null null: Trace flag 3505 was turned on: it turns automatic checkpoints off.',
    ]);
  });

  it('are left out, and counted, where the time in UTC is not known', () => {
    const { marks, undated } = list({ reading: read(FLUSH, false) });
    assert.deepEqual([marks.length, undated], [0, 1]);
  });

  it('are of no database where another one has the id now', () => {
    const { marks } = list({
      reading: read(FLUSH),
      findById: (_, atUtcMs) => (atUtcMs > noonUtcMs ? assert.fail() : null),
    });
    assert.deepEqual([marks[0]?.databaseId, marks[0]?.database], [null, 'database 5']);
  });

  it('are the newest where there are too many, without one kind crowding out another', () => {
    const backups = new Map([
      ['x', Array.from({ length: 40_000 }, (_, at) => run('log', at * 1_000))],
      ['y', Array.from({ length: 900 }, (_, at) => run('full', at))],
    ]);
    const rows = Array.from({ length: 30 }, (_, at) =>
      row(at, "Recovery is writing a checkpoint in database 'x' (77)."),
    );
    const { marks, older } = list({ reading: read(rows), backups }, 2_000);
    assert.equal(marks.length, 2_000);
    // 500 of each kind and all recoveries; the other 970 are backups of the log, the newest there are.
    assert.deepEqual(older, [
      { text: '38,530 log backups', lastUtcMs: noonUtcMs + 38_529_500 },
      { text: '400 backups', lastUtcMs: noonUtcMs + 899 },
    ]);
    const tally = (word: string): number => marks.filter(({ text }) => text.startsWith(word)).length;
    assert.deepEqual([tally('Recovery'), tally('Full')], [30, 500]);
    assert.equal(marks.at(-1)?.beginUtcMs, noonUtcMs + 39_999_000);
    marks
      .slice(1)
      .forEach(({ beginUtcMs }, at) => assert.ok(beginUtcMs >= (marks[at]?.beginUtcMs ?? Infinity)));
  });
});
