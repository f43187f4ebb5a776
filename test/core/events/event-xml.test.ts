import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EventReading } from '../../../src/core/events/event';
import { readEvent } from '../../../src/core/events/event-xml';
import { readWithLibrary } from './event-oracle';
import { GUID, writeEventXml } from './event-rows';
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

describe('event rows', () => {
  it('reads the published rows of a file target', () => {
    const first =
      '<event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action name="session_id" package="sqlserver"><value>60</value></action><action name="database_id" package="sqlserver"><value>5</value></action></event>';
    const second =
      '<event name="checkpoint_end" package="sqlserver" timestamp="2016-07-09T03:30:14.025Z"><data name="database_id"><value>5</value></data></event>';
    assert.deepEqual(read(first, 'checkpoint_begin'), { kind: 'begin', databaseId: 5, atUtcMs: AT, activity: null });
    assert.deepEqual(read(second, 'checkpoint_end'), { kind: 'end', databaseId: 5, atUtcMs: AT + 2, activity: null });
  });

  it('reads a row of a ring buffer, with types and texts', () => {
    const row = begin(
      '<data name="database_id"><type name="uint32" package="package0"></type><value>5</value><text></text></data>' +
        `<action name="attach_activity_id" package="package0"><type name="activity_id" package="package0"/><value>${GUID}-1044</value></action>`,
    );
    assert.deepEqual(read(row), { kind: 'begin', databaseId: 5, atUtcMs: AT, activity: { guid: GUID, sequence: 1044 } });
  });

  it('takes the data field for the checkpointed database, not the action of the same name', () => {
    const action = '<action name="database_id" package="sqlserver"><value>9</value></action>';
    for (const row of [begin(action + DATA), begin(DATA + action)]) {
      assert.deepEqual(read(row), { kind: 'begin', databaseId: 5, atUtcMs: AT, activity: null });
    }
    assert.equal(reasonOf(read(begin(action))), 'wrong database_id');
  });

  it('does not take attach_activity_id_xfer for attach_activity_id', () => {
    const xfer = `<action name="attach_activity_id_xfer" package="package0"><value>${GUID}-0</value></action>`;
    const own = `<action name="attach_activity_id" package="package0"><value>${GUID}-7</value></action>`;
    const sequenceOf = (reading: EventReading) => ('activity' in reading ? (reading.activity?.sequence ?? null) : undefined);
    assert.equal(sequenceOf(read(begin(DATA + xfer))), null);
    assert.equal(sequenceOf(read(begin(DATA + xfer + own))), 7);
    assert.equal(sequenceOf(read(begin(own + xfer + DATA))), 7);
  });

  it('does not read markup inside CDATA, entities, attributes or comments', () => {
    const trap = '</value></action><data name="database_id"><value>9</value></data><action name="attach_activity_id"><value>x-1';
    const escaped = trap.replace(/</g, '&lt;');
    const hostile = [
      `<action name="database_name"><value><![CDATA[${trap}]]></value></action>`,
      `<action name="database_name"><value>${escaped}</value></action>`,
      `<action name='${escaped}'><value/></action>`,
      `<!-- ${trap} -->`,
    ];
    for (const action of hostile) {
      assert.deepEqual(read(begin(action + DATA)), { kind: 'begin', databaseId: 5, atUtcMs: AT, activity: null }, action);
    }
  });

  it('does not take a field inside the value of another for its own', () => {
    const nested = `<action name="xml_report"><value><event><data name="database_id"><value>9</value></data></event></value></action>`;
    assert.deepEqual(read(begin(nested + DATA)), { kind: 'begin', databaseId: 5, atUtcMs: AT, activity: null });
    assert.equal(reasonOf(read(begin('<data name="database_id"><value>5<x/></value></data>'))), 'wrong database_id');
  });

  it('refuses a field or value that stands twice', () => {
    assert.equal(reasonOf(read(begin(DATA + DATA))), 'wrong database_id');
    assert.equal(reasonOf(read(begin('<data name="database_id"><value>5</value><value>5</value></data>'))), 'wrong database_id');
    const own = `<action name="attach_activity_id"><value>${GUID}-7</value></action>`;
    assert.notEqual(read(begin(DATA + own + own)).kind, 'begin');
  });

  it('refuses an attribute that stands twice, however many there are', () => {
    for (const many of [1, 15, 16, 17, 100]) {
      const attributes = Array.from({ length: many }, (_, i) => `a${i}="x"`).join(' ');
      const row = (more: string): string => begin(DATA).replace('<event ', `<event ${attributes} ${more} `);
      assert.equal(read(row('b="x"')).kind, 'begin', `${many}`);
      for (const twice of ['a0', `a${many - 1}`]) assert.equal(reasonOf(read(row(`${twice}="y"`))), 'not XML', `${many}, ${twice}`);
    }
  });

  it('says why a row can not be relied on', () => {
    const rows: readonly [string, string | null][] = [
      ['empty', null],
      ['empty', ''],
      ['empty', ' \r\n'],
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
      ['wrong time', begin(DATA, '18446744070113720036')],
      ['wrong time', begin(DATA, '-2016-07-09T03:30:14.023Z')],
      ['wrong time', begin(DATA, '1601-01-01T00:00:00.000Z')],
      ['wrong time', begin(DATA, '9999-12-31T23:59:59.999Z')],
      ['wrong time', '<event name="checkpoint_end">' + DATA + '</event>'],
      ['wrong database_id', begin('')],
      ['wrong database_id', begin('<data name="database_id"></data>')],
      ['wrong database_id', begin('<data name="database_id"><value>0</value></data>')],
      ['wrong database_id', begin('<data name="database_id"><value>-5</value></data>')],
      ['wrong database_id', begin('<data name="database_id"><value>4294967296</value></data>')],
      ['wrong database_id', begin('<data name="database_id"><value>99999999999999999999</value></data>')],
      ['wrong activity id', begin(`${DATA}<action name="attach_activity_id"><value>${GUID}</value></action>`)],
    ];
    for (const [reason, eventData] of rows) {
      assert.equal(reasonOf(readEvent({ objectName: null, eventData })), reason, String(eventData));
    }
  });

  it('refuses a row whose column and text name different events', () => {
    assert.equal(reasonOf(read(begin(DATA), 'checkpoint_end')), 'names differ');
  });

  it('names events that are not ours', () => {
    assert.deepEqual(read('anything', 'wait_completed'), { kind: 'other', name: 'wait_completed' });
    assert.deepEqual(read('<event name="wait_info" timestamp="x"/>'), { kind: 'other', name: 'wait_info' });
  });

  it('refuses every beginning of a row', () => {
    const whole = writeEventXml({ kind: 'end', databaseId: 5, at: AT, activity: `${GUID}-12` });
    assert.equal(read(whole).kind, 'end');
    for (let length = 0; length < whole.length; length++) {
      const reason = reasonOf(read(whole.slice(0, length)));
      assert.equal(reason, length === 0 ? 'empty' : 'truncated', whole.slice(0, length));
    }
  });

  it('reads any generated row as the tree of an XML library says', () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(generatedRow, ({ objectName, eventData }) => {
        const oracle = readWithLibrary(objectName, eventData);
        assert.deepEqual(oracle.errors, []);
        const reading = readEvent({ objectName, eventData });
        kinds.set(reading.kind, (kinds.get(reading.kind) ?? 0) + 1);
        assert.deepEqual(reading.kind === 'malformed' ? { kind: 'malformed' } : reading, oracle.reading);
      }),
      { numRuns: 3000, seed: 20160709 },
    );
    assert.ok(Math.min(...['begin', 'end', 'other', 'malformed'].map((kind) => kinds.get(kind) ?? 0)) > 100, JSON.stringify([...kinds]));
  });

  it('never reads a damaged row otherwise than an XML library does', () => {
    fc.assert(
      fc.property(generatedRow, damage, ({ objectName, eventData }, spoil) => {
        const damaged = spoil(eventData);
        const reading = readEvent({ objectName, eventData: damaged });
        const oracle = readWithLibrary(objectName, damaged);
        const isNamedOther = objectName && objectName !== 'checkpoint_begin' && objectName !== 'checkpoint_end';
        if (oracle.hasForbiddenAlone || isNamedOther) return;
        assert.equal(reading.kind, oracle.reading.kind, `${oracle.errors.join()} in ${damaged}`);
        if (reading.kind !== 'malformed') assert.deepEqual(reading, oracle.reading);
      }),
      { numRuns: 6000, seed: 20160709 },
    );
  });

  it('never throws on any text', () => {
    const alphabet = fc.constantFrom(...'<>/&;"\'= ![]-?9\ud800\0'.split(''), 'event', 'name', 'CDATA', '#x');
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(alphabet, { maxLength: 60 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (eventData) => assert.ok(['malformed', 'other'].includes(read(eventData).kind))),
      { numRuns: 3000 },
    );
  });
});

describe('The time of an event', () => {
  const absurd = '18446744070113720036';
  const timeOf = (timestamp: string, timestampUtc?: string | null): number | string => {
    const reading = readEvent({ objectName: 'checkpoint_begin', eventData: begin(DATA, timestamp), timestampUtc });
    return 'atUtcMs' in reading ? reading.atUtcMs : reasonOf(reading);
  };

  it('is that of its XML', () => {
    assert.equal(timeOf(T, '2020-01-01T00:00:00'), AT);
  });

  it('is that of the column timestamp_utc where the XML carries no time', () => {
    assert.equal(timeOf(absurd, '2016-07-09T03:30:14.0234567'), AT);
  });

  it('is unknown where neither is a time', () => {
    for (const timestampUtc of [null, undefined, absurd, '1601-01-01T00:00:00']) assert.equal(timeOf(absurd, timestampUtc), 'wrong time');
  });
});
