import assert from 'node:assert/strict';
import { findSameServer, readAddedServer } from '../../../src/shell/servers/added-server';
import { type SavedServer, SavedServers } from '../../../src/shell/servers/saved-servers';
import { FakeSecrets, FakeState } from '../fake-editor';

const server: SavedServer = {
  id: '1',
  name: 'Prod',
  server: 'sql01',
  authentication: 'sql',
  user: 'sa',
  encrypt: 'mandatory',
  trustServerCertificate: false,
};
const given = { name: 'Prod', server: 'sql01', port: 1433, user: 'sa', password: 'p4ssword', encrypt: true, trustServerCertificate: false };

describe('the saved servers', () => {
  it('keeps passwords in the secret storage and nothing of them elsewhere', async () => {
    const [state, secrets] = [new FakeState(), new FakeSecrets()];
    const servers = new SavedServers(state, secrets);
    await servers.save(server, 'p4ssword');
    assert.deepEqual(servers.list(), [server]);
    assert.equal(await servers.password('1'), 'p4ssword');
    assert.doesNotMatch(JSON.stringify([...state.values]), /p4ssword/);
  });

  it('keeps the stored password of a server that is edited without typing one', async () => {
    const servers = new SavedServers(new FakeState(), new FakeSecrets());
    await servers.save(server, 'p4ssword');
    await servers.save({ ...server, name: 'Other' }, undefined);
    assert.deepEqual([servers.list().map(({ name }) => name), await servers.password('1')], [['Other'], 'p4ssword']);
  });

  it('forgets the password with the server', async () => {
    const secrets = new FakeSecrets();
    const servers = new SavedServers(new FakeState(), secrets);
    await servers.save(server, 'p4ssword');
    await servers.remove('1');
    assert.deepEqual([servers.list(), secrets.values.size], [[], 0]);
  });

  it('takes what was kept before there were other logins for a SQL login', () => {
    const state = new FakeState();
    const older = Object.fromEntries(Object.entries(server).filter(([key]) => key !== 'authentication'));
    state.values.set('checkpointHealth.servers', [{ ...older, port: 1500 }]);
    assert.deepEqual(new SavedServers(state, new FakeSecrets()).list(), [{ ...server, port: 1500 }]);
  });

  it('forgets the password of a server that signs in by Microsoft Entra from now on', async () => {
    const secrets = new FakeSecrets();
    const servers = new SavedServers(new FakeState(), secrets);
    await servers.save(server, 'p4ssword');
    await servers.save({ ...server, authentication: 'entra', user: '', tenant: 'contoso.com' }, undefined);
    assert.deepEqual([servers.list().map(({ user }) => user), secrets.values.size], [[''], 0]);
  });

  it('keeps the order in which servers were added', async () => {
    const servers = new SavedServers(new FakeState(), new FakeSecrets());
    for (const id of ['b', 'a', 'c']) await servers.save({ ...server, id }, undefined);
    await servers.save({ ...server, id: 'a', name: 'again' }, undefined);
    assert.deepEqual(
      servers.list().map(({ id }) => id),
      ['b', 'a', 'c'],
    );
  });

  it('leaves out what another version or a damaged file left behind', () => {
    for (const kept of [
      null,
      'x',
      {},
      [
        null,
        1,
        { id: '2' },
        { ...server, encrypt: 'sometimes' },
        { ...server, port: '1' },
        { ...server, authentication: 'kerberos' },
        { ...server, user: '' },
        { ...server, database: 5 },
      ],
    ]) {
      const state = new FakeState();
      state.values.set('checkpointHealth.servers', kept);
      assert.deepEqual(new SavedServers(state, new FakeSecrets()).list(), []);
    }
  });
});

describe('a server that another extension adds', () => {
  it('is read into what is kept and a password', () => {
    assert.deepEqual(readAddedServer(given), {
      server: {
        name: 'Prod',
        server: 'sql01',
        port: 1433,
        authentication: 'sql',
        user: 'sa',
        encrypt: 'mandatory',
        trustServerCertificate: false,
      },
      password: 'p4ssword',
    });
    assert.equal(readAddedServer({ ...given, encrypt: false }).server.encrypt, 'optional');
    assert.equal(readAddedServer({ ...given, encrypt: 'strict', port: undefined }).server.encrypt, 'strict');
  });

  it('may have a Windows login, with its domain in it or beside it', () => {
    const windows = { ...given, authentication: 'windows' };
    for (const login of [{ user: 'CONTOSO\\ann' }, { user: 'ann', domain: 'CONTOSO' }])
      assert.equal(readAddedServer({ ...windows, ...login }).server.user, 'CONTOSO\\ann');
    assert.throws(() => readAddedServer({ ...windows, user: 'ann' }), /^Error: addServer: user is DOMAIN/);
  });

  it('may sign in by Microsoft Entra: without a password, and encrypted', () => {
    const entra = { ...given, authentication: 'entra', user: undefined, encrypt: false, tenant: 'contoso.com', database: 'Sales' };
    const { server: read, password } = readAddedServer(entra);
    assert.deepEqual([read.user, read.tenant, read.database, read.encrypt, password], ['', 'contoso.com', 'Sales', 'mandatory', undefined]);
  });

  it('is refused with a sentence that names the field', () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ['name', ' '],
      ['server', 7],
      ['user', undefined],
      ['password', null],
      ['authentication', 'kerberos'],
      ['database', 5],
      ['hostNameInCertificate', ''],
      ['port', 0],
      ['port', '1433'],
      ['encrypt', 'yes'],
      ['trustServerCertificate', 'true'],
    ];
    for (const [field, value] of wrong)
      assert.throws(() => readAddedServer({ ...given, [field]: value }), new RegExp(`^Error: addServer: ${field} is `));
    assert.throws(() => readAddedServer('sql01'), /takes one object/);
  });

  it('keeps nothing but what is known', () => {
    assert.deepEqual(Object.keys(readAddedServer({ ...given, id: 'mine', extra: 1 }).server).sort(), [
      'authentication',
      'encrypt',
      'name',
      'port',
      'server',
      'trustServerCertificate',
      'user',
    ]);
  });

  it('is the same server when name, address and login are', () => {
    const kept = { ...readAddedServer(given).server, id: '1' };
    assert.equal(findSameServer([kept], readAddedServer({ ...given, encrypt: 'strict' }).server)?.id, '1');
    for (const other of [{ name: 'x' }, { server: 'x' }, { port: 1 }, { user: 'x' }])
      assert.equal(findSameServer([kept], readAddedServer({ ...given, ...other }).server), undefined);
  });
});
