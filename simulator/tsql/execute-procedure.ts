/** EXEC: dynamic SQL, and procedures by name. */
import { SqlError, type SqlType } from '../tds/handler';
import { isCompileError } from './batch-errors';
import { convertValue } from './convert';
import { notModelled, undeclared, unknownProcedure } from './errors';
import { makeFrame, messageOf, runBatch, type Execution } from './interpreter';
import { runNested } from './nested-scope';
import { bindParameters, handBack, type PassedArgument } from './parameters';
import { parseParameters } from './parse-parameters';
import { runTemporaryProcedure } from './execute-temporary-procedure';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Argument, Statement } from './statements';
import { findSystemProcedure } from './system-procedures';
import { int, isString, type Value } from './types';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function* executeProcedure(
  session: SessionState,
  statement: Of<'executeText' | 'executeProcedure'>,
  frame: Frame,
): Execution {
  const { line } = statement;
  if (statement.kind === 'executeText') {
    const { type, value } = await evaluate(session, frame, statement.text);
    if (!isString(type))
      throw new SqlError(214, 'Procedure expects parameter of type nvarchar.', 16, 2, line);
    return yield* runDynamic(session, String(value ?? ''), makeFrame(frame.level + 1), 1, line);
  }
  const args: PassedArgument[] = [];
  for (const argument of statement.args) args.push(await passArgument(session, frame, argument));
  const name =
    typeof statement.name === 'string'
      ? String((await evaluate(session, frame, { kind: 'variable', name: statement.name, line })).value ?? '')
      : statement.name.map((part) => `[${part.replace(/]/g, ']]')}]`).join('.');
  const call = { status: 0 };
  const flow = yield* callProcedure(session, name, args, frame.level, line, call);
  if (statement.result !== undefined) setVariable(frame, statement.result, call.status, int, line);
  return flow;
}

function setVariable(frame: Frame, name: string, value: Value, type: SqlType, line: number): void {
  const variable = frame.variables.get(name.toLowerCase());
  if (variable === undefined) throw undeclared(name, line);
  variable.value = convertValue(value, type, variable.type);
}

async function passArgument(
  session: SessionState,
  frame: Frame,
  argument: Argument,
): Promise<PassedArgument> {
  const { value: expression, name = '', output } = argument;
  if (expression.kind === 'literal' && expression.type === 'default')
    return { name, type: int, value: null, isDefault: true };
  const { type, value } = await evaluate(session, frame, expression);
  if (!output) return { name, type, value, isDefault: false };
  if (expression.kind !== 'variable') throw sqlError(179, [], expression.line);
  return {
    name,
    type,
    value,
    isDefault: false,
    output: (each, from) => setVariable(frame, expression.name, each, from, expression.line),
  };
}

/**
 * Dynamic SQL. A compile error ends it; for the caller it is the error of one statement.
 * @param levels what it adds to @@NESTLEVEL
 */
async function* runDynamic(
  session: SessionState,
  text: string,
  frame: Frame,
  levels: number,
  line: number,
): Execution {
  return yield* runNested(session, levels, () => runText(session, text, frame), line);
}

async function* runText(session: SessionState, text: string, frame: Frame): Execution {
  try {
    return yield* runBatch(session, text, frame);
  } catch (error) {
    if (!(error instanceof SqlError) || session.tryDepth > 0 || !isCompileError(error)) throw error;
    yield { kind: 'error', message: messageOf(error) };
    yield { kind: 'done' };
    session.error = error.number;
    return 'next';
  }
}

/** What a procedure returned. */
export interface Call {
  status: number;
}

export async function* callProcedure(
  session: SessionState,
  name: string,
  args: readonly PassedArgument[],
  level: number,
  line: number,
  call: Call,
): Execution {
  const parts = splitName(name);
  const simple = parts[parts.length - 1] ?? '';
  const database = parts.length === 3 && parts[0] !== '' ? parts[0] : undefined;
  if (parts.length > 3) throw notModelled(`linked server ${parts[0]}`, line);
  const own = simple.startsWith('#') ? session.temporary.procedure(simple) : undefined;
  if (own !== undefined) return yield* runTemporaryProcedure(session, own, args, level, line, call);
  if (simple.toLowerCase() === 'sp_executesql')
    return yield* inDatabase(session, database, () => executeSql(session, args, level, line, call));
  const system = simple.startsWith('#') ? undefined : findSystemProcedure(simple, line);
  if (system === undefined) throw unknownProcedure(parts.join('.'), line);
  call.status = yield* system({ session, args, level, line, name: simple.toLowerCase() });
  return 'next';
}

/** The parts of a name that may be quoted: `[a.b]..sp_executesql`. */
function splitName(name: string): readonly string[] {
  const part = /\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|([^.]*)/y;
  const parts: string[] = [];
  for (let at = 0; at <= name.length; at = part.lastIndex + 1) {
    part.lastIndex = at;
    const [, bracketed, quoted, plain = ''] = part.exec(name) ?? [];
    parts.push(bracketed?.replace(/]]/g, ']') ?? quoted?.replace(/""/g, '"') ?? plain.trim());
  }
  return parts;
}

/**
 * Runs a procedure that is named with another database there, then returns to the session's own database.
 * @throws SqlError 911, 916, ...
 */
async function* inDatabase(session: SessionState, name: string | undefined, run: () => Execution): Execution {
  const before = session.database;
  if (name !== undefined)
    session.database = session.host.instance.openDatabase(name, session.principal()).name;
  try {
    return yield* run();
  } finally {
    session.database = before;
  }
}

/**
 * sp_executesql @stmt, @params, values by name or position; its return value is the last error's number.
 * @throws SqlError 201, 214, 8144, 8145, 8178.
 */
async function* executeSql(
  session: SessionState,
  args: readonly PassedArgument[],
  level: number,
  line: number,
  call: Call,
): Execution {
  const [statement, definition, ...values] = args;
  for (const [argument, word, state] of [
    [statement, '@statement', 2],
    [definition, '@params', 3],
  ] as const) {
    if (argument !== undefined && !/^n(var)?char$/.test(argument.type.name) && argument.value !== null)
      throw sqlError(214, [word], line, { state, procedure: 'sp_executesql' });
  }
  if (statement === undefined) throw sqlError(201, ['sp_executesql', '@statement'], line, { state: 10 });
  const frame = makeFrame(level + 1);
  const text = String(definition?.value ?? '');
  const missing = (name: string): SqlError => sqlError(8178, [text, name], line);
  const outputs = await bindParameters(session, frame, parseParameters(text), values, {
    name: 'sp_executesql',
    missing,
    line,
  });
  session.error = 0;
  const flow = yield* runDynamic(session, String(statement.value ?? ''), frame, 2, line);
  call.status = session.error;
  handBack(frame, outputs);
  return flow;
}
