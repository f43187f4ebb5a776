import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import type { TlsMode } from '../../tds/server';
import { hungUp, loginMessage, openRaw, packet } from './raw-client';
import { createScriptedHost, token } from './scripted-host';
import { useServers, type Served } from './served';
import { connectAndListen, disconnect, type ClientSettings } from './tedious-client';
import { shown } from '../shown';

describe('logging in by other means than a password', () => {
  const serve = useServers();
  let served: Served;
  const start = async (tls: TlsMode): Promise<void> => void (served = await serve(undefined, tls));

  const numbers = async (settings: ClientSettings): Promise<readonly number[]> => {
    const { connection, error, messages } = await connectAndListen(served.server.port, settings);
    if (!error) await disconnect(connection as Connection);
    return messages.map(({ number }) => number);
  };

  for (const tls of ['off', 'required'] as const) {
    it(`lets a Windows login in that knows its password, with TLS ${tls}`, async () => {
      await start(tls);
      assert.deepEqual(await numbers({ windowsDomain: 'corp', options: { encrypt: tls === 'required' } }), []);
      assert.equal(shown(served.host.logins.map(({ user, password }) => [user, password])), '[["CORP\\\\dba",""]]');
    });
  }

  it('finds the domain of a name that carries it', async () => {
    await start('off');
    assert.deepEqual(await numbers({ windowsDomain: '', userName: 'dba@corp.example.com' }), []);
    assert.equal(served.host.logins[0]?.user, 'corp\\dba');
  });

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
