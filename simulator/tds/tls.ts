import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { ProtocolError } from './byte-reader';
import type { Certificate } from './certificate';
import { packetType } from './packet-reader';

const headerBytes = 8;
const applicationData = 0x17;
const alert = 0x15;

/**
 * TLS in TDS 7: the records of the handshake are inside PRELOGIN packets. From the first record of application data on
 * there are only bare records.
 *
 *   client  [0x12 ClientHello]              [0x12 KeyExchange .. Finished]              0x17 LOGIN7 ..
 *   server                     [0x12 ServerHello ..]               [0x12 .. Finished]                  0x17 ..
 */
export class TlsTransport extends Duplex {
  private pending: Buffer = Buffer.alloc(0);
  private bareIn = false;
  private bareOut = false;

  constructor(private readonly socket: Socket) {
    super();
  }

  /** Takes bytes from the client. @throws ProtocolError if they are neither wrapped nor bare records. */
  receive(bytes: Buffer): void {
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    while (!this.bareIn && this.pending.length >= headerBytes) {
      const type = this.pending.readUInt8(0);
      if (type === applicationData || type === alert) this.bareIn = true;
      else if (!this.unwrap(type)) return;
    }
    if (!this.bareIn || this.pending.length === 0) return;
    this.push(this.pending);
    this.pending = Buffer.alloc(0);
  }

  private unwrap(type: number): boolean {
    const length = this.pending.readUInt16BE(2);
    if (type !== packetType.prelogin || length < headerBytes)
      throw new ProtocolError(`packet of type ${type} and ${length} bytes in a TLS handshake`);
    if (this.pending.length < length) return false;
    this.push(this.pending.subarray(headerBytes, length));
    this.pending = this.pending.subarray(length);
    return true;
  }

  override _read(): void {
    // Records are pushed as they come.
  }

  override _write(record: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bareOut ||= record[0] === applicationData;
    this.socket.write(this.bareOut ? record : wrap(record), done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }
}

function wrap(records: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header[0] = packetType.prelogin;
  header[1] = 1;
  header.writeUInt16BE(records.length + headerBytes, 2);
  return Buffer.concat([header, records]);
}

/** TLS 1.2 at most: in 1.3 some records of the handshake look like application data. */
export function acceptTls(transport: TlsTransport, certificate: Certificate): TLSSocket {
  return new TLSSocket(transport, {
    isServer: true,
    key: certificate.key,
    cert: certificate.cert,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
  });
}
