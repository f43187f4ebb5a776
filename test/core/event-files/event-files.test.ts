import assert from 'node:assert/strict';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { BinaryFileError, EventFiles, type SavedEvents } from '../../../src/core/event-files/event-files';
import { finishSteps } from '../../../src/core/steps';
import { type EventValues, GUID, writeEventXml } from '../events/event-rows';

const T0 = Date.UTC(2026, 2, 2, 8, 0, 0, 14);
/** Two checkpoints of 5 and 7 by one task, and one of 6 whose begin and end lie around the second. */
const EVENTS: readonly EventValues[] = [
  ['begin', 5, 0, 1],
  ['end', 5, 40, 2],
  ['begin', 6, 100, null],
  ['begin', 7, 1_000, 3],
  ['end', 7, 3_500, 4],
  ['end', 6, 4_000, null],
].map(([kind, databaseId, at, sequence]) => ({
  kind: kind as 'begin' | 'end',
  databaseId: Number(databaseId),
  at: T0 + Number(at),
  activity: sequence === null ? `${GUID.replace('7', '8')}-${Number(at)}` : `${GUID}-${sequence}`,
}));
const CHECKPOINTS = ['5 0 40', '6 100 3900', '7 1000 2500'];
const XEL = 'D:\\Data\\Log\\Checkpoints_0_131150744126230000.xel';
const COLUMNS = [
  'module_guid',
  'package_guid',
  'object_name',
  'event_data',
  'file_name',
  'file_offset',
  'timestamp_utc',
];

const cellsOf = (event: EventValues): readonly string[] => [
  GUID,
  GUID,
  `checkpoint_${event.kind}`,
  writeEventXml(event),
  XEL,
  '4096',
  new Date(event.at).toISOString().replace('T', ' ').replace('Z', '0000'),
];
const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[mark]};`);
const objectOf = (event: EventValues): Readonly<Record<string, string>> =>
  Object.fromEntries(cellsOf(event).map((cell, at) => [COLUMNS[at] ?? '', cell]));
const objects = EVENTS.map(objectOf);
const table = (separator: string, write = quote, head = true): string =>
  [
    ...(head ? [COLUMNS.join(separator)] : []),
    ...EVENTS.map((event) => cellsOf(event).map(write).join(separator)),
  ].join('\r\n');
const plain = (cell: string): string => cell;

/** As the viewer of Management Studio has them: a column for each field, the activity id in two. */
const grid = (date: (utcMs: number) => string, zone = ''): string =>
  [
    `name,timestamp${zone},attach_activity_id.guid,attach_activity_id.seq,attach_activity_id_xfer.guid,attach_activity_id_xfer.seq,database_id,database_name`,
    ...EVENTS.map(({ kind, databaseId, at, activity }) => {
      const cut = activity?.lastIndexOf('-') ?? 0;
      return `checkpoint_${kind},${quote(date(Number(at)))},${activity?.slice(0, cut)},${activity?.slice(cut + 1)},${GUID},1,${databaseId},"Lager ""${databaseId}"""`;
    }),
  ].join('\n');

type Given = string | Uint8Array;
const bytesOf = (given: Given): Uint8Array =>
  typeof given === 'string' ? Buffer.from(given, 'utf8') : given;

/** Reads files in pieces of that size. */
function read(files: readonly (readonly [name: string, content: Given])[], pieceBytes = 1_000): SavedEvents {
  const reader = new EventFiles('one');
  for (const [name, content] of files) {
    const file = reader.open(name);
    const bytes = bytesOf(content);
    for (let at = 0; at < bytes.length; at += pieceBytes) file.take(bytes.subarray(at, at + pieceBytes));
    file.end();
  }
  const read = finishSteps(reader.finish());
  assert.equal(findUnaccountedRows(read.record.ledger), 0);
  return read;
}
const readOne = (content: Given, pieceBytes?: number): SavedEvents =>
  read([['rows.csv', content]], pieceBytes);

function listCheckpoints({ record }: SavedEvents): readonly string[] {
  const { columns, databases } = record;
  return Array.from({ length: columns.rows }, (_, row) => {
    const { databaseId } = databases[columns.database[row] ?? 0] ?? { databaseId: 0 };
    return `${databaseId} ${(columns.beginUtcMs[row] ?? 0) - T0} ${columns.durationMs[row]}`;
  }).sort();
}
const noteOf = ({ notes }: SavedEvents, words: RegExp): string =>
  notes.find((note) => words.test(note)) ?? '';

const local = (utcMs: number): string => new Date(utcMs).toISOString().replace('T', ' ').slice(0, -1);

const FORMS: readonly (readonly [string, Given])[] = [
  ['CSV with quotes and a head', table(',')],
  ['CSV without a head', table(',', quote, false)],
  ['CSV with semicolons', table(';')],
  ['CSV of Management Studio, which quotes nothing', table(',', plain)],
  ['cells with tabs', table('\t', plain)],
  ['CSV whose quotes are not doubled', table(',', (cell) => `"${cell}"`)],
  ['CSV of PowerShell, with its type', `#TYPE System.Data.DataRow\r\n${table(',')}\r\n`],
  ['CSV in UTF-16', Buffer.from(`\uFEFF${table(',')}`, 'utf16le')],
  ['CSV with a byte order mark', `\uFEFF${table(',')}`],
  ['one column', ['event_data', ...EVENTS.map((event) => quote(writeEventXml(event)))].join('\n')],
  ['one column without a head', EVENTS.map((event) => quote(writeEventXml(event))).join('\n')],
  ['JSON of Azure Data Studio and VS Code', JSON.stringify(objects, null, 4)],
  ['JSON in one line', JSON.stringify(objects)],
  [
    'JSON of PowerShell, with escaped marks',
    JSON.stringify(
      objects.map((row) => ({
        RowError: '',
        Table: { Columns: [1] },
        ItemArray: Object.values(row),
        ...row,
      })),
    ).replace(/[<>']/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`),
  ],
  [
    'JSON with display values',
    JSON.stringify(
      EVENTS.map((event) => [
        { displayValue: writeEventXml(event), isNull: false },
        { displayValue: XEL, isNull: false },
      ]),
    ),
  ],
  [
    'XML of a grid',
    `<?xml version="1.0" encoding="utf-8"?><data>${objects
      .map(
        (row) =>
          `<row>${Object.entries(row)
            .map(([name, cell]) => `<${name}>${escape(cell)}</${name}>`)
            .join('\n')}<empty /></row>`,
      )
      .join('\n')}</data>`,
  ],
  [
    'XML of PowerShell',
    `<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">${objects
      .map(
        (row, at) =>
          `<Obj RefId="${at}"><TN RefId="0"><T>System.Data.DataRow</T></TN><Props>${Object.entries(row)
            .map(([name, cell]) => `<S N="${name}">${escape(cell)}</S>`)
            .join('')}</Props></Obj>`,
      )
      .join('')}</Objs>`,
  ],
  [
    'rows of FOR XML',
    objects
      .map(
        (row) => `<row object_name="${row['object_name']}" event_data="${escape(row['event_data'] ?? '')}"/>`,
      )
      .join(''),
  ],
  ['events one after another', EVENTS.map((event) => writeEventXml(event)).join('\n')],
  [
    'the text of a ring buffer',
    `<RingBufferTarget truncated="0" eventCount="6">${EVENTS.map((event) => writeEventXml(event)).join('')}</RingBufferTarget>`,
  ],
  [
    'a ring buffer in a cell',
    `target_name,target_data\nring_buffer,${quote(`<RingBufferTarget truncated="0" eventCount="6">${EVENTS.map((event) => writeEventXml(event)).join('')}</RingBufferTarget>`)}`,
  ],
  [
    'results as text',
    [
      'object_name      event_data',
      '---------------- ----------',
      ...EVENTS.map((event) => `checkpoint_${event.kind} ${writeEventXml(event)}`),
      '',
      '(6 rows affected)',
    ].join('\r\n'),
  ],
  ['rows that a query took apart, in UTC', grid((utcMs) => local(utcMs).replace(' ', 'T'), '_utc')],
  ['the grid of the viewer, with a zone', grid((utcMs) => `${local(utcMs + 7_200_000)}0000 +02:00`)],
  ['the grid of the viewer, without a zone', grid((utcMs) => `${local(utcMs)}0000`)],
];

describe('Events that were saved to files', () => {
  for (const [form, content] of FORMS)
    it(`are the same checkpoints as ${form}, whatever the pieces they come in`, () => {
      for (const pieceBytes of [7, 1_000, 1_000_000]) {
        const read = readOne(content, pieceBytes);
        assert.deepEqual(listCheckpoints(read), CHECKPOINTS);
        assert.deepEqual(read.record.observation, { beginUtcMs: T0, endUtcMs: T0 + 4_000, gaps: [] });
        assert.equal(read.record.ledger.rowsRead, EVENTS.length);
      }
    });

  it('are read from a long file as from a short one', () => {
    const many = Array.from({ length: 4_000 }, (_, at): EventValues => {
      const pair = Math.floor(at / 2);
      const values = { databaseId: 5 + (pair % 40), at: T0 + pair * 700 + (at % 2) * 300 };
      return { ...values, kind: at % 2 === 0 ? 'begin' : 'end', activity: `${GUID}-${at}` };
    });
    const rows = many.map(objectOf);
    const csv = [COLUMNS.join(), ...many.map((event) => cellsOf(event).map(quote).join())].join('\r\n');
    const xml = many.map((event) => writeEventXml(event)).join('\n');
    const ring = `target_name,target_data\nring_buffer,${quote(`<RingBufferTarget truncated="0">${xml}</RingBufferTarget>`)}`;
    for (const content of [csv, JSON.stringify(rows), xml, ring]) {
      const { ledger, columns } = readOne(content, 60_001).record;
      assert.deepEqual([ledger.rowsRead, columns.rows], [4_000, 2_000]);
      assert.ok(columns.durationMs.subarray(0, 2_000).every((ms) => ms === 300));
    }
  });

  it('are the same in any order', () => {
    const turned = [...EVENTS].reverse().map(writeEventXml).join('');
    assert.deepEqual(listCheckpoints(readOne(turned)), CHECKPOINTS);
  });

  it('count once if they stand in several files, with activity ids or without', () => {
    const without = EVENTS.map((event) => writeEventXml({ ...event, activity: null })).join('');
    const later =
      writeEventXml({ kind: 'begin', databaseId: 9, at: T0 + 3_000 }) +
      writeEventXml({ kind: 'end', databaseId: 9, at: T0 + 3_200 });
    for (const again of [table(';'), grid(local), without + later]) {
      const both = read([
        ['one.xml', EVENTS.map((event) => writeEventXml(event)).join('')],
        ['two.csv', again],
      ]);
      assert.deepEqual(
        listCheckpoints(both),
        again.includes(later) ? [...CHECKPOINTS, '9 3000 200'] : CHECKPOINTS,
      );
      assert.equal(both.record.ledger.duplicates, 6);
      assert.equal(noteOf(both, /more than once/), '6 events stand there more than once, and count once.');
    }
  });

  it('pair by database and time if they have no activity ids, and that is said', () => {
    const read = readOne(EVENTS.map((event) => writeEventXml({ ...event, activity: null })).join(''));
    assert.deepEqual(listCheckpoints(read), CHECKPOINTS);
    assert.match(noteOf(read, /TRACK_CAUSALITY/), /paired by database and time/);
  });

  it('leave time unknown that no file covers, and an hour without any event', () => {
    const at = (hours: number): string =>
      EVENTS.map((event) =>
        writeEventXml({ ...event, at: Number(event.at) + hours * 3_600_000, activity: null }),
      ).join('');
    const { record, notes } = read([
      ['one.xml', at(0) + at(0.5) + at(3)],
      ['two.xml', at(4)],
    ]);
    const hour = (hours: number): number => T0 + hours * 3_600_000;
    assert.deepEqual(
      record.observation?.gaps.map(({ kind, beginUtcMs, endUtcMs }) => [kind, beginUtcMs, endUtcMs]),
      [
        ['unknown', hour(0.5) + 4_000, hour(3)],
        ['unknown', hour(3) + 4_000, hour(4)],
      ],
    );
    assert.ok(notes.some((note) => note.startsWith('2 gaps in between')));
  });

  it('leave time unknown between two event files of the server, as each start of a session begins one', () => {
    const row = (event: EventValues, minutes: number, file: string): string =>
      `${quote(writeEventXml({ ...event, at: Number(event.at) + minutes * 60_000, activity: null }))},C:\\x\\${file}.xel`;
    const rows = (minutes: number, file: string): readonly string[] =>
      EVENTS.map((event) => row(event, minutes, file));
    const gapsOf = (lines: readonly string[]): number | undefined =>
      readOne(['event_data,file_name', ...lines].join('\n')).record.observation?.gaps.length;
    assert.equal(gapsOf([...rows(0, 'a'), ...rows(10, 'a')]), 0);
    assert.equal(gapsOf([...rows(0, 'a'), ...rows(10, 'b')]), 1);
    assert.equal(gapsOf([...rows(0, 'a'), ...rows(0.2, 'b')]), 0);
  });

  it('have the names of databases that stand beside their ids', () => {
    const names = ({ record }: SavedEvents): readonly (string | null)[] =>
      record.databases.map(({ name }) => name);
    assert.deepEqual(names(readOne(grid(local))), ['Lager "5"', 'Lager "6"', 'Lager "7"']);
    assert.deepEqual(names(readOne(table(','))), [null, null, null]);
    const asked = readOne(grid(local).replace(/"Lager ""\d"""/g, 'Sales'));
    assert.deepEqual(names(asked), [null, null, null]);
    assert.match(noteOf(asked, /names/), /one name stands beside several ids/);
    assert.deepEqual(names(readOne(grid(local).replace('"Lager ""5"""', 'master'))), [null, null, null]);
  });

  it('keep names with brackets, quotes, commas and emoji', () => {
    const name = `a]b'c"--, 🦆; \\ <b>`;
    const csv = grid(local).replaceAll('"Lager ""5"""', quote(name));
    const json = JSON.stringify(
      EVENTS.map(({ kind, at, databaseId }) => ({
        name: `checkpoint_${kind}`,
        timestamp: local(Number(at)),
        database_id: databaseId,
        database_name: databaseId === 5 ? name : null,
      })),
    );
    for (const content of [csv, json]) assert.equal(readOne(content).record.databases[0]?.name, name);
  });

  it('take times without a zone as UTC, and say so', () => {
    const read = readOne(grid((utcMs) => local(utcMs)));
    assert.match(noteOf(read, /zone/), /^The times of rows\.csv have no zone and count as UTC/);
    assert.equal(noteOf(readOne(table(',')), /zone/), '');
    assert.equal(noteOf(readOne(grid((utcMs) => `${local(utcMs)} +00:00`)), /zone/), '');
  });

  it('read the dates of other cultures once one of them shows which number is the day', () => {
    const us =
      (day: number) =>
      (utcMs: number): string => {
        const [, time = ''] = local(utcMs).split(' ');
        return `3/${day}/2026 ${time.replace(/^08/, '8')} AM`;
      };
    const read = readOne(grid(us(22)));
    assert.deepEqual(
      listCheckpoints(read).map((text) => text.split(' ').at(-1)),
      ['40', '3900', '2500'],
    );
    assert.throws(
      () => readOne(grid(us(2))),
      /whether the day or the month comes first\. Export it with the year first\.$/,
    );
  });

  it('count and name an event that was cut, and lose no other', () => {
    const xml = EVENTS.map((event) => writeEventXml(event));
    const cut = xml.map((text, at) => (at === 1 ? text.slice(0, 90) : text));
    const csv = (texts: readonly string[], write: (cell: string) => string): string =>
      ['object_name,event_data', ...texts.map((text) => `x,${write(text)}`)].join('\n');
    for (const content of [
      csv(cut, quote),
      csv(cut, plain),
      cut.join('\n'),
      JSON.stringify(cut.map((event_data) => ({ event_data }))),
    ]) {
      const read = readOne(content);
      assert.deepEqual(listCheckpoints(read), CHECKPOINTS.slice(1));
      assert.equal(read.record.ledger.malformed, 1);
      assert.equal(
        noteOf(read, /could not be read/),
        '1 event could not be read: cut, as Management Studio does with long cells (1).',
      );
      assert.equal(read.record.observation?.gaps[0]?.kind, 'damaged file');
    }
  });

  it('count the last row also if the file ends within it', () => {
    const xml = writeEventXml({ kind: 'begin', databaseId: 8, at: T0 + 9_000 });
    for (const content of [
      `${table(',')}\r\n${GUID},${GUID},checkpoint_begin,${quote(xml).slice(0, 120)}`,
      `${JSON.stringify(objects).slice(0, -1)},{"event_data":${JSON.stringify(xml).slice(0, 120)}`,
      EVENTS.map((event) => writeEventXml(event)).join('') + xml.slice(0, 90),
    ]) {
      const read = readOne(content);
      assert.deepEqual(listCheckpoints(read), CHECKPOINTS);
      assert.equal(read.record.ledger.malformed, 1);
    }
  });

  it('are not swallowed by a quote without an end', () => {
    const [head = '', ...rows] = table(',').split('\r\n');
    const read = readOne([head, 'a,"b,c,d,e,f,g', ...rows].join('\n'));
    assert.deepEqual(listCheckpoints(read), CHECKPOINTS);
    assert.equal(noteOf(read, /no event/), '1 row is no event.');
  });

  it('are read where a cell goes on in the next line', () => {
    const event = writeEventXml({
      ...(EVENTS[0] as EventValues),
      actions: '<action name="sql_text" package="sqlserver"><value>USE x, y;\r\nCHECKPOINT;</value></action>',
    });
    for (const write of [quote, plain]) {
      const [head = '', first = '', ...rows] = table(',', write).split('\r\n');
      const content = [
        head,
        first.replace(write(writeEventXml(EVENTS[0] as EventValues)), write(event)),
        ...rows,
      ];
      assert.deepEqual(listCheckpoints(readOne(content.join('\r\n'))), CHECKPOINTS);
    }
  });

  it('count a begin without its end, and the other way round', () => {
    const { record } = readOne(EVENTS.slice(1, -1).map(writeEventXml).join(''));
    assert.equal(record.columns.rows, 1);
    assert.equal(record.ledger.unpaired, 2);
    assert.equal(record.ledger.open + record.ledger.held, 0);
  });

  it('count events of other names and rows that hold none', () => {
    const wait =
      '<event name="wait_info" package="sqlos" timestamp="2026-03-02T08:00:00.000Z"><data name="sql_text"><value><![CDATA[<event name="checkpoint_begin">]]></value></data></event>';
    const read = readOne(
      `${table(',')}\r\nx,y,wait_info,${quote(wait)},${XEL},1,\r\nx,y,deadlock,${quote('<event name="xml_deadlock_report" package="sqlserver" timestamp="2026-03-02T08:00:00.000Z"><data na')},,,\r\na,b,c`,
    );
    assert.deepEqual(listCheckpoints(read), CHECKPOINTS);
    assert.deepEqual(
      [...read.record.ledger.otherByName],
      [
        ['wait_info', 1],
        ['xml_deadlock_report', 1],
      ],
    );
    assert.equal(
      noteOf(read, /other names/),
      'Events of other names were counted only: wait_info (1), xml_deadlock_report (1).',
    );
    assert.equal(noteOf(read, /no event/), '1 row is no event.');
  });

  it('say that the text of a ring buffer was cut', () => {
    const ring = (truncated: number): string =>
      `<RingBufferTarget truncated="${truncated}" eventCount="9">${EVENTS.map((event) => writeEventXml(event)).join('')}</RingBufferTarget>`;
    for (const write of [
      plain,
      quote,
      (text: string) => JSON.stringify([{ a: text }]),
      (text: string) => `<row><a>${escape(text)}</a></row>`,
    ]) {
      assert.match(
        noteOf(readOne(write(ring(1))), /ring buffer/),
        /^rows\.csv is the text of a ring buffer that was cut/,
      );
      assert.equal(noteOf(readOne(write(ring(0))), /ring buffer/), '');
    }
  });

  it('are not read from a cell whose text only looks like an event', () => {
    const name = 'x]]&gt;&lt;event name="checkpoint_begin"';
    const event = writeEventXml({
      ...(EVENTS[0] as EventValues),
      actions: `<action name="database_name" package="sqlserver"><value><![CDATA[</event><event name="checkpoint_end">${name}]]></value></action>`,
    });
    const { record } = readOne([event, ...EVENTS.slice(1).map(writeEventXml)].join(''));
    assert.equal(record.columns.rows, 3);
    assert.equal(record.ledger.malformed, 0);
  });

  it('are refused with what the file seems to be', () => {
    const refused = (content: Given): string => {
      try {
        readOne(content);
      } catch (error) {
        return (error as Error).message;
      }
      return assert.fail('was read');
    };
    assert.match(
      refused('2026-03-02 08:00:00.12 spid51      Starting up database.'),
      /^rows\.csv seems to be an error log\./,
    );
    assert.match(
      refused('a;b\n1;2'),
      /It seems to be a text, and nothing in it is an event\. Needed is a column event_data/,
    );
    assert.match(refused('[{"a": 1}]'), /It seems to be JSON/);
    assert.match(refused('<a><b>1</b></a>'), /It seems to be XML/);
    assert.match(refused(''), /has no events of checkpoints/);
    assert.match(
      refused('<event name="wait_info" package="sqlos" timestamp="2026-03-02T08:00:00.000Z"></event>'),
      /^rows\.csv has events, but none of checkpoints: wait_info \(1\)\./,
    );
    assert.match(
      refused(writeEventXml(EVENTS[0] as EventValues).slice(0, 100)),
      /^rows\.csv has no event of a checkpoint that can be read: cut/,
    );
    assert.throws(() => readOne(Buffer.from([1, 2, 0, 0, 65, 0, 66, 0])), BinaryFileError);
  });
});
