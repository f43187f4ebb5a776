/** FROM -> DuckDB's FROM, and the names that it adds to the scope. */
import type { Instance, RelationColumn } from '../engine/interface/instance';
import type { SqlError, SqlType } from '../tds/handler';
import { bindCondition } from './bind-condition';
import { bindExpression, typesUnified } from './bind-expression';
import { bindQuery, type BoundColumn } from './bind-query';
import { bindTableFunction } from './bind-table-function';
import { bindNodes } from './bind-xml';
import { nextAlias, withScope, type Binding, type StoredTable } from './binding';
import { settledType, type Bound } from './bound';
import { coerce } from './coerce';
import { invalidObject, noCrossDatabaseName, notModelled, undeclaredTable } from './errors';
import type { TableHandle } from './relations';
import { Scope, type ScopeColumn, type ScopeSource } from './scope';
import type { Source } from './syntax';
import { sqlError } from '../tds/messages';

type Of<K extends Source['kind']> = Extract<Source, { readonly kind: K }>;

/** Adds the sources of a FROM clause to `scope`. */
export function bindSources(sources: readonly Source[], scope: Scope, binding: Binding): string {
  const parts: string[] = [];
  for (const source of sources) {
    const before = parts.join(', ');
    parts.push(bindSource(source, scope, binding, before));
    scope.fromSql = parts.join(', ');
  }
  return scope.fromSql;
}

/** @param before FROM text to the left, which arguments of table functions may use. */
function bindSource(source: Source, scope: Scope, binding: Binding, before: string): string {
  switch (source.kind) {
    case 'table':
      return bindTable(source, scope, binding);
    case 'derived':
      return bindDerived(source, scope, { ...binding, scope: scope.parent });
    case 'values':
      return bindValues(source, scope, { ...binding, scope: scope.parent });
    case 'function':
      return bindTableFunction(source, scope, withScope(binding, scope.parent));
    case 'nodes':
      return bindNodes(source, scope, withScope(binding, scope));
    case 'join':
      return bindJoin(source, scope, binding, before);
    case 'apply':
      return bindApply(source, scope, binding, before);
  }
}

export function addSource(
  scope: Scope,
  names: readonly string[],
  columns: readonly ScopeColumn[],
  line: number,
): void {
  const last = names[names.length - 1]?.toLowerCase();
  const clash = scope.sources.some(
    (source) => source.names.length === 1 && names.length === 1 && source.names[0]?.toLowerCase() === last,
  );
  if (clash) throw sqlError(1011, [names[0]], line);
  scope.sources.push({ names, columns });
}

function bindTable(source: Of<'table'>, scope: Scope, binding: Binding): string {
  const [first] = source.name as readonly [string, ...string[]];
  const names = source.alias === undefined ? source.name : [source.alias];
  const temporary = source.name[source.name.length - 1] as string;
  if (first.startsWith('@') || temporary.startsWith('#')) {
    const stored = binding.facts.table(first.startsWith('@') ? first : temporary);
    if (stored === undefined)
      throw first.startsWith('@')
        ? undeclaredTable(first, source.line)
        : invalidObject(temporary, source.line);
    return addStored(stored, names, scope, binding, source.line);
  }
  return bindRelation(source, names, scope, binding);
}

function addStored(
  stored: StoredTable,
  names: readonly string[],
  scope: Scope,
  binding: Binding,
  line: number,
): string {
  const alias = nextAlias(binding);
  const columns = stored.columns.map((column, index) => ({
    name: column.name,
    bound: { sql: `${alias}.c${index + 1}`, type: column.type, nullable: column.nullable },
  }));
  addSource(scope, names, columns, line);
  return `${stored.duckName} AS ${alias}`;
}

export interface ObjectName {
  readonly database: string;
  readonly schema: string;
  readonly name: string;
}

/** @throws SqlError 208 if there is no such database. */
export function resolveObject(parts: readonly string[], binding: Binding, line: number): ObjectName {
  if (parts.length > 3) throw notModelled(`linked server ${parts[0]}`, line);
  const name = parts[parts.length - 1] as string;
  const schema = (parts[parts.length - 2] ?? '').toLowerCase() || 'dbo';
  const written = parts[parts.length - 3];
  const principal = binding.facts.principal();
  if (written === undefined || written === '')
    return { database: principal.database, schema, name: name.toLowerCase() };
  const { instance } = binding.facts;
  const database = instance.findDatabase(written);
  if (
    instance.platform === 'azure-sql-database' &&
    database?.name !== principal.database &&
    database?.name !== 'tempdb'
  )
    throw noCrossDatabaseName(parts.join('.'), line);
  if (database === undefined) throw invalidObject(parts.join('.'), line);
  instance.openDatabase(database.name, principal);
  return { database: database.name, schema, name: name.toLowerCase() };
}

/**
 * SQL Server's own: they are refused by name, unless another release or platform has them. Whether SQL Server has one
 * that the model has not is not known here.
 */
const OWN = /\.(sys|information_schema)\.|^msdb\.dbo\.(sys|backup|restore|log)|\.dbo\.(sys|spt_)/;

/** 208, or 50000 for what is not modelled. */
export function missingObject(
  { database, schema, name }: ObjectName,
  written: readonly string[],
  instance: Instance,
  line: number,
): SqlError {
  return !instance.lacksObject(schema, name) && OWN.test(`${database}.${schema}.${name}`)
    ? notModelled(`${schema}.${name}`, line)
    : invalidObject(written.join('.'), line);
}

function bindRelation(source: Of<'table'>, names: readonly string[], scope: Scope, binding: Binding): string {
  const object = resolveObject(source.name, binding, source.line);
  const { instance, principal } = binding.facts;
  const login = principal();
  const relation =
    instance.relation(object.database, object.schema, object.name, login) ??
    // The views of SQL Server 2000 are found without their schema.
    (object.schema === 'dbo' && object.name.startsWith('sys')
      ? instance.relation(object.database, 'sys', object.name, login)
      : undefined);
  if (relation === undefined) throw missingObject(object, source.name, instance, source.line);
  const handle = binding.relations.handle(
    `${object.database}.${object.schema}.${object.name}@${login.login}@${login.database}`.toLowerCase(),
    relation,
  );
  binding.used.add(handle);
  const alias = nextAlias(binding);
  const columns = relation.columns.map((_, index) => columnOf(handle, index, alias, source.line));
  addSource(
    scope,
    source.alias === undefined
      ? [
          object.database,
          ...(source.name.length === 1 ? ['dbo', ...source.name] : [object.schema, object.name]),
        ]
      : names,
    columns,
    source.line,
  );
  return `${handle.placeholder} AS ${alias}`;
}

/** A column of a view or table function of the server. Using one that is not modelled is refused. */
export function columnOf(
  handle: TableHandle,
  index: number,
  alias: string,
  line: number,
  renamedTo?: string,
): ScopeColumn {
  const { name, type, nullable, isModelled } = handle.relation.columns[index] as RelationColumn;
  return {
    name: renamedTo ?? name,
    bound: { sql: `${alias}.c${index + 1}`, type, nullable },
    use: () => {
      if (isModelled === false) throw notModelled(`column ${name}`, line);
      handle.columns.add(index);
    },
  };
}

function bindDerived(source: Of<'derived'>, scope: Scope, binding: Binding): string {
  const bound = bindQuery(source.query, binding);
  return addDerived(
    bound.sql,
    renamed(bound.columns, source.columns, source.alias, source.line),
    [source.alias],
    scope,
    binding,
    source.line,
  );
}

/** @throws SqlError 8158, 8159 if there are too many or too few names; 8155 for a column without a name. */
export function renamed(
  columns: readonly BoundColumn[],
  names: readonly string[] | undefined,
  alias: string,
  line: number,
): readonly BoundColumn[] {
  if (names !== undefined && names.length !== columns.length)
    throw sqlError(names.length > columns.length ? 8159 : 8158, [alias], line);
  const result =
    names === undefined
      ? columns
      : columns.map((column, index) => ({ ...column, name: names[index] as string }));
  const nameless = result.findIndex((column) => column.name === '');
  if (nameless >= 0) throw sqlError(8155, [nameless + 1, alias], line);
  const seen = new Set<string>();
  for (const { name } of result) {
    if (seen.has(name.toLowerCase())) throw sqlError(8156, [name, alias], line);
    seen.add(name.toLowerCase());
  }
  return result;
}

export function addDerived(
  sql: string,
  columns: readonly BoundColumn[],
  names: readonly string[],
  scope: Scope,
  binding: Binding,
  line: number,
): string {
  const alias = nextAlias(binding);
  const scoped = columns.map((column, index): ScopeColumn => {
    const bound: Bound & { type: SqlType } = {
      sql: `${alias}.c${index + 1}`,
      type: settledType(column.type),
      nullable: column.nullable,
      ...(column.collation && { collation: column.collation }),
    };
    return { name: column.name, bound };
  });
  addSource(scope, names, scoped, line);
  return `(${sql}) AS ${alias}`;
}

function bindValues(source: Of<'values'>, scope: Scope, binding: Binding): string {
  const rows = source.rows.map((row) =>
    row.map((item) => bindExpression(item, { ...binding, grouping: undefined })),
  );
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) throw sqlError(10709, [], source.line);
  const types = Array.from({ length: width }, (_, index) =>
    settledType(typesUnified(rows.map((row) => (row[index] as Bound).type))),
  );
  const selects = rows.map(
    (row) =>
      `SELECT ${row.map((item, index) => `${coerce(binding.duck, item, types[index] as SqlType, source.line).sql} AS c${index + 1}`).join(', ')}`,
  );
  const columns = types.map((type, index): BoundColumn => ({
    name: '',
    type,
    nullable: rows.some((row) => row[index]?.nullable),
  }));
  return addDerived(
    selects.join(' UNION ALL '),
    renamed(columns, source.columns, source.alias, source.line),
    [source.alias],
    scope,
    binding,
    source.line,
  );
}

const joinWords = {
  inner: 'INNER JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
} as const;

function bindJoin(source: Of<'join'>, scope: Scope, binding: Binding, before: string): string {
  const start = scope.sources.length;
  const left = bindSource(source.left, scope, binding, before);
  const middle = scope.sources.length;
  const right = bindSource(source.right, scope, binding, before);
  // ON sees the two sides of this join, and outer queries.
  const visible = new Scope(scope.parent);
  visible.sources.push(...scope.sources.slice(start));
  const on =
    source.on === undefined ? '' : ` ON ${bindCondition(source.on, withScope(binding, visible)).sql}`;
  if (source.type === 'right' || source.type === 'full') makeNullable(scope, start, middle);
  if (source.type === 'left' || source.type === 'full') makeNullable(scope, middle, scope.sources.length);
  return `(${left} ${joinWords[source.type]} ${right}${on})`;
}

/** Makes the columns of one side of an outer join nullable. */
function makeNullable(scope: Scope, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const source = scope.sources[index] as ScopeSource;
    scope.sources[index] = {
      ...source,
      columns: source.columns.map((column) => ({ ...column, bound: { ...column.bound, nullable: true } })),
    };
  }
}

function bindApply(source: Of<'apply'>, scope: Scope, binding: Binding, before: string): string {
  const left = bindSource(source.left, scope, binding, before);
  scope.fromSql = before === '' ? left : `${before}, ${left}`;
  const middle = scope.sources.length;
  const lateral = new Scope(scope);
  const right = bindSource(source.right, lateral, binding, scope.fromSql);
  scope.sources.push(...lateral.sources);
  if (source.outer) makeNullable(scope, middle, scope.sources.length);
  const inner =
    source.right.kind === 'table' || source.right.kind === 'join' || source.right.kind === 'apply'
      ? right
      : `LATERAL ${right}`;
  if (inner === right && source.right.kind !== 'table') throw notModelled('APPLY of a join', source.line);
  return source.outer ? `(${left} LEFT JOIN ${inner} ON true)` : `(${left} CROSS JOIN ${inner})`;
}
