import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Connection } from 'tedious';
import { batch, logInRaw, packet, readPackets } from './raw-client';
import { columns, one, ready, type Script, type ScriptedHost } from './scripted-host';
import { useServers } from './served';
import { run, type Prepare, type Send } from './tedious-client';

/** Waits for the abort, as WAITFOR does. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('aborted'))),
  );
}

describe('cancelling', () => {
  const serve = useServers();
  let host: ScriptedHost;
  let port: number;
  let connection: Connection;

  /** Answers "one" by itself, everything else by the script. */
  const start = async (script: Script): Promise<void> => {
    const served = await serve((request, signal) =>
      request.kind === 'batch' && request.sql === 'one' ? one : script(request, signal),
    );
    ({ host } = served);
    ({ port } = served.server);
    connection = await served.open();
  };

  /** Once the server has begun. */
  const onceBegun: Prepare = (request) => {
    const before = host.requests.length;
    const poll = setInterval(() => {
      if (host.requests.length === before) return;
      clearInterval(poll);
      request.cancel();
    }, 5);
  };

  /**
   * tedious answers ECANCEL when the attention is acknowledged, and ETIMEOUT, closing the connection, when it waits in
   * vain.
   */
  const cancel = (send: Send | undefined, when: Prepare): Promise<void> =>
    assert.rejects(run(connection, 'batch', send, when), { code: 'ECANCEL' });

  const atRow = (number: number): Prepare => {
    let seen = 0;
    return (request) =>
      request.on('row', () => {
        if (++seen === number) request.cancel();
      });
  };

  const goesOn = async (): Promise<void> => assert.deepEqual((await run(connection, 'one')).sets, [[[1]]]);

  it('ends a request that waits, and the connection goes on', async () => {
    let signals = 0;
    await start(async function* (_request, signal) {
      yield columns;
      signals++;
      yield await aborted(signal);
    });
    await cancel(undefined, onceBegun);
    assert.equal(signals, 1);
    await goesOn();
  });

  it('ends a large result set in its middle', async () => {
    let produced = 0;
    await start(function* () {
      yield columns;
      for (; produced < 100_000_000; produced += 1000)
        yield { kind: 'rows', rows: Array.from({ length: 1000 }, (_, index) => [index]) };
    });
    await cancel(undefined, atRow(5000));
    assert.ok(produced < 10_000_000, `${produced} rows were made`);
    await goesOn();
  });

  it('ends a request inside of one huge array of rows', async () => {
    const rows = Array.from({ length: 1_000_000 }, (_, index) => [index]);
    await start(function* () {
      yield columns;
      yield { kind: 'rows', rows };
    });
    await cancel(undefined, atRow(100));
    await goesOn();
  });

  it('ends a procedure call', async () => {
    await start(async function* (_request, signal) {
      yield await aborted(signal);
    });
    await cancel((target, request) => target.execSql(request), onceBegun);
    await goesOn();
  });

  it('ends the interrupted answer, then acknowledges in a message of its own', async () => {
    await start(async function* (_request, signal) {
      yield columns;
      yield ready;
      yield await aborted(signal);
    });
    const socket = await logInRaw(port);
    const interrupted = readPackets(socket);
    socket.write(batch('wait'));
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
    let begun = 0;
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    await start(async function* () {
      yield columns;
      await stopped;
      begun = host.requests.length;
    });
    await cancel(undefined, onceBegun);
    const next = goesOn();
    setTimeout(stop, 20);
    await next;
    assert.deepEqual([begun, host.requests.length], [1, 2]);
  });

  it('is answered at once for a request that still waits for the one before to stop, and never runs it', async () => {
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    await start(async function* () {
      yield columns;
      await stopped;
    });
    await cancel(undefined, onceBegun);
    await cancel(undefined, (request) => void setTimeout(() => request.cancel(), 20));
    stop();
    await goesOn();
    assert.equal(host.requests.length, 2);
  });

  it('does no harm when the request has just ended', async () => {
    await start(() => one);
    for (let round = 0; round < 20; round++) {
      await run(connection, 'one', undefined, (request) => request.once('row', () => request.cancel())).catch(
        (error: { code?: string }) => assert.equal(error.code, 'ECANCEL'),
      );
      await goesOn();
    }
  });

  it('while the request is still being sent makes the server ignore it', async () => {
    await start(() => one);
    const large = `one /* ${'x'.repeat(2_000_000)} */`;
    await assert.rejects(
      run(connection, large, undefined, (request) => process.nextTick(() => request.cancel())),
      { code: 'ECANCEL' },
    );
    await goesOn();
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
    const socket = await logInRaw(port);
    socket.pause();
    socket.end(batch('endless'));
    await ended;
    socket.destroy();
  });
});
