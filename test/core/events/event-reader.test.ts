import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EventReading } from '../../../src/core/events/event';
import { EventReader } from '../../../src/core/events/event-reader';
import { EventRegister } from '../../../src/core/events/event-register';
import { readEvent } from '../../../src/core/events/event-xml';
import { GUID } from './event-rows';
import { plainOrNot, SESSION, write } from './plain-event';

const register = new EventRegister();

function readRow(reader: EventReader, eventData: string | null, objectName: string | null = null): EventReading {
  return reader.read({ objectName, eventData, fileName: null, fileOffset: null }, register) ?? register.get();
}

/** Reads the row, which has to come out as the walk reads it. */
function check(reader: EventReader, eventData: string | null, objectName: string | null = null): void {
  const label = `${objectName} ${eventData}`;
  assert.deepEqual(readRow(reader, eventData, objectName), readEvent({ objectName, eventData }), label);
}

function teach(...texts: readonly string[]): EventReader {
  const reader = new EventReader();
  for (const text of texts) readRow(reader, text);
  return reader;
}

describe('reading event rows', () => {
  it('compares rows with layouts that earlier rows taught', () => {
    const reader = new EventReader();
    assert.equal(reader.readKnown(write({}), register), false);
    check(reader, write({}));
    assert.equal(reader.readKnown(write({ kind: 'end' }), register), false);
    check(reader, write({ kind: 'end' }));
    for (const kind of ['end', 'begin', 'begin', 'end']) {
      const text = write({ kind, id: '77', activity: `${GUID}-9` });
      assert.equal(reader.readKnown(text, register), true);
      assert.deepEqual(register.get(), readEvent({ objectName: null, eventData: text }));
    }
  });

  it('says of every other row what it is', () => {
    const reader = teach(write({}));
    const rows = [null, '', ' ', write({}).slice(0, -1), write({ id: '0' }), write({ time: '1999-07-09T03:30:14.023Z' }), '<x/>'];
    for (const text of [...rows, write({ kind: 'started' }), write({}).repeat(2)]) check(reader, text);
    assert.equal(readRow(reader, write({ id: 'five' })).kind, 'malformed');
  });

  it('takes a row whose name is that of another event for what the walk says', () => {
    const reader = teach(write({}), write({ kind: 'end' }));
    for (const name of ['checkpoint_begin', 'checkpoint_end', 'wait_info', '', null])
      for (const kind of ['begin', 'end']) check(reader, write({ kind }), name);
    assert.equal(readRow(reader, write({}), 'checkpoint_end').kind, 'malformed');
  });

  it('reads the time of each row whose text has none from its column', () => {
    const reader = new EventReader();
    const eventData = write({}).replace(/ timestamp="[^"]+"/, '');
    for (const second of ['14', '15', '16']) {
      const row = { objectName: null, eventData, timestampUtc: `2016-07-09T03:30:${second}`, fileName: null, fileOffset: null };
      assert.deepEqual(reader.read(row, register) ?? register.get(), readEvent(row));
      assert.equal(reader.readKnown(eventData, register), false);
    }
  });

  it('knows rows of one layout again after many that have each a layout of its own', () => {
    const reader = teach(
      ...Array.from({ length: 300 }, (_, i) =>
        write({ actions: `<action name="note${i}" package="sqlserver"><value>${i}</value></action>` }),
      ),
    );
    for (let i = 0; i < 100; i++) check(reader, write({ id: String(i + 1), kind: i % 2 === 0 ? 'begin' : 'end' }));
    assert.equal(reader.readKnown(write({ id: '77' }), register), true);
    assert.equal(reader.readKnown(write({ id: '77', kind: 'end' }), register), true);
  });

  it('knows sixteen layouts at a time, and forgets the one that was used least', () => {
    const write2 = (i: number): string => write({ actions: `<action name="note${i}" package="sqlserver"><value>x</value></action>` });
    const reader = teach(...Array.from({ length: 16 }, (_, i) => write2(i)));
    assert.equal(reader.readKnown(write2(0), register), true);
    readRow(reader, write2(16));
    const known = Array.from({ length: 17 }, (_, i) => reader.readKnown(write2(i), register));
    assert.deepEqual(
      known,
      known.map((_, i) => i !== 1),
    );
  });

  it('leaves rows of more than 1,024 characters to the walk, and learns nothing of them', () => {
    const pad = (length: number, by: string): string => {
      const make = (text: string): string => write({ actions: SESSION.replace('60', text) });
      return make(by.repeat((length - make('').length) / by.length));
    };
    for (const by of ['x', 'é', '\0']) {
      for (const length of [1025, 3000, 5000]) {
        const reader = teach(pad(length, by));
        assert.equal(reader.readKnown(pad(length, by), register), false);
        assert.equal(reader.readKnown(write({ actions: SESSION }), register), false);
        check(reader, pad(length, by));
        check(reader, write({ actions: SESSION }));
        assert.equal(reader.readKnown(pad(1024, by), register), true);
        assert.equal(reader.readKnown(pad(1025, by), register), false);
        check(reader, pad(1024, by));
      }
    }
  });

  it('reads a row as the walk does wherever it stands among others, cut off, empty, beyond ASCII or too long ones among them', () => {
    const others = [null, '', '🦆'.repeat(900), '\ud800', 'x'.repeat(5000), '<event', write({}).slice(0, -1), ' '.repeat(3000)];
    const row = fc.oneof({ weight: 4, arbitrary: plainOrNot }, { weight: 1, arbitrary: fc.constantFrom(...others) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 100 }), (texts) => {
        const reader = new EventReader();
        for (const text of [...texts, ...texts]) check(reader, text);
      }),
      { numRuns: 200 },
    );
  });
});
