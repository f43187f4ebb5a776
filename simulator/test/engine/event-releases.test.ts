import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Release } from '../../scenarios/releases';
import { createEventServer, start, stop, watching, type EventServer } from './event-server';
import { DBA, MINUTE_MS, parseEvent, refusal, type Row } from './modelled';
import { shown } from '../shown';

const files = (server: EventServer, pattern = 'watch*.xel', file: string | null = null, offset: bigint | null = null): readonly Row[] =>
  server.call('sys.fn_xe_file_target_read_file', [pattern, null, file, offset], DBA);

const smallFiles = watching('watch', {
  targets: [
    { package: 'package0', name: 'event_file', options: { filename: 'watch.xel', max_file_size: 1, max_rollover_files: 2, increment: 1 } },
  ],
  options: { MAX_DISPATCH_LATENCY: '1 SECONDS' },
});

function afterRollover(release: Release): {
  readonly server: EventServer;
  readonly gone: string;
  readonly offset: bigint;
  readonly kept: string;
} {
  const server = createEventServer({ release });
  start(server, smallFiles, DBA);
  server.advance(MINUTE_MS);
  const first = files(server)[0];
  server.advance(12 * 60 * MINUTE_MS);
  const names = [...new Set(files(server).map((row) => String(row['file_name'])))];
  assert.equal(names.length, 2);
  return { server, gone: String(first?.['file_name']), offset: first?.['file_offset'] as bigint, kept: names[0] ?? '' };
}

describe('Extended Events of a release', () => {
  it('tell of a cursor whose file rollover deleted with 25722, and with 25717 in 2025', () => {
    for (const release of [2016] as const) {
      const { server, gone, offset } = afterRollover(release);
      const error = refusal(() => files(server, 'watch*.xel', gone, offset));
      assert.deepEqual(
        [error.number, error.message],
        [
          25722,
          `The offset ${offset} is invalid for log file "${gone}".  Specify an offset that exists in the log file and retry your query.`,
        ],
      );
    }
    const { server, gone, offset, kept } = afterRollover(2025);
    assert.deepEqual(
      [refusal(() => files(server, 'watch*.xel', gone, offset)).number, refusal(() => files(server, 'watch*.xel', kept, 17n)).number],
      [25717, 25722],
    );
    assert.match(refusal(() => files(server, 'watch*.xel', gone, offset)).message, /returned error 2: .* while reading from the file '/);
  });

  it('have timestamp_utc from 2017, counters of sessions from 2017 and 2019, and the scan from 2016', () => {
    const columns = (release: Release): readonly string[] => {
      const server = createEventServer({ release });
      start(server, watching('watch'), DBA);
      server.advance(5 * MINUTE_MS);
      return [files(server)[0], server.read('sys.dm_xe_sessions', DBA)[0], server.read('sys.dm_xe_session_targets', DBA)[0]].flatMap(
        (row) => Object.keys(row ?? {}),
      );
    };
    const [old, middle, recent] = [columns(2016), columns(2017), columns(2019)];
    for (const name of ['timestamp_utc', 'buffer_full_count', 'bytes_written'])
      assert.deepEqual([old.includes(name), middle.includes(name)], [false, true], name);
    assert.deepEqual([middle.includes('total_target_memory'), recent.includes('total_target_memory')], [false, true]);
    const scanFields = (release: Release): readonly unknown[] =>
      createEventServer({ release })
        .read('sys.dm_xe_object_columns', DBA)
        .filter((row) => row['object_name'] === 'buffer_pool_scan_complete')
        .map((row) => row['name']);
    assert.equal(scanFields(2014).length, 0);
    assert.equal(
      shown(scanFields(2016)),
      '["database_id","elapsed_time_ms","command","operation","scanned_buffers","total_iterated_buffers"]',
    );
    assert.equal(scanFields(2022).at(-1), 'parallel_tasks');
    const scan = watching('watch', { events: [{ package: 'sqlserver', name: 'buffer_pool_scan_complete', actions: [] }] });
    assert.equal(refusal(() => createEventServer({ release: 2014 }).sessions.create(scan, DBA)).number, 25623);
  });

  it('bring sessions of the installation along, which start with the server where they do', () => {
    const names = (release: Release, view: string): readonly unknown[] =>
      createEventServer({ release })
        .read(view, DBA)
        .map((row) => row['name']);
    assert.deepEqual(names(2014, 'sys.server_event_sessions'), ['system_health', 'AlwaysOn_health']);
    assert.deepEqual(names(2014, 'sys.dm_xe_sessions'), ['system_health']);
    assert.deepEqual(names(2019, 'sys.server_event_sessions'), ['system_health', 'AlwaysOn_health', 'telemetry_xevents']);
    assert.deepEqual(names(2019, 'sys.dm_xe_sessions'), ['system_health', 'telemetry_xevents']);
  });

  it('stop by themselves after MAX_DURATION', () => {
    const server = createEventServer({ release: 2025 });
    start(server, watching('watch', { options: { MAX_DURATION: '10 MINUTES' } }), DBA);
    const isRunning = (): boolean => server.read('sys.dm_xe_sessions', DBA).some((row) => row['name'] === 'watch');
    server.advance(9 * MINUTE_MS);
    assert.ok(isRunning());
    server.advance(2 * MINUTE_MS);
    assert.ok(!isRunning());
    const last = files(server).at(-1);
    assert.ok(parseEvent(String(last?.['event_data'])).utcMs < Date.UTC(2026, 2, 2, 9, 10));
    assert.equal(refusal(() => server.sessions.create(watching('long', { options: { MAX_DURATION: '25 DAYS' } }), DBA)).number, 25708);
  });
});

describe('event files of a platform', () => {
  const LOG = '/var/opt/mssql/log';
  const linux = { platform: 'linux', logDirectory: LOG, backupDirectory: '/var/opt/mssql/backup', volumes: [] } as const;

  it('lie under /var/opt/mssql/log on Linux, whose names have regard to case', () => {
    const server = createEventServer(linux);
    start(server, watching('Watch'), DBA);
    server.advance(5 * MINUTE_MS);
    const rows = files(server, 'Watch*.xel');
    assert.match(String(rows[0]?.['file_name']), /^\/var\/opt\/mssql\/log\/Watch_0_\d{18}\.xel$/);
    assert.equal(files(server, `${LOG}/Watch*.xel`).length, rows.length);
    for (const pattern of ['watch*.xel', '/VAR/opt/mssql/log/Watch*.xel'])
      assert.equal(refusal(() => files(server, pattern)).number, 25718);
    const elsewhere = watching('elsewhere', {
      targets: [{ package: 'package0', name: 'event_file', options: { filename: '/srv/xe/e.xel' } }],
    });
    assert.match(
      refusal(() => start(server, elsewhere, DBA)).message,
      /error 3: 'The system cannot find the path specified\.' while creating the file '\/srv/,
    );
  });

  it('have no regard to case on Windows', () => {
    const server = createEventServer();
    start(server, watching('Watch'), DBA);
    server.advance(5 * MINUTE_MS);
    assert.ok(files(server, 'WATCH*.XEL').length > 0);
  });

  it('lie under D:\\rdsdbdata\\log on RDS, with the options that it allows', () => {
    const server = createEventServer({ platform: 'rds', logDirectory: 'D:\\rdsdbdata\\log' });
    const at = (filename: string, options = {}) =>
      watching('watch', { targets: [{ package: 'package0', name: 'event_file', options: { filename } }], options });
    const refused = (definition: ReturnType<typeof at>): string => refusal(() => server.sessions.create(definition, DBA)).message;
    assert.match(refused(at('watch.xel')), /^simulator: the file watch\.xel on Amazon RDS is refused here; with which error is not known/);
    assert.match(
      refused(at('D:\\rdsdbdata\\log\\watch.xel', { MEMORY_PARTITION_MODE: 'PER_CPU', MAX_MEMORY: '64 MB' })),
      /MEMORY_PARTITION_MODE = PER_CPU/,
    );
    assert.match(refused(at('D:\\rdsdbdata\\log\\watch.xel', { EVENT_RETENTION_MODE: 'NO_EVENT_LOSS' })), /NO_EVENT_LOSS/);
    const allowed = at('D:\\rdsdbdata\\log\\watch.xel');
    start(server, allowed, DBA);
    server.advance(5 * MINUTE_MS);
    stop(server, allowed, DBA);
    assert.ok(files(server, 'D:\\rdsdbdata\\log\\watch*.xel').length > 0);
  });
});
