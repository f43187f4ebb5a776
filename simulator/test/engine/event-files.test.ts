import assert from 'node:assert/strict';
import type { SqlValue } from '../../tds/handler';
import { createStill, DBA, findRow, MINUTE_MS, readRows, type Row } from './modelled';
import {
  defineTracking,
  listEvents,
  parseEvent,
  readEvents,
  readParsed,
  readTarget,
  smallFiles,
  startTracking,
  stopTracking,
  trackFor,
} from './tracking';

const textOf = (row: Row): string => String(row['event_data']);
const filesOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.map((row) => String(row['file_name']))),
];
const placeOf = (row: Row | undefined) => ({
  file: row?.['file_name'] ?? null,
  offset: row?.['file_offset'] ?? null,
});

describe('event files', () => {
  it('hold a buffer only once it has waited for MAX_DISPATCH_LATENCY or the session has stopped', () => {
    const server = startTracking(createStill());
    server.advance(4_000);
    assert.equal(readEvents(server).length, 0);
    server.advance(4_000);
    const early = readEvents(server).length;
    assert.ok(early > 0);
    server.advance(1_000);
    stopTracking(server);
    const all = readEvents(server).length;
    assert.ok(all > early);
    const captured = server.ledger.capturedBy('track').flatMap((each) => [each.beginUtcMs, each.endUtcMs]);
    assert.equal(all, captured.filter((at) => at !== null).length);
  });

  it('give many events one offset, and to a reader with a cursor every event exactly once', () => {
    const server = startTracking(createStill(), defineTracking({ targets: smallFiles(0) }));
    const seen: string[] = [];
    let after: { readonly file: SqlValue; readonly offset: SqlValue } | undefined;
    const read = (): void => {
      const rows = readEvents(server, 'track*.xel', after);
      if (rows.length > 0) after = placeOf(rows.at(-1));
      seen.push(...rows.map(textOf));
    };
    for (let i = 0; i < 97; i++) {
      server.advance(i % 3 === 0 ? 900 : 97_000);
      read();
    }
    stopTracking(server);
    read();
    read();
    const rows = readEvents(server);
    assert.ok(filesOf(rows).length > 1, 'several files');
    const places = rows.map((row) => `${String(row['file_name'])}|${String(row['file_offset'])}`);
    assert.ok(new Set(places).size < rows.length / 3, 'offsets are shared');
    assert.deepEqual(seen, rows.map(textOf));
    assert.equal(
      server.ledger.sessionRuns.find((run) => run.sessionName === 'track')?.capturedEvents,
      rows.length,
    );
  });

  it('have the published shape: data, then actions in order, then the activity id at the tail', () => {
    const server = trackFor(createStill(), 1);
    const row = readEvents(server)[0] ?? assert.fail('no event');
    assert.match(
      textOf(row),
      /^<event name="checkpoint_begin" package="sqlserver" timestamp="2026-03-02T08:00:\d\d\.\d{3}Z"><data name="database_id"><value>\d+<\/value><\/data><action name="session_id" package="sqlserver"><value>\d+<\/value><\/action><action name="database_name" package="sqlserver"><value><!\[CDATA\[master\]\]><\/value><\/action><action name="attach_activity_id" package="package0"><value>[0-9A-F-]{36}-\d+<\/value><\/action><\/event>$/,
    );
    assert.equal(row['object_name'], 'checkpoint_begin');
    assert.match(String(row['file_name']), /\\MSSQL\\Log\\track_0_\d{18}\.xel$/);
    assert.equal(typeof row['file_offset'], 'bigint');
    assert.equal(parseEvent(textOf(row)).utcMs, Date.parse(`${String(row['timestamp_utc']).slice(0, 23)}Z`));
  });

  it('carry no activity id without causality', () => {
    const server = trackFor(createStill(), 1, defineTracking({ options: { TRACK_CAUSALITY: 'OFF' } }));
    assert.ok(readEvents(server).length > 50);
    assert.ok(readEvents(server).every((row) => !textOf(row).includes('attach_activity_id')));
  });

  it('count the events of one long-lived task for all automatic checkpoints, without a gap', () => {
    const server = trackFor(
      createStill(),
      20,
      defineTracking({ events: [...defineTracking().events, ...listEvents('buffer_pool_scan_complete')] }),
    );
    const automatic = server.ledger.checkpoints.find((each) => each.kind === 'automatic')?.activityId ?? '';
    const events = readParsed(server);
    const scans = events.filter((event) => event.name === 'buffer_pool_scan_complete');
    assert.ok(
      scans.length > 0 &&
        scans.every(
          (event) => Number(event.data['elapsed_time_ms']) >= 1000 && event.data['command'] === 'CHECKPOINT',
        ),
    );
    const ids = events
      .map((event) => event.actions['attach_activity_id'] ?? '')
      .filter((id) => id.startsWith(`${automatic}-`));
    const numbers = ids.map((id) => Number(id.slice(id.lastIndexOf('-') + 1)));
    numbers.slice(1).forEach((number, i) => assert.equal(number, (numbers[i] ?? 0) + 1));
    assert.ok((numbers[0] ?? 0) > 1000);
    assert.ok(
      events.every((event) => event.actions['attach_activity_id_xfer'] === undefined),
      'no task began',
    );
  });

  it('roll over at max_file_size and keep max_rollover_files; a cursor in a deleted file gives 25722', () => {
    const server = startTracking(createStill(), defineTracking({ targets: smallFiles(2) }));
    server.advance(MINUTE_MS);
    const cursor = placeOf(readEvents(server)[0]);
    server.advance(4 * 60 * MINUTE_MS);
    const files = filesOf(readEvents(server));
    assert.equal(files.length, 2);
    assert.deepEqual(files, [...files].sort());
    assert.throws(() => readEvents(server, 'track*.xel', cursor), { number: 25722 });
  });

  it('of earlier runs of the same name count among max_rollover_files, and the oldest go first', () => {
    const server = createStill();
    const seen: string[] = [];
    for (let run = 0; run < 5; run++) {
      if (run > 0) server.eventSessions.drop('track', 'server', DBA);
      startTracking(server, defineTracking({ targets: smallFiles(3) }));
      server.advance(MINUTE_MS);
      seen.push(filesOf(readEvents(server)).at(-1) ?? '');
    }
    assert.equal(new Set(seen).size, 5);
    assert.deepEqual(filesOf(readEvents(server)), seen.slice(-3));
  });

  it('refuse a missing file with 25718, half a cursor with 25719 and an offset that is none with 25722', () => {
    const server = startTracking(createStill());
    server.advance(MINUTE_MS);
    const file = readEvents(server)[0]?.['file_name'] ?? null;
    for (const [pattern, cursor, number] of [
      ['nothing*.xel', {}, 25718],
      ['track*.xel', { file }, 25719],
      ['track*.xel', { offset: 512n }, 25719],
      ['track*.xel', { file, offset: 17n }, 25722],
      ['track*.xel', { file: 'other.xel', offset: 5120n }, 25722],
    ] as const)
      assert.throws(() => readEvents(server, pattern, cursor), { number });
  });

  it('stay when their session is dropped, and are apart from those of the next session of that name', () => {
    const server = startTracking(createStill());
    server.advance(MINUTE_MS);
    server.eventSessions.drop('track', 'server', DBA);
    const kept = readEvents(server).length;
    assert.ok(kept > 0);
    server.advance(MINUTE_MS);
    trackFor(server, 1);
    assert.equal(filesOf(readEvents(server)).length, 2);
    assert.equal(new Set(server.ledger.capturedBy('track').map((each) => each.run)).size, 2);
    assert.ok(readEvents(server).length > kept);
  });

  it('are accounted for in target_data while the session runs', () => {
    const server = startTracking(createStill());
    server.advance(MINUTE_MS);
    const told = readTarget(server, 'event_file') ?? '';
    assert.match(
      told,
      /^<EventFileTarget truncated="0"><Buffers logged="\d+" dropped="0"\/><File name="[^"]+"\/><\/EventFileTarget>$/,
    );
    assert.ok(told.includes(String(readEvents(server)[0]?.['file_name'])));
    assert.equal(findRow(server, 'sys.dm_xe_sessions')['create_time'], '2026-03-02T09:00:00.000');
    stopTracking(server);
    assert.ok(readRows(server, 'sys.dm_xe_sessions').every((row) => row['name'] !== 'track'));
  });
});

describe('a restart of the modelled server', () => {
  for (const isCrash of [false, true])
    it(`ends every run ${isCrash ? 'with what is buffered' : 'and writes out what is buffered'}, and starts sessions of STARTUP_STATE = ON again`, () => {
      const server = startTracking(
        createStill(),
        defineTracking({ options: { MAX_DISPATCH_LATENCY: '60 SECONDS', STARTUP_STATE: 'ON' } }),
      );
      server.advance(10 * MINUTE_MS + 30_000);
      const before = findRow(server, 'sys.databases', 'tempdb')['create_date'];
      server.restart({ isCrash });
      const [first, second] = server.ledger.sessionRuns.filter((run) => run.sessionName === 'track');
      assert.equal(first?.stoppedUtcMs, server.clock.nowUtcMs());
      assert.equal((first?.lostEvents ?? 0) > 0, isCrash);
      assert.deepEqual([second?.startedUtcMs, second?.stoppedUtcMs], [server.clock.nowUtcMs(), null]);
      assert.equal(readEvents(server).length, first?.capturedEvents);
      const after = findRow(server, 'sys.databases', 'tempdb')['create_date'];
      assert.ok(String(after) > String(before));
      assert.equal(readRows(server, 'sys.dm_os_sys_info')[0]?.['sqlserver_start_time'], after);
    });
});
