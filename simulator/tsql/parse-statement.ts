import { sqlError } from '../tds/messages';
import { notModelled } from './errors';
import { parseCondition } from './parse-condition';
import { parseDeclare } from './parse-declare';
import { parseDbcc } from './parse-dbcc';
import { parseExecute } from './parse-execute';
import { parseExpression } from './parse-expression';
import { parseDelete, parseInsert, parseUpdate } from './parse-modify';
import { parseQuery } from './parse-query';
import { parseAlter, parseCreate, parseDrop } from './parse-object';
import { parseSet } from './parse-set';
import type { Expression } from './syntax';
import type { Statement } from './statements';
import { TokenReader } from './token-reader';
import { wordSet } from './word-set';

/**
 * @throws SqlError 102, 105, 113, 156... for bad syntax; 50000 for a statement that SQL Server has and this simulator
 * does not.
 */
export function parseBatch(
  text: string,
  quotedIdentifier: boolean,
): { statements: readonly Statement[]; quotedIdentifier: boolean } {
  const reader = new TokenReader(text, quotedIdentifier);
  return { statements: parseRest(reader), quotedIdentifier: reader.quotedIdentifier };
}

function parseRest(reader: TokenReader): readonly Statement[] {
  const statements: Statement[] = [];
  while (!skipSemicolons(reader)) statements.push(parseStatement(reader));
  return statements;
}

function skipSemicolons(reader: TokenReader): boolean {
  while (reader.take(';'));
  return reader.peek().kind === 'end';
}

type StatementParser = (reader: TokenReader, line: number) => Statement;

const parsers: Readonly<Record<string, StatementParser>> = {
  SELECT: (reader, line) => ({ kind: 'query', query: parseQuery(reader), line }),
  '(': (reader, line) => ({ kind: 'query', query: parseQuery(reader), line }),
  WITH: parseWith,
  DECLARE: parseDeclare,
  SET: parseSet,
  IF: parseIf,
  WHILE: parseWhile,
  BEGIN: parseBegin,
  BREAK: (reader, line) => (reader.next(), { kind: 'break', line }),
  CONTINUE: (reader, line) => (reader.next(), { kind: 'continue', line }),
  RETURN: parseReturn,
  THROW: parseThrow,
  RAISERROR: parseRaiserror,
  PRINT: (reader, line) => (reader.next(), { kind: 'print', value: parseExpression(reader), line }),
  EXEC: parseExecute,
  EXECUTE: parseExecute,
  INSERT: parseInsert,
  UPDATE: parseUpdate,
  DELETE: parseDelete,
  WAITFOR: parseWaitfor,
  USE: (reader, line) => (reader.next(), { kind: 'use', database: reader.name(), line }),
  COMMIT: (reader, line) => parseTransactionEnd(reader, line, 'commit'),
  ROLLBACK: (reader, line) => parseTransactionEnd(reader, line, 'rollback'),
  CHECKPOINT: parseCheckpoint,
  DBCC: parseDbcc,
  RECONFIGURE: (reader, line) => (
    reader.next(),
    { kind: 'reconfigure', withOverride: reader.take('WITH', 'OVERRIDE'), line }
  ),
  CREATE: (reader, line) => parseCreate(reader, line, parseRest),
  ALTER: (reader, line) => parseAlter(reader, line, parseRest),
  DROP: parseDrop,
};

/** Statements that are not parsed here: the whole batch is refused. */
const refused = wordSet(`BACKUP BULK CLOSE DEALLOCATE DENY DUMP FETCH GOTO GRANT KILL LOAD MERGE OPEN READTEXT
  RESTORE REVERT REVOKE SAVE SETUSER SHUTDOWN TRUNCATE UPDATETEXT WRITETEXT DISABLE ENABLE`);

function parseStatement(reader: TokenReader): Statement {
  const { upper, line, kind } = reader.peek();
  const parser = Object.prototype.hasOwnProperty.call(parsers, upper) ? parsers[upper] : undefined;
  if (parser !== undefined) return parser(reader, line);
  if (refused.has(upper)) throw notModelled(upper, line);
  if (reader.isName() && reader.peek(1).upper === ':') throw notModelled('a label', line);
  // Only at the start of a batch a procedure's name is enough to call it.
  if (reader.isName() && reader.position === 0 && kind === 'word') return parseExecute(reader, line);
  throw reader.unexpected();
}

/** One statement or BEGIN ... END after IF, ELSE and WHILE. */
function parseBody(reader: TokenReader): Statement {
  while (reader.take(';'));
  if (reader.peek().kind === 'end') throw reader.unexpected();
  return parseStatement(reader);
}

/** A common table expression is not modelled; only its place is checked. */
function parseWith(reader: TokenReader, line: number): Statement {
  if (
    reader.position > 0 &&
    reader.peek(-1).upper !== ';' &&
    !/^(BEGIN|TRY|CATCH|ELSE|THEN)$/.test(reader.peek(-1).upper)
  )
    throw sqlError(319, [], line);
  return { kind: 'query', query: parseQuery(reader), line };
}

function parseIf(reader: TokenReader, line: number): Statement {
  reader.expect('IF');
  const condition = parseCondition(reader);
  const then = parseBody(reader);
  const start = reader.position;
  while (reader.take(';'));
  if (!reader.take('ELSE')) {
    reader.position = start;
    return { kind: 'if', condition, then, line };
  }
  return { kind: 'if', condition, then, otherwise: parseBody(reader), line };
}

function parseWhile(reader: TokenReader, line: number): Statement {
  reader.expect('WHILE');
  const condition = parseCondition(reader);
  return { kind: 'while', condition, body: parseBody(reader), line };
}

function parseBegin(reader: TokenReader, line: number): Statement {
  reader.expect('BEGIN');
  if (reader.isOneOf('TRAN', 'TRANSACTION')) {
    reader.next();
    return { kind: 'transaction', action: 'begin', name: parseTransactionName(reader), line };
  }
  if (reader.isOneOf('DISTRIBUTED', 'DIALOG', 'CONVERSATION'))
    throw notModelled(`BEGIN ${reader.peek().upper}`, line);
  if (reader.take('TRY')) return parseTry(reader, line);
  return { kind: 'block', body: parseUntilEnd(reader, true), line };
}

function parseTry(reader: TokenReader, line: number): Statement {
  const body = parseUntilEnd(reader, false);
  reader.expect('TRY');
  while (reader.take(';'));
  reader.expect('BEGIN', 'CATCH');
  const handler = parseUntilEnd(reader, false);
  reader.expect('CATCH');
  return { kind: 'try', body, handler, line };
}

/** Up to and including END. An empty BEGIN ... END is a syntax error, an empty TRY or CATCH is not. */
function parseUntilEnd(reader: TokenReader, wantsOne: boolean): readonly Statement[] {
  const body: Statement[] = [];
  for (;;) {
    if (skipSemicolons(reader)) throw reader.unexpected();
    if (reader.is('END')) break;
    body.push(parseStatement(reader));
  }
  if (wantsOne && body.length === 0) throw reader.unexpected();
  reader.expect('END');
  return body;
}

function parseReturn(reader: TokenReader, line: number): Statement {
  reader.expect('RETURN');
  const { kind, upper } = reader.peek();
  const has = kind === 'number' || kind === 'variable' || upper === '(' || upper === '-';
  return has ? { kind: 'return', value: parseExpression(reader), line } : { kind: 'return', line };
}

function parseThrow(reader: TokenReader, line: number): Statement {
  reader.next();
  const { kind } = reader.peek();
  if (kind !== 'number' && kind !== 'variable') return { kind: 'throw', line };
  const number = parseThrowArgument(reader);
  reader.expect(',');
  const message = parseThrowArgument(reader);
  reader.expect(',');
  return { kind: 'throw', args: [number, message, parseThrowArgument(reader)], line };
}

/** THROW takes constants and variables, no expressions. */
function parseThrowArgument(reader: TokenReader): Expression {
  const { kind } = reader.peek();
  if (!['number', 'variable', 'string', 'nstring'].includes(kind)) throw reader.unexpected();
  const argument = parseExpression(reader);
  if (argument.kind !== 'literal' && argument.kind !== 'variable') throw reader.unexpected(reader.peek(-1));
  return argument;
}

function parseRaiserror(reader: TokenReader, line: number): Statement {
  reader.next();
  const args = reader.parenthesised(() => reader.commaList(() => parseExpression(reader)));
  const options = reader.take('WITH') ? reader.commaList(() => parseRaiserrorOption(reader)) : [];
  if (args.length < 3) throw reader.unexpected(reader.peek(-1));
  return { kind: 'raiserror', args, options, line };
}

function parseRaiserrorOption(reader: TokenReader): string {
  const option = reader.expectOneOf('NOWAIT', 'LOG', 'SETERROR');
  if (option !== 'NOWAIT') throw notModelled(`RAISERROR ... WITH ${option}`, reader.line);
  return option;
}

function parseWaitfor(reader: TokenReader, line: number): Statement {
  reader.next();
  if (reader.is('(')) throw notModelled('WAITFOR (statement)', line);
  const type = reader.expectOneOf('DELAY', 'TIME').toLowerCase() as 'delay' | 'time';
  const { kind } = reader.peek();
  if (kind !== 'string' && kind !== 'nstring' && kind !== 'variable') throw reader.unexpected();
  return { kind: 'waitfor', type, value: parseExpression(reader), line };
}

function parseCheckpoint(reader: TokenReader, line: number): Statement {
  reader.next();
  const { kind } = reader.peek();
  if (kind === 'number' || kind === 'variable')
    return { kind: 'checkpoint', duration: parseExpression(reader), line };
  return { kind: 'checkpoint', line };
}

/** A name or `@variable`. After TRAN any word that is not reserved is a name, even THROW. */
function parseTransactionName(reader: TokenReader): string {
  const name =
    reader.peek().kind === 'variable'
      ? reader.variable()
      : reader.isName() && reader.peek(1).upper !== ':'
        ? reader.name()
        : '';
  if (reader.is('WITH', 'MARK')) throw notModelled('WITH MARK of a transaction', reader.line);
  return name;
}

function parseTransactionEnd(reader: TokenReader, line: number, action: 'commit' | 'rollback'): Statement {
  reader.next();
  const named = reader.isOneOf('TRAN', 'TRANSACTION', 'WORK') && reader.next().upper !== 'WORK';
  const name = named ? parseTransactionName(reader) : '';
  if (action === 'commit' && reader.is('WITH')) throw notModelled('COMMIT ... WITH', line);
  return { kind: 'transaction', action, name, line };
}
