import assert from 'node:assert/strict';
import {
  createErrorLogReader,
  type ErrorLogTextReading,
  readErrorLogText,
} from '../../../src/core/errorlog/error-log-text';
import { changeOf, createMessage, PUBLISHED, readAt } from './log-texts';
import { valuesOf } from '../values-of';

const HEAD = '2016-07-09 03:30:14.02 spid23s     ';
const FILE = [
  '2016-07-09 03:00:00.01 Server      Microsoft SQL Server 2016 (SP1) (KB3182545) - 13.0.4001.0 (X64) ',
  '\tOct 28 2016 18:17:30 ',
  '\tCopyright (c) Microsoft Corporation',
  '\tEnterprise Edition (64-bit) on Windows Server 2012 R2 Standard 6.3 <X64> (Build 9600: ) (Hypervisor)',
  '',
  '2016-07-09 03:00:00.02 Server      UTC adjustment: -5:00',
  '2016-07-09 03:00:00.02 Server      (c) Microsoft Corporation.',
  ...PUBLISHED.map((line) => HEAD + line),
  `2016-07-09 03:31:00.10 spid60      ${changeOf('Lager Süd')}`,
  '2016-07-09 03:32:00.10 spid60      Something that nobody has seen before.',
];

function bytesOf(
  lines: readonly string[],
  encoding: 'utf16le' | 'utf8',
  { mark = '', end = '\r\n' } = {},
): Uint8Array {
  return new Uint8Array(Buffer.from(mark + lines.map((line) => line + end).join(''), encoding));
}

function readBytes(bytes: Uint8Array, pieceBytes: number): ErrorLogTextReading {
  const reader = createErrorLogReader();
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.take(bytes.subarray(at, at + pieceBytes));
  return reader.end();
}

/** What must come out of every form of the same text. */
function assertSame({ groups, changes, counts, unrecognised }: ErrorLogTextReading): void {
  assert.deepEqual(valuesOf(groups, 'state', 'databaseId', 'pages', 'averageWriteLatencyMs'), [
    ['whole', 19, 394031, 1],
  ]);
  assert.deepEqual(valuesOf(changes, 'option', 'value', 'databaseName'), [
    ['target_recovery_time', '60', 'Lager Süd'],
  ]);
  assert.deepEqual(valuesOf(unrecognised, 'text'), ['Something that nobody has seen before.']);
  assert.equal(counts.unrecognised, 1);
  assert.equal(counts.lines.read, counts.lines.parsed + counts.lines.noise + counts.lines.unrecognised);
}

describe('An ERRORLOG file', () => {
  for (const [name, encoding, mark, end] of [
    ['UTF-16LE', 'utf16le', '\uFEFF', '\r\n'],
    ['UTF-16LE', 'utf16le', '', '\r\n'],
    ['UTF-8', 'utf8', '\uFEFF', '\n'],
    ['UTF-8', 'utf8', '', '\r\n'],
  ] as const) {
    it(`is read as ${name} ${mark === '' ? 'without' : 'with'} a byte order mark and ${JSON.stringify(end)}, cut anywhere`, () => {
      const bytes = bytesOf(FILE, encoding, { mark, end });
      for (const pieceBytes of [1, 7, 4096, 1 << 20]) {
        const reading = readBytes(bytes, pieceBytes);
        assert.deepEqual([reading.form, reading.encoding], ['error log', name]);
        assertSame(reading);
        assert.deepEqual(reading.counts.lines, { read: 13, parsed: 6, noise: 6, unrecognised: 1 });
      }
    });
  }

  it('tells its own offset from UTC', () => {
    const { groups, changes } = readBytes(bytesOf(FILE, 'utf16le'), 1000);
    assert.deepEqual(valuesOf(groups, 'atUtcMs', 'sureness'), [
      [Date.UTC(2016, 6, 9, 8, 30, 14, 20), 'assumed'],
    ]);
    assert.deepEqual(valuesOf(changes, 'lines', 'logDateLocal'), [[[12], '2016-07-09 03:31:00.10']]);
  });

  it('of any length is read to the same letters wherever it is cut', () => {
    const lines = Array.from({ length: 200 }, (_, at) => `${HEAD}${changeOf(`Süd 倉庫 😀 ${at}`)}`);
    const names = valuesOf(readErrorLogText(lines.join('\n')).changes, 'databaseName');
    const little = bytesOf(lines, 'utf16le');
    for (const bytes of [little, new Uint8Array(Buffer.from(little).swap16()), bytesOf(lines, 'utf8')])
      for (const pieceBytes of [1, 7, 4096])
        assert.deepEqual(valuesOf(readBytes(bytes, pieceBytes).changes, 'databaseName'), names);
    const long = `${HEAD}${'ü'.repeat(100_000)}`;
    assert.match(
      readBytes(bytesOf([long], 'utf8'), 4097)
        .unrecognised.map(({ text }) => text)
        .join(''),
      /^ü+$/,
    );
  });

  it('in an older encoding keeps the letters of its names', () => {
    assertSame(readBytes(new Uint8Array(Buffer.from(FILE.join('\n'), 'latin1')), 100));
  });

  it('with a message that was wrapped, as pages of the web and mails do, is read', () => {
    const slow = `${HEAD}SQL Server has encountered 2 occurrence(s) of I/O requests\ntaking longer than 15 seconds to complete on file [D:\\x.mdf]\n  in database [x] (7).  The OS file handle is 0x01.`;
    assert.deepEqual(valuesOf(readErrorLogText(slow).slowIos, 'occurrences', 'databaseId'), [[2, 7]]);
  });

  it('whose lines were joined with their dates in one is read all the same', () => {
    const reading = readErrorLogText(FILE.slice(5).join(' '));
    assertSame(reading);
    assert.deepEqual(reading.counts.lines.read, 1);
  });

  it('with text written under a message does not lose the message', () => {
    const { groups, counts, unrecognised } = readErrorLogText(
      [...PUBLISHED.map((line) => HEAD + line), '', 'What does that mean?', 'Thanks'].join('\n'),
    );
    assert.deepEqual([groups.length, groups[0]?.state], [1, 'whole']);
    assert.deepEqual(
      [unrecognised.map(({ text }) => text), counts.lines.unrecognised],
      [['What does that mean?\nThanks'], 3],
    );
  });
});

describe('Text pasted from elsewhere', () => {
  const rows = FILE.slice(5).map(
    (line) => [line.slice(0, 22), line.slice(23, 34).trim(), line.slice(35)] as const,
  );
  const quote = (text: string): string => `"${text.replace(/"/g, '""')}"`;

  it('is read as cells of a grid, with and without names', () => {
    const lines = rows.map((cells) => cells.join('\t'));
    for (const text of [lines.join('\r\n'), ['LogDate\tProcessInfo\tText', ...lines].join('\n')]) {
      const reading = readErrorLogText(text);
      assert.equal(reading.form, 'grid');
      assertSame(reading);
    }
  });

  it('may begin with a byte order mark, and be nothing', () => {
    const text = FILE.join('\r\n');
    assert.deepEqual(readErrorLogText(`\uFEFF${text}`), readErrorLogText(text));
    assert.equal(readErrorLogText('').counts.lines.read, 0);
  });

  it('is read as results as text, with names, dashes and a count of rows', () => {
    const lines = rows.map(([date, process, text]) => `${date}0 ${process.padEnd(12)} ${text}`.padEnd(400));
    const names = 'LogDate                 ProcessInfo  Text';
    const reading = readErrorLogText(
      [
        names,
        '----------------------- ------------ -------------',
        ...lines,
        '',
        '(8 rows affected)',
        '',
      ].join('\r\n'),
    );
    assert.equal(reading.form, 'error log');
    assertSame(reading);
  });

  for (const separator of [',', ';', '\t', '|']) {
    it(`is read as CSV with ${JSON.stringify(separator)}, quoted and not`, () => {
      const plain = rows.map((cells) => cells.join(separator));
      const quoted = rows.map((cells) => cells.map(quote).join(separator));
      const named = [['LogDate', 'ProcessInfo', 'Text'].join(separator), ...quoted];
      for (const lines of [plain, quoted, named]) {
        const reading = readErrorLogText(lines.join('\r\n'));
        assert.equal(reading.form, separator === '\t' ? 'grid' : 'csv');
        assertSame(reading);
      }
    });
  }

  it('is read with line breaks and doubled quotes in quoted cells, and a quote that is never closed swallows nothing', () => {
    const text = [
      `2016-07-09 03:30:14.020,spid23s,"${PUBLISHED.join('\r\n')}"`,
      `2016-07-09 03:31:14.020,spid23s,"${changeOf('a""b')}"`,
      '2016-07-09 03:32:14.020,spid23s,"never closed',
      ...createMessage(1000, 900, 61_000, 7).map((line) => `2016-07-09 03:33:14.020,spid23s,${line}`),
    ];
    text.push('2016-07-09 03:34:14.020,spid23s,"two', 'lines"', 'and "what" follows');
    const { groups, changes, counts, unrecognised } = readErrorLogText(text.join('\r\n'));
    assert.deepEqual(valuesOf(groups, 'state', 'databaseId'), [
      ['whole', 19],
      ['whole', 7],
    ]);
    assert.deepEqual(valuesOf(changes, 'databaseName'), ['a"b']);
    assert.equal(unrecognised[1]?.text, 'two\nlines\nand "what" follows');
    assert.deepEqual([counts.rows, counts.unrecognised, counts.lines.read], [8, 2, 13]);
  });

  it('is read as an export of the Log File Viewer, newest first, with dates of its culture', () => {
    for (const columns of ['03:30:14,spid23s,Unknown', '03:30:14.000,16,spid23s']) {
      const log = [...PUBLISHED].reverse().map((line) => `07/13/2016 ${columns},${line.trim()}`);
      const { form, groups } = readAt(60, 'Date,Source,Severity,Message', ...log);
      assert.deepEqual(
        [form, ...valuesOf(groups, 'state', 'atUtcMs')],
        ['csv', ['whole', Date.UTC(2016, 6, 13, 2, 30, 14)]],
      );
    }
  });

  it('is read as an export of the Log File Viewer that writes commas as marks, and has empty cells of other logs behind the text', () => {
    const log = [...PUBLISHED]
      .reverse()
      .map((line) => `11/28/2025 07:39:25,spid66,Unknown,${line.trim().replace(/,/g, '<c/>')},,,,,`);
    const change = `11/28/2025 06:40:02,spid115,Unknown,${changeOf('a<c/>b')},,,,,`;
    const error = '11/28/2025 06:40:02,spid66,Unknown,Error: 34052<c/> Severity: 16<c/> State: 1.,,,,,';
    const head =
      'Date,Source,Severity,Message,Log ID,Process ID,Mail Item ID,Account ID,Last Modified,Last Modified By';
    const { groups, changes, counts } = readErrorLogText([head, ...log, change, error].join('\r\n'));
    assert.deepEqual([groups.length, groups[0]?.state, changes[0]?.databaseName], [1, 'whole', 'a,b']);
    assert.deepEqual([counts.parsed, counts.noise, counts.unrecognised], [PUBLISHED.length + 1, 1, 0]);
  });

  it('with a line of names that goes on in nothing but blanks is done at once', () => {
    const blank = `LogDate${' '.repeat(100_000)}x`;
    const { counts } = readErrorLogText(
      [`${HEAD}Something.`, blank, `LogDate${' '.repeat(40)}ProcessInfo Text`].join('\n'),
    );
    assert.deepEqual(counts.lines, { read: 3, parsed: 0, noise: 1, unrecognised: 2 });
  });

  it('is read where an export without commas, newest first, was joined in one line; what is of another process stays apart', () => {
    const text =
      'I see these: 09/04/2020 10:52:24,spid82s,Unknown,FlushCache: cleaned up 2303 bufs with 1881 writes in 81090 ms (avoided 11 new dirty bufs) for db 7:0 ' +
      '09/04/2020 10:52:07,spid52s,Unknown,last target outstanding: 2 avgWriteLatency 86 09/04/2020 10:52:07,spid52s,Unknown,average writes per second: 17.70 writes/sec ' +
      'average throughput: 0.19 MB/sec I/O saturation: 13073 context switches 15434 ' +
      '09/04/2020 10:52:07,spid52s,Unknown,FlushCache: cleaned up 2005 bufs with 1460 writes in 82486 ms (avoided 3 new dirty bufs) for db 5:0';
    const { form, groups, counts } = readErrorLogText(text);
    assert.equal(form, 'csv');
    assert.deepEqual(valuesOf(groups, 'state', 'databaseId', 'ioSaturation', 'averageWriteLatencyMs'), [
      ['incomplete', 7, null, null],
      ['whole', 5, 13073, 86],
    ]);
    assert.deepEqual([counts.rows, counts.unrecognised, counts.lines.read], [5, 1, 1]);
  });

  it('has no times where it is open which number is the day, and figures all the same', () => {
    const { groups } = readAt(60, ...PUBLISHED.map((line) => `07/09/2016 03:30:14,spid23s,Unknown,${line}`));
    assert.deepEqual(valuesOf(groups, 'state', 'atUtcMs', 'sureness'), [['whole', null, 'unknown']]);
  });

  it('takes no line of a message seconds later for one that was lost, even where it is open which number is the day', () => {
    const [cleaned, writes, throughput] = PUBLISHED;
    const [, , , last] = createMessage(1000, 900, 61_000, 7);
    const text = [cleaned, writes, throughput].map((line) => `07/09/2016 03:30:14,spid23s,Unknown,${line}`);
    const { groups, counts } = readErrorLogText(
      [...text, `07/09/2016 03:30:19,spid23s,Unknown,${last}`].join('\n'),
    );
    assert.deepEqual(
      [groups[0]?.state, groups[0]?.averageWriteLatencyMs, counts.unrecognised],
      ['incomplete', null, 1],
    );
  });

  it('is read as messages alone, without times', () => {
    const { form, groups } = readErrorLogText(PUBLISHED.join('\n'));
    assert.deepEqual([form, groups[0]?.state, groups[0]?.sureness], ['messages alone', 'whole', 'unknown']);
  });

  it('is read as messages alone where lines were wrapped, and lines that do not fit are a mixture', () => {
    const { groups, counts } = readErrorLogText(
      [
        'FlushCache: cleaned up 11848 bufs with 7432 writes in 97168 ms',
        '(avoided 8139 new dirty bufs) for db 9:0',
        '',
        'last target outstanding: 4, avgWriteLatency 32',
        '',
        'average throughput: 0.72 MB/sec, I/O saturation:',
        '11635, context switches 18849',
      ].join('\n'),
    );
    assert.deepEqual(valuesOf(groups, 'state', 'databaseId', 'pages', 'ioSaturation'), [
      ['mixture', 9, 11848, null],
    ]);
    assert.deepEqual(counts.lines, { read: 7, parsed: 5, noise: 2, unrecognised: 0 });
  });

  it('gives each of two records its own date where they were joined without a blank', () => {
    const later = '2016-07-09 03:30:15.02 spid23s     ';
    for (const between of [' IsOnline: 0', ' ', ' IsOnline: 1 ', '']) {
      const { changes, unrecognised } = readErrorLogText(
        `${HEAD}${changeOf('A')}${between}${later}${changeOf('B')}`,
      );
      assert.deepEqual(valuesOf(changes, 'databaseName', 'logDateLocal'), [
        ['A', HEAD.slice(0, 22)],
        ['B', later.slice(0, 22)],
      ]);
      assert.deepEqual(unrecognised, []);
    }
  });

  it('in no known form is kept line by line and not guessed at', () => {
    const { form, counts, unrecognised } = readErrorLogText('Dear all,\n\nour log says 5 bufs.\n');
    assert.equal(form, 'unknown');
    assert.deepEqual(valuesOf(unrecognised, 'text', 'line'), [
      ['Dear all,', 1],
      ['our log says 5 bufs.', 3],
    ]);
    assert.deepEqual(counts.lines, { read: 3, parsed: 0, noise: 1, unrecognised: 2 });
  });
});

describe('A log taken from elsewhere, with something before each line', () => {
  // Real lines with prefixes as those programs write them.
  const prefixes: [string, string][] = [
    ['docker logs -t', '2016-07-09T08:30:14.023456789Z '],
    ['journalctl', 'Jul 09 03:30:14 sql-01 sqlservr[812]: '],
    ['journalctl -o short-iso', '2016-07-09T03:30:14-0500 sql-01 sqlservr[812]: '],
    ['CloudWatch', '1468053014023,'],
    ['docker compose logs', 'sql-1  | '],
    ['kubectl logs --prefix', '[pod/mssql-0/mssql] '],
    ['journalctl -o short-precise', 'Jul 09 03:30:14.123456 sql-01 sqlservr[812]: '],
    ['journalctl -o short-full', 'Sat 2016-07-09 03:30:14 UTC sql-01 sqlservr[812]: '],
    ['Select-String', 'ERRORLOG.1:12:'],
    ['a quote in a mail', '> '],
  ];
  for (const [title, prefix] of prefixes)
    it(`is read as if it were not there: ${title}`, () => {
      const reading = readErrorLogText(FILE.map((line) => prefix + line).join('\n'));
      assert.equal(reading.form, 'error log');
      assertSame(reading);
      assert.deepEqual(reading.counts.lines, { read: 13, parsed: 6, noise: 6, unrecognised: 1 });
    });

  it('is read where the exported message is quoted, on one line and over several', () => {
    const quote = (text: string): string => `1468053014023,"${text.replace(/"/g, '""')}"`;
    const change = HEAD + changeOf('a "b"');
    const text = [
      'timestamp,message',
      quote(change),
      quote(PUBLISHED.map((line, at) => (at === 0 ? HEAD + line : line)).join('\n')),
    ];
    const { groups, changes, counts } = readErrorLogText(text.join('\n'));
    assert.deepEqual(
      [groups[0]?.state, changes[0]?.databaseName, counts.unrecognised],
      ['whole', 'a "b"', 0],
    );
  });

  it('is read where only those messages are quoted that hold a comma, as in an export of CloudWatch Logs Insights', () => {
    const lines = FILE.map(
      (line) => `2016-07-09 08:30:14.023,${line.includes(',') ? `"${line.replace(/"/g, '""')}"` : line}`,
    );
    assertSame(readErrorLogText(['@timestamp,@message', ...lines].join('\n')));
    const two = [`${HEAD}Something, and`, 'more, of it'].map((line) => `2016-07-09 08:30:14.023,"${line}"`);
    assert.deepEqual(valuesOf(readErrorLogText(two.join('\n')).unrecognised, 'text'), [
      'Something, and\nmore, of it',
    ]);
  });

  it('is read on where the prefix changes with the month, or with the number of a line', () => {
    const prefixed = FILE.map(
      (line, at) => `${at < 7 ? 'Jul 31' : 'Aug  1'} 03:30:14.123456 sql-01 sqlservr[${at}]: ${line}`,
    );
    assertSame(readErrorLogText(prefixed.join('\n')));
    assertSame(readErrorLogText(FILE.map((line, at) => `ERRORLOG:${at + 5}:${line}`).join('\n')));
  });

  it('keeps a message that begins before the first date, where a line was copied without its beginning', () => {
    const change = changeOf('a');
    const text = `spid51      ${change} 2016-07-09 03:31:00.10 spid60      Something that nobody has seen before.`;
    const { changes, unrecognised } = readErrorLogText(text);
    assert.equal(changes.length + unrecognised.filter((row) => row.text.includes(change)).length, 1);
  });

  for (const prefix of [
    'Jul 09 03:30:14 sql-01 sqlservr[812]: ',
    '-- ',
    '> ',
    '2016-07-09T03:30:14 <13> agent[7] ',
  ])
    it(`is read where the program left out the log's own dates: ${prefix}`, () => {
      const { groups, counts } = readErrorLogText(PUBLISHED.map((line) => prefix + line).join('\n'));
      assert.deepEqual(
        [groups.length, groups[0]?.state, groups[0]?.sureness, counts.unrecognised],
        [1, 'whole', 'unknown', 0],
      );
    });

  it('keeps what only looks like a prefix', () => {
    for (const text of [
      '2016-07-09T03:30:14 x',
      'Jul 09 03:30:14 was the time',
      '146805301402,5 rows',
      'TimeCreated: yesterday',
    ])
      assert.deepEqual(valuesOf(readErrorLogText(text).unrecognised, 'text'), [text]);
  });
});
