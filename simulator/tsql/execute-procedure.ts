/** EXEC and the procedures that it knows. */
import { SqlError, type SqlType } from '../tds/handler';
import { isCompileError } from './batch-errors';
import { convertValue } from './convert';
import { notModelled, undeclared, unknownProcedure } from './errors';
import { readErrorLog } from './error-log';
import { makeFrame, messageOf, runBatch, type Execution } from './interpreter';
import { parseParameters } from './parse-parameters';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import type { Expression } from './syntax';
import { int, isString, type Value } from './types';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export interface PassedArgument {
  readonly name: string;
  readonly type: SqlType;
  readonly value: Value;
  readonly isDefault: boolean;
  /** Takes the parameter's value back. */
  readonly output?: (value: Value, type: SqlType) => void;
}

/** Procedures that SQL Server has and this simulator has not. */
const known =
  /^(sp_configure|sp_who2?|sp_help\w*|sp_lock|sp_spaceused|sp_databases|sp_tables|sp_columns|sp_rename|sp_msforeach\w+|sp_add\w+|sp_drop\w+|sp_update\w*|sp_set\w+|sp_start_job|sp_server_diagnostics|sp_trace_\w+|sp_cursor\w*|sp_describe\w+|sp_serveroption|sp_enumerrorlogs|sp_cycle_errorlog|sp_reset_connection|sp_getapplock|sp_releaseapplock|xp_\w+|rds_\w+)$/;

export async function* executeProcedure(session: SessionState, statement: Of<'executeText' | 'executeProcedure'>, frame: Frame): Execution {
  if (statement.kind === 'executeText') {
    const { type, value } = await evaluate(session, frame, statement.text);
    if (!isString(type)) throw new SqlError(214, 'Procedure expects parameter of type nvarchar.', 16, 2, statement.line);
    return yield* runDynamic(session, String(value ?? ''), makeFrame(session, frame.level + 1));
  }
  const args: PassedArgument[] = [];
  for (const argument of statement.args)
    args.push(await passArgument(session, frame, argument.value, argument.name ?? '', argument.output));
  const name =
    typeof statement.name === 'string'
      ? String((await evaluate(session, frame, { kind: 'variable', name: statement.name, line: statement.line })).value ?? '')
      : statement.name.join('.');
  const flow = yield* callProcedure(session, name, args, frame.level, statement.line);
  if (statement.result !== undefined) setVariable(frame, statement.result, 0, int, statement.line);
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
  expression: Expression,
  name: string,
  output: boolean,
): Promise<PassedArgument> {
  if (expression.kind === 'literal' && expression.type === 'default') return { name, type: int, value: null, isDefault: true };
  const { type, value } = await evaluate(session, frame, expression);
  if (!output) return { name, type, value, isDefault: false };
  if (expression.kind !== 'variable')
    throw new SqlError(179, 'Cannot use the OUTPUT option when passing a constant to a stored procedure.', 15, 1, expression.line);
  return { name, type, value, isDefault: false, output: (each, from) => setVariable(frame, expression.name, each, from, expression.line) };
}

/** Dynamic SQL: what does not compile ends it, and is an error of one statement to whoever called it. */
export async function* runDynamic(session: SessionState, text: string, frame: Frame): Execution {
  if (frame.level > 32) throw new SqlError(217, 'Maximum stored procedure, function, trigger, or view nesting level exceeded (limit 32).');
  const { database } = session;
  try {
    yield* runBatch(session, text, frame);
  } catch (error) {
    if (!(error instanceof SqlError) || session.tryDepth > 0 || !isCompileError(error)) throw error;
    yield { kind: 'error', message: messageOf(error) };
    yield { kind: 'done' };
    session.error = error.number;
  }
  // USE lasts for the dynamic text only.
  if (session.database !== database) {
    session.database = database;
    yield { kind: 'database', name: database };
  }
  return 'next';
}

export async function* callProcedure(
  session: SessionState,
  name: string,
  args: readonly PassedArgument[],
  level: number,
  line: number,
): Execution {
  const simple = (name.split('.').pop() ?? '').replace(/^\[(.*)\]$/, '$1').toLowerCase();
  switch (simple) {
    case 'sp_executesql':
      return yield* executeSql(session, args, level, line);
    case 'sp_readerrorlog':
    case 'xp_readerrorlog':
      yield* readErrorLog(session, simple, args, line);
      return 'next';
    default:
      throw known.test(simple) ? notModelled(`procedure ${simple}`, line) : unknownProcedure(name, line);
  }
}

/** sp_executesql @stmt, @params, values by name or position. @throws SqlError 214, 8144, 8145, 8178. */
async function* executeSql(session: SessionState, args: readonly PassedArgument[], level: number, line: number): Execution {
  const [statement, definition, ...values] = args;
  for (const [argument, word] of [
    [statement, '@statement'],
    [definition, '@params'],
  ] as const) {
    if (argument !== undefined && !/^n(var)?char$/.test(argument.type.name) && argument.value !== null)
      throw new SqlError(
        214,
        `Procedure expects parameter '${word}' of type 'ntext/nchar/nvarchar'.`,
        16,
        word === '@params' ? 3 : 2,
        line,
        'sp_executesql',
      );
  }
  if (statement === undefined)
    throw new SqlError(201, "Procedure or function 'sp_executesql' expects parameter '@statement', which was not supplied.", 16, 10, line);
  const frame = makeFrame(session, level + 1);
  const outputs = bindParameters(frame, String(definition?.value ?? ''), values, line);
  const flow = yield* runDynamic(session, String(statement.value ?? ''), frame);
  for (const [name, argument] of outputs) {
    const variable = frame.variables.get(name);
    if (variable !== undefined) argument.output?.(variable.value, variable.type);
  }
  return flow;
}

/** Declares the parameters in the frame of the dynamic text; the ones to hand back. */
export function bindParameters(
  frame: Frame,
  definition: string,
  values: readonly PassedArgument[],
  line: number,
): ReadonlyMap<string, PassedArgument> {
  const parameters = parseParameters(definition);
  const outputs = new Map<string, PassedArgument>();
  values.forEach((argument, index) => {
    const at = argument.name === '' ? index : parameters.findIndex((each) => each.name.toLowerCase() === argument.name.toLowerCase());
    const parameter = parameters[at];
    if (parameter === undefined) {
      if (argument.name !== '') throw new SqlError(8145, `${argument.name} is not a parameter for procedure sp_executesql.`, 16, 2, line);
      throw new SqlError(8144, 'Procedure or function sp_executesql has too many arguments specified.', 16, 2, line);
    }
    const key = parameter.name.toLowerCase();
    frame.variables.set(key, { type: parameter.type, value: convertValue(argument.value, argument.type, parameter.type) });
    if (parameter.output && argument.output !== undefined) outputs.set(key, argument);
  });
  for (const parameter of parameters) {
    if (frame.variables.has(parameter.name.toLowerCase())) continue;
    if (parameter.defaultValue === undefined)
      throw new SqlError(
        8178,
        `The parameterized query '(${definition})' expects the parameter '${parameter.name}', which was not supplied.`,
        16,
        1,
        line,
      );
    throw notModelled('a default value of a parameter', line);
  }
  return outputs;
}
