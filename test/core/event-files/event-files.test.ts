import assert from 'node:assert/strict';
import { type SavedEvents } from '../../../src/core/event-files/event-files';
import { packCaller } from '../../../src/core/events/event-register';
import { type EventValues, GUID, writeCaller, writeEventXml } from '../events/event-rows';
import {
  T0,
  EVENTS,
  CHECKPOINTS,
  XEL,
  COLUMNS,
  cellsOf,
  quote,
  escape,
  objectOf,
  objects,
  table,
  plain,
  grid,
  readOne,
  noteOf,
  local,
  read,
  listCheckpoints,
  type Given,
} from './saved-files';

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
    'XML of PowerShell, of events with times that have parts',
    EVENTS.map(
      ({ kind, databaseId, at, activity }) =>
        `<Obj RefId="0"><TN RefId="0"><T>Event</T></TN><MS><S N="name">checkpoint_${kind}</S><Obj N="timestamp" RefId="1"><TN RefId="1"><T>System.DateTimeOffset</T></TN><ToString>3/2/2026 8:00:00 AM +00:00</ToString><Props><DT N="UtcDateTime">${new Date(Number(at)).toISOString()}</DT></Props></Obj><U32 N="database_id">${databaseId}</U32><S N="attach_activity_id">${activity}</S></MS></Obj>`,
    ).join('\n'),
  ],
  [
    'JSON of PowerShell 5, of events with times that have parts',
    JSON.stringify(
      EVENTS.map(({ kind, databaseId, at, activity }) => ({
        name: `checkpoint_${kind}`,
        timestamp: {
          DateTime: '{}',
          UtcDateTime: `/Date(${at})/`,
          Offset: { Ticks: 0, Days: 0 },
          Year: 2026,
        },
        database_id: databaseId,
        attach_activity_id: activity,
      })),
      null,
      4,
    ).replace(/\/(?=Date|")/g, '\\/'),
  ],
  [
    'lists of PowerShell',
    objects
      .map(
        (row) =>
          `\n${Object.entries(row)
            .map(([name, cell]) => `${name.padEnd(13)} : ${cell.replace(/.{100}/g, `$&\n${' '.repeat(16)}`)}`)
            .join('\n')}\n`,
      )
      .join(''),
  ],
  [
    'JSON of a query in pieces, under its name',
    `JSON_F52E2B61-18A1-11d1-B105-00805F49916B\n${'-'.repeat(40)}\n${JSON.stringify(objects).replace(/.{2033}/g, '$&\r\n')}`,
  ],
  [
    'lines that sqlcmd broke at 80 characters',
    EVENTS.map((event) => writeEventXml(event).replace(/.{79}/g, '$&\r\n')).join('\r\n'),
  ],
  [
    'rows of FOR XML',
    objects
      .map(
        (row) => `<row object_name="${row['object_name']}" event_data="${escape(row['event_data'] ?? '')}"/>`,
      )
      .join(''),
  ],
  [
    'events below a line of something else',
    `Server : X\n${EVENTS.map((event) => writeEventXml(event)).join('\n')}`,
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

  it('know what a session asked for, by an event or by the columns of a grid or a query', () => {
    const asked = EVENTS.filter(({ activity }) => activity?.startsWith(GUID));
    const callersOf = ({ record }: SavedEvents): readonly unknown[] =>
      [...(record.columns.callers ?? [])].filter((caller) => caller !== 0);
    const columns = (isSystem: string, session: string): string =>
      [
        'name,timestamp,database_id,attach_activity_id,is_system,session_id',
        ...asked.map(
          ({ kind, at, databaseId, activity }) =>
            `checkpoint_${kind},${local(Number(at))},${databaseId},${activity},${isSystem},${session}`,
        ),
      ].join('\n');
    for (const isSystem of [true, false]) {
      const withCaller = (event: EventValues): string =>
        writeEventXml({ ...event, actions: writeCaller(isSystem, 61) });
      const known = [packCaller({ isSystem, sessionId: 61 })];
      const without = asked.map((event) => ({ ...event, activity: null }));
      const later = without.map((event) => withCaller({ ...event, at: Number(event.at) + 10_000 }));
      for (const events of [
        asked.map(withCaller),
        without.map(withCaller),
        [...asked.map(writeEventXml), ...later],
      ])
        assert.deepEqual(callersOf(readOne(events.join(''))), known);
      assert.deepEqual(callersOf(readOne(columns(isSystem ? 'True' : 'False', '61'))), known);
      assert.deepEqual(callersOf(readOne(columns(isSystem ? '1' : '0', '61'))), known);
    }
    assert.deepEqual(callersOf(readOne(columns('NULL', ''))), []);
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
});
