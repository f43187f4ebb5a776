import { connect, type Socket } from 'node:net';
import { password } from './scripted-host';

/** One packet that is a whole message, unless its status says otherwise. */
export function packet(type: number, body: Uint8Array, status = 1): Buffer {
  const header = Buffer.alloc(8);
  header[0] = type;
  header[1] = status;
  header.writeUInt16BE(body.length + 8, 2);
  return Buffer.concat([header, body]);
}

/** The ALL_HEADERS of a request that has none. */
export const headers = Buffer.from([4, 0, 0, 0]);

export const batch = (sql: string): Buffer =>
  packet(0x01, Buffer.concat([headers, Buffer.from(sql, 'utf16le')]));

/** A socket whose errors are nobody's. */
export const openRaw = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => undefined);

export async function logInRaw(port: number, login = loginMessage()): Promise<Socket> {
  const socket = openRaw(port);
  socket.write(packet(0x10, login));
  await readPackets(socket);
  return socket;
}

/** LOGIN7 of TDS 7.4 for the scripted host. */
export function loginMessage({ packetBytes = 4096, tdsVersion = 0x74000004 } = {}): Buffer {
  const fixed = Buffer.alloc(94);
  const texts: Buffer[] = [];
  const put = (at: number, bytes: Buffer): void => {
    fixed.writeUInt16LE(94 + Buffer.concat(texts).length, at);
    fixed.writeUInt16LE(bytes.length / 2, at + 2);
    texts.push(bytes);
  };
  fixed.writeUInt32LE(tdsVersion, 4);
  fixed.writeUInt32LE(packetBytes, 8);
  put(36, Buffer.from('raw', 'utf16le'));
  put(40, Buffer.from('dba', 'utf16le'));
  put(44, scramble(Buffer.from(password, 'utf16le')));
  const message = Buffer.concat([fixed, ...texts]);
  message.writeUInt32LE(message.length, 0);
  return message;
}

function scramble(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => ((byte & 0x0f) << 4) ^ (byte >> 4) ^ 0xa5));
}

/** The packets of one answer, headers included. Rejects when the server hangs up before its end. */
export function readPackets(socket: Socket): Promise<Buffer[]> {
  const packets: Buffer[] = [];
  let pending: Buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      socket.removeListener('data', read);
      socket.removeListener('close', lost);
      settle();
    };
    const lost = (): void => finish(() => reject(new Error('the server closed the connection')));
    const read = (bytes: Buffer): void => {
      pending = Buffer.concat([pending, bytes]);
      while (pending.length >= 8 && pending.length >= pending.readUInt16BE(2)) {
        const length = pending.readUInt16BE(2);
        packets.push(pending.subarray(0, length));
        const last = pending[1] === 1;
        pending = pending.subarray(length);
        if (last) return finish(() => resolve(packets));
      }
    };
    socket.on('data', read);
    socket.once('close', lost);
  });
}

/** Resolves when the server has closed the connection. */
export function hungUp(socket: Socket): Promise<void> {
  socket.resume();
  socket.on('error', () => undefined);
  return new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));
}
