/** Cursors: OPEN reads all rows, like a static cursor. If another kind of cursor would see a change, its FETCH is refused. */
import { SqlError, type Reply } from '../tds/handler';
import { convertValue } from './convert';
import { notModelled, undeclared } from './errors';
import { readAll } from './execute-select';
import type { Cursor, Frame, SessionState } from './session-state';
import { toSqlValue } from './sql-value';
import type { CursorDefinition, Statement } from './statements';
import type { Value } from './types';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

/** The query uses the values that variables have now, even if it is opened later. */
const makeCursor = (definition: CursorDefinition, frame: Frame): Cursor => ({
  definition,
  frame: { ...frame, variables: new Map([...frame.variables].map(([name, variable]) => [name, { ...variable }])) },
  columns: [],
  types: [],
  rows: undefined,
  position: -1,
  changes: 0,
});

/** @throws SqlError 16915 for a name already in use in the session, or for LOCAL in the batch. */
export function declareCursor(session: SessionState, { name, cursor, line }: Of<'declareCursor'>, frame: Frame): void {
  const living = cursor.local ? frame.cursors : session.cursors;
  if (living.has(name.toLowerCase())) throw new SqlError(16915, `A cursor with the name '${name}' already exists.`, 16, 1, line);
  living.set(name.toLowerCase(), makeCursor(cursor, frame));
}

function findCursor(session: SessionState, name: string, line: number, frame: Frame): Cursor {
  const key = name.toLowerCase();
  const cursor = frame.cursors.get(key) ?? session.cursors.get(key);
  if (cursor !== undefined) return cursor;
  throw new SqlError(16916, `A cursor with the name '${name}' does not exist.`, 16, 1, line);
}

const notOpen = (line: number): SqlError => new SqlError(16917, 'Cursor is not open.', 16, 1, line);

export async function executeCursor(session: SessionState, { action, name, line }: Of<'cursor'>, frame: Frame): Promise<void> {
  const cursor = findCursor(session, name, line, frame);
  if (action === 'deallocate') {
    if (!frame.cursors.delete(name.toLowerCase())) session.cursors.delete(name.toLowerCase());
  } else if (action === 'close') {
    if (cursor.rows === undefined) throw notOpen(line);
    cursor.rows = undefined;
  } else {
    if (cursor.rows !== undefined) throw new SqlError(16905, 'The cursor is already open.', 16, 1, line);
    const { columns, rows } = await readAll(session, cursor.frame, cursor.definition.query);
    Object.assign(cursor, { columns, types: columns.map((column) => column.type), rows, position: -1, changes: session.changes });
  }
}

export async function* executeFetch(session: SessionState, statement: Of<'fetch'>, frame: Frame): AsyncGenerator<Reply> {
  const { direction, line } = statement;
  const cursor = findCursor(session, statement.name, line, frame);
  if (cursor.rows === undefined) throw notOpen(line);
  if (direction !== 'NEXT')
    throw new SqlError(16911, `fetch: The fetch type ${direction.toLowerCase()} cannot be used with forward only cursors.`, 16, 1, line);
  cursor.position = Math.min(cursor.rows.length, cursor.position + 1);
  await checkUnchanged(session, cursor, cursor.position, line);
  const row = cursor.rows[cursor.position];
  session.fetchStatus = row === undefined ? -1 : 0;
  session.rowCount = row === undefined ? 0 : 1;
  if (statement.into === undefined) return yield* showRow(session, cursor, row);
  assignRow(statement, cursor, row, frame);
}

/**
 * Only a static cursor ignores changes after its OPEN (Microsoft Learn, "DECLARE CURSOR"). So after each change the query runs again, and the rows still to
 * come must be the same. For few queries that page tells whether the server would make the cursor static by itself.
 */
async function checkUnchanged(session: SessionState, cursor: Cursor, from: number, line: number): Promise<void> {
  if (
    cursor.definition.fixed ||
    cursor.changes === session.changes ||
    cursor.rows === undefined ||
    !readsTemporary(cursor.definition.query)
  )
    return;
  const { rows } = await readAll(session, cursor.frame, cursor.definition.query);
  if (!comesAsBefore(rows, cursor.rows, from))
    throw notModelled('FETCH from a cursor that is not STATIC, over a temporary table whose rows have changed since OPEN,', line);
  cursor.changes = session.changes;
}

/** Rows before `from` may be gone or changed. At the end there must be no row after the last one. */
function comesAsBefore(now: Cursor['rows'] & object, before: Cursor['rows'] & object, from: number): boolean {
  const count = from === 0 ? Math.max(now.length, before.length) : Math.max(before.length - from, now.length < before.length ? 0 : 1);
  const text = (rows: readonly (readonly Value[])[]): string =>
    JSON.stringify(rows.slice(Math.max(0, rows.length - count)), (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return now.length <= before.length && text(now) === text(before);
}

/** Whether a query names a table variable or #table. */
function readsTemporary(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(readsTemporary);
  if (typeof node !== 'object' || node === null) return false;
  const { kind, name } = node as { readonly kind?: unknown; readonly name?: unknown };
  if (kind === 'table' && Array.isArray(name) && /^[@#]/.test(name[name.length - 1] as string)) return true;
  return Object.values(node).some(readsTemporary);
}

async function* showRow(session: SessionState, cursor: Cursor, row: readonly Value[] | undefined): AsyncGenerator<Reply> {
  yield { kind: 'columns', columns: cursor.columns };
  if (row !== undefined)
    yield { kind: 'rows', rows: [row.map((value, index) => toSqlValue(value, cursor.types[index] as Cursor['types'][number]))] };
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: row === undefined ? 0 : 1 };
}

function assignRow(statement: Of<'fetch'>, cursor: Cursor, row: readonly Value[] | undefined, frame: Frame): void {
  const into = statement.into ?? [];
  if (into.length !== cursor.types.length)
    throw new SqlError(
      16924,
      'Cursorfetch: The number of variables declared in the INTO list must match that of selected columns.',
      16,
      1,
      statement.line,
    );
  if (row === undefined) return;
  into.forEach((name, index) => {
    const variable = frame.variables.get(name.toLowerCase());
    if (variable === undefined) throw undeclared(name, statement.line);
    variable.value = convertValue(row[index] ?? null, cursor.types[index] as Cursor['types'][number], variable.type);
  });
}
