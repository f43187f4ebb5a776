/** INSERT, UPDATE, DELETE and TRUNCATE of table variables and #temporary tables. */
import { SqlError, type Reply, type SqlType } from '../tds/handler';
import { bindCondition } from './bind-condition';
import { bindExpression } from './bind-expression';
import { bindQuery, columnAt } from './bind-query';
import { bindSources } from './bind-source';
import { withScope, type Binding, type StoredColumn, type StoredTable } from './binding';
import { literal, type Bound } from './bound';
import { callFunction, coerce, equalityKeyOf } from './coerce';
import { invalidObject, notModelled, undeclaredTable } from './errors';
import { runStatement } from './interpreter';
import { placeTables } from './relations';
import { bindStatement, fetchRows, runChange } from './run-query';
import { Scope } from './scope';
import type { Frame, SessionState } from './session-state';
import { fromSqlValue } from './sql-value';
import type { Statement } from './statements';
import { columnIndex } from './tables';
import type { Expression, Source, Top } from './syntax';
import { isString, type Value } from './types';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

function findTarget(session: SessionState, frame: Frame, parts: readonly string[], line: number): StoredTable {
  const name = parts[parts.length - 1] as string;
  const found = name.startsWith('@') ? frame.tables.get(name.toLowerCase()) : session.temporary.get(name.toLowerCase());
  if (found !== undefined) return found;
  if (name.startsWith('@')) throw undeclaredTable(name, line);
  if (name.startsWith('#')) throw invalidObject(name, line);
  throw notModelled(`a change to ${parts.join('.')}`, line);
}

async function* finish(session: SessionState, table: StoredTable, count: number): AsyncGenerator<Reply> {
  session.rowCount = count;
  if (session.transactions > 0 && table.name.startsWith('#')) session.temporaryWritten = true;
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: count };
}

export async function* executeInsert(session: SessionState, statement: Of<'insert'>, frame: Frame): AsyncGenerator<Reply> {
  const { line, source } = statement;
  const table = findTarget(session, frame, statement.target, line);
  const targets = targetColumns(table, statement);
  const captured = source.kind === 'execute' ? await captureRows(session, source.statement, frame) : undefined;
  const { bound, binding } = await bindStatement(session, frame, line, (each) => bindInsert(table, targets, statement, captured, each));
  try {
    yield* finish(session, table, await change(session, table, placeTables(bound, binding.used), line));
  } finally {
    await session.host.relations.release(binding.used);
  }
}

function targetColumns(table: StoredTable, statement: Of<'insert'>): readonly number[] {
  if (statement.columns === undefined) return table.columns.flatMap((column, index) => (column.sequence === undefined ? [index] : []));
  return statement.columns.map((name) => {
    const index = columnIndex(table.columns, name, statement.line);
    if (table.columns[index]?.sequence !== undefined)
      throw new SqlError(
        544,
        `Cannot insert explicit value for identity column in table '${table.name}' when IDENTITY_INSERT is set to OFF.`,
        16,
        1,
        statement.line,
      );
    return index;
  });
}

/** INSERT ... EXEC: the rows of every result set. */
async function captureRows(session: SessionState, statement: Statement, frame: Frame): Promise<readonly (readonly Bound[])[]> {
  const rows: (readonly Bound[])[] = [];
  let types: readonly SqlType[] = [];
  session.tryDepth++;
  try {
    for await (const reply of runStatement(session, statement, frame)) {
      if (reply.kind === 'columns') types = reply.columns.map((column) => column.type);
      if (reply.kind === 'rows')
        for (const row of reply.rows)
          rows.push(row.map((value, index) => literal(fromSqlValue(value, types[index] as SqlType), types[index] as SqlType)));
    }
  } finally {
    session.tryDepth--;
  }
  return rows;
}

function bindInsert(
  table: StoredTable,
  targets: readonly number[],
  statement: Of<'insert'>,
  captured: readonly (readonly Bound[])[] | undefined,
  binding: Binding,
): string {
  const { source, line } = statement;
  const list = table.columns.map((_, index) => `c${index + 1}`).join(', ');
  const into = `INSERT INTO ${table.duckName} (${list})`;
  if (source.kind === 'defaults')
    return `${into} SELECT ${rowOf(
      table,
      targets,
      targets.map(() => undefined),
      binding,
      line,
    ).join(', ')}`;
  if (source.kind === 'query') {
    const query = bindQuery(source.query, binding, { outermost: true });
    checkWidth(query.columns.length, targets.length, line);
    const values = query.columns.map((column, index) => columnAt(column, 'q', index));
    return `${into} SELECT ${rowOf(table, targets, values, binding, line).join(', ')} FROM (${query.sql}) AS q`;
  }
  const rows = captured ?? (source.kind === 'values' ? source.rows.map((row) => row.map((item) => bindItem(item, binding))) : []);
  if (rows.length === 0) return `${into} SELECT ${list} FROM ${table.duckName} WHERE false`;
  for (const row of rows) checkWidth(row.length, targets.length, line);
  return `${into} ${rows.map((row) => `SELECT ${rowOf(table, targets, row, binding, line).join(', ')}`).join(' UNION ALL ')}`;
}

const bindItem = (item: Expression, binding: Binding): Bound | undefined =>
  item.kind === 'literal' && item.type === 'default' ? undefined : bindExpression(item, binding);

function checkWidth(values: number, targets: number, line: number): void {
  if (values === targets) return;
  const message =
    values < targets
      ? 'There are fewer columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.'
      : 'There are more columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.';
  if (values > targets) throw new SqlError(213, 'Column name or number of supplied values does not match table definition.', 16, 1, line);
  throw new SqlError(
    values === 0 ? 110 : 213,
    values === 0 ? message : 'Column name or number of supplied values does not match table definition.',
    16,
    1,
    line,
  );
}

/** One row's values in the order of the table's columns; undefined takes the default. */
function rowOf(
  table: StoredTable,
  targets: readonly number[],
  values: readonly (Bound | undefined)[],
  binding: Binding,
  line: number,
): readonly string[] {
  return table.columns.map((column, index) => {
    if (column.sequence !== undefined) return `nextval('${column.sequence}')`;
    const given = values[targets.indexOf(index)];
    const value = given ?? (column.defaultValue === undefined ? literal(null, column.type) : bindExpression(column.defaultValue, binding));
    return stored(table, column, value, binding, line);
  });
}

/** A value as a column takes it. @throws SqlError 515 for NULL, 2628 for what is too long. */
function stored(table: StoredTable, column: StoredColumn, value: Bound, binding: Binding, line: number): string {
  const { duck } = binding;
  const { type } = column;
  const limit = isString(type) && type.length !== 'max' ? type.length : undefined;
  const tooLong = limit !== undefined && isString(value.type) && (value.type.length === 'max' || value.type.length > limit);
  const checked = tooLong
    ? callFunction(duck, `fit:${table.name}:${column.name}:${limit}`, [value], value.type, (text) =>
        fits(text ?? null, limit, table, column),
      )
    : value;
  const converted = coerce(duck, checked, type, line);
  if (column.nullable) return converted.sql;
  return callFunction(duck, `notNull:${table.name}:${column.name}`, [converted], type, (each) => present(each ?? null, table, column)).sql;
}

function fits(text: Value, limit: number, table: StoredTable, column: StoredColumn): Value {
  if (typeof text === 'string' && text.replace(/ +$/, '').length > limit)
    throw new SqlError(
      2628,
      `String or binary data would be truncated in table '${table.name}', column '${column.name}'. Truncated value: '${text.slice(0, limit)}'.`,
    );
  return text;
}

function present(value: Value, table: StoredTable, column: StoredColumn): Value {
  if (value === null)
    throw new SqlError(
      515,
      `Cannot insert the value NULL into column '${column.name}', table '${table.name}'; column does not allow nulls. INSERT fails.`,
      16,
      2,
    );
  return value;
}

/** Runs a change and holds it against the table's keys; what breaks one is undone. */
async function change(session: SessionState, table: StoredTable, sql: string, line: number): Promise<number> {
  if (table.keys.length === 0) return runChange(session, sql, line);
  await session.connection.run('BEGIN TRANSACTION');
  try {
    const count = await runChange(session, sql, line);
    for (const key of table.keys) await checkKey(session, table, key, line);
    await session.connection.run('COMMIT');
    return count;
  } catch (error) {
    await session.connection.run('ROLLBACK');
    throw error;
  }
}

async function checkKey(session: SessionState, table: StoredTable, key: StoredTable['keys'][number], line: number): Promise<void> {
  const columns = key.columns.map((index) => ({
    index,
    bound: { sql: `c${index + 1}`, type: (table.columns[index] as StoredColumn).type, nullable: true },
  }));
  const keys = columns.map(({ bound }) => equalityKeyOf(session.host.duck, bound)).join(', ');
  const types = columns.map(({ bound }) => bound.type);
  const sql = `SELECT ${columns.map(({ bound }) => `any_value(${bound.sql})`).join(', ')} FROM ${table.duckName} GROUP BY ${keys} HAVING count(*) > 1 LIMIT 1`;
  for await (const rows of fetchRows(session, sql, types, line)) {
    const shown = (rows[0] ?? []).map((value) => (value === null ? '<NULL>' : String(value))).join(', ');
    const word = key.primary ? 'PRIMARY KEY' : 'UNIQUE KEY';
    throw new SqlError(
      2627,
      `Violation of ${word} constraint. Cannot insert duplicate key in object 'dbo.${table.name}'. The duplicate key value is (${shown}).`,
      14,
      1,
      line,
    );
  }
}

interface Target {
  readonly table: StoredTable;
  readonly sources: readonly Source[];
  /** The name that the target has among the sources. */
  readonly name: string;
}

/** `UPDATE t ... FROM @x AS t`: the target is named by its alias; without FROM it is the only source. */
function resolveTarget(session: SessionState, frame: Frame, statement: Of<'update' | 'delete'>): Target {
  const { target, from, line } = statement;
  const name = target[target.length - 1] as string;
  const named = target.length === 1 ? from.map((source) => findAlias(source, name)).find((source) => source !== undefined) : undefined;
  const table = findTarget(session, frame, named?.name ?? target, line);
  if (from.length === 0) return { table, sources: [{ kind: 'table', name: target, line }], name };
  if (named === undefined) throw notModelled('a target that FROM does not name', line);
  return { table, sources: from, name: named.alias ?? name };
}

function findAlias(source: Source, name: string): Extract<Source, { kind: 'table' }> | undefined {
  if (source.kind === 'table')
    return (source.alias ?? source.name[source.name.length - 1] ?? '').toLowerCase() === name.toLowerCase() ? source : undefined;
  return source.kind === 'join' || source.kind === 'apply' ? (findAlias(source.left, name) ?? findAlias(source.right, name)) : undefined;
}

/** The rows to change, as DuckDB's row ids of the target. */
function bindRows(
  target: Target,
  statement: Of<'update' | 'delete'>,
  binding: Binding,
): { readonly row: string; readonly tail: string; readonly binding: Binding } {
  const scope = new Scope(undefined);
  const from = bindSources(target.sources, scope, binding);
  const inner = withScope(binding, scope);
  const own = scope.sources.find((source) => source.names[source.names.length - 1]?.toLowerCase() === target.name.toLowerCase());
  const alias = own?.columns[0]?.bound.sql.split('.')[0];
  if (alias === undefined) throw notModelled('a target that FROM does not name', statement.line);
  const where = statement.where === undefined ? '' : ` WHERE ${bindCondition(statement.where, inner).sql}`;
  return { row: `${alias}.rowid`, tail: ` FROM ${from}${where}${topText(statement.top, binding)}`, binding: inner };
}

function topText(top: Top | undefined, binding: Binding): string {
  if (top === undefined) return '';
  const count = coerce(binding.duck, bindExpression(top.count, binding), { name: 'bigint' }, top.count.line).constant?.value;
  if (count === undefined || count === null) throw notModelled('TOP that is not constant', top.count.line);
  return ` LIMIT ${String(count)}`;
}

export async function* executeUpdate(session: SessionState, statement: Of<'update'>, frame: Frame): AsyncGenerator<Reply> {
  const { line } = statement;
  if (statement.sets.some((each) => each.variable !== undefined)) throw notModelled('UPDATE ... SET @variable', line);
  const target = resolveTarget(session, frame, statement);
  const { bound, binding } = await bindStatement(session, frame, line, (each) => bindUpdate(target, statement, each));
  try {
    yield* finish(session, target.table, await change(session, target.table, placeTables(bound, binding.used), line));
  } finally {
    await session.host.relations.release(binding.used);
  }
}

function bindUpdate(target: Target, statement: Of<'update'>, binding: Binding): string {
  const { table } = target;
  const rows = bindRows(target, statement, binding);
  const sets = statement.sets.map(({ column, value }, index) => {
    const at = columnIndex(table.columns, column as string, statement.line);
    const definition = table.columns[at] as StoredColumn;
    if (definition.sequence !== undefined)
      throw new SqlError(8102, `Cannot update identity column '${definition.name}'.`, 16, 1, statement.line);
    const bound =
      value.kind === 'literal' && value.type === 'default' ? literal(null, definition.type) : bindExpression(value, rows.binding);
    return { set: `c${at + 1} = u.v${index + 1}`, value: `${stored(table, definition, bound, binding, statement.line)} AS v${index + 1}` };
  });
  const source = `SELECT DISTINCT ON (${rows.row}) ${rows.row} AS id, ${sets.map((each) => each.value).join(', ')}${rows.tail}`;
  return `UPDATE ${table.duckName} SET ${sets.map((each) => each.set).join(', ')} FROM (${source}) AS u WHERE ${table.duckName}.rowid = u.id`;
}

export async function* executeDelete(session: SessionState, statement: Of<'delete'>, frame: Frame): AsyncGenerator<Reply> {
  const target = resolveTarget(session, frame, statement);
  const { bound, binding } = await bindStatement(session, frame, statement.line, (each) => {
    const rows = bindRows(target, statement, each);
    return `DELETE FROM ${target.table.duckName} WHERE rowid IN (SELECT ${rows.row}${rows.tail})`;
  });
  try {
    yield* finish(session, target.table, await runChange(session, placeTables(bound, binding.used), statement.line));
  } finally {
    await session.host.relations.release(binding.used);
  }
}

export async function executeTruncate(session: SessionState, statement: Of<'truncate'>): Promise<void> {
  const name = statement.name[statement.name.length - 1] as string;
  const table = session.temporary.get(name.toLowerCase());
  if (table === undefined)
    throw new SqlError(
      4701,
      `Cannot find the object "${name}" because it does not exist or you do not have permissions.`,
      16,
      1,
      statement.line,
    );
  if (table.columns.some((column) => column.sequence !== undefined))
    throw notModelled('TRUNCATE TABLE of a table with IDENTITY', statement.line);
  await runChange(session, `DELETE FROM ${table.duckName}`, statement.line);
  if (session.transactions > 0) session.temporaryWritten = true;
}
