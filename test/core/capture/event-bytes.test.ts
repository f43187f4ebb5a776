import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointEvent } from '../../../src/core/capture/event';
import { EventReader } from '../../../src/core/capture/event-reader';
import { EventRegister } from '../../../src/core/capture/event-register';
import { readEvent } from '../../../src/core/capture/event-xml';
import { readWithLibrary } from './event-oracle';
import { GUID } from './event-rows';
import { damage, generatedRow } from './event-shapes';

/** What an earlier row left behind must change nothing. */
let reader = new EventReader();
const register = new EventRegister();
const NOTHING = { objectName: null, eventData: null, fileName: null, fileOffset: null };

/** What the fast tier says; null where it leaves the row to the walk. */
function readFast(text: string): CheckpointEvent | null {
  reader.take([{ eventData: text }], 0);
  return reader.readShape(0, register) ? register.get() : null;
}

/** Begins anew, and has the rows teach their shapes, where they can teach one. */
function teach(...texts: readonly string[]): void {
  reader = new EventReader();
  for (const text of texts) {
    reader.take([{ eventData: text }], 0);
    reader.read({ ...NOTHING, eventData: text }, 0, register);
  }
}

function checkTiers(text: string): boolean {
  const fast = readFast(text);
  if (fast !== null) assert.deepEqual(fast, readEvent({ objectName: null, eventData: text }), text);
  return fast !== null;
}

const XFER = `<action name="attach_activity_id_xfer" package="package0"><value>${GUID}-0</value></action>`;
const SESSION = '<action name="session_id" package="sqlserver"><value>60</value></action>';
const OTHER = '<action name="database_id" package="sqlserver"><value>9</value></action>';

interface Shape {
  readonly kind?: string;
  readonly time?: string;
  readonly id?: string;
  readonly actions?: string;
  readonly activity?: string | null;
}

function write({ kind = 'begin', time = '2016-07-09T03:30:14.023Z', id = '5', actions = '', activity = `${GUID}-1044` }: Shape): string {
  const own = activity === null ? '' : `<action name="attach_activity_id" package="package0"><value>${activity}</value></action>`;
  const data = `<data name="database_id"><value>${id}</value></data>`;
  return `<event name="checkpoint_${kind}" package="sqlserver" timestamp="${time}">${data}${actions}${own}</event>`;
}

describe('the fast tier of reading', () => {
  it('reads the published shape, with and without other actions and an activity id', () => {
    const shapes = ['begin', 'end'].flatMap((kind) =>
      ['', SESSION, SESSION + OTHER, XFER].flatMap((actions) =>
        [null, `${GUID}-1`, `${GUID}-123456789012345`].map((activity) => ({ kind, actions, activity })),
      ),
    );
    for (const shape of shapes) {
      teach(write(shape));
      assert.equal(checkTiers(write(shape)), true, JSON.stringify(shape));
      const other = { ...shape, kind: 'end', time: '2199-12-31T23:59:59.999Z', id: '999999999' };
      assert.equal(checkTiers(write(other)), true, JSON.stringify(other));
    }
    teach(write({ kind: 'end', id: '77', actions: SESSION + OTHER }));
    assert.deepEqual(readFast(write({ actions: SESSION + OTHER })), {
      kind: 'begin',
      databaseId: 5,
      atUtcMs: Date.UTC(2016, 6, 9, 3, 30, 14, 23),
      activity: { guid: GUID, sequence: 1044 },
    });
  });

  it('reads any layout once a row of it was read: types, CDATA, comments, fields in another order, text behind the event', () => {
    const layouts = [
      write({})
        .replaceAll('<value>', '<type name="uint32" package="package0"></type><value>')
        .replaceAll('</value>', '</value><text></text>'),
      write({}).replace('>5<', '><![CDATA[5]]><'),
      write({
        actions: '<action name="database_name"><value><![CDATA[</value></action><data name="database_id"><value>9]]></value></action>',
      }),
      write({ actions: '<action name="database_name"><value>a&lt;b</value></action>' }),
      write({ activity: null }).replace(
        '<data',
        `<!-- <value>9</value> --><action name="attach_activity_id"><value>${GUID}-7</value></action><data`,
      ),
      `${write({}).replace('name="checkpoint_begin" package="sqlserver"', "package='sqlserver' name='checkpoint_begin'")}\n`,
    ];
    for (const layout of layouts) {
      assert.equal(readFast(layout), null, layout);
      teach(layout);
      const renumbered = layout
        .replace('03:30:14.023', '23:59:59.999')
        .replace(/([>[])5([<\]])/, '$137$2')
        .replace(/-(7|1044)</, '-987654<');
      assert.equal(checkTiers(renumbered), true, renumbered);
      assert.notDeepEqual(readFast(renumbered), readFast(layout));
    }
  });

  it('reads rows of one layout again after many that have each a layout of its own', () => {
    teach(
      ...Array.from({ length: 300 }, (_, i) =>
        write({ actions: `<action name="note${i}" package="sqlserver"><value>${i}</value></action>` }),
      ),
    );
    const rows = Array.from({ length: 100 }, (_, i) => ({
      ...NOTHING,
      eventData: write({ id: String(i + 1), kind: i % 2 === 0 ? 'begin' : 'end' }),
    }));
    for (const row of rows) {
      reader.take([row], 0);
      assert.equal(reader.read(row, 0, register), null);
      assert.deepEqual(register.get(), readEvent(row));
    }
    assert.equal(checkTiers(write({ id: '77' })), true);
  });

  it('is taught nothing by numbers that are written in another way, and then takes no row for another', () => {
    const rows = [
      write({ id: '&#x35;' }),
      write({ id: ' 5 ' }),
      write({ id: '<![CDATA[1]]>2' }),
      write({ id: '2147483647' }),
      write({ activity: `${GUID}-&#x37;` }),
      write({ activity: ` ${GUID}-7` }),
      write({ time: '2016-07-09T03:30:14Z' }),
      write({}).replace('checkpoint_begin', 'checkpoint&#95;begin'),
    ];
    for (const row of rows) {
      teach(row);
      assert.equal(readFast(row), null, row);
    }
  });

  it('leaves to the walk what is not of that shape', () => {
    teach(write({}), write({ actions: SESSION }));
    const rows = [
      write({ actions: '<action name="database_name" package="sqlserver"><value><![CDATA[x]]></value></action>' }),
      write({ actions: '<action name="database_name" package="sqlserver"><value>a&amp;b</value></action>' }),
      write({ actions: '<action name="database_name" package="sqlserver"><value>é</value></action>' }),
      write({ actions: '<action name="attach_activity_id" package="sqlserver"><value>x</value></action>' }),
      write({ actions: '<data name="other"><value>5</value></data>' }),
      write({}).replace('</event>', `${SESSION}</event>`),
      write({}).replace('<value>5', '<type name="uint32"/><value>5'),
      write({}).replace('name="database_id"', "name='database_id'"),
      write({ id: '05' }).replace('>05<', '> 5<'),
      write({ id: '0' }),
      write({ id: '4294967296' }),
      write({ time: '2016-07-09T03:30:14Z' }),
      write({ time: '2016-07-09T03:30:14.0231234Z' }),
      write({ time: '2016-02-30T03:30:14.023Z' }),
      write({ time: '2015-02-29T03:30:14.023Z' }),
      write({ time: '2016-07-09T24:30:14.023Z' }),
      write({ time: '1999-07-09T03:30:14.023Z' }),
      write({ time: '2200-07-09T03:30:14.023Z' }),
      write({ activity: GUID }),
      write({ activity: `${GUID}-` }),
      write({ activity: `${GUID}-1234567890123456` }),
      write({ activity: `${GUID.replace('7', 'G')}-1` }),
      `${write({})} `,
      write({ actions: SESSION.repeat(20) }),
      '',
    ];
    for (const row of rows) assert.equal(readFast(row), null, row);
  });

  it('leaves long rows to the walk, and learns nothing of them, whatever is in them', () => {
    const name = (text: string): string => `<action name="database_name" package="sqlserver"><value>${text}</value></action>`;
    const rows = [write({ actions: name(`<![CDATA[${'🦆'.repeat(600)}]]>`) }), write({ actions: name('x'.repeat(1200)) })];
    teach(...rows);
    for (const row of rows) {
      assert.equal(readFast(row), null);
      assert.equal(readEvent({ objectName: null, eventData: row }).kind, 'begin');
    }
  });

  it('reads every digit and letter of a GUID, in either case', () => {
    teach(write({}));
    for (const guid of [
      '01234567-89AB-CDEF-0123-456789ABCDEF',
      'fedcba98-7654-3210-fedc-ba9876543210',
      'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    ])
      assert.deepEqual(readFast(write({ activity: `${guid}-7` }))?.activity, { guid: guid.toUpperCase(), sequence: 7 });
  });

  it('says the same as the walk whatever character is changed, removed or put in', () => {
    for (const text of [write({ actions: SESSION }), write({ kind: 'end', activity: null }), write({})]) {
      teach(text);
      assert.equal(checkTiers(text), true);
      for (let at = 0; at <= text.length; at++) {
        for (const other of [
          '',
          '0',
          '9',
          'a',
          'F',
          '"',
          '<',
          '>',
          '&',
          ' ',
          '-',
          '/',
          '\0',
          'é',
          text[at - 1] ?? 'x',
          (text[at] ?? '') + (text[at + 1] ?? ''),
        ]) {
          checkTiers(text.slice(0, at) + other + text.slice(at + 1));
          checkTiers(text.slice(0, at) + other + text.slice(at));
        }
        assert.equal(readFast(text.slice(0, at)) === null, at < text.length);
      }
    }
  });

  it('agrees with the walk and with an XML library on generated rows, damaged or not', () => {
    const plain = fc
      .record({
        kind: fc.constantFrom('begin', 'end'),
        time: fc.date({ min: new Date('2000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
        id: fc.integer({ min: 1, max: 999_999_999 }).map(String),
        actions: fc.array(fc.constantFrom(SESSION, OTHER, XFER), { maxLength: 3 }).map((actions) => actions.join('')),
        activity: fc.option(fc.tuple(fc.uuid(), fc.nat()).map(([guid, sequence]) => `${guid}-${sequence}`)),
      })
      .map(write);
    const texts = fc.oneof(
      plain,
      fc.tuple(plain, damage).map(([text, spoil]) => spoil(text)),
      generatedRow.map((row) => row.eventData),
    );
    let read = 0;
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), (text, digits) => {
        teach(text);
        let place = 0;
        const renumbered = text.replace(/\d/g, (digit) => String(digits[place++ % digits.length] ?? 10).replace(/^..$/, digit));
        for (const each of [text, renumbered]) {
          if (!checkTiers(each)) continue;
          read++;
          const { reading, hasForbiddenAlone } = readWithLibrary(null, each);
          if (!hasForbiddenAlone) assert.deepEqual(readFast(each), reading);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(read > 1000, String(read));
  });
});
