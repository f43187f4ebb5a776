/** A growing buffer for tokens. Little-endian, like TDS after the packet headers. */
export class ByteWriter {
  private buffer: Buffer;
  private end = 0;
  /** Where the last bytes were asked for. */
  private at = 0;

  constructor(initialBytes = 1024) {
    this.buffer = Buffer.allocUnsafe(initialBytes);
  }

  get length(): number {
    return this.end;
  }

  /** The buffer with room for these bytes from `at` on; another one if it had to grow. */
  private room(bytes: number): Buffer {
    this.at = this.end;
    this.end += bytes;
    if (this.end > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.end, this.buffer.length * 2));
      this.buffer.copy(grown, 0, 0, this.at);
      this.buffer = grown;
    }
    return this.buffer;
  }

  u8(...values: readonly number[]): this {
    for (const value of values) this.room(1)[this.at] = value;
    return this;
  }

  u16(value: number): this {
    this.room(2).writeUInt16LE(value, this.at);
    return this;
  }

  i16(value: number): this {
    this.room(2).writeInt16LE(value, this.at);
    return this;
  }

  u32(value: number): this {
    this.room(4).writeUInt32LE(value, this.at);
    return this;
  }

  i32(value: number): this {
    this.room(4).writeInt32LE(value, this.at);
    return this;
  }

  i64(value: bigint): this {
    this.room(8).writeBigInt64LE(value, this.at);
    return this;
  }

  u64(value: bigint): this {
    this.room(8).writeBigUInt64LE(value, this.at);
    return this;
  }

  f32(value: number): this {
    this.room(4).writeFloatLE(value, this.at);
    return this;
  }

  f64(value: number): this {
    this.room(8).writeDoubleLE(value, this.at);
    return this;
  }

  /** An unsigned integer of this many bytes (up to 6). */
  uint(value: number, bytes: number): this {
    this.room(bytes).writeUIntLE(value, this.at, bytes);
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.room(bytes.length).set(bytes, this.at);
    return this;
  }

  /** UTF-16 code units as they are, even lone surrogates. */
  text(value: string): this {
    this.room(value.length * 2).write(value, this.at, 'utf16le');
    return this;
  }

  /** Text behind a one-byte count of code units (B_VARCHAR); what does not fit is cut. */
  shortText(value: string): this {
    const fitting = value.slice(0, 255);
    return this.u8(fitting.length).text(fitting);
  }

  /** Text behind a two-byte count of code units (US_VARCHAR). */
  longText(value: string): this {
    return this.u16(value.length).text(value);
  }

  /** The length in bytes as a two-byte number, then what `fill` writes. */
  counted(fill: (writer: this) => void): this {
    this.room(2);
    const { at } = this;
    fill(this);
    this.buffer.writeUInt16LE(this.end - at - 2, at);
    return this;
  }

  /** Forgets everything after that length, for example a row that could not be finished. */
  truncate(length: number): void {
    this.end = Math.min(this.end, length);
  }

  /** A view of what has been written; valid until the next write. */
  view(from = 0, to = this.end): Buffer {
    return this.buffer.subarray(from, to);
  }

  /** Removes this many bytes from the front, after they have been copied elsewhere. */
  discard(bytes: number): void {
    this.buffer.copyWithin(0, bytes, this.end);
    this.end -= bytes;
  }
}
