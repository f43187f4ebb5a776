/** A growing buffer for tokens. Little-endian, like TDS after the packet headers. */
export class ByteWriter {
  private buffer: Buffer;
  private end = 0;

  constructor(initialBytes = 1024) {
    this.buffer = Buffer.allocUnsafe(initialBytes);
  }

  get length(): number {
    return this.end;
  }

  /** Where to write. If `buffer` had to grow, it is another one afterwards. */
  private reserve(bytes: number): number {
    const at = this.end;
    this.end += bytes;
    if (this.end > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.end, this.buffer.length * 2));
      this.buffer.copy(grown, 0, 0, at);
      this.buffer = grown;
    }
    return at;
  }

  u8(...values: readonly number[]): this {
    for (const value of values) {
      const at = this.reserve(1);
      this.buffer[at] = value;
    }
    return this;
  }

  u16(value: number): this {
    const at = this.reserve(2);
    this.buffer.writeUInt16LE(value, at);
    return this;
  }

  i16(value: number): this {
    const at = this.reserve(2);
    this.buffer.writeInt16LE(value, at);
    return this;
  }

  u32(value: number): this {
    const at = this.reserve(4);
    this.buffer.writeUInt32LE(value, at);
    return this;
  }

  i32(value: number): this {
    const at = this.reserve(4);
    this.buffer.writeInt32LE(value, at);
    return this;
  }

  i64(value: bigint): this {
    const at = this.reserve(8);
    this.buffer.writeBigInt64LE(value, at);
    return this;
  }

  u64(value: bigint): this {
    const at = this.reserve(8);
    this.buffer.writeBigUInt64LE(value, at);
    return this;
  }

  f32(value: number): this {
    const at = this.reserve(4);
    this.buffer.writeFloatLE(value, at);
    return this;
  }

  f64(value: number): this {
    const at = this.reserve(8);
    this.buffer.writeDoubleLE(value, at);
    return this;
  }

  /** An unsigned integer of this many bytes (up to 6). */
  uint(value: number, bytes: number): this {
    const at = this.reserve(bytes);
    this.buffer.writeUIntLE(value, at, bytes);
    return this;
  }

  raw(bytes: Uint8Array): this {
    const at = this.reserve(bytes.length);
    this.buffer.set(bytes, at);
    return this;
  }

  /** UTF-16 code units as they are, even lone surrogates. */
  text(value: string): this {
    const at = this.reserve(value.length * 2);
    this.buffer.write(value, at, 'utf16le');
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
    const at = this.reserve(2);
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
