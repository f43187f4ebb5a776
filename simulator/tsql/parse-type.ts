import type { TypeName } from './syntax';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

/**
 * `nvarchar(128)`, `decimal(10, 2)`, `datetime2`, `sys.sysname`, `double precision`... The name is checked when the
 * type is resolved.
 */
export function parseTypeName(reader: TokenReader): TypeName {
  const { line } = reader.peek();
  if (reader.take('DOUBLE', 'PRECISION')) return { name: 'float', line };
  const parts = reader.qualifiedName();
  let name = (parts[parts.length - 1] as string).toLowerCase();
  if (/^(char|nchar|character)$/.test(name) && reader.take('VARYING'))
    name = name === 'nchar' ? 'nvarchar' : 'varchar';
  if (!reader.take('(')) return { name, line };
  const first = reader.take('MAX') ? 'max' : parseNumber(reader);
  const second = reader.take(',') ? parseNumber(reader) : undefined;
  reader.expect(')');
  return { name, first, line, ...(second !== undefined && { second }) };
}

function parseNumber(reader: TokenReader): number {
  const { kind, text, line } = reader.peek();
  if (kind !== 'number' || !/^\d+$/.test(text)) throw reader.unexpected();
  reader.next();
  if (text.length > 9) throw sqlError(1001, [line, text], line);
  return Number(text);
}
