/** CREATE, ALTER, DROP and TRUNCATE of temporary objects: #tables, their indexes, #procedures. */
import { SqlError } from '../tds/handler';
import { bindExpression } from './bind-expression';
import type { StoredColumn, StoredKey, StoredTable } from './binding';
import { literal } from './bound';
import { cannotDrop, notModelled, uncommittable } from './errors';
import { createProcedure, dropProcedure } from './execute-temporary-procedure';
import { bindStatement, runChange } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { change, checkKey, storedValue } from './stored-values';
import { addTemporary, createStored, resolveDefinition } from './tables';

export type DefinitionKind =
  ('truncate' | 'createTable' | 'alterTable' | 'dropTable') | ('createIndex' | 'dropIndex' | 'createProcedure' | 'dropProcedure');

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function executeDefinition(session: SessionState, statement: Of<DefinitionKind>, frame: Frame): Promise<void> {
  if (session.doomed) throw uncommittable(statement.line);
  switch (statement.kind) {
    case 'createTable':
      return await createTable(session, statement);
    case 'alterTable':
      return await alterTable(session, statement, frame);
    case 'dropTable':
      return await dropTable(session, statement);
    case 'truncate':
      return await truncate(session, statement);
    case 'createIndex':
      return await createIndex(session, statement);
    case 'dropIndex':
      return dropIndex(session, statement);
    case 'createProcedure':
      return createProcedure(session, statement);
    case 'dropProcedure':
      return dropProcedure(session, statement);
  }
}

const last = (parts: readonly string[]): string => parts[parts.length - 1] as string;

async function createTable(session: SessionState, statement: Of<'createTable'>): Promise<void> {
  const name = last(statement.name);
  if (name.startsWith('##')) throw notModelled('a global temporary table', statement.line);
  await addTemporary(session, name, await resolveDefinition(session, statement.table, name, statement.line), statement.line);
}

async function dropTable(session: SessionState, statement: Of<'dropTable'>): Promise<void> {
  for (const parts of statement.names) {
    const table = session.temporary.table(last(parts));
    if (table !== undefined) await session.undo.drop(table);
    else if (!statement.ifExists) throw cannotDrop('table', last(parts), statement.line);
  }
}

/** @throws SqlError 4701. */
async function truncate(session: SessionState, statement: Of<'truncate'>): Promise<void> {
  const name = last(statement.name);
  const table = session.temporary.table(name);
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
  await change(session, table, `DELETE FROM ${table.duckName}`, statement.line);
}

/** @throws SqlError 4902, 4901, 4924, 5074. */
async function alterTable(session: SessionState, statement: Of<'alterTable'>, frame: Frame): Promise<void> {
  const { line } = statement;
  const name = last(statement.name);
  const table = session.temporary.table(name);
  if (table === undefined)
    throw new SqlError(4902, `Cannot find the object "${name}" because it does not exist or you do not have permissions.`, 16, 1, line);
  if (statement.add !== undefined) return await addColumns(session, table, statement.add, line, frame);
  const dropped = (statement.drop ?? []).flatMap((column) => droppedIndex(table, column, statement.ifExists === true, line));
  const kept = table.columns.flatMap((column, index) => (dropped.includes(index) ? [] : [{ column, index }]));
  const keys = table.keys.map((key) => ({ ...key, columns: key.columns.map((index) => kept.findIndex((each) => each.index === index)) }));
  const values = kept.map(({ index }) => `c${index + 1}`).join(', ');
  await replace(
    session,
    table,
    kept.map(({ column }) => column),
    keys,
    values,
    line,
  );
}

function droppedIndex(table: StoredTable, name: string, ifExists: boolean, line: number): readonly number[] {
  const index = table.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  if (index < 0 && ifExists) return [];
  if (index < 0)
    throw new SqlError(
      4924,
      `ALTER TABLE DROP COLUMN failed because column '${name}' does not exist in table '${table.name}'.`,
      16,
      1,
      line,
    );
  if (table.keys.some((key) => key.columns.includes(index))) throw notModelled('DROP COLUMN of a column of a key or index', line);
  return [index];
}

async function addColumns(
  session: SessionState,
  table: StoredTable,
  add: NonNullable<Of<'alterTable'>['add']>,
  line: number,
  frame: Frame,
): Promise<void> {
  if (add.keys.length > 0) throw notModelled('ALTER TABLE ... ADD of a constraint', line);
  const { columns } = await resolveDefinition(session, add, table.name, line);
  const again = columns.find((column) => table.columns.some((each) => each.name.toLowerCase() === column.name.toLowerCase()));
  if (again !== undefined)
    throw new SqlError(
      2705,
      `Column names in each table must be unique. Column name '${again.name}' in table '${table.name}' is specified more than once.`,
      16,
      4,
      line,
    );
  const required = columns.find((column) => !column.nullable && column.defaultValue === undefined && column.sequence === undefined);
  if (
    required !== undefined &&
    (await session.connection.run(`SELECT 1 FROM ${table.duckName} LIMIT 1`).then((found) => found.getRows())).length > 0
  )
    throw new SqlError(
      4901,
      `ALTER TABLE only allows columns to be added that can contain nulls, or have a DEFAULT definition specified, or the column being added is an identity or timestamp column, or alternatively if none of the previous conditions are satisfied the table must be empty to allow addition of this column. Column '${required.name}' cannot be added to non-empty table '${table.name}' because it does not satisfy these conditions.`,
      16,
      1,
      line,
    );
  const { bound } = await bindStatement(session, frame, line, (binding) =>
    columns.map((column) => {
      if (column.sequence !== undefined) return `nextval('${column.sequence}')`;
      // Existing rows get the default only if the column takes no NULL.
      const value =
        column.nullable || column.defaultValue === undefined ? literal(null, column.type) : bindExpression(column.defaultValue, binding);
      return storedValue(table, column.nullable ? column : { ...column, nullable: true }, value, binding, line);
    }),
  );
  await replace(session, table, [...table.columns, ...columns], table.keys, ['*', ...bound].join(', '), line);
}

/** Replaces a table by one of another shape; `values` makes its rows from the old ones. */
async function replace(
  session: SessionState,
  table: StoredTable,
  columns: readonly StoredColumn[],
  keys: readonly StoredKey[],
  values: string,
  line: number,
): Promise<void> {
  if (session.undo.isOpen) throw notModelled('ALTER TABLE within a transaction', line);
  const other = await createStored(session, table.name, { columns, keys }, line);
  await runChange(session, `INSERT INTO ${other.duckName} SELECT ${values} FROM ${table.duckName}`, line);
  session.temporary.replaceTable(table, { ...other, objectId: table.objectId });
  // The new table uses its sequences.
  await session.connection.run(`DROP TABLE ${table.duckName}`);
}

/** @throws SqlError 1088, 1505, 1913. */
async function createIndex(session: SessionState, statement: Of<'createIndex'>): Promise<void> {
  const { name, line, unique } = statement;
  const table = session.temporary.table(last(statement.table));
  if (table === undefined)
    throw new SqlError(
      1088,
      `Cannot find the object "${statement.table.join('.')}" because it does not exist or you do not have permissions.`,
      16,
      12,
      line,
    );
  if (table.keys.some((key) => key.name.toLowerCase() === name.toLowerCase()))
    throw new SqlError(
      1913,
      `The operation failed because an index or statistics with name '${name}' already exists on table '${table.name}'.`,
      16,
      1,
      line,
    );
  const key: StoredKey = { kind: 'index', name, columns: statement.columns.map((column) => keyColumn(table, column, line)) };
  if (!unique) return;
  await checkKey(session, table, key, line).catch((error: unknown) => {
    if (!(error instanceof SqlError) || error.number !== 2601) throw error;
    const value = /The duplicate key value is .*$/.exec(error.message)?.[0] ?? '';
    const text = `The CREATE UNIQUE INDEX statement terminated because a duplicate key was found for the object name 'dbo.${table.name}' and the index name '${name}'. ${value}`;
    throw new SqlError(1505, text, 16, 1, line);
  });
  const indexed = { ...table, keys: [...table.keys, key] };
  if (session.undo.isOpen) throw notModelled('CREATE UNIQUE INDEX within a transaction', line);
  session.temporary.replaceTable(table, indexed);
}

function keyColumn(table: StoredTable, name: string, line: number): number {
  const index = table.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  if (index < 0) throw new SqlError(1911, `Column name '${name}' does not exist in the target table or view.`, 16, 1, line);
  return index;
}

function dropIndex(session: SessionState, { name, table: parts, line }: Of<'dropIndex'>): void {
  const table = session.temporary.table(last(parts));
  if (table?.keys.some((key) => key.kind === 'index' && key.name.toLowerCase() === name.toLowerCase()) !== true)
    throw notModelled('DROP INDEX of an index that is not unique', line);
  if (session.undo.isOpen) throw notModelled('DROP INDEX within a transaction', line);
  session.temporary.replaceTable(table, { ...table, keys: table.keys.filter((key) => key.name.toLowerCase() !== name.toLowerCase()) });
}
