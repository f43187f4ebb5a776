import type { SqlType } from '../tds/handler';
import { isBinary, isDate, isInteger, type Value } from './types';

/** A lossless text of a value, without its type. */
export function toText(value: Exclude<Value, null>, type: SqlType): string {
  return isBinary(type) ? Buffer.from(value as Uint8Array).toString('hex') : String(value);
}

export function fromText(text: string, type: SqlType): Exclude<Value, null> {
  if (isBinary(type)) return new Uint8Array(Buffer.from(text, 'hex'));
  if (type.name === 'bigint' || isDate(type)) return BigInt(text);
  if (isInteger(type) || type.name === 'float' || type.name === 'real') return Number(text);
  return text;
}
