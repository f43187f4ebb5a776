/** Values as XML (Microsoft documentation, "FOR XML", "Columns without a Name"). */
import type { SqlType } from '../tds/handler';
import { convertValue } from './convert';
import { isBinary, isString, type Type, type Value } from './types';
import { unpackVariant } from './variant';

/** A value as content of XML: dates by style 126, floats by style 2, binary as base64. */
export function xmlText(value: Exclude<Value, null>, type: Type): string {
  if (type.name === 'sql_variant') {
    const inner = unpackVariant(value as string);
    return xmlText(inner.value, inner.type);
  }
  if (isBinary(type)) return Buffer.from(value as Uint8Array).toString('base64');
  if (type.name === 'xml') return value as string;
  if (isString(type)) return escapeText(value as string);
  const style = type.name === 'float' || type.name === 'real' ? 2 : 126;
  return convertValue(value, type as SqlType, { name: 'nvarchar', length: 'max' }, style) as string;
}

const entity = (c: string): string => `&#x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')};`;
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes a text of blanks as entities: otherwise a reader would drop them. */
function escapeText(text: string): string {
  if (text !== '' && /^[ \t\n]+$/.test(text)) return Array.from(text, entity).join('');
  return Array.from(text, (c) =>
    c === '"' ? c : (named[c] ?? (c < ' ' && c !== '\n' && c !== '\t' ? entity(c) : c)),
  ).join('');
}
