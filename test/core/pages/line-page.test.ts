import assert from 'node:assert/strict';
import { type ExplainedLine, explainLine } from '../../../src/core/pages/line-page';
import { writePageMarkdown } from '../../../src/core/pages/page-markdown';
import { PUBLISHED } from '../errorlog/log-texts';

function explain(text: string): ExplainedLine {
  const explained = explainLine(text);
  assert.ok(typeof explained !== 'string', String(explained));
  return explained;
}

const whole = (text: string): string => writePageMarkdown(explain(text).page, explain(text).name);
const figures = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (explain(text).page.tables[0]?.rows ?? []).map(({ cells }) => cells.map((cell) => cell.text)),
  );

const FLUSH = PUBLISHED.join('\n');
/** A server of much memory: few pages, and many buffers to look through. */
const SCANNED =
  'FlushCache: cleaned up 7126 bufs with 1431 writes in 228429 ms (avoided 0 new dirty bufs) for db 9:0 average writes per second: 6.26 writes/sec ' +
  'average throughput: 0.24 MB/sec I/O saturation: 197 context switches 386 last target outstanding: 2 avgWriteLatency 2';

const THROTTLED = `FlushCache: cleaned up 9604 bufs with 7720 writes in 65120 ms (avoided 12 new dirty bufs) for db 9:0
            average writes per second: 118.55 writes/sec
            average throughput: 1.15 MB/sec, I/O saturation: 6115, context switches 9870
            last target outstanding: 2, avgWriteLatency 0`;

describe('A FlushCache message explained', () => {
  it('says what was written and how fast, and where its figures come from', () => {
    const { name, page } = explain(FLUSH);
    assert.equal(name, 'FlushCache message of database 19');
    assert.equal(page.title, 'This checkpoint wrote 394,031 pages (3.0 GB) in 65.5 s.');
    assert.deepEqual(figures(FLUSH), {
      Duration: '65.5 s',
      Pages: '394,031 pages (3.0 GB)',
      Writes: '282,252',
      'Pages per write': '1.4',
      'Pages per second': '6,012',
      Throughput: '46.96 MB/s',
      'Write latency': '1 ms',
      'I/O saturation': '53,644',
      'Context switches': '101,117',
      'Last target outstanding': '639,360',
      'New dirty pages avoided': '21',
    });
    assert.match(whole(FLUSH), /pages were scattered: 1\.4 per write/);
  });

  it('says why it was logged: it took longer than the recovery interval, or a trace flag was on', () => {
    assert.match(
      whole(FLUSH),
      /longer than the recovery interval.*trace flag 3504.*This one took longer than a minute/,
    );
    const short =
      'FlushCache: cleaned up 40 bufs with 10 writes in 12 ms (avoided 0 new dirty bufs) for db 9:0';
    assert.match(whole(short), /took less than a minute, so trace flag 3504 was probably on/);
    assert.match(whole(short), /Turn trace flag 3504 off/);
  });

  it('calls nothing harmful that is only long, and names the commands that come next', () => {
    assert.match(whole(FLUSH), /A long checkpoint alone does no harm.*WRITELOG/);
    assert.match(
      whole(FLUSH),
      /Start Tracking Checkpoints.*Review Script for Indirect Checkpoints….*Do not switch because of one message/,
    );
  });

  it('names a scan only where writes were few and fast and nothing says that it held itself back', () => {
    assert.match(
      whole(SCANNED),
      /So few and fast writes do not explain 3 min 48 s\. It may have looked through/,
    );
    for (const text of [FLUSH, THROTTLED, SCANNED.replace(/avgWriteLatency 2/, 'avgWriteLatency 20')])
      assert.doesNotMatch(whole(text), /buffer pool/, text);
  });

  it('says first that a checkpoint held itself back, where I/O saturation and a small last target say so', () => {
    const says =
      /It held itself back: an I\/O saturation of 6,115 and a last target of 2 say so\. A write took 0 ms on average, which does not show the slow ones/;
    assert.match(whole(THROTTLED), says);
    assert.doesNotMatch(whole(THROTTLED), /too little for a checkpoint|went elsewhere/);
    for (const text of [
      THROTTLED.replace('outstanding: 2', 'outstanding: 512000'),
      THROTTLED.replace('6115', '611'),
    ])
      assert.doesNotMatch(whole(text), /held itself back/);
  });

  it('shows every figure of the message, and how to read each', () => {
    const rows = explain(THROTTLED).page.tables[0]?.rows ?? [];
    assert.ok(rows.every(({ cells }) => cells.every(({ text }) => text !== '')));
    for (const figure of ['9,604', '7,720', '65.1 s', '12', '1.15 MB/s', '6,115', '9,870', '2', '0 ms'])
      assert.ok(
        rows.some(({ cells }) => cells[1]?.text.split(' pages')[0] === figure),
        figure,
      );
  });

  it('is whole if its throughput alone is a little off, and that is named', () => {
    const [first = '', writes = '', throughput = '', last = ''] = PUBLISHED;
    const off = [first, writes, throughput.replace('46.96', '46.90'), last].join('\n');
    assert.match(whole(off), /printed throughput differs by 0\.1 % from pages and duration/);
    assert.equal(figures(off)['Last target outstanding'], '639,360');
  });

  it('of 2008 lacks what was not printed then, and nothing else', () => {
    const old =
      'FlushCache: cleaned up 61760 bufs with 3104 writes in 3125 ms (avoided 0 new dirty bufs)\naverage throughput: 154.40 MB/sec, I/O saturation: 5449\nlast target outstanding: 2586';
    const {
      'I/O saturation': saturation,
      'Context switches': switches,
      'Write latency': latency,
    } = figures(old);
    assert.deepEqual([saturation, switches, latency], ['5,449', undefined, undefined]);
    assert.doesNotMatch(whole(old), /do not fit together/);
  });

  for (const [latency, says] of [
    ['86', /At that latency a checkpoint throttles itself/],
    ['32', /at 50 ms or more; before SQL Server 2016, at 20 ms or more/],
    ['1', /too little for a checkpoint to throttle itself/],
  ] as const)
    it(`holds a write latency of ${latency} ms against that at which a checkpoint slows itself down`, () => {
      assert.match(whole(SCANNED.replace(/avgWriteLatency 2/, `avgWriteLatency ${latency}`)), says);
    });

  it('computes the throughput where only the first line is there, and says so', () => {
    assert.equal(figures(PUBLISHED[0])['Throughput'], '46.97 MB/s');
    assert.match(whole(PUBLISHED[0]), /46\.97 MB\/s \| Computed from the pages and the duration/);
    assert.ok(!('Write latency' in figures(PUBLISHED[0])), 'nothing is said of what is not there');
  });

  it('divides by no time and no writes', () => {
    const nothing =
      'FlushCache: cleaned up 0 bufs with 0 writes in 0 ms (avoided 0 new dirty bufs) for db 9:0';
    assert.deepEqual(Object.keys(figures(nothing)), [
      'Duration',
      'Pages',
      'Writes',
      'New dirty pages avoided',
    ]);
    assert.match(whole(nothing), /Nothing was written\./);
  });

  it('is found in whatever stands around it', () => {
    const head = '2016-07-09 03:30:14.02 spid23s     ';
    for (const text of [
      PUBLISHED.map((line) => head + line).join('\r\n'),
      PUBLISHED.map((line) => `> ${line}`).join('\n'),
      `spid23s     ${FLUSH}`,
      `\`${PUBLISHED.map((line) => line.trim()).join(' ')}\``,
      `sql-1  | ${head}${FLUSH}`,
      `Each night we see "${FLUSH}". Is that bad?`,
      `TimeCreated: 07/09/2016 03:30:14 | Id: 17890 | Message: ${PUBLISHED.map((line) => line.trim()).join(' ')}`,
    ])
      assert.equal(explain(text).page.title, 'This checkpoint wrote 394,031 pages (3.0 GB) in 65.5 s.', text);
    const event = (date: string): string =>
      `TimeCreated  : ${date}\nProviderName : MSSQLSERVER\nId           : 17890\nMessage      : ${PUBLISHED.join(`\n${' '.repeat(15)}`)}`;
    for (const date of ['11/20/2026 9:15:02 AM', '11/10/2026 9:15:02 AM']) {
      assert.equal(
        explain(event(date)).page.title,
        'This checkpoint wrote 394,031 pages (3.0 GB) in 65.5 s.',
      );
      assert.match(
        whole(event(date)),
        new RegExp(`The time in the text is ${date}`),
        'the text is quoted, whichever number is the day',
      );
    }
    assert.match(
      whole(head + PUBLISHED[0]),
      /Logged 2016-07-09 03:30:14\.02 \(server time\) by process spid23s/,
    );
  });

  it('is the longest of several, and the others are counted', () => {
    const { name, page } = explain(
      `${SCANNED}\n\n${FLUSH}\nSetting database option RECOVERY to SIMPLE for database 'x'.`,
    );
    assert.equal(name, 'FlushCache message of database 9');
    assert.match(page.notes.join(' '), /The text has 2 more messages/);
  });
});

describe('Another message explained', () => {
  for (const [what, line, says] of [
    [
      'an indirect checkpoint that had to catch up',
      'DirtyPageMgr::ForceCatchupOrFlushCache: cleaned up 166 dirty pages in 4 ms for db 19',
      /wrote 166 pages \(1\.3 MB\) in 4 ms.*There is nothing to switch/s,
    ],
    [
      'the same in another wording',
      'DirtyPageMgr::ForceCatchupOrFlushCache: something new',
      /This indirect checkpoint had to catch up\.\*\*/,
    ],
    ['a step of a checkpoint', 'Ckpt dbid 5 started (8)', /marks one step of a checkpoint.*Trace flag 3502/s],
    [
      'a scan (898)',
      "Buffer Pool scan took 14 seconds: database ID 7, command 'BACKUP DATABASE', operation 'FlushCache', scanned buffers 115, total iterated buffers 204640239, wait time 0 ms.",
      /took 14\.0 s.*a scan of the buffer pool of 10 seconds or more, unless trace flag 890.*Extended Event comes from 1 second on.*operation FlushCache is a checkpoint.*BACKUP DATABASE.*204,640,239.*an indirect one keeps a list/s,
    ],
    [
      'slow I/O (833)',
      'SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [D:\\x.mdf] in database [x] (7).',
      /3 reads or writes of a file took longer than 15\.0 s.*Look at the storage first/s,
    ],
    [
      'no space for the record of a checkpoint (3619)',
      'Could not write a checkpoint record in database Shop because the log is out of space. Contact the database administrator.',
      /The log of Shop had no space for the record of a checkpoint.*Give the log space first/s,
    ],
    [
      'a failed checkpoint (5901)',
      "One or more recovery units belonging to database 'Shop' failed to generate a checkpoint. This is typically caused by lack of system resources.",
      /A checkpoint of Shop failed.*message 5901/s,
    ],
    [
      'a log that waits for a checkpoint (9002)',
      "The transaction log for database 'Shop' is full due to 'CHECKPOINT'.",
      /The log of Shop is full and waits for a checkpoint.*message 9002/s,
    ],
    [
      'a log that is full for another reason (9002)',
      "The transaction log for database 'Shop' is full due to 'LOG_BACKUP'.",
      /Full log of Shop.*The log is full because of LOG\\_BACKUP\..*no message of a checkpoint/s,
    ],
    [
      'a trace flag that turns automatic checkpoints off',
      '2026-03-04 03:00:00.10 spid61      DBCC TRACEON 3505, server process ID (SPID) 61. This is an informational message only; no user action is required.',
      /Trace flag 3505 was turned on: it turns automatic checkpoints off\..*by process spid61/s,
    ],
    [
      'another recovery interval',
      "2026-03-04 03:00:01.10 spid61      Configuration option 'recovery interval (min)' changed from 0 to 5. Run the RECONFIGURE statement to install.",
      /The recovery interval was changed from 0 to 5 minutes/,
    ],
    [
      'a latch that was waited for (844)',
      'Time out occurred while waiting for buffer latch -- type 2, bp 0000, page 1:88, stat 0xb, database id: 7, allocation unit id: 281, task 0x00 : 0, waittime 300 seconds, flags 0x1a, owning task 0x00. Continuing to wait.',
      /A latch was waited for 5 min \(message 844\)/,
    ],
    [
      'a recovery (3421)',
      'Recovery completed for database x (database ID 17) in 31 second(s) (analysis 2 ms, redo 30160 ms, undo 16 ms.)',
      /Recovery of x took 31\.0 s.*Redo \| 30\.2 s.*If redo takes too long, a shorter target recovery time limits it/s,
    ],
    [
      "recovery's own checkpoint (3454)",
      "Recovery is writing a checkpoint in database 'x' (17).",
      /not one of the checkpoint task/,
    ],
    [
      'a switch',
      "Setting database option target_recovery_time to 60 for database 'x'.",
      /x was set to indirect checkpoints, with a target of 60 seconds.*Before \/ after/s,
    ],
    [
      'a switch back',
      "Setting database option target_recovery_time to 0 for database 'x'.",
      /x was set to automatic checkpoints/,
    ],
    [
      'another changed option',
      "Setting database option RECOVERY to SIMPLE for database 'x'.",
      /The option RECOVERY of x was set to SIMPLE.*Only target/s,
    ],
  ] as const)
    it(`is ${what}`, () => {
      assert.match(whole(line), says);
    });

  it('keeps the name of a database as somebody chose it', () => {
    const name = 'a]b"--<b>😀\u202e';
    const { page } = explain(`Setting database option target_recovery_time to 60 for database '${name}'.`);
    assert.equal(page.title, `${name} was set to indirect checkpoints, with a target of 60 seconds.`);
    assert.doesNotMatch(
      whole(`Setting database option target_recovery_time to 60 for database '${name}'.`),
      /<b>|\u202e/,
    );
  });
});

describe('A text that holds no message about checkpoints', () => {
  for (const [text, says] of [
    [
      '      last target outstanding:   639360, avgWriteLatency 1',
      /^This is only part of a FlushCache message\./,
    ],
    [
      '2016-07-09 03:30:14.02 spid23s     FlushCache: cleaned up 394',
      /^This is only part of a FlushCache message\./,
    ],
    [
      "2016-07-09 03:30:14.02 spid5s      Starting up database 'x'.",
      /^This line is known but not used here\.$/,
    ],
    [
      'Dear all,\nour log says 5 bufs.',
      /^This line is not known here\. It should be a line of the error log/,
    ],
    ['', /^This line is not known here\./],
    ['\u0000\ufffd\ud800', /^This line is not known here\./],
    [FLUSH.repeat(1_000), /^This is more than a few lines\./],
  ] as const)
    it(`gives one sentence: ${says.source}`, () => {
      const sentence = explainLine(text);
      assert.ok(typeof sentence === 'string');
      assert.match(sentence, says);
    });
});
