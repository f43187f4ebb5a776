import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createCertificate } from '../../../simulator/tds/certificate';
import { SqlError, type Login } from '../../../simulator/tds/handler';
import { untrustedLogin } from '../../../simulator/tds/login-response';
import { startTdsServer, type TdsServer, type TlsMode } from '../../../simulator/tds/server';
import type { ReadText } from '../../../src/core/script/text';
import { createDirectAccess, type LoginSecrets } from '../../../src/hosts/direct/access';
import { ConnectionError, type Connection, type OwnServer } from '../../../src/hosts/host';
import { createAnsweringHost, giveRows, PASSWORD, TEXT, type AnsweringHost } from '../tds-host';
import { freely } from '../opening';

const TOKEN = 'eyJ0eXAiOiJKV1Qi.eyJhdWQiOiJodHRwcyJ9.c2lnbmF0dXJl';

describe('a login of our own driver without a SQL login', () => {
  let server: TdsServer;
  let host: AnsweringHost;

  async function start(tls: TlsMode, check: (login: Login) => void = checkProof): Promise<void> {
    host = Object.assign(
      createAnsweringHost((sql) => giveRows([['sql', TEXT]], [[sql]]), check),
      { windowsDomain: 'CONTOSO' },
    );
    server = await startTdsServer({ host, tls });
  }

  function checkProof({ user, token, knows }: Login): void {
    if (token !== undefined && token !== TOKEN) throw new SqlError(18456, "Login failed for user '<token-identified principal>'.", 14);
    if (knows !== undefined && !knows(PASSWORD)) throw untrustedLogin();
    if (user === 'CONTOSO\\stranger') throw new SqlError(18456, `Login failed for user '${user}'.`, 14);
  }

  type Changes = Partial<OwnServer & { readonly secret: LoginSecrets['get'] }>;

  function open({ secret = async () => PASSWORD, ...changes }: Changes): Promise<Connection> {
    const saved: OwnServer = {
      id: 'a',
      name: 'A',
      server: '127.0.0.1',
      port: server.port,
      user: 'CONTOSO\\ann',
      encrypt: 'mandatory',
      trustServerCertificate: true,
      ...changes,
    };
    const access = createDirectAccess({ server: saved, secrets: { get: secret }, connectTimeoutMs: 5_000 });
    return access.open(freely());
  }

  const openEntra = (changes: Changes = {}): Promise<Connection> =>
    open({
      authentication: 'entra',
      user: '',
      secret: async () => TOKEN,
      ...changes,
    });

  async function failOf(attempt: Promise<unknown>): Promise<{ reason: string; message: string }> {
    const error = await attempt.then(
      () => assert.fail('it connected'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ConnectionError, String(error));
    return { reason: error.reason, message: error.message.replace(`127.0.0.1,${server.port}`, 'HOST') };
  }

  afterEach(() => server.close());

  for (const tls of ['required', 'optional'] as const) {
    it(`of Windows proves its password, with encryption ${tls} on the server`, async () => {
      await start(tls);
      const connection = await open({ authentication: 'windows' });
      assert.equal((await connection.query('SELECT 1;' as ReadText, { timeoutMs: 5_000 }))[0]?.rows[0]?.[0], 'SELECT 1;');
      await connection.close();
      assert.deepEqual([host.logins[0]?.user, host.logins[0]?.password], ['CONTOSO\\ann', '']);
    });
  }

  it('of Windows may be written as user@domain', async () => {
    await start('required');
    await (await open({ authentication: 'windows', user: 'ann@contoso.com' })).close();
    assert.equal(host.logins[0]?.user, 'contoso\\ann');
  });

  it('of Windows without a domain is refused before anything is sent', async () => {
    await start('required');
    assert.deepEqual(await failOf(open({ authentication: 'windows', user: 'ann' })), {
      reason: 'loginFailed',
      message: 'ann is not a Windows login: write it as DOMAIN\\user in Edit Server.',
    });
    assert.equal(host.logins.length, 0);
  });

  it('of Windows with a wrong password is told what may be wrong', async () => {
    await start('required');
    assert.deepEqual(await failOf(open({ authentication: 'windows', secret: async () => 'wrong' })), {
      reason: 'loginFailed',
      message:
        'HOST refused Windows login CONTOSO\\ann: the name or the password is wrong, or its domain is not trusted there. Check them in Edit Server (Msg 18452).',
    });
  });

  it('of Windows that the server does not know is told so', async () => {
    await start('required');
    assert.equal(
      (await failOf(open({ authentication: 'windows', user: 'CONTOSO\\stranger' }))).message,
      'HOST refused Windows login CONTOSO\\stranger: ask an administrator for a login on that server (Msg 18456).',
    );
  });

  it('of Microsoft Entra asks for a token each time it opens', async () => {
    await start('required');
    let asked = 0;
    const secret = async (): Promise<string> => (asked++, TOKEN);
    for (let time = 1; time <= 2; time++) await (await openEntra({ secret })).close();
    assert.equal(asked, 2);
    assert.deepEqual(
      host.logins.map((login) => [login.token, login.user, login.encrypted]),
      [
        [TOKEN, '', true],
        [TOKEN, '', true],
      ],
    );
  });

  it('of Microsoft Entra never sends its token readable', async () => {
    await start('off');
    assert.deepEqual(await failOf(openEntra()), {
      reason: 'unreachable',
      message: 'HOST offers no encryption, so the login was not sent. SQL Server always offers it: find out what is in between.',
    });
    assert.equal(host.logins.length, 0);
  });

  it('of Microsoft Entra with a token that the server refuses names the account and not the token', async () => {
    await start('required');
    assert.deepEqual(await failOf(openEntra({ user: 'ann@contoso.com', secret: async () => 'eyJ-an-old-token' })), {
      reason: 'loginFailed',
      message:
        'HOST refused Microsoft Entra account ann@contoso.com: check the account and the tenant in Edit Server, or ask an administrator for a login or user there (Msg 18456).',
    });
  });

  it('of Microsoft Entra hides the token in whatever the server says', async () => {
    await start('required', ({ token }) => {
      throw new SqlError(40532, `Cannot open server: the token ${token} is not for it.`, 14);
    });
    assert.equal(
      (await failOf(openEntra())).message,
      'HOST refused the Microsoft Entra account that you signed in with: Cannot open server: the token *** is not for it (Msg 40532).',
    );
  });

  it('of Microsoft Entra is given up where nobody signs in, and says why where the editor cannot', async () => {
    await start('required');
    assert.deepEqual(await failOf(openEntra({ secret: async () => undefined })), {
      reason: 'promptClosed',
      message: 'Nobody signed in to Microsoft Entra for HOST.',
    });
    const cannot = async (): Promise<string> => Promise.reject(new Error('This editor cannot.'));
    assert.deepEqual(await failOf(openEntra({ secret: cannot })), { reason: 'loginFailed', message: 'This editor cannot.' });
  });

  it('is given up at once when it is cancelled while nobody answers its question', async () => {
    await start('required');
    const control = new AbortController();
    const nobody = (): Promise<never> => new Promise(() => undefined);
    for (const authentication of ['entra', 'windows'] as const) {
      const saved: OwnServer = {
        id: 'a',
        name: 'A',
        server: `127.0.0.1,${server.port}`,
        authentication,
        user: 'C\\a',
        encrypt: 'mandatory',
        trustServerCertificate: true,
      };
      const opening = createDirectAccess({ server: saved, secrets: { get: nobody } }).open(freely(control.signal));
      control.abort();
      assert.deepEqual(await failOf(opening), { reason: 'cancelled', message: 'The work on HOST was cancelled.' });
    }
    assert.equal(host.logins.length, 0);
  });

  it('says what is meant where the connection string said so: reading only', async () => {
    await start('required');
    await (await openEntra({ readOnlyIntent: true, multiSubnetFailover: true, connectTimeoutSeconds: 5 })).close();
    await (await openEntra()).close();
    assert.deepEqual(
      host.logins.map(({ readOnlyIntent = false }) => readOnlyIntent),
      [true, false],
    );
  });

  it('asks the certificate for the name that was given, and not for that of the address', async () => {
    await start('off');
    const names: string[] = [];
    const certificate = await createCertificate();
    const strict = createTlsServer({
      key: certificate.key,
      cert: certificate.cert,
      SNICallback: (name, answer) => (names.push(name), answer(null)),
    });
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
    const { port } = strict.address() as AddressInfo;
    const refused = await failOf(openEntra({ port, encrypt: 'strict', hostNameInCertificate: 'sql.contoso.com' }));
    await new Promise((resolve) => strict.close(resolve));
    assert.deepEqual([refused.reason, names], ['untrustedCertificate', ['sql.contoso.com']]);
  });
});
