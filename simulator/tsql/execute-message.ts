/** PRINT, RAISERROR and THROW. */
import { SqlError, type Reply, type SqlType } from '../tds/handler';
import { formatMessage } from './message-format';
import { notModelled } from './errors';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import type { Expression } from './syntax';
import { int, isBinary, isInteger, isString, isUnicode, nvarchar, type Value } from './types';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function* executePrint(
  session: SessionState,
  statement: Of<'print'>,
  frame: Frame,
): AsyncGenerator<Reply> {
  const raw = await evaluate(session, frame, statement.value);
  const { type, value } = isString(raw.type)
    ? raw
    : await evaluate(session, frame, statement.value, nvarchar(4000));
  const text = String(value ?? ' ').slice(0, isUnicode(type) ? 4000 : 8000);
  yield { kind: 'info', message: { number: 0, state: 1, severity: 0, message: text, line: statement.line } };
}

/** @throws SqlError 2747, 2748, 2786, 2787, and the error to raise. */
export async function* executeRaiserror(
  session: SessionState,
  statement: Of<'raiserror'>,
  frame: Frame,
): AsyncGenerator<Reply> {
  const { line, options } = statement;
  const [first, severityArgument, stateArgument, ...rest] = statement.args as readonly [
    Expression,
    Expression,
    Expression,
    ...Expression[],
  ];
  const template = await evaluate(session, frame, first);
  const severity = Math.min(
    25,
    Math.max(0, Number((await evaluate(session, frame, severityArgument, int)).value ?? 0)),
  );
  const wanted = Number((await evaluate(session, frame, stateArgument, int)).value ?? 0);
  // Negative states are 1 (Microsoft Learn, "RAISERROR").
  const state = wanted < 0 ? 1 : Math.min(255, wanted);
  if (!isString(template.type)) throw notModelled('RAISERROR of a message by its number', line);
  const { values, types } = await substitutions(session, frame, rest, line);
  const message = formatMessage(String(template.value ?? ''), values, types);
  // It takes sysadmin and WITH LOG.
  if (severity > 18) throw notModelled(`RAISERROR of severity ${severity}`, line);
  if (severity > 10) throw new SqlError(50000, message, severity, state, line);
  session.error = 0;
  yield {
    kind: 'info',
    // Severity 10 reaches clients as 0.
    message: { number: 50000, state, severity: severity === 10 ? 0 : severity, message, line },
    ...(options.includes('NOWAIT') && { immediate: true }),
  };
}

async function substitutions(
  session: SessionState,
  frame: Frame,
  args: readonly Expression[],
  line: number,
): Promise<{ readonly values: readonly Value[]; readonly types: readonly SqlType[] }> {
  if (args.length > 20) throw sqlError(2747, [], line);
  const found = [];
  for (const [index, each] of args.entries()) {
    const value = await evaluate(session, frame, each);
    // Message, severity and state are the first three.
    if (
      !isString(value.type) &&
      (!isInteger(value.type) || value.type.name === 'bit') &&
      !isBinary(value.type)
    )
      throw sqlError(2748, [value.type.name, index + 4], line);
    found.push(value);
  }
  return { values: found.map(({ value }) => value), types: found.map(({ type }) => type) };
}

export async function executeThrow(
  session: SessionState,
  statement: Of<'throw'>,
  frame: Frame,
): Promise<void> {
  if (statement.args === undefined) {
    const caught = session.caught[session.caught.length - 1];
    if (caught === undefined) throw sqlError(10704, [], statement.line);
    throw new SqlError(
      caught.number,
      caught.message,
      caught.severity,
      caught.state,
      caught.line,
      caught.procedure,
    );
  }
  const [number, message, state] = statement.args;
  const code = Number((await evaluate(session, frame, number, int)).value ?? 0);
  if (code < 50000) throw sqlError(35100, [code], statement.line);
  const text = await evaluate(session, frame, message, nvarchar(2048));
  throw new SqlError(
    code,
    String(text.value ?? ''),
    16,
    Number((await evaluate(session, frame, state, int)).value ?? 1),
    statement.line,
  );
}
