/** Table functions of the modelled server. */
import type { Relation } from '../engine/interface/instance';
import type { SqlValue } from '../tds/handler';
import { bindExpression } from './bind-expression';
import { addSource, columnOf, missingObject, resolveObject } from './bind-source';
import { DependentCall, nextAlias, type Binding } from './binding';
import { settledType, type Bound } from './bound';
import { invalidObject, notModelled } from './errors';
import type { Scope } from './scope';
import { toSqlValue } from './sql-value';
import type { Source } from './syntax';

type FunctionSource = Extract<Source, { readonly kind: 'function' }>;

export function bindTableFunction(source: FunctionSource, scope: Scope, binding: Binding): string {
  const [first] = source.name as readonly [string, ...string[]];
  const names = source.alias === undefined ? source.name.slice(-1) : [source.alias];
  if (source.name.length === 1) {
    refuseRowset(first, binding, source.line);
    if (/^(regexp_split_to_table|regexp_matches)$/i.test(first))
      throw notModelled(first.toUpperCase(), source.line);
    if (!/^fn_/i.test(first)) throw invalidObject(first, source.line);
    // The system's own functions are found without their schema.
    return bindTableFunction({ ...source, name: ['sys', first] }, scope, binding);
  }
  const args = source.args.map((arg) =>
    arg.kind === 'literal' && arg.type === 'default'
      ? bindExpression({ ...arg, type: 'null' }, binding)
      : bindExpression(arg, binding),
  );
  const constant = args.every((arg) => arg.constant !== undefined);
  return constant
    ? bindConstant(source, names, args, scope, binding)
    : bindDependent(source, names, args, scope, binding);
}

/** Asks the server for the rows of a table function. @throws SqlError 208, or 50000 if it is not modelled. */
export function callTableFunction(
  name: readonly string[],
  args: readonly SqlValue[],
  binding: Binding,
  line: number,
): Relation {
  const object = resolveObject(name, binding, line);
  const { instance, principal } = binding.facts;
  const relation = instance.tableFunction(object.database, object.schema, object.name, args, principal());
  if (relation !== undefined) return relation;
  throw missingObject(object, name, instance, line);
}

function bindConstant(
  source: FunctionSource,
  names: readonly string[],
  args: readonly Bound[],
  scope: Scope,
  binding: Binding,
): string {
  const values = args.map((arg) => toSqlValue(arg.constant?.value ?? null, settledType(arg.type)));
  const relation = callTableFunction(source.name, values, binding, source.line);
  // Without a version: the same call may give other rows next time.
  const { columns: made, isStream } = relation;
  const rows: Relation = {
    columns: made,
    rows: (used) => relation.rows(used),
    ...(isStream && { isStream }),
  };
  const handle = binding.relations.handle(`call ${nextAlias(binding)}`, rows);
  binding.used.add(handle);
  const alias = nextAlias(binding);
  const columns = relation.columns.map((_, index) =>
    columnOf(handle, index, alias, source.line, source.columns?.[index]),
  );
  addSource(scope, names, columns, source.line);
  return `(SELECT * FROM ${handle.placeholder}) AS ${alias}`;
}

/**
 * Arguments that come from rows: first reads their distinct values, then calls the function for each, then binds the
 * statement again over the results.
 */
function bindDependent(
  source: FunctionSource,
  names: readonly string[],
  args: readonly Bound[],
  scope: Scope,
  binding: Binding,
): string {
  const types = args.map((arg) => settledType(arg.type));
  const key = JSON.stringify([source.name, args.map((arg) => arg.sql)]);
  const handle = binding.dependent.get(key);
  if (handle === undefined) {
    const list = args.map((arg, index) => `${arg.sql} AS c${index + 1}`).join(', ');
    throw new DependentCall(
      key,
      `SELECT DISTINCT ${list} FROM ${argumentRows(args, scope, source)}`,
      types,
      source.name,
      source.line,
    );
  }
  binding.used.add(handle);
  const alias = nextAlias(binding);
  const columns = handle.relation.columns
    .slice(args.length)
    .map((_, index) => columnOf(handle, args.length + index, alias, source.line, source.columns?.[index]));
  args.forEach((_, index) => handle.columns.add(index));
  addSource(scope, names, columns, source.line);
  const same = args.map((arg, index) => `f.c${index + 1} IS NOT DISTINCT FROM ${arg.sql}`).join(' AND ');
  return `(SELECT * FROM ${handle.placeholder} AS f WHERE ${same === '' ? 'true' : same}) AS ${alias}`;
}

/** FROM text of every scope whose columns the arguments name. */
function argumentRows(args: readonly Bound[], scope: Scope, source: FunctionSource): string {
  const wanted = new Set(args.flatMap((arg) => arg.sql.match(/\bs\d+(?=\.)/g) ?? []));
  const parts: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const { fromSql } = at;
    const named = at.sources.some((each) =>
      each.columns.some((column) => wanted.has(column.bound.sql.split('.')[0] as string)),
    );
    if (named && fromSql !== '') parts.unshift(fromSql);
  }
  if (parts.length === 0) throw notModelled(`${source.name.join('.')} with these arguments`, source.line);
  return parts.join(', ');
}

/** The first release that has it. */
const rowsets: Readonly<Record<string, number>> = {
  STRING_SPLIT: 2016,
  GENERATE_SERIES: 2022,
  OPENJSON: 2016,
};

/** @throws SqlError 208 if the server is older than the function, 50000 if it is not modelled. */
function refuseRowset(name: string, binding: Binding, line: number): void {
  const since = rowsets[name.toUpperCase()];
  if (since === undefined) return;
  throw binding.facts.instance.release < since
    ? invalidObject(name, line)
    : notModelled(name.toUpperCase(), line);
}
