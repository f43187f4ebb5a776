/** UPDATE and DELETE of table variables and #temporary tables. */
import type { Reply } from '../tds/handler';
import { bindCondition } from './bind-condition';
import { bindExpression } from './bind-expression';
import { bindSources } from './bind-source';
import { withScope, type Binding, type StoredColumn, type StoredTable } from './binding';
import { literal } from './bound';
import { coerce } from './coerce';
import { notModelled } from './errors';
import { placeTables } from './relations';
import { bindStatement } from './run-query';
import { Scope } from './scope';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { change, findTarget, finishChange, storedValue } from './stored-values';
import type { Source, Top } from './syntax';
import { columnIndex } from './tables';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

interface Target {
  readonly table: StoredTable;
  readonly sources: readonly Source[];
  /** The name of the target among the sources. */
  readonly name: string;
}

/** `UPDATE t ... FROM @x AS t` names the target by its alias; without FROM it is the only source. */
function resolveTarget(session: SessionState, frame: Frame, statement: Of<'update' | 'delete'>): Target {
  const { target, from, line } = statement;
  const name = target[target.length - 1] as string;
  const named =
    target.length === 1
      ? from.map((source) => findAlias(source, name)).find((source) => source !== undefined)
      : undefined;
  const table = findTarget(session, frame, named?.name ?? target, line);
  if (from.length === 0) return { table, sources: [{ kind: 'table', name: target, line }], name };
  if (named === undefined) throw notModelled('a target that FROM does not name', line);
  return { table, sources: from, name: named.alias ?? name };
}

function findAlias(source: Source, name: string): Extract<Source, { kind: 'table' }> | undefined {
  if (source.kind === 'table')
    return (source.alias ?? source.name[source.name.length - 1] ?? '').toLowerCase() === name.toLowerCase()
      ? source
      : undefined;
  return source.kind === 'join' || source.kind === 'apply'
    ? (findAlias(source.left, name) ?? findAlias(source.right, name))
    : undefined;
}

/** The rows to change, as DuckDB's row ids of the target. */
function bindRows(
  target: Target,
  statement: Of<'update' | 'delete'>,
  binding: Binding,
  rowCount: number,
): { readonly row: string; readonly tail: string; readonly binding: Binding } {
  const scope = new Scope(undefined);
  const from = bindSources(target.sources, scope, binding);
  const inner = withScope(binding, scope);
  const own = scope.sources.find(
    (source) => source.names[source.names.length - 1]?.toLowerCase() === target.name.toLowerCase(),
  );
  const alias = own?.columns[0]?.bound.sql.split('.')[0];
  if (alias === undefined) throw notModelled('a target that FROM does not name', statement.line);
  const where = statement.where === undefined ? '' : ` WHERE ${bindCondition(statement.where, inner).sql}`;
  return {
    row: `${alias}.rowid`,
    tail: ` FROM ${from}${where}${topText(statement.top, binding, rowCount)}`,
    binding: inner,
  };
}

/** TOP, or SET ROWCOUNT if that is less. */
function topText(top: Top | undefined, binding: Binding, rowCount: number): string {
  if (top === undefined) return rowCount === 0 ? '' : ` LIMIT ${rowCount}`;
  const count = coerce(binding.duck, bindExpression(top.count, binding), { name: 'bigint' }, top.count.line)
    .constant?.value;
  if (count === undefined || count === null) throw notModelled('TOP that is not constant', top.count.line);
  return ` LIMIT ${rowCount > 0 && BigInt(rowCount) < BigInt(String(count)) ? rowCount : String(count)}`;
}

export async function* executeUpdate(
  session: SessionState,
  statement: Of<'update'>,
  frame: Frame,
): AsyncGenerator<Reply> {
  const { line } = statement;
  if (statement.sets.some((each) => each.variable !== undefined))
    throw notModelled('UPDATE ... SET @variable', line);
  const target = resolveTarget(session, frame, statement);
  const { bound, binding } = await bindStatement(session, frame, line, (each) =>
    bindUpdate(target, statement, each, session.options.rowCount),
  );
  try {
    yield* finishChange(session, await change(session, target.table, placeTables(bound, binding.used), line));
  } finally {
    await session.host.relations.release(binding.used);
  }
}

function bindUpdate(target: Target, statement: Of<'update'>, binding: Binding, rowCount: number): string {
  const { table } = target;
  const rows = bindRows(target, statement, binding, rowCount);
  const sets = statement.sets.map(({ column, value }, index) => {
    const at = columnIndex(table.columns, column as string, statement.line);
    const definition = table.columns[at] as StoredColumn;
    if (definition.sequence !== undefined) throw sqlError(8102, [definition.name], statement.line);
    const bound =
      value.kind === 'literal' && value.type === 'default'
        ? literal(null, definition.type)
        : bindExpression(value, rows.binding);
    return {
      set: `c${at + 1} = u.v${index + 1}`,
      value: `${storedValue(table, definition, bound, binding, statement.line, 'UPDATE')} AS v${index + 1}`,
    };
  });
  const source = `SELECT DISTINCT ON (${rows.row}) ${rows.row} AS id, ${sets.map((each) => each.value).join(', ')}${rows.tail}`;
  return `UPDATE ${table.duckName} SET ${sets.map((each) => each.set).join(', ')} FROM (${source}) AS u WHERE ${table.duckName}.rowid = u.id`;
}

export async function* executeDelete(
  session: SessionState,
  statement: Of<'delete'>,
  frame: Frame,
): AsyncGenerator<Reply> {
  const target = resolveTarget(session, frame, statement);
  const { bound, binding } = await bindStatement(session, frame, statement.line, (each) => {
    const rows = bindRows(target, statement, each, session.options.rowCount);
    return `DELETE FROM ${target.table.duckName} WHERE rowid IN (SELECT DISTINCT ${rows.row}${rows.tail})`;
  });
  try {
    yield* finishChange(
      session,
      await change(session, target.table, placeTables(bound, binding.used), statement.line),
    );
  } finally {
    await session.host.relations.release(binding.used);
  }
}
