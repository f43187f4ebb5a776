/** Queries: WITH, SELECT, set operators, ORDER BY, OPTION. */
import { notModelled } from './errors';
import { parseCondition } from './parse-condition';
import { parseExpression, parseOrderBy } from './parse-expression';
import { parseSource } from './parse-source';
import type { Expression, Query, QueryBody, Select, SelectItem, Top, ForClause } from './syntax';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

export function parseQuery(reader: TokenReader): Query {
  const { line } = reader.peek();
  if (reader.is('WITH')) throw notModelled('WITH: a common table expression', line);
  const body = parseUnion(reader);
  const orderBy = reader.is('ORDER') ? parseOrderBy(reader) : [];
  if (orderBy.length > 0 && reader.is('OFFSET')) throw notModelled('OFFSET', reader.line);
  const formatted = startsFor(reader) ? parseFor(reader) : undefined;
  if (formatted !== undefined && body.kind === 'select' && body.items.some((item) => item.kind === 'assign'))
    throw sqlError(6819, [], line);
  if (reader.is('FOR', 'BROWSE')) throw notModelled('FOR BROWSE', reader.line);
  if (reader.is('OPTION')) throw notModelled('OPTION', reader.line);
  return { body, orderBy, line, ...(formatted && { for: formatted }) };
}

export function parseColumnNames(reader: TokenReader): readonly string[] {
  return reader.parenthesised(() => reader.commaList(() => reader.name()));
}

function parseUnion(reader: TokenReader): QueryBody {
  let left = parseQueryTerm(reader);
  while (reader.is('UNION')) {
    const { line } = reader.next();
    const kind = reader.take('ALL') ? 'unionAll' : 'union';
    left = { kind, left, right: parseQueryTerm(reader), line };
  }
  if (reader.isOneOf('EXCEPT', 'INTERSECT')) throw notModelled(reader.peek().upper, reader.line);
  return left;
}

function parseQueryTerm(reader: TokenReader): QueryBody {
  const { line } = reader.peek();
  if (!reader.is('(')) return parseSelect(reader);
  return { kind: 'nested', query: reader.parenthesised(() => parseQuery(reader)), line };
}

function parseSelect(reader: TokenReader): Select {
  const { line } = reader.peek();
  reader.expect('SELECT');
  const distinct = reader.take('DISTINCT');
  if (!distinct) reader.take('ALL');
  const top = reader.is('TOP') ? parseTop(reader) : undefined;
  const items = reader.commaList(() => parseItem(reader));
  if (reader.is('INTO')) throw notModelled('SELECT INTO', reader.line);
  const from = reader.take('FROM') ? reader.commaList(() => parseSource(reader)) : [];
  const where = reader.take('WHERE') ? parseCondition(reader) : undefined;
  const groupBy = reader.take('GROUP', 'BY') ? parseGroupBy(reader) : [];
  const having = reader.take('HAVING') ? parseCondition(reader) : undefined;
  if (reader.is('WINDOW')) throw notModelled('the WINDOW clause', reader.line);
  return {
    kind: 'select',
    distinct,
    items,
    from,
    groupBy,
    line,
    ...(top && { top }),
    ...(where && { where }),
    ...(having && { having }),
  };
}

function parseTop(reader: TokenReader): Top {
  reader.expect('TOP');
  const count = reader.is('(') ? reader.parenthesised(() => parseExpression(reader)) : parseTopNumber(reader);
  if (reader.is('PERCENT')) throw notModelled('TOP ... PERCENT', reader.line);
  if (reader.is('WITH', 'TIES')) throw notModelled('TOP ... WITH TIES', reader.line);
  return { count };
}

function parseTopNumber(reader: TokenReader): Expression {
  const { kind, text, line } = reader.peek();
  if (kind !== 'number') throw reader.unexpected();
  reader.next();
  return { kind: 'literal', type: 'number', text, line };
}

const compound: Readonly<Record<string, '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^'>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
  '&=': '&',
  '|=': '|',
  '^=': '^',
};

/** `@x += e` as `@x = @x + e`; undefined if no assignment is next. */
export function parseAssignment(
  reader: TokenReader,
): { variable: string; expression: Expression; line: number } | undefined {
  const { kind, line } = reader.peek();
  const { upper } = reader.peek(1);
  if (kind !== 'variable' || (upper !== '=' && compound[upper] === undefined)) return undefined;
  const variable = reader.variable();
  reader.next();
  const right = parseExpression(reader);
  const operator = compound[upper];
  if (operator === undefined) return { variable, expression: right, line };
  return {
    variable,
    expression: { kind: 'binary', operator, left: { kind: 'variable', name: variable, line }, right, line },
    line,
  };
}

function parseItem(reader: TokenReader): SelectItem {
  const { line } = reader.peek();
  const assignment = parseAssignment(reader);
  if (assignment !== undefined) return { kind: 'assign', ...assignment };
  const star = parseStar(reader, line);
  if (star !== undefined) return star;
  if ((reader.isName() || reader.peek().kind === 'string') && reader.peek(1).upper === '=') {
    const alias = reader.next().text;
    reader.next();
    return { kind: 'expression', expression: parseExpression(reader), alias };
  }
  const expression = parseExpression(reader);
  const alias = parseAlias(reader);
  return { kind: 'expression', expression, ...(alias !== undefined && { alias }) };
}

function parseStar(reader: TokenReader, line: number): SelectItem | undefined {
  if (reader.take('*')) return { kind: 'star', line };
  let ahead = 0;
  while (reader.isName(ahead) && reader.peek(ahead + 1).upper === '.') ahead += 2;
  if (ahead === 0 || reader.peek(ahead).upper !== '*') return undefined;
  const qualifier: string[] = [];
  while (!reader.take('*')) {
    qualifier.push(reader.name());
    reader.expect('.');
  }
  return { kind: 'star', qualifier, line };
}

/** `AS name`, `AS 'name'`, `name`. */
function parseAlias(reader: TokenReader): string | undefined {
  const explicit = reader.take('AS');
  const { kind } = reader.peek();
  if (kind === 'string' || kind === 'nstring') return reader.next().text;
  if (explicit) return reader.name();
  return reader.isName() && !startsStatement(reader) ? reader.next().text : undefined;
}

/** THROW is not reserved, but nobody uses it as the name of a column. */
function startsStatement(reader: TokenReader): boolean {
  return reader.is('THROW') || reader.is('WINDOW');
}

function parseGroupBy(reader: TokenReader): readonly Expression[] {
  const word = (ahead: number): string => reader.peek(ahead).upper;
  const isSets = word(1) === '(' && ['ROLLUP', 'CUBE'].includes(word(0));
  if (word(0) === 'ALL' || isSets || (word(0) === 'GROUPING' && word(1) === 'SETS'))
    throw notModelled(`GROUP BY ${word(0)}`, reader.line);
  const keys = reader.commaList(() => parseExpression(reader));
  if (word(0) === 'WITH' && ['ROLLUP', 'CUBE'].includes(word(1)))
    throw notModelled(`GROUP BY ... WITH ${word(1)}`, reader.line);
  return keys;
}

const startsFor = (reader: TokenReader): boolean => reader.is('FOR', 'XML') || reader.is('FOR', 'JSON');

/** @throws SqlError 102, 50000 for the parts that are not modelled. */
function parseFor(reader: TokenReader): ForClause {
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
