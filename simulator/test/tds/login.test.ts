import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import { answerEncryption, encryption } from '../../tds/prelogin';
import type { LogEntry, TdsServer, TlsMode } from '../../tds/server';
import { startTdsServer } from '../../tds/server';
import type { ScriptedHost } from './scripted-host';
import { createScriptedHost } from './scripted-host';
import type { ClientOptions, ServerMessage } from './tedious-client';
import { connect, connectAndListen, disconnect, run } from './tedious-client';

describe('logging in', () => {
  let host: ScriptedHost;
  let server: TdsServer;
  let log: LogEntry[];

  const start = async (tls: TlsMode): Promise<void> => {
    log = [];
    host = createScriptedHost(function* () {
      yield { kind: 'columns', columns: [{ name: 'answer', type: { name: 'int' }, nullable: false }] };
      yield { kind: 'rows', rows: [[42]] };
      yield { kind: 'done', rowCount: 1 };
    });
    server = await startTdsServer({ host, tls, log: (entry) => log.push(entry) });
  };

  afterEach(() => server?.close());

  const ask = async (options: ClientOptions): Promise<unknown> => {
    const connection = await connect(server.port, { options });
    const { sets } = await run(connection, 'SELECT answer = 42');
    await disconnect(connection);
    return sets;
  };

  it('works without TLS', async () => {
    await start('off');
    assert.deepEqual(await ask({}), [[[42]]]);
    assert.equal(host.logins[0]?.encrypted, false);
  });

  it('works over TLS', async () => {
    await start('required');
    assert.deepEqual(await ask({ encrypt: true }), [[[42]]]);
    assert.equal(host.logins[0]?.encrypted, true);
  });

  it('works either way where TLS is optional', async () => {
    await start('optional');
    assert.deepEqual(await ask({ encrypt: true }), [[[42]]]);
    assert.deepEqual(await ask({ encrypt: false }), [[[42]]]);
    assert.deepEqual(
      host.logins.map((login) => login.encrypted),
      [true, false],
    );
  });

  it('passes the check of a client that trusts the certificate, and fails that of one that does not', async () => {
    await start('required');
    const trusting: ClientOptions = { encrypt: true, trustServerCertificate: false, cryptoCredentialsDetails: { ca: server.certificate } };
    assert.deepEqual(await ask(trusting), [[[42]]]);
    await assert.rejects(ask({ encrypt: true, trustServerCertificate: false }), /self[- ]signed certificate/);
    assert.equal(log.filter((entry) => entry.event === 'tls').length <= 1, true);
  });

  it('never answers the wish for encryption with "off", which would mean TLS for the login alone', () => {
    const answers = (tls: TlsMode): readonly number[] =>
      [encryption.off, encryption.on, encryption.notSupported, encryption.required].map((wish) => answerEncryption(tls, wish));
    const { on, notSupported, required } = encryption;
    assert.deepEqual(answers('off'), [notSupported, notSupported, notSupported, notSupported]);
    assert.deepEqual(answers('optional'), [notSupported, on, notSupported, on]);
    assert.deepEqual(answers('required'), [required, required, required, required]);
  });

  it('tells a client that would do without TLS that it is required', async () => {
    await start('required');
    await assert.rejects(ask({ encrypt: false }), { code: 'EENCRYPT' });
    assert.equal(host.logins.length, 0);
  });

  it('hands over what the client says of itself, the password decoded', async () => {
    await start('off');
    const connection = await connect(server.port, {
      userName: 'Ünïcode😀',
      options: { appName: 'Checkpoint', workstationId: 'DESK', database: 'Sales' },
    });
    await disconnect(connection);
    const [login] = host.logins;
    assert.deepEqual([login?.user, login?.application, login?.host, login?.database], ['Ünïcode😀', 'Checkpoint', 'DESK', 'Sales']);
    assert.equal(login?.library, 'Tedious');
  });

  it('hands over whether the client means to read only', async () => {
    await start('off');
    await ask({ readOnlyIntent: true });
    await ask({});
    assert.deepEqual(
      host.logins.map(({ readOnlyIntent }) => readOnlyIntent === true),
      [true, false],
    );
  });

  it('answers a wrong password with error 18456 and closes the connection', async () => {
    await start('off');
    const { error, messages } = await connectAndListen(server.port, { userName: 'eve', password: 'wrong' });
    assert.equal(error?.message, "Login failed for user 'eve'.");
    assert.deepEqual(shown(messages), [[18_456, 1, 14]]);
    assert.equal(host.openSessions(), 0);
    assert.deepEqual(log, [{ event: 'login', message: "Login failed for user 'eve'." }]);
  });

  it('answers a wrong password over TLS in the same way', async () => {
    await start('required');
    const { messages } = await connectAndListen(server.port, { password: 'wrong', options: { encrypt: true } });
    assert.deepEqual(shown(messages), [[18_456, 1, 14]]);
  });

  it('answers a database that cannot be opened with error 4060, then 18456', async () => {
    await start('off');
    const { messages } = await connectAndListen(server.port, { options: { database: 'missing' } });
    assert.deepEqual(shown(messages), [
      [4060, 1, 11],
      [18_456, 1, 14],
    ]);
  });

  for (const tdsVersion of ['7_1', '7_2', '7_3_A', '7_3_B', '7_4']) {
    it(`speaks TDS ${tdsVersion}`, async () => {
      await start('off');
      assert.deepEqual(await ask({ tdsVersion }), [[[42]]]);
    });
  }

  it('tells of the database it landed in, and of the language', async () => {
    await start('off');
    const { connection, infos } = await connectAndListen(server.port, { options: { database: 'Sales' } });
    assert.deepEqual(
      infos.map((message) => message.message),
      ["Changed database context to 'Sales'.", 'Changed language setting to us_english.'],
    );
    await disconnect(connection as Connection);
  });
});

function shown(messages: readonly ServerMessage[]): unknown {
  return messages.map((message) => [message.number, message.state, message.class]);
}
