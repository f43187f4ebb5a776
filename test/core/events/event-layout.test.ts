import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointEvent } from '../../../src/core/events/event';
import { takeRow } from '../../../src/core/events/event-fields';
import { type Layout, learnLayout, type Mark, readByLayout } from '../../../src/core/events/event-layout';
import { EventRegister } from '../../../src/core/events/event-register';
import { readEvent } from '../../../src/core/events/event-xml';
import { readWithLibrary } from './event-oracle';
import { GUID } from './event-rows';
import { OTHER, plainOrNot, SESSION, write, XFER } from './plain-event';

const register = new EventRegister();

/** What a row of at most 4,000 characters teaches; null where it teaches nothing. */
function learn(text: string): Layout | null {
  const marks: Mark[] = [];
  const reading = readEvent({ objectName: null, eventData: text }, marks);
  takeRow(text);
  return 'activity' in reading ? learnLayout(reading, marks, text.length) : null;
}

function learnPlain(text: string): Layout {
  const layout = learn(text);
  assert.ok(layout !== null, text);
  return layout;
}

/** What is read by comparison, which is what the walk reads; null where the row is of another layout. */
function read(layout: Layout, text: string): CheckpointEvent | null {
  takeRow(text);
  if (!readByLayout(layout, text.length, register)) return null;
  const event = register.get();
  assert.deepEqual(event, readEvent({ objectName: null, eventData: text }), text);
  return event;
}

const nameAction = (text: string): string => `<action name="database_name" package="sqlserver"><value>${text}</value></action>`;

describe('the layout of event rows', () => {
  it('is learned of every published one, and serves rows with other numbers', () => {
    const shapes = ['begin', 'end'].flatMap((kind) =>
      ['', SESSION, SESSION + OTHER, XFER].flatMap((actions) =>
        [null, `${GUID}-1`, `${GUID}-123456789012345`].map((activity) => ({ kind, actions, activity })),
      ),
    );
    for (const shape of shapes) {
      const layout = learnPlain(write(shape));
      assert.notEqual(read(layout, write(shape)), null);
      const other = { ...shape, time: '2199-12-31T23:59:59.999Z', id: '999999999' };
      assert.equal(read(layout, write(other))?.databaseId, 999_999_999);
    }
    assert.deepEqual(read(learnPlain(write({ id: '77', actions: SESSION + OTHER })), write({ actions: SESSION + OTHER })), {
      kind: 'begin',
      databaseId: 5,
      atUtcMs: Date.UTC(2016, 6, 9, 3, 30, 14, 23),
      activity: { guid: GUID, sequence: 1044 },
    });
  });

  it('is learned of any: types, CDATA, comments, fields in another order, text behind the event, names beyond ASCII', () => {
    const layouts = [
      write({})
        .replaceAll('<value>', '<type name="uint32" package="package0"></type><value>')
        .replaceAll('</value>', '</value><text></text>'),
      write({}).replace('>5<', '><![CDATA[5]]><'),
      write({ actions: nameAction('<![CDATA[</value></action><data name="database_id"><value>9]]>') }),
      write({ actions: nameAction('<![CDATA[é🦆 ]] &]]>') }),
      write({ actions: nameAction('é\0🦆') }),
      write({ activity: null }).replace(
        '<data',
        `<!-- <value>9</value> --><action name="attach_activity_id"><value>${GUID}-7</value></action><data`,
      ),
      `${write({}).replace('name="checkpoint_begin" package="sqlserver"', "package='sqlserver' name='checkpoint_begin'")}\n`,
      write({}).replace('<data name="database_id">', '\r\n\t<data  name = "database_id"\n>'),
    ];
    for (const text of layouts) {
      const layout = learnPlain(text);
      const renumbered = text
        .replace('03:30:14.023', '23:59:59.999')
        .replace(/([>[])5([<\]])/, '$1137$2')
        .replace(/-(7|1044)</, '-987654<')
        .replace(/é[^\]<]*/u, 'another name');
      const event = read(layout, renumbered);
      assert.deepEqual([event?.databaseId, event?.activity?.sequence], [137, 987_654], renumbered);
    }
  });

  it('is not learned where a field is written in an uncommon way, which might stand fixed then, or where the row is not plain', () => {
    const rows = [
      write({ id: '&#x35;' }),
      write({ id: ' 5 ' }),
      write({ id: '<![CDATA[1]]>2' }),
      write({ id: '<![CDATA[1]]><![CDATA[2]]>' }),
      write({ id: '1<!-- note -->2' }),
      write({ id: '2147483647' }),
      write({ activity: `${GUID}-&#x37;` }),
      write({ activity: ` ${GUID}-7` }),
      write({ time: '2016-07-09T03:30:14Z' }),
      write({ actions: nameAction('a&lt;b') }),
      write({ actions: nameAction('a>b') }),
      write({}).replace('<data', '<!-- é --><data'),
      write({}).replace('<data', '<!-- \0 --><data'),
      write({ actions: '<a><v>1<b/>2</v></a>' }),
    ];
    for (const text of rows) {
      assert.equal(readEvent({ objectName: null, eventData: text }).kind, 'begin', text);
      assert.equal(learn(text), null, text);
    }
  });

  it('is not that of rows of another one, of other numbers, or of no event', () => {
    const layouts = [write({}), write({ actions: SESSION }), write({ actions: nameAction('x') })].map(learnPlain);
    const rows = [
      write({ kind: 'started' }),
      write({}).replace('package="sqlserver" timestamp', 'package="other" timestamp'),
      write({ actions: nameAction('<![CDATA[x]]>') }),
      write({ actions: nameAction('a&amp;b') }),
      write({ actions: nameAction('</value></action><data name="database_id"><value>6</value></data><action><value>') }),
      write({ actions: '<data name="database_id"><value>6</value></data>' }),
      write({}).replace('</event>', `${SESSION}</event>`),
      write({}).replace('<value>5', '<type name="uint32"/><value>5'),
      write({}).replace('<value>5</value>', ''),
      write({}).replace('name="database_id"', "name='database_id'"),
      write({ id: ' 5' }),
      write({ id: '0' }),
      write({ id: '4294967296' }),
      write({ time: '2016-07-09T03:30:14Z' }),
      write({ time: '2016-02-30T03:30:14.023Z' }),
      write({ time: '2200-07-09T03:30:14.023Z' }),
      write({ activity: GUID }),
      write({ activity: `${GUID}-` }),
      write({ activity: `${GUID}-1234567890123456` }),
      write({ activity: `${GUID.replace('7', 'G')}-1` }),
      write({}).replace('</data>', '</date>'),
      write({}).repeat(2),
      `${write({})} `,
      `x${write({})}`,
      '',
    ];
    for (const layout of layouts) for (const text of rows) assert.equal(read(layout, text), null, text);
  });

  it('is not that of a row which was cut off, whatever an earlier row left behind its end', () => {
    const texts = [write({ actions: SESSION }), write({ kind: 'end', activity: null }), write({ actions: nameAction('<![CDATA[x]]>') })];
    for (const text of texts) {
      const layout = learnPlain(text);
      for (let at = 0; at < text.length; at++) {
        assert.notEqual(read(layout, text), null);
        assert.equal(read(layout, text.slice(0, at)), null, text.slice(0, at));
      }
    }
  });

  it('makes nothing of a row but what the walk makes of it, whatever character is changed, removed or put in', () => {
    const others = ['', '0', '9', 'a', 'F', '"', '<', '>', '&', ' ', '-', '/', '\0', '`', ']', 'é', '\ud800'];
    for (const text of [
      write({ actions: SESSION }),
      write({ kind: 'end', activity: null }),
      write({ actions: nameAction('<![CDATA[x]]>') }),
    ]) {
      const layout = learnPlain(text);
      for (let at = 0; at <= text.length; at++) {
        for (const other of [...others, text[at - 1] ?? 'x', (text[at] ?? '') + (text[at + 1] ?? '')]) {
          for (const behind of [at, at + 1]) {
            const changed = text.slice(0, at) + other + text.slice(behind);
            read(layout, changed);
            // What a changed row teaches serves neither the row itself nor the one that it was made of in another way than the walk.
            const taught = learn(changed);
            if (taught !== null) assert.notEqual(read(taught, changed), null);
            if (taught !== null) read(taught, text);
          }
        }
      }
    }
  });

  it('reads generated rows, damaged or not, as the walk and an XML library do', () => {
    let found = 0;
    fc.assert(
      fc.property(plainOrNot, fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), (text, digits) => {
        const layout = text.length <= 4000 ? learn(text) : null;
        if (layout === null) return;
        let place = 0;
        const renumbered = text.replace(/\d/g, (digit) => String(digits[place++ % digits.length] ?? 10).replace(/^..$/, digit));
        for (const each of [text, renumbered]) {
          const event = read(layout, each);
          if (event === null) continue;
          found++;
          const { reading, hasForbiddenAlone } = readWithLibrary(null, each);
          if (!hasForbiddenAlone) assert.deepEqual(event, reading);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(found > 1000, String(found));
  });
});
