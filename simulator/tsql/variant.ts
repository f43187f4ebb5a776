/** sql_variant inside this folder: the base type and its value in one text, `type|text`. */
import type { SqlType } from '../tds/handler';
import { describeType, isDate, isInteger, isNumber, isString, type Value, isBinary } from './types';

export function packVariant(type: SqlType, value: Exclude<Value, null>): string {
  return `${JSON.stringify(type)}|${toText(value, type)}`;
}

export function unpackVariant(packed: string): {
  readonly type: SqlType;
  readonly value: Exclude<Value, null>;
} {
  const end = packed.indexOf('}|') + 1;
  const type = JSON.parse(packed.slice(0, end)) as SqlType;
  return { type, value: fromText(packed.slice(end + 1), type) };
}

/**
 * A text whose order and equality are those of sql_variant: first the family of the base type, then the value
 * (Microsoft documentation, "sql_variant"). Numbers are padded so that text order is numeric order.
 */
export function variantKey(packed: string): string {
  const { type, value } = unpackVariant(packed);
  if (isNumber(type))
    return `${isInteger(type) || type.name === 'decimal' ? 4 : 5}${numberKey(String(value))}`;
  if (isDate(type)) return `6${numberKey(String(value))}`;
  if (isString(type)) return `2${String(value).replace(/ +$/, '').toLowerCase()}`;
  return `1${describeType(type)}${toText(value, type)}`;
}

function numberKey(text: string): string {
  const exact = /e/i.test(text) ? Number(text).toFixed(10) : text;
  const negative = exact.startsWith('-');
  const [whole = '0', fraction = ''] = exact.replace(/^-/, '').split('.');
  const padded = `${whole.padStart(40, '0')}.${fraction.padEnd(20, '0')}`;
  if (!negative) return `1${padded}`;
  return `0${padded.replace(/\d/g, (digit) => String(9 - Number(digit)))}`;
}

/** A lossless text of a value, without its type. */
function toText(value: Exclude<Value, null>, type: SqlType): string {
  return isBinary(type) ? Buffer.from(value as Uint8Array).toString('hex') : String(value);
}

function fromText(text: string, type: SqlType): Exclude<Value, null> {
  if (isBinary(type)) return new Uint8Array(Buffer.from(text, 'hex'));
  if (type.name === 'bigint' || isDate(type)) return BigInt(text);
  if (isInteger(type) || type.name === 'float' || type.name === 'real') return Number(text);
  return text;
}
