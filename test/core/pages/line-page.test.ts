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

  it('tells time of writing from time that went elsewhere, as into a scan', () => {
    assert.match(
      whole(SCANNED),
      /writes would have taken less than 4\.3 s\. The rest of the 3 min 48 s went elsewhere/,
    );
    assert.doesNotMatch(whole(FLUSH), /went elsewhere/);
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
      /took 14\.0 s.*a scan of the buffer pool of 10 seconds or more, unless trace flag 890.*operation FlushCache is a checkpoint.*BACKUP DATABASE.*204,640,239.*an indirect one keeps a list/s,
    ],
    [
      'slow I/O (833)',
      'SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [D:\\x.mdf] in database [x] (7).',
      /3 reads or writes of a file took longer than 15\.0 s.*Look at the storage first/s,
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
    ["2016-07-09 03:30:14.02 spid5s      Starting up database 'x'.", /^SQL Server writes this line often\./],
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
