import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { untrustedLogin } from '../../../simulator/tds/login-response';
import { startTdsServer, type TdsServer } from '../../../simulator/tds/server';
import type { ReadText } from '../../../src/core/script/text';
import { connectDriver } from '../../../src/hosts/direct/access';
import { createDriverLogin } from '../../../src/hosts/direct/login';
import { ConnectionError, type Connection } from '../../../src/hosts/host';
import { createAnsweringHost, giveRows, INTEGER, PASSWORD, SECONDS, TEXT } from '../tds-host';

type Damage = (answer: Buffer) => Buffer;

/** Stands between client and server, and damages what the server sends once it is told how. */
async function startDamagingProxy(
  target: number,
): Promise<{ readonly port: number; damage: Damage; close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(target, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(server);
    server.on('data', (answer) => client.write(running.damage(answer)));
    server.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const running = {
    port: (proxy.address() as AddressInfo).port,
    damage: (answer: Buffer): Buffer => answer,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        proxy.close(() => resolve());
      }),
  };
  return running;
}

/** Without the encryption on which the product insists, behind which no damage would reach the driver. */
function connectReadable(
  port: number,
  authentication: 'sql' | 'windows',
  user: string,
  connectTimeoutMs = 15_000,
): Promise<Connection> {
  const address = { host: '127.0.0.1', port, instance: null, shown: `127.0.0.1,${port}` };
  const context = {
    address,
    authentication,
    login: user,
    secret: PASSWORD,
    database: undefined,
    connectTimeoutMs,
    strict: false,
    place: '',
  };
  const options = {
    port,
    encrypt: false,
    connectTimeout: connectTimeoutMs,
    requestTimeout: 0,
    maxRetriesOnTransientErrors: 0,
  };
  const configuration = {
    server: address.host,
    authentication: createDriverLogin(authentication, user, PASSWORD, context.place),
    options,
  };
  return connectDriver(
    configuration,
    { beforeLogin: () => Promise.resolve() },
    context,
    new AbortController().signal,
  );
}

describe('an answer that was damaged on its way', () => {
  let server: TdsServer;

  before(async () => {
    const rows = [
      [1, 'one'],
      [2, null],
    ];
    server = await startTdsServer({
      host: createAnsweringHost(() => giveRows(Object.entries({ id: INTEGER, name: TEXT }), rows)),
    });
  });
  after(() => server.close());

  /** @param timeoutMs short where the answer may never end */
  async function queryDamaged(damage: Damage, { timeoutMs } = SECONDS): Promise<unknown> {
    const proxy = await startDamagingProxy(server.port);
    const connection = await connectReadable(proxy.port, 'sql', 'dba');
    proxy.damage = damage;
    const outcome = await connection
      .query('SELECT 1;' as ReadText, { timeoutMs })
      .catch((error: unknown) => error);
    await connection.close();
    await proxy.close();
    return outcome;
  }

  it('is a failure of that connection when its tokens make no sense', async () => {
    const outcome = await queryDamaged((answer) =>
      Buffer.concat([answer.subarray(0, 8), Buffer.alloc(answer.length - 8, 0x01)]),
    );
    assert.ok(outcome instanceof ConnectionError, String(outcome));
    assert.equal(outcome.reason, 'disconnected');
  });

  it('is a failure or an answer, and never a crash or an endless wait, wherever one byte changed or the rest is missing', async () => {
    let length = 0;
    assert.ok(Array.isArray(await queryDamaged((answer) => ((length = answer.length), answer))));
    for (let at = 0; at < length; at += 3) {
      const flip: Damage = (answer) =>
        Buffer.from(answer.map((byte, index) => (index === at ? byte ^ 0xff : byte)));
      const cut: Damage = (answer) => answer.subarray(0, at);
      for (const damage of [flip, cut]) {
        const outcome = await queryDamaged(damage, { timeoutMs: 60 });
        assert.ok(Array.isArray(outcome) || outcome instanceof ConnectionError, `${at}: ${String(outcome)}`);
      }
    }
    assert.ok(length > 50);
  });
});

describe('a challenge to a Windows login that was damaged on its way', () => {
  let server: TdsServer;

  before(async () => {
    const host = createAnsweringHost(
      () => giveRows([['id', INTEGER]], [[1]]),
      ({ knows }) => {
        if (!knows?.(PASSWORD)) throw untrustedLogin();
      },
    );
    server = await startTdsServer({ host: Object.assign(host, { windowsDomain: 'CONTOSO' }) });
  });
  after(() => server.close());

  async function openDamaged(damage: Damage): Promise<unknown> {
    const proxy = await startDamagingProxy(server.port);
    let answers = 0;
    // The first answer is that to PRELOGIN, the second the challenge.
    proxy.damage = (answer) => (++answers === 2 ? damage(answer) : answer);
    const outcome = await connectReadable(proxy.port, 'windows', 'CONTOSO\\ann', 100).catch(
      (error: unknown) => error,
    );
    if (!(outcome instanceof ConnectionError)) await (outcome as Connection).close();
    await proxy.close();
    return outcome;
  }

  it('is a refusal or a failure, and never a crash or an endless wait', async () => {
    let length = 0;
    assert.ok(
      !((await openDamaged((answer) => ((length = answer.length), answer))) instanceof ConnectionError),
    );
    const header = 8;
    for (const bytes of [0, 3, 12, 24, 40]) {
      const outcome = await openDamaged((answer) => {
        const start = header + 3;
        const token = Buffer.concat([
          answer.subarray(0, header),
          Buffer.from([0xed, bytes, 0]),
          answer.subarray(start, start + bytes),
        ]);
        token.writeUInt16BE(token.length, 2);
        return token;
      });
      assert.ok(outcome instanceof ConnectionError, `${bytes} bytes`);
    }
    for (let at = 0; at < length; at += 7) {
      const outcome = await openDamaged((answer) =>
        Buffer.from(answer.map((byte, index) => (index === at ? byte ^ 0xff : byte))),
      );
      assert.ok(
        outcome instanceof ConnectionError || typeof (outcome as Connection).query === 'function',
        `${at}: ${String(outcome)}`,
      );
    }
    assert.ok(length > 80);
  });
});
