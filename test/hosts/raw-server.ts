/** A server that is not SQL Server: answers each received chunk with the next of the given replies, or does what it is told. */
import net from 'node:net';
import type { AddressInfo } from 'node:net';

export type RawReply = Buffer | 'close' | 'nothing';

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

export async function startRawServer(replies: readonly RawReply[]) {
  const received: Buffer[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let next = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(chunk);
      const reply = replies[next++] ?? 'nothing';
      if (reply === 'close') socket.end();
      else if (reply !== 'nothing') socket.write(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** What clients sent, one entry a chunk. */
    received,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** One TDS packet (MS-TDS 2.2.3.1) that is the last of its message. */
export function makePacket(payload: Buffer, type = 0x04): Buffer {
  const header = Buffer.from([type, 0x01, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(payload.length + 8, 2);
  return Buffer.concat([header, payload]);
}

/** A correct PRELOGIN answer: version 16, encryption on. */
export const PRELOGIN_REPLY = makePacket(Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0x03, 0xe8, 0, 0, 1]));
