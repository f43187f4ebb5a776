/**
 * Code page 1252, for char and varchar of the modelled collations. A character outside it becomes its best fit of
 * Windows, or `?` (Microsoft documentation, "char and varchar"; Unicode Consortium, "bestfit1252"). If the best fit is
 * not known here, the conversion is refused.
 */
import { isInCodePage } from '../tds/code-page';
import { notModelled } from './errors';

const isPlain = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
};

/**
 * A Unicode text as it becomes in char or varchar.
 * @throws SqlError 50000 for a character whose best fit is not known here.
 */
export function toCodePage(text: string): string {
  if (isPlain(text)) return text;
  return Array.from({ length: text.length }, (_, at) => fitCharacter(text[at] as string)).join('');
}

const bestFits: ReadonlyMap<string, string> = new Map(
  Array.from('ΓGΘTΣSΦFΩOαaδdεeπpσsτtφfĐÐđdĦHħhıiŁLłlŦTŧt'.match(/../gu) ?? [], (pair) => [
    pair[0] as string,
    pair[1] as string,
  ]),
);

function fitCharacter(c: string): string {
  const code = c.charCodeAt(0);
  if (isInCodePage(code)) return c;
  const fitting = bestFits.get(c);
  if (fitting !== undefined) return fitting;
  // Full-width forms of ASCII.
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  // Latin letters with a mark that the code page does not have: Ā becomes A.
  const base = c.normalize('NFD')[0] as string;
  if (code < 0x180 && base.charCodeAt(0) < 0x80) return base;
  if (hasNoFit(code)) return '?';
  throw notModelled(`U+${code.toString(16).toUpperCase().padStart(4, '0')} in code page 1252`);
}

/** The rest of Greek, Cyrillic to Ethiopic, CJK, kana, Hangul, and surrogates. */
const hasNoFit = (code: number): boolean =>
  (code >= 0x370 && code < 0x1e00) || (code >= 0x3040 && code < 0xe000);
