import assert from 'node:assert/strict';
import { explainAddress as checkAddress } from '../../../src/gate/address';
import {
  findImported,
  type Imported,
  type ImportedServer,
  readImported,
} from '../../../src/shell/servers/imported-servers';
import { describeAnswers } from '../../../src/shell/servers/server-answers';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { nothingForbidden } from '../fake-editor';
import { partsOf } from '../sample';

/** A connection as the SQL Server extension writes it. */
const profile = {
  id: '11',
  groupId: 'g1',
  profileName: 'Payroll',
  server: 'sql11',
  database: 'master',
  user: 'dba',
  password: 'p4ssword',
  savePassword: true,
  authenticationType: 'SqlLogin',
  encrypt: 'Mandatory',
  trustServerCertificate: true,
  port: 1433,
  connectTimeout: 30,
};

const groups: readonly unknown[] = [
  { id: 'ROOT', name: 'ROOT' },
  { id: 'g1', name: 'Production' },
];
const read = (
  connections: readonly unknown[],
  saved: readonly SavedServer[] = [],
  rules = nothingForbidden,
  given = groups,
): Imported => readImported({ connections, groups: given }, { checkAddress, rules, isWindows: true }, saved);

function one(entry: unknown, rules = nothingForbidden): ImportedServer {
  const [found] = read([entry], [], rules).servers;
  assert.ok(found, 'it is read');
  return found;
}

describe('a connection of the SQL Server extension', () => {
  it('is read as a server of our own under the id that it has in the pane, without its password', () => {
    const found = one(profile);
    assert.deepEqual(describeAnswers(found.answers, 'x'), {
      id: 'x',
      name: 'Payroll',
      server: 'sql11',
      authentication: 'sql',
      user: 'dba',
      database: 'master',
      encrypt: 'mandatory',
      trustServerCertificate: true,
    });
    assert.deepEqual(
      [found.id, found.group, found.obstacle, found.note],
      ['mssql:11', 'Production', null, null],
    );
    assert.doesNotMatch(JSON.stringify(read([profile])), /p4ssword/);
  });

  it('is never asked for its password, whatever it has in its place', () => {
    const guarded = new Proxy(profile, {
      get: (target, key) => {
        assert.notEqual(key, 'password');
        return Reflect.get(target, key) as unknown;
      },
    });
    assert.equal(one(guarded).answers.user, 'dba');
  });

  it('is found by that id, also where another has its address and login', () => {
    const connections = [7, { server: 'sql99' }, profile, { ...profile, id: '12', encrypt: 'Strict' }];
    const rules = { checkAddress, rules: nothingForbidden, isWindows: true };
    const find = (id: string): string | undefined =>
      findImported({ connections, groups }, rules, id)?.encrypt;
    assert.deepEqual(['mssql:12', 'mssql:11', 'mssql:null', '11'].map(find), [
      'strict',
      'mandatory',
      undefined,
      undefined,
    ]);
  });

  it('keeps port, certificate name, listener and read-only intent', () => {
    const more = { hostNameInCertificate: 'sql11.corp.example', multiSubnetFailover: true };
    const { answers } = one({
      ...profile,
      ...more,
      port: 14330,
      applicationIntent: 'ReadOnly',
      encrypt: 'Strict',
    });
    const { server, hostNameInCertificate, multiSubnetFailover, readOnlyIntent, encrypt } = answers;
    assert.deepEqual({ hostNameInCertificate, multiSubnetFailover }, more);
    assert.deepEqual([server, readOnlyIntent, encrypt], ['sql11,14330', true, 'strict']);
    for (const address of ['sql11,1500', 'sql11\\two'])
      assert.equal(one({ ...profile, server: address, port: 14330 }).answers.server, address);
  });

  for (const encrypt of ['Optional', false, 'False'])
    it(`says that it becomes encrypted where it was not: ${encrypt}`, () => {
      const { answers, note } = one({ ...profile, encrypt });
      assert.deepEqual([answers.encrypt, note], ['mandatory', 'Its connection becomes encrypted.']);
    });

  const noLogin = 'It names no login. If you tick it, you are asked for one.';
  const principal =
    'Its kind of login, ActiveDirectoryServicePrincipal, cannot be used here. If you tick it, you are asked for another.';
  for (const [what, entry, authentication, obstacle] of [
    [
      'a login that we do not have',
      { ...profile, authenticationType: 'ActiveDirectoryServicePrincipal' },
      'sql',
      principal,
    ],
    ['nobody', { ...profile, user: '' }, 'sql', noLogin],
  ] as const)
    it(`that logs in as ${what} says in one sentence that it cannot, and what is asked instead`, () => {
      const found = one(entry);
      assert.deepEqual([found.answers.authentication, found.obstacle], [authentication, obstacle]);
    });

  it('that logs in as the user of this computer does so here too, unless an administrator forbids it', () => {
    for (const entry of [
      { ...profile, authenticationType: 'Integrated', user: '' },
      { id: '12', connectionString: 'Server=sql12;Integrated Security=true;Encrypt=True' },
    ]) {
      const { answers, obstacle } = one(entry);
      assert.deepEqual([answers.authentication, answers.user, obstacle], ['integrated', '', null]);
      const forbidden = one(entry, { ...nothingForbidden, allowIntegrated: false }).obstacle;
      assert.match(String(forbidden), /allowIntegrated does not allow logins as yourself/);
    }
  });

  it('of Microsoft Entra signs in with the account of the editor', () => {
    const account = {
      user: 'Ann (ann@contoso.com) - work',
      email: 'ann@contoso.com',
      tenantId: 'contoso.com',
    };
    for (const authenticationType of ['AzureMFA', 'ActiveDirectoryInteractive']) {
      const entra = { ...profile, ...account, authenticationType, server: 'shop.database.windows.net' };
      const { answers, note, obstacle } = one(entra);
      assert.deepEqual(
        [answers.authentication, answers.user, answers.tenant, obstacle],
        ['entra', 'ann@contoso.com', 'contoso.com', null],
      );
      assert.match(note ?? '', /account signs in/);
    }
  });

  it('may be a connection string, whose password is dropped', () => {
    const connectionString =
      'Data Source=sql13,1500;Initial Catalog=app;User ID=dba;Password="p4ss;word";Encrypt=False;TrustServerCertificate=True';
    assert.deepEqual(read([{ id: '13', connectionString: 'Password="p4ss' }]).damaged, 1);
    const found = one({ id: '13', profileName: 'By string', connectionString });
    const { server, database, user, trustServerCertificate, password } = found.answers;
    assert.deepEqual(
      [server, database, user, trustServerCertificate, password],
      ['sql13,1500', 'app', 'dba', true, undefined],
    );
    assert.equal(found.note, 'Its connection becomes encrypted.');
    assert.doesNotMatch(JSON.stringify(found), /p4ss/);
    // What stands beside the string comes first for that extension.
    const beside = { encrypt: 'Strict', trustServerCertificate: false, database: 'other' };
    const { answers, note } = one({ id: '13', connectionString, ...beside });
    const { encrypt, trustServerCertificate: trusts } = answers;
    assert.deepEqual([encrypt, trusts, answers.database, note], ['strict', false, 'other', null]);
  });

  it('obeys what an administrator forbids', () => {
    assert.equal(
      one(profile, { ...nothingForbidden, allowTrustServerCertificate: false }).answers
        .trustServerCertificate,
      false,
    );
    assert.match(
      one(profile, { ...nothingForbidden, allowedHosts: ['*.corp.example'] }).obstacle ?? '',
      /connections\.allowedHosts/,
    );
  });

  it('is left out where it is in our list, by its id or by its address and login, and where it comes twice', () => {
    const saved: SavedServer = describeAnswers(one(profile).answers, 'own-1');
    assert.deepEqual(read([profile], [saved]), { servers: [], known: ['Payroll'], damaged: 0 });
    const moved = { ...saved, id: 'mssql:11', server: 'elsewhere' };
    assert.deepEqual(read([profile], [moved]).known, ['Payroll']);
    const copy = { ...profile, server: 'sql12' };
    const twice = read([profile, { ...profile, id: '12' }, { ...profile, id: '13', user: 'other' }, copy]);
    // A copy has the id of its original, and leads to another server: it comes in by an id of its own.
    assert.deepEqual([partsOf(twice.servers, 'id'), twice.known], [['mssql:11', 'mssql:13', null], []]);
    assert.deepEqual(partsOf(read([profile, copy], [saved]).servers, 'id'), [null]);
  });

  it('may have any name', () => {
    for (const profileName of ['a]b\'c"--', '🐘', 'a\u202Eb', '$(trash)'])
      assert.equal(one({ ...profile, profileName }).answers.name, profileName);
  });
});

describe('settings of the SQL Server extension that are damaged', () => {
  const damaged = [
    null,
    undefined,
    7,
    'Server=sql01',
    [],
    {},
    { server: 7 },
    { server: { toString: 'x' } },
    { server: '  ' },
    { server: 'x'.repeat(10_000) },
    { server: 'sql\u202E01' },
    { connectionString: ';;;' },
    { connectionString: `Server=${'x'.repeat(1_000_000)}` },
  ];

  it('are counted, and lose nothing that is beside them', () => {
    const found = read([...damaged, profile]);
    assert.deepEqual([partsOf(found.servers, 'id'), found.damaged], [['mssql:11'], damaged.length]);
  });

  it('may have any type in any field', () => {
    for (const value of [null, 7, {}, [], true, 'x'.repeat(1_000), { toString: 1 }])
      for (const key of Object.keys(profile).filter((each) => each !== 'server')) {
        const [found] = read([{ ...profile, [key]: value }]).servers;
        assert.match(found?.answers.server ?? '', /^sql11/, `${key}: ${JSON.stringify(value)?.slice(0, 20)}`);
        for (const text of [found?.answers.name, found?.answers.user, found?.group])
          assert.equal(typeof text, 'string', key);
      }
  });

  it('leave out the entry that the setting suggests, and do not count it', () => {
    const suggested = {
      server: '{{put-server-name-here}}',
      database: '{{put-database-name-here}}',
      user: '{{put-username-here}}',
    };
    assert.deepEqual(read([suggested]), { servers: [], known: [], damaged: 0 });
    const { answers, obstacle } = one({ ...suggested, server: 'sql01' });
    assert.deepEqual([answers.database, answers.user], [undefined, '']);
    assert.match(obstacle ?? '', /names no login/);
  });

  it('may have groups that are none', () => {
    const odd = [null, 7, { id: 'g1' }, { name: 'x' }, { id: 'g1', name: {} }];
    assert.equal(read([profile], [], nothingForbidden, odd).servers[0]?.group, '');
  });
});
