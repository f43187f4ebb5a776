import type { SqlType } from '../tds/handler';
import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import { parseTypeName } from './parse-type';
import type { Expression } from './syntax';
import { TokenReader } from './token-reader';
import { resolveType } from './types';

export interface DeclaredParameter {
  readonly name: string;
  readonly type: SqlType;
  readonly output: boolean;
  readonly defaultValue?: Expression;
}

/** `@a int, @b nvarchar(10) = N'x' OUTPUT`: what sp_executesql and sp_prepare declare. */
export function parseParameters(text: string): readonly DeclaredParameter[] {
  const reader = new TokenReader(text);
  if (reader.peek().kind === 'end') return [];
  const parameters = parseParameterList(reader);
  if (reader.peek().kind !== 'end') throw reader.unexpected();
  return parameters;
}

/** One or more parameters, of a procedure too. */
export function parseParameterList(reader: TokenReader): readonly DeclaredParameter[] {
  return reader.commaList((): DeclaredParameter => {
    const name = reader.variable();
    reader.take('AS');
    const type = resolveType(parseTypeName(reader));
    if (reader.is('VARYING') || reader.is('READONLY'))
      throw notModelled(`a ${reader.peek().upper} parameter`, reader.line);
    const defaultValue = reader.take('=') ? parseExpression(reader) : undefined;
    const output = reader.isOneOf('OUTPUT', 'OUT') && reader.next() !== undefined;
    return { name, type, output, ...(defaultValue && { defaultValue }) };
  });
}
