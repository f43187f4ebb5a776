/**
 * Decodes the bytes of a text file, piece by piece: UTF-16 in either byte order, or UTF-8, each with or without
 * a byte order mark. A line that is not UTF-8 counts as Windows-1252, as in older exports. Memory holds one line, and
 * what is needed to tell the encoding.
 */

export type TextEncodingName = 'UTF-16LE' | 'UTF-16BE' | 'UTF-8';

/** Without a byte order mark, this many bytes tell the encoding. */
const SAMPLE_BYTES = 4_096;
/** A longer line is cut into pieces, and each counts as a line. */
const LONGEST_LINE_BYTES = 1 << 18;
const LINE_FEED = 10;

/** Gives the text as it comes: whole lines, and pieces of one that is too long. */
export function decodeText(takeText: (text: string) => void) {
  let held: Uint8Array = new Uint8Array(0);
  let encoding: TextEncodingName | null = null;
  const take = (bytes: Uint8Array, isEnd: boolean): void => {
    held = concatenate(held, bytes);
    if (encoding === null && held.length < SAMPLE_BYTES && !isEnd) return;
    if (encoding === null) {
      const [found, markBytes] = findEncoding(held);
      [encoding, held] = [found, held.subarray(markBytes)];
    }
    const end = isEnd ? held.length : findEnd(held, encoding);
    if (end === 0) return;
    const text = decode(held.subarray(0, end), encoding);
    held = held.slice(end);
    takeText(text);
  };
  return {
    take: (bytes: Uint8Array): void => take(bytes, false),
    /** Gives the last line, if it has no end. */
    end(): TextEncodingName | null {
      take(new Uint8Array(0), true);
      return encoding;
    },
  };
}

/** Gives each line, without its end. */
export const decodeLines = (takeLine: (line: string) => void): ReturnType<typeof decodeText> =>
  decodeText((text) => {
    for (const line of text.replace(/\n$/, '').split('\n'))
      takeLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  });

function findEncoding(bytes: Uint8Array): readonly [TextEncodingName, markBytes: number] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['UTF-16LE', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['UTF-16BE', 2];
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['UTF-8', 3];
  // Every such file has text in Latin letters, whose UTF-16 is half zeros. Behind a lost byte they change places.
  let length = Math.min(bytes.length, SAMPLE_BYTES);
  // Zeros at the end are no text.
  while (length > 0 && bytes[length - 1] === 0) length--;
  const sample = bytes.subarray(0, length);
  const zeros = sample.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  if (zeros <= sample.length / 8) return ['UTF-8', 0];
  return [sample.indexOf(0) % 2 === 1 ? 'UTF-16LE' : 'UTF-16BE', 0];
}

/** Where the last whole line ends. If there is none, 0, or in a line that is too long the end of a character. */
function findEnd(bytes: Uint8Array, encoding: TextEncodingName): number {
  for (let at = bytes.length; at > 0;) {
    at = bytes.lastIndexOf(LINE_FEED, at - 1);
    const end = at < 0 ? 0 : findLineEnd(bytes, at, encoding);
    if (end > 0) return end;
  }
  if (bytes.length <= LONGEST_LINE_BYTES) return 0;
  if (encoding !== 'UTF-8') return bytes.length - (bytes.length % 2);
  let end = bytes.length - 1;
  while (end > bytes.length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** The end of the line with this line feed; 0 if that is half of another character of UTF-16. */
function findLineEnd(bytes: Uint8Array, feed: number, encoding: TextEncodingName): number {
  if (encoding === 'UTF-8') return feed + 1;
  const other = encoding === 'UTF-16LE' ? feed + 1 : feed - 1;
  return bytes[other] === 0 ? Math.max(feed, other) + 1 : 0;
}

/** Where bytes were lost, or are of an older encoding, each line is decoded by itself. */
function decode(bytes: Uint8Array, encoding: TextEncodingName): string {
  const text = DECODERS[encoding].decode(bytes);
  if (!UNREADABLE.test(text)) return text;
  let lines = '';
  for (let [from, feed] = [0, -1]; from < bytes.length;) {
    feed = bytes.indexOf(LINE_FEED, feed + 1);
    const to = feed < 0 ? bytes.length : findLineEnd(bytes, feed, encoding);
    if (to === 0) continue;
    const line = DECODERS[encoding].decode(bytes.subarray(from, to));
    const isOlder = encoding === 'UTF-8' && UNREADABLE.test(line);
    const text = isOlder ? WINDOWS_1252.decode(bytes.subarray(from, to)) : line;
    // Behind a lost byte the end of a line is half of another character.
    lines += text.replace(/\n$/, '') + (feed < 0 ? '' : '\n');
    from = to;
  }
  return lines;
}

const DECODERS = {
  'UTF-8': new TextDecoder('utf-8', { ignoreBOM: true }),
  'UTF-16LE': new TextDecoder('utf-16le', { ignoreBOM: true }),
  'UTF-16BE': new TextDecoder('utf-16be', { ignoreBOM: true }),
};
const WINDOWS_1252 = new TextDecoder('windows-1252');
/** No character, or a line feed whose bytes are taken for halves of two characters. */
const UNREADABLE = /[\ufffd\u0a00]/;

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
