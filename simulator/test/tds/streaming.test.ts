import assert from 'node:assert/strict';
import type { Connection, Request } from 'tedious';
import type { Reply } from '../../tds/handler';
import { batch, loginMessage, logInRaw, readPackets } from './raw-client';
import { useServers } from './served';
import { run } from './tedious-client';

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
    yield {
      kind: 'rows',
      rows: Array.from({ length: Math.min(1000, count - from) }, (_, index) => [
        from + index,
        textOf(from + index),
      ]),
    };
    made(Math.min(from + 1000, count));
  }
  yield { kind: 'done', rowCount: count };
}

describe('a large answer', () => {
  const serve = useServers();

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
        const { open } = await serve(() => manyRows(100_000), tls);
        const connection = await open({ options: { packetSize, encrypt: tls === 'required' } });
        assert.deepEqual(await fetchSum(connection), { rows: 100_000, wrong: 0 });
      });
    }
  }

  it('is made no faster than the client reads', async () => {
    let made = 0;
    const { open } = await serve(() => manyRows(2_000_000, (rows) => (made = rows)));
    const connection = await open();
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
  });

  it('leaves in packets of the agreed size, the last of them marked', async () => {
    const { server } = await serve(() => manyRows(5000));
    const socket = await logInRaw(server.port, loginMessage({ packetBytes: 600 }));
    socket.write(batch('batch'));
    const packets = await readPackets(socket);
    assert.ok(packets.length > 100);
    assert.deepEqual(
      new Set(packets.slice(0, -1).map((bytes) => `${bytes.readUInt16BE(2)} ${bytes[1]}`)),
      new Set(['600 0']),
    );
    assert.equal(packets[packets.length - 1]?.[1], 1);
    assert.deepEqual(new Set(packets.map((bytes) => bytes.readUInt16BE(4))), new Set([51]));
    socket.destroy();
  });

  it('of 20 sessions at once is each session’s own', async () => {
    const { host, open } = await serve((request) =>
      request.kind === 'batch' && request.sql === 'batch' ? manyRows(3000) : [],
    );
    const connections = await Promise.all(Array.from({ length: 20 }, () => open()));
    assert.equal(host.openSessions(), 20);
    const sums = await Promise.all(connections.map((connection) => fetchSum(connection)));
    assert.deepEqual(sums, Array(20).fill({ rows: 3000, wrong: 0 }));
  });
});
