import assert from 'node:assert/strict';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import type { ErrorLogRow } from '../../../src/core/errorlog/error-log-row';
import {
  createErrorLogReader,
  type ErrorLogTextReading,
  readErrorLogText,
} from '../../../src/core/errorlog/error-log-text';
import { createChance, disturbLog } from './disturbed-log';
import { changeOf, PUBLISHED } from './log-texts';
import { valuesOf } from '../values-of';

/** What every log of these forms holds: a date, a process, a text. */
type Line = readonly [at: string, process: string, text: string];
const [MORNING, LATER] = ['2026-03-14 03:01:48', '2026-03-14 15:02:00'];
const LOG: readonly Line[] = [
  ...PUBLISHED.map((text): Line => [MORNING, 'spid25s', text.trim()]),
  [LATER, 'spid60', changeOf('Lager, Süd "1"')],
  [LATER, 'Logon', "Login failed for user 'sa'."],
];

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  /** Of a half day. */
  readonly short: string;
  readonly half: string;
  readonly rest: string;
}

const writeDate = (at: string, how: (parts: DateParts) => string, halves = ['AM', 'PM']): string => {
  const [, year = '', month = '', day = '', hour = '', rest = ''] =
    /^(\d+)-(\d+)-(\d+) (\d+):(.*)$/.exec(at) ?? [];
  const half = halves[Number(hour) < 12 ? 0 : 1] ?? '';
  return year === ''
    ? at
    : how({ year, month, day, hour, short: String(Number(hour) % 12 || 12), half, rest });
};
const GERMAN = (at: string): string =>
  writeDate(at, ({ year, month, day, hour, rest }) => `${day}.${month}.${year} ${hour}:${rest}`);
const AMERICAN = (at: string): string =>
  writeDate(
    at,
    ({ year, month, day, short, half, rest }) => `${Number(month)}/${day}/${year} ${short}:${rest} ${half}`,
  );
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @param process null where the form has none */
function assertRead(text: string, process: string | null = 'spid25s', isDated = true): void {
  const reader = createErrorLogReader();
  reader.take(new TextEncoder().encode(text));
  for (const { groups, changes, counts, period, unrecognised } of [readErrorLogText(text), reader.end()]) {
    assert.deepEqual(unrecognised, [], text.slice(0, 700));
    assert.deepEqual(
      valuesOf(groups, 'state', 'databaseId', 'averageWriteLatencyMs', 'processInfo'),
      [['whole', 19, 1, process ?? '']],
      text,
    );
    assert.deepEqual(valuesOf(changes, 'databaseName', 'value'), [['Lager, Süd "1"', '60']]);
    assert.equal(counts.noise, 1, 'the login');
    if (isDated)
      assert.deepEqual(
        period,
        { firstLocalMs: Date.parse(`${MORNING}Z`), lastLocalMs: Date.parse(`${LATER}Z`) },
        text,
      );
    const { read, parsed, noise, unrecognised: unknown } = counts.lines;
    assert.deepEqual(
      [read - (text.length - text.trimEnd().length > 1 ? 1 : 0), parsed + noise + unknown],
      [text.trimEnd().split('\n').length, read],
      text,
    );
  }
}

describe('An error log is read as', () => {
  const rows = (write: (line: Line) => string, head: readonly string[] = []): string =>
    [...head, ...LOG.map(write)].join('\n');

  it('date and text without a process', () => {
    assertRead(
      rows(([at, , text]) => `${at}.00 ${text}`),
      null,
    );
    for (const head of [[], ['LogDate\tText']])
      assertRead(
        rows(([at, , text]) => `${at}.000\t${text}`, head),
        null,
      );
    assertRead(
      rows(([at, , text]) => `${AMERICAN(at)},${quote(text)}`, ['"Date","Message"']),
      null,
    );
  });

  it('a label a line, in any order', () => {
    const labelled: readonly (readonly [string, (line: Line) => string])[] = [
      ['LogDate', ([at]) => GERMAN(at)],
      ['Source', ([, process]) => process],
      ['Text', ([, , text]) => text],
      ['SqlInstance', () => 'SQL01\\PROD'],
    ];
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [0, 1, 2],
    ])
      assertRead(
        rows(
          (line) =>
            order.map((at) => `${labelled[at]![0].padEnd(12)}: ${labelled[at]![1](line)}`).join('\n') + '\n',
        ),
      );
  });

  it('what the Log File Viewer and the Event Viewer copy, in each of their languages', () => {
    for (const [date, log, source, message] of [
      ['Date', 'Log', 'Source', 'Message'],
      ['Datum', 'Protokoll', 'Quelle', 'Meldung'],
      ['Date', 'Journal', 'Source', 'Message'],
      ['Fecha', 'Registro', 'Origen', 'Mensaje'],
      ['Data', 'Log', 'Origine', 'Messaggio'],
      ['Data', 'Log', 'Origem', 'Mensagem'],
      ['Дата', 'Журнал', 'Источник', 'Сообщение'],
      ['日付', 'ログ', 'ソース', 'メッセージ'],
      ['날짜', '로그', '원본', '메시지'],
      ['日期', '日志', '源', '消息'],
      ['日期', '記錄', '來源', '訊息'],
    ])
      for (const local of [GERMAN, AMERICAN]) {
        const copied = rows(
          ([at, process, text]) =>
            `${date}\t\t${local(at)}\n${log}\t\tSQL Server (Current - ${local(at)})\n\n${source}\t\t${process}\n\n${message}\n${text}\n`,
        );
        assertRead(copied);
        const { form, counts } = readErrorLogText(copied);
        assert.deepEqual([form, counts.lines.unrecognised], ['log viewer', 0]);
      }
    assertRead(
      rows(
        ([at, , text]) =>
          `Log Name:      Application\nSource:        MSSQLSERVER\nDate:          ${AMERICAN(at)}\nEvent ID:      17890\nTask Category: Server\nLevel:         Information\nKeywords:      Classic\nUser:          N/A\nComputer:      sql-01\nDescription:\n${text}\nEvent Xml:\n<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event">\n  <EventID>17890</EventID>\n  <TimeCreated SystemTime="2026-03-14T02:01:48.000Z" />\n</Event>`,
      ),
      null,
    );
    assertRead(
      rows(
        ([at, , text]) =>
          `  Log Name: Application\n  Date: ${at.replace(' ', 'T')}.000\n  Event ID: 17890\n  Description: \n${text}\n`,
      ),
      null,
    );
    assertRead(
      rows(
        ([at, , text]) =>
          `Protokollname: Application\nQuelle:        MSSQLSERVER\nDatum:         ${GERMAN(at)}\nEreignis-ID:   17890\nAufgabenkategorie:Server\nEbene:         Informationen\nComputer:      sql-01\nBeschreibung:\n${text}\n`,
      ),
      null,
    );
  });

  it('dates of each language, with the half of the day before or after the time', () => {
    const before = (at: string, halves: readonly string[], mark = '/'): string =>
      writeDate(
        at,
        ({ year, month, day, short, half, rest }) =>
          `${year}${mark}${Number(month)}${mark}${day} ${half} ${short}:${rest}`,
        [...halves],
      );
    for (const date of [
      AMERICAN,
      GERMAN,
      (at: string) =>
        writeDate(at, ({ year, month, day, hour, rest }) => `${day}/${month}/${year} ${hour}:${rest}`),
      (at: string) =>
        writeDate(
          at,
          ({ year, month, day, short, half, rest }) => `${day}/${month}/${year} ${short}:${rest} ${half}`,
          ['a.\u00a0m.', 'p.\u00a0m.'],
        ),
      (at: string) => AMERICAN(at).replace(/ (?=[AP]M)/, '\u202f'),
      (at: string) => before(at, ['上午', '下午']),
      (at: string) => before(at, ['午前', '午後']),
      (at: string) => before(at, ['오전', '오후'], '-'),
      (at: string) => before(at, ['오전', '오후'], '. ').replace(/^(\S+ \S+ \d+)/, '$1.'),
      (at: string) =>
        writeDate(
          at,
          ({ year, month, day, short, half, rest }) => `${year}/${month}/${day} ${short}:${rest} ${half}`,
          ['上午', '下午'],
        ),
    ])
      for (const severity of ['Unknown', 'Unbekannt', 'Inconnu', 'Неизвестно', '不明', '알 수 없음'])
        assertRead(rows(([at, process, text]) => `${date(at)};${process};${severity};${text}`));
  });

  it('JSON: an object a line, in one array, or a field a line', () => {
    const named = LOG.map(([at, process, text]) => ({
      Text: text,
      LogDate: `${at}.000`,
      ProcessInfo: process,
    }));
    assertRead(named.map((one) => JSON.stringify(one)).join('\n'));
    assertRead(JSON.stringify(named));
    assertRead(JSON.stringify(named, null, 2));
    assertRead(
      JSON.stringify(
        LOG.map(([at, process, text]) => ({
          Table: ['System.Data.DataRow'],
          ItemArray: [`${at.replace(' ', 'T')}+01:00`, process, text],
          LogDate: `${at.replace(' ', 'T')}+01:00`,
          Source: process,
          Text: text,
          SqlInstance: 'SQL01',
        })),
        null,
        4,
      ),
    );
  });

  it('JSON whose fields hold whole lines of the log, as containers and clouds give them', () => {
    const lines = LOG.map(([at, process, text]) => `${at}.00 ${process.padEnd(12)}${text}\n`);
    const utc = (line: string): string => `${line.slice(0, 10)}T${line.slice(11, 19)}.010203040Z`;
    const docker = lines
      .map((line) => JSON.stringify({ log: line, stream: 'stdout', time: utc(line) }))
      .join('\n');
    assertRead(docker);
    assertRead(
      JSON.stringify(
        {
          events: lines.map((message) => ({
            timestamp: 1773457308123,
            message,
            ingestionTime: 1773457309000,
          })),
          nextToken: 'f/1',
        },
        null,
        2,
      ),
    );
    const { unrecognised } = readErrorLogText(
      [
        ...docker.split('\n'),
        JSON.stringify({ log: '\tfurther text\n', stream: 'stdout', time: utc(LATER) }),
      ].join('\n'),
    );
    assert.deepEqual(unrecognised.length, 0, 'it goes on with the line before');
  });

  it('JSON of one field that holds many lines, or messages without their dates', () => {
    const lines = LOG.map(([at, process, text]) => `${at}.00 ${process.padEnd(12)}${text}`);
    assertRead(
      JSON.stringify(
        { LogFileData: lines.join('\n'), Marker: '0:12', AdditionalDataPending: false },
        null,
        4,
      ),
    );
    const [group] = readErrorLogText(JSON.stringify({ log: PUBLISHED.join('\n') })).groups;
    assert.deepEqual([group?.state, group?.databaseId, group?.sureness], ['whole', 19, 'unknown']);
  });

  it('what another program took at once, whose clock tells how far the log is from UTC', () => {
    const line = (time: string): string => `${MORNING}.10 spid60      ${changeOf('a')}`.replace(/^/, time);
    for (const text of [
      line('2026-03-14T00:01:48.123456789Z '),
      line('2026-03-14T01:01:48.3+01:00 '),
      line('2026-03-14T00:01:48.123456789Z stdout F '),
      line('<14>1 2026-03-14T00:01:48.113Z db01 sqlservr 912 - - '),
      JSON.stringify({ log: line(''), time: '2026-03-14T00:01:48.2Z' }),
      JSON.stringify({
        log: `${MORNING}.00 Server      x IsOnline: 0${line('')}`,
        time: '2026-03-14T00:01:48.2Z',
      }),
    ])
      assert.deepEqual(
        valuesOf(readErrorLogText(text).changes, 'atUtcMs', 'sureness'),
        [[Date.UTC(2026, 2, 14, 0, 1, 48, 100), 'known']],
        text,
      );
    const late = readErrorLogText(line('2026-03-14T00:07:48.123456789Z '));
    assert.deepEqual(
      [late.observations, late.changes[0]?.sureness],
      [[], 'unknown'],
      'it was taken six minutes later',
    );
  });

  it('XML, with elements or attributes, and as PowerShell writes it', () => {
    assertRead(
      rows(
        ([at, process, text]) =>
          `<Obj RefId="1">\n<TN RefId="0"><T>System.Data.DataRow</T></TN>\n<MS>\n<DT N="LogDate">${at.replace(' ', 'T')}</DT>\n<S N="Source">${process}</S>\n<S N="Text">${escape(text)}</S>\n</MS>\n</Obj>`,
        ['<Objs Version="1.1.0.1">'],
      ),
    );
    assertRead(
      rows(
        ([at, process, text]) =>
          `<row><LogDate>${at}.00</LogDate><ProcessInfo>${process}</ProcessInfo><Text>${escape(text)}</Text></row>`,
      ),
    );
    assertRead(
      rows(
        ([at, process, text]) =>
          `<row>\n  <LogDate>${at}.00</LogDate>\n  <ProcessInfo>${process}</ProcessInfo>\n  <Text>${escape(text)}</Text>\n</row>`,
        ['<?xml version="1.0" encoding="utf-8"?>', '<data>'],
      ),
    );
    assertRead(
      rows(
        ([at, process, text]) => `<row LogDate="${at}.00" ProcessInfo="${process}" Text="${escape(text)}"/>`,
      ),
    );
  });

  it('a page of the web that was copied with its tags', () => {
    for (const end of ['<br>', '<br/>', '</p>'])
      assertRead(
        rows(([at, process, text]) => `<p>${at}.00 ${process.padEnd(12)}${escape(text)}${end}`).replaceAll(
          '  ',
          '&nbsp; ',
        ),
      );
    assertRead(
      rows(
        (line) => `<tr>${line.map((cell) => `<td class="x">${escape(cell)}</td>`).join(' ')}</tr>`,
        ['<table>', '<tr><th>LogDate</th><th>ProcessInfo</th><th>Text</th></tr>'],
      ),
    );
  });

  it('a table of Markdown', () => {
    const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    assertRead(
      rows(
        ([at, process, text]) => row(`${at}.00`, process, text),
        [row('LogDate', 'ProcessInfo', 'Text'), '|---|---|---|'],
      ),
    );
    assertRead(
      rows(
        ([at, process, text]) => row(process, text, AMERICAN(at)),
        [row('Process', 'Text', 'Date'), '| :--- | :--- | ---: |'],
      ),
    );
  });

  it('CSV of any order of columns, with a head or without', () => {
    for (const separator of [',', ';', '\t', '|'])
      for (const cells of [
        ([at, process, text]: Line) => [text, AMERICAN(at), process],
        ([at, process, text]: Line) => [process, text, at],
        ([at, process, text]: Line) => ['SQL01', 'MSSQLSERVER', 'SQL01', AMERICAN(at), process, text],
      ])
        for (const head of [[], [cells(['LogDate', 'Source', 'Text']).map(quote).join(separator)]])
          assertRead(rows((line) => cells(line).map(quote).join(separator), head));
    // Splunk and CloudWatch have whole lines of the log in a column, and others behind it.
    const whole = ([at, process, text]: Line): string => `${at}.00 ${process.padEnd(12)}${text}`;
    assertRead(rows((line) => `${quote(whole(line))},"2026-03-14T03:01:48.100+0100",db01,mssql:errorlog`));
    assertRead(rows((line) => `EVENTS\t3779560201\t1772589708123\t${whole(line)}\t1772589700000`));
  });

  it('exports of PowerShell and of the Event Viewer', () => {
    const head =
      '"Message","Id","Version","Qualifiers","Level","LogName","MachineName","TimeCreated","LevelDisplayName"';
    assertRead(
      rows(
        ([at, , text]) =>
          [text, '17890', '', '16384', '4', 'Application', 'sql-01.x.y', AMERICAN(at), 'Information']
            .map(quote)
            .join(','),
        ['#TYPE System.Diagnostics.Eventing.Reader.EventLogRecord', head],
      ),
      null,
    );
    assertRead(
      rows(([at, , text]) => `Application,84211,${at},17890,7|15|D:\\x.mdf|Shop,db01,,${quote(text)},`),
      null,
    );
    const several = `"${PUBLISHED.join('\n')}","17890","Application","${AMERICAN(MORNING)}","Information"`;
    const [group] = readErrorLogText([head, several].join('\n')).groups;
    assert.deepEqual([group?.state, group?.databaseId], ['whole', 19]);
    for (const [level, ...names] of [
      ['Information', 'Level,Date and Time,Source,Event ID,Task Category'],
      ['Informationen', 'Ebene,Datum und Uhrzeit,Quelle,Ereignis-ID,Aufgabenkategorie'],
    ])
      assertRead(
        rows(([at, , text]) => `${level},${AMERICAN(at)},MSSQLSERVER,17890,(2),${quote(text)}`, names),
        null,
      );
  });

  it('text in a comment or a quotation', () => {
    for (const mark of ['--', '-- ', '# ', '> ', '>> ', '// ', ' * '])
      assertRead(rows(([at, process, text]) => `${mark}${at}.00 ${process.padEnd(12)}${text}`));
    assertRead(`/*\n${rows(([at, process, text]) => `${at}.00 ${process.padEnd(12)}${text}`)}\n*/`);
    for (const text of [
      `/* ${PUBLISHED.join('\n')} */`,
      PUBLISHED.map((line) => `--${line}`).join('\n'),
      `/*\n${PUBLISHED.join('\n')}\n*/`,
      PUBLISHED.map((line) => `INSERT [Log] VALUES (N'2026-03-14T03:01:48', N'spid25s', N'${line}')`).join(
        '\n',
      ),
    ])
      assert.deepEqual(valuesOf(readErrorLogText(text).groups, 'state', 'databaseId'), [['whole', 19]], text);
  });
});

describe('A log, however it is disturbed,', () => {
  const SEEDS = Number(process.env['SEEDS'] ?? 60);
  const forms: Readonly<Record<string, (rows: readonly ErrorLogRow[]) => string>> = {
    'lines of a file': (rows) =>
      rows
        .flatMap(({ logDateLocal, processInfo, text }) =>
          text.split('\n').map((line) => `${logDateLocal} ${processInfo.padEnd(12)}${line}`),
        )
        .join('\r\n'),
    'cells of a table': (rows) =>
      rows
        .map(({ logDateLocal, processInfo, text }) => [text, logDateLocal, processInfo].map(quote).join(','))
        .join('\n'),
    JSON: (rows) => JSON.stringify(rows, null, 1),
    'wrapped lines': (rows) =>
      rows
        .map(({ logDateLocal, processInfo, text }) =>
          JSON.stringify({ log: `${logDateLocal} ${processInfo.padEnd(12)}${text}\n`, stream: 'stdout' }),
        )
        .join('\n'),
  };

  for (const [form, write] of Object.entries(forms))
    it(`is read from ${form} as from rows, as text and as a file`, () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { rows, disturbances } = disturbLog(createChance(seed));
        const figuresOf = ({ groups }: Pick<ErrorLogTextReading, 'groups'>): unknown =>
          groups.map((group) => ({
            ...group,
            lines: [],
            logDateLocal: group.logDateLocal.replace('T', ' '),
          }));
        const single = rows.flatMap((row) => row.text.split('\n').map((text) => ({ ...row, text })));
        const expected = readErrorLog(form === 'lines of a file' ? single : rows);
        const reader = createErrorLogReader();
        reader.take(new TextEncoder().encode(write(rows)));
        const says = `seed ${seed}: ${disturbances.join(', ')}`;
        for (const reading of [readErrorLogText(write(rows)), reader.end()]) {
          const { read, parsed, noise, unrecognised } = reading.counts.lines;
          assert.deepEqual(figuresOf(reading), figuresOf(expected), says);
          assert.deepEqual(
            [read, parsed + noise + unrecognised],
            [write(rows).split('\n').length, read],
            says,
          );
        }
      }
    });
});
