import { ByteWriter } from './byte-writer';
import type { Out } from './faults';
import { packetType } from './packet-reader';

const headerBytes = 8;
/** The socket gets full packets in pieces of about this size. */
const flushBytes = 32 * 1024;

interface PacketFormat {
  /** Header included, as negotiated at login. */
  readonly packetBytes: number;
  readonly spid: number;
}

/** One answer: write tokens to `tokens`. They are sent as packets fill, so that a large answer is never held whole. */
export class MessageWriter {
  readonly tokens = new ByteWriter(4096);
  private packetId = 0;

  constructor(
    private readonly out: Out,
    private readonly format: PacketFormat,
  ) {}

  /** Whether so much is waiting that `flush` is due. */
  get full(): boolean {
    return this.tokens.length >= Math.max(flushBytes, this.format.packetBytes * 2);
  }

  /** Sends whole packets. False: the socket asks to wait for its 'drain'. */
  flush(): boolean {
    const payload = this.format.packetBytes - headerBytes;
    return this.send(Math.floor(this.tokens.length / payload) * payload, false);
  }

  /** Sends everything written so far, even if the last packet is short: for a message that must be seen now. */
  flushAll(): boolean {
    return this.send(this.tokens.length, false);
  }

  /** Sends the rest and ends the message. */
  end(): void {
    this.send(this.tokens.length, true);
  }

  private send(bytes: number, last: boolean): boolean {
    if (bytes <= 0 && !last) return true;
    const payload = this.format.packetBytes - headerBytes;
    const count = Math.max(1, Math.ceil(bytes / payload));
    const packets = Buffer.allocUnsafe(bytes + count * headerBytes);
    for (let index = 0; index < count; index++) {
      const from = index * payload;
      const to = Math.min(bytes, from + payload);
      const at = from + index * headerBytes;
      this.writeHeader(packets, at, to - from + headerBytes, last && index === count - 1);
      this.tokens.view(from, to).copy(packets, at + headerBytes);
    }
    this.tokens.discard(bytes);
    return this.out.write(packets);
  }

  private writeHeader(packets: Buffer, at: number, length: number, last: boolean): void {
    packets[at] = packetType.reply;
    packets[at + 1] = last ? 1 : 0;
    packets.writeUInt16BE(length, at + 2);
    packets.writeUInt16BE(this.format.spid & 0xffff, at + 4);
    this.packetId = (this.packetId + 1) & 0xff;
    packets[at + 6] = this.packetId;
    packets[at + 7] = 0;
  }
}
