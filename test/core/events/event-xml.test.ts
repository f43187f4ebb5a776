import assert from 'node:assert/strict';
import { decodeXml } from '../../../src/core/events/xml-walk';
import fc from 'fast-check';
import type { EventReading } from '../../../src/core/events/event';
import { readEvent } from '../../../src/core/events/event-xml';
import { readWithLibrary } from './event-oracle';
import { GUID } from './event-rows';
import { damage, generatedRow } from './event-shapes';

const AT = Date.UTC(2016, 6, 9, 3, 30, 14, 23);
const T = '2016-07-09T03:30:14.023Z';

function read(eventData: string, objectName: string | null = null): EventReading {
  return readEvent({ objectName, eventData });
}

function reasonOf(reading: EventReading): string {
  return reading.kind === 'malformed' ? reading.reason : reading.kind;
}

/** An event with `inner` between its tags. */
function begin(inner: string, timestamp = T): string {
  return `<event name="checkpoint_begin" package="sqlserver" timestamp="${timestamp}">${inner}</event>`;
}

const DATA = '<data name="database_id"><value>5</value></data>';
const OWN = `<action name="attach_activity_id" package="package0"><type name="activity_id"/><value>${GUID}-7</value></action>`;

describe('event rows', () => {
  it('reads the published rows of a file target', () => {
    const first =
      '<event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action name="session_id" package="sqlserver"><value>60</value></action><action name="database_id" package="sqlserver"><value>5</value></action></event>';
    const second =
      '<event name="checkpoint_end" package="sqlserver" timestamp="2016-07-09T03:30:14.025Z"><data name="database_id"><value>5</value></data></event>';
    assert.deepEqual(read(first, 'checkpoint_begin'), {
      kind: 'begin',
      databaseId: 5,
      atUtcMs: AT,
      activity: null,
      caller: { isSystem: null, sessionId: 60 },
    });
    assert.deepEqual(read(second, 'checkpoint_end'), {
      kind: 'end',
      databaseId: 5,
      atUtcMs: AT + 2,
      activity: null,
    });
  });

  it('takes nothing for a field that is another field, or text inside CDATA, entities, attributes, comments and values', () => {
    const trap =
      '</value></action><data name="database_id"><value>9</value></data><action name="attach_activity_id"><value>x-1';
    const escaped = trap.replace(/</g, '&lt;');
    for (const hostile of [
      '<action name="database_id" package="sqlserver"><value>9</value></action>',
      `<action name="attach_activity_id_xfer" package="package0"><value>${GUID}-0</value></action>`,
      `<action name="database_name"><value><![CDATA[${trap}]]></value></action>`,
      `<action name="database_name"><value>${escaped}</value></action>`,
      `<action name='${escaped}'><value/></action>`,
      `<!-- ${trap} -->`,
      '<action name="xml_report"><value><event><data name="database_id"><value>9</value></data></event></value></action>',
    ])
      for (const [inner, activity] of [
        [hostile + DATA, null],
        [DATA + hostile, null],
        [OWN + hostile + DATA, { guid: GUID, sequence: 7 }],
      ] as const)
        assert.deepEqual(read(begin(inner)), { kind: 'begin', databaseId: 5, atUtcMs: AT, activity }, inner);
  });

  it('refuses an attribute that stands twice, however many there are', () => {
    for (const many of [1, 15, 16, 17, 100]) {
      const attributes = Array.from({ length: many }, (_, i) => `a${i}="x"`).join(' ');
      const row = (more: string): string => begin(DATA).replace('<event ', `<event ${attributes} ${more} `);
      assert.equal(read(row('b="x"')).kind, 'begin', `${many}`);
      for (const twice of ['a0', `a${many - 1}`])
        assert.equal(reasonOf(read(row(`${twice}="y"`))), 'not XML', `${many}, ${twice}`);
    }
  });

  it('says why a row can not be relied on', () => {
    const rows: readonly [string, string | null][] = [
      ['empty', null],
      ['empty', ''],
      ['not XML', 'Deadlock victim'],
      ['not XML', `${begin(DATA)}x`],
      ['not XML', begin(DATA) + begin(DATA)],
      ['not XML', begin(`${DATA}</data>`)],
      ['not XML', begin('<data name="database_id" name="x"><value>5</value></data>')],
      ['not XML', begin(`${DATA}<x>&nbsp;</x>`)],
      ['truncated', '<'],
      ['truncated', begin(DATA).slice(0, -1)],
      ['truncated', begin(DATA).slice(0, 60)],
      ['truncated', begin(`${DATA}<![CDATA[x`).slice(0, -8)],
      ['not an event', '<RingBufferTarget/>'],
      ['not an event', '<event/>'],
      ['wrong time', begin(DATA, '-2016-07-09T03:30:14.023Z')],
      ['wrong time', begin(DATA, '1601-01-01T00:00:00.000Z')],
      ['wrong time', '<event name="checkpoint_end">' + DATA + '</event>'],
      ['wrong database_id', begin('')],
      ['wrong database_id', begin('<data name="database_id"></data>')],
      ['wrong database_id', begin('<data name="database_id"><value>0</value></data>')],
      ['wrong database_id', begin('<action name="database_id"><value>5</value></action>')],
      ['wrong database_id', begin('<data name="database_id"><value>5<x/></value></data>')],
      ['wrong database_id', begin('<data name="database_id"><value>5</value><value>5</value></data>')],
      ['wrong database_id', begin(DATA + DATA)],
      ['wrong activity id', begin(DATA + OWN + OWN)],
      [
        'wrong activity id',
        begin(`${DATA}<action name="attach_activity_id"><value>${GUID}</value></action>`),
      ],
    ];
    for (const [reason, eventData] of rows) {
      assert.equal(reasonOf(readEvent({ objectName: null, eventData })), reason, String(eventData));
    }
  });

  it('says of a row that can not be relied on what is wrong with it, and where', () => {
    const detailOf = (reading: EventReading): string => (reading.kind === 'malformed' ? reading.detail : '');
    assert.equal(detailOf(read(begin(DATA).slice(0, 89))), 'Character 90: the text ends within a tag.');
    assert.equal(
      detailOf(read(begin(DATA, '18446744070113720036'))),
      '"18446744070113720036" is not a time at which this can have happened; the server\'s clock may have moved back.',
    );
  });

  it('refuses a row whose column and text name different events, and names events that are not ours', () => {
    assert.equal(reasonOf(read(begin(DATA), 'checkpoint_end')), 'names differ');
    assert.deepEqual(read('anything', 'wait_completed'), { kind: 'other', name: 'wait_completed' });
    assert.deepEqual(read('<event name="wait_info" timestamp="x"/>'), { kind: 'other', name: 'wait_info' });
  });

  it('reads any generated row as the tree of an XML library says, and no damaged one otherwise', () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(generatedRow, fc.option(damage), ({ objectName, eventData }, spoil) => {
        const text = spoil?.(eventData) ?? eventData;
        const reading = readEvent({ objectName, eventData: text });
        const oracle = readWithLibrary(objectName, text);
        if (spoil === null) assert.deepEqual(oracle.errors, []);
        if (spoil === null) kinds.set(reading.kind, (kinds.get(reading.kind) ?? 0) + 1);
        const isNamedOther =
          objectName && objectName !== 'checkpoint_begin' && objectName !== 'checkpoint_end';
        if (spoil !== null && (oracle.hasForbiddenAlone || isNamedOther)) return;
        const says = `${oracle.errors.join()} in ${text}`;
        assert.deepEqual(
          reading.kind === 'malformed' ? { kind: 'malformed' } : reading,
          oracle.reading,
          says,
        );
      }),
      { numRuns: 9000, seed: 20160709 },
    );
    assert.ok(
      Math.min(...['begin', 'end', 'other', 'malformed'].map((kind) => kinds.get(kind) ?? 0)) > 60,
      JSON.stringify([...kinds]),
    );
  });
});

describe('The time of an event', () => {
  it('is that of its XML, or of the column timestamp_utc where the XML carries none, and unknown where neither is a time', () => {
    const absurd = '18446744070113720036';
    for (const [timestamp, timestampUtc, time] of [
      [T, '2020-01-01T00:00:00', AT],
      [absurd, '2016-07-09T03:30:14.0234567', AT],
      ...[null, undefined, absurd, '1601-01-01T00:00:00'].map(
        (none) => [absurd, none, 'wrong time'] as const,
      ),
    ] as const) {
      const reading = readEvent({
        objectName: 'checkpoint_begin',
        eventData: begin(DATA, timestamp),
        timestampUtc,
      });
      assert.equal('atUtcMs' in reading ? reading.atUtcMs : reasonOf(reading), time);
    }
  });
});

describe('A reference in XML', () => {
  it('becomes U+FFFD if it is to nothing, whatever every object has of that name', () => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const read = decodeXml(`&${name};`);
      assert.equal(read, /^[a-z]+$/.test(name) ? '\ufffd' : `&${name};`);
    }
    assert.equal(decodeXml('&constructor;&amp;'), '\ufffd&');
  });
});
