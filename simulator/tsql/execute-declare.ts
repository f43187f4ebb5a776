/** DECLARE, SET @variable, CREATE TABLE #t and DROP TABLE #t. */
import { SqlError } from '../tds/handler';
import { declareCursor } from './execute-cursor';
import { notModelled, undeclared } from './errors';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { addTemporary, createStored, dropStored, resolveDefinition } from './tables';
import { resolveType } from './types';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

function redeclared(name: string, line: number): SqlError {
  return new SqlError(
    134,
    `The variable name '${name}' has already been declared. Variable names must be unique within a query batch or stored procedure.`,
    15,
    2,
    line,
  );
}

export async function executeDeclare(
  session: SessionState,
  statement: Of<'declare' | 'declareTable' | 'declareCursor' | 'declareCursorVariable'>,
  frame: Frame,
): Promise<void> {
  if (statement.kind === 'declareCursor') return declareCursor(session, statement, frame);
  if (statement.kind === 'declareCursorVariable') return;
  if (statement.kind === 'declareTable') return declareTable(session, statement, frame);
  for (const { name, type, value } of statement.variables) {
    const resolved = resolveType(type);
    // In a loop DECLARE is met again: it assigns when it has a value, and else leaves the variable alone.
    const existing = frame.variables.get(name.toLowerCase());
    const start = value === undefined ? undefined : (await evaluate(session, frame, value, resolved)).value;
    if (existing === undefined) frame.variables.set(name.toLowerCase(), { type: resolved, value: start ?? null });
    else if (start !== undefined) existing.value = start;
  }
}

async function declareTable(session: SessionState, statement: Of<'declareTable'>, frame: Frame): Promise<void> {
  const key = statement.name.toLowerCase();
  if (frame.variables.has(key)) throw redeclared(statement.name, statement.line);
  if (frame.tables.has(key)) return;
  const table = await resolveDefinition(session, statement.table, statement.name, statement.line);
  frame.tables.set(key, await createStored(session, statement.name, table, statement.line));
}

export async function executeSet(session: SessionState, statement: Of<'set'>, frame: Frame): Promise<void> {
  const variable = frame.variables.get(statement.name.toLowerCase());
  if (variable === undefined) throw undeclared(statement.name, statement.line);
  variable.value = (await evaluate(session, frame, statement.value, variable.type)).value;
  session.rowCount = 1;
}

export async function executeCreateTable(session: SessionState, statement: Of<'createTable'>): Promise<void> {
  const name = statement.name[statement.name.length - 1] as string;
  if (name.startsWith('##')) throw notModelled('a global temporary table', statement.line);
  await addTemporary(session, name, await resolveDefinition(session, statement.table, name, statement.line), statement.line);
}

export async function executeDropTable(session: SessionState, statement: Of<'dropTable'>): Promise<void> {
  for (const parts of statement.names) {
    const name = parts[parts.length - 1] as string;
    const table = session.temporary.get(name.toLowerCase());
    if (table !== undefined) {
      await dropStored(session, table);
      session.temporary.delete(name.toLowerCase());
    } else if (!statement.ifExists)
      throw new SqlError(
        3701,
        `Cannot drop the table '${name}', because it does not exist or you do not have permission.`,
        11,
        5,
        statement.line,
      );
  }
}
