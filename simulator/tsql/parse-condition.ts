/** Search conditions. In T-SQL they are not values: only WHERE, ON, HAVING, CASE WHEN, IIF, IF and WHILE take them. */
import { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import { parseQuery } from './parse-query';
import type { Comparison, Condition, Expression } from './syntax';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

export function parseCondition(reader: TokenReader): Condition {
  let left = parseAnd(reader);
  while (reader.is('OR')) {
    const { line } = reader.next();
    left = { kind: 'or', left, right: parseAnd(reader), line };
  }
  return left;
}

function parseAnd(reader: TokenReader): Condition {
  let left = parseNot(reader);
  while (reader.is('AND')) {
    const { line } = reader.next();
    left = { kind: 'and', left, right: parseNot(reader), line };
  }
  return left;
}

function parseNot(reader: TokenReader): Condition {
  const { line } = reader.peek();
  if (reader.take('NOT')) return { kind: 'not', operand: parseNot(reader), line };
  if (reader.take('EXISTS'))
    return { kind: 'exists', query: reader.parenthesised(() => parseQuery(reader)), line };
  if (reader.isOneOf('CONTAINS', 'FREETEXT')) throw notModelled(reader.peek().upper, line);
  return reader.is('(') ? parseOpening(reader) : parsePredicate(reader);
}

/**
 * `(` opens a condition or an operand. Tries the condition, then the predicate; if both fail, reports the error that is
 * further on.
 */
function parseOpening(reader: TokenReader): Condition {
  const start = reader.position;
  let failure: unknown;
  let reached = start;
  try {
    const inner = reader.parenthesised(() => parseCondition(reader));
    if (!continuesOperand(reader)) return inner;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    failure = error;
  }
  reached = reader.position;
  reader.position = start;
  try {
    return parsePredicate(reader);
  } catch (error) {
    throw reader.position < reached && failure !== undefined ? failure : error;
  }
}

const operators = '+ - * / % & | ^ = <> != < <= > >= !< !> IS IN LIKE BETWEEN COLLATE'.split(' ');

function continuesOperand(reader: TokenReader): boolean {
  return reader.isOneOf(...operators);
}

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '!>': '<=',
  '>': '>',
  '>=': '>=',
  '!<': '>=',
};

function parsePredicate(reader: TokenReader): Condition {
  const left = parseExpression(reader);
  const { upper, line } = reader.peek();
  const operator = upper === '' ? undefined : comparisons[upper];
  if (operator !== undefined) {
    reader.next();
    return parseComparison(reader, left, operator, line);
  }
  if (reader.take('IS')) return parseIs(reader, left, line);
  const negated = reader.take('NOT');
  if (reader.take('IN')) return parseIn(reader, left, negated, line);
  if (reader.take('BETWEEN')) {
    const low = parseExpression(reader);
    reader.expect('AND');
    return { kind: 'between', operand: left, low, high: parseExpression(reader), negated, line };
  }
  if (reader.take('LIKE')) {
    const pattern = parseExpression(reader);
    const escape = reader.take('ESCAPE') ? parseExpression(reader) : undefined;
    return { kind: 'like', operand: left, pattern, negated, line, ...(escape && { escape }) };
  }
  const token = reader.peek();
  if (token.kind === 'end' || token.kind === 'symbol' || reader.isKeyword()) {
    const near = token.kind === 'end' ? reader.peek(-1).text : token.text;
    throw sqlError(4145, [near], token.line);
  }
  throw reader.unexpected();
}

function parseComparison(
  reader: TokenReader,
  left: Expression,
  operator: Comparison,
  line: number,
): Condition {
  if (reader.isOneOf('ALL', 'ANY', 'SOME') && reader.peek(1).upper === '(')
    throw notModelled(`comparison with ${reader.peek().upper}`, line);
  return { kind: 'compare', operator, left, right: parseExpression(reader), line };
}

function parseIs(reader: TokenReader, operand: Expression, line: number): Condition {
  const negated = reader.take('NOT');
  if (reader.is('DISTINCT', 'FROM')) throw notModelled('IS DISTINCT FROM', line);
  reader.expect('NULL');
  return { kind: 'isNull', operand, negated, line };
}

function parseIn(reader: TokenReader, operand: Expression, negated: boolean, line: number): Condition {
  return reader.parenthesised(() => {
    if (reader.isOneOf('SELECT', 'WITH'))
      return { kind: 'in', operand, query: parseQuery(reader), negated, line };
    return { kind: 'in', operand, list: reader.commaList(() => parseExpression(reader)), negated, line };
  });
}
