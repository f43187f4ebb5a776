/** PRINT, RAISERROR and THROW. */
import { SqlError, type Reply } from '../tds/handler';
import { formatMessage } from './message-format';
import { notModelled } from './errors';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { int, isString, isUnicode, nvarchar, type Value } from './types';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function* executePrint(session: SessionState, statement: Of<'print'>, frame: Frame): AsyncGenerator<Reply> {
  const raw = await evaluate(session, frame, statement.value);
  const { type, value } = isString(raw.type) ? raw : await evaluate(session, frame, statement.value, nvarchar(4000));
  const text = String(value ?? ' ').slice(0, isUnicode(type) ? 4000 : 8000);
  yield { kind: 'info', message: { number: 0, state: 1, severity: 0, message: text, line: statement.line } };
}

export async function* executeRaiserror(session: SessionState, statement: Of<'raiserror'>, frame: Frame): AsyncGenerator<Reply> {
  const [first, severityArgument, stateArgument, ...rest] = statement.args as readonly [
    Of<'print'>['value'],
    Of<'print'>['value'],
    Of<'print'>['value'],
    ...Of<'print'>['value'][],
  ];
  const template = await evaluate(session, frame, first);
  if (!isString(template.type)) throw notModelled('RAISERROR with a message number', statement.line);
  const severity = Math.max(0, Number((await evaluate(session, frame, severityArgument, int)).value ?? 0));
  const state = Math.min(255, Math.max(0, Number((await evaluate(session, frame, stateArgument, int)).value ?? 0)));
  const values = [];
  for (const each of rest) values.push(await evaluate(session, frame, each));
  const message = formatMessage(
    String(template.value ?? ''),
    values.map((each): Value => each.value),
    values.map((each) => each.type),
  );
  checkSeverity(session, statement, severity);
  if (severity > 10) throw new SqlError(50000, message, Math.min(severity, 25), state, statement.line);
  session.error = 0;
  yield {
    kind: 'info',
    // Severity 10 reaches clients as 0.
    message: { number: 50000, state, severity: severity === 10 ? 0 : severity, message, line: statement.line },
    ...(statement.options.includes('NOWAIT') && { immediate: true }),
  };
}

function checkSeverity(session: SessionState, statement: Of<'raiserror'>, severity: number): void {
  if (severity <= 18) return;
  const allowed = session.host.instance.isServerRoleMember('sysadmin', session.principal()) === 1;
  if (!allowed || !statement.options.includes('LOG'))
    throw new SqlError(
      2754,
      'Error severity levels greater than 18 can only be specified by members of the sysadmin role, using the WITH LOG option.',
      16,
      1,
      statement.line,
    );
}

export async function executeThrow(session: SessionState, statement: Of<'throw'>, frame: Frame): Promise<void> {
  if (statement.args === undefined) {
    const caught = session.caught[session.caught.length - 1];
    if (caught === undefined)
      throw new SqlError(
        10704,
        'To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the THROW statement inside a CATCH block, or add error parameters to the THROW statement.',
        15,
        1,
        statement.line,
      );
    throw new SqlError(caught.number, caught.message, caught.severity, caught.state, caught.line, caught.procedure);
  }
  const [number, message, state] = statement.args;
  const code = Number((await evaluate(session, frame, number, int)).value ?? 0);
  if (code < 50000)
    throw new SqlError(
      35100,
      `Error number ${code} in the THROW statement is outside the valid range. Specify an error number in the valid range of 50000 to 2147483647.`,
      16,
      10,
      statement.line,
    );
  const text = await evaluate(session, frame, message, nvarchar(2048));
  throw new SqlError(code, String(text.value ?? ''), 16, Number((await evaluate(session, frame, state, int)).value ?? 1), statement.line);
}
