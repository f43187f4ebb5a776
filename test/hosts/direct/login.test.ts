import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createCertificate } from '../../../simulator/tds/certificate';
import { SqlError, type Login } from '../../../simulator/tds/handler';
import { untrustedLogin } from '../../../simulator/tds/login-response';
import { startTdsServer, type TdsServer, type TlsMode } from '../../../simulator/tds/server';
import { createDirectAccess, type DirectAccess, type LoginSecrets } from '../../../src/hosts/direct/access';
import {
  ConnectionError,
  type Connection,
  type ConnectionFailure,
  type OwnServer,
} from '../../../src/hosts/host';
import { failOf, failure, type Failure, freely, keptSecret, quietly } from '../opening';
import {
  createAnsweringHost,
  giveRows,
  PASSWORD,
  read,
  savedServer,
  SECONDS,
  TEXT,
  type AnsweringHost,
} from '../tds-host';

const TOKEN = 'eyJ0eXAiOiJKV1Qi.eyJhdWQiOiJodHRwcyJ9.c2lnbmF0dXJl';
const windows = { authentication: 'windows', user: 'CONTOSO\\ann' } as const;
const entra = { authentication: 'entra', user: '', secret: async () => TOKEN } as const;
const noDatabase = (): never => {
  throw new SqlError(4060, 'Cannot open database "Sales" requested by the login. The login failed.', 11);
};

/** What SQL Server checks: password, token, or that a Windows login knows its password. */
function checkProof({ user, password, token, knows }: Login): void {
  if (knows !== undefined && !knows(PASSWORD)) throw untrustedLogin();
  const isProven = token === undefined ? knows !== undefined || password === PASSWORD : token === TOKEN;
  if (!isProven || user === 'CONTOSO\\stranger')
    throw new SqlError(18456, `Login failed for user '${user}'.`, 14);
}

type Changes = Partial<OwnServer & { readonly secret: LoginSecrets['get'] }>;

describe('a login of our own driver', () => {
  let server: TdsServer;
  let host: AnsweringHost;

  async function start(tls: TlsMode = 'required', check: (login: Login) => void = checkProof): Promise<void> {
    const answering = createAnsweringHost((sql) => giveRows([['sql', TEXT]], [[sql]]), check);
    host = Object.assign(answering, { windowsDomain: 'CONTOSO' });
    server = await startTdsServer({ host, tls });
  }
  afterEach(() => server.close());

  const accessTo = (
    changes: Partial<OwnServer>,
    more: Partial<DirectAccess> = {},
  ): ReturnType<typeof createDirectAccess> => {
    const saved = savedServer('127.0.0.1', { port: server.port, ...changes });
    return createDirectAccess({
      server: saved,
      secrets: keptSecret(PASSWORD),
      connectTimeoutMs: 5_000,
      ...more,
    });
  };
  const open = ({ secret = async () => PASSWORD, ...changes }: Changes = {}): Promise<Connection> =>
    accessTo(changes, { secrets: { get: secret } }).open(freely());
  const fail = (attempt: Promise<unknown>): Promise<Failure> => failOf(attempt, `127.0.0.1,${server.port}`);

  for (const tls of ['required', 'optional'] as const)
    for (const [kind, changes, told] of [
      ['SQL Server', { database: 'Sales' }, { user: 'dba', password: PASSWORD, database: 'Sales' }],
      [
        'Windows, which proves its password and does not send it',
        windows,
        { user: 'CONTOSO\\ann', password: '' },
      ],
      [
        'Windows, written as user@domain',
        { ...windows, user: 'ann@contoso.com' },
        { user: 'contoso\\ann', password: '' },
      ],
      ['Microsoft Entra', entra, { user: '', token: TOKEN }],
    ] as const)
      it(`of ${kind} is encrypted where encryption is ${tls} on the server`, async () => {
        await start(tls);
        const connection = await open(changes);
        assert.equal((await connection.query(read('SELECT 1;'), SECONDS))[0]?.rows[0]?.[0], 'SELECT 1;');
        await connection.close();
        const [login = assert.fail('no login')] = host.logins;
        assert.deepEqual({ ...login, ...told, encrypted: true }, login);
      });

  const CHECK = 'in Edit Server';
  const offersNone =
    'HOST offers no encryption, so the login was not sent. SQL Server always offers it: find out what is in between.';
  const refusals: readonly (readonly [
    title: string,
    sent: 0 | 1,
    Changes,
    reason: ConnectionFailure,
    message: string,
    check?: (login: Login) => void,
    tls?: TlsMode,
  ])[] = [
    [
      'that the server refuses is named without the password',
      1,
      { secret: async () => 'Wrong-Secret' },
      'loginFailed',
      `HOST refused login dba: check the user name and the password ${CHECK} (Msg 18456).`,
    ],
    [
      'to a database that cannot be opened is refused once, with the name of the database',
      1,
      { database: 'Sales' },
      'loginFailed',
      `HOST refused login dba: it cannot open the database Sales. Check the database ${CHECK} (Msg 4060).`,
      noDatabase,
    ],
    [
      'that the server refuses for another reason is told in its own words, without the password',
      1,
      {},
      'loginFailed',
      "HOST refused login dba: Login failed for user 'dba'.  Reason: The password *** of the account has expired (Msg 18487).",
      () => {
        throw new SqlError(
          18487,
          `Login failed for user 'dba'.  Reason: The password ${PASSWORD} of the account has expired.`,
          14,
        );
      },
    ],
    [
      'is not sent to a server whose certificate is not trusted',
      0,
      { trustServerCertificate: false },
      'untrustedCertificate',
      "The certificate of HOST is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Install a trusted one on the server, or choose to trust this server's certificate in Edit Server.",
    ],
    [
      'never sends a token to a server whose certificate is not trusted, and does not advise to accept it',
      0,
      { ...entra, trustServerCertificate: false },
      'untrustedCertificate',
      'The certificate of HOST is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Install a trusted one on the server.',
    ],
    [
      'is not sent where the server offers no encryption',
      0,
      {},
      'unreachable',
      offersNone,
      checkProof,
      'off',
    ],
    ['never sends a token readable', 0, entra, 'unreachable', offersNone, checkProof, 'off'],
    [
      'with strict encryption fails at a server that does not start with TLS',
      0,
      { encrypt: 'strict' },
      'unreachable',
      'HOST does not take strict encryption: it has no TDS 8.0, which came with SQL Server 2022. Choose mandatory encryption in Edit Server.',
      checkProof,
      'off',
    ],
    [
      'of Windows without a domain is refused before anything is sent',
      0,
      { ...windows, user: 'ann' },
      'loginFailed',
      `ann is not a Windows login: write it as DOMAIN\\user ${CHECK}.`,
    ],
    [
      'of Windows with a wrong password is told what may be wrong',
      1,
      { ...windows, secret: async () => 'wrong' },
      'loginFailed',
      `HOST refused Windows login CONTOSO\\ann: the name or the password is wrong, or its domain is not trusted there. Check them ${CHECK} (Msg 18452).`,
    ],
    [
      'of Windows that the server does not know is told so',
      1,
      { ...windows, user: 'CONTOSO\\stranger' },
      'loginFailed',
      'HOST refused Windows login CONTOSO\\stranger: ask an administrator for a login on that server (Msg 18456).',
    ],
    [
      'of Microsoft Entra with a token that the server refuses names the account and not the token',
      1,
      { ...entra, user: 'ann@contoso.com', secret: async () => 'eyJ-an-old-token' },
      'loginFailed',
      `HOST refused Microsoft Entra account ann@contoso.com: check the account and the tenant ${CHECK}, or ask an administrator for a login or user there (Msg 18456).`,
    ],
    [
      'of Microsoft Entra hides the token in whatever the server says',
      1,
      entra,
      'loginFailed',
      'HOST refused the Microsoft Entra account that you are signed in with: Cannot open server: the token *** is not for it (Msg 40532).',
      ({ token }) => {
        throw new SqlError(40532, `Cannot open server: the token ${token} is not for it.`, 14);
      },
    ],
    [
      'of Microsoft Entra is given up where nobody signs in',
      0,
      { ...entra, secret: async () => undefined },
      'promptClosed',
      'No Microsoft Entra sign-in for HOST.',
    ],
    [
      'of Microsoft Entra says why where the editor cannot sign in',
      0,
      { ...entra, secret: () => Promise.reject(new Error('This editor cannot.')) },
      'loginFailed',
      'This editor cannot.',
    ],
  ];
  for (const [title, sent, changes, reason, message, check, tls] of refusals)
    it(title, async () => {
      await start(tls, check);
      assert.deepEqual([await fail(open(changes)), host.logins.length], [failure(reason, message), sent]);
    });

  it('asks for a token each time it opens', async () => {
    await start();
    let asked = 0;
    for (let time = 1; time <= 2; time++)
      await (await open({ ...entra, secret: async () => (asked++, TOKEN) })).close();
    assert.deepEqual([asked, host.logins.length], [2, 2]);
  });

  describe('to a server whose certificate is trusted as it is', () => {
    let trusted: string | undefined;
    const openTrusting = (): Promise<Connection> => {
      const keep = (fingerprint: string): Promise<void> => Promise.resolve(void (trusted = fingerprint));
      return accessTo({}, { trusted: { find: () => trusted, keep } }).open(freely());
    };

    beforeEach(() => (trusted = undefined));

    it('remembers the first one that is shown, once it was let in', async () => {
      await start('required', noDatabase);
      await fail(openTrusting());
      assert.equal(trusted, undefined);
      await server.close();
      await start();
      await (await openTrusting()).close();
      assert.equal(trusted, new X509Certificate(server.certificate ?? '').fingerprint256);
      await (await openTrusting()).close();
    });

    it('is not sent where another one is shown, and both are named', async () => {
      await start();
      await (await openTrusting()).close();
      const other = await createCertificate();
      await server.stop();
      await server.start(other);
      const { reason, message } = await fail(openTrusting());
      assert.equal(reason, 'untrustedCertificate');
      assert.ok(
        message.includes(`Trusted: ${trusted}. Now: ${new X509Certificate(other.cert).fingerprint256}.`),
        message,
      );
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
      const secrets = { ...keptSecret(password), accepted: tell('accepted'), refused: tell('refused') };
      await (await accessTo({}, { secrets }).open(freely())).close();
    };
    await start();
    await openWith(PASSWORD);
    await fail(openWith('wrong'));
    await server.close();
    await start('required', noDatabase);
    await fail(openWith(PASSWORD));
    assert.deepEqual(told, [
      ['accepted', PASSWORD],
      ['refused', 'wrong'],
    ]);
  });

  it('is asked for before it is sent, and is not sent where that is refused', async () => {
    await start();
    const turn = (): Promise<void> =>
      Promise.reject(new ConnectionError('loginFailed', 'It was refused before.'));
    assert.equal((await fail(accessTo({}).open({ ...freely(), turn }))).message, 'It was refused before.');
    assert.equal(host.logins.length, 0);
  });

  it('asks nobody for a password in the background', async () => {
    await start();
    const get = async (mayAsk: boolean): Promise<undefined> => (mayAsk ? assert.fail('it asked') : undefined);
    assert.equal((await fail(accessTo({}, { secrets: { get } }).open(quietly()))).reason, 'needsClick');
    assert.equal(host.logins.length, 0);
  });

  it('is given up at once when it is cancelled while nobody answers its question', async () => {
    await start();
    for (const changes of [entra, windows]) {
      const control = new AbortController();
      const get = (): Promise<never> => new Promise(() => undefined);
      const opening = accessTo({ ...changes }, { secrets: { get } }).open(freely(control.signal));
      control.abort();
      assert.deepEqual(await fail(opening), failure('cancelled', 'The work on HOST was cancelled.'));
    }
    assert.equal(host.logins.length, 0);
  });

  it('says what is meant where the connection string said so: reading only', async () => {
    await start();
    await (
      await open({ ...entra, readOnlyIntent: true, multiSubnetFailover: true, connectTimeoutSeconds: 5 })
    ).close();
    await (await open(entra)).close();
    assert.deepEqual(
      host.logins.map(({ readOnlyIntent = false }) => readOnlyIntent),
      [true, false],
    );
  });

  it('with strict encryption starts with TLS, accepts no untrusted certificate, and asks it for the name that was given', async () => {
    await start('off');
    const names: string[] = [];
    const { key, cert } = await createCertificate();
    const strict = createTlsServer({
      key,
      cert,
      SNICallback: (name, answer) => (names.push(name), answer(null)),
    });
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
    const { port } = strict.address() as AddressInfo;
    const failed = await fail(open({ port, encrypt: 'strict', hostNameInCertificate: 'sql.contoso.com' }));
    await new Promise((resolve) => strict.close(resolve));
    assert.deepEqual(
      [failed, names],
      [
        failure(
          'untrustedCertificate',
          `The certificate of 127.0.0.1,${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Install a trusted one on the server, or choose mandatory instead of strict encryption in Edit Server.`,
        ),
        ['sql.contoso.com'],
      ],
    );
  });
});
