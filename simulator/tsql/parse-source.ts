/** FROM: tables, table functions, derived tables, VALUES, joins and APPLY. */
import { notModelled } from './errors';
import { parseCondition } from './parse-condition';
import { parseArguments, parseExpression } from './parse-expression';
import { parseColumnNames, parseQuery } from './parse-query';
import type { Expression, Source } from './syntax';
import type { TokenReader } from './token-reader';

export function parseSource(reader: TokenReader): Source {
  let left = parsePrimarySource(reader);
  for (;;) {
    const { line } = reader.peek();
    const type = parseJoinWord(reader);
    if (type === undefined) return left;
    if (type === 'cross apply' || type === 'outer apply') {
      left = { kind: 'apply', outer: type === 'outer apply', left, right: parsePrimarySource(reader), line };
      continue;
    }
    if (type === 'cross') {
      left = { kind: 'join', type, left, right: parsePrimarySource(reader), line };
      continue;
    }
    const right = parsePrimarySource(reader);
    // `a JOIN b JOIN c ON x ON y`.
    if (!reader.is('ON') && parseJoinWord(reader) !== undefined)
      throw notModelled('a join inside of a join without parentheses', line);
    reader.expect('ON');
    left = { kind: 'join', type, left, right, on: parseCondition(reader), line };
  }
}

function parseJoinWord(
  reader: TokenReader,
): 'inner' | 'left' | 'right' | 'full' | 'cross' | 'cross apply' | 'outer apply' | undefined {
  if (reader.take('CROSS', 'APPLY')) return 'cross apply';
  if (reader.take('OUTER', 'APPLY')) return 'outer apply';
  if (reader.take('CROSS', 'JOIN')) return 'cross';
  if (reader.take('JOIN')) return 'inner';
  if (!reader.isOneOf('INNER', 'LEFT', 'RIGHT', 'FULL')) return undefined;
  const type = reader.next().upper.toLowerCase() as 'inner' | 'left' | 'right' | 'full';
  if (type !== 'inner') reader.take('OUTER');
  // Join hints do not change the rows.
  if (reader.isOneOf('HASH', 'MERGE', 'LOOP', 'REMOTE')) reader.next();
  reader.expect('JOIN');
  return type;
}

function parsePrimarySource(reader: TokenReader): Source {
  const token = reader.peek();
  if (
    reader.isOneOf('OPENROWSET', 'OPENQUERY', 'OPENXML', 'OPENDATASOURCE', 'CONTAINSTABLE', 'FREETEXTTABLE')
  )
    throw notModelled(token.upper, token.line);
  const source = reader.is('(')
    ? parseParenthesisedSource(reader)
    : token.kind === 'variable'
      ? parseVariableSource(reader)
      : parseNamedSource(reader);
  if (reader.isOneOf('TABLESAMPLE', 'PIVOT', 'UNPIVOT')) throw notModelled(reader.peek().upper, reader.line);
  return source;
}

function parseParenthesisedSource(reader: TokenReader): Source {
  const { line } = reader.peek();
  if (reader.peek(1).upper === 'VALUES') return parseValues(reader, line);
  if (!startsDerived(reader)) return reader.parenthesised(() => parseSource(reader));
  const query = reader.parenthesised(() => parseQuery(reader));
  const { alias, columns } = parseRequiredAlias(reader);
  return { kind: 'derived', query, alias, line, ...(columns && { columns }) };
}

/** Whether it is `(SELECT`, `((SELECT ...) UNION ...)` and so on, not `(a JOIN b ON ...)`. */
function startsDerived(reader: TokenReader): boolean {
  let ahead = 1;
  while (reader.peek(ahead).upper === '(') ahead++;
  return ['SELECT', 'WITH'].includes(reader.peek(ahead).upper);
}

function parseValues(reader: TokenReader, line: number): Source {
  const rows = reader.parenthesised(() => {
    reader.expect('VALUES');
    return reader.commaList(() =>
      reader.parenthesised(() => reader.commaList(() => parseExpression(reader))),
    );
  });
  const { alias, columns } = parseRequiredAlias(reader);
  if (columns === undefined) throw reader.unexpected();
  return { kind: 'values', rows, alias, columns, line };
}

function parseRequiredAlias(reader: TokenReader): { alias: string; columns?: readonly string[] } {
  reader.take('AS');
  const alias = reader.name();
  return reader.is('(') ? { alias, columns: parseColumnNames(reader) } : { alias };
}

function parseVariableSource(reader: TokenReader): Source {
  const { line } = reader.peek();
  const name = reader.variable();
  if (reader.is('.')) return parseNodes(reader, { kind: 'variable', name, line }, line);
  return { kind: 'table', name: [name], line, ...parseTableAlias(reader) };
}

function parseNamedSource(reader: TokenReader): Source {
  const { line } = reader.peek();
  const parts = [reader.name()];
  while (reader.is('.')) {
    if (reader.peek(1).upper === 'NODES' && reader.peek(2).upper === '(')
      return parseNodes(reader, { kind: 'column', parts, line }, line);
    reader.next();
    while (reader.take('.')) parts.push('');
    parts.push(reader.name());
  }
  if (reader.is('(')) {
    const args = parseArguments(reader);
    reader.take('AS');
    if (!reader.isName()) return { kind: 'function', name: parts, args, line };
    const alias = reader.name();
    const columns = reader.is('(') ? parseColumnNames(reader) : undefined;
    return { kind: 'function', name: parts, args, alias, line, ...(columns && { columns }) };
  }
  return { kind: 'table', name: parts, line, ...parseTableAlias(reader) };
}

function parseNodes(reader: TokenReader, target: Expression, line: number): Source {
  reader.expect('.', 'NODES');
  const path = reader.parenthesised(() => parseExpression(reader));
  const { alias, columns } = parseRequiredAlias(reader);
  if (columns === undefined) throw reader.unexpected();
  return { kind: 'nodes', target, path, alias, columns, line };
}

function parseTableAlias(reader: TokenReader): { alias?: string } {
  const explicit = reader.take('AS');
  const alias = explicit || reader.isName() ? reader.name() : undefined;
  if (reader.is('WITH', '(')) throw notModelled('a table hint', reader.line);
  return alias === undefined ? {} : { alias };
}
