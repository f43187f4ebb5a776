/** INSERT into table variables and #temporary tables, and TRUNCATE of them. */
import type { Relation, RelationColumn } from '../engine/interface/instance';
import { type Reply, type SqlValue } from '../tds/handler';
import { bindExpression } from './bind-expression';
import { bindQuery, columnAt } from './bind-query';
import type { Binding, StoredTable } from './binding';
import { literal, type Bound } from './bound';
import { notModelled } from './errors';
import { runStatement } from './interpreter';
import { placeTables } from './relations';
import { bindStatement } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { change, findTarget, finishChange, storedValue } from './stored-values';
import type { Expression } from './syntax';
import { columnIndex } from './tables';
import { describeType } from './types';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function* executeInsert(
  session: SessionState,
  statement: Of<'insert'>,
  frame: Frame,
): AsyncGenerator<Reply> {
  const { line, source } = statement;
  const table = findTarget(session, frame, statement.target, line);
  const targets = targetColumns(table, statement);
  const captured =
    source.kind === 'execute'
      ? yield* captureRows(session, statement, source.statement, frame, targets.length)
      : undefined;
  const { bound, binding } = await bindStatement(session, frame, line, (each) =>
    bindInsert(table, targets, statement, captured, each, session.options.rowCount),
  );
  try {
    yield* finishChange(session, await change(session, table, placeTables(bound, binding.used), line));
  } finally {
    await session.host.relations.release(binding.used);
  }
}

function targetColumns(table: StoredTable, statement: Of<'insert'>): readonly number[] {
  if (statement.columns === undefined)
    return table.columns.flatMap((column, index) => (column.sequence === undefined ? [index] : []));
  return statement.columns.map((name) => {
    const index = columnIndex(table.columns, name, statement.line);
    if (table.columns[index]?.sequence !== undefined) throw sqlError(544, [table.name], statement.line);
    return index;
  });
}

/**
 * INSERT ... EXEC: the rows of every result set; messages and errors go on to the client.
 * @throws SqlError 213, 8164.
 */
async function* captureRows(
  session: SessionState,
  insert: Of<'insert'>,
  statement: Statement,
  frame: Frame,
  width: number,
): AsyncGenerator<Reply, Relation> {
  const { line } = statement;
  if (session.capturing >= 0) throw sqlError(8164, [], line);
  const captured: { columns: readonly RelationColumn[]; rows: (readonly SqlValue[])[] }[] = [];
  session.capturing = session.transactions;
  try {
    for await (const reply of runStatement(session, statement, frame)) {
      if (reply.kind === 'columns') {
        checkWidth(reply.columns.length, width, insert);
        captured.push({ columns: reply.columns, rows: [] });
      } else if (reply.kind === 'rows') captured[captured.length - 1]?.rows.push(...reply.rows);
      else if (reply.kind !== 'done') yield reply;
    }
  } finally {
    session.capturing = -1;
  }
  return joined(captured, line);
}

/**
 * One relation of all result sets. Their types must agree, because a UNION would not convert each of them separately.
 */
function joined(
  sets: readonly { columns: readonly RelationColumn[]; rows: readonly (readonly SqlValue[])[] }[],
  line: number,
): Relation {
  const [first] = sets;
  if (first === undefined) return { columns: [], rows: () => [] };
  const shape = (columns: readonly RelationColumn[]): string =>
    columns.map(({ type }) => describeType(type)).join();
  if (sets.some((set) => shape(set.columns) !== shape(first.columns)))
    throw notModelled('INSERT ... EXEC of result sets of different types', line);
  return { columns: first.columns, rows: () => sets.flatMap((set) => set.rows) };
}

function bindInsert(
  table: StoredTable,
  targets: readonly number[],
  statement: Of<'insert'>,
  captured: Relation | undefined,
  binding: Binding,
  rowCount: number,
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
    checkIdentity(table, query.columns.length, statement);
    checkWidth(query.columns.length, targets.length, statement);
    const values = query.columns.map((column, index) => columnAt(column, 'q', index));
    return `${into} SELECT ${rowOf(table, targets, values, binding, line).join(', ')} FROM (${query.sql}) AS q${rowCount === 0 ? '' : ` LIMIT ${rowCount}`}`;
  }
  if (captured !== undefined && captured.columns.length > 0) {
    const handle = binding.relations.handle(`captured ${table.duckName}`, captured);
    binding.used.add(handle);
    const values = captured.columns.map(({ type, nullable }, index): Bound => {
      handle.columns.add(index);
      return { sql: `q.c${index + 1}`, type, nullable };
    });
    return `${into} SELECT ${rowOf(table, targets, values, binding, line).join(', ')} FROM ${handle.placeholder} AS q`;
  }
  const rows =
    source.kind === 'values' ? source.rows.map((row) => row.map((item) => bindItem(item, binding))) : [];
  if (rows.length === 0) return `${into} SELECT ${list} FROM ${table.duckName} WHERE false`;
  for (const row of rows) {
    if (row.length !== rows[0]?.length) throw sqlError(10709, [], line);
    checkIdentity(table, row.length, statement);
    checkWidth(row.length, targets.length, statement);
  }
  return `${into} ${rows.map((row) => `SELECT ${rowOf(table, targets, row, binding, line).join(', ')}`).join(' UNION ALL ')}`;
}

const bindItem = (item: Expression, binding: Binding): Bound | undefined =>
  item.kind === 'literal' && item.type === 'default' ? undefined : bindExpression(item, binding);

/** @throws SqlError 213, or 109, 110, 120, 121 if the statement names its columns. */
function checkWidth(values: number, targets: number, { line, columns, source }: Of<'insert'>): void {
  if (values === targets) return;
  if (columns === undefined || source.kind === 'execute') throw sqlError(213, [], line);
  const fewer = values < targets;
  if (source.kind === 'query') throw sqlError(fewer ? 120 : 121, [], line);
  throw sqlError(fewer ? 109 : 110, [], line);
}

/** @throws SqlError 8101 if there are as many values as columns, counting the identity column. */
function checkIdentity(table: StoredTable, values: number, { line, columns }: Of<'insert'>): void {
  if (
    columns === undefined &&
    values === table.columns.length &&
    table.columns.some((each) => each.sequence !== undefined)
  )
    throw sqlError(8101, [table.name], line);
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
    const value =
      given ??
      (column.defaultValue === undefined
        ? literal(null, column.type)
        : bindExpression(column.defaultValue, binding));
    return storedValue(table, column, value, binding, line);
  });
}
