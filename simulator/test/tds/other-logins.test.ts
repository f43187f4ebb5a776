import assert from 'node:assert/strict';
import net from 'node:net';
import type { Connection } from 'tedious';
import type { LogEntry, TdsServer, TlsMode } from '../../tds/server';
import { startTdsServer } from '../../tds/server';
import { hungUp, loginMessage, packet } from './raw-client';
import { createScriptedHost, token, type ScriptedHost } from './scripted-host';
import { connectAndListen, disconnect, type ClientSettings } from './tedious-client';
import { shown } from '../shown';

describe('logging in by other means than a password', () => {
  let host: ScriptedHost;
  let server: TdsServer;
  let log: LogEntry[];

  const start = async (tls: TlsMode): Promise<void> => {
    log = [];
    host = createScriptedHost(function* () {});
    server = await startTdsServer({ host, tls, log: (entry) => log.push(entry) });
  };

  afterEach(() => server?.close());

  const numbers = async (settings: ClientSettings): Promise<readonly number[]> => {
    const { connection, error, messages } = await connectAndListen(server.port, settings);
    if (!error) await disconnect(connection as Connection);
    return messages.map(({ number }) => number);
  };

  for (const tls of ['off', 'required'] as const) {
    it(`lets a Windows login in that knows its password, with TLS ${tls}`, async () => {
      await start(tls);
      assert.deepEqual(await numbers({ windowsDomain: 'corp', options: { encrypt: tls === 'required' } }), []);
      assert.equal(shown(host.logins.map(({ user, password }) => [user, password])), '[["CORP\\\\dba",""]]');
    });
  }

  it('finds the domain of a name that carries it', async () => {
    await start('off');
    assert.deepEqual(await numbers({ windowsDomain: '', userName: 'dba@corp.example.com' }), []);
    assert.equal(host.logins[0]?.user, 'corp\\dba');
  });

  it('never learns the password of a Windows login, and refuses it where it is wrong', async () => {
    await start('off');
    assert.deepEqual(await numbers({ windowsDomain: 'CORP', password: 'wrong' }), [18_456]);
    assert.equal(host.openSessions(), 0);
    assert.equal(log[0]?.event, 'login');
  });

  it('refuses Windows logins in words where there is no domain', async () => {
    log = [];
    host = Object.assign(
      createScriptedHost(function* () {}),
      { windowsDomain: undefined },
    );
    server = await startTdsServer({ host });
    assert.deepEqual(await numbers({ windowsDomain: 'CORP' }), [18_452]);
    assert.equal(host.logins.length, 0);
  });

  it('lets an access token in, however long, and no other', async () => {
    await start('required');
    assert.deepEqual(await numbers({ token, options: { encrypt: true } }), []);
    assert.deepEqual(
      host.logins.map((login) => [login.token, login.user, login.password]),
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
      const socket = net.connect(server.port, '127.0.0.1');
      socket.write(packet(type, body));
      await hungUp(socket);
      assert.equal(log[0]?.event, 'malformed');
      assert.match(log[0]?.message ?? '', expected);
    });
});
