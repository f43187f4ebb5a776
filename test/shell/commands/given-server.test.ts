import assert from 'node:assert/strict';
import { type AddedServer, addGivenServer, readAddedServer } from '../../../src/shell/commands/given-server';
import type { ConnectionRules } from '../../../src/gate/connection-rules';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { createDesk, createForm, type Desk, nothingForbidden } from '../fake-editor';
import { facts, partsOf, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts(systemDatabases));
const given: AddedServer = {
  caller: 'Fleet Tools',
  name: 'Prod',
  server: 'sql01',
  user: 'sa',
  password: 'p4ssword',
  encrypt: true,
  trustServerCertificate: false,
};
const keep = 'Add and Keep the Password';

describe('addServer, called by another extension', () => {
  let revealed: unknown[];
  beforeEach(() => (revealed = []));

  async function add(
    desk: Desk,
    argument: AddedServer,
    rules: ConnectionRules = nothingForbidden,
  ): Promise<string> {
    const form = createForm(desk, [], {
      checkAddress: (server) => (server.startsWith('np:') ? 'Only TCP.' : null),
      rules: () => rules,
      reveal: async (...shown) => void revealed.push(shown),
    });
    return addGivenServer(desk.context, form, argument);
  }
  const list = (desk: Desk): readonly SavedServer[] => desk.servers.saved.list();
  const first = (desk: Desk): SavedServer => list(desk)[0] ?? assert.fail('nothing was added');

  it('asks the user, who sees who asks and everything that is to be kept, and never the password', async () => {
    const desk = createDesk(found, [keep]);
    await add(desk, { ...given, port: 1500, database: 'Sales', hostNameInCertificate: 'sql.contoso.com' });
    assert.deepEqual(desk.conversation.said, [
      'An extension that calls itself "Fleet Tools" wants to add a server.',
    ]);
    assert.deepEqual(desk.conversation.details[0]?.split('\n'), [
      'Name: Prod',
      'Address: sql01,1500',
      'Kind of login: SQL Login',
      'Login: sa',
      'Database: Sales',
      'Encryption: Mandatory',
      'Certificate: checked',
      'Name in the certificate: sql.contoso.com',
      '',
      'It supplied a password for this login.',
    ]);
    assert.deepEqual(desk.conversation.buttons, [[keep, 'Add']]);
    desk.context.log.error('the driver says p4ssword');
    assert.doesNotMatch(desk.logged.join(), /p4ssword/);
  });

  it('says that it does not know who asks where the caller does not say so, and that any certificate is to be trusted', async () => {
    const desk = createDesk(found, [keep]);
    await add(desk, { ...given, caller: undefined, trustServerCertificate: true });
    assert.deepEqual(desk.conversation.said, ['Another extension wants to add a server.']);
    assert.match(
      desk.conversation.details[0] ?? '',
      /Certificate: the first one that the server shows is trusted, no matter who issued it/,
    );
  });

  it('adds nothing where the user does not allow it, and says so in one sentence', async () => {
    const desk = createDesk(found);
    await assert.rejects(add(desk, given), { message: 'addServer: the user did not allow it.' });
    assert.deepEqual([list(desk), desk.secrets.values.size, revealed], [[], 0, []]);
  });

  for (const [button, stored] of [
    [keep, 'p4ssword'],
    ['Add', undefined],
  ] as const)
    it(`shows the row, connects to nothing, and after "${button}" stores ${stored === undefined ? 'no password' : 'the password once the server took it'}`, async () => {
      const desk = createDesk(found, [button]);
      const id = await add(desk, given);
      assert.deepEqual([revealed, desk.monitors], [[[id, false]], []]);
      const server = first(desk);
      assert.deepEqual(
        [await desk.passwords.password(server, false), await desk.servers.saved.password(id)],
        ['p4ssword', undefined],
      );
      await desk.passwords.accepted(server, 'p4ssword');
      assert.equal(await desk.servers.saved.password(id), stored);
    });

  it('asks nothing and changes nothing where the server is in the list with the same settings, however its address is written', async () => {
    const desk = createDesk(found, [keep]);
    const id = await add(desk, given);
    await desk.servers.look(id);
    const before = list(desk);
    for (const same of [
      given,
      { ...given, server: 'tcp:SQL01,1433', password: 'other' },
      { ...given, caller: 'Somebody' },
    ])
      assert.equal(await add(desk, same), id);
    assert.deepEqual(
      [list(desk), desk.conversation.said.length, desk.monitors[0]?.isDisposed],
      [before, 1, false],
    );
    assert.equal(await desk.passwords.password(first(desk), false), 'p4ssword');
  });

  it('asks before it changes a server of the list, and shows what would change, old and new', async () => {
    const desk = createDesk(found, [keep, 'Change']);
    const id = await add(desk, { ...given, trustServerCertificate: true });
    assert.equal(await add(desk, { ...given, name: 'Production', encrypt: 'strict' }), id);
    assert.equal(
      desk.conversation.said[1],
      'An extension that calls itself "Fleet Tools" wants to change the server Prod.',
    );
    assert.deepEqual(desk.conversation.details[1]?.split('\n').slice(0, 3), [
      'Name: Production (now: Prod)',
      'Encryption: Strict (now: Mandatory)',
      'Certificate: checked (now: the first one that the server shows is trusted, no matter who issued it)',
    ]);
    assert.deepEqual(partsOf(list(desk), 'name', 'encrypt'), [['Production', 'strict']]);
  });

  it('keeps what only the user can set', async () => {
    const desk = createDesk(found, [keep, 'Change']);
    const id = await add(desk, given);
    await desk.servers.save({ ...first(desk), connectTimeoutSeconds: 60, multiSubnetFailover: true });
    await add(desk, { ...given, name: 'Production' });
    const server = desk.servers.saved.find(id);
    assert.deepEqual(
      [server?.name, server?.connectTimeoutSeconds, server?.multiSubnetFailover],
      ['Production', 60, true],
    );
  });

  for (const [what, before, after] of [
    ['strict encryption into mandatory', { encrypt: 'strict' }, {}],
    ['a certificate that is checked into one that is trusted', {}, { trustServerCertificate: true }],
    [
      'a name in the certificate into another',
      { hostNameInCertificate: 'a.example' },
      { hostNameInCertificate: 'evil.example' },
    ],
    ['a name in the certificate into none', { hostNameInCertificate: 'a.example' }, {}],
    ['the name of the address into another', {}, { hostNameInCertificate: 'evil.example' }],
    [
      'strict into trust, beside a harmless name',
      { encrypt: 'strict' },
      { name: 'Nice', trustServerCertificate: true },
    ],
  ] as const)
    it(`never turns ${what}, whatever the user would say`, async () => {
      const desk = createDesk(found, [keep, true, true]);
      await add(desk, { ...given, ...before });
      const kept = list(desk);
      await assert.rejects(add(desk, { ...given, ...after }), {
        message:
          'addServer would make the connection to Prod less safe than you set it up. Change it yourself with Edit Server.',
      });
      assert.deepEqual([list(desk), desk.conversation.said.length], [kept, 1]);
    });

  it('says that a token will be sent to a host that is not of Azure, which adding allows', async () => {
    const desk = createDesk(found, [true, true]);
    const entra = {
      ...given,
      authentication: 'entra',
      user: 'ann@contoso.com',
      password: undefined,
    } as const;
    await add(desk, entra);
    assert.match(
      desk.conversation.details[0] ?? '',
      /sql01 is not an Azure host\. A token for Azure SQL is sent to it/,
    );
    assert.deepEqual([first(desk).tokenHost, desk.conversation.buttons[0]], ['sql01', ['Add Server']]);
    await add(desk, { ...entra, server: 'shop.database.windows.net' });
    assert.doesNotMatch(desk.conversation.details[1] ?? '', /token/);
    assert.equal(list(desk)[1]?.tokenHost, undefined);
  });

  it('is refused in one sentence where an administrator forbids the server, before anything is asked', async () => {
    const desk = createDesk(found, [keep]);
    const forbidden: readonly (readonly [Partial<ConnectionRules>, AddedServer])[] = [
      [{ allowedHosts: ['*.corp.example'] }, given],
      [{ allowTrustServerCertificate: false }, { ...given, trustServerCertificate: true }],
      [{ allowNtlm: false }, { ...given, authentication: 'windows', user: 'C\\ann' }],
    ];
    for (const [rules, argument] of forbidden)
      await assert.rejects(
        add(desk, argument, { ...nothingForbidden, ...rules }),
        /^Error: The setting checkpointHealth\.connections\.\w+ does not allow /,
      );
    await assert.rejects(add(desk, { ...given, server: 'np:x' }), /^Error: Only TCP\.$/);
    assert.deepEqual(desk.conversation.said, []);
  });

  it('offers to keep no password where an administrator forbids that', async () => {
    const desk = createDesk(found, ['Add']);
    await add(desk, given, { ...nothingForbidden, allowStoredPasswords: false });
    assert.deepEqual([desk.conversation.buttons, first(desk).asksPassword], [[['Add']], true]);
  });
});

const server = {
  name: 'Prod',
  server: 'sql01',
  port: 1433,
  authentication: 'sql',
  user: 'sa',
  encrypt: 'mandatory',
  trustServerCertificate: false,
} as const;
const described = { ...server, authentication: undefined, encrypt: true, password: 'p4ssword' };

describe('a server that another extension adds', () => {
  it('is read into what is kept and a password, and nothing but what is known', () => {
    assert.deepEqual(readAddedServer({ ...described, id: 'mine', extra: 1 }), {
      caller: undefined,
      server,
      password: 'p4ssword',
    });
    const strict = readAddedServer({
      ...described,
      encrypt: 'strict',
      trustServerCertificate: true,
      port: undefined,
      caller: 'Fleet',
    });
    assert.deepEqual(
      [strict.server.encrypt, strict.server.trustServerCertificate, strict.caller],
      ['strict', false, 'Fleet'],
    );
  });

  it('may have a Windows login, with its domain in it or beside it', () => {
    const windows = { ...described, authentication: 'windows' };
    for (const login of [{ user: 'CONTOSO\\ann' }, { user: 'ann', domain: 'CONTOSO' }])
      assert.equal(readAddedServer({ ...windows, ...login }).server.user, 'CONTOSO\\ann');
    assert.throws(() => readAddedServer({ ...windows, user: 'ann' }), /^Error: addServer: user is DOMAIN/);
  });

  it('may sign in by Microsoft Entra: without a password, and encrypted', () => {
    const entra = {
      ...described,
      authentication: 'entra',
      user: undefined,
      tenant: 'contoso.com',
      database: 'Sales',
    };
    const { server: read, password } = readAddedServer(entra);
    assert.deepEqual(
      [read.user, read.tenant, read.database, read.encrypt, password],
      ['', 'contoso.com', 'Sales', 'mandatory', undefined],
    );
  });

  it('has no text that could pass for something else in the dialog', () => {
    for (const name of [
      'Prod\nAddress: good.example',
      'a\u2028b',
      'evil\u202egnp',
      'a\u200bb',
      'x'.repeat(257),
    ])
      for (const key of ['name', 'server', 'user', 'caller', 'database'])
        assert.throws(
          () => readAddedServer({ ...described, [key]: name }),
          new RegExp(`^Error: addServer: ${key} is a text of at most 256`),
        );
  });

  for (const [field, value, sentence] of [
    ['name', ' ', 'a text that is not empty'],
    ['server', 7, 'a text that is not empty'],
    ['user', undefined, 'a text that is not empty'],
    ['password', null, 'a text'],
    ['authentication', 'kerberos', 'sql, windows, integrated or entra'],
    ['database', 5, 'a text that is not empty'],
    ['hostNameInCertificate', '', 'a text that is not empty'],
    ['port', 0, 'a whole number from 1 to 65535'],
    ['port', '1433', 'a whole number from 1 to 65535'],
    ['encrypt', 'yes', 'mandatory, strict or true'],
    ['encrypt', false, 'mandatory, strict or true, because Checkpoint Health always encrypts'],
    ['encrypt', 'optional', 'mandatory, strict or true, because Checkpoint Health always encrypts'],
    ['trustServerCertificate', 'true', 'true or false'],
  ] as const)
    it(`is refused with a sentence that names the field: ${field} ${String(value)}`, () => {
      assert.throws(() => readAddedServer({ ...described, [field]: value }), {
        message: `addServer: ${field} is ${sentence}.`,
      });
    });

  it('is refused where it is no object, or a token would go where nobody checks the certificate', () => {
    assert.throws(() => readAddedServer('sql01'), /takes one object/);
    const trusting = { ...described, authentication: 'entra', trustServerCertificate: true };
    assert.throws(
      () => readAddedServer(trusting),
      /^Error: addServer: trustServerCertificate is false for entra/,
    );
  });
});
