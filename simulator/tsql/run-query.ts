/** Binds one statement to the session, copies its relations to DuckDB and runs it. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { Relation } from '../engine/interface/instance';
import { SqlError, type SqlType, type SqlValue } from '../tds/handler';
import { DependentCall, type Binding, type SessionFacts } from './binding';
import { bindExpression } from './bind-expression';
import { bindCondition } from './bind-condition';
import { callTableFunction } from './bind-table-function';
import { settledType } from './bound';
import { coerce } from './coerce';
import { fromDuck, mapDuckError } from './duck';
import { readGlobal } from './globals';
import { placeTables, type TableHandle } from './relations';
import type { Frame, SessionState } from './session-state';
import { toSqlValue } from './sql-value';
import type { Condition, Expression } from './syntax';
import type { Value } from './types';

function factsOf(session: SessionState, frame: Frame): SessionFacts {
  return {
    key: session.key,
    instance: session.host.instance,
    principal: () => session.principal(),
    variable: (name) => frame.variables.get(name.toLowerCase()),
    global: (name) => readGlobal(name, session),
    caught: () => session.caught[session.caught.length - 1],
    transactionState: () => (session.doomed ? -1 : session.transactions > 0 ? 1 : 0),
    table: (name) =>
      name.startsWith('@') ? frame.tables.get(name.toLowerCase()) : session.temporary.table(name),
    host: session.login.host,
    application: session.login.application,
    serverName: session.host.serverName,
  };
}

export function makeBinding(session: SessionState, frame: Frame): Binding {
  const { clock } = session.host.instance;
  return {
    duck: session.host.duck,
    relations: session.host.relations,
    facts: factsOf(session, frame),
    used: new Set(),
    dependent: new Map(),
    aliases: { last: 0 },
    clock: { utcMs: clock.nowUtcMs(), offsetMinutes: clock.utcOffsetMinutes() },
    scope: undefined,
    grouping: undefined,
    windows: false,
  };
}

export interface Prepared<T> {
  readonly bound: T;
  readonly binding: Binding;
}

/**
 * Binds again until no table function waits for its arguments. Afterwards DuckDB has the relations; `release` ends
 * their use.
 */
export async function bindStatement<T>(
  session: SessionState,
  frame: Frame,
  line: number,
  bind: (binding: Binding) => T,
): Promise<Prepared<T>> {
  const base = makeBinding(session, frame);
  for (;;) {
    const binding: Binding = { ...base, used: new Set(), aliases: { last: 0 } };
    try {
      const bound = bind(binding);
      await session.host.relations.materialise(binding.used);
      return { bound, binding };
    } catch (error) {
      if (!(error instanceof DependentCall)) throw placed(error, line);
      base.dependent.set(error.key, await callForRows(session, error, binding));
    }
  }
}

function placed(error: unknown, line: number): unknown {
  if (error instanceof SqlError && error.line <= 1) error.line = line;
  return error;
}

/** The rows of a table function for every distinct tuple of arguments, each with the arguments in front. */
async function callForRows(
  session: SessionState,
  call: DependentCall,
  binding: Binding,
): Promise<TableHandle> {
  await session.host.relations.materialise(binding.used);
  const tuples: (readonly Value[])[] = [];
  try {
    for await (const rows of fetchRows(
      session,
      placeTables(call.argumentsSql, binding.used),
      call.types,
      call.line,
    ))
      tuples.push(...rows);
  } finally {
    await session.host.relations.release(binding.used);
  }
  const results = tuples.map((tuple) => {
    const args = tuple.map((value, index) => toSqlValue(value, call.types[index] as SqlType));
    return { args, relation: callTableFunction(call.objectName, args, binding, call.line) };
  });
  const shape =
    results[0]?.relation ??
    callTableFunction(
      call.objectName,
      call.types.map(() => null),
      binding,
      call.line,
    );
  const relation: Relation = {
    columns: [
      ...call.types.map((type, index) => ({ name: `argument ${index + 1}`, type, nullable: true })),
      ...shape.columns,
    ],
    rows: (used) => joinCalls(results, used),
    ...(shape.isStream && { isStream: true }),
  };
  return session.host.relations.handle(call.key, relation);
}

/**
 * The rows of each call with its arguments in front. Makes all calls at once, so that a refusal comes before any row.
 */
function joinCalls(
  calls: readonly { readonly args: readonly SqlValue[]; readonly relation: Relation }[],
  used: ReadonlySet<number> | undefined,
): Iterable<readonly SqlValue[]> {
  const made = calls.map(({ args, relation }) => {
    const own =
      used &&
      new Set([...used].filter((column) => column >= args.length).map((column) => column - args.length));
    return { args, rows: relation.rows(own) };
  });
  return {
    *[Symbol.iterator]() {
      for (const { args, rows } of made) for (const row of rows) yield [...args, ...row];
    },
  };
}

/** Rows of DuckDB's answer, chunk by chunk. An abort interrupts the query. */
export async function* fetchRows(
  session: SessionState,
  sql: string,
  types: readonly SqlType[],
  line: number,
): AsyncGenerator<readonly (readonly Value[])[]> {
  const { connection, signal } = session;
  // Repeated, because DuckDB forgets an interrupt that comes between two steps of a query.
  let repeat: ReturnType<typeof setInterval> | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    repeat = setInterval(() => connection.interrupt(), 20);
  };
  signal.addEventListener('abort', interrupt);
  try {
    signal.throwIfAborted();
    const result = await connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      signal.throwIfAborted();
      yield chunk
        .getRows()
        .map((row) => row.map((value, index) => fromDuck(value as DuckDBValue, types[index] as SqlType)));
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw mapDuckError(error, line);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(repeat);
  }
}

/** Runs DuckDB text that returns no rows. @returns how many rows it changed */
export async function runChange(session: SessionState, sql: string, line: number): Promise<number> {
  try {
    const result = await session.connection.run(sql);
    return result.rowsChanged;
  } catch (error) {
    throw mapDuckError(error, line);
  }
}

/** One value, at once if it is constant. */
export async function evaluate(
  session: SessionState,
  frame: Frame,
  expression: Expression,
  type?: SqlType,
): Promise<{ readonly type: SqlType; readonly value: Value }> {
  const { bound, binding } = await bindStatement(session, frame, expression.line, (each) => {
    const own = bindExpression(expression, each);
    return type === undefined ? own : coerce(each.duck, own, type, expression.line);
  });
  const settled = type ?? settledType(bound.type);
  if (bound.constant !== undefined) return { type: settled, value: bound.constant.value };
  return {
    type: settled,
    value: await firstValue(session, `SELECT ${bound.sql}`, settled, binding, expression.line),
  };
}

export async function holds(session: SessionState, frame: Frame, condition: Condition): Promise<boolean> {
  const { bound, binding } = await bindStatement(session, frame, condition.line, (each) =>
    bindCondition(condition, each),
  );
  if (bound.constant !== undefined) return bound.constant.value === true;
  return (
    (await firstValue(
      session,
      `SELECT CAST(${bound.sql} AS TINYINT)`,
      { name: 'bit' },
      binding,
      condition.line,
    )) === 1
  );
}

async function firstValue(
  session: SessionState,
  sql: string,
  type: SqlType,
  binding: Binding,
  line: number,
): Promise<Value> {
  try {
    for await (const rows of fetchRows(session, placeTables(sql, binding.used), [type], line))
      return rows[0]?.[0] ?? null;
    return null;
  } finally {
    await session.host.relations.release(binding.used);
  }
}
