import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EventSessionDefinition } from '../../scenarios/event-session';
import {
  DBA,
  MINUTE_MS,
  createStill,
  defineTracking,
  parseEvent,
  readEvents,
  readRows,
  startTracking,
  stopTracking,
  readParsed,
  refusal,
} from './modelled';
import { shown } from '../shown';

const begin = (more: object): EventSessionDefinition => ({
  ...defineTracking(),
  events: [{ package: 'sqlserver', name: 'checkpoint_begin', actions: [], ...more }],
});

describe('event sessions', () => {
  it('exist once, run once and stop once, with the numbers of SQL Server for anything else', () => {
    const server = createStill();
    const { eventSessions } = server;
    const set = (state: 'start' | 'stop') => (): void => eventSessions.alter('track', 'server', [{ kind: 'state', state }], DBA);
    assert.equal(refusal(set('start')).number, 15151);
    assert.match(
      refusal(set('start')).message,
      /^Cannot alter the event session 'track', because it does not exist or you do not have permission\.$/,
    );
    eventSessions.create(defineTracking(), DBA);
    assert.equal(refusal(() => eventSessions.create(defineTracking('TRACK'), DBA)).number, 25631);
    assert.equal(refusal(set('stop')).number, 25704);
    set('start')();
    assert.equal(refusal(set('start')).number, 25705);
    set('stop')();
    eventSessions.drop('track', 'server', DBA);
    assert.equal(refusal(() => eventSessions.drop('track', 'server', DBA)).number, 15151);
  });

  it('refuse unknown events, actions, sources and targets by name', () => {
    const { eventSessions } = createStill();
    const create = (definition: EventSessionDefinition) => refusal(() => eventSessions.create(definition, DBA));
    const unknown = create(begin({ name: 'checkpoint_middle' }));
    assert.deepEqual(
      [unknown.number, unknown.message],
      [25623, 'The event name, "sqlserver.checkpoint_middle", is invalid, or the object could not be found'],
    );
    assert.equal(create(begin({ actions: ['sqlserver.no_such_action'] })).number, 25623);
    // What SQL Server has and the model has not is not said to be invalid.
    assert.equal(
      create(begin({ name: 'sql_statement_completed' })).message,
      'simulator: event sqlserver.sql_statement_completed is not modelled',
    );
    assert.equal(create(begin({ predicate: { kind: 'compare', source: '[no_field]', operator: '=', value: 1 } })).number, 25706);
    assert.equal(create(begin({ predicateText: 'x'.repeat(3001) })).number, 25716);
    assert.equal(create({ ...defineTracking(), targets: [{ package: 'package0', name: 'tape', options: {} }] }).number, 25623);
    assert.equal(create({ ...defineTracking(), targets: [{ package: 'package0', name: 'event_file', options: {} }] }).number, 25642);
    assert.equal(create(defineTracking('track', { colour: 'red' })).number, 25629);
    assert.match(create({ ...defineTracking(), scope: 'database' }).message, /^simulator: an event session ON DATABASE is refused here/);
  });

  it('cannot start with a file while its volume is full, and can once there is room', () => {
    const server = createStill();
    const start = (): void => server.eventSessions.alter('track', 'server', [{ kind: 'state', state: 'start' }], DBA);
    server.eventSessions.create(defineTracking(), DBA);
    server.fillEventVolume();
    const { number, message } = refusal(start);
    assert.equal(number, 25602);
    assert.match(message, /returned error 112: 'There is not enough space on the disk\.' while creating the file/);
    server.fillEventVolume(false);
    start();
  });

  it('bear other times once the clock is set back, and what the model did stays as it was', () => {
    const server = createStill();
    startTracking(server);
    server.advance(10 * MINUTE_MS);
    const before = server.clock.nowUtcMs();
    server.setBack(5 * MINUTE_MS);
    assert.equal(server.clock.nowUtcMs(), before - 5 * MINUTE_MS);
    server.advance(4 * MINUTE_MS);
    stopTracking(server);
    const shown = readEvents(server).map((row) => Date.parse(/ timestamp="([^"]+)/.exec(String(row['event_data']))?.[1] ?? ''));
    assert.ok(shown.some((at, i) => at < (shown[i - 1] ?? 0) - 4 * MINUTE_MS));
    assert.ok(shown.every((at) => at <= before));
    const happened = [...server.ledger.listCheckpoints()].map(({ beginUtcMs }) => beginUtcMs);
    assert.ok(happened.some((at) => at > before));
  });

  it('take the database_id of a predicate from the event, and sqlserver.database_id from the task', () => {
    const run = (source: string, value: number): readonly string[] => {
      const server = createStill();
      startTracking(server, begin({ predicate: { kind: 'compare', source, operator: '=', value } }));
      server.advance(30 * MINUTE_MS);
      stopTracking(server);
      return readEvents(server).map((row) => parseEvent(String(row['event_data'])).data['database_id'] ?? '');
    };
    const id = createStill().findDatabase('a]b')?.id ?? 0;
    const field = run('[database_id]', id);
    assert.ok(field.length > 5 && field.every((each) => each === String(id)));
    assert.equal(run('[sqlserver].[database_id]', id).length, 0);
    assert.ok(run('sqlserver.database_id', 1).length > 500);
  });

  it('gain and lose events while they run', () => {
    const server = createStill();
    startTracking(server, begin({}));
    server.advance(2 * MINUTE_MS);
    const end = { package: 'sqlserver', name: 'checkpoint_end', actions: [] };
    server.eventSessions.alter('track', 'server', [{ kind: 'addEvent', event: end }], DBA);
    assert.equal(refusal(() => server.eventSessions.alter('track', 'server', [{ kind: 'addEvent', event: end }], DBA)).number, 25625);
    const addedUtcMs = server.clock.nowUtcMs();
    server.advance(2 * MINUTE_MS);
    server.eventSessions.alter('track', 'server', [{ kind: 'dropEvent', package: 'sqlserver', name: 'checkpoint_begin' }], DBA);
    assert.equal(
      refusal(() =>
        server.eventSessions.alter('track', 'server', [{ kind: 'dropEvent', package: 'sqlserver', name: 'checkpoint_begin' }], DBA),
      ).number,
      25653,
    );
    const droppedUtcMs = server.clock.nowUtcMs();
    server.advance(2 * MINUTE_MS);
    stopTracking(server);
    const events = readParsed(server);
    assert.ok(events.some((event) => event.name === 'checkpoint_end'));
    assert.ok(events.every((event) => (event.name === 'checkpoint_end' ? event.utcMs >= addedUtcMs : event.utcMs < droppedUtcMs)));
  });

  it('run CHECKPOINT on the caller: its own activity from 1, the transfer id on the first event only, and a hostile name whole', async () => {
    const server = createStill();
    const name = 'odd */ /* "name" <value>5</value></action> ]]> end';
    startTracking(server);
    const done = server.checkpoint(name, undefined, { ...DBA, spid: 77 }, new AbortController().signal);
    server.advance(MINUTE_MS);
    await done;
    stopTracking(server);
    const own = readParsed(server).filter((event) => event.actions['session_id'] === '77');
    const guid = server.ledger.checkpoints.find((each) => each.kind === 'manual')?.activityId;
    assert.deepEqual(
      own.map((event) => [
        event.name,
        ...['database_name', 'attach_activity_id', 'attach_activity_id_xfer'].map((key) => event.actions[key]),
      ]),
      [
        ['checkpoint_begin', name, `${guid}-1`, `${guid}-0`],
        ['checkpoint_end', name, `${guid}-2`, undefined],
      ],
    );
  });

  it('keep a ring buffer while they run, typed, cut at 4 MB, and gone when they stop', () => {
    const server = createStill();
    startTracking(server, {
      ...defineTracking(),
      targets: [{ package: 'package0', name: 'ring_buffer', options: { max_events_limit: 0 } }],
    });
    const read = (): string | undefined => {
      const session = readRows(server, 'sys.dm_xe_sessions').find((row) => row['name'] === 'track');
      const address = Buffer.from((session?.['address'] ?? Uint8Array.of()) as Uint8Array);
      const target = readRows(server, 'sys.dm_xe_session_targets').find((row) =>
        Buffer.from(row['event_session_address'] as Uint8Array).equals(address),
      );
      return target === undefined ? undefined : String(target['target_data']);
    };
    server.advance(MINUTE_MS);
    assert.match(read() ?? '', /^<RingBufferTarget truncated="0" /);
    assert.match(read() ?? '', /<data name="database_id"><type name="uint32" package="package0"><\/type><value>\d+<\/value><\/data>/);
    server.advance(240 * MINUTE_MS);
    const long = read() ?? '';
    assert.ok(long.length * 2 < 4.3 * 1024 * 1024);
    assert.ok(Number(/truncated="(\d+)"/.exec(long)?.[1]) > 0);
    stopTracking(server);
    assert.equal(read(), undefined);
    server.eventSessions.alter('track', 'server', [{ kind: 'state', state: 'start' }], DBA);
    assert.match(read() ?? '', /eventCount="0"/);
  });

  it('show their definition in the catalog, those of the installation first and those of others next', () => {
    const server = createStill();
    server.eventSessions.create(defineTracking(), DBA);
    const sessions = readRows(server, 'sys.server_event_sessions');
    assert.deepEqual(
      sessions.map((row) => [row['name'], row['max_dispatch_latency'], row['track_causality'], row['startup_state']]),
      [
        ['system_health', 120_000, false, true],
        ['AlwaysOn_health', 30_000, false, false],
        ['telemetry_xevents', 120_000, true, true],
        ['DBA checkpoint watch', 10_000, false, false],
        ['checkpoint_ring', 3_000, true, true],
        ['user_database_checkpoints', 30_000, false, false],
        ['track', 5_000, true, false],
      ],
    );
    const id = sessions.at(-1)?.['event_session_id'];
    const of = (view: string) => readRows(server, view).filter((row) => row['event_session_id'] === id);
    assert.equal(shown(of('sys.server_event_session_events').map((row) => row['name'])), '["checkpoint_begin","checkpoint_end"]');
    const target = of('sys.server_event_session_targets')[0];
    const field = of('sys.server_event_session_fields').find(
      (row) => row['object_id'] === target?.['target_id'] && row['name'] === 'filename',
    );
    assert.deepEqual((field?.['value'] as { value?: unknown }).value, 'track.xel');
  });
});
