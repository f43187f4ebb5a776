/** WITH: common table expressions, expanded where they are named, as SQL Server does; recursive ones through DuckDB's recursion. */
import { bindBody, bindQuery, type BoundColumn } from './bind-query';
import { renamed } from './bind-source';
import { nextAlias, type Binding, type CommonTableScope } from './binding';
import { physicalType, settledType } from './bound';
import { SqlError } from '../tds/handler';
import type { CommonTable, Query, QueryBody, Source } from './syntax';

export interface FoundCommonTable {
  readonly table: CommonTable;
  /** What its own text may name: the tables before it, and those of outer queries. */
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

/** The second part sees the rows that the last step made; the anchor decides the types. */
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
  const name = `recursive_${nextAlias(binding)}`;
  const entry: FoundCommonTable = { table, outer: binding.commonTables, recursion: { name, columns } };
  const step = bindBody(body.right, {
    ...binding,
    commonTables: { tables: new Map([[table.name.toLowerCase(), entry]]), outer: binding.commonTables },
  });
  checkTypes(columns, step.columns, table, line);
  const list = columns.map((_, index) => `c${index + 1}`).join(', ');
  const casts = columns.map((column, index) => `CAST(c${index + 1} AS ${physicalType(column.type)}) AS c${index + 1}`).join(', ');
  const sql = `WITH RECURSIVE ${name} AS (SELECT ${casts} FROM (${anchor.sql}) AS a UNION ALL SELECT ${casts} FROM (${step.sql}) AS b) SELECT ${list} FROM ${name}`;
  return { sql, columns };
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
    if (other.type.name !== 'null' && column.type.name !== other.type.name)
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
