import assert from 'node:assert/strict';
import { EventReader } from '../../../src/core/events/event-reader';
import { EventRegister } from '../../../src/core/events/event-register';
import { readEvent } from '../../../src/core/events/event-xml';
import { eventIn, type EventValues, GUID, writeCaller, writeEventXml } from './event-rows';

const register = new EventRegister();
const action = (name: string, text: string): string =>
  `<action name="${name}" package="sqlserver"><value>${text}</value></action>`;
const SESSION = action('session_id', '60');
const OTHER = action('database_id', '9');
const XFER = action('attach_activity_id_xfer', `${GUID}-0`);

function write(changes: Partial<EventValues> = {}): string {
  return writeEventXml({
    kind: 'begin',
    databaseId: 5,
    at: '2016-07-09T03:30:14.023Z',
    activity: `${GUID}-1044`,
    ...changes,
  });
}

/** Reads the row, which has to come out as the walk reads it. */
function check(reader: EventReader, eventData: string | null, objectName: string | null = null): void {
  const row = { objectName, eventData, fileName: null, fileOffset: null };
  assert.deepEqual(
    reader.read(row, register) ?? eventIn(register),
    readEvent(row),
    `${objectName} ${eventData}`,
  );
}

function teach(...texts: readonly string[]): EventReader {
  const reader = new EventReader();
  for (const text of texts) check(reader, text);
  return reader;
}

/**
 * Whether the row has a layout that the reader knows. What the reader makes of it then has to be what the walk makes of
 * it.
 */
function isKnown(reader: EventReader, text: string): boolean {
  if (!reader.readKnown(text, register)) return false;
  assert.deepEqual(eventIn(register), readEvent({ objectName: null, eventData: text }), text);
  return true;
}

const PUBLISHED = (['begin', 'end'] as const).flatMap((kind) =>
  ['', SESSION, SESSION + OTHER, XFER].flatMap((actions) =>
    [null, `${GUID}-1`, `${GUID}-123456789012345`].map((activity) => write({ kind, actions, activity })),
  ),
);
const UNCOMMON = [
  write()
    .replaceAll('<value>', '<type name="uint32" package="package0"></type><value>')
    .replaceAll('</value>', '</value><text></text>'),
  write().replace('>5<', '><![CDATA[5]]><'),
  write({
    actions: action('database_name', '<![CDATA[</value></action><data name="database_id"><value>9]]>'),
  }),
  write({ actions: action('database_name', '<![CDATA[é🦆 ]] &]]>') }),
  write({ actions: action('database_name', 'é\0🦆') }),
  write({ activity: null }).replace(
    '<data',
    `<!-- <value>9</value> -->${action('attach_activity_id', `${GUID}-7`)}<data`,
  ),
  `${write().replace('name="checkpoint_begin" package="sqlserver"', "package='sqlserver' name='checkpoint_begin'")}\n`,
  write().replace('<data name="database_id">', '\r\n\t<data  name = "database_id"\n>'),
];
/** One without more, one with other fields, one with a text that nobody reads. */
const PLAIN = [
  write({ actions: SESSION }),
  write({ kind: 'end', activity: null }),
  write({ actions: action('database_name', '<![CDATA[x]]>') }),
];

describe('Event rows read by the layouts that earlier rows taught', () => {
  it('are known again with other numbers and names, whatever the order, types, CDATA, comments and actions', () => {
    for (const text of [...PUBLISHED, ...UNCOMMON]) {
      const other = text
        .replace('2016-07-09T03:30:14.023', '2199-12-31T23:59:59.999')
        .replace(/([>[])5([<\]])/, '$1999999999$2')
        .replace(/-(7|1044)</, '-987654<')
        .replace(/é[^\]<]*/u, 'another name');
      assert.equal(isKnown(new EventReader(), text), false);
      assert.ok(isKnown(teach(text), other), other);
      assert.equal(register.databaseId, 999_999_999);
    }
  });

  it('teach nothing where a field is written in an uncommon way, which might stand fixed then, or where they are not plain', () => {
    for (const text of [
      ...[
        '&#x35;',
        ' 5 ',
        '<![CDATA[1]]>2',
        '<![CDATA[1]]><![CDATA[2]]>',
        '1<!-- note -->2',
        '2147483647',
      ].map((databaseId) => write({ databaseId })),
      ...[`${GUID}-&#x37;`, ` ${GUID}-7`].map((activity) => write({ activity })),
      write({ at: '2016-07-09T03:30:14Z' }),
      ...['a&lt;b', 'a>b'].map((name) => write({ actions: action('database_name', name) })),
      ...['é', '\0'].map((note) => write().replace('<data', `<!-- ${note} --><data`)),
      write({ actions: '<a><v>1<b/>2</v></a>' }),
    ]) {
      assert.equal(readEvent({ objectName: null, eventData: text }).kind, 'begin', text);
      assert.equal(isKnown(teach(text), text), false, text);
    }
  });

  it('tell who asked by a layout of their own for the engine and for sessions, whatever the number of the session', () => {
    const reader = teach(write({ actions: writeCaller(true, 9) }));
    assert.ok(isKnown(reader, write({ actions: writeCaller(true, 61), databaseId: 7 })));
    assert.ok(!isKnown(reader, write({ actions: writeCaller(false, 9) })));
    check(reader, write({ actions: writeCaller(false, 57) }));
    for (const id of [51, 32_767])
      assert.ok(isKnown(reader, write({ actions: writeCaller(false, id) })), `${id}`);
    for (const id of [0, 32_768, 123_456]) check(reader, write({ actions: writeCaller(false, id) }));
  });

  it('are not known where they were cut off, whatever an earlier row left behind their end', () => {
    for (const text of PLAIN) {
      const reader = teach(text);
      for (let at = 0; at < text.length; at++)
        assert.deepEqual([isKnown(reader, text), isKnown(reader, text.slice(0, at))], [true, false]);
    }
  });

  it('are nothing but what the walk makes of them, whatever character is changed, removed or put in', () => {
    const others = ['', '0', '9', 'a', 'F', '"', '<', '>', '&', ' ', '-', '/', '\0', '`', ']', 'é', '\ud800'];
    for (const text of PLAIN) {
      const reader = teach(text);
      for (let at = 0; at <= text.length; at++) {
        for (const other of [...others, text[at - 1] ?? 'x', (text[at] ?? '') + (text[at + 1] ?? '')]) {
          for (const behind of [at, at + 1]) {
            const changed = text.slice(0, at) + other + text.slice(behind);
            isKnown(reader, changed);
            // What a changed row teaches serves neither the row itself nor the one that it was made of in another way
            // than the walk.
            const taught = teach(changed);
            isKnown(taught, changed);
            isKnown(taught, text);
          }
        }
      }
    }
  });
});

describe('A reader of event rows', () => {
  it('takes a row whose name is that of another event for what the walk says', () => {
    const reader = teach(write(), write({ kind: 'end' }));
    for (const name of ['checkpoint_begin', 'checkpoint_end', 'wait_info', '', null])
      for (const kind of ['begin', 'end'] as const) check(reader, write({ kind }), name);
  });

  it('reads the time of each row whose text has none from its column', () => {
    const reader = new EventReader();
    const eventData = write().replace(/ timestamp="[^"]+"/, '');
    for (const second of ['14', '15', '16']) {
      const row = {
        objectName: null,
        eventData,
        timestampUtc: `2016-07-09T03:30:${second}`,
        fileName: null,
        fileOffset: null,
      };
      assert.deepEqual(reader.read(row, register) ?? eventIn(register), readEvent(row));
      assert.equal(reader.readKnown(eventData, register), false);
    }
  });

  const noted = (note: number): string => write({ actions: action(`note${note}`, 'x') });

  it('knows rows of one layout again after many that have each a layout of its own', () => {
    const reader = teach(...Array.from({ length: 300 }, (_, note) => noted(note)));
    for (let i = 0; i < 100; i++)
      check(reader, write({ databaseId: i + 1, kind: i % 2 === 0 ? 'begin' : 'end' }));
    assert.deepEqual([isKnown(reader, write()), isKnown(reader, write({ kind: 'end' }))], [true, true]);
  });
});
