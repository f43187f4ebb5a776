import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import { answerEncryption, encryption } from '../../tds/prelogin';
import type { TlsMode } from '../../tds/server';
import { hungUp, loginMessage, openRaw, packet } from './raw-client';
import { createScriptedHost, one, token } from './scripted-host';
import { useServers, type Served } from './served';
import {
  connectAndListen,
  disconnect,
  run,
  type ClientOptions,
  type ClientSettings,
  type ServerMessage,
} from './tedious-client';
import { shown } from '../shown';

describe('logging in', () => {
  const serve = useServers();
  let served: Served;
  const start = async (tls: TlsMode): Promise<void> => void (served = await serve(() => one, tls));

  const ask = async (options: ClientOptions): Promise<unknown> =>
    (await run(await served.open({ options }), 'SELECT n = 1')).sets;

  for (const [tls, encrypt] of [
    ['off', false],
    ['required', true],
    ['optional', true],
    ['optional', false],
  ] as const)
    it(`works ${encrypt ? 'over' : 'without'} TLS where it is ${tls}`, async () => {
      await start(tls);
      assert.deepEqual(await ask({ encrypt }), [[[1]]]);
      assert.equal(served.host.logins[0]?.encrypted, encrypt);
    });

  it('passes the check of a client that trusts the certificate, and fails that of one that does not', async () => {
    await start('required');
    const trusting: ClientOptions = {
      encrypt: true,
      trustServerCertificate: false,
      cryptoCredentialsDetails: { ca: served.server.certificate },
    };
    assert.deepEqual(await ask(trusting), [[[1]]]);
    await assert.rejects(ask({ encrypt: true, trustServerCertificate: false }), /self[- ]signed certificate/);
    assert.equal(served.log.filter((entry) => entry.event === 'tls').length <= 1, true);
  });

  it('never answers the wish for encryption with "off", which would mean TLS for the login alone', () => {
    const answers = (tls: TlsMode): readonly number[] =>
      [encryption.off, encryption.on, encryption.notSupported, encryption.required].map((wish) =>
        answerEncryption(tls, wish),
      );
    const { on, notSupported, required } = encryption;
    assert.deepEqual(answers('off'), [notSupported, notSupported, notSupported, notSupported]);
    assert.deepEqual(answers('optional'), [notSupported, on, notSupported, on]);
    assert.deepEqual(answers('required'), [required, required, required, required]);
  });

  it('hands over what the client says of itself, the password decoded', async () => {
    await start('off');
    await served.open({
      userName: 'Ünïcode😀',
      options: { appName: 'Checkpoint', workstationId: 'DESK', database: 'Sales' },
    });
    const [login] = served.host.logins;
    assert.deepEqual(
      [login?.user, login?.application, login?.host, login?.database],
      ['Ünïcode😀', 'Checkpoint', 'DESK', 'Sales'],
    );
    assert.equal(login?.library, 'Tedious');
  });

  it('answers a wrong password with error 18456 and closes the connection', async () => {
    await start('off');
    const { error, messages } = await connectAndListen(served.server.port, {
      userName: 'eve',
      password: 'wrong',
    });
    assert.equal(error?.message, "Login failed for user 'eve'.");
    assert.deepEqual(listed(messages), [[18_456, 1, 14]]);
    assert.equal(served.host.openSessions(), 0);
    assert.deepEqual(served.log, [{ event: 'login', message: "Login failed for user 'eve'." }]);
  });

  it('answers a database that cannot be opened with error 4060, then 18456', async () => {
    await start('off');
    const { messages } = await connectAndListen(served.server.port, { options: { database: 'missing' } });
    assert.equal(shown(listed(messages)), '[[4060,1,11],[18456,1,14]]');
  });

  it('tells of the database it landed in, and of the language', async () => {
    await start('off');
    const { connection, infos } = await connectAndListen(served.server.port, {
      options: { database: 'Sales' },
    });
    assert.deepEqual(
      infos.map((message) => message.message),
      ["Changed database context to 'Sales'.", 'Changed language setting to us_english.'],
    );
    await disconnect(connection as Connection);
  });

  describe('by other means than a password', () => {
    const numbers = async (settings: ClientSettings): Promise<readonly number[]> => {
      const { connection, error, messages } = await connectAndListen(served.server.port, settings);
      if (!error) await disconnect(connection as Connection);
      return messages.map(({ number }) => number);
    };

    for (const tls of ['off', 'required'] as const) {
      it(`lets a Windows login in that knows its password, with TLS ${tls}`, async () => {
        await start(tls);
        assert.deepEqual(
          await numbers({ windowsDomain: 'corp', options: { encrypt: tls === 'required' } }),
          [],
        );
        assert.equal(
          shown(served.host.logins.map(({ user, password }) => [user, password])),
          '[["CORP\\\\dba",""]]',
        );
      });
    }

    it('never learns the password of a Windows login, and refuses it where it is wrong', async () => {
      await start('off');
      assert.deepEqual(await numbers({ windowsDomain: 'CORP', password: 'wrong' }), [18_456]);
      assert.equal(served.host.openSessions(), 0);
      assert.equal(served.log[0]?.event, 'login');
    });

    it('refuses Windows logins in words where there is no domain', async () => {
      served = await serve(
        undefined,
        'off',
        Object.assign(
          createScriptedHost(() => []),
          { windowsDomain: undefined },
        ),
      );
      assert.deepEqual(await numbers({ windowsDomain: 'CORP' }), [18_452]);
      assert.equal(served.host.logins.length, 0);
    });

    it('lets an access token in, however long, and no other', async () => {
      await start('required');
      assert.deepEqual(await numbers({ token, options: { encrypt: true } }), []);
      assert.deepEqual(
        served.host.logins.map((login) => [login.token, login.user, login.password]),
        [[token, '', '']],
      );
      assert.deepEqual(await numbers({ token: `${token}x`, options: { encrypt: true } }), [18_456]);
    });

    const outside = loginMessage();
    outside.writeUInt16LE(outside.length, 78);
    outside.writeUInt16LE(8, 80);
    for (const [title, type, body, expected] of [
      ['answers a challenge which was never sent', 0x11, Buffer.alloc(64), /type 17/],
      ['has a security token outside of its login', 0x10, outside, /security token/],
    ] as const)
      it(`ends a connection that ${title}`, async () => {
        await start('off');
        const socket = openRaw(served.server.port);
        socket.write(packet(type, body));
        await hungUp(socket);
        assert.equal(served.log[0]?.event, 'malformed');
        assert.match(served.log[0]?.message ?? '', expected);
      });
  });
});

function listed(messages: readonly ServerMessage[]): unknown {
  return messages.map((message) => [message.number, message.state, message.class]);
}
