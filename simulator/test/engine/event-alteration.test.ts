import assert from 'node:assert/strict';
import {
  fileTarget,
  ringTarget,
  type EventSessionChange,
  type EventSessionDefinition,
  type TargetDefinition,
} from '../../scenarios/event-session';
import type { ModelledServer } from '../../engine/modelled-server';
import { createSmall, DBA, findRow, MINUTE_MS, readRows, refusal } from './modelled';
import { alterTracking, defineTracking, listEvents, readEvents, readTarget, startTracking } from './tracking';
import { shown } from '../shown';

const alter = (server: ModelledServer, ...changes: readonly EventSessionChange[]): void =>
  alterTracking(server, changes);

const plain = (more: Partial<EventSessionDefinition>): EventSessionDefinition =>
  defineTracking({
    events: listEvents('checkpoint_begin', 'checkpoint_end'),
    options: { MAX_DISPATCH_LATENCY: '5 SECONDS' },
    ...more,
  });

describe('ALTER EVENT SESSION', () => {
  it('does all of one statement or nothing', () => {
    const server = startTracking(createSmall());
    const add = (...names: readonly string[]): void =>
      alter(server, ...listEvents(...names).map((event) => ({ kind: 'addEvent', event }) as const));
    const countScans = (): number =>
      readRows(server, 'sys.server_event_session_events').filter(
        (row) => row['name'] === 'buffer_pool_scan_complete',
      ).length;
    assert.throws(() => add('buffer_pool_scan_complete', 'checkpoint_end'), { number: 25625 });
    assert.equal(countScans(), 0);
    add('buffer_pool_scan_complete');
    assert.equal(countScans(), 1);
    assert.throws(() => alter(server, { kind: 'dropEvent', package: 'sqlserver', name: 'user_event' }), {
      number: 25653,
    });
  });

  it('writes what was buffered when a file is dropped, and no more', () => {
    const server = startTracking(
      createSmall(),
      defineTracking({ options: { MAX_DISPATCH_LATENCY: 'INFINITE' } }),
    );
    server.advance(10 * MINUTE_MS);
    alter(server, { kind: 'dropTarget', package: 'package0', name: 'event_file' });
    const written = readEvents(server).length;
    assert.ok(written > 0);
    server.advance(10 * MINUTE_MS);
    assert.equal(readEvents(server).length, written);
  });

  it('may leave a session without events, and it goes on running', () => {
    const server = startTracking(createSmall());
    for (const name of ['checkpoint_begin', 'checkpoint_end'])
      alter(server, { kind: 'dropEvent', package: 'sqlserver', name });
    server.advance(5 * MINUTE_MS);
    assert.equal(findRow(server, 'sys.dm_xe_sessions')['name'], 'track');
    assert.equal(readEvents(server).length, 0);
  });
});

describe('options of event sessions', () => {
  it('divide MAX_MEMORY into three buffers', () => {
    const server = startTracking(createSmall());
    assert.equal(findRow(server, 'sys.dm_xe_sessions')['total_buffer_size'], 4_194_303n);
  });

  for (const [memory, expected] of [
    [
      '128 KB',
      '25632 The specified buffer size is less than the minimum size. The minimum allowed size is 195993 bytes.',
    ],
    ['3072 MB', '25708 '],
  ] as const)
    it(`are refused where MAX_MEMORY is ${memory}`, () => {
      const error = refusal(() =>
        createSmall().eventSessions.create(defineTracking({ options: { MAX_MEMORY: memory } }), DBA),
      );
      assert.ok(error.startsWith(expected), error);
    });

  it('of targets are refused where they are of another type, unknown or missing', () => {
    const { eventSessions } = createSmall();
    const cases: readonly (readonly [number, ...TargetDefinition[]])[] = [
      [25651, fileTarget({ filename: 'w.xel', max_file_size: 'big' })],
      [25651, fileTarget({ filename: 5 })],
      [25642, fileTarget({ max_file_size: 5 })],
      [25629, ringTarget({ filename: 'w.xel' })],
      [50000, { package: 'package0', name: 'histogram', options: {} }],
      [25626, ringTarget(), ringTarget()],
    ];
    for (const [number, ...targets] of cases)
      assert.throws(() => eventSessions.create(defineTracking({ targets }), DBA), { number });
    assert.throws(() => eventSessions.create(defineTracking({ name: '#watch' }), DBA), { number: 25701 });
  });
});

describe('a ring buffer', () => {
  const ofRing = (
    options: TargetDefinition['options'],
    minutes = 30,
  ): { readonly xml: string; readonly events: readonly string[] } => {
    const server = startTracking(createSmall(), plain({ targets: [ringTarget(options)] }));
    server.advance(minutes * MINUTE_MS);
    const xml = readTarget(server) ?? '';
    return { xml, events: [...xml.matchAll(/<event name="(\w+)"/g)].map((match) => match[1] as string) };
  };
  const numberIn = (xml: string, name: string): number =>
    Number(new RegExp(` ${name}="(\\d+)"`).exec(xml)?.[1]);

  it('has the published head, and no body while it is empty', () =>
    assert.equal(
      ofRing({}, 0).xml,
      '<RingBufferTarget truncated="0" processingTime="0" totalEventsProcessed="0" eventCount="0" droppedCount="0" memoryUsed="0"/>',
    ));

  it('keeps the newest max_events_limit events, or what max_memory holds', () => {
    const { xml, events } = ofRing({ max_events_limit: 40 });
    assert.equal(events.length, 40);
    assert.deepEqual(
      [numberIn(xml, 'eventCount'), numberIn(xml, 'droppedCount'), numberIn(xml, 'truncated')],
      [40, 0, 0],
    );
    assert.ok(numberIn(xml, 'totalEventsProcessed') > 100);
    const small = ofRing({ max_events_limit: 0, max_memory: 1 });
    assert.ok(
      numberIn(small.xml, 'memoryUsed') <= 1024 && small.events.length > 10 && small.events.length < 40,
    );
  });

  it('keeps occurrence_number events of each type as long as others can make room', () => {
    const { events } = ofRing({ max_events_limit: 40, occurrence_number: 20 });
    assert.equal(
      shown(
        ['checkpoint_begin', 'checkpoint_end'].map((name) => events.filter((event) => event === name).length),
      ),
      '[20,20]',
    );
  });
});
