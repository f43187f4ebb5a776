import assert from 'node:assert/strict';
import { findTwin, type SavedServer } from '../../../src/shell/servers/saved-server';
import { describeAnswers, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { FakeSecrets, FakeState, savedServer } from '../fake-editor';
import { partsOf } from '../sample';

const server: SavedServer = { ...savedServer, id: '1', server: 'sql01' };

/** What is kept of the answers to Add Server. */
const answer = (changes: Partial<ServerAnswers>): SavedServer =>
  describeAnswers(
    { ...newAnswers, name: 'Prod', server: 'sql01', user: 'sa', password: 'p4ssword', ...changes },
    '1',
  );

/** A list with one server, whose password is stored. */
async function keepOne(
  given: SavedServer = server,
  secrets = new FakeSecrets(),
  state = new FakeState(),
): Promise<SavedServers> {
  const servers = new SavedServers(state, secrets);
  await servers.save(given);
  await servers.keepPassword('1', 'p4ssword');
  return servers;
}

/** What is read of what was kept so. */
function listKept(kept: unknown): readonly SavedServer[] {
  const state = new FakeState();
  state.values.set('checkpointHealth.servers', kept);
  return new SavedServers(state, new FakeSecrets()).list();
}

describe('the saved servers', () => {
  for (const [what, change, password] of [
    [
      'keeps the stored password of a server that is edited without typing one',
      { name: 'Other' },
      'p4ssword',
    ],
    [
      'keeps it where the same address is written otherwise',
      { server: 'tcp:SQL01,1433', encrypt: 'strict', database: 'Sales' },
      'p4ssword',
    ],
    ['sends it to no other host', { server: 'sql02' }, undefined],
    ['sends it to no other port', { port: 1434 }, undefined],
    ['sends it to no other instance', { server: 'sql01\\PROD' }, undefined],
    ['sends it for no other login', { user: 'SA' }, undefined],
    ['sends it for no other kind of login', { authentication: 'windows' }, undefined],
    [
      'forgets it with Microsoft Entra',
      { authentication: 'entra', user: '', tenant: 'contoso.com' },
      undefined,
    ],
    ['forgets it where it is to be asked for in each window', { asksPassword: true }, undefined],
  ] as const)
    it(what, async () => {
      const secrets = new FakeSecrets();
      const servers = await keepOne(server, secrets);
      await servers.save({ ...server, ...change });
      assert.deepEqual(servers.list(), [{ ...server, ...change }]);
      assert.deepEqual(
        [await servers.password('1'), secrets.values.size],
        [password, password === undefined ? 0 : 1],
      );
    });

  describe('remember the certificate of a server that is trusted', () => {
    const trusted = { ...server, trustServerCertificate: true } as const;
    const remember = async (): Promise<SavedServers> => {
      const servers = await keepOne(trusted);
      await servers.keepTrusted('1', 'AB:CD');
      return servers;
    };

    it('also when something else of it is edited, and no longer when it is chosen again', async () => {
      const servers = await remember();
      await servers.save({ ...trusted, name: 'Other', trustedCertificate: 'AB:CD' });
      assert.equal(servers.find('1')?.trustedCertificate, 'AB:CD');
      await servers.save(trusted);
      assert.equal(servers.find('1')?.trustedCertificate, undefined);
    });

    it('not for another address, another encryption or another choice', async () => {
      for (const change of [
        { server: 'sql02' },
        { port: 1500 },
        { encrypt: 'strict' },
        { trustServerCertificate: false },
      ] as const) {
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

  it('takes what was kept before there were other logins for a SQL login', () => {
    const older = Object.fromEntries(Object.entries(server).filter(([key]) => key !== 'authentication'));
    assert.deepEqual(listKept([{ ...older, port: 1500 }]), [{ ...server, port: 1500 }]);
  });

  it('takes encryption that could be left out for mandatory, and lets no token go to a server whose certificate nobody checks', () => {
    const entra = { ...server, id: '2', authentication: 'entra', trustServerCertificate: true };
    assert.deepEqual(listKept([{ ...server, encrypt: 'optional' }, entra]), [
      server,
      { ...entra, trustServerCertificate: false },
    ]);
  });

  it('keeps the order in which servers were added', async () => {
    const servers = new SavedServers(new FakeState(), new FakeSecrets());
    for (const id of ['b', 'a', 'c']) await servers.save({ ...server, id });
    await servers.save({ ...server, id: 'a', name: 'again' });
    assert.deepEqual(partsOf(servers.list(), 'id'), ['b', 'a', 'c']);
  });

  it('leaves out what another version or a damaged file left behind', () => {
    const odd = [
      { encrypt: 'sometimes' },
      { port: '1' },
      { authentication: 'kerberos' },
      { user: '' },
      { database: 5 },
      { trustedCertificate: 5 },
      { tokenHost: true },
      { asksPassword: 'no' },
    ];
    for (const kept of [
      null,
      'x',
      {},
      [null, 1, { id: '2' }],
      ...odd.map((each) => [{ ...server, ...each }]),
    ])
      assert.deepEqual(listKept(kept), [], JSON.stringify(kept));
  });
});

describe('the answers of Add Server, kept', () => {
  it('have no password, and nothing that was left empty', () => {
    assert.deepEqual(answer({ tenant: '', database: '' }), {
      id: '1',
      name: 'Prod',
      server: 'sql01',
      authentication: 'sql',
      user: 'sa',
      encrypt: 'mandatory',
      trustServerCertificate: false,
    });
  });

  it('trust no certificate with Microsoft Entra: a token goes only to a server whose certificate is checked', () => {
    assert.equal(
      answer({ authentication: 'entra', trustServerCertificate: true }).trustServerCertificate,
      false,
    );
  });

  it('let tokens go to a host that was confirmed, and to no other address', () => {
    const entra = { authentication: 'entra', tokenHost: 'sql01' } as const;
    assert.equal(answer(entra).tokenHost, 'sql01');
    assert.equal(answer({ ...entra, server: 'tcp:SQL01,1500' }).tokenHost, 'sql01');
    for (const change of [{ server: 'sql02' }, { authentication: 'sql' }] as const)
      assert.equal(answer({ ...entra, ...change }).tokenHost, undefined);
  });

  it('ask for the password in each window only where there is one', () => {
    assert.equal(answer({ asksPassword: true }).asksPassword, true);
    assert.equal(answer({ asksPassword: false }).asksPassword, undefined);
    assert.equal(answer({ asksPassword: true, authentication: 'entra' }).asksPassword, undefined);
  });

  it('trust no certificate with Strict, whatever was chosen before', () => {
    assert.equal(answer({ encrypt: 'strict', trustServerCertificate: true }).trustServerCertificate, false);
    assert.equal(answer({ trustServerCertificate: true }).trustServerCertificate, true);
  });

  it('have a tenant with Microsoft Entra only', () => {
    assert.equal('tenant' in answer({ tenant: 'contoso.com' }), false);
    assert.equal(answer({ authentication: 'entra', tenant: 'contoso.com' }).tenant, 'contoso.com');
  });
});

describe('the place of a server', () => {
  it('is that of a server of the list where address, login and database are the same', () => {
    const listed = [answer({})];
    for (const same of [
      { server: 'SQL01' },
      { server: 'tcp:sql01, 1433' },
      { name: 'Other' },
      { encrypt: 'strict' },
    ] as const)
      assert.equal(findTwin(listed, answer(same)), listed[0], JSON.stringify(same));
    for (const other of [
      { server: 'sql01,1434' },
      { user: 'SA' },
      { database: 'Sales' },
      { readOnlyIntent: true },
    ] as const)
      assert.equal(findTwin(listed, answer(other)), undefined, JSON.stringify(other));
    assert.equal(findTwin([{ ...answer({}), port: 1433 }], answer({}))?.id, '1');
  });
});
