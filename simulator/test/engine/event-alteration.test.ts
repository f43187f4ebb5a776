import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EventSessionChange, TargetDefinition } from '../../scenarios/event-session';
import { createEventServer, start, stop, watching, type EventServer } from './event-server';
import { DBA, MINUTE_MS, parseEvent, refusal, type Row } from './modelled';
import { shown } from '../shown';

const alter = (server: EventServer, ...changes: readonly EventSessionChange[]): void =>
  server.sessions.alter('watch', 'server', changes, DBA);
const withOptions = (options: Readonly<Record<string, string>>): EventSessionChange => ({ kind: 'options', options });
const ring = (options: TargetDefinition['options'] = {}): TargetDefinition => ({ package: 'package0', name: 'ring_buffer', options });
const definedRow = (server: EventServer): Row => server.read('sys.server_event_sessions', DBA).find((row) => row['name'] === 'watch') ?? {};
const runningRow = (server: EventServer): Row => server.read('sys.dm_xe_sessions', DBA).find((row) => row['name'] === 'watch') ?? {};

function targetData(server: EventServer, name: string): string | undefined {
  const row = server
    .read('sys.dm_xe_session_targets', DBA)
    .filter((each) => each['target_name'] === name)
    .at(-1);
  return row === undefined ? undefined : String(row['target_data']);
}

describe('ALTER EVENT SESSION', () => {
  it('changes options of a stopped session, and of a running one STARTUP_STATE only', () => {
    const server = createEventServer();
    start(server, watching('watch'), DBA);
    const refused = refusal(() => alter(server, withOptions({ MAX_DISPATCH_LATENCY: '3 SECONDS' })));
    assert.equal(
      shown([refused.number, refused.message]),
      '[25707,"Event session option \\"max_dispatch_latency\\" cannot be changed while the session is running. Stop the event session before changing this session option."]',
    );
    alter(server, withOptions({ STARTUP_STATE: 'ON' }));
    assert.deepEqual([definedRow(server)['startup_state'], definedRow(server)['max_dispatch_latency']], [true, 5000]);
    stop(server, watching('watch'), DBA);
    alter(server, withOptions({ MAX_DISPATCH_LATENCY: '0 SECONDS', MAX_MEMORY: '8 MB', EVENT_RETENTION_MODE: 'NO_EVENT_LOSS' }));
    assert.deepEqual(
      ['max_dispatch_latency', 'max_memory', 'event_retention_mode', 'startup_state'].map((name) => definedRow(server)[name]),
      [-1, 8192, 'N', true],
    );
  });

  it('does all of one statement or nothing', () => {
    const server = createEventServer();
    start(server, watching('watch'), DBA);
    const scan = { package: 'sqlserver', name: 'buffer_pool_scan_complete', actions: [] };
    const both = (): void => alter(server, { kind: 'addEvent', event: scan }, withOptions({ MAX_MEMORY: '8 MB' }));
    assert.equal(refusal(both).number, 25707);
    assert.equal(server.read('sys.dm_xe_session_events', DBA).filter((row) => row['event_name'] === scan.name).length, 0);
    alter(server, { kind: 'addEvent', event: scan }, withOptions({ STARTUP_STATE: 'ON' }));
    assert.equal(server.read('sys.dm_xe_session_events', DBA).filter((row) => row['event_name'] === scan.name).length, 1);
    const nowhere = { package: 'package0', name: 'event_file', options: { filename: 'Q:\\nowhere\\w.xel' } };
    alter(server, { kind: 'dropTarget', package: 'package0', name: 'event_file' });
    assert.equal(refusal(() => alter(server, { kind: 'addTarget', target: nowhere })).number, 25602);
    assert.equal(
      server
        .read('sys.server_event_session_targets', DBA)
        .filter((row) => row['event_session_id'] === definedRow(server)['event_session_id']).length,
      0,
    );
  });

  it('adds and drops targets of a running session; a dropped file keeps what was buffered', () => {
    const server = createEventServer();
    start(server, watching('watch', { options: { MAX_DISPATCH_LATENCY: 'INFINITE' } }), DBA);
    server.advance(10 * MINUTE_MS);
    alter(server, { kind: 'addTarget', target: ring() });
    assert.equal(refusal(() => alter(server, { kind: 'addTarget', target: ring() })).number, 25625);
    alter(server, { kind: 'dropTarget', package: 'package0', name: 'event_file' });
    const read = (): readonly Row[] => server.call('sys.fn_xe_file_target_read_file', ['watch*.xel', null, null, null], DBA);
    const written = read().length;
    assert.ok(written > 0);
    server.advance(10 * MINUTE_MS);
    assert.match(targetData(server, 'ring_buffer') ?? '', /eventCount="[1-9]/);
    assert.equal(read().length, written);
    assert.ok(parseEvent(String(read().at(-1)?.['event_data'])).utcMs <= Date.UTC(2026, 2, 2, 9, 10));
  });

  it('may leave a session without events, and it goes on running', () => {
    const server = createEventServer();
    start(server, watching('watch'), DBA);
    for (const name of ['checkpoint_begin', 'checkpoint_end']) alter(server, { kind: 'dropEvent', package: 'sqlserver', name });
    server.advance(5 * MINUTE_MS);
    assert.equal(runningRow(server)['name'], 'watch');
    assert.equal(server.call('sys.fn_xe_file_target_read_file', ['watch*.xel', null, null, null], DBA).length, 0);
  });
});

describe('options of event sessions', () => {
  it('divide MAX_MEMORY into three buffers a set, two and a half a processor', () => {
    const shape = (options: Readonly<Record<string, string>>): readonly unknown[] => {
      const server = createEventServer({ cpuCount: 32 });
      start(server, watching('watch', { options }), DBA);
      const row = runningRow(server);
      return [row['total_regular_buffers'], row['regular_buffer_size'], row['total_large_buffers'], row['large_buffer_size']];
    };
    assert.deepEqual(shape({}), [3, 1_398_101n, 0, 0n]);
    assert.deepEqual(shape({ MEMORY_PARTITION_MODE: 'PER_NODE' }), [6, 699_050n, 0, 0n]);
    assert.deepEqual(shape({ MEMORY_PARTITION_MODE: 'PER_CPU', MAX_MEMORY: '8 MB' }), [80, 104_857n, 0, 0n]);
    assert.deepEqual(shape({ MAX_EVENT_SIZE: '8 MB' }), [3, 1_398_101n, 2, 8_388_608n]);
  });

  it('are refused below the published minimum, and where MAX_EVENT_SIZE is less than MAX_MEMORY', () => {
    const refused = (cpuCount: number, options: Readonly<Record<string, string>>): readonly [number, string] => {
      const error = refusal(() => createEventServer({ cpuCount }).sessions.create(watching('watch', { options }), DBA));
      return [error.number, error.message];
    };
    const perCpu = { MEMORY_PARTITION_MODE: 'PER_CPU', MAX_MEMORY: '8192 KB' };
    for (const [cpuCount, minimum] of [
      [80, 13_066_200],
      [128, 20_905_920],
    ] as const)
      assert.deepEqual(refused(cpuCount, perCpu), [
        25632,
        `The specified buffer size is less than the minimum size. The minimum allowed size is ${minimum} bytes.`,
      ]);
    assert.equal(refused(8, { MAX_EVENT_SIZE: '1024 KB' })[0], 25640);
    assert.equal(refused(8, { MAX_MEMORY: '3072 MB' })[0], 25708);
  });

  it('of targets are refused where they are of another type, unknown or missing', () => {
    const { sessions } = createEventServer();
    const refused = (target: TargetDefinition): number =>
      refusal(() => sessions.create(watching('watch', { targets: [target] }), DBA)).number;
    const file = (options: TargetDefinition['options']): TargetDefinition => ({ package: 'package0', name: 'event_file', options });
    assert.equal(refused(file({ filename: 'w.xel', max_file_size: 'big' })), 25651);
    assert.equal(refused(file({ filename: 5 })), 25651);
    assert.equal(refused(file({ max_file_size: 5 })), 25642);
    assert.equal(refused(ring({ filename: 'w.xel' })), 25629);
    assert.equal(refused({ package: 'package0', name: 'histogram', options: {} }), 50000);
    assert.equal(refusal(() => sessions.create(watching('watch', { targets: [ring(), ring()] }), DBA)).number, 25626);
    assert.equal(refusal(() => sessions.create(watching('#watch'), DBA)).number, 25701);
  });
});

describe('a ring buffer', () => {
  const ofRing = (options: TargetDefinition['options'], minutes = 30): { readonly xml: string; readonly events: readonly string[] } => {
    const server = createEventServer();
    start(server, watching('watch', { targets: [ring(options)] }), DBA);
    server.advance(minutes * MINUTE_MS);
    const xml = targetData(server, 'ring_buffer') ?? '';
    return { xml, events: [...xml.matchAll(/<event name="(\w+)"/g)].map((match) => match[1] as string) };
  };
  const numberIn = (xml: string, name: string): number => Number(new RegExp(` ${name}="(\\d+)"`).exec(xml)?.[1]);

  it('has the published head, and no body while it is empty', () => {
    const server = createEventServer();
    start(server, watching('watch', { targets: [ring()] }), DBA);
    assert.equal(
      targetData(server, 'ring_buffer'),
      '<RingBufferTarget truncated="0" processingTime="0" totalEventsProcessed="0" eventCount="0" droppedCount="0" memoryUsed="0"/>',
    );
  });

  it('keeps the newest max_events_limit events, or what max_memory holds', () => {
    const { xml, events } = ofRing({ max_events_limit: 40 });
    assert.equal(events.length, 40);
    assert.deepEqual([numberIn(xml, 'eventCount'), numberIn(xml, 'droppedCount'), numberIn(xml, 'truncated')], [40, 0, 0]);
    assert.ok(numberIn(xml, 'totalEventsProcessed') > 100);
    const small = ofRing({ max_events_limit: 0, max_memory: 1 });
    assert.ok(numberIn(small.xml, 'memoryUsed') <= 1024 && small.events.length > 10 && small.events.length < 40);
  });

  it('keeps occurrence_number events of each type as long as others can make room', () => {
    const { events } = ofRing({ max_events_limit: 40, occurrence_number: 20 });
    assert.equal(shown(['checkpoint_begin', 'checkpoint_end'].map((name) => events.filter((event) => event === name).length)), '[20,20]');
  });
});
