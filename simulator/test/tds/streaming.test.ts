import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import type { Connection, Request } from 'tedious';
import type { Reply } from '../../tds/handler';
import type { TdsServer } from '../../tds/server';
import { startTdsServer } from '../../tds/server';
import { loginMessage, packet, readPackets } from './raw-client';
import type { Script, ScriptedHost } from './scripted-host';
import { createScriptedHost } from './scripted-host';
import { connect, disconnect, run } from './tedious-client';

const columns: Reply = {
  kind: 'columns',
  columns: [
    { name: 'n', type: { name: 'int' }, nullable: false },
    { name: 'text', type: { name: 'nvarchar', length: 100 }, nullable: true },
  ],
};

const textOf = (n: number): string | null => (n % 7 === 0 ? null : `row ${n} 😀`);

/** This many rows, a thousand at a time. */
function* manyRows(count: number, made: (rows: number) => void = () => undefined): Generator<Reply> {
  yield columns;
  for (let from = 0; from < count; from += 1000) {
    yield { kind: 'rows', rows: Array.from({ length: Math.min(1000, count - from) }, (_, index) => [from + index, textOf(from + index)]) };
    made(Math.min(from + 1000, count));
  }
  yield { kind: 'done', rowCount: count };
}

describe('a large answer', () => {
  let host: ScriptedHost;
  let server: TdsServer;

  const start = async (script: Script, tls: 'off' | 'required' = 'off'): Promise<void> => {
    host = createScriptedHost(script);
    server = await startTdsServer({ host, tls });
  };

  afterEach(() => server.close());

  /** Counts rows and adds up a checksum without keeping them. */
  const fetchSum = (
    connection: Connection,
    onRow: (request: Request) => void = () => undefined,
  ): Promise<{ readonly rows: number; readonly wrong: number }> => {
    let rows = 0;
    let wrong = 0;
    return run(connection, 'batch', undefined, (request) => {
      request.on('row', (row: { readonly value: unknown }[]) => {
        if (row[0]?.value !== rows || row[1]?.value !== textOf(rows)) wrong++;
        rows++;
        onRow(request);
      });
    }).then(() => ({ rows, wrong }));
  };

  for (const tls of ['off', 'required'] as const) {
    for (const packetSize of [512, 4096, 32_767]) {
      it(`of 100,000 rows arrives whole in packets of ${packetSize} bytes, TLS ${tls}`, async () => {
        await start(() => manyRows(100_000), tls);
        const connection = await connect(server.port, { options: { packetSize, encrypt: tls === 'required' } });
        assert.deepEqual(await fetchSum(connection), { rows: 100_000, wrong: 0 });
        await disconnect(connection);
      });
    }
  }

  it('is made no faster than the client reads', async () => {
    let made = 0;
    await start(() => manyRows(2_000_000, (rows) => (made = rows)));
    const connection = await connect(server.port);
    let seen = 0;
    const paused = new Promise<Request>((resolve) => {
      void fetchSum(connection, (request) => {
        if (++seen === 10) {
          request.pause();
          resolve(request);
        }
      }).catch(() => undefined);
    });
    await paused;
    let before = -1;
    // Waits until the sockets' own buffers are full and nothing more is made.
    while (before !== made) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(made > 0 && made < 1_000_000, `${made} rows were made`);
    connection.close();
  });

  it('leaves in packets of the agreed size, the last of them marked', async () => {
    await start(() => manyRows(5000));
    const socket = connectSocket(server.port, '127.0.0.1');
    socket.write(packet(0x10, loginMessage({ packetBytes: 600 })));
    await readPackets(socket);
    socket.write(packet(0x01, Buffer.concat([Buffer.from([4, 0, 0, 0]), Buffer.from('batch', 'utf16le')])));
    const packets = await readPackets(socket);
    assert.ok(packets.length > 100);
    assert.deepEqual(new Set(packets.slice(0, -1).map((bytes) => `${bytes.readUInt16BE(2)} ${bytes[1]}`)), new Set(['600 0']));
    assert.equal(packets[packets.length - 1]?.[1], 1);
    assert.deepEqual(new Set(packets.map((bytes) => bytes.readUInt16BE(4))), new Set([51]));
    socket.destroy();
  });

  it('of 20 sessions at once is each session’s own', async () => {
    await start((request) => (request.kind === 'batch' && request.sql === 'batch' ? manyRows(3000) : []));
    const connections = await Promise.all(Array.from({ length: 20 }, () => connect(server.port)));
    assert.equal(host.openSessions(), 20);
    const sums = await Promise.all(connections.map((connection) => fetchSum(connection)));
    assert.deepEqual(sums, Array(20).fill({ rows: 3000, wrong: 0 }));
    await Promise.all(connections.map(disconnect));
    await server.close();
    assert.equal(host.openSessions(), 0);
  });
});
