/** `FOR XML PATH('')` at the end of a query. */
import { notModelled } from './errors';
import type { ForClause } from './syntax';
import type { TokenReader } from './token-reader';

export const startsFor = (reader: TokenReader): boolean =>
  reader.is('FOR', 'XML') || reader.is('FOR', 'JSON');

/** @throws SqlError 102, 50000 for the parts that are not modelled. */
export function parseFor(reader: TokenReader): ForClause {
  reader.expect('FOR');
  const { line } = reader.peek();
  if (reader.next().upper === 'JSON') throw notModelled('FOR JSON', line);
  const mode = reader.expectOneOf('PATH', 'RAW', 'AUTO', 'EXPLICIT');
  if (mode !== 'PATH') throw notModelled(`FOR XML ${mode}`, line);
  if (!reader.is('(') || reader.peek(1).text !== '')
    throw notModelled('FOR XML PATH with an element for each row', line);
  reader.parenthesised(() => reader.next());
  if (reader.take(',')) throw notModelled(`FOR XML ... ${reader.peek().upper}`, line);
  return { line };
}
