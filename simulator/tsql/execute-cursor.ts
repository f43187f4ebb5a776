/** Cursors: the rows are taken when the cursor is opened, as a static cursor does. */
import { SqlError, type Reply } from '../tds/handler';
import { convertValue } from './convert';
import { undeclared } from './errors';
import { readAll } from './execute-select';
import type { Cursor, Frame, SessionState } from './session-state';
import { toSqlValue } from './sql-value';
import type { Statement } from './statements';
import type { Query } from './syntax';
import type { Value } from './types';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

const makeCursor = (query: Query, scroll: boolean, batch: number): Cursor => ({
  query,
  scroll,
  batch,
  columns: [],
  types: [],
  rows: undefined,
  position: -1,
});

export function declareCursor(session: SessionState, statement: Of<'declareCursor'>, frame: Frame): void {
  const key = statement.name.toLowerCase();
  if (session.cursors.get(key)?.batch === frame.batch)
    throw new SqlError(16915, `A cursor with the name '${statement.name}' already exists.`, 16, 1, statement.line);
  session.cursors.set(key, makeCursor(statement.query, statement.scroll, frame.batch));
}

export function setCursor(session: SessionState, statement: Of<'setCursor'>, frame: Frame): void {
  if (statement.query !== undefined) session.cursors.set(statement.name.toLowerCase(), makeCursor(statement.query, true, frame.batch));
}

function findCursor(session: SessionState, name: string, line: number): Cursor {
  const cursor = session.cursors.get(name.toLowerCase());
  if (cursor !== undefined) return cursor;
  if (name.startsWith('@'))
    throw new SqlError(16950, `The variable '${name}' does not currently have a cursor allocated to it.`, 16, 2, line);
  throw new SqlError(16916, `A cursor with the name '${name}' does not exist.`, 16, 1, line);
}

const notOpen = (line: number): SqlError => new SqlError(16917, 'Cursor is not open.', 16, 1, line);

export async function executeCursor(session: SessionState, statement: Of<'cursor'>, frame: Frame): Promise<void> {
  const cursor = findCursor(session, statement.name, statement.line);
  if (statement.action === 'deallocate') session.cursors.delete(statement.name.toLowerCase());
  else if (statement.action === 'close') {
    if (cursor.rows === undefined) throw notOpen(statement.line);
    cursor.rows = undefined;
  } else {
    if (cursor.rows !== undefined) throw new SqlError(16905, 'The cursor is already open.', 16, 1, statement.line);
    const { columns, rows } = await readAll(session, frame, cursor.query);
    Object.assign(cursor, { columns, types: columns.map((column) => column.type), rows, position: -1 });
  }
}

export async function* executeFetch(session: SessionState, statement: Of<'fetch'>, frame: Frame): AsyncGenerator<Reply> {
  const cursor = findCursor(session, statement.name, statement.line);
  if (cursor.rows === undefined) throw notOpen(statement.line);
  if (!cursor.scroll && statement.direction !== 'NEXT')
    throw new SqlError(
      16911,
      `fetch: The fetch type ${statement.direction.toLowerCase()} cannot be used with forward only cursors.`,
      16,
      1,
      statement.line,
    );
  move(cursor, statement.direction, cursor.rows.length);
  const row = cursor.rows[cursor.position];
  session.fetchStatus = row === undefined ? -1 : 0;
  session.rowCount = row === undefined ? 0 : 1;
  if (statement.into === undefined) return yield* showRow(session, cursor, row);
  assignRow(statement, cursor, row, frame);
}

function move(cursor: Cursor, direction: string, count: number): void {
  const targets: Readonly<Record<string, number>> = { NEXT: cursor.position + 1, PRIOR: cursor.position - 1, FIRST: 0, LAST: count - 1 };
  cursor.position = Math.max(-1, Math.min(count, targets[direction] ?? count));
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
