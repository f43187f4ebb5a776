import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointEvent } from '../../../src/core/capture/event';
import { createEventAssembly, eventAssembly } from '../../../src/core/capture/event-assembly';
import { EventRegister } from '../../../src/core/capture/event-register';
import { readEvent } from '../../../src/core/capture/event-xml';
import { readWithLibrary } from './event-oracle';
import { GUID } from './event-rows';
import { OTHER, plainOrNot as texts, SESSION, write, XFER } from './plain-event';

const register = new EventRegister();

/** What is read of these rows, at once; null where a row is left to the walk in TypeScript. */
function readAll(texts: readonly (string | null)[]): readonly (CheckpointEvent | null)[] {
  const rows = texts.map((eventData) => ({ eventData }));
  const found: (CheckpointEvent | null)[] = [];
  for (let from = 0; from < rows.length;) {
    const to = eventAssembly.take(rows, from);
    for (let row = from; row < to; row++) found.push(eventAssembly.read(row - from, register) ? register.get() : null);
    from = to;
  }
  return found;
}

function read(text: string): CheckpointEvent | null {
  return readAll([text])[0] ?? null;
}

/** Begins anew, and has the rows teach their layouts. */
function teach(...texts: readonly string[]): void {
  eventAssembly.forget();
  readAll(texts);
}

/** Whether the text is read: then as the walk in TypeScript reads it, and whatever earlier rows taught. */
function check(text: string): boolean {
  const event = read(text);
  if (event !== null) assert.deepEqual(event, readEvent({ objectName: null, eventData: text }), text);
  return event !== null;
}

/** The same where nothing was taught, so that the row is walked over. */
function checkUntaught(text: string): boolean {
  eventAssembly.forget();
  return check(text);
}

function countWalks(act: () => void): number {
  const before = eventAssembly.countWalked();
  act();
  return eventAssembly.countWalked() - before;
}

const OTHERS = ['', '0', '9', 'a', 'F', '"', '<', '>', '&', ' ', '-', '/', '\0', '`', ']', 'é'];

describe('reading in WebAssembly', () => {
  it('reads the published layouts, and walks over each of them once', () => {
    const shapes = ['begin', 'end'].flatMap((kind) =>
      ['', SESSION, SESSION + OTHER, XFER].flatMap((actions) =>
        [null, `${GUID}-1`, `${GUID}-123456789012345`].map((activity) => ({ kind, actions, activity })),
      ),
    );
    for (const shape of shapes) {
      assert.equal(checkUntaught(write(shape)), true, JSON.stringify(shape));
      const other = { ...shape, time: '2199-12-31T23:59:59.999Z', id: '999999999' };
      const walks = countWalks(() => assert.equal(check(write(other)), true, JSON.stringify(other)));
      assert.equal(walks, 0, JSON.stringify(other));
    }
    teach(write({ kind: 'end', id: '77', actions: SESSION + OTHER }));
    assert.deepEqual(read(write({ actions: SESSION + OTHER })), {
      kind: 'begin',
      databaseId: 5,
      atUtcMs: Date.UTC(2016, 6, 9, 3, 30, 14, 23),
      activity: { guid: GUID, sequence: 1044 },
    });
  });

  it('reads any layout: types, CDATA of any length, fields in another order, text behind the event, letters beyond ASCII', () => {
    const layouts = [
      write({})
        .replaceAll('<value>', '<type name="uint32" package="package0"></type><value>')
        .replaceAll('</value>', '</value><text></text>'),
      write({
        actions: '<action name="database_name"><value><![CDATA[</value></action><data name="database_id"><value>9]]></value></action>',
      }),
      write({ actions: '<action name="database_name"><value><![CDATA[é🦆 ]] &]]></value></action>' }),
      write({ activity: null }).replace('<data', `<action name="attach_activity_id"><value>${GUID}-7</value></action><data`),
      `${write({}).replace('name="checkpoint_begin" package="sqlserver"', "package='sqlserver' name='checkpoint_begin'")}\n`,
      write({}).replace('<data name="database_id">', '\r\n\t<data  name = "database_id"\n>'),
    ];
    for (const layout of layouts) {
      assert.equal(checkUntaught(layout), true, layout);
      const renumbered = layout
        .replace('03:30:14.023', '23:59:59.999')
        .replace('>5<', '>137<')
        .replace(/-(7|1044)</, '-987654<')
        .replace(/é.*&/u, 'another name');
      const walks = countWalks(() => assert.equal(check(renumbered), true, renumbered));
      assert.equal(walks, 0, renumbered);
      assert.notDeepEqual(read(renumbered), read(layout));
    }
  });

  it('knows rows of one layout again after many that have each a layout of its own', () => {
    teach(
      ...Array.from({ length: 300 }, (_, i) =>
        write({ actions: `<action name="note${i}" package="sqlserver"><value>${i}</value></action>` }),
      ),
    );
    const texts = Array.from({ length: 100 }, (_, i) => write({ id: String(i + 1), kind: i % 2 === 0 ? 'begin' : 'end' }));
    const walks = countWalks(() => texts.forEach((text) => assert.equal(check(text), true)));
    assert.ok(walks <= 32, `${walks} walks`);
  });

  it('leaves to TypeScript what is written in an uncommon way, and is taught nothing by it', () => {
    const rows = [
      write({ id: '&#x35;' }),
      write({ id: ' 5 ' }),
      write({ id: '<![CDATA[1]]>2' }),
      write({ id: '<![CDATA[5]]>' }),
      write({ id: '2147483647' }),
      write({ activity: `${GUID}-&#x37;` }),
      write({ activity: ` ${GUID}-7` }),
      write({ time: '2016-07-09T03:30:14Z' }),
      write({}).replace('checkpoint_begin', 'checkpoint&#95;begin'),
      write({ actions: '<action name="database_name"><value>a&lt;b</value></action>' }),
      write({}).replace('<data', '<!-- a note --><data'),
    ];
    for (const row of rows) {
      teach(row);
      assert.equal(read(row), null, row);
      assert.equal(readEvent({ objectName: null, eventData: row }).kind, 'begin', row);
    }
  });

  it('reads nothing of what is no begin and no end, or is not well formed', () => {
    const rows = [
      write({ kind: 'started' }),
      write({}).replace('package="sqlserver" timestamp', 'package="other" timestamp'),
      write({ id: '0' }),
      write({ id: '4294967296' }),
      write({ time: '2016-02-30T03:30:14.023Z' }),
      write({ time: '2015-02-29T03:30:14.023Z' }),
      write({ time: '2016-07-09T24:30:14.023Z' }),
      write({ time: '2016-07-09T03:30:60.023Z' }),
      write({ time: '1999-07-09T03:30:14.023Z' }),
      write({ time: '2200-07-09T03:30:14.023Z' }),
      write({ activity: GUID }),
      write({ activity: `${GUID}-` }),
      write({ activity: `${GUID}-1234567890123456` }),
      write({ activity: `${GUID.replace('7', 'G')}-1` }),
      write({}).replace('<value>5</value>', '<value>5</value><value>6</value>'),
      write({}).replace('<value>5</value>', '<value><b/>5</value>'),
      write({}).replace('<value>5</value>', ''),
      write({ actions: '<data name="database_id"><value>6</value></data>' }),
      write({ activity: `${GUID}-1</value></action><action name="attach_activity_id"><value>${GUID}-2` }),
      write({}).replace('name="database_id"', 'name="database_id" name="database_id"'),
      write({}).replace('</event>', ''),
      write({}).replace('</data>', '</date>'),
      write({}).repeat(2),
      `${write({})}x`,
      `x${write({})}`,
      `<${'a>'.repeat(1)}${write({})}</a>`,
      '',
    ];
    teach(write({}));
    for (const row of rows) {
      assert.equal(read(row), null, row);
      assert.equal(checkUntaught(row), false, row);
      teach(write({}));
    }
  });

  it('reads long rows without learning from them, and leaves the longest to TypeScript', () => {
    const name = (text: string): string =>
      write({ actions: `<action name="database_name" package="sqlserver"><value>${text}</value></action>` });
    const [long, wide, longest] = [name('x'.repeat(1200)), name(`<![CDATA[${'🦆'.repeat(600)}]]>`), name('x'.repeat(5000))];
    for (const text of [long, wide]) {
      assert.equal(checkUntaught(text), true);
      assert.equal(
        countWalks(() => check(text)),
        1,
      );
    }
    assert.equal(checkUntaught(longest), false);
    assert.equal(readEvent({ objectName: null, eventData: longest }).kind, 'begin');
  });

  it('reads elements and attributes up to what events have, and leaves more to TypeScript', () => {
    const deep = (depth: number): string => write({ actions: `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}` });
    const wide = (count: number): string =>
      write({ actions: `<a ${Array.from({ length: count }, (_, i) => `a${'b'.repeat(i)}="1"`).join(' ')}/>` });
    assert.deepEqual(
      [3, 15, 16].map((depth) => checkUntaught(deep(depth))),
      [true, true, false],
    );
    assert.deepEqual(
      [3, 16, 17].map((count) => checkUntaught(wide(count))),
      [true, true, false],
    );
    assert.equal(checkUntaught(write({ actions: SESSION.repeat(30) })), true, 'more fields than a layout is learned of');
  });

  it('reads every digit and letter of a GUID, in either case', () => {
    teach(write({}));
    for (const guid of [
      '01234567-89AB-CDEF-0123-456789ABCDEF',
      'fedcba98-7654-3210-fedc-ba9876543210',
      'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    ])
      assert.deepEqual(read(write({ activity: `${guid}-7` }))?.activity, { guid: guid.toUpperCase(), sequence: 7 });
  });

  it('reads numbers of every length', () => {
    teach(write({}));
    for (let digits = 1; digits <= 15; digits++) {
      const number = '987654321012345'.slice(0, digits);
      assert.equal(read(write({ activity: `${GUID}-${number}` }))?.activity?.sequence, Number(number));
      assert.equal(read(write({ id: number }))?.databaseId, digits <= 9 ? Number(number) : undefined);
    }
  });

  it('knows every day of two centuries', () => {
    teach(write({}));
    for (let utcMs = Date.UTC(2000, 0, 1, 23, 59, 59, 999); utcMs < Date.UTC(2200, 0, 1); utcMs += 86_400_000) {
      assert.equal(read(write({ time: new Date(utcMs).toISOString() }))?.atUtcMs, utcMs);
    }
  });

  it('says the same as the walk in TypeScript whatever character is changed, removed or put in', () => {
    for (const text of [write({ actions: SESSION }), write({ kind: 'end', activity: null }), write({})]) {
      for (const prepare of [() => teach(text), () => eventAssembly.forget()]) {
        for (let at = 0; at <= text.length; at++) {
          for (const other of OTHERS) {
            prepare();
            check(text.slice(0, at) + other + text.slice(at + 1));
            prepare();
            check(text.slice(0, at) + other + text.slice(at));
          }
          prepare();
          assert.equal(check(text.slice(0, at)), at === text.length);
        }
      }
    }
  });

  it('agrees with the walk in TypeScript and with an XML library on generated rows, damaged or not, taught or not', () => {
    let found = 0;
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), (text, digits) => {
        let place = 0;
        const renumbered = text.replace(/\d/g, (digit) => String(digits[place++ % digits.length] ?? 10).replace(/^..$/, digit));
        for (const each of [text, renumbered]) {
          teach(text);
          const event = read(each);
          const isRead = checkUntaught(each);
          assert.equal(event !== null, isRead, each);
          if (!isRead) continue;
          found++;
          const { reading, hasForbiddenAlone } = readWithLibrary(null, each);
          if (!hasForbiddenAlone) assert.deepEqual(event, reading);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(found > 1000, String(found));
  });

  it('reads a row alike wherever it stands among others, cut off, empty, beyond ASCII or too long ones among them', () => {
    const other = fc.constantFrom(
      null,
      '',
      '🦆'.repeat(900),
      '\ud800',
      'x'.repeat(4001),
      '<event',
      write({}).slice(0, -1),
      ' '.repeat(3000),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: other }), { maxLength: 100 }), (all) => {
        eventAssembly.forget();
        const together = readAll(all);
        const alone = all.map((text) => readAll([text])[0]);
        assert.deepEqual(together, alone);
        all.forEach((text, i) => {
          const event = together[i] ?? null;
          if (event !== null) assert.deepEqual(event, readEvent({ objectName: null, eventData: text }));
        });
      }),
      { numRuns: 200 },
    );
  });

  it('leaves every row to TypeScript where the host runs no WebAssembly', () => {
    const without = createEventAssembly(null);
    assert.equal(without.take([{ eventData: write({}) }, { eventData: null }], 0), 2);
    assert.deepEqual([without.read(0, register), without.read(1, register)], [false, false]);
  });
});
