/** Scalar expressions, by precedence: `~` and signs, then `* / %`, then `+ - & ^ |`. */
import { notModelled } from './errors';
import { parseCondition } from './parse-condition';
import { parseQuery } from './parse-query';
import type { Call, Expression, OrderItem, Over } from './syntax';
import type { TokenReader } from './token-reader';
import { parseTypeName } from './parse-type';
import { wordSet } from './word-set';

export function parseExpression(reader: TokenReader): Expression {
  let left = parseProduct(reader);
  while (reader.isOneOf('+', '-', '&', '|', '^')) {
    const { upper, line } = reader.next();
    left = { kind: 'binary', operator: upper as '+', left, right: parseProduct(reader), line };
  }
  return left;
}

function parseProduct(reader: TokenReader): Expression {
  let left = parseUnary(reader);
  while (reader.isOneOf('*', '/', '%')) {
    const { upper, line } = reader.next();
    left = { kind: 'binary', operator: upper as '*', left, right: parseUnary(reader), line };
  }
  return left;
}

function parseUnary(reader: TokenReader): Expression {
  if (reader.isOneOf('-', '+', '~')) {
    const { upper, line } = reader.next();
    return { kind: 'unary', operator: upper as '-', operand: parseUnary(reader), line };
  }
  return parsePostfix(reader, parsePrimary(reader));
}

/** COLLATE and xml methods come after their operand. */
function parsePostfix(reader: TokenReader, operand: Expression): Expression {
  let result = operand;
  for (;;) {
    const { line } = reader.peek();
    if (reader.take('COLLATE')) result = { kind: 'collate', operand: result, collation: reader.name(), line };
    else if (reader.is('AT', 'TIME', 'ZONE')) throw notModelled('AT TIME ZONE', line);
    else if (reader.is('.') && reader.isName(1) && reader.peek(2).upper === '(') {
      reader.next();
      const name = reader.name();
      result = { kind: 'method', target: result, name, args: parseArguments(reader), line };
    } else return result;
  }
}

export function parseArguments(reader: TokenReader): readonly Expression[] {
  return reader.parenthesised(() => (reader.is(')') ? [] : reader.commaList(() => parseExpression(reader))));
}

function parsePrimary(reader: TokenReader): Expression {
  const token = reader.peek();
  const { line } = token;
  switch (token.kind) {
    case 'number':
    case 'string':
    case 'nstring':
    case 'binary':
      reader.next();
      return { kind: 'literal', type: token.kind, text: token.text, line };
    case 'variable':
      reader.next();
      return { kind: 'variable', name: token.text, line };
    default:
      return reader.is('(') ? parseParenthesis(reader) : parseWord(reader);
  }
}

function parseParenthesis(reader: TokenReader): Expression {
  const { line } = reader.peek();
  if (startsQuery(reader))
    return { kind: 'subquery', query: reader.parenthesised(() => parseQuery(reader)), line };
  return reader.parenthesised(() => parseExpression(reader));
}

/** `(SELECT`, `((SELECT`, ... UNION ...: a query in parentheses, unless an inner parenthesis is a scalar subquery. */
function startsQuery(reader: TokenReader): boolean {
  let ahead = 0;
  while (reader.peek(ahead).upper === '(') ahead++;
  const { upper } = reader.peek(ahead);
  return ahead === 1 && (upper === 'SELECT' || upper === 'WITH');
}

const keywordCalls: Readonly<Record<string, (reader: TokenReader, line: number) => Expression>> = {
  CASE: parseCase,
  CAST: (reader, line) => parseCast(reader, line, false),
  TRY_CAST: (reader, line) => parseCast(reader, line, true),
  CONVERT: (reader, line) => parseConvert(reader, line, false),
  TRY_CONVERT: (reader, line) => parseConvert(reader, line, true),
  IIF: (_, line) => refuse('IIF', line),
  PARSE: (_, line) => refuse('PARSE', line),
  TRY_PARSE: (_, line) => refuse('TRY_PARSE', line),
};

/** What stands in their parentheses is not a list of expressions. */
function refuse(name: string, line: number): never {
  throw notModelled(`function ${name}`, line);
}

/** Reserved words that are functions, with or without parentheses. */
const keywordFunctions = new Set(['COALESCE', 'NULLIF', 'LEFT', 'RIGHT', 'UPDATE', 'CHECKSUM']);
const bareFunctions = new Set(['CURRENT_TIMESTAMP', 'CURRENT_USER', 'SESSION_USER', 'SYSTEM_USER', 'USER']);

function parseWord(reader: TokenReader): Expression {
  const { upper, line } = reader.peek();
  if (reader.take('NULL')) return { kind: 'literal', type: 'null', text: '', line };
  if (reader.take('DEFAULT')) return { kind: 'literal', type: 'default', text: '', line };
  const special = keywordCalls[upper];
  if (special !== undefined && (upper === 'CASE' || reader.peek(1).upper === '(')) {
    reader.next();
    return special(reader, line);
  }
  if (bareFunctions.has(upper)) {
    reader.next();
    return { kind: 'call', name: [upper], args: [], star: false, distinct: false, line };
  }
  if (reader.is('IDENTITY', '(')) throw notModelled('IDENTITY() in SELECT INTO', line);
  if (keywordFunctions.has(upper) && reader.peek(1).upper === '(')
    return parseCall(reader, [reader.next().upper], line);
  return parseName(reader, line);
}

function parseName(reader: TokenReader, line: number): Expression {
  const parts = [reader.name()];
  while (reader.is('.')) {
    // `column.value(` is a method if two or more parts precede it, or if it is the name of an xml method; `dbo.f(` is a
    // function.
    const method =
      reader.isName(1) && reader.peek(2).upper === '(' && xmlMethods.has(reader.peek(1).text.toUpperCase());
    if (method) return { kind: 'column', parts, line };
    reader.next();
    while (reader.take('.')) parts.push('');
    parts.push(reader.name());
  }
  if (reader.is('(')) return parseCall(reader, parts, line);
  if (reader.is('::') && /^(geometry|geography|hierarchyid)$/i.test(parts[0] as string))
    throw notModelled(`${parts.join('.')}::${reader.peek(1).text}()`, line);
  return { kind: 'column', parts, line };
}

const xmlMethods = new Set(['VALUE', 'QUERY', 'EXIST', 'NODES', 'MODIFY']);

function parseCall(reader: TokenReader, name: readonly string[], line: number): Call {
  reader.expect('(');
  const distinct = reader.take('DISTINCT');
  if (!distinct) reader.take('ALL');
  const star = reader.take('*');
  const args = star || reader.is(')') ? [] : reader.commaList(() => parseArgument(reader, name));
  if (reader.is('FROM') && name.join('.').toUpperCase() === 'TRIM') throw notModelled('function TRIM', line);
  reader.expect(')');
  const withinGroup = reader.take('WITHIN', 'GROUP')
    ? reader.parenthesised(() => parseOrderBy(reader))
    : undefined;
  if (reader.is('RESPECT', 'NULLS', 'OVER') || reader.is('IGNORE', 'NULLS', 'OVER'))
    throw notModelled(`${reader.peek().upper} NULLS`, line);
  const over = reader.take('OVER') ? parseOver(reader) : undefined;
  return {
    kind: 'call',
    name,
    args,
    star,
    distinct,
    line,
    ...(withinGroup && { withinGroup }),
    ...(over && { over }),
  };
}

const datePartFunctions = wordSet('DATEADD DATEDIFF DATEDIFF_BIG DATEPART DATENAME DATETRUNC');

/** The first argument of date functions is a bare word (ms, day), never a column. */
function parseArgument(reader: TokenReader, name: readonly string[]): Expression {
  const { kind, text, line } = reader.peek();
  const first = reader.peek(-1).upper === '(';
  if (first && kind === 'word' && datePartFunctions.has(name.join('.').toUpperCase())) {
    reader.next();
    return { kind: 'word', text, line };
  }
  return parseExpression(reader);
}

function parseCase(reader: TokenReader, line: number): Expression {
  const input = reader.is('WHEN') ? undefined : parseExpression(reader);
  const whens = [];
  while (reader.take('WHEN')) {
    const when = input === undefined ? parseCondition(reader) : parseExpression(reader);
    reader.expect('THEN');
    whens.push({ when, then: parseExpression(reader) });
  }
  if (whens.length === 0) throw reader.unexpected();
  const otherwise = reader.take('ELSE') ? parseExpression(reader) : undefined;
  reader.expect('END');
  return { kind: 'case', whens, line, ...(input && { input }), ...(otherwise && { otherwise }) };
}

function parseCast(reader: TokenReader, line: number, attempt: boolean): Expression {
  return reader.parenthesised(() => {
    const operand = parseExpression(reader);
    reader.expect('AS');
    return { kind: 'cast', operand, type: parseTypeName(reader), attempt, line };
  });
}

function parseConvert(reader: TokenReader, line: number, attempt: boolean): Expression {
  return reader.parenthesised(() => {
    const type = parseTypeName(reader);
    reader.expect(',');
    const operand = parseExpression(reader);
    const style = reader.take(',') ? parseExpression(reader) : undefined;
    return { kind: 'cast', operand, type, attempt, line, ...(style && { style }) };
  });
}

export function parseOrderBy(reader: TokenReader): readonly OrderItem[] {
  reader.expect('ORDER', 'BY');
  return reader.commaList(() => {
    const expression = parseExpression(reader);
    const descending = reader.take('DESC');
    if (!descending) reader.take('ASC');
    return { expression, descending };
  });
}

function parseOver(reader: TokenReader): Over {
  return reader.parenthesised(() => {
    const partitionBy = reader.take('PARTITION', 'BY') ? reader.commaList(() => parseExpression(reader)) : [];
    const orderBy = reader.is('ORDER') ? parseOrderBy(reader) : [];
    const frame = reader.isOneOf('ROWS', 'RANGE') ? parseFrame(reader) : undefined;
    return { partitionBy, orderBy, ...(frame && { frame }) };
  });
}

function parseFrame(reader: TokenReader): string {
  const unit = reader.next().upper;
  if (!reader.take('BETWEEN')) return `${unit} BETWEEN ${parseFrameBound(reader)} AND CURRENT ROW`;
  const low = parseFrameBound(reader);
  reader.expect('AND');
  return `${unit} BETWEEN ${low} AND ${parseFrameBound(reader)}`;
}

function parseFrameBound(reader: TokenReader): string {
  if (reader.take('CURRENT', 'ROW')) return 'CURRENT ROW';
  const { kind, text } = reader.peek();
  const amount = reader.take('UNBOUNDED')
    ? 'UNBOUNDED'
    : kind === 'number' && /^\d+$/.test(text)
      ? reader.next().text
      : undefined;
  if (amount === undefined) throw reader.unexpected();
  return `${amount} ${reader.expectOneOf('PRECEDING', 'FOLLOWING')}`;
}
