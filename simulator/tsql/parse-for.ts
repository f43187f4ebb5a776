/** `FOR XML PATH` at the end of a query. */
import { notModelled } from './errors';
import type { ForClause } from './syntax';
import type { TokenReader } from './token-reader';

export const startsFor = (reader: TokenReader): boolean => reader.is('FOR', 'XML') || reader.is('FOR', 'JSON');

/** @throws SqlError 102, 50000 for the parts that are not modelled. */
export function parseFor(reader: TokenReader): ForClause {
  reader.expect('FOR');
  const { line } = reader.peek();
  if (reader.next().upper === 'JSON') throw notModelled('FOR JSON', line);
  const mode = reader.expectOneOf('PATH', 'RAW', 'AUTO', 'EXPLICIT');
  if (mode !== 'PATH') throw notModelled(`FOR XML ${mode}`, line);
  let clause: ForClause = { element: reader.is('(') ? quotedName(reader) : 'row', typed: false, root: undefined, line };
  while (reader.take(',')) {
    if (reader.take('TYPE')) clause = { ...clause, typed: true };
    else if (reader.take('ROOT')) clause = { ...clause, root: reader.is('(') ? quotedName(reader) : 'root' };
    else if (reader.is('ELEMENTS', 'XSINIL') || reader.isOneOf('XMLDATA', 'XMLSCHEMA'))
      throw notModelled(`FOR XML ... ${reader.peek().upper}`, reader.line);
    else if (!reader.take('ELEMENTS') && !reader.take('BINARY', 'BASE64')) throw reader.unexpected();
  }
  return clause;
}

function quotedName(reader: TokenReader): string {
  return reader.parenthesised(() => {
    const { kind, text } = reader.peek();
    if (kind !== 'string' && kind !== 'nstring') throw reader.unexpected();
    reader.next();
    return text;
  });
}
