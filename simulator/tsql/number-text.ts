import type { SqlType } from '../tds/handler';
import { decodeCodePage } from '../tds/code-page';
import { sqlError } from '../tds/messages';

/** Text of a number without a point to an integer. Blank is 0. @throws SqlError 245, 8114. */
export function parseInteger(text: string, from: SqlType, to: SqlType): bigint {
  const trimmed = text.trim();
  const found = /^([+-]?)\s*(\d*)$/.exec(trimmed);
  if (found === null || (found[1] !== '' && found[2] === '')) {
    if (to.name === 'bigint') throw sqlError(8114, [from.name, 'bigint']);
    throw sqlError(245, [from.name, text, to.name]);
  }
  const digits = BigInt(found[2] || '0');
  return found[1] === '-' ? -digits : digits;
}

export function parseFloatText(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** Style 0: at most six digits; 1: eight; 2: sixteen. The exponent has three digits. */
export function formatFloat(value: number, style: number | undefined): string {
  if (style === 1 || style === 2) return withExponent(value.toExponential((style === 1 ? 8 : 16) - 1));
  // 17 digits are enough to read back every double exactly.
  if (style === 3) return withExponent(value.toExponential(16));
  const rounded = Number(value.toPrecision(6));
  const magnitude = rounded === 0 ? 0 : Math.floor(Math.log10(Math.abs(rounded)));
  if (magnitude < -4 || magnitude >= 6) return withExponent(rounded.toExponential());
  return String(rounded);
}

function withExponent(text: string): string {
  return text.replace(
    /e([+-])(\d+)$/,
    (_, sign: string, digits: string) => `e${sign}${digits.padStart(3, '0')}`,
  );
}

/** Binary to characters: style 0 takes bytes as characters, 1 gives hexadecimal with 0x, 2 without. */
export function bytesToText(bytes: Uint8Array, unicode: boolean, style: number | undefined): string {
  const hex = (): string => Buffer.from(bytes).toString('hex').toUpperCase();
  if (style === 1) return `0x${hex()}`;
  if (style === 2) return hex();
  return unicode ? Buffer.from(bytes).toString('utf16le') : decodeCodePage(bytes);
}
