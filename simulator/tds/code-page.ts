/** SQL_Latin1_General_CP1_CI_AS: LCID 0x0409, case-insensitive, sort id 52. Its char and varchar are code page 1252. */
export const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

/**
 * Bytes 0x80 to 0x9F of code page 1252, which differ from Latin-1. Its five undefined ones stay control characters, as
 * on Windows.
 */
const upperControls =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const byteOf = new Map([...upperControls].map((character, index) => [character.charCodeAt(0), 0x80 + index]));

export const isInCodePage = (unit: number): boolean =>
  unit < 0x80 || (unit >= 0xa0 && unit <= 0xff) || byteOf.has(unit);

/** One byte for each UTF-16 code unit. Characters not in the code page become `?` (a surrogate pair two of them). */
export function encodeCodePage(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[index] = isInCodePage(unit) ? (byteOf.get(unit) ?? unit) : 0x3f;
  }
  return bytes;
}

export function decodeCodePage(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin.replace(/[\u0080-\u009f]/g, (control) => upperControls.charAt(control.charCodeAt(0) - 0x80));
}
