import assert from 'node:assert/strict';
import { AzdataConnection } from '../../../src/hosts/azdata/connection';
import { AzdataLogin } from '../../../src/hosts/azdata/login';
import { readAzdataProfile } from '../../../src/hosts/azdata/profile';
import { Reach } from '../../../src/hosts/sql-tools-service';
import { AzdataServers } from '../../../src/hosts/azdata/servers';
import { HeldAnswer } from '../../held-answer';
import { connectRow, read, seeded, seededServer, startAzdata, type AzdataTest } from './host';
import { LoginRefused, toArgument } from '../azdata-fake/connections';
import { readRecording, recordedId, recordedPassword, setOf } from '../azdata-fake/azdata-fake';
import { failOf, freely, quietly } from '../opening';

const SECRET = 'Hunter2!';
const options = { timeoutMs: 1_000 };
/** No password is saved, and the dialog takes one. */
const askedFor = { saved: [{ ...seeded, savePassword: false }], passwords: { other: 'typed' } };

function refuse(message: string, code: number) {
  return async (): Promise<string> => {
    throw new LoginRefused(message, code);
  };
}

describe('A connection of Azure Data Studio', () => {
  it('is made with the saved password where it is not in use, saves nothing and opens no dashboard', async () => {
    const { fake, open } = startAzdata({ execute: async () => ({ sets: [setOf(['n'], [[1]])] }) });
    const connection = await open();
    assert.deepEqual((await connection.query(read('SELECT n = 1;'), options))[0]?.rows, [['1']]);
    const [profile] = fake.connected;
    assert.ok(profile !== undefined && fake.connected.length === 1);
    assert.equal(profile.password, recordedPassword);
    assert.deepEqual([fake.settings.user?.length, fake.dashboards], [1, []]);
    assert.deepEqual(
      [profile.serverName, profile.userName, profile.savePassword, profile.saveProfile],
      ['seedhost', 'sa', false, false],
    );
    assert.equal(
      profile.options['applicationName'],
      'Checkpoint Health',
      'so it shows in the server under our name',
    );
  });

  it("is the user's own where that is in use, and no login is made", async () => {
    const { fake, open } = startAzdata({ execute: async () => ({ sets: [setOf(['n'], [])] }) });
    const uri = await connectRow(fake);
    await (await open()).query(read('SELECT 1;'), options);
    assert.deepEqual(fake.connected, []);
    assert.equal(fake.queries.asked[0]?.uri, uri);
    assert.equal(uri, readRecording<{ uri: string }>('run-query-and-return').uri);
  });

  it("does not take the place of the user's: a row of the tree that is being connected comes to its end", async () => {
    const login = new HeldAnswer<string>();
    const { fake, open } = startAzdata({ logIn: login.call });
    const row = connectRow(fake);
    const opened = open();
    login.give('master');
    await Promise.all([row, opened]);
    assert.notEqual(fake.connections.findUri(recordedId), undefined);
  });

  it('is not that of a query editor, which goes with the editor', async () => {
    const { fake, open } = startAzdata();
    await fake.connections.connect(fake.find(recordedId), 'untitled:SQLQuery_1');
    await open();
    assert.equal(fake.connected.length, 1);
  });

  it('is made once for all who ask at the same time, and used again afterwards', async () => {
    const { fake, open } = startAzdata();
    await Promise.all([open(), open(), open()]);
    await open();
    assert.equal(fake.connected.length, 1);
  });

  it('stays open when we close ours', async () => {
    const { fake, open } = startAzdata();
    const connection = await open();
    await connection.close();
    assert.equal(fake.connections.active().length, 1);
    await assert.rejects(connection.query(read('SELECT 1;'), options), { reason: 'disconnected' });
  });

  it('asks the user with the dialog of the host where no password is saved', async () => {
    const { fake, open } = startAzdata(askedFor);
    fake.dialog = (initial) => {
      assert.deepEqual([initial?.serverName, initial?.userName, initial?.password], ['seedhost', 'sa', '']);
      return { password: 'typed' };
    };
    await open();
    assert.equal(fake.connections.active().length, 1);
  });

  it('is not made where the user closes that dialog', async () => {
    const { open } = startAzdata({ saved: [{ ...seeded, savePassword: false }], passwords: {} });
    await assert.rejects(open(), { name: 'ConnectionError', reason: 'promptClosed' });
  });

  it('is not taken for another server that the user chose in that dialog', async () => {
    const { fake, open } = startAzdata(askedFor);
    fake.dialog = () => ({ password: 'typed', server: 'elsewhere' });
    await assert.rejects(open(), /The server chosen in the connection dialog is not seedhost/);
  });

  it('asks for no password where the login is not of SQL Server', async () => {
    const { fake, open } = startAzdata({
      saved: [{ ...seeded, authenticationType: 'Integrated' }],
      logIn: async () => 'master',
    });
    fake.dialog = () => assert.fail('no dialog');
    await open();
    assert.equal(fake.connected[0]?.authenticationType, 'Integrated');
  });

  it('keeps account and tenant of an Entra login', async () => {
    const entra = {
      ...seeded,
      authenticationType: 'AzureMFA',
      options: { azureAccount: 'a1', azureTenantId: 't1' },
    };
    const { fake, open } = startAzdata({ saved: [entra], logIn: async () => 'master' });
    await open();
    const profile = fake.connected[0] as unknown as Record<string, unknown>;
    assert.deepEqual([profile['azureAccount'], profile['azureTenantId']], ['a1', 't1']);
  });

  it('to Azure SQL waits for a click, because the host may open its dialog about the firewall', async () => {
    const server = 'Sales.database.windows.net,1433';
    const azure = { ...seeded, server };
    const { fake, host, open } = startAzdata({ saved: [azure], logIn: async () => 'master' });
    const [listed] = (await host.listServers()).servers;
    await assert.rejects(host.access(listed!).open(quietly()), {
      reason: 'needsClick',
      message: /a login to seeded: Azure Data Studio may ask about its firewall/,
    });
    assert.equal(fake.connected.length, 0);
    await open(listed);
    assert.equal(fake.connected.length, 1);
  });

  it('whose token has run out says to sign in again, and is tried on a click only', async () => {
    const saved = [{ ...seeded, authenticationType: 'AzureMFA' }];
    const logIn = (): Promise<string> =>
      Promise.reject(new Error('AADSTS700082: The refresh token has expired due to inactivity.'));
    const { open } = startAzdata({ saved, logIn });
    await assert.rejects(open(), {
      reason: 'needsClick',
      message: /has no valid token of Microsoft Entra for .*: sign in to its account again there/,
    });
  });

  it('can be of a row that the host does not list: then it asks', async () => {
    const { fake, host, open } = startAzdata({ saved: [], passwords: { other: 'typed' } });
    const pointedAt = host.readTarget(readRecording('server-row-argument'));
    fake.dialog = () => ({ password: 'typed' });
    assert.ok(pointedAt !== null);
    await open(pointedAt.server);
    assert.equal(fake.connections.active().length, 1);
  });

  it('says that it is gone where the user has deleted it', async () => {
    const { open } = startAzdata({ saved: [] });
    await assert.rejects(open(), {
      reason: 'unreachable',
      message: 'Azure Data Studio no longer has the connection seeded: add it there again.',
    });
  });

  it('does not lead to another server after the user has edited it', async () => {
    const { fake, host, open } = startAzdata({ execute: async () => ({ sets: [setOf(['n'], [])] }) });
    const connection = await open();
    await connectRow(fake);
    const [stored] = fake.settings.user!;
    fake.settings.user = [{ ...stored!, options: { ...stored!.options, server: 'elsewhere' } }];
    fake.connections.disconnect(fake.connections.findUri(recordedId)!);
    // What was open stays with its server.
    await connection.query(read('SELECT 1;'), options);
    assert.deepEqual(
      fake.queries.asked.map(({ server }) => server),
      ['seedhost'],
    );
    for (const { id } of fake.connections.active())
      fake.connections.disconnect(fake.connections.findUri(id)!);
    await assert.rejects(open(), {
      reason: 'unreachable',
      message: 'The connection seeded no longer leads to seedhost: refresh.',
    });
    const [edited] = (await host.listServers()).servers;
    await open(edited!);
    assert.equal(fake.connected.at(-1)?.serverName, 'elsewhere');
  });

  it('is not taken over from the user where his leads to another server than the one that was listed', async () => {
    const { fake, open } = startAzdata();
    await connectRow(fake);
    await assert.rejects(open({ ...seededServer, server: 'elsewhere' }), { reason: 'unreachable' });
    assert.deepEqual(fake.connected, []);
  });

  it('is made after a reload too, when the extension that makes it is not active yet', async () => {
    const { fake, open } = startAzdata();
    fake.hasProvider = false;
    await open();
    assert.equal(fake.connections.active().length, 1);
  });

  it('waits after a reload until the host knows what such a connection is made of', async () => {
    const { fake, host, open } = startAzdata();
    fake.hasCapabilities = false;
    assert.deepEqual((await host.listServers()).servers, [seededServer]);
    setTimeout(() => (fake.hasCapabilities = true), 20);
    await open();
    assert.equal(fake.connections.active().length, 1);
  });

  it('is given up where the host never answers, and can be tried again', async () => {
    let isFirst = true;
    const logIn = (): Promise<string> => (isFirst ? new Promise(() => undefined) : Promise.resolve('master'));
    const { open } = startAzdata({ logIn }, { connectPatienceMs: 10 });
    await assert.rejects(open(), {
      reason: 'unreachable',
      message: /did not say within 0\.01 s whether it could connect to seedhost/,
    });
    isFirst = false;
    await open();
  });

  for (const [what, change] of [
    ['the host never comes to know it', ({ fake }) => void (fake.hasCapabilities = false)],
    [
      'the extension that makes it never gets active',
      ({ fake, editor }) => {
        fake.hasProvider = false;
        for (const extension of editor.extensions) extension.activate = () => new Promise(() => undefined);
      },
    ],
  ] satisfies readonly (readonly [string, (test: AzdataTest) => void])[])
    it(`is given up where ${what}`, async () => {
      const test = startAzdata({}, { connectPatienceMs: 10 });
      change(test);
      await assert.rejects(test.open(), { reason: 'unreachable', message: /did not say within 0\.01 s/ });
      assert.deepEqual(test.fake.connected, []);
    });

  it('says what is missing where nothing connects to SQL Server, without a dialog of the host', async () => {
    const { fake, editor, host, open } = startAzdata();
    fake.hasProvider = false;
    assert.equal(await host.findObstacle(), null, 'the extension is there and registers when it is needed');
    editor.extensions = [];
    assert.match(
      (await host.findObstacle()) ?? '',
      /^Nothing here connects to SQL Server. Install or enable .*\.$/,
    );
    await assert.rejects(open(), { reason: 'unreachable' });
    assert.deepEqual(fake.connected, []);
  });

  it('is cancelled while it is being made, and the next attempt does not wait for the first', async () => {
    let isFirst = true;
    const { host, open } = startAzdata({
      logIn: () => {
        if (!isFirst) return Promise.resolve('master');
        isFirst = false;
        return new Promise(() => undefined);
      },
    });
    const controller = new AbortController();
    const opening = host.access(seededServer).open(freely(controller.signal));
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(opening, { name: 'ConnectionError', reason: 'cancelled' });
    await open();
    await assert.rejects(host.access(seededServer).open(freely(controller.signal)), { reason: 'cancelled' });
  });

  describe('that fails', () => {
    const cases = [
      ["Login failed for user 'sa'.", 18456, 'loginFailed', 18456],
      ['Cannot open database "Sales" requested by the login.', 4060, 'loginFailed', 4060],
      [
        'The certificate chain was issued by an authority that is not trusted.',
        -2146893019,
        'untrustedCertificate',
        null,
      ],
      ['A network-related or instance-specific error occurred.', 53, 'unreachable', 53],
      ['Something else.', 0, 'unreachable', null],
    ] as const;
    for (const [message, code, reason, number] of cases) {
      it(`names the reason ${reason} of "${message}"`, async () => {
        const { open } = startAzdata({ logIn: refuse(message, code) });
        const failure = await failOf(open());
        assert.deepEqual([failure.reason, failure.number], [reason, number]);
        assert.ok(
          failure.message.includes('seedhost') && failure.message.includes(message.slice(0, -1)),
          failure.message,
        );
      });
    }

    it('counts as a dialog that was closed where the host gives no reason', async () => {
      const { open } = startAzdata({ logIn: refuse('', 0) });
      await assert.rejects(open(), { reason: 'promptClosed' });
    });

    it('says nothing of the password, whatever the host says or throws', async () => {
      const passwords = { [recordedId]: SECRET };
      const said = startAzdata({ passwords, logIn: refuse(`Cannot use "Password=${SECRET}"\r\n at X`, 1) });
      const thrown = startAzdata({ passwords });
      thrown.fake.azdata.connection.connect = async () => Promise.reject(new Error(`Cannot use ${SECRET}`));
      for (const { open } of [said, thrown]) {
        const { message } = await failOf(open());
        assert.ok(
          !message.includes(SECRET) &&
            message.includes('***') &&
            /Cannot use/.test(message) &&
            !/[\r\n]/.test(message),
          message,
        );
      }
    });
  });

  it('leaves no password behind in anything that we keep', async () => {
    const { fake, editor } = startAzdata({ passwords: { [recordedId]: SECRET } });
    const canReach = (): Promise<null> => Promise.resolve(null);
    const world = { azdata: fake.azdata, vscode: editor.vscode, canReach };
    const servers = new AzdataServers(world);
    const login = new AzdataLogin(world, servers);
    const connection = new AzdataConnection(
      { world, login, reach: new Reach(canReach), id: await login.open(seededServer, freely()) },
      seededServer,
    );
    await connectRow(fake);
    await connection.query(read('SELECT 1;'), options).catch(() => undefined);
    const { options: found } = fake.find(recordedId);
    servers.point(
      readAzdataProfile(
        toArgument({ ...fake.find(recordedId), id: 'elsewhere', options: { ...found, server: 'elsewhere' } }),
      )!,
    );
    const listing = await servers.list();
    assert.equal(listing.servers.length, 2);
    assert.ok(reaches({ fake }, SECRET), 'the search finds what is there');
    assert.ok(
      !reaches({ servers, login, connection, listing }, SECRET, world),
      'the password can be reached',
    );
  });
});

/** Whether a text can be reached from a value by properties, maps and sets, but not by way of `outside`. */
function reaches(root: unknown, text: string, outside?: object): boolean {
  const seen = new Set<unknown>([outside]);
  const queue = [root];
  for (const value of queue) {
    if (typeof value === 'string' && value.includes(text)) return true;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const inside =
      value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
    queue.push(...(inside as unknown[]));
  }
  return false;
}
