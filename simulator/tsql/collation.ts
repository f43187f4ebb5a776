/**
 * Comparison of character values: ignores case and trailing blanks, but not accents. A BIN2 collation compares code
 * points. Punctuation sorts before digits, digits before letters. Unicode text sorts as in Windows: hyphens and
 * apostrophes count only if all else is equal ("co-op" is next to "coop"). varchar text sorts as sp_helpsort lists sort
 * order 52, that of SQL_Latin1_General_CP1_CI_AS. Letters without a base letter (æ, ß, þ) sort by code point: the
 * model's choice.
 */
import { quoteText } from './bound';
import type { Collation } from './types';

const codePageOrder = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const windowsOrder = ' !"#$%&()*,./:;?@[\\]^_`{|}~+<=>';
const passedOver = "-'";
/** Ranks after control characters, before the digits. */
const ranksOf = (order: string): string =>
  Array.from(order, (_, index) => String.fromCharCode(14 + index)).join('');
/** Sorts after every letter: a text with a hyphen comes after the same text without. */
const last = '\uE000';

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

/** @param unicode whether it is nchar or nvarchar, or compared with one. */
export function orderKeySql(sql: string, collation: Collation, unicode: boolean): string {
  if (collation === 'bin') return `rtrim(${sql}, ' ')`;
  const key = `lower(rtrim(${sql}, ' '))`;
  const order = unicode ? windowsOrder : codePageOrder;
  const base = `translate(strip_accents(${key}), ${quoteText(order + (unicode ? passedOver : ''))}, ${quoteText(ranksOf(order))})`;
  const accents = unicode
    ? `translate(${key}, ${quoteText(passedOver)}, '') || chr(1) || translate(${key}, ${quoteText(passedOver)}, ${quoteText(last + last)})`
    : key;
  const cases = `regexp_replace(regexp_replace(rtrim(${sql}, ' '), '\\p{Lu}', chr(2), 'g'), '[^\\x{2}]', chr(1), 'g')`;
  return `(${base} || chr(1) || ${accents}${collation === 'cs' ? ` || chr(1) || ${cases}` : ''})`;
}

export function equalityKey(text: string, collation: Collation): string {
  const trimmed = text.replace(/ +$/, '');
  return collation === 'ci' ? trimmed.toLowerCase() : trimmed;
}

export function orderKey(text: string, collation: Collation, unicode: boolean): string {
  const trimmed = text.replace(/ +$/, '');
  if (collation === 'bin') return trimmed;
  const key = trimmed.toLowerCase();
  const order = unicode ? windowsOrder : codePageOrder;
  const base = Array.from(key.normalize('NFD').replace(/\p{M}/gu, ''), (c) => {
    if (unicode && passedOver.includes(c)) return '';
    const at = order.indexOf(c);
    return at < 0 ? c : (ranksOf(order)[at] as string);
  }).join('');
  const accents = unicode ? `${key.replace(/[-']/g, '')}\u0001${key.replace(/[-']/g, last)}` : key;
  const cases = Array.from(trimmed, (c) => (/\p{Lu}/u.test(c) ? '\u0002' : '\u0001')).join('');
  return `${base}\u0001${accents}${collation === 'cs' ? `\u0001${cases}` : ''}`;
}
