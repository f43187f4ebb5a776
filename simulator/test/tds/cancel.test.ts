import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import type { Connection, Request } from 'tedious';
import type { Reply } from '../../tds/handler';
import type { TdsServer } from '../../tds/server';
import { startTdsServer } from '../../tds/server';
import { loginMessage, packet, readPackets } from './raw-client';
import type { Answered } from './tedious-client';
import { connect, run } from './tedious-client';
import type { Script, ScriptedHost } from './scripted-host';
import { createScriptedHost } from './scripted-host';

const columns: Reply = { kind: 'columns', columns: [{ name: 'n', type: { name: 'int' }, nullable: false }] };
const one: readonly Reply[] = [columns, { kind: 'rows', rows: [[1]] }, { kind: 'done', rowCount: 1 }];

/** Waits for the abort, as WAITFOR does. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

describe('cancelling', () => {
  let host: ScriptedHost;
  let server: TdsServer;
  let connection: Connection;

  const start = async (script: Script): Promise<void> => {
    host = createScriptedHost(script);
    server = await startTdsServer({ host });
    connection = await connect(server.port);
  };

  afterEach(async () => {
    connection.close();
    await server.close();
    assert.equal(host.openSessions(), 0);
  });

  /** tedious answers ECANCEL when the attention is acknowledged, and ETIMEOUT, closing the connection, when it waits in vain. */
  const cancel = async (send?: (target: Connection, request: Request) => void, when?: (request: Request) => void): Promise<void> => {
    await assert.rejects(
      run(connection, 'batch', send, (request) => (when ? when(request) : void setImmediate(() => request.cancel()))),
      { code: 'ECANCEL' },
    );
  };

  const ask = (): Promise<Answered> => run(connection, 'one');

  const isOne = (request: { readonly sql?: string }): boolean => request.sql === 'one';

  it('ends a request that waits, and the connection goes on', async () => {
    let signals = 0;
    await start(async function* (request, signal) {
      if (isOne(request as { sql?: string })) return yield* one;
      yield columns;
      signals++;
      await aborted(signal);
    });
    await cancel(undefined, (request) => request.once('columnMetadata', () => undefined) && setTimeout(() => request.cancel(), 20));
    assert.equal(signals, 1);
    assert.deepEqual((await ask()).sets, [[[1]]]);
  });

  it('ends a large result set in its middle', async () => {
    let produced = 0;
    await start(function* (request) {
      if (isOne(request as { sql?: string })) return yield* one;
      yield columns;
      for (; produced < 100_000_000; produced += 1000) yield { kind: 'rows', rows: Array.from({ length: 1000 }, (_, index) => [index]) };
    });
    let rows = 0;
    await cancel(undefined, (request) =>
      request.on('row', () => {
        if (++rows === 5000) request.cancel();
      }),
    );
    assert.ok(produced < 10_000_000, `${produced} rows were made`);
    assert.deepEqual((await ask()).sets, [[[1]]]);
  });

  it('ends a request inside of one huge array of rows', async () => {
    const rows = Array.from({ length: 1_000_000 }, (_, index) => [index]);
    await start(function* (request) {
      if (isOne(request as { sql?: string })) return yield* one;
      yield columns;
      yield { kind: 'rows', rows };
    });
    let seen = 0;
    await cancel(undefined, (request) =>
      request.on('row', () => {
        if (++seen === 100) request.cancel();
      }),
    );
    assert.deepEqual((await ask()).sets, [[[1]]]);
  });

  it('ends a procedure call', async () => {
    await start(async function* (request, signal) {
      if (isOne(request as { sql?: string })) return yield* one;
      await aborted(signal);
    });
    await cancel(
      (target, request) => target.execSql(request),
      (request) => setTimeout(() => request.cancel(), 20),
    );
    assert.deepEqual((await ask()).sets, [[[1]]]);
  });

  it('ends the interrupted answer, then acknowledges in a message of its own', async () => {
    await start(async function* (_request, signal) {
      yield columns;
      yield { kind: 'info', immediate: true, message: { number: 0, state: 1, severity: 0, message: 'ready', line: 1 } };
      await aborted(signal);
    });
    const socket = connectSocket(server.port, '127.0.0.1');
    socket.write(packet(0x10, loginMessage()));
    await readPackets(socket);
    const interrupted = readPackets(socket);
    socket.write(packet(0x01, Buffer.concat([Buffer.from([4, 0, 0, 0]), Buffer.from('wait', 'utf16le')])));
    await once(socket, 'data');
    // The acknowledgement may come in the same bytes of the socket as the end before it.
    const acknowledged = new Promise<Buffer>((resolve) => {
      let all: Buffer = Buffer.alloc(0);
      socket.on('data', (bytes) => {
        all = Buffer.concat([all, bytes]);
        if (all.length >= 2 * 21) resolve(all);
      });
    });
    socket.write(packet(0x06, Buffer.alloc(0)));
    await interrupted;
    const done = (status: number): string => `fd${status.toString(16).padStart(2, '0')}00${'00'.repeat(10)}`;
    const messages = (await acknowledged).toString('hex').match(/04010015.{8}.{26}/g) ?? [];
    assert.deepEqual(
      messages.map((message) => message.slice(16)),
      [done(0x00), done(0x20)],
    );
    socket.destroy();
  });

  it('is answered at once where the session is slow to stop, and the next request waits for it', async () => {
    const order: string[] = [];
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    await start(async function* (request) {
      if (isOne(request as { sql?: string })) {
        order.push('next');
        return yield* one;
      }
      yield columns;
      await stopped;
      order.push('stopped');
    });
    await cancel(undefined, (request) => setTimeout(() => request.cancel(), 20));
    const next = ask();
    setTimeout(stop, 20);
    assert.deepEqual((await next).sets, [[[1]]]);
    assert.deepEqual(order, ['stopped', 'next']);
  });

  it('is answered at once for a request that still waits for the one before to stop, and never runs it', async () => {
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    await start(async function* (request) {
      if (isOne(request as { sql?: string })) return yield* one;
      yield columns;
      await stopped;
    });
    const soon = (request: Request): void => void setTimeout(() => request.cancel(), 20);
    await cancel(undefined, soon);
    await cancel(undefined, soon);
    stop();
    assert.deepEqual((await ask()).sets, [[[1]]]);
    assert.equal(host.requests.length, 2);
  });

  it('does no harm when the request has just ended', async () => {
    await start(() => one);
    for (let round = 0; round < 20; round++) {
      await run(connection, 'one', undefined, (request) => request.once('row', () => request.cancel())).catch((error: { code?: string }) =>
        assert.equal(error.code, 'ECANCEL'),
      );
      assert.deepEqual((await ask()).sets, [[[1]]]);
    }
  });

  it('while the request is still being sent makes the server ignore it', async () => {
    await start(() => one);
    const large = `one /* ${'x'.repeat(2_000_000)} */`;
    await assert.rejects(
      run(connection, large, undefined, (request) => process.nextTick(() => request.cancel())),
      { code: 'ECANCEL' },
    );
    assert.deepEqual((await ask()).sets, [[[1]]]);
    assert.ok(host.requests.length <= 2);
  });

  it('happens to whatever runs when the client goes away', async () => {
    let reached: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (reached = resolve));
    await start(async function* (_request, signal) {
      yield columns;
      await aborted(signal).catch(() => undefined);
      reached();
    });
    const lost = run(connection, 'batch').catch(() => undefined);
    setTimeout(() => connection.close(), 20);
    await ended;
    await lost;
  });

  it('happens too when a client that reads no more says that it will send no more', async () => {
    let reached: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (reached = resolve));
    await start(function* () {
      try {
        yield columns;
        for (;;) yield { kind: 'rows', rows: Array.from({ length: 1000 }, (_, index) => [index]) };
      } finally {
        reached();
      }
    });
    const socket = connectSocket(server.port, '127.0.0.1');
    socket.write(packet(0x10, loginMessage()));
    await readPackets(socket);
    socket.pause();
    socket.end(packet(0x01, Buffer.concat([Buffer.from([4, 0, 0, 0]), Buffer.from('endless', 'utf16le')])));
    await ended;
    socket.destroy();
  });
});
