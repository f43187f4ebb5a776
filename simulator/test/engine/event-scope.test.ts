import assert from 'node:assert/strict';
import { fileTarget, ringTarget, type EventSessionDefinition } from '../../scenarios/event-session';
import type { Principal } from '../../engine/interface/instance';
import type { ServerDescription } from '../../scenarios/scenario';
import {
  createSmall,
  DBA,
  listBusy,
  MINUTE_MS,
  readRows,
  refusal,
  type Row,
  type SmallServer,
} from './modelled';
import { defineTracking, parseEvent, readEvents, startTracking, trackFor } from './tracking';
import { shown } from '../shown';

const CONTAINER = 'https://checkpoints.blob.core.windows.net/xe';
const targets = [ringTarget({ max_events_limit: 0 })];
const blob = [fileTarget({ filename: `${CONTAINER}/track.xel` })];
const of = (database: string): Principal => ({ ...DBA, database });
const has = (server: SmallServer, name: string): boolean =>
  server.objectId('master', 'sys', name) !== undefined;
const idsIn = (row: Row | undefined): readonly number[] =>
  [
    ...String(row?.['target_data']).matchAll(/<data name="database_id"><type[^>]*><\/type><value>(\d+)</g),
  ].map((match) => Number(match[1]));

describe('event sessions of Azure SQL Database', () => {
  const azure = (more: Partial<ServerDescription> = {}): SmallServer =>
    createSmall({ platform: 'azure-sql-database', release: 2025, ...more });
  const own = defineTracking({ scope: 'database', targets });

  it('belong to a user database: 25737 for the server and for master', () => {
    const server = azure();
    const [database] = listBusy(server);
    for (const [definition, principal] of [
      [defineTracking({ targets }), of(database)],
      [own, of('master')],
    ] as const)
      assert.equal(
        refusal(() => server.eventSessions.create(definition, principal)),
        '25737 Database scoped extended event sessions are not available in server scope or system databases in Azure DB.',
      );
  });

  it('have names of their own in each database, see its events only, and show in its views only', () => {
    const server = azure();
    const [first, second] = listBusy(server);
    for (const database of [first, second]) startTracking(server, own, of(database));
    assert.throws(() => server.eventSessions.create({ ...own, name: 'TRACK' }, of(first)), { number: 25631 });
    server.advance(30 * MINUTE_MS);
    for (const database of [first, second]) {
      const names = (view: string, column: string): string =>
        shown(readRows(server, view, of(database)).map((row) => row[column]));
      assert.equal(names('sys.database_event_sessions', 'name'), '["track"]');
      const [target] = readRows(server, 'sys.dm_xe_database_session_targets', of(database));
      const ids = idsIn(target);
      assert.ok(ids.length > 10);
      assert.deepEqual([...new Set(ids)], [server.findDatabase(database)?.id]);
    }
    server.eventSessions.drop('track', 'database', of(first));
    assert.equal(readRows(server, 'sys.database_event_sessions', of(first)).length, 0);
    assert.equal(readRows(server, 'sys.database_event_session_events', of(second)).length, 2);
  });

  it('are all there are: no views of the server, no system_health', () => {
    const server = azure();
    for (const name of ['server_event_sessions', 'dm_xe_sessions', 'dm_xe_session_targets'])
      assert.equal(has(server, name), false, name);
    for (const name of ['dm_xe_objects', 'dm_xe_database_sessions', 'fn_xe_file_target_read_file'])
      assert.equal(has(server, name), true, name);
    assert.equal(server.world.sessions.all.length, 0);
  });

  it('write blobs where a credential has the name of the container, and nothing else', () => {
    const server = azure({ blobContainers: [CONTAINER] });
    const principal = of(listBusy(server)[0]);
    const create = (filename: string): EventSessionDefinition => {
      const other = defineTracking({ name: 'other', scope: 'database', targets: [fileTarget({ filename })] });
      server.eventSessions.create(other, principal);
      return other;
    };
    for (const filename of [
      'watch.xel',
      'D:\\xe\\watch.xel',
      'http://checkpoints.blob.core.windows.net/xe/watch.xel',
      'https://my47storage.file.core.windows.net/xe/watch.xel',
    ])
      assert.throws(() => create(filename), { number: 40538 }, filename);
    // CREATE takes any container; START finds that there is no credential.
    const { name, scope } = create('https://checkpoints.blob.core.windows.net/other/watch.xel');
    assert.match(
      refusal(() => server.eventSessions.alter(name, scope, [{ kind: 'state', state: 'start' }], principal)),
      /^25602 .*returned error 86: 'The specified network password is not correct\.' while creating the file 'https:/,
    );
    trackFor(server, 30, defineTracking({ scope, targets: blob }), principal);
    const rows = readEvents(server, `${CONTAINER}/track`, { principal });
    assert.ok(rows.length > 10);
    assert.match(
      String(rows[0]?.['file_name']),
      /^https:\/\/checkpoints\.blob\.core\.windows\.net\/xe\/track_0_\d{18}\.xel$/,
    );
    assert.throws(() => readEvents(server, `${CONTAINER}/TRACK`, { principal }), { number: 25718 });
    assert.throws(() => readEvents(server, 'track*.xel', { principal }), { number: 40538 });
  });

  it('lack two actions, by name', () => {
    const server = azure();
    const events = [
      { package: 'sqlserver', name: 'checkpoint_end', actions: ['sqlserver.server_principal_name'] },
    ];
    assert.equal(
      refusal(() => server.eventSessions.create({ ...own, events }, of(listBusy(server)[0]))),
      "25744 The action 'sqlserver.server_principal_name' is not available for Azure SQL Database.",
    );
  });
});

describe('event sessions of a managed instance', () => {
  const managed = { platform: 'managed-instance', release: 2022 } as const;

  it('are of the server or of a database, each in its own views', () => {
    const server = createSmall(managed);
    const [database] = listBusy(server);
    startTracking(server, defineTracking({ targets }));
    startTracking(server, defineTracking({ scope: 'database', targets }), of(database));
    server.advance(20 * MINUTE_MS);
    assert.ok(readRows(server, 'sys.server_event_sessions').some((row) => row['name'] === 'track'));
    assert.equal(readRows(server, 'sys.database_event_sessions').length, 0);
    const countIn = (view: string): number =>
      new Set(readRows(server, view, of(database)).flatMap(idsIn)).size;
    assert.ok(countIn('sys.dm_xe_session_targets') > 1);
    assert.equal(countIn('sys.dm_xe_database_session_targets'), 1);
  });

  it('take no local file but that of system_health to read', () => {
    const server = createSmall({ ...managed, blobContainers: [CONTAINER] });
    assert.throws(() => server.eventSessions.create(defineTracking(), DBA), { number: 40538 });
    assert.deepEqual(readEvents(server, 'system_health*.xel'), []);
    assert.throws(() => readEvents(server, 'D:\\watch*.xel'), { number: 40538 });
    startTracking(server, defineTracking({ targets: blob }));
    server.advance(10 * MINUTE_MS);
    const event = parseEvent(String(readEvents(server, `${CONTAINER}/track_0_`)[0]?.['event_data']));
    assert.equal(event.name, 'checkpoint_begin');
  });
});

describe('event sessions of a server of one’s own', () => {
  for (const platform of ['windows', 'linux'] as const)
    it(`are of the server only, and a blob takes a credential: ${platform}`, () => {
      const server = createSmall({ platform });
      assert.match(
        refusal(() =>
          server.eventSessions.create(defineTracking({ scope: 'database' }), of(listBusy(server)[0])),
        ),
        /^50000 simulator: an event session ON DATABASE is refused here; with which error is not known/,
      );
      assert.equal(has(server, 'database_event_sessions'), false);
      assert.match(
        refusal(() => startTracking(server, defineTracking({ targets: blob }))),
        /^25602 .*returned error 86/,
      );
    });
});
