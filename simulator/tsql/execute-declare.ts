/** DECLARE and SET @variable. */
import type { SqlError } from '../tds/handler';
import { undeclared } from './errors';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { statementsWithin } from './statement-kinds';
import { createStored, resolveDefinition } from './tables';
import { resolveType } from './types';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

function redeclared(name: string, line: number): SqlError {
  return sqlError(134, [name], line);
}

/**
 * Variables exist from the start of the batch with NULL, in any flow of control (Microsoft Learn, "DECLARE
 * @local_variable": their scope is the batch).
 */
export function declareAll(statements: readonly Statement[], frame: Frame): void {
  for (const statement of statements) {
    declareAll(statementsWithin(statement), frame);
    if (statement.kind !== 'declare') continue;
    for (const { name, type } of statement.variables)
      if (!frame.variables.has(name.toLowerCase()))
        frame.variables.set(name.toLowerCase(), { type: resolveType(type), value: null });
  }
}

export async function executeDeclare(
  session: SessionState,
  statement: Of<'declare' | 'declareTable'>,
  frame: Frame,
): Promise<void> {
  if (statement.kind === 'declareTable') return declareTable(session, statement, frame);
  for (const { name, type, value } of statement.variables) {
    const resolved = resolveType(type);
    // In a loop DECLARE runs again: with a value it assigns, without one it does not change the variable.
    const existing = frame.variables.get(name.toLowerCase());
    const start = value === undefined ? undefined : (await evaluate(session, frame, value, resolved)).value;
    if (existing === undefined)
      frame.variables.set(name.toLowerCase(), { type: resolved, value: start ?? null });
    else if (start !== undefined) existing.value = start;
    if (start !== undefined) session.rowCount = 1;
  }
}

async function declareTable(
  session: SessionState,
  statement: Of<'declareTable'>,
  frame: Frame,
): Promise<void> {
  const key = statement.name.toLowerCase();
  if (frame.variables.has(key)) throw redeclared(statement.name, statement.line);
  if (frame.tables.has(key)) return;
  const table = await resolveDefinition(session, statement.table, statement.name, statement.line);
  frame.tables.set(key, await createStored(session, statement.name, table, statement.line));
}

export async function executeSet(session: SessionState, statement: Of<'set'>, frame: Frame): Promise<void> {
  const { name, line } = statement;
  const variable = frame.variables.get(name.toLowerCase());
  if (variable === undefined) throw undeclared(name, line);
  variable.value = (await evaluate(session, frame, statement.value, variable.type)).value;
  session.rowCount = 1;
}
