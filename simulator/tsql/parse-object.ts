/** CREATE, ALTER and DROP. */
import type { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { parseAlterDatabase } from './parse-alter-database';
import { parseCreateTable, parseDropTable } from './parse-declare';
import { parseEventSession } from './parse-event-session';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';
import { wordSet } from './word-set';
import { parseParameterList } from './parse-parameters';
import { sqlError } from '../tds/messages';

/** Reads the statements of a procedure. */
type ParseRest = (reader: TokenReader) => readonly Statement[];

/** `CREATE PROC`, `CREATE OR ALTER PROCEDURE`, `DROP PROC`... */
function isProcedure(reader: TokenReader): boolean {
  const ahead = reader.peek(1).upper === 'OR' ? 3 : 1;
  return ['PROC', 'PROCEDURE'].includes(reader.peek(ahead).upper);
}

export function parseCreate(reader: TokenReader, line: number, parseRest: ParseRest): Statement {
  if (reader.is('CREATE', 'TABLE')) return parseCreateTable(reader, line);
  if (reader.is('CREATE', 'EVENT', 'SESSION')) return parseEventSession(reader, line);
  if (isProcedure(reader)) return parseCreateProcedure(reader, line, parseRest);
  throw refuseObject(reader);
}

export function parseAlter(reader: TokenReader, line: number, parseRest: ParseRest): Statement {
  if (reader.is('ALTER', 'DATABASE') || reader.is('ALTER', 'AVAILABILITY', 'GROUP'))
    return parseAlterDatabase(reader, line);
  if (reader.is('ALTER', 'EVENT', 'SESSION')) return parseEventSession(reader, line);
  if (isProcedure(reader)) return parseCreateProcedure(reader, line, parseRest);
  throw refuseObject(reader);
}

export function parseDrop(reader: TokenReader, line: number): Statement {
  if (reader.is('DROP', 'TABLE')) return parseDropTable(reader, line);
  if (reader.is('DROP', 'EVENT', 'SESSION')) return parseEventSession(reader, line);
  if (isProcedure(reader)) return parseDropProcedure(reader, line);
  throw refuseObject(reader);
}

const objects =
  wordSet(`AGGREGATE APPLICATION ASSEMBLY ASYMMETRIC AVAILABILITY CERTIFICATE CLUSTERED COLUMNSTORE CREDENTIAL DATABASE DEFAULT ENDPOINT EXTERNAL FULLTEXT
  FUNCTION INDEX LOGIN MASTER NONCLUSTERED OR PARTITION PROC PROCEDURE QUEUE RESOURCE ROLE ROUTE RULE SCHEMA SECURITY SEQUENCE SERVER
  SERVICE STATISTICS SYMMETRIC SYNONYM TABLE TRIGGER TYPE UNIQUE USER VIEW WORKLOAD XML AUTHORIZATION`);

function refuseObject(reader: TokenReader): SqlError {
  const verb = reader.next().upper;
  const { upper, line } = reader.peek();
  if (upper === 'OR' && reader.peek(1).upper !== 'ALTER') return reader.unexpected(reader.peek(1));
  return objects.has(upper)
    ? notModelled(`${verb} ${upper === 'OR' ? `OR ALTER ${reader.peek(2).upper}` : upper}`, line)
    : reader.unexpected();
}

/** The body goes to the end of the batch. @throws SqlError 111 if it is not the first statement. */
function parseCreateProcedure(
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

function parseDropProcedure(reader: TokenReader, line: number): Statement {
  reader.expect('DROP');
  reader.expectOneOf('PROC', 'PROCEDURE');
  const ifExists = reader.take('IF', 'EXISTS');
  return { kind: 'dropProcedure', names: reader.commaList(() => reader.qualifiedName()), ifExists, line };
}
