/** What INSERT and UPDATE share: finding the table, converting values to its columns, checking its keys. */
import type { SqlError, Reply } from '../tds/handler';
import type { Binding, StoredColumn, StoredKey, StoredTable } from './binding';
import type { Bound } from './bound';
import { callFunction, coerce, equalityKeyOf } from './coerce';
import { invalidObject, notModelled, uncommittable, undeclaredTable } from './errors';
import { fetchRows, runChange } from './run-query';
import type { Frame, SessionState } from './session-state';
import { isString, type Value } from './types';
import { sqlError } from '../tds/messages';

export function findTarget(
  session: SessionState,
  frame: Frame,
  parts: readonly string[],
  line: number,
): StoredTable {
  const name = parts[parts.length - 1] as string;
  const found = name.startsWith('@') ? frame.tables.get(name.toLowerCase()) : session.temporary.table(name);
  if (found !== undefined) return found;
  if (name.startsWith('@')) throw undeclaredTable(name, line);
  if (name.startsWith('#')) throw invalidObject(name, line);
  throw notModelled(`a change to ${parts.join('.')}`, line);
}

export async function* finishChange(session: SessionState, count: number): AsyncGenerator<Reply> {
  session.rowCount = count;
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: count };
}

/** Converts a value to the type of its column. @throws SqlError 515 for NULL, 2628 if it is too long. */
export function storedValue(
  table: StoredTable,
  column: StoredColumn,
  value: Bound,
  binding: Binding,
  line: number,
  verb: 'INSERT' | 'UPDATE' = 'INSERT',
): string {
  const { duck } = binding;
  const { type } = column;
  const limit = isString(type) && type.length !== 'max' ? type.length : undefined;
  const tooLong =
    limit !== undefined && isString(value.type) && (value.type.length === 'max' || value.type.length > limit);
  const checked = tooLong
    ? callFunction(
        duck,
        `fit:${table.duckName}:${column.name}:${limit}:${binding.facts.instance.release}`,
        [value],
        value.type,
        (text) => fits(text ?? null, limit, table, column, binding.facts.instance.release),
      )
    : value;
  const converted = coerce(duck, checked, type, line);
  if (column.nullable) return converted.sql;
  return callFunction(duck, `notNull:${verb}:${table.duckName}:${column.name}`, [converted], type, (each) =>
    present(each ?? null, table, column, verb),
  ).sql;
}

/**
 * Since 2019 message 2628 names table and column; before, that needs trace flag 460 (Microsoft Learn, "DBCC TRACEON -
 * trace flags").
 */
function fits(text: Value, limit: number, table: StoredTable, column: StoredColumn, release: number): Value {
  if (typeof text !== 'string' || text.replace(/ +$/, '').length <= limit) return text;
  if (release < 2019) throw sqlError(8152);
  throw sqlError(2628, [fullName(table), column.name, text.slice(0, limit)]);
}

/** A #table's name in tempdb is padded and numbered, so that no two sessions have the same. */
function fullName({ name, objectId }: StoredTable): string {
  if (!name.startsWith('#')) return name;
  return `tempdb.dbo.${name.padEnd(116, '_')}${(-objectId).toString(16).toUpperCase().padStart(12, '0')}`;
}

function present(value: Value, table: StoredTable, column: StoredColumn, verb: string): Value {
  if (value === null) throw sqlError(515, [column.name, fullName(table), verb]);
  return value;
}

/** Runs a change and checks the table's keys; if one is violated, undoes the change. */
export async function change(
  session: SessionState,
  table: StoredTable,
  sql: string,
  line: number,
): Promise<number> {
  if (session.doomed) throw uncommittable(line);
  if (session.transactions > 0 && table.name.startsWith('#'))
    throw notModelled(`a change of ${table.name} within a transaction`, line);
  session.changes++;
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

async function checkKey(
  session: SessionState,
  table: StoredTable,
  key: StoredKey,
  line: number,
): Promise<void> {
  const columns = key.columns.map((index) => ({
    index,
    bound: { sql: `c${index + 1}`, type: (table.columns[index] as StoredColumn).type, nullable: true },
  }));
  const keys = columns.map(({ bound }) => equalityKeyOf(session.host.duck, bound)).join(', ');
  const types = columns.map(({ bound }) => bound.type);
  const sql = `SELECT ${columns.map(({ bound }) => `any_value(${bound.sql})`).join(', ')} FROM ${table.duckName} GROUP BY ${keys} HAVING count(*) > 1 LIMIT 1`;
  for await (const rows of fetchRows(session, sql, types, line)) {
    const shown = (rows[0] ?? []).map((value) => (value === null ? '<NULL>' : String(value))).join(', ');
    throw duplicate(table, key, shown, line);
  }
}

function duplicate(table: StoredTable, key: StoredKey, shown: string, line: number): SqlError {
  const value = `The duplicate key value is (${shown}).`;
  return sqlError(2627, [key.kind, key.name, table.name, value], line);
}
