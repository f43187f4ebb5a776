/** `FOR XML ...` and `FOR JSON ...` at the end of a query. */
import { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import type { ForClause } from './syntax';
import type { TokenReader } from './token-reader';

export const startsFor = (reader: TokenReader): boolean => reader.is('FOR', 'XML') || reader.is('FOR', 'JSON');

/** @throws SqlError 102, 50000 for the parts that are not modelled. */
export function parseFor(reader: TokenReader): ForClause {
  reader.expect('FOR');
  const { line } = reader.peek();
  return reader.next().upper === 'XML' ? parseForXml(reader, line) : parseForJson(reader, line);
}

function quotedName(reader: TokenReader): string {
  return reader.parenthesised(() => {
    const { kind, text } = reader.peek();
    if (kind !== 'string' && kind !== 'nstring') throw reader.unexpected();
    reader.next();
    return text;
  });
}

type ForXml = Extract<ForClause, { kind: 'xml' }>;

function parseForXml(reader: TokenReader, line: number): ForClause {
  const mode = reader.expectOneOf('PATH', 'RAW', 'AUTO', 'EXPLICIT') as ForXml['mode'] | 'EXPLICIT';
  if (mode === 'EXPLICIT') throw notModelled('FOR XML EXPLICIT', line);
  const element = mode !== 'AUTO' && reader.is('(') ? quotedName(reader) : 'row';
  let clause: ForXml = { kind: 'xml', mode, element, typed: false, elements: mode === 'PATH', root: undefined, line };
  while (reader.take(',')) {
    if (reader.take('TYPE')) clause = { ...clause, typed: true };
    else if (reader.take('ROOT')) clause = { ...clause, root: reader.is('(') ? quotedName(reader) : 'root' };
    else if (reader.take('ELEMENTS')) {
      if (reader.take('XSINIL')) throw notModelled('FOR XML ... ELEMENTS XSINIL', line);
      reader.take('ABSENT');
      clause = { ...clause, elements: true };
    } else if (!reader.take('BINARY', 'BASE64')) throw unknownOption(reader, 'XML');
  }
  return clause;
}

function parseForJson(reader: TokenReader, line: number): ForClause {
  const mode = reader.expectOneOf('PATH', 'AUTO') as 'PATH' | 'AUTO';
  let clause: Extract<ForClause, { kind: 'json' }> = { kind: 'json', mode, nulls: false, wrapped: true, root: undefined, line };
  while (reader.take(',')) {
    if (reader.take('ROOT')) clause = { ...clause, root: reader.is('(') ? quotedName(reader) : 'root' };
    else if (reader.take('INCLUDE_NULL_VALUES')) clause = { ...clause, nulls: true };
    else if (reader.take('WITHOUT_ARRAY_WRAPPER')) clause = { ...clause, wrapped: false };
    else throw unknownOption(reader, 'JSON');
  }
  if (!clause.wrapped && clause.root !== undefined)
    throw new SqlError(
      13620,
      'ROOT option and WITHOUT_ARRAY_WRAPPER option cannot be used together in FOR JSON. Remove one of these options.',
      16,
      1,
      line,
    );
  return clause;
}

function unknownOption(reader: TokenReader, what: string): Error {
  return reader.isOneOf('XMLDATA', 'XMLSCHEMA') ? notModelled(`FOR ${what} ... ${reader.peek().upper}`, reader.line) : reader.unexpected();
}
