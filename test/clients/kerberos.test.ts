import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { startSimulator } from '../../simulator/index';
import { type CheckTicket, SqlError } from '../../simulator/tds/handler';
import { startTdsServer, type TdsServer } from '../../simulator/tds/server';
import { createDirectAccess } from '../../src/hosts/direct/access';
import type { Connection } from '../../src/hosts/host';
import { findFreePort, type KerberosDomain, startKerberos } from '../../tools/clients/kerberos';
import { installPython } from '../../tools/clients/python-client';
import { root } from '../../tools/packages';
import { runLeashed } from '../../tools/processes/leashed';
import { failOf, failure, type Failure, freely } from '../hosts/opening';
import {
  type AnsweringHost,
  createAnsweringHost,
  giveRows,
  read,
  savedServer,
  SECONDS,
  TEXT,
} from '../hosts/tds-host';
import { prepareOrSkip } from '../pending';
import { checkTicket } from './ticket-check';

const VARIABLES = ['KRB5_CONFIG', 'KRB5CCNAME', 'KRB5_KTNAME'] as const;

describe('A login with a ticket of a real Kerberos domain', () => {
  const variables = new Map(VARIABLES.map((name) => [name, process.env[name]]));
  let domain: KerberosDomain | undefined;
  let annsKey: string;
  let ticket: string;
  let serverKey: string;
  let server: TdsServer;
  let host: AnsweringHost;
  let check: CheckTicket;

  const startServer = async (): Promise<void> => {
    const answering = createAnsweringHost(
      (sql) => giveRows([['sql', TEXT]], [[sql]]),
      ({ user }) => {
        if (user !== 'CONTOSO\\ann') throw new SqlError(18456, `Login failed for user '${user}'.`, 14);
      },
    );
    const checks = {
      windowsDomain: 'CONTOSO',
      checkTicket: (...given: Parameters<CheckTicket>) => check(...given),
    };
    host = Object.assign(answering, checks);
    server = await startTdsServer({ host, tls: 'required' });
  };
  const open = (opening = freely()): Promise<Connection> => {
    const login = { authentication: 'integrated', user: '', port: server.port } as const;
    const get = (): never => assert.fail('a login as yourself has no password');
    return createDirectAccess({
      server: savedServer('localhost', login),
      secrets: { get, accepted: get },
    }).open(opening);
  };
  /** How it fails, and how many logins the server saw. */
  const fail = async (): Promise<Failure & { readonly logins: number }> => {
    const { message, ...rest } = await failOf(open(), `localhost,${server.port}`);
    return { ...rest, message: message.replaceAll(String(server.port), 'PORT'), logins: host.logins.length };
  };
  const serviceOf = (port: number): string => `MSSQLSvc/localhost:${port}`;

  before(async function () {
    domain = await prepareOrSkip(this, startKerberos);
    process.env.KRB5_CONFIG = domain.configFile;
    annsKey = await domain.add('ann');
    ticket = await domain.logIn('ann', annsKey);
    await startServer();
    serverKey = await domain.add(serviceOf(server.port));
  });
  beforeEach(() => {
    check = checkTicket;
    Object.assign(process.env, {
      KRB5CCNAME: ticket,
      KRB5_KTNAME: serverKey,
      KRB5_CONFIG: domain?.configFile,
    });
    host.logins.length = 0;
  });
  after(async () => {
    for (const [name, value] of variables)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await server?.close();
    await domain?.stop();
  });

  it('needs no password and asks nobody: one login at the door of the server, in the name of the ticket', async () => {
    const turns: unknown[] = [];
    const connection = await open({
      ...freely(),
      turn: async (secret) => void turns.push(secret),
      askUser: () => assert.fail('nobody is to be asked'),
    });
    assert.equal((await connection.query(read('SELECT 1;'), SECONDS))[0]?.rows[0]?.[0], 'SELECT 1;');
    await connection.close();
    const logins = host.logins.map(({ user, password, encrypted }) => ({ user, password, encrypted }));
    assert.deepEqual(logins, [{ user: 'CONTOSO\\ann', password: '', encrypted: true }]);
    assert.deepEqual(turns, [undefined]);
  });

  const unsent: readonly (readonly [title: string, set: () => Promise<void>, message: string])[] = [
    [
      'without a ticket',
      async () => void (process.env.KRB5CCNAME = `${ticket}-of-nobody`),
      'You have no Kerberos ticket: get one with kinit.',
    ],
    [
      'with an expired ticket',
      async () => {
        const short = (await domain?.logIn('ann', annsKey, '1s')) ?? '';
        await domain?.waitForEnd(short);
        process.env.KRB5CCNAME = short;
      },
      'Your Kerberos ticket has expired: get a new one with kinit.',
    ],
    [
      'to a domain that does not answer',
      async () => {
        // A ticket for the service that was had before would do without the domain.
        process.env.KRB5CCNAME = (await domain?.logIn('ann', annsKey)) ?? '';
        process.env.KRB5_CONFIG = domain?.configure(await findFreePort()) ?? '';
      },
      'No domain controller answered for HOST: check the network and the VPN.',
    ],
  ];
  for (const [title, set, message] of unsent)
    it(`${title} is not sent, says so in one sentence, and is tried again later`, async () => {
      await set();
      assert.deepEqual(await fail(), { ...failure('unreachable', message), logins: 0 });
    });

  it('ends at once for who cancels while the domain keeps silent, and sends nothing afterwards', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    process.env.KRB5CCNAME = await domain?.logIn('ann', annsKey);
    process.env.KRB5_CONFIG = domain?.configure((silent.address() as AddressInfo).port);
    const stop = new AbortController();
    const turn = (): never => assert.fail('no login is to be sent');
    const attempt = failOf(open({ ...freely(stop.signal), turn }));
    await once(silent, 'connection');
    stop.abort();
    assert.equal((await attempt).reason, 'cancelled');
    // The domain is gone, and what waited for it goes on.
    silent.close();
    for (const socket of sockets) socket.destroy();
    await setTimeout(100);
    assert.equal(host.logins.length, 0);
  });

  it('to a server that the domain does not know names the service, and how to look for it', async () => {
    const { port, close } = await startTdsServer({ host, tls: 'required' });
    const known = server;
    server = { ...server, port };
    try {
      assert.deepEqual(await fail(), {
        ...failure(
          'unreachable',
          'The domain knows no MSSQLSvc/localhost:PORT, which HOST should be: check the name of the server, and ask an administrator to look with setspn -Q MSSQLSvc/localhost:PORT.',
        ),
        logins: 0,
      });
    } finally {
      server = known;
      await close();
    }
  });

  it('of somebody without a login there is refused once, and stops the others of that account', async () => {
    process.env.KRB5CCNAME = (await domain?.logIn('bob', (await domain?.add('bob')) ?? '')) ?? '';
    const message =
      'HOST refused your own login: ask an administrator for a login on that server (Msg 18456).';
    assert.deepEqual(await fail(), { ...failure('loginFailed', message), logins: 1 });
  });

  const UNTRUSTED = failure(
    'loginFailed',
    'HOST refused your own login: its domain does not trust yours, or its SPN belongs to another account. Ask an administrator (Msg 18452).',
  );

  it('is refused by a server whose name belongs to another account in the domain', async () => {
    process.env.KRB5_KTNAME = await domain?.add('another-account');
    assert.deepEqual(await fail(), { ...UNTRUSTED, logins: 0 });
  });

  it('is of no use to who passes it on over another connection, where the server looks for that', async () => {
    check = (token, binding) =>
      checkTicket(token, binding && Buffer.concat([binding.subarray(0, -1), Buffer.of(0)]));
    assert.deepEqual(await fail(), { ...UNTRUSTED, logins: 0 });
  });

  it('ends where the server does not prove that it is the one that the ticket is for', async () => {
    check = (...given) => {
      const checked = checkTicket(...given);
      return checked && { ...checked, reply: Buffer.alloc(checked.reply.length, 1) };
    };
    const { reason, message } = await fail();
    assert.equal(reason, 'needsClick');
    assert.match(
      message,
      /^HOST could not prove that it is MSSQLSvc\/localhost:PORT: ask an administrator to check its SPN \(/,
    );
  });

  it('is that of the command line too: --windows asks for no name and no password', async function () {
    const user = await domain?.add('svc-monitor');
    process.env.KRB5CCNAME = await domain?.logIn('svc-monitor', user ?? '');
    const simulator = await startSimulator({ rate: 0, tls: 'required', checkTicket });
    try {
      process.env.KRB5_KTNAME = await domain?.add(serviceOf(simulator.port));
      const program = ['--require', 'tsx/cjs', '--require', './test/sql-as-text.cjs', 'cli/src/main.ts'];
      const order = [
        'doctor',
        '--windows',
        '--trust-server-certificate',
        '--server',
        `localhost,${simulator.port}`,
      ];
      const { output } = await runLeashed(process.execPath, [...program, ...order], { cwd: root });
      assert.match(output, /The login CONTOSO\\svc-monitor works\./i);
    } finally {
      await simulator.close();
    }
  });

  it("is made as Microsoft's ODBC driver makes it: a token of Kerberos for the service at its port", async function () {
    const python = await prepareOrSkip(this, () => installPython('mssql-python'));
    const seen: { readonly token: Buffer; readonly user: string | undefined }[] = [];
    check = (token, binding) => {
      const checked = checkTicket(token, binding);
      seen.push({ token, user: checked?.user });
      return checked;
    };
    const connection = await open();
    await connection.close();
    // It says the computer's name for localhost.
    process.env.KRB5_KTNAME = await domain?.add(`MSSQLSvc/${hostname()}:${server.port}`);
    const order = `SERVER=localhost,${server.port};Trusted_Connection=yes;Encrypt=yes;TrustServerCertificate=yes`;
    const script = `import os, mssql_python; mssql_python.connect("${order}", autocommit=True); os._exit(0)`;
    const env = { ...process.env, LD_LIBRARY_PATH: domain?.libraries };
    const { exitCode, output } = await runLeashed(python, ['-c', script], { env });
    assert.equal(exitCode, 0, output);
    // RFC 2743: the first bytes are a tag and a length, then the mechanism.
    const mechanisms = seen.map(({ token, user }) => [user, token.subarray(4, 15).toString('hex')]);
    const kerberos = ['CONTOSO\\ann', '06092a864886f712010202'];
    assert.deepEqual(mechanisms, [kerberos, kerberos]);
  });
});
