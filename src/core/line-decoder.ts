/**
 * Decodes the bytes of a text file, piece by piece: UTF-16 in either byte order, or UTF-8, each with or without a byte
 * order mark. A line that is not UTF-8 counts as Windows-1252, as in older exports. Memory holds one line, and what is
 * needed to tell the encoding.
 */

export type TextEncodingName = 'UTF-16LE' | 'UTF-16BE' | 'UTF-8';

interface BytesTaker {
  take(bytes: Uint8Array): void;
  /** Gives the rest. */
  end(): void;
  encoding(): TextEncodingName | null;
}

/** Without a byte order mark, this many bytes tell the encoding. */
const SAMPLE_BYTES = 4_096;
/** A longer line is cut into pieces, and each counts as a line. */
const LONGEST_LINE = 1 << 17;
const LINE_FEED = 10;

/** Gives the text as it comes, cut anywhere. */
export function decodeText(takeText: (text: string) => void): BytesTaker {
  let sample: Uint8Array = new Uint8Array(0);
  let decode: Decoder | null = null;
  let encoding: TextEncodingName | null = null;
  const begin = (): Decoder => {
    const found = findEncoding(sample);
    encoding = found.encoding;
    decode = encoding === 'UTF-8' ? createUtf8Decoder() : createUtf16Decoder(encoding);
    takeText(decode(sample.subarray(found.markBytes), false));
    return decode;
  };
  return {
    take(bytes) {
      if (decode) return takeText(decode(bytes, false));
      sample = concatenate(sample, bytes);
      if (sample.length >= SAMPLE_BYTES) begin();
    },
    end: () => takeText((decode ?? begin())(new Uint8Array(0), true)),
    encoding: () => encoding,
  };
}

/** Gives each line; at the end also a last one that has no end. */
export function decodeLines(takeLine: (line: string) => void): BytesTaker {
  let held = '';
  const decoder = decodeText((text) => {
    const lines = text.split('\n');
    lines[0] = held + (lines[0] ?? '');
    held = lines.pop() ?? '';
    for (const line of lines) takeLine(dropReturn(line));
    for (; held.length > LONGEST_LINE; held = held.slice(LONGEST_LINE)) takeLine(held.slice(0, LONGEST_LINE));
  });
  return {
    ...decoder,
    end() {
      decoder.end();
      if (held !== '') takeLine(dropReturn(held));
      held = '';
    },
  };
}

const dropReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Keeps what may go on in the next piece; at the end it gives that too. */
type Decoder = (bytes: Uint8Array, isEnd: boolean) => string;

function findEncoding(bytes: Uint8Array): {
  readonly encoding: TextEncodingName;
  readonly markBytes: number;
} {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'UTF-16LE', markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'UTF-16BE', markBytes: 2 };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'UTF-8', markBytes: 3 };
  // Every such file has text in Latin letters, and there every other byte of UTF-16 is zero.
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

function createUtf16Decoder(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (bytes, isEnd) => decoder.decode(bytes, { stream: !isEnd });
}

/** Gives whole lines, because the encoding of each is found by itself. */
function createUtf8Decoder(): Decoder {
  let held: Uint8Array = new Uint8Array(0);
  return (bytes, isEnd) => {
    const all = concatenate(held, bytes);
    const lineEnd = all.lastIndexOf(LINE_FEED) + 1;
    const end = isEnd
      ? all.length
      : lineEnd === 0 && all.length > LONGEST_LINE
        ? findCharacterEnd(all)
        : lineEnd;
    held = all.slice(end);
    return decodeUtf8(all.subarray(0, end));
  };
}

/** Where the last character begins, which may not have come whole. */
function findCharacterEnd(bytes: Uint8Array): number {
  let end = bytes.length - 1;
  while (end > bytes.length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder('windows-1252');

function decodeUtf8(bytes: Uint8Array): string {
  const text = UTF_8.decode(bytes);
  if (!text.includes('\ufffd')) return text;
  const feed = bytes.indexOf(LINE_FEED);
  if (feed < 0 || feed === bytes.length - 1) return WINDOWS_1252.decode(bytes);
  const lines: string[] = [];
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    const at = bytes.indexOf(LINE_FEED, from);
    to = at < 0 ? bytes.length : at + 1;
    lines.push(decodeUtf8(bytes.subarray(from, to)));
  }
  return lines.join('');
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
