/** WITH: common table expressions. Each use is expanded, as in SQL Server; recursive ones use DuckDB's recursion. */
import { bindBody, bindQuery, type BoundColumn } from './bind-query';
import { renamed } from './bind-source';
import { nextAlias, type Binding, type CommonTableScope } from './binding';
import { physicalType, settledType } from './bound';
import { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import type { CommonTable, Expression, Query, QueryBody, Source } from './syntax';
import { describeType, int, isString } from './types';

export interface FoundCommonTable {
  readonly table: CommonTable;
  /** The common tables that its own text may name: those before it, and those of outer queries. */
  readonly outer: CommonTableScope | undefined;
  readonly recursion?: { readonly name: string; readonly columns: readonly BoundColumn[] };
}

export function addCommonTables(outer: CommonTableScope | undefined, tables: readonly CommonTable[]): CommonTableScope | undefined {
  let scope = outer;
  for (const table of tables) {
    const clash = scope !== outer && findIn(scope, outer, table.name) !== undefined;
    if (clash) throw new SqlError(8150, `Duplicate common table expression name '${table.name}' was specified.`, 16, 1, table.line);
    scope = { tables: new Map([[table.name.toLowerCase(), { table, outer: scope }]]), outer: scope };
  }
  return scope;
}

function findIn(scope: CommonTableScope | undefined, end: CommonTableScope | undefined, name: string): FoundCommonTable | undefined {
  for (let at = scope; at !== undefined && at !== end; at = at.outer) {
    const found = at.tables.get(name.toLowerCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

export const findCommonTable = (scope: CommonTableScope | undefined, name: string): FoundCommonTable | undefined =>
  findIn(scope, undefined, name);

export function bindCommonTable(
  found: FoundCommonTable,
  binding: Binding,
  line: number,
): { readonly sql: string; readonly columns: readonly BoundColumn[] } {
  if (found.recursion !== undefined) return { sql: `SELECT * FROM ${found.recursion.name}`, columns: found.recursion.columns };
  const { table } = found;
  const inner: Binding = { ...binding, scope: undefined, grouping: undefined, windows: false, commonTables: found.outer };
  if (table.query.body.kind === 'unionAll' && namesTable(table.query.body.right, table.name)) return bindRecursive(table, inner, line);
  const bound = bindQuery(table.query, inner);
  return { sql: bound.sql, columns: renamed(bound.columns, table.columns, table.name, line) };
}

/** The recursive part sees the rows of the last step; the anchor decides the types. */
function bindRecursive(
  table: CommonTable,
  binding: Binding,
  line: number,
): { readonly sql: string; readonly columns: readonly BoundColumn[] } {
  const body = table.query.body as Extract<QueryBody, { readonly left: QueryBody }>;
  const anchor = bindBody(body.left, binding);
  const columns = renamed(anchor.columns, table.columns, table.name, line).map((column) => ({
    ...column,
    type: settledType(column.type),
    nullable: true,
  }));
  const counted: readonly BoundColumn[] = [...columns, { name: depthName, type: int, nullable: false }];
  const name = `recursive_${nextAlias(binding)}`;
  const entry: FoundCommonTable = { table, outer: binding.commonTables, recursion: { name, columns: counted } };
  const step = bindBody(countDepth(body.right, table), {
    ...binding,
    commonTables: { tables: new Map([[table.name.toLowerCase(), entry]]), outer: binding.commonTables },
  });
  checkTypes(counted, step.columns, table, line);
  const list = columns.map((_, index) => `c${index + 1}`).join(', ');
  const casts = columns.map((column, index) => `CAST(c${index + 1} AS ${physicalType(column.type)}) AS c${index + 1}`).join(', ');
  const depth = `c${counted.length}`;
  const limited = limitDepth(depth, binding.maxRecursion ?? 100);
  const sql =
    `WITH RECURSIVE ${name} AS (SELECT ${casts}, 0 AS ${depth} FROM (${anchor.sql}) AS a UNION ALL ` +
    `SELECT ${casts}, ${limited} AS ${depth} FROM (${step.sql}) AS b) SELECT ${list} FROM ${name} WHERE ${depth} >= 0`;
  return { sql, columns };
}

/** An extra column that no query can name: how many steps made the row. */
const depthName = '\u0000depth';

function limitDepth(depth: string, max: number): string {
  if (max === 0) return depth;
  const message = `The statement terminated. The maximum recursion ${max} has been exhausted before statement completion.`;
  return `CASE WHEN ${depth} > ${max} THEN CAST(error('SqlError:${JSON.stringify([530, message, 16, 1])}SqlError:') AS INTEGER) ELSE ${depth} END`;
}

/** The recursive part, counting its steps. */
function countDepth(body: QueryBody, table: CommonTable): QueryBody {
  if (body.kind === 'nested') return { ...body, query: { ...body.query, body: countDepth(body.query.body, table) } };
  if (body.kind !== 'select') throw notModelled('a set operator in the recursive part of a common table', table.line);
  const source = body.from.map((each) => directSource(each, table.name)).find((each) => each !== undefined);
  if (source === undefined) throw notModelled('recursion within a derived table', table.line);
  if (body.items.some((item) => item.kind === 'star')) throw notModelled('* in the recursive part of a common table', table.line);
  const { line } = table;
  const left: Expression = { kind: 'column', parts: [source.alias ?? table.name, depthName], line };
  const right: Expression = { kind: 'literal', type: 'number', text: '1', line };
  return { ...body, items: [...body.items, { kind: 'expression', expression: { kind: 'binary', operator: '+', left, right, line } }] };
}

function directSource(source: Source, name: string): Extract<Source, { kind: 'table' }> | undefined {
  if (source.kind === 'table') return sourceNames(source, name) ? source : undefined;
  if (source.kind === 'join' || source.kind === 'apply') return directSource(source.left, name) ?? directSource(source.right, name);
  return undefined;
}

function checkTypes(anchor: readonly BoundColumn[], step: readonly BoundColumn[], table: CommonTable, line: number): void {
  if (anchor.length !== step.length)
    throw new SqlError(
      205,
      'All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists.',
      16,
      1,
      line,
    );
  anchor.forEach((column, index) => {
    const other = step[index] as BoundColumn;
    const differs = isString(column.type) ? describeType(column.type) !== describeType(other.type) : column.type.name !== other.type.name;
    if (other.type.name !== 'null' && differs)
      throw new SqlError(
        240,
        `Types don't match between the anchor and the recursive part in column "${column.name}" of recursive query "${table.name}".`,
        16,
        1,
        line,
      );
  });
}

function namesTable(body: QueryBody, name: string): boolean {
  if (body.kind === 'nested') return queryNames(body.query, name);
  if (body.kind !== 'select') return namesTable(body.left, name) || namesTable(body.right, name);
  return body.from.some((source) => sourceNames(source, name));
}

const queryNames = (query: Query, name: string): boolean => namesTable(query.body, name);

function sourceNames(source: Source, name: string): boolean {
  if (source.kind === 'table') return source.name.length === 1 && source.name[0]?.toLowerCase() === name.toLowerCase();
  if (source.kind === 'join' || source.kind === 'apply') return sourceNames(source.left, name) || sourceNames(source.right, name);
  return source.kind === 'derived' && queryNames(source.query, name);
}
