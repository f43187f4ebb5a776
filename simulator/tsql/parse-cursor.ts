/** OPEN, FETCH, CLOSE and DEALLOCATE. */
import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

/** GLOBAL and LOCAL would distinguish cursors of the same name, but a session here cannot have those. */
function parseCursorName(reader: TokenReader): string {
  if (reader.is('GLOBAL') && reader.isName(1)) reader.next();
  if (reader.peek().kind === 'variable') throw notModelled('a cursor variable', reader.line);
  return reader.name();
}

export function parseCursorAction(reader: TokenReader, line: number, action: 'open' | 'close' | 'deallocate'): Statement {
  reader.next();
  return { kind: 'cursor', action, name: parseCursorName(reader), line };
}

export function parseFetch(reader: TokenReader, line: number): Statement {
  reader.next();
  const direction = reader.isOneOf('NEXT', 'PRIOR', 'FIRST', 'LAST', 'ABSOLUTE', 'RELATIVE') ? reader.next().upper : 'NEXT';
  if (direction === 'ABSOLUTE' || direction === 'RELATIVE') parseExpression(reader);
  reader.take('FROM');
  const name = parseCursorName(reader);
  const fetch = { kind: 'fetch', name, direction, line } as const;
  return reader.take('INTO') ? { ...fetch, into: reader.commaList(() => reader.variable()) } : fetch;
}
