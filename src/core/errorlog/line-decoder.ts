/**
 * Decodes the bytes of a log file to lines, piece by piece: UTF-16 in either byte order, or UTF-8, each with or without a byte order mark. Bytes that are not
 * UTF-8 count as Latin-1, as in older exports. Memory holds one line, and what is needed to tell the encoding.
 */

export type TextEncodingName = 'UTF-16LE' | 'UTF-16BE' | 'UTF-8';

interface LineDecoder {
  take(bytes: Uint8Array): void;
  /** Gives the last line, if it has no end. */
  end(): void;
  encoding(): TextEncodingName | null;
}

/** Without a byte order mark, this many bytes tell the encoding. */
const SAMPLE_BYTES = 4_096;
/** A longer line is cut into pieces, and each counts as a line. */
const LONGEST_LINE = 1 << 17;
const CALL_UNITS = 8_192;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

export function decodeLines(takeLine: (line: string) => void): LineDecoder {
  let sample: Uint8Array = new Uint8Array(0);
  let decode: UnitDecoder | null = null;
  let encoding: TextEncodingName | null = null;
  const splitter = splitLines(takeLine);
  const begin = (): UnitDecoder => {
    const found = findEncoding(sample);
    encoding = found.encoding;
    const decoder = found.encoding === 'UTF-8' ? decodeUtf8() : decodeUtf16(found.encoding === 'UTF-16BE');
    splitter.take(decoder(sample.subarray(found.markBytes)));
    decode = decoder;
    return decoder;
  };
  return {
    take(bytes) {
      if (decode) return splitter.take(decode(bytes));
      sample = concatenate(sample, bytes);
      if (sample.length >= SAMPLE_BYTES) begin();
    },
    end() {
      const decoder = decode ?? begin();
      splitter.take(decoder(null));
      splitter.end();
    },
    encoding: () => encoding,
  };
}

/** Decodes bytes to UTF-16 code units. null means the end: then it gives what is left over. */
type UnitDecoder = (bytes: Uint8Array | null) => Uint16Array;

function findEncoding(bytes: Uint8Array): { readonly encoding: TextEncodingName; readonly markBytes: number } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'UTF-16LE', markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'UTF-16BE', markBytes: 2 };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'UTF-8', markBytes: 3 };
  // Every log has text in Latin letters, and there every other byte of UTF-16 is zero.
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let [even, odd] = [0, 0];
  for (let at = 0; at < length; at++) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  if (odd > length / 8 && odd > even) return { encoding: 'UTF-16LE', markBytes: 0 };
  return { encoding: even > length / 8 && even > odd ? 'UTF-16BE' : 'UTF-8', markBytes: 0 };
}

function decodeUtf16(isBigEndian: boolean): UnitDecoder {
  let held = -1;
  const [low, high] = isBigEndian ? [1, 0] : [0, 1];
  return (bytes) => {
    if (bytes === null) return new Uint16Array(0);
    const source = held < 0 ? bytes : concatenate(Uint8Array.of(held), bytes);
    held = source.length % 2 === 1 ? (source[source.length - 1] ?? -1) : -1;
    const units = new Uint16Array(source.length >> 1);
    for (let at = 0; at < units.length; at++) units[at] = (source[2 * at + low] ?? 0) | ((source[2 * at + high] ?? 0) << 8);
    return units;
  };
}

function decodeUtf8(): UnitDecoder {
  let held: Uint8Array = new Uint8Array(0);
  return (bytes) => {
    const source = bytes === null ? held : held.length === 0 ? bytes : concatenate(held, bytes);
    const units = new Uint16Array(source.length);
    let [from, to] = [0, 0];
    while (from < source.length) {
      const first = source[from] ?? 0;
      if (first < 0x80) {
        units[to++] = first;
        from++;
        continue;
      }
      const { length, point } = readSequence(source, from);
      // The sequence may go on in the next piece.
      if (length === 0 && bytes !== null && source.length - from < 4) break;
      if (point > 0xffff) units[to++] = 0xd800 + ((point - 0x10000) >> 10);
      units[to++] = length === 0 ? first : point > 0xffff ? 0xdc00 + ((point - 0x10000) & 0x3ff) : point;
      from += length || 1;
    }
    held = source.slice(from);
    return units.subarray(0, to);
  };
}

/** Length 0 if no well-formed sequence begins there, or if not all of it has come yet. */
function readSequence(bytes: Uint8Array, from: number): { readonly length: number; readonly point: number } {
  const first = bytes[from] ?? 0;
  const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || first >= 0xf5) return { length: 0, point: 0 };
  let point = first & (0xff >> (length + 1));
  for (let at = 1; at < length; at++) {
    const next = bytes[from + at];
    if (next === undefined || (next & 0xc0) !== 0x80) return { length: 0, point: 0 };
    point = (point << 6) | (next & 0x3f);
  }
  const isShortest = point >= (length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000);
  const isCharacter = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isShortest && isCharacter ? { length, point } : { length: 0, point: 0 };
}

function splitLines(takeLine: (line: string) => void): { take(units: Uint16Array): void; end(): void } {
  let held = '';
  const give = (line: string): void => takeLine(line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.slice(0, -1) : line);
  return {
    take(units) {
      let from = 0;
      for (let end = units.indexOf(LINE_FEED); end >= 0; end = units.indexOf(LINE_FEED, from)) {
        const line = writeString(units, from, end);
        give(held === '' ? line : held + line);
        held = '';
        from = end + 1;
      }
      held += writeString(units, from, units.length);
      for (; held.length > LONGEST_LINE; held = held.slice(LONGEST_LINE)) takeLine(held.slice(0, LONGEST_LINE));
    },
    end() {
      if (held !== '') give(held);
      held = '';
    },
  };
}

function writeString(units: Uint16Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += CALL_UNITS)
    text += String.fromCharCode.apply(null, units.subarray(at, Math.min(at + CALL_UNITS, to)) as unknown as number[]);
  return text;
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
