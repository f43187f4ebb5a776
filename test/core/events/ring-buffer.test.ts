import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  joinRingPieces,
  readRingHead,
  readRingOn,
  splitRingBuffer,
  type RingTail,
} from '../../../src/core/events/ring-buffer';
import { readTemplates } from '../../../src/texts';
import { forAll } from '../../for-all';

function eventOf(number: number, more = ''): string {
  const value = `<type name="uint32" package="package0"></type><value>${5 + (number % 3)}</value>`;
  const time = new Date(Date.UTC(2026, 2, 2, 8) + number * 100).toISOString();
  return `<event name="checkpoint_${number % 2 ? 'end' : 'begin'}" package="sqlserver" timestamp="${time}"><data name="database_id">${value}</data>${more}</event>`;
}

/**
 * A ring that has taken `processed` events and holds the last `held` of them, of which the first `shown` stand in its
 * text.
 */
function ringOf(processed: number, held: number, shown = held): string {
  const events = Array.from({ length: shown }, (_, i) => eventOf(processed - held + i));
  const head = `truncated="${shown < held ? 1 : 0}" processingTime="0" totalEventsProcessed="${processed}" eventCount="${held}" droppedCount="0" memoryUsed="9"`;
  return events.length === 0
    ? `<RingBufferTarget ${head}/>`
    : `<RingBufferTarget ${head}>${events.join('')}</RingBufferTarget>`;
}

describe('The text of a ring buffer', () => {
  it('is split into its events, whatever stands in their values', () => {
    const hostile =
      '<data name="x"><value><![CDATA[</event></RingBufferTarget><event name="checkpoint_end">]]></value></data>';
    const events = [
      eventOf(1),
      eventOf(2, hostile),
      eventOf(3, '<data name="y"><value>&lt;/event&gt;</value></data>'),
      eventOf(4),
    ];
    for (const glue of ['', '\r\n  ']) {
      const ring = `<RingBufferTarget truncated="0" totalEventsProcessed="9" eventCount="4" droppedCount="1">${glue}${events.join(glue)}${glue}</RingBufferTarget>`;
      const split = splitRingBuffer(ring);
      assert.deepEqual([split.events, split.problem], [events, null]);
      assert.deepEqual(split.head, { isTruncated: false, processed: 9, eventCount: 4, dropped: 1 });
    }
  });

  it('gives the whole events of one that was cut anywhere, and says that it was', () => {
    const events = [eventOf(1), eventOf(2), eventOf(3)];
    const ring = `<RingBufferTarget truncated="0" totalEventsProcessed="3" eventCount="3">${events.join('')}</RingBufferTarget>`;
    for (let length = 0; length < ring.length; length++) {
      const split = splitRingBuffer(ring.slice(0, length));
      assert.notEqual(split.problem, null);
      assert.ok(
        split.events.every((event, i) => event === events[i]),
        `cut at ${length}`,
      );
      assert.ok(
        split.events.length >=
          events.filter((event) => ring.indexOf(event) + event.length < length).length - 1,
      );
    }
    assert.equal(readRingHead(ring.slice(0, 200))?.processed, 3);
    assert.equal(readRingHead('<EventFileTarget truncated="0"/>'), null);
    assert.equal(readRingHead(null), null);
  });

  it('is asked of the server once, however many pieces it is cut into', () => {
    assert.equal(readTemplates.ringBuffer.match(/\btarget_data\b/g)?.length, 1);
  });

  it('is joined from its pieces only where all of them arrived', () => {
    const ring = ringOf(40, 40);
    const columns = ['piece', 'text_length', 'text_piece'];
    const length = String(ring.length);
    const rows = [0, 1, 2].map((piece) => [
      String(piece),
      length,
      ring.slice(piece * 2_000, (piece + 1) * 2_000),
    ]);
    const whole = [...rows, ['3', length, ring.slice(6_000)]];
    assert.deepEqual(joinRingPieces({ columns, rows: whole }), { ring, problem: null });
    assert.deepEqual(joinRingPieces({ columns, rows: [] }), { ring: '', problem: null });
    const refused = [rows, whole.slice(1), [...rows, ['3', '7', ring.slice(6_000)]]];
    for (const pieces of refused)
      assert.match(joinRingPieces({ columns, rows: pieces }).problem ?? '', /did not arrive/);
    assert.match(joinRingPieces({ columns: ['piece'], rows: [] }).problem ?? '', /no column/);
  });
});

describe('A ring buffer that is read again and again', () => {
  it('gives every event once, and says so where events were overwritten or cut off, for any course of things', () => {
    const step = fc.record({
      more: fc.integer({ min: 0, max: 60 }),
      mostShown: fc.constantFrom(1_000, 1_000, 1_000, 35),
    });
    forAll(fc.array(step, { minLength: 1, maxLength: 12 }), 150, (steps) => {
      let [processed, tail] = [0, null as RingTail | null];
      const taken: string[] = [];
      let [isComplete, wasCut] = [true, false];
      for (const { more, mostShown } of steps) {
        processed += more;
        const held = Math.min(processed, 50);
        const reading = readRingOn(splitRingBuffer(ringOf(processed, held, Math.min(held, mostShown))), tail);
        taken.push(...reading.rows.map((row) => row.eventData ?? ''));
        // At the first reading the head says whether all is there; see isWhole in event-place.
        if (tail === null && processed > held) isComplete = false;
        if (reading.lossBefore !== null || reading.lossBehind !== null) isComplete = false;
        wasCut ||= reading.lossBehind !== null;
        tail = reading.tail;
      }
      const all = Array.from({ length: processed }, (_, i) => eventOf(i));
      // Of a text that is cut the newest are missing, which may have been read before: they come once more, and are
      // known again by what they are.
      if (!wasCut) assert.equal(new Set(taken).size, taken.length, 'nothing twice');
      assert.ok(taken.every((event) => all.includes(event)));
      if (isComplete) assert.deepEqual(taken, all);
    });
  });

  it('is overwritten where its last events are not there any more, or it took more than it holds while it was empty', () => {
    for (const [before, after, rows, loss] of [
      [ringOf(50, 50), ringOf(200, 50), 50, 'ring buffer overwritten'],
      [ringOf(200, 50), ringOf(200, 50), 0, undefined],
      [ringOf(0, 0), ringOf(3, 3), 3, undefined],
      [ringOf(0, 0), ringOf(60, 50), 50, 'ring buffer overwritten'],
    ] as const) {
      const first = readRingOn(splitRingBuffer(before), null);
      const later = readRingOn(splitRingBuffer(after), first.tail);
      assert.deepEqual(
        [first.lossBefore, later.rows.length, later.lossBefore?.kind, later.lossBehind],
        [null, rows, loss, null],
      );
    }
  });
});
