/** WITH: common table expressions. Each use is expanded, as in SQL Server. */
import { bindQuery, type BoundColumn } from './bind-query';
import { renamed } from './bind-source';
import { type Binding, type CommonTableScope } from './binding';
import { notModelled } from './errors';
import type { CommonTable, Query, QueryBody, Source } from './syntax';
import { sqlError } from '../tds/messages';

export interface FoundCommonTable {
  readonly table: CommonTable;
  /** The common tables that its own text may name: those before it, and those of outer queries. */
  readonly outer: CommonTableScope | undefined;
}

export function addCommonTables(outer: CommonTableScope | undefined, tables: readonly CommonTable[]): CommonTableScope | undefined {
  let scope = outer;
  for (const table of tables) {
    const clash = scope !== outer && findIn(scope, outer, table.name) !== undefined;
    if (clash) throw sqlError(8150, [table.name], table.line);
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
  const { table } = found;
  const inner: Binding = { ...binding, scope: undefined, grouping: undefined, windows: false, commonTables: found.outer };
  if ('right' in table.query.body && namesTable(table.query.body.right, table.name)) throw notModelled('a recursive common table', line);
  const bound = bindQuery(table.query, inner);
  return { sql: bound.sql, columns: renamed(bound.columns, table.columns, table.name, line) };
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
