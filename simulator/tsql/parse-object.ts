/** CREATE, ALTER and DROP. */
import type { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { parseAlterDatabase } from './parse-alter-database';
import { parseCreateTable, parseDropTable } from './parse-declare';
import { parseEventSession } from './parse-event-session';
import { parseCreateProcedure, parseDropProcedure } from './parse-procedure';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';
import { wordSet } from './word-set';

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
