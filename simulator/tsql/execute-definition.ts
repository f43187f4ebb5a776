/** CREATE and DROP of temporary objects: #tables and #procedures. */
import { cannotDrop, notModelled, uncommittable } from './errors';
import { createProcedure, dropProcedure } from './execute-temporary-procedure';
import type { SessionState } from './session-state';
import type { Statement } from './statements';
import { addTemporary, dropStored, resolveDefinition } from './tables';

export type DefinitionKind = 'createTable' | 'dropTable' | 'createProcedure' | 'dropProcedure';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function executeDefinition(session: SessionState, statement: Of<DefinitionKind>): Promise<void> {
  if (session.doomed) throw uncommittable(statement.line);
  if (session.transactions > 0) throw notModelled('CREATE and DROP within a transaction', statement.line);
  switch (statement.kind) {
    case 'createTable':
      return await createTable(session, statement);
    case 'dropTable':
      return await dropTable(session, statement);
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
  await addTemporary(
    session,
    name,
    await resolveDefinition(session, statement.table, name, statement.line),
    statement.line,
  );
}

async function dropTable(session: SessionState, statement: Of<'dropTable'>): Promise<void> {
  for (const parts of statement.names) {
    const table = session.temporary.table(last(parts));
    if (table !== undefined) {
      session.temporary.removeTable(table.name);
      await dropStored(session, table);
    } else if (!statement.ifExists) throw cannotDrop('table', last(parts), statement.line);
  }
}
