import { ProtocolError } from './byte-reader';

/** Types of packets a client may send (MS-TDS 2.2.3.1.1), and the type of every answer. */
export const packetType = {
  sqlBatch: 0x01,
  rpc: 0x03,
  reply: 0x04,
  attention: 0x06,
  transactionManager: 0x0e,
  login7: 0x10,
  /** The answer to a challenge: SSPI (MS-TDS 2.2.6.8). */
  securityToken: 0x11,
  prelogin: 0x12,
} as const;

const knownTypes: ReadonlySet<number> = new Set(Object.values(packetType));
const headerBytes = 8;
const maximumPacketBytes = 32_767;
/** Larger requests are refused: each is held in memory whole. */
const maximumMessageBytes = 256 * 1024 * 1024;
const endOfMessage = 0x01;
const ignoreMessage = 0x02;
const resetConnection = 0x08 | 0x10;

export interface Message {
  readonly type: number;
  readonly body: Buffer;
  /** The client cancelled while sending: answer it, but do not run it (MS-TDS 2.2.1.7). */
  readonly ignored: boolean;
  /** The client takes this connection from a pool and wants a fresh session. */
  readonly reset: boolean;
}

/** Cuts a stream of bytes into packets and joins packets into messages. */
export class PacketReader {
  private pending: Buffer = Buffer.alloc(0);
  private bodies: Buffer[] = [];
  private bodyBytes = 0;
  private first: { readonly type: number; readonly status: number } | undefined;

  feed(bytes: Buffer): void {
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
  }

  /**
   * The next whole message, or undefined until more bytes come.
   * @throws ProtocolError for a header that cannot be one.
   */
  next(): Message | undefined {
    for (;;) {
      const packet = this.nextPacket();
      if (packet === undefined) return undefined;
      const message = this.join(packet);
      if (message !== undefined) return message;
    }
  }

  /** Takes the unread bytes when the stream changes from packets to TLS records. */
  takeRest(): Buffer {
    const rest = this.pending;
    this.pending = Buffer.alloc(0);
    return rest;
  }

  private nextPacket(): Buffer | undefined {
    if (this.pending.length < headerBytes) return undefined;
    const type = this.pending.readUInt8(0);
    if (!knownTypes.has(type)) throw new ProtocolError(`a packet of unknown type ${type}`);
    const length = this.pending.readUInt16BE(2);
    if (length < headerBytes || length > maximumPacketBytes)
      throw new ProtocolError(`a packet cannot be ${length} bytes long`);
    if (this.pending.length < length) return undefined;
    const packet = this.pending.subarray(0, length);
    this.pending = this.pending.subarray(length);
    return packet;
  }

  private join(packet: Buffer): Message | undefined {
    const type = packet.readUInt8(0);
    const status = packet.readUInt8(1);
    this.first ??= { type, status };
    if (type !== this.first.type)
      throw new ProtocolError(`packet of type ${type} inside a message of type ${this.first.type}`);
    this.bodies.push(packet.subarray(headerBytes));
    this.bodyBytes += packet.length - headerBytes;
    if (this.bodyBytes > maximumMessageBytes)
      throw new ProtocolError(`a message of more than ${maximumMessageBytes} bytes`);
    if ((status & endOfMessage) === 0) return undefined;
    const message = {
      type,
      body: Buffer.concat(this.bodies, this.bodyBytes),
      ignored: (status & ignoreMessage) !== 0,
      reset: (this.first.status & resetConnection) !== 0,
    };
    this.first = undefined;
    this.bodies = [];
    this.bodyBytes = 0;
    return message;
  }
}
