/**
 * Comparison of character values: case-insensitive, accent-sensitive, blind to trailing blanks. Order puts punctuation before digits before letters,
 * as Windows collations do; a BIN2 collation compares code points.
 */
import { quoteText } from './bound';

export type Collation = 'ci' | 'cs' | 'bin';

const punctuation = '_-,;:!?."\'()[]{}@*/\\&#%`^+<=>|~$';
const ranks = Array.from(punctuation, (_, index) => String.fromCharCode(2 + index + (index >= 7 ? 1 : 0))).join('');

const known =
  /^(SQL_)?(Latin1_General|SQL_Latin1_General|Finnish_Swedish|French|German_PhoneBook|Danish_Norwegian|Modern_Spanish|Japanese|Chinese_PRC|Cyrillic_General|Polish|Czech|Turkish)(_CP\d+|_\d+)*(_(CI|CS)_(AI|AS)(_KS)?(_WS)?(_SC)?(_UTF8)?|_BIN2?(_UTF8)?)$/i;

/** Undefined for a collation that is not known. */
export function resolveCollation(name: string): Collation | undefined {
  if (/^(database_default|catalog_default)$/i.test(name)) return 'ci';
  if (!known.test(name) || /_AI/i.test(name)) return undefined;
  if (/_BIN2?(_UTF8)?$/i.test(name)) return 'bin';
  return /_CS_/i.test(name) ? 'cs' : 'ci';
}

export function equalityKeySql(sql: string, collation: Collation): string {
  return collation === 'ci' ? `lower(rtrim(${sql}, ' '))` : `rtrim(${sql}, ' ')`;
}

export function orderKeySql(sql: string, collation: Collation): string {
  if (collation === 'bin') return `rtrim(${sql}, ' ')`;
  const key = `lower(rtrim(${sql}, ' '))`;
  return `(translate(strip_accents(${key}), ${quoteText(punctuation)}, ${quoteText(ranks)}) || chr(1) || ${key})`;
}

export function equalityKey(text: string, collation: Collation): string {
  const trimmed = text.replace(/ +$/, '');
  return collation === 'ci' ? trimmed.toLowerCase() : trimmed;
}

export function orderKey(text: string, collation: Collation): string {
  const trimmed = text.replace(/ +$/, '');
  if (collation === 'bin') return trimmed;
  const key = trimmed.toLowerCase();
  const ranked = Array.from(key.normalize('NFD').replace(/\p{M}/gu, ''), (c) => {
    const at = punctuation.indexOf(c);
    return at < 0 ? c : (ranks[at] as string);
  }).join('');
  return `${ranked}\u0001${key}`;
}
