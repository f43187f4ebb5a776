/** Table variables and #temporary tables. */
import type { SqlError } from '../tds/handler';
import type { StoredColumn, StoredKey, StoredTable } from './binding';
import { physicalType } from './bound';
import { invalidColumn } from './errors';
import { runChange } from './run-query';
import type { SessionState } from './session-state';
import type { TableDefinition } from './statements';
import { isInteger, resolveType } from './types';
import { sqlError } from '../tds/messages';

export async function createStored(
  session: SessionState,
  name: string,
  table: { readonly columns: readonly StoredColumn[]; readonly keys: StoredTable['keys'] },
  line: number,
): Promise<StoredTable> {
  const duckName = session.host.nextName('t');
  const columns = table.columns.map((column, index) => `c${index + 1} ${physicalType(column.type)}`);
  await runChange(session, `CREATE TABLE ${duckName} (${columns.join(', ')})`, line);
  return {
    duckName,
    name,
    objectId: -Number(duckName.slice(1)) - 1_000_000,
    columns: table.columns,
    keys: table.keys,
  };
}

/** @throws SqlError 2714 for a name in use. */
export async function addTemporary(
  session: SessionState,
  name: string,
  table: Parameters<typeof createStored>[2],
  line: number,
): Promise<StoredTable> {
  if (session.temporary.hasOwn(name)) throw sqlError(2714, [name], line);
  const stored = await createStored(session, name, table, line);
  session.temporary.addTable(name, stored);
  return stored;
}

export async function dropStored(session: SessionState, table: StoredTable): Promise<void> {
  await session.connection.run(`DROP TABLE IF EXISTS ${table.duckName}`);
  for (const column of table.columns)
    if (column.sequence !== undefined)
      await session.connection.run(`DROP SEQUENCE IF EXISTS ${column.sequence}`);
}

const namedTwice = (column: string, table: string, line: number): SqlError =>
  sqlError(2705, [column, table], line);

/** Resolves types and defaults of a written definition. @throws SqlError 2705 if two columns have the same name. */
export async function resolveDefinition(
  session: SessionState,
  definition: TableDefinition,
  name: string,
  line: number,
): Promise<{ columns: readonly StoredColumn[]; keys: StoredTable['keys'] }> {
  const columns: StoredColumn[] = [];
  for (const column of definition.columns) {
    if (columns.some((each) => each.name.toLowerCase() === column.name.toLowerCase()))
      throw namedTwice(column.name, name, line);
    const type = resolveType(column.type);
    if (column.identity !== undefined && !isInteger(type) && type.name !== 'decimal')
      throw sqlError(2749, [column.name], line);
    const sequence =
      column.identity === undefined ? undefined : await createSequence(session, column.identity);
    columns.push({
      name: column.name,
      type,
      nullable: column.nullable,
      ...(sequence !== undefined && { sequence }),
      ...(column.defaultValue && { defaultValue: column.defaultValue }),
    });
  }
  const keys = definition.keys.map((key, index): StoredKey => ({
    kind: key.primary ? 'PRIMARY KEY' : 'UNIQUE KEY',
    name:
      key.name ??
      `${key.primary ? 'PK' : 'UQ'}__${name.replace(/^@/, '#').slice(0, 9)}__${madeUp(session, index)}`,
    columns: key.columns.map((each) => columnIndex(columns, each, line)),
  }));
  return { columns, keys };
}

/** The digits at the end of a constraint name that the server makes up. */
const madeUp = (session: SessionState, index: number): string =>
  (0x3213e83f00000000n + BigInt(Number(session.host.nextName('').replace(/\D/g, '')) * 16 + index))
    .toString(16)
    .toUpperCase();

async function createSequence(
  session: SessionState,
  identity: { readonly seed: number; readonly increment: number },
): Promise<string> {
  const name = session.host.nextName('q');
  const floor = `MINVALUE ${Math.min(identity.seed, -2147483648)} MAXVALUE 9223372036854775807`;
  await session.connection.run(
    `CREATE SEQUENCE ${name} INCREMENT BY ${identity.increment} ${floor} START WITH ${identity.seed}`,
  );
  return name;
}

export function columnIndex(
  columns: readonly { readonly name: string }[],
  name: string,
  line: number,
): number {
  const index = columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  if (index < 0) throw invalidColumn(name, line);
  return index;
}
