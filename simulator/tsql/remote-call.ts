/** Remote procedure calls, as drivers send them: sp_executesql and others, which run as in EXEC. */
import type { Parameter, Reply } from '../tds/handler';
import { notModelled } from '../tds/messages';
import { callProcedure, type Call } from './execute-procedure';
import type { SessionState } from './session-state';
import { fromSqlValue } from './sql-value';

export async function* callRemotely(
  session: SessionState,
  procedure: string,
  parameters: readonly Parameter[],
): AsyncGenerator<Reply> {
  const args = parameters.map(({ name, type, value, output }) => {
    if (output) throw notModelled(`the OUTPUT parameter ${name} of a remote call`);
    return { name, type, value: fromSqlValue(value, type), isDefault: false };
  });
  const called: Call = { status: 0 };
  yield* callProcedure(session, procedure, args, 0, 1, called);
  yield { kind: 'status', value: called.status };
}
