/** INSERT, UPDATE and DELETE. */
import { notModelled } from './errors';
import { parseCondition } from './parse-condition';
import { parseExecute } from './parse-execute';
import { parseExpression } from './parse-expression';
import { parseAssignment, parseColumnNames, parseQuery } from './parse-query';
import { parseSource } from './parse-source';
import type { InsertSource, Statement } from './statements';
import type { Condition, Expression, Source, Top } from './syntax';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

export function parseInsert(reader: TokenReader, line: number): Statement {
  reader.expect('INSERT');
  if (reader.isOneOf('TOP', 'BULK')) throw notModelled(`INSERT ${reader.peek().upper}`, line);
  reader.take('INTO');
  const target = parseTarget(reader);
  skipTargetHints(reader);
  const columns =
    reader.is('(') && !['SELECT', 'WITH', '('].includes(reader.peek(1).upper)
      ? parseColumnNames(reader)
      : undefined;
  refuseOutput(reader);
  return { kind: 'insert', target, source: parseInsertSource(reader), line, ...(columns && { columns }) };
}

function parseTarget(reader: TokenReader): readonly string[] {
  return reader.peek().kind === 'variable' ? [reader.variable()] : reader.qualifiedName();
}

function skipTargetHints(reader: TokenReader): void {
  if (!reader.is('WITH') || reader.peek(1).upper !== '(') return;
  while (!reader.take(')')) if (reader.next().kind === 'end') throw reader.unexpected();
}

function refuseOutput(reader: TokenReader): void {
  if (reader.is('OUTPUT')) throw notModelled('the OUTPUT clause', reader.line);
}

function parseInsertSource(reader: TokenReader): InsertSource {
  const { line } = reader.peek();
  if (reader.take('DEFAULT', 'VALUES')) return { kind: 'defaults' };
  if (reader.take('VALUES')) {
    const rows = reader.commaList(() =>
      reader.parenthesised(() => reader.commaList(() => parseExpression(reader))),
    );
    if (rows.length <= 1000) return { kind: 'values', rows };
    throw sqlError(10738, [], line);
  }
  if (reader.isOneOf('EXEC', 'EXECUTE')) return { kind: 'execute', statement: parseExecute(reader, line) };
  return { kind: 'query', query: parseQuery(reader) };
}

function parseTop(reader: TokenReader): { top?: Top } {
  if (!reader.take('TOP')) return {};
  const count = reader.parenthesised(() => parseExpression(reader));
  if (reader.is('PERCENT')) throw notModelled('TOP PERCENT of a modification', reader.line);
  return { top: { count } };
}

function parseTail(reader: TokenReader): { from: readonly Source[]; where?: Condition } {
  refuseOutput(reader);
  const from = reader.take('FROM') ? reader.commaList(() => parseSource(reader)) : [];
  const where = reader.take('WHERE') ? parseCondition(reader) : undefined;
  if (reader.is('OPTION')) throw notModelled('OPTION', reader.line);
  return { from, ...(where && { where }) };
}

export function parseUpdate(reader: TokenReader, line: number): Statement {
  reader.expect('UPDATE');
  if (reader.is('STATISTICS')) throw notModelled('UPDATE STATISTICS', line);
  const top = parseTop(reader);
  const target = parseTarget(reader);
  skipTargetHints(reader);
  reader.expect('SET');
  const sets = reader.commaList(() => parseSetItem(reader));
  return { kind: 'update', target, sets, line, ...top, ...parseTail(reader) };
}

const operators: Readonly<Record<string, '+' | '-' | '*' | '/' | '%'>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
};

function parseSetItem(reader: TokenReader): { column?: string; variable?: string; value: Expression } {
  const assignment = parseAssignment(reader);
  if (assignment !== undefined) {
    if (reader.is('=')) throw notModelled('SET @variable = column = expression', reader.line);
    return { variable: assignment.variable, value: assignment.expression };
  }
  const parts = reader.qualifiedName();
  const { upper, line } = reader.next();
  const operator = operators[upper];
  if (upper !== '=' && operator === undefined) throw reader.unexpected(reader.peek(-1));
  const right = parseExpression(reader);
  const column = parts[parts.length - 1] as string;
  return {
    column,
    value:
      operator === undefined
        ? right
        : { kind: 'binary', operator, left: { kind: 'column', parts, line }, right, line },
  };
}

export function parseDelete(reader: TokenReader, line: number): Statement {
  reader.expect('DELETE');
  const top = parseTop(reader);
  reader.take('FROM');
  const target = parseTarget(reader);
  skipTargetHints(reader);
  return { kind: 'delete', target, line, ...top, ...parseTail(reader) };
}
