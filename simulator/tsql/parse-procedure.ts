/** CREATE and DROP PROCEDURE of #temporary procedures; permanent ones are refused by name. */
import { notModelled } from './errors';
import { parseParameterList } from './parse-parameters';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

/** The body goes to the end of the batch. @throws SqlError 111 if it is not the first statement. */
export function parseCreateProcedure(
  reader: TokenReader,
  line: number,
  parseRest: (reader: TokenReader) => readonly Statement[],
): Statement {
  const first = reader.position === 0;
  const verb = reader.next().upper;
  const replaces = verb === 'CREATE' && reader.take('OR', 'ALTER');
  reader.expectOneOf('PROC', 'PROCEDURE');
  if (!first) throw sqlError(111, [], line);
  const parts = reader.qualifiedName();
  const name = parts[parts.length - 1] as string;
  if (!name.startsWith('#') || name.startsWith('##') || verb === 'ALTER')
    throw notModelled(`${verb} ${replaces ? 'OR ALTER ' : ''}PROCEDURE ${parts.join('.')}`, line);
  if (reader.is(';')) throw notModelled('a numbered procedure', line);
  const parameters = parseHeader(reader, name);
  reader.expect('AS');
  const body = parseRest(reader);
  return { kind: 'createProcedure', procedure: { name, parameters, body }, replaces, line };
}

function parseHeader(reader: TokenReader, name: string): ReturnType<typeof parseParameterList> {
  const bracketed = reader.take('(');
  const parameters = reader.peek().kind === 'variable' ? parseParameterList(reader) : [];
  if (bracketed) reader.expect(')');
  if (reader.is('WITH')) throw notModelled(`WITH ${reader.peek(1).upper} of procedure ${name}`, reader.line);
  return parameters;
}

export function parseDropProcedure(reader: TokenReader, line: number): Statement {
  reader.expect('DROP');
  reader.expectOneOf('PROC', 'PROCEDURE');
  const ifExists = reader.take('IF', 'EXISTS');
  return { kind: 'dropProcedure', names: reader.commaList(() => reader.qualifiedName()), ifExists, line };
}
