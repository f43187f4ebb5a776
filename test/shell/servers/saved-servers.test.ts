import assert from 'node:assert/strict';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { FakeSecrets, FakeState, savedServer } from '../fake-editor';

const server: SavedServer = { ...savedServer, id: '1', server: 'sql01' };

/** A list with one server, whose password is stored. */
async function keepOne(given: SavedServer = server, secrets = new FakeSecrets()): Promise<SavedServers> {
  const servers = new SavedServers(new FakeState(), secrets);
  await servers.save(given);
  await servers.keepPassword('1', 'p4ssword');
  return servers;
}

describe('the saved servers', () => {
  it('keeps passwords in the secret storage and nothing of them elsewhere', async () => {
    const [state, secrets] = [new FakeState(), new FakeSecrets()];
    const servers = new SavedServers(state, secrets);
    await servers.save(server);
    await servers.keepPassword('1', 'p4ssword');
    assert.deepEqual(servers.list(), [server]);
    assert.equal(await servers.password('1'), 'p4ssword');
    assert.doesNotMatch(JSON.stringify([...state.values]), /p4ssword/);
  });

  it('keeps the stored password of a server that is edited without typing one', async () => {
    const servers = await keepOne();
    await servers.save({ ...server, name: 'Other' });
    assert.deepEqual([servers.list().map(({ name }) => name), await servers.password('1')], [['Other'], 'p4ssword']);
  });

  it('forgets a password that was stored for another address or another login: it is sent nowhere else', async () => {
    for (const change of [
      { server: 'sql02' },
      { port: 1434 },
      { server: 'sql01\\PROD' },
      { user: 'SA' },
      { authentication: 'windows' },
    ] as const) {
      const servers = await keepOne();
      await servers.save({ ...server, ...change });
      assert.equal(await servers.password('1'), undefined, JSON.stringify(change));
    }
  });

  it('keeps the stored password where the same address is written otherwise', async () => {
    const servers = await keepOne();
    await servers.save({ ...server, server: 'tcp:SQL01,1433', encrypt: 'strict', database: 'Sales' });
    assert.equal(await servers.password('1'), 'p4ssword');
  });

  it('forgets the stored password of a server that is to ask in each window', async () => {
    const servers = await keepOne();
    await servers.keepAsking('1');
    assert.equal(servers.find('1')?.asksPassword, true);
    await servers.save({ ...server, asksPassword: true });
    assert.equal(await servers.password('1'), undefined);
  });

  describe('remember the certificate of a server that is trusted', () => {
    const trusted = { ...server, trustServerCertificate: true } as const;
    const remember = async (): Promise<SavedServers> => {
      const servers = await keepOne(trusted);
      await servers.keepTrusted('1', 'AB:CD');
      return servers;
    };

    it('until another one is accepted', async () => {
      const servers = await remember();
      assert.equal(servers.find('1')?.trustedCertificate, 'AB:CD');
      await servers.keepTrusted('1', 'EF:01');
      assert.equal(servers.find('1')?.trustedCertificate, 'EF:01');
    });

    it('also when something else of it is edited, and no longer when it is chosen again', async () => {
      const servers = await remember();
      await servers.save({ ...trusted, name: 'Other', trustedCertificate: 'AB:CD' });
      assert.equal(servers.find('1')?.trustedCertificate, 'AB:CD');
      await servers.save(trusted);
      assert.equal(servers.find('1')?.trustedCertificate, undefined);
    });

    it('not for another address, another encryption or another choice', async () => {
      for (const change of [{ server: 'sql02' }, { port: 1500 }, { encrypt: 'strict' }, { trustServerCertificate: false }] as const) {
        const servers = await remember();
        await servers.save({ ...trusted, trustedCertificate: 'AB:CD', ...change });
        assert.equal(servers.find('1')?.trustedCertificate, undefined, JSON.stringify(change));
      }
    });

    it('and none of a server whose certificate is checked, or that is gone', async () => {
      const servers = await keepOne();
      await servers.keepTrusted('1', 'AB:CD');
      await servers.keepTrusted('2', 'AB:CD');
      assert.deepEqual(servers.list(), [server]);
    });
  });

  it('forgets the password with the server', async () => {
    const secrets = new FakeSecrets();
    const servers = await keepOne(server, secrets);
    await servers.remove('1');
    assert.deepEqual([servers.list(), secrets.values.size], [[], 0]);
  });

  it('takes what was kept before there were other logins for a SQL login', () => {
    const state = new FakeState();
    const older = Object.fromEntries(Object.entries(server).filter(([key]) => key !== 'authentication'));
    state.values.set('checkpointHealth.servers', [{ ...older, port: 1500 }]);
    assert.deepEqual(new SavedServers(state, new FakeSecrets()).list(), [{ ...server, port: 1500 }]);
  });

  it('takes encryption that could be left out for mandatory, and lets no token go to a server whose certificate nobody checks', () => {
    const state = new FakeState();
    const entra = { ...server, id: '2', authentication: 'entra', trustServerCertificate: true };
    state.values.set('checkpointHealth.servers', [{ ...server, encrypt: 'optional' }, entra]);
    assert.deepEqual(new SavedServers(state, new FakeSecrets()).list(), [server, { ...entra, trustServerCertificate: false }]);
  });

  it('forgets the password of a server that signs in by Microsoft Entra from now on', async () => {
    const secrets = new FakeSecrets();
    const servers = await keepOne(server, secrets);
    await servers.save({ ...server, authentication: 'entra', user: '', tenant: 'contoso.com' });
    assert.deepEqual([servers.list().map(({ user }) => user), secrets.values.size], [[''], 0]);
  });

  it('keeps the order in which servers were added', async () => {
    const servers = new SavedServers(new FakeState(), new FakeSecrets());
    for (const id of ['b', 'a', 'c']) await servers.save({ ...server, id });
    await servers.save({ ...server, id: 'a', name: 'again' });
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
        { ...server, trustedCertificate: 5 },
        { ...server, tokenHost: true },
        { ...server, asksPassword: 'no' },
      ],
    ]) {
      const state = new FakeState();
      state.values.set('checkpointHealth.servers', kept);
      assert.deepEqual(new SavedServers(state, new FakeSecrets()).list(), []);
    }
  });
});
