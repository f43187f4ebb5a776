/** A client broke the protocol: its connection is closed, and no other. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

/**
 * Reads a message from its start. To read past its end is a ProtocolError, never a wrong value. Little-endian, like TDS
 * after the packet headers.
 */
export class ByteReader {
  constructor(
    private readonly bytes: Buffer,
    private offset = 0,
  ) {}

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.remaining)
      throw new ProtocolError(`message ends ${length - this.remaining} bytes too early`);
    this.offset += length;
    return this.bytes.subarray(this.offset - length, this.offset);
  }

  peek(): number | undefined {
    return this.bytes[this.offset];
  }

  u8(): number {
    return this.take(1).readUInt8();
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  u64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  /** UTF-16 text of this many code units. */
  text(codeUnits: number): string {
    return this.take(codeUnits * 2).toString('utf16le');
  }

  /** Text behind a one-byte count of code units (B_VARCHAR). */
  shortText(): string {
    return this.text(this.u8());
  }
}
