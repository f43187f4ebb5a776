import assert from 'node:assert/strict';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { ServerList } from '../../../src/shell/servers/server-list';
import { FakeSecrets, FakeState, savedServer } from '../fake-editor';
import { hostServer } from '../fake-host';

const other = { ...hostServer, id: 'mssql:12', name: 'Sales' };

describe('the list of servers', () => {
  let state: FakeState;
  let saved: SavedServers;
  let list: ServerList;

  beforeEach(() => {
    state = new FakeState();
    saved = new SavedServers(state, new FakeSecrets());
    list = new ServerList(saved, state);
  });

  const ids = (): readonly string[] => list.all().map(({ id, way }) => `${way} ${id}`);

  it('has the servers of the other product first, then those that were added here', async () => {
    await saved.save(savedServer);
    list.takeIn({ servers: [hostServer, other], untrusted: 0 });
    assert.deepEqual(ids(), ['mssql mssql:11', 'mssql mssql:12', 'own server-1']);
    assert.deepEqual([list.ownership('mssql:11'), list.ownership('server-1')], ['host', 'own']);
  });

  it('keeps in sight what was opened when the other product goes, and nothing else of it', async () => {
    list.takeIn({ servers: [hostServer, other], untrusted: 0 });
    await list.remember(hostServer);
    list.takeIn(null);
    assert.deepEqual([ids(), list.ownership('mssql:11')], [['mssql mssql:11'], 'orphaned']);
    assert.deepEqual(new ServerList(saved, state).all(), [{ ...hostServer, way: 'mssql' }]);
  });

  it('knows in another window which servers were tracked when they were read last', async () => {
    await saved.save(savedServer);
    await list.noteTracked('mssql:11', true);
    await list.noteTracked('server-1', true);
    await list.noteTracked('mssql:11', false);
    const next = new ServerList(saved, state);
    assert.deepEqual([next.wasTracked('mssql:11'), next.wasTracked('server-1')], [false, true]);
    await next.remove('server-1');
    assert.equal(next.wasTracked('server-1'), false);
  });

  it('shows a server that was pointed at in this window, though the other product does not list it', () => {
    list.takeIn({ servers: [other], untrusted: 0 });
    list.point(hostServer);
    assert.deepEqual(ids(), ['mssql mssql:12', 'mssql mssql:11']);
    assert.deepEqual(new ServerList(saved, state).all(), []);
  });

  it('has a server once that our own driver has taken over', async () => {
    list.takeIn({ servers: [hostServer], untrusted: 0 });
    await saved.save({ ...savedServer, id: hostServer.id });
    assert.deepEqual([ids(), list.ownership('mssql:11')], [['own mssql:11'], 'own']);
  });

  const labels = (): readonly string[] => [...list.labels().values()];
  const named = (
    id: string,
    more: Partial<typeof hostServer> & { login?: string } = {},
  ): typeof hostServer => ({
    ...hostServer,
    id: `mssql:${id}`,
    name: 'PROD-SQL07',
    server: 'sql07',
    user: null,
    ...more,
  });
  const dba = named('1', { user: 'dba' });
  const reader = named('2', { user: 'reader' });

  it('tells servers of one name apart by their logins, and by their addresses where those are the same', () => {
    const elsewhere = named('3', { user: 'dba', server: 'sql08' });
    for (const [servers, ...told] of [
      [[dba, other], 'PROD-SQL07', 'Sales'],
      [
        [dba, reader, named('3', { login: 'Windows login' })],
        'PROD-SQL07 (dba)',
        'PROD-SQL07 (reader)',
        'PROD-SQL07 (Windows login)',
      ],
      [[dba, elsewhere], 'PROD-SQL07 (sql07)', 'PROD-SQL07 (sql08)'],
      [[dba, reader, elsewhere], 'PROD-SQL07 (dba, sql07)', 'PROD-SQL07 (reader)', 'PROD-SQL07 (dba, sql08)'],
    ] as const) {
      list.takeIn({ servers, untrusted: 0 });
      assert.deepEqual(labels(), told);
    }
  });

  it('tells our own servers apart by their logins too', async () => {
    list.takeIn({ servers: [dba], untrusted: 0 });
    await saved.save({ ...savedServer, name: 'PROD-SQL07', user: 'app' });
    await saved.save({
      ...savedServer,
      id: 'server-2',
      name: 'PROD-SQL07',
      authentication: 'entra',
      user: '',
    });
    assert.deepEqual(labels(), ['PROD-SQL07 (dba)', 'PROD-SQL07 (app)', 'PROD-SQL07 (Microsoft Entra)']);
  });

  it('gives a saved capture the name of its file if its server is in the list, whose own name stays', () => {
    const paths = ['C:\\captures\\monday.checkpoints', '/home/dba/monday.checkpoints'] as const;
    list.takeIn({ servers: [named('1')], untrusted: 0 });
    list.openFile('file:1', 'PROD-SQL07', paths[0]);
    assert.deepEqual(labels(), ['PROD-SQL07', 'PROD-SQL07 (monday.checkpoints)']);
    list.openFile('file:2', 'PROD-SQL07', paths[1]);
    assert.deepEqual(labels(), [
      'PROD-SQL07',
      ...paths.map((path) => `PROD-SQL07 (monday.checkpoints, ${path})`),
    ]);
    for (const id of ['file:2', 'file:1']) list.closeFile(id);
    assert.deepEqual(labels(), ['PROD-SQL07']);
  });

  it('keeps a name as it was given, whatever it is told apart by', async () => {
    const twin = { ...hostServer, id: 'mssql:12', user: 'reader' };
    list.takeIn({ servers: [hostServer, twin], untrusted: 0 });
    for (const server of list.all()) await list.remember(server as typeof hostServer);
    assert.deepEqual(state.values.get('checkpointHealth.knownServers'), [hostServer, twin]);
  });

  it('keeps no more of a server than it needs', async () => {
    await list.remember({ ...hostServer, password: 'p4ssword' } as never);
    assert.deepEqual(state.values.get('checkpointHealth.knownServers'), [hostServer]);
  });

  it('forgets what is removed, and leaves out what is kept in another shape', async () => {
    await list.remember(hostServer);
    await list.remember(other);
    await list.remove(other.id);
    assert.deepEqual(ids(), ['mssql mssql:11']);
    for (const damaged of [
      'x',
      [null, 7, { id: 'mssql:1' }, { ...hostServer, id: 'server-1' }, { ...hostServer, user: 4 }],
    ]) {
      await state.update('checkpointHealth.knownServers', damaged);
      assert.deepEqual(ids(), []);
    }
  });
});
