/** SELECT: rows to the client, values into variables, or rows into a #table. */
import type { Reply, SqlColumn, SqlType } from '../tds/handler';
import { bindExpression } from './bind-expression';
import { bindQuery, type BoundColumn } from './bind-query';
import type { Binding } from './binding';
import { literal, settledType } from './bound';
import { coerce } from './coerce';
import { notModelled, undeclared } from './errors';
import { placeTables } from './relations';
import { bindStatement, fetchRows, makeBinding } from './run-query';
import { Scope } from './scope';
import type { Frame, SessionState } from './session-state';
import { toSqlValue } from './sql-value';
import type { Expression, Query, Select, SelectItem } from './syntax';
import type { Value } from './types';
import { sqlError } from '../tds/messages';
import { wordSet } from './word-set';

export async function* executeSelect(
  session: SessionState,
  frame: Frame,
  query: Query,
  line: number,
): AsyncGenerator<Reply> {
  const { body } = query;
  if (body.kind === 'select' && body.items.some((item) => item.kind === 'assign'))
    return await selectVariables(session, frame, query, body);
  const { bound, binding } = await bindStatement(session, frame, line, (each) =>
    bindQuery(query, each, { outermost: true }),
  );
  try {
    const types = bound.columns.map((column) => settledType(column.type));
    yield { kind: 'columns', columns: bound.columns.map(toSqlColumn) };
    let count = 0;
    for await (const rows of fetchRows(
      session,
      limited(session, placeTables(bound.sql, binding.used)),
      types,
      line,
    )) {
      count += rows.length;
      yield {
        kind: 'rows',
        rows: rows.map((row) => row.map((value, index) => toSqlValue(value, types[index] as SqlType))),
      };
    }
    session.rowCount = count;
    yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: count };
  } finally {
    await session.host.relations.release(binding.used);
  }
}

/** SET ROWCOUNT. */
function limited(session: SessionState, sql: string): string {
  return session.options.rowCount === 0
    ? sql
    : `SELECT * FROM (${sql}) AS limited LIMIT ${session.options.rowCount}`;
}

const toSqlColumn = (column: BoundColumn): SqlColumn => ({
  name: column.name,
  type: settledType(column.type),
  nullable: column.nullable,
});

/** All rows of a query at once, for cursors and variables. */
export async function readAll(
  session: SessionState,
  frame: Frame,
  query: Query,
): Promise<{ readonly columns: readonly SqlColumn[]; readonly rows: readonly (readonly Value[])[] }> {
  const { bound, binding } = await bindStatement(session, frame, query.line, (each) =>
    bindQuery(query, each, { outermost: true }),
  );
  try {
    const rows: (readonly Value[])[] = [];
    const types = bound.columns.map((column) => settledType(column.type));
    for await (const some of fetchRows(
      session,
      limited(session, placeTables(bound.sql, binding.used)),
      types,
      query.line,
    ))
      rows.push(...some);
    return { columns: bound.columns.map(toSqlColumn), rows };
  } finally {
    await session.host.relations.release(binding.used);
  }
}

type Assignment = Extract<SelectItem, { readonly kind: 'assign' }>;

/**
 * `SELECT @a = x, @s += y FROM ...`: assigns for one row after another. Parts without an assigned variable are columns
 * of one query; the rest is evaluated for each row.
 */
async function selectVariables(
  session: SessionState,
  frame: Frame,
  query: Query,
  select: Select,
): Promise<void> {
  const assignments = select.items.map((item): Assignment => {
    if (item.kind !== 'assign') throw sqlError(141, [], select.line);
    if (!frame.variables.has(item.variable.toLowerCase())) throw undeclared(item.variable, item.line);
    return item;
  });
  const assigned = new Set(assignments.map((item) => item.variable.toLowerCase()));
  const inputs: Expression[] = [];
  const rests = assignments.map((item) => extract(item.expression, assigned, inputs) as Expression);
  const items: SelectItem[] =
    inputs.length === 0
      ? [
          {
            kind: 'expression',
            expression: { kind: 'literal', type: 'number', text: '1', line: select.line },
          },
        ]
      : inputs.map((expression) => ({ kind: 'expression', expression }));
  const { columns, rows } = await readAll(session, frame, { ...query, body: { ...select, items } });
  for (const row of rows) {
    for (const [index, item] of assignments.entries())
      await assign(session, frame, item, rests[index] as Expression, columns, row);
  }
  session.rowCount = rows.length;
}

async function assign(
  session: SessionState,
  frame: Frame,
  item: Assignment,
  rest: Expression,
  columns: readonly SqlColumn[],
  row: readonly Value[],
): Promise<void> {
  const variable = frame.variables.get(item.variable.toLowerCase());
  if (variable === undefined) throw undeclared(item.variable, item.line);
  const scope = new Scope(undefined);
  scope.sources.push({
    names: [],
    columns: columns.map((column, index) => ({
      name: `#${index}`,
      bound: { ...literal(row[index] ?? null, column.type), type: column.type },
    })),
  });
  const binding: Binding = { ...makeBinding(session, frame), scope };
  const bound = coerce(binding.duck, bindExpression(rest, binding), variable.type, item.line);
  if (bound.constant !== undefined) variable.value = bound.constant.value;
  else
    for await (const rows of fetchRows(session, `SELECT ${bound.sql}`, [variable.type], item.line))
      variable.value = rows[0]?.[0] ?? null;
}

const expressionKinds = wordSet(
  `literal variable column unary binary case cast call subquery collate method`,
);

/** Replaces the largest parts without an assigned variable by the columns #0, #1... */
function extract(node: unknown, assigned: ReadonlySet<string>, inputs: Expression[]): unknown {
  if (Array.isArray(node)) return node.map((each) => extract(each, assigned, inputs));
  if (typeof node !== 'object' || node === null) return node;
  const expression = node as Expression;
  if (expressionKinds.has(expression.kind) && !namesVariable(node, assigned)) {
    if (expression.kind === 'literal') return node;
    inputs.push(expression);
    return { kind: 'column', parts: [`#${inputs.length - 1}`], line: expression.line };
  }
  if (expression.kind === 'variable') return node;
  if (expression.kind === 'subquery')
    throw notModelled('an assigned variable inside a subquery of its own SELECT', expression.line);
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'type' ? value : extract(value, assigned, inputs),
    ]),
  );
}

function namesVariable(node: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((each) => namesVariable(each, names));
  if (typeof node !== 'object' || node === null) return false;
  const { kind, name } = node as { kind?: string; name?: unknown };
  if (kind === 'variable' && typeof name === 'string') return names.has(name.toLowerCase());
  return Object.values(node).some((value) => namesVariable(value, names));
}
