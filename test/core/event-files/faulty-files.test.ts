import assert from 'node:assert/strict';
import { BinaryFileError, EventFiles } from '../../../src/core/event-files/event-files';
import { finishSteps } from '../../../src/core/steps';
import { type EventValues, GUID, writeEventXml } from '../events/event-rows';
import {
  T0,
  EVENTS,
  CHECKPOINTS,
  quote,
  escape,
  objects,
  table,
  plain,
  grid,
  bytesOf,
  readOne,
  noteOf,
  local,
  read,
  listCheckpoints,
  type Given,
} from './saved-files';

describe('Files of saved events with faults', () => {
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

  it('spoil no time of another file where one begins or ends with an event that was cut', () => {
    const cut = writeEventXml(EVENTS[0] as EventValues).slice(0, 90);
    const xml = (hours: number): string =>
      EVENTS.map((event) =>
        writeEventXml({ ...event, at: Number(event.at) + hours * 3_600_000, activity: null }),
      ).join('');
    for (const files of [
      [xml(0), cut + xml(2)],
      [cut + xml(2), xml(0)],
      [xml(2) + cut, xml(0)],
      [xml(0) + cut, cut + xml(2)],
    ]) {
      const { record } = read(files.map((content, at) => [`${at}.xml`, content]));
      assert.equal(record.columns.rows, 6);
      assert.deepEqual(
        record.observation?.gaps.filter(({ kind }) => kind !== 'unknown'),
        [],
      );
      assert.ok(record.ledger.malformed > 0);
    }
  });

  it('leave no trace of a file that is refused', () => {
    const reader = new EventFiles('one');
    const take = (name: string, content: string): void => {
      const file = reader.open(name);
      file.take(bytesOf(content));
      file.end();
    };
    assert.throws(() =>
      take(
        'bad.csv',
        'name,timestamp,database_id,database_name\ncheckpoint_begin,2026-13-02 08:00:00.000,5,x',
      ),
    );
    assert.throws(() =>
      take(
        'other.xml',
        '<event name="wait_info" package="sqlos" timestamp="2026-03-02T08:00:00.000Z"></event>',
      ),
    );
    take('good.csv', grid(local));
    const both = finishSteps(reader.finish());
    const alone = read([['good.csv', grid(local)]]);
    assert.deepEqual(both.record, alone.record);
    assert.deepEqual(both.notes, alone.notes);
  });

  it('are refused if they name several servers, and else taken for one server, which is said', () => {
    const xml = (server: string): string =>
      EVENTS.map((event) =>
        writeEventXml({
          ...event,
          actions: `<action name="server_instance_name" package="sqlserver"><value>${server}</value></action>`,
        }),
      ).join('');
    const columns = (head: string, servers: readonly string[]): string =>
      [
        `${head},event_data`,
        ...EVENTS.map((event, at) => `${servers[at % servers.length]},${quote(writeEventXml(event))}`),
      ].join('\n');
    const several = /^Error: The events are of several servers, as A and B: open the files of one server/;
    assert.throws(
      () =>
        read([
          ['1.xml', xml('A')],
          ['2.xml', xml('B')],
        ]),
      several,
    );
    for (const head of ['Server Name', 'server_instance_name'])
      assert.throws(() => readOne(columns(head, ['A', 'B'])), several);
    const one = read([
      ['1.xml', xml('A')],
      ['2.xml', xml('a')],
      ['3.csv', columns('Server Name', ['alias'])],
    ]);
    assert.deepEqual(listCheckpoints(one), CHECKPOINTS);
    assert.equal(noteOf(one, /one server/), 'All files are taken for those of one server.');
    assert.equal(noteOf(readOne(xml('A')), /one server/), '');
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

  it('are not swallowed by a CDATA section without an end, wherever the text is cut into pieces', () => {
    const text = (value: string): string => `<action name="sql_text"><value>${value}`;
    const events = EVENTS.map((event, at) =>
      writeEventXml({ ...event, actions: text(`<![CDATA[${at}]]></value></action>`) }),
    );
    const cut = writeEventXml({
      kind: 'begin',
      databaseId: 8,
      at: T0,
      actions: text('<![CDATA[SELECT'),
    }).replace('</event>', '');
    const withoutText = EVENTS.map((event) => writeEventXml(event));
    for (const file of [
      [cut, ...events],
      [...events, cut],
      [cut, ...withoutText],
      [cut, cut, ...events],
    ])
      for (const pieceBytes of [7, 1_000_000]) {
        const read = readOne(file.join('\n'), pieceBytes);
        assert.deepEqual(listCheckpoints(read), CHECKPOINTS);
        assert.equal(read.record.ledger.malformed, file.length - EVENTS.length);
      }
  });

  it('are not swallowed by a line of millions of cells, or a database named like an event', () => {
    const [head = '', ...rows] = table(',').split('\r\n');
    const long = readOne([head, rows[0], 'x,'.repeat(4_500_000), ...rows.slice(1)].join('\n'), 1 << 18);
    assert.deepEqual(listCheckpoints(long), CHECKPOINTS);
    for (const name of ['<event>', '<event name="checkpoint_begin">']) {
      const { record } = readOne(grid(local).replaceAll('"Lager ""5"""', quote(name)));
      assert.deepEqual([record.columns.rows, record.databases[0]?.name], [3, name]);
    }
  });

  it('are refused where one file has whole minutes or seconds and another the same time with finer ones', () => {
    const whole = grid((utcMs) => local(utcMs).slice(0, -4));
    const minutes = grid((utcMs) => local(utcMs).slice(0, -7));
    const withIds = EVENTS.map((event) =>
      writeEventXml({ ...event, activity: '1C2D3E4F-0000-4000-8000-00000000000A-1' }),
    );
    const pairs = [
      [whole, grid(local), 'one second'],
      [whole, EVENTS.map((event) => writeEventXml(event)).join(''), 'one second'],
      [whole, withIds.join(''), 'one second'],
      [minutes, whole, 'one minute'],
    ] as const;
    for (const [coarse, fine, exact] of pairs) {
      const refusal = new RegExp(
        `^Error: The times of a are exact to ${exact}, .* those of b, .* Open one of`,
      );
      assert.throws(
        () =>
          read([
            ['a', coarse],
            ['b', fine],
          ]),
        refusal,
      );
      assert.throws(
        () =>
          read([
            ['b', fine],
            ['a', coarse],
          ]),
        refusal,
      );
    }
    const later = EVENTS.map((event) =>
      writeEventXml({ ...event, at: Number(event.at) + 60_000, activity: null }),
    );
    assert.equal(
      read([
        ['a', whole],
        ['b', later.join('')],
      ]).record.columns.rows,
      6,
    );
  });

  it('name the hour that clocks repeated where times have no zone, and leave it out', () => {
    const hour = Date.UTC(2026, 9, 25, 2);
    // 90 minutes before clocks are set back from three to two, and 90 after: a checkpoint every ten minutes.
    const clock = (minutes: number): number => hour + (minutes < 60 ? minutes : minutes - 60) * 60_000;
    const rows = Array.from({ length: 18 }, (_, at) => at * 10 - 30).flatMap((minutes) => [
      `checkpoint_begin,${local(clock(minutes))},5`,
      `checkpoint_end,${local(clock(minutes) + 2_000)},5`,
    ]);
    const readRows = (lines: readonly string[]): ReturnType<typeof readOne> =>
      readOne(['name,timestamp,database_id', ...lines].join('\n'));
    for (const lines of [rows, [...rows].reverse()]) {
      const saved = readRows(lines);
      assert.deepEqual(
        saved.record.observation?.gaps.map(({ beginUtcMs, endUtcMs }) => [beginUtcMs, endUtcMs]),
        [[hour, hour + 3_600_000]],
      );
      assert.match(noteOf(saved, /came twice/), /^The hour from 2026-10-25 02:00 came twice, as clocks/);
      assert.equal(noteOf(saved, /in between/), '');
    }
    const nextYear = rows.map((row) => row.replace('2026-10-25', '2027-10-31'));
    for (const lines of [[...rows, ...nextYear], [...nextYear].reverse().concat([...rows].reverse())])
      assert.equal(readRows(lines).notes.filter((note) => note.includes('came twice')).length, 2);
    const inUtc = rows.map((row) => row.replace(/(,\d[^,]*)/, '$1 +00:00'));
    for (const lines of [inUtc, [...rows].sort(), rows.slice(0, 18)])
      assert.equal(noteOf(readRows(lines), /came twice/), '');
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

  it('that end in zeros count as far as they are text, and say that the rest was not read', () => {
    const text = Buffer.from(table(','));
    for (const content of [text, Buffer.from(`\uFEFF${table(',')}`, 'utf16le')]) {
      const saved = readOne(Buffer.concat([content, Buffer.alloc(70_000)]));
      assert.deepEqual(listCheckpoints(saved), CHECKPOINTS);
      assert.match(saved.notes.join(' '), /rows\.csv was not read to its end: zeros come after its text\./);
    }
  });

  it('whose times are whole seconds keep two checkpoints of one second, and say what their durations are', () => {
    const rows = ['begin', 'end', 'begin', 'end'].map(
      (kind, at) => `checkpoint_${kind},2026-03-02 08:00:${at < 3 ? '05' : '06'},5`,
    );
    const content = ['name,timestamp,database_id', ...rows].join('\n');
    const saved = readOne(content);
    assert.equal(saved.record.ledger.duplicates, 0);
    assert.equal(2 * saved.record.ledger.checkpoints + saved.record.ledger.unpaired, 4);
    assert.match(
      saved.notes.join(' '),
      /The times of rows\.csv are exact to one second, and so are the durations\./,
    );
    // The same file twice is no other event.
    const twice = read([
      ['a.csv', content],
      ['b.csv', content],
    ]);
    assert.equal(twice.record.ledger.duplicates, 4);
  });
});
