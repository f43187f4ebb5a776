import assert from 'node:assert/strict';
import type { Release } from '../../scenarios/releases';
import { createSmall, DBA, MINUTE_MS, readRows, refusal, type SmallServer } from './modelled';
import {
  defineTracking,
  listEvents,
  parseEvent,
  readEvents,
  smallFiles,
  startTracking,
  trackFor,
} from './tracking';
import { fileTarget } from '../../scenarios/event-session';

/** A session whose first file is gone. */
function afterRollover(release: Release): {
  readonly server: SmallServer;
  readonly gone: string;
  readonly offset: bigint;
  readonly kept: string;
} {
  const server = startTracking(createSmall({ release }), defineTracking({ targets: smallFiles(2) }));
  server.advance(MINUTE_MS);
  const first = readEvents(server)[0];
  server.advance(12 * 60 * MINUTE_MS);
  const names = [...new Set(readEvents(server).map((row) => String(row['file_name'])))];
  assert.equal(names.length, 2);
  return {
    server,
    gone: String(first?.['file_name']),
    offset: first?.['file_offset'] as bigint,
    kept: names[0] ?? '',
  };
}

describe('Extended Events of a release', () => {
  it('tell of a cursor whose file rollover deleted with 25722, and with 25717 in 2025', () => {
    const old = afterRollover(2016);
    assert.equal(
      refusal(() => readEvents(old.server, 'track*.xel', { file: old.gone, offset: old.offset })),
      `25722 The offset ${old.offset} is invalid for log file "${old.gone}".  Specify an offset that exists in the log file and retry your query.`,
    );
    const { server, gone, offset, kept } = afterRollover(2025);
    const refused = (file: string, at: bigint): string =>
      refusal(() => readEvents(server, 'track*.xel', { file, offset: at }));
    assert.match(refused(gone, offset), /^25717 .*returned error 2: .* while reading from the file '/);
    assert.match(refused(kept, 17n), /^25722 /);
  });

  it('have timestamp_utc from 2017 and the scan from 2016', () => {
    const hasTimestamp = (release: Release): boolean => {
      const server = startTracking(createSmall({ release }));
      server.advance(5 * MINUTE_MS);
      return 'timestamp_utc' in (readEvents(server)[0] ?? {});
    };
    assert.deepEqual([hasTimestamp(2016), hasTimestamp(2017)], [false, true]);
    const scanFields = (release: Release): readonly unknown[] =>
      createSmall({ release })
        .world.eventCatalogue.events.filter(({ name }) => name === 'buffer_pool_scan_complete')
        .flatMap(({ fields }) => fields.map(({ name }) => name));
    assert.equal(scanFields(2014).length, 0);
    assert.equal(
      scanFields(2016).join(),
      'database_id,elapsed_time_ms,command,operation,scanned_buffers,total_iterated_buffers',
    );
    assert.equal(scanFields(2022).at(-1), 'parallel_tasks');
    const scan = defineTracking({ events: listEvents('buffer_pool_scan_complete') });
    assert.throws(() => createSmall({ release: 2014 }).eventSessions.create(scan, DBA), { number: 25623 });
  });

  for (const [release, view, names] of [
    [2014, 'sys.server_event_sessions', 'system_health AlwaysOn_health'],
    [2014, 'sys.dm_xe_sessions', 'system_health'],
    [2019, 'sys.server_event_sessions', 'system_health AlwaysOn_health telemetry_xevents'],
    [2019, 'sys.dm_xe_sessions', 'system_health telemetry_xevents'],
  ] as const)
    it(`bring sessions of the installation along, which start with the server where they do: ${release}, ${view}`, () => {
      const found = readRows(createSmall({ release }), view).map((row) => row['name']);
      assert.equal(found.join(' '), names);
    });

  it('stop by themselves after MAX_DURATION', () => {
    const server = startTracking(
      createSmall({ release: 2025 }),
      defineTracking({ options: { MAX_DURATION: '10 MINUTES' } }),
    );
    const isRunning = (): boolean =>
      readRows(server, 'sys.dm_xe_sessions').some((row) => row['name'] === 'track');
    server.advance(9 * MINUTE_MS);
    assert.ok(isRunning());
    server.advance(2 * MINUTE_MS);
    assert.ok(!isRunning());
    assert.ok(
      parseEvent(String(readEvents(server).at(-1)?.['event_data'])).utcMs < Date.UTC(2026, 2, 2, 9, 10),
    );
    const long = defineTracking({ name: 'long', options: { MAX_DURATION: '25 DAYS' } });
    assert.throws(() => server.eventSessions.create(long, DBA), { number: 25708 });
  });
});

describe('event files of a platform', () => {
  const LOG = '/var/opt/mssql/log';
  const linux = {
    platform: 'linux',
    logDirectory: LOG,
    backupDirectory: '/var/opt/mssql/backup',
    volumes: [],
  } as const;

  it('lie under /var/opt/mssql/log on Linux, whose names have regard to case', () => {
    const server = startTracking(createSmall(linux), defineTracking({ name: 'Track' }));
    server.advance(5 * MINUTE_MS);
    const rows = readEvents(server, 'Track*.xel');
    assert.match(String(rows[0]?.['file_name']), /^\/var\/opt\/mssql\/log\/Track_0_\d{18}\.xel$/);
    assert.equal(readEvents(server, `${LOG}/Track*.xel`).length, rows.length);
    for (const pattern of ['track*.xel', '/VAR/opt/mssql/log/Track*.xel'])
      assert.throws(() => readEvents(server, pattern), { number: 25718 });
    const elsewhere = defineTracking({
      name: 'elsewhere',
      targets: [fileTarget({ filename: '/srv/xe/e.xel' })],
    });
    assert.match(
      refusal(() => startTracking(server, elsewhere)),
      /error 3: 'The system cannot find the path specified\.' while creating the file '\/srv/,
    );
  });

  it('have no regard to case on Windows', () => {
    const server = trackFor(createSmall(), 5);
    assert.ok(readEvents(server, 'TRACK*.XEL').length > 0);
  });

  it('lie under D:\\rdsdbdata\\log on RDS', () => {
    const server = createSmall({ platform: 'rds', logDirectory: 'D:\\rdsdbdata\\log' });
    const at = (filename: string) => defineTracking({ targets: [fileTarget({ filename })] });
    const refused = (definition: ReturnType<typeof at>): string =>
      refusal(() => server.eventSessions.create(definition, DBA));
    const own = 'D:\\rdsdbdata\\log\\track.xel';
    assert.match(
      refused(at('track.xel')),
      /^50000 simulator: the file track\.xel on Amazon RDS is refused here; with which error is not known/,
    );
    trackFor(server, 5, at(own));
    assert.ok(readEvents(server, 'D:\\rdsdbdata\\log\\track*.xel').length > 0);
  });
});
