import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Principal } from '../../engine/interface/instance';
import { createEventServer, start, stop, watching, type EventServer } from './event-server';
import { DBA, MINUTE_MS, parseEvent, refusal } from './modelled';
import { shown } from '../shown';

const CONTAINER = 'https://checkpoints.blob.core.windows.net/xe';
const URL = `${CONTAINER}/watch.xel`;
const ring = [{ package: 'package0', name: 'ring_buffer', options: { max_events_limit: 0 } }];
const blob = [{ package: 'package0', name: 'event_file', options: { filename: URL } }];
const of = (database: string): Principal => ({ ...DBA, database });

function userDatabases(server: EventServer): readonly [string, string] {
  const [first, second] = server.world.databases.all.filter((each) => each.id > 4 && each.workload.activity === 'busy');
  return [first?.name ?? '', second?.name ?? ''];
}

function idsIn(xml: string): readonly number[] {
  return [...xml.matchAll(/<data name="database_id"><type[^>]*><\/type><value>(\d+)</g)].map((match) => Number(match[1]));
}

describe('event sessions of Azure SQL Database', () => {
  const azure = (): EventServer => createEventServer({ platform: 'azure-sql-database', release: 2025 }, {});
  const own = watching('watch', { scope: 'database', targets: ring });

  it('belong to a user database: 25737 for the server and for master', () => {
    const server = azure();
    const [database] = userDatabases(server);
    for (const [definition, principal] of [
      [watching('watch', { targets: ring }), of(database)],
      [own, of('master')],
    ] as const) {
      const error = refusal(() => server.sessions.create(definition, principal));
      assert.deepEqual(
        [error.number, error.message],
        [25737, 'Database scoped extended event sessions are not available in server scope or system databases in Azure DB.'],
      );
    }
  });

  it('have names of their own in each database, see its events only, and show in its views only', () => {
    const server = azure();
    const [first, second] = userDatabases(server);
    for (const database of [first, second]) start(server, own, of(database));
    assert.equal(refusal(() => server.sessions.create({ ...own, name: 'WATCH' }, of(first))).number, 25631);
    server.advance(30 * MINUTE_MS);
    for (const database of [first, second]) {
      assert.equal(shown(server.read('sys.database_event_sessions', of(database)).map((row) => row['name'])), '["watch"]');
      assert.deepEqual(
        server.read('sys.dm_xe_database_sessions', of(database)).map((row) => row['session_source']),
        [database],
      );
      const target = server.read('sys.dm_xe_database_session_targets', of(database))[0];
      const ids = idsIn(String(target?.['target_data']));
      assert.ok(ids.length > 10);
      assert.deepEqual([...new Set(ids)], [server.world.databases.byName(database)?.id]);
      assert.equal(target?.['failed_buffer_count'], 0n);
    }
    server.sessions.drop('watch', 'database', of(first));
    assert.equal(server.read('sys.database_event_sessions', of(first)).length, 0);
    assert.equal(server.read('sys.database_event_session_events', of(second)).length, 2);
  });

  it('are all there are: no views of the server, no system_health', () => {
    const server = azure();
    for (const name of ['sys.server_event_sessions', 'sys.dm_xe_sessions', 'sys.dm_xe_session_targets'])
      assert.equal(server.has(name), false, name);
    for (const name of ['sys.dm_xe_objects', 'sys.dm_xe_database_session_object_columns', 'sys.fn_xe_file_target_read_file'])
      assert.equal(server.has(name), true, name);
    assert.equal(server.world.sessions.all.length, 0);
  });

  it('write blobs where a credential has the name of the container, and nothing else', () => {
    const server = createEventServer({ platform: 'azure-sql-database', release: 2025, blobContainers: [CONTAINER] });
    const [database] = userDatabases(server);
    const principal = of(database);
    const create = (filename: string) => (): void =>
      server.sessions.create(
        watching('other', { scope: 'database', targets: [{ package: 'package0', name: 'event_file', options: { filename } }] }),
        principal,
      );
    for (const filename of [
      'watch.xel',
      'D:\\xe\\watch.xel',
      'http://checkpoints.blob.core.windows.net/xe/watch.xel',
      'https://my47storage.file.core.windows.net/xe/watch.xel',
    ])
      assert.equal(refusal(create(filename)).number, 40538, filename);
    // CREATE takes any container; START finds that there is no credential.
    create('https://checkpoints.blob.core.windows.net/other/watch.xel')();
    const failed = refusal(() => server.sessions.alter('other', 'database', [{ kind: 'state', state: 'start' }], principal));
    assert.equal(failed.number, 25602);
    assert.match(failed.message, /returned error 86: 'The specified network password is not correct\.' while creating the file 'https:/);
    const definition = watching('watch', { scope: 'database', targets: blob });
    start(server, definition, principal);
    server.advance(30 * MINUTE_MS);
    stop(server, definition, principal);
    const read = (path: string) => server.call('sys.fn_xe_file_target_read_file', [path, null, null, null], principal);
    const rows = read(`${CONTAINER}/watch`);
    assert.ok(rows.length > 10);
    assert.match(String(rows[0]?.['file_name']), /^https:\/\/checkpoints\.blob\.core\.windows\.net\/xe\/watch_0_\d{18}\.xel$/);
    assert.equal(refusal(() => read(`${CONTAINER}/WATCH`)).number, 25718);
    assert.equal(refusal(() => read('watch*.xel')).number, 40538);
  });

  it('lack two actions, by name', () => {
    const server = azure();
    const [database] = userDatabases(server);
    const events = [{ package: 'sqlserver', name: 'checkpoint_end', actions: ['sqlserver.server_principal_name'] }];
    const error = refusal(() => server.sessions.create({ ...own, events }, of(database)));
    assert.deepEqual(
      [error.number, error.message],
      [25744, "The action 'sqlserver.server_principal_name' is not available for Azure SQL Database."],
    );
  });
});

describe('event sessions of a managed instance', () => {
  it('are of the server or of a database, each in its own views', () => {
    const server = createEventServer({ platform: 'managed-instance', release: 2022 });
    const [database] = userDatabases(server);
    start(server, watching('watch', { targets: ring }), DBA);
    start(server, watching('watch', { scope: 'database', targets: ring }), of(database));
    server.advance(20 * MINUTE_MS);
    assert.ok(server.read('sys.server_event_sessions', DBA).some((row) => row['name'] === 'watch'));
    assert.equal(server.read('sys.database_event_sessions', DBA).length, 0);
    const sizes = ['sys.dm_xe_session_targets', 'sys.dm_xe_database_session_targets'].map((view) => {
      const rows = server.read(view, of(database)).map((row) => idsIn(String(row['target_data'])));
      return new Set(rows.flat()).size;
    });
    assert.ok((sizes[0] ?? 0) > 1);
    assert.equal(sizes[1], 1);
  });

  it('take no local file but that of system_health to read', () => {
    const server = createEventServer({ platform: 'managed-instance', release: 2022, blobContainers: [CONTAINER] });
    assert.equal(refusal(() => server.sessions.create(watching('watch'), DBA)).number, 40538);
    const read = (path: string) => server.call('sys.fn_xe_file_target_read_file', [path, null, null, null], DBA);
    assert.deepEqual(read('system_health*.xel'), []);
    assert.equal(refusal(() => read('D:\\watch*.xel')).number, 40538);
    start(server, watching('watch', { targets: blob }), DBA);
    server.advance(10 * MINUTE_MS);
    const event = parseEvent(String(read(`${CONTAINER}/watch_0_`)[0]?.['event_data']));
    assert.equal(event.name, 'checkpoint_begin');
  });
});

describe('event sessions of a server of one’s own', () => {
  it('are of the server only, and a blob takes a credential', () => {
    for (const platform of ['windows', 'linux'] as const) {
      const server = createEventServer({ platform });
      const [database] = userDatabases(server);
      const refused = refusal(() => server.sessions.create(watching('watch', { scope: 'database' }), of(database)));
      assert.match(refused.message, /^simulator: an event session ON DATABASE is refused here; with which error is not known/);
      assert.equal(server.has('sys.database_event_sessions'), false);
      server.sessions.create(watching('watch', { targets: blob }), DBA);
      const failed = refusal(() => server.sessions.alter('watch', 'server', [{ kind: 'state', state: 'start' }], DBA));
      assert.match(failed.message, /returned error 86/);
    }
  });
});
