/** CREATE, DROP and TRUNCATE of temporary objects: #tables, their indexes, #procedures. */
import { SqlError } from '../tds/handler';
import { cannotDrop, notModelled, uncommittable } from './errors';
import { createProcedure, dropProcedure } from './execute-temporary-procedure';
import type { SessionState } from './session-state';
import type { Statement } from './statements';
import { change } from './stored-values';
import { addTemporary, resolveDefinition } from './tables';

export type DefinitionKind = 'truncate' | 'createTable' | 'dropTable' | 'createIndex' | 'createProcedure' | 'dropProcedure';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function executeDefinition(session: SessionState, statement: Of<DefinitionKind>): Promise<void> {
  if (session.doomed) throw uncommittable(statement.line);
  switch (statement.kind) {
    case 'createTable':
      return await createTable(session, statement);
    case 'dropTable':
      return await dropTable(session, statement);
    case 'truncate':
      return await truncate(session, statement);
    case 'createIndex':
      return createIndex(session, statement);
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

/** @throws SqlError 1088, 1911. */
function createIndex(session: SessionState, { table: parts, columns, line }: Of<'createIndex'>): void {
  const table = session.temporary.table(last(parts));
  if (table === undefined)
    throw new SqlError(
      1088,
      `Cannot find the object "${parts.join('.')}" because it does not exist or you do not have permissions.`,
      16,
      12,
      line,
    );
  const names = table.columns.map((column) => column.name.toLowerCase());
  const missing = columns.find((column) => !names.includes(column.toLowerCase()));
  if (missing !== undefined) throw new SqlError(1911, `Column name '${missing}' does not exist in the target table or view.`, 16, 1, line);
}
