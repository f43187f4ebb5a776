import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SqlValue } from '../../tds/handler';
import {
  DBA,
  MINUTE_MS,
  createStill,
  defineTracking,
  parseEvent,
  readEvents,
  readFunction,
  readRows,
  startTracking,
  stopTracking,
  type Row,
  refusal,
  readParsed,
  trackFor,
} from './modelled';

const textOf = (row: Row): string => String(row['event_data']);

describe('event files', () => {
  it('hold a buffer only once it has waited for MAX_DISPATCH_LATENCY or the session has stopped', () => {
    const server = createStill();
    startTracking(server);
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
    const server = createStill();
    startTracking(server, defineTracking('track', { max_file_size: 1, max_rollover_files: 0 }));
    const seen: string[] = [];
    let after: { readonly file: SqlValue; readonly offset: SqlValue } | undefined;
    const read = (): void => {
      const rows = readEvents(server, 'track*.xel', after);
      const last = rows.at(-1);
      if (last !== undefined) after = { file: last['file_name'] ?? null, offset: last['file_offset'] ?? null };
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
    assert.ok(new Set(rows.map((row) => String(row['file_name']))).size > 1, 'several files');
    assert.ok(
      new Set(rows.map((row) => `${String(row['file_name'])}|${String(row['file_offset'])}`)).size < rows.length / 3,
      'offsets are shared',
    );
    assert.deepEqual(seen, rows.map(textOf));
    assert.equal(server.ledger.sessionRuns.find((run) => run.sessionName === 'track')?.capturedEvents, rows.length);
  });

  it('have the published shape: data, then actions in order, then the activity id at the tail', () => {
    const server = createStill();
    trackFor(server, 1);
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
    const server = createStill();
    trackFor(server, 1, { ...defineTracking(), options: { TRACK_CAUSALITY: 'OFF' } });
    assert.ok(readEvents(server).length > 50);
    assert.ok(readEvents(server).every((row) => !textOf(row).includes('attach_activity_id')));
  });

  it('count the events of one long-lived task for all automatic checkpoints, without a gap', () => {
    const server = createStill();
    startTracking(server, {
      ...defineTracking(),
      events: [...defineTracking().events, { package: 'sqlserver', name: 'buffer_pool_scan_complete', actions: [] }],
    });
    server.advance(20 * MINUTE_MS);
    stopTracking(server);
    const automatic = server.ledger.checkpoints.find((each) => each.kind === 'automatic')?.activityId ?? '';
    const events = readParsed(server);
    const scans = events.filter((event) => event.name === 'buffer_pool_scan_complete');
    assert.ok(
      scans.length > 0 && scans.every((event) => Number(event.data['elapsed_time_ms']) >= 1000 && event.data['command'] === 'CHECKPOINT'),
    );
    const ids = events.map((event) => event.actions['attach_activity_id'] ?? '').filter((id) => id.startsWith(`${automatic}-`));
    const numbers = ids.map((id) => Number(id.slice(id.lastIndexOf('-') + 1)));
    numbers.slice(1).forEach((number, i) => assert.equal(number, (numbers[i] ?? 0) + 1));
    assert.ok((numbers[0] ?? 0) > 1000);
    assert.ok(
      events.every((event) => event.actions['attach_activity_id_xfer'] === undefined),
      'no task began',
    );
  });

  it('roll over at max_file_size and keep max_rollover_files; a cursor in a deleted file gives 25722', () => {
    const server = createStill();
    startTracking(server, defineTracking('track', { max_file_size: 1, max_rollover_files: 2 }));
    server.advance(MINUTE_MS);
    const first = readEvents(server)[0] ?? assert.fail('no event');
    const cursor = { file: first['file_name'] ?? null, offset: first['file_offset'] ?? null };
    server.advance(4 * 60 * MINUTE_MS);
    const files = [...new Set(readEvents(server).map((row) => String(row['file_name'])))];
    assert.equal(files.length, 2);
    assert.deepEqual(files, [...files].sort());
    assert.equal(refusal(() => readEvents(server, 'track*.xel', cursor)).number, 25722);
  });

  it('of earlier runs of the same name count among max_rollover_files, and the oldest go first', () => {
    const server = createStill();
    const listFiles = (): readonly string[] => [...new Set(readEvents(server).map((row) => String(row['file_name'])))];
    const seen: string[] = [];
    for (let run = 0; run < 5; run++) {
      if (run > 0) server.eventSessions.drop('track', 'server', DBA);
      startTracking(server, defineTracking('track', { max_file_size: 1, max_rollover_files: 3 }));
      server.advance(MINUTE_MS);
      seen.push(listFiles().at(-1) ?? '');
    }
    assert.equal(new Set(seen).size, 5);
    assert.deepEqual(listFiles(), seen.slice(-3));
  });

  it('refuse a missing file with 25718, half a cursor with 25719 and an offset that is none with 25722', () => {
    const server = createStill();
    startTracking(server);
    server.advance(MINUTE_MS);
    const file = readEvents(server)[0]?.['file_name'] ?? null;
    const read = (...args: SqlValue[]) => refusal(() => readFunction(server, 'sys.fn_xe_file_target_read_file', args)).number;
    assert.equal(read('nothing*.xel', null, null, null), 25718);
    assert.equal(read('track*.xel', null, file, null), 25719);
    assert.equal(read('track*.xel', null, null, 512n), 25719);
    assert.equal(read('track*.xel', null, file, 17n), 25722);
    assert.equal(read('track*.xel', null, 'other.xel', 5120n), 25722);
  });

  it('stay when their session is dropped, and are apart from those of the next session of that name', () => {
    const server = createStill();
    startTracking(server);
    server.advance(MINUTE_MS);
    server.eventSessions.drop('track', 'server', DBA);
    const kept = readEvents(server).length;
    assert.ok(kept > 0);
    server.advance(MINUTE_MS);
    trackFor(server, 1);
    assert.equal(new Set(readEvents(server).map((row) => row['file_name'])).size, 2);
    assert.deepEqual([...new Set(server.ledger.capturedBy('track').map((each) => each.run))].length, 2);
    assert.ok(readEvents(server).length > kept);
  });

  it('are accounted for in target_data while the session runs', () => {
    const server = createStill();
    startTracking(server);
    server.advance(MINUTE_MS);
    const session = readRows(server, 'sys.dm_xe_sessions').find((row) => row['name'] === 'track');
    const target = readRows(server, 'sys.dm_xe_session_targets').find(
      (row) =>
        Buffer.compare(Buffer.from(row['event_session_address'] as Uint8Array), Buffer.from(session?.['address'] as Uint8Array)) === 0,
    );
    const file = String(readEvents(server)[0]?.['file_name']);
    assert.match(
      String(target?.['target_data']),
      /^<EventFileTarget truncated="0"><Buffers logged="\d+" dropped="0"\/><File name="[^"]+"\/><\/EventFileTarget>$/,
    );
    assert.ok(String(target?.['target_data']).includes(file));
    assert.equal(session?.['create_time'], '2026-03-02T09:00:00.000');
    stopTracking(server);
    assert.ok(readRows(server, 'sys.dm_xe_sessions').every((row) => row['name'] !== 'track'));
  });
});
