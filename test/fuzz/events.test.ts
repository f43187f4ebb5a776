import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Capture, createCapture, restoreCapture } from '../../src/core/capture/capture';
import type { EventRow } from '../../src/core/events/event';
import { EventReader } from '../../src/core/events/event-reader';
import { EventRegister } from '../../src/core/events/event-register';
import { readEvent } from '../../src/core/events/event-xml';
import { findUnaccountedRows } from '../../src/core/capture/ledger';
import { eventIn } from '../core/events/event-rows';
import { damage, generatedRow } from '../core/events/event-shapes';
import { type Chance, createChance, pick } from '../core/errorlog/disturbed-log';
import { assertLinear, fuzzCases } from './cases';
import { finishSteps } from '../../src/core/steps';

const T0 = Date.UTC(2026, 0, 5, 10);
const GUIDS = [
  '770C3538-EC3F-4A27-86A9-31A2FC777DBC',
  '770c3538-ec3f-4a27-86a9-31a2fc777dbd',
  '00000000-0000-0000-0000-000000000000',
];
const NAMES = [
  'checkpoint_begin',
  'checkpoint_end',
  'checkpoint_begin',
  'checkpoint_end',
  'buffer_pool_scan_complete',
  'wait_info',
];
const PIECES = [...'<>/&;"\'= ![]-?9\ud800\0', 'event', 'name', 'CDATA', '#x'];
/** How many there are of each. They meet each other in ever new pairs. */
const OF_EACH = { numRuns: 2_000, seed: 20160709 };
const GENERATED = fc.sample(generatedRow, OF_EACH);
const DAMAGES = fc.sample(damage, OF_EACH);

function writeText(chance: Chance): string {
  const name = pick(chance, NAMES);
  const timestamp = new Date(T0 + Math.floor(chance() * 40_000_000) - 20_000_000).toISOString();
  const id = `<data name="database_id"><value>${1 + Math.floor(chance() * 5)}</value></data>`;
  const elapsed = name.startsWith('buffer')
    ? `<data name="elapsed_time_ms"><value>${Math.floor(chance() * 5000)}</value></data>`
    : '';
  const session =
    chance() < 0.3 ? '<action name="session_id" package="sqlserver"><value>60</value></action>' : '';
  const number = `${pick(chance, GUIDS)}-${Math.floor(chance() * 300)}`;
  const activity =
    chance() < 0.7
      ? `<action name="attach_activity_id" package="package0"><value>${number}</value></action>`
      : '';
  return `<event name="${name}" package="sqlserver" timestamp="${timestamp}">${id}${elapsed}${session}${activity}</event>`;
}

/** Mostly one that has a partner; two of five are damaged. */
function makeRow(chance: Chance): EventRow {
  const whole = chance() < 0.9 ? writeText(chance) : pick(chance, GENERATED).eventData;
  const eventData = chance() < 0.6 ? whole : pick(chance, DAMAGES)(whole);
  const named = /name="(\w+)"/.exec(whole)?.[1] ?? null;
  const objectName = chance() < 0.9 ? named : pick(chance, [null, '', ...NAMES]);
  return {
    objectName,
    eventData: chance() < 0.02 ? makeOther(chance) : chance() < 0.2 ? renumber(eventData, chance) : eventData,
    fileName: 'f_0_1.xel',
    fileOffset: pick(chance, ['512', '1024', null]),
  };
}

/** With some digits that are others, but none of a reference to a character. */
function renumber(text: string, chance: Chance): string {
  if (text.includes('&#')) return text;
  return text.replace(/\d/g, (digit) => (chance() < 0.1 ? String(Math.floor(chance() * 10)) : digit));
}

/** Nothing, what is too long, and pieces of markup in any order. */
function makeOther(chance: Chance): string | null {
  const pieces = Array.from({ length: Math.floor(chance() * 60) }, () => pick(chance, PIECES)).join('');
  return pick(chance, [null, '', ' ', '<event', '🦆'.repeat(900), 'x'.repeat(5_000), pieces, pieces]);
}

/**
 * Appends some, settles now and then, sometimes goes on from what was kept; every row is accounted for after each step.
 */
function feed(capture: Capture, rows: readonly EventRow[], chance: Chance): Capture {
  capture.append(rows);
  assert.equal(findUnaccountedRows(capture.ledger()), 0);
  if (chance() < 0.5) capture.settle(T0 + Math.floor(chance() * 40_000_000) - 20_000_000);
  assert.equal(findUnaccountedRows(capture.ledger()), 0);
  return chance() < 0.05 ? finishSteps(restoreCapture(capture.keepState())) : capture;
}

describe('event texts of all kinds', () => {
  it(`are each read or counted as what they are, by comparison as by the walk: ${fuzzCases} of them`, () => {
    const chance = createChance(20160709);
    const [reader, register] = [new EventReader(), new EventRegister()];
    let capture = createCapture({ id: 'fuzz' });
    let read = 0;
    let rows: EventRow[] = [];
    for (let i = 0; i < fuzzCases; i++) {
      const row = makeRow(chance);
      // Spoilt rows teach their layouts too.
      assert.deepEqual(reader.read(row, register) ?? eventIn(register), readEvent(row), row.eventData ?? '');
      rows.push(row);
      if (rows.length < 100) continue;
      capture = feed(capture, rows, chance);
      read += rows.length;
      rows = [];
      if (capture.ledger().rowsRead < 3000) continue;
      capture.settle(Infinity);
      const { rowsRead, open, held } = capture.ledger();
      assert.deepEqual([findUnaccountedRows(capture.ledger()), rowsRead, open, held], [0, 3000, 0, 0]);
      capture = createCapture({ id: 'fuzz' });
    }
    assert.equal(read, fuzzCases - (fuzzCases % 100));
  });

  it('are read in time to their length, whatever there is much of', () => {
    const repeat = (piece: (i: number) => string) => (size: number) =>
      Array.from({ length: size }, (_, i) => piece(i)).join(' ');
    for (const make of [
      repeat((i) => (i === 0 ? '<event ' : `a${i}="'"`)),
      repeat((i) =>
        i === 0 ? '<event name="buffer_pool_scan_complete">' : `<data name="a${i}"><value>1</value></data>`,
      ),
      repeat((i) =>
        i === 0
          ? '<event name="checkpoint_end"><data name="database_id"><value>'
          : '&lt;<![CDATA[a]]><!--b-->',
      ),
      repeat((i) => (i === 0 ? '<event>' : '<a>')),
      repeat((i) => (i === 0 ? '<event a="' : '&amp;&#32;&#')),
    ])
      assertLinear(make, (eventData) => readEvent({ objectName: null, eventData }));
  });
});
