import assert from 'node:assert/strict';
import { fileTarget, ringTarget, type EventSessionDefinition } from '../../scenarios/event-session';
import { showRows, createStill, DBA, MINUTE_MS, readRows, refusal } from './modelled';
import {
  alterTracking,
  defineTracking,
  listEvents,
  readParsed,
  readTarget,
  startTracking,
  stopTracking,
} from './tracking';
import { shown } from '../shown';

const begin = (more: object): EventSessionDefinition =>
  defineTracking({ events: [{ package: 'sqlserver', name: 'checkpoint_begin', actions: [], ...more }] });

describe('event sessions', () => {
  it('exist once, run once and stop once, with the numbers of SQL Server for anything else', () => {
    const server = createStill();
    const { eventSessions } = server;
    const set = (state: 'start' | 'stop') => (): void => alterTracking(server, [{ kind: 'state', state }]);
    const gone =
      "15151 Cannot alter the event session 'track', because it does not exist or you do not have permission.";
    assert.equal(refusal(set('start')), gone);
    eventSessions.create(defineTracking(), DBA);
    assert.throws(() => eventSessions.create(defineTracking({ name: 'TRACK' }), DBA), { number: 25631 });
    assert.throws(set('stop'), { number: 25704 });
    set('start')();
    assert.throws(set('start'), { number: 25705 });
    set('stop')();
    eventSessions.drop('track', 'server', DBA);
    assert.throws(() => eventSessions.drop('track', 'server', DBA), { number: 15151 });
  });

  it('refuse unknown events, actions, sources and targets by name', () => {
    const { eventSessions } = createStill();
    const cases: readonly (readonly [EventSessionDefinition, string])[] = [
      [
        defineTracking({ events: [{ package: 'sqlservr', name: 'checkpoint_end', actions: [] }] }),
        '25623 The event name, "sqlservr.checkpoint_end", is invalid, or the object could not be found',
      ],
      [begin({ actions: ['sqlservr.sql_text'] }), '25623 '],
      // What SQL Server may have and the model has not is not said to be invalid.
      [
        begin({ name: 'sql_statement_completed' }),
        '50000 simulator: event sqlserver.sql_statement_completed is not modelled',
      ],
      [begin({ predicateText: 'x'.repeat(3001) }), '25716 '],
      [defineTracking({ targets: [{ package: 'package1', name: 'tape', options: {} }] }), '25623 '],
      [defineTracking({ targets: [fileTarget({ filename: 'track.xel', colour: 'red' })] }), '25629 '],
      [
        defineTracking({ scope: 'database' }),
        '50000 simulator: an event session ON DATABASE is refused here',
      ],
    ];
    for (const [definition, expected] of cases) {
      const error = refusal(() => eventSessions.create(definition, DBA));
      assert.ok(error.startsWith(expected), error);
    }
  });

  it('cannot start with a file while its volume is full, and can once there is room', () => {
    const server = createStill();
    const start = (): void => alterTracking(server, [{ kind: 'state', state: 'start' }]);
    server.eventSessions.create(defineTracking(), DBA);
    server.fillEventVolume();
    assert.match(
      refusal(start),
      /^25602 .*returned error 112: 'There is not enough space on the disk\.' while creating the file/,
    );
    server.fillEventVolume(false);
    start();
  });

  it('bear other times once the clock is set back, and what the model did stays as it was', () => {
    const server = startTracking(createStill());
    server.advance(10 * MINUTE_MS);
    const before = server.clock.nowUtcMs();
    server.setBack(5 * MINUTE_MS);
    assert.equal(server.clock.nowUtcMs(), before - 5 * MINUTE_MS);
    server.advance(4 * MINUTE_MS);
    stopTracking(server);
    const shown = readParsed(server).map(({ utcMs }) => utcMs);
    assert.ok(shown.some((at, i) => at < (shown[i - 1] ?? 0) - 4 * MINUTE_MS));
    assert.ok(shown.every((at) => at <= before));
    const happened = [...server.ledger.listCheckpoints()].map(({ beginUtcMs }) => beginUtcMs);
    assert.ok(happened.some((at) => at > before));
  });

  it('gain and lose events while they run', () => {
    const server = startTracking(createStill(), begin({}));
    server.advance(2 * MINUTE_MS);
    const addEnd = (): void =>
      listEvents('checkpoint_end').forEach((event) => alterTracking(server, [{ kind: 'addEvent', event }]));
    const dropBegin = (): void =>
      alterTracking(server, [{ kind: 'dropEvent', package: 'sqlserver', name: 'checkpoint_begin' }]);
    addEnd();
    assert.throws(addEnd, { number: 25625 });
    const addedUtcMs = server.clock.nowUtcMs();
    server.advance(2 * MINUTE_MS);
    dropBegin();
    assert.throws(dropBegin, { number: 25653 });
    const droppedUtcMs = server.clock.nowUtcMs();
    server.advance(2 * MINUTE_MS);
    stopTracking(server);
    const events = readParsed(server);
    assert.ok(events.some((event) => event.name === 'checkpoint_end'));
    assert.ok(
      events.every((event) =>
        event.name === 'checkpoint_end' ? event.utcMs >= addedUtcMs : event.utcMs < droppedUtcMs,
      ),
    );
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
    const told = own.map((event) => ({ name: event.name, ...event.actions }));
    assert.equal(
      showRows(told, 'name', 'database_name', 'attach_activity_id', 'attach_activity_id_xfer'),
      shown([
        ['checkpoint_begin', name, `${guid}-1`, `${guid}-0`],
        ['checkpoint_end', name, `${guid}-2`, undefined],
      ]),
    );
  });

  it('keep a ring buffer while they run, typed, cut at 4 MB, and gone when they stop', () => {
    const server = startTracking(
      createStill(),
      defineTracking({ targets: [ringTarget({ max_events_limit: 0 })] }),
    );
    server.advance(MINUTE_MS);
    const early = readTarget(server) ?? '';
    assert.match(early, /^<RingBufferTarget truncated="0" /);
    assert.match(
      early,
      /<data name="database_id"><type name="uint32" package="package0"><\/type><value>\d+<\/value><\/data>/,
    );
    server.advance(240 * MINUTE_MS);
    const long = readTarget(server) ?? '';
    assert.ok(long.length * 2 < 4.3 * 1024 * 1024);
    assert.ok(Number(/truncated="(\d+)"/.exec(long)?.[1]) > 0);
    stopTracking(server);
    assert.equal(readTarget(server), undefined);
    alterTracking(server, [{ kind: 'state', state: 'start' }]);
    assert.match(readTarget(server) ?? '', /eventCount="0"/);
  });

  it('show their definition in the catalog, those of the installation first and those of others next', () => {
    const server = createStill();
    server.eventSessions.create(defineTracking(), DBA);
    const sessions = readRows(server, 'sys.server_event_sessions');
    assert.equal(
      showRows(sessions, 'name', 'max_dispatch_latency', 'track_causality'),
      '[["system_health",120000,false],["AlwaysOn_health",30000,false],["telemetry_xevents",120000,true],' +
        '["DBA checkpoint watch",10000,false],["checkpoint_ring",3000,true],["user_database_checkpoints",30000,false],["track",5000,true]]',
    );
    const id = sessions.at(-1)?.['event_session_id'];
    const of = (view: string) => readRows(server, view).filter((row) => row['event_session_id'] === id);
    assert.equal(
      showRows(of('sys.server_event_session_events'), 'name'),
      '[["checkpoint_begin"],["checkpoint_end"]]',
    );
    const target = of('sys.server_event_session_targets')[0];
    const field = of('sys.server_event_session_fields').find(
      (row) => row['object_id'] === target?.['target_id'] && row['name'] === 'filename',
    );
    assert.deepEqual((field?.['value'] as { value?: unknown }).value, 'track.xel');
  });
});
