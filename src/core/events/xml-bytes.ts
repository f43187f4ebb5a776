/** Stands for every character beyond ASCII. */
export const BEYOND_ASCII = 128;
/** A shorter text is copied into a buffer that exists already. */
const SHORT = 4096;

const NAME_START = 1;
export const NAME_REST = 2;
const BLANK = 4;
/** What a character may be part of; everything beyond ASCII may stand in a name. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= BEYOND_ASCII) return NAME_START | NAME_REST;
  const character = String.fromCharCode(code);
  if (/[A-Za-z_:]/.test(character)) return NAME_START | NAME_REST;
  if (/[0-9.-]/.test(character)) return NAME_REST;
  return /[ \t\r\n]/.test(character) ? BLANK : 0;
});

/**
 * A text as bytes, one for each character, and a 0 after the last one. Looking at a byte takes a tenth of the time of a
 * character.
 */
export class XmlBytes {
  readonly short = new Uint8Array(SHORT);
  private readonly encoder = new TextEncoder();
  /**
   * The first 1, 2, 4, ... bytes. With less than three bytes a character the encoder copies ASCII at once, which is
   * quicker; other characters may not fit.
   */
  private readonly views = Array.from({ length: 1 + Math.log2(SHORT) }, (_, power) =>
    this.short.subarray(0, 2 ** power),
  );

  /** The bytes of a text, valid until the next one is copied. */
  copy(text: string): Uint8Array<ArrayBuffer> {
    const { length } = text;
    const bytes = length < SHORT ? this.short : new Uint8Array(length + 1);
    const { read, written } = this.encoder.encodeInto(
      text,
      length < SHORT ? (this.views[32 - Math.clz32(length)] as Uint8Array) : bytes,
    );
    if (read !== length || written !== length) {
      for (let i = 0; i < length; i++) bytes[i] = Math.min(text.charCodeAt(i), BEYOND_ASCII);
    }
    bytes[length] = 0;
    return bytes;
  }
}

export function isBlank(code: number): boolean {
  return ((CLASSES[code] as number) & BLANK) !== 0;
}

/**
 * The position after the name, or the rest of a name, that begins here; the same position if none does. A 0 ends the
 * text, and every name.
 */
export function skipName(bytes: Uint8Array, from: number, first = NAME_START): number {
  if (!((CLASSES[bytes[from] as number] as number) & first)) return from;
  let at = from + 1;
  while ((CLASSES[bytes[at] as number] as number) & NAME_REST) at++;
  return at;
}

/** The position after the blanks that begin here. */
export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((CLASSES[bytes[at] as number] as number) & BLANK) at++;
  return at;
}
