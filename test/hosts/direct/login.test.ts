import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createCertificate } from '../../../simulator/tds/certificate';
import { startTdsServer, type TdsServer, type TlsMode } from '../../../simulator/tds/server';
import { SqlError, type Login } from '../../../simulator/tds/handler';
import type { ReadText } from '../../../src/core/script/text';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import { ConnectionError, type Connection, type OwnServer } from '../../../src/hosts/host';
import { createAnsweringHost, giveRows, PASSWORD, TEXT, type AnsweringHost } from '../tds-host';
import { freely, keptSecret, quietly } from '../opening';

describe('a login of our own driver', () => {
  let server: TdsServer;
  let host: AnsweringHost;

  async function start(tls: TlsMode, login?: (login: Login) => void): Promise<void> {
    host = createAnsweringHost((sql) => giveRows([['sql', TEXT]], [[sql]]), login);
    server = await startTdsServer({ host, tls });
  }

  const here = (): OwnServer => ({
    id: 'a',
    name: 'A',
    server: '127.0.0.1',
    port: server.port,
    user: 'dba',
    encrypt: 'mandatory',
    trustServerCertificate: true,
  });

  function open(changes: Partial<OwnServer> = {}, password = PASSWORD): Promise<Connection> {
    const access = { server: { ...here(), ...changes }, secrets: keptSecret(password), connectTimeoutMs: 5_000 };
    return createDirectAccess(access).open(freely());
  }

  async function failOf(attempt: Promise<unknown>): Promise<{ reason: string; message: string; number: number | null }> {
    const error = await attempt.then(
      () => assert.fail('it connected'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ConnectionError, String(error));
    return { reason: error.reason, message: error.message.replace(`127.0.0.1,${server.port}`, 'HOST'), number: error.number };
  }

  afterEach(() => server.close());

  for (const [tls, encrypt] of [
    ['required', 'mandatory'],
    ['optional', 'mandatory'],
  ] as const) {
    it(`is encrypted where encryption is ${tls} on the server and ${encrypt} for us`, async () => {
      await start(tls);
      const connection = await open({ encrypt });
      assert.equal((await connection.query('SELECT 1;' as ReadText, { timeoutMs: 5_000 }))[0]?.rows[0]?.[0], 'SELECT 1;');
      await connection.close();
      assert.deepEqual(
        host.logins.map((login) => login.encrypted),
        [true],
      );
    });
  }

  it('is not sent where the server offers no encryption and we demand it', async () => {
    await start('off');
    assert.deepEqual(await failOf(open()), {
      reason: 'unreachable',
      message: 'HOST offers no encryption, so the login was not sent. SQL Server always offers it: find out what is in between.',
      number: null,
    });
    assert.equal(host.logins.length, 0);
  });

  it('is not sent to a server whose certificate is not trusted', async () => {
    await start('required');
    const { reason, message } = await failOf(open({ trustServerCertificate: false }));
    assert.equal(reason, 'untrustedCertificate');
    assert.equal(
      message,
      "The certificate of HOST is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Install a trusted one on the server, or choose to trust this server's certificate in Edit Server.",
    );
    assert.equal(host.logins.length, 0);
  });

  it('that the server refuses is named without the password', async () => {
    await start('required');
    assert.deepEqual(await failOf(open({}, 'Wrong-Secret')), {
      reason: 'loginFailed',
      message: 'HOST refused login dba: check the user name and the password in Edit Server (Msg 18456).',
      number: 18456,
    });
  });

  it('to a database that cannot be opened is refused once, with the name of the database', async () => {
    await start('required', () => {
      throw new SqlError(4060, 'Cannot open database "Sales" requested by the login. The login failed.', 11);
    });
    assert.deepEqual(await failOf(open({ database: 'Sales' })), {
      reason: 'loginFailed',
      message: 'HOST refused login dba: it cannot open the database Sales. Check the database in Edit Server (Msg 4060).',
      number: 4060,
    });
    assert.equal(host.logins.length, 1);
  });

  it('that the server refuses for another reason is told in its own words, without the password', async () => {
    await start('required', () => {
      throw new SqlError(18487, `Login failed for user 'dba'.  Reason: The password ${PASSWORD} of the account has expired.`, 14);
    });
    assert.deepEqual(await failOf(open()), {
      reason: 'loginFailed',
      message: "HOST refused login dba: Login failed for user 'dba'.  Reason: The password *** of the account has expired (Msg 18487).",
      number: 18487,
    });
  });

  it('lands in the database that was saved', async () => {
    await start('required');
    await (await open({ database: 'Sales' })).close();
    assert.equal(host.logins[0]?.database, 'Sales');
  });

  describe('to a server whose certificate is trusted as it is', () => {
    let trusted: string | undefined;
    const openTrusting = (): Promise<Connection> => {
      const keep = (fingerprint: string): Promise<void> => Promise.resolve(void (trusted = fingerprint));
      return createDirectAccess({ server: here(), secrets: keptSecret(PASSWORD), trusted: { find: () => trusted, keep } }).open(freely());
    };

    beforeEach(() => (trusted = undefined));

    it('remembers the first one that is shown, once it was let in', async () => {
      await start('required', () => {
        throw new SqlError(18456, "Login failed for user 'dba'.", 14);
      });
      await failOf(openTrusting());
      assert.equal(trusted, undefined);
      await server.close();
      await start('required');
      await (await openTrusting()).close();
      assert.equal(trusted, new X509Certificate(server.certificate ?? '').fingerprint256);
      await (await openTrusting()).close();
    });

    it('is not sent where another one is shown, and both are named', async () => {
      await start('required');
      await (await openTrusting()).close();
      const other = await createCertificate();
      await server.stop();
      await server.start(other);
      const { reason, message } = await failOf(openTrusting());
      assert.equal(reason, 'untrustedCertificate');
      assert.ok(message.includes(`Trusted: ${trusted}. Now: ${new X509Certificate(other.cert).fingerprint256}.`), message);
      assert.equal(host.logins.length, 1);
    });
  });

  it('tells which password was taken and which was refused, and of a database that is gone neither', async () => {
    const told: unknown[] = [];
    const tell =
      (what: string) =>
      (secret: string): Promise<void> =>
        Promise.resolve(void told.push([what, secret]));
    const openWith = async (password: string): Promise<void> => {
      const secrets = { get: async () => password, accepted: tell('accepted'), refused: tell('refused') };
      const access = createDirectAccess({ server: here(), secrets });
      await (await access.open(freely())).close();
    };
    await start('required');
    await openWith(PASSWORD);
    await failOf(openWith('wrong'));
    await server.close();
    await start('required', () => {
      throw new SqlError(4060, 'Cannot open database "Sales" requested by the login. The login failed.', 11);
    });
    await failOf(openWith(PASSWORD));
    assert.deepEqual(told, [
      ['accepted', PASSWORD],
      ['refused', 'wrong'],
    ]);
  });

  it('is asked for before it is sent, and is not sent where that is refused', async () => {
    await start('required');
    const access = createDirectAccess({ server: here(), secrets: keptSecret(PASSWORD) });
    const turn = (): Promise<void> => Promise.reject(new ConnectionError('loginFailed', 'It was refused before.'));
    assert.equal((await failOf(access.open({ ...freely(), turn }))).message, 'It was refused before.');
    assert.equal(host.logins.length, 0);
  });

  it('asks nobody for a password in the background', async () => {
    await start('required');
    const get = async (mayAsk: boolean): Promise<undefined> => (mayAsk ? assert.fail('it asked') : undefined);
    assert.equal((await failOf(createDirectAccess({ server: here(), secrets: { get } }).open(quietly()))).reason, 'needsClick');
    assert.equal(host.logins.length, 0);
  });

  it('with strict encryption starts with TLS and accepts no untrusted certificate, whatever was chosen', async () => {
    await start('off');
    const certificate = await createCertificate();
    const strict = createTlsServer({ key: certificate.key, cert: certificate.cert });
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
    const { port } = strict.address() as AddressInfo;
    const { reason, message } = await failOf(open({ port, encrypt: 'strict' }));
    await new Promise((resolve) => strict.close(resolve));
    assert.equal(reason, 'untrustedCertificate');
    assert.equal(
      message,
      `The certificate of 127.0.0.1,${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Install a trusted one on the server, or choose mandatory instead of strict encryption in Edit Server.`,
    );
  });

  it('with strict encryption fails at a server that does not start with TLS', async () => {
    await start('off');
    const { reason, message } = await failOf(open({ encrypt: 'strict' }));
    assert.equal(reason, 'unreachable');
    assert.equal(
      message,
      'Could not reach HOST: the connection was closed before the login was answered. Check the name, the port and the firewall.',
    );
  });
});
