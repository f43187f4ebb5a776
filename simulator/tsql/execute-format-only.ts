/** SET FMTONLY ON: only the columns of results, for old drivers. It goes through both branches of an IF, like SQL Server. */
import { notModelled } from './errors';
import { describeSelect } from './execute-select';
import { executeDeclare } from './execute-declare';
import { executeOption } from './execute-option';
import { runStatements, type Execution } from './interpreter';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';

export async function* runFormatOnly(session: SessionState, statement: Statement, frame: Frame): Execution {
  switch (statement.kind) {
    case 'setOption':
      await executeOption(session, statement, frame);
      return 'next';
    case 'declare':
      await executeDeclare(session, { ...statement, variables: statement.variables.map(({ name, type }) => ({ name, type })) }, frame);
      return 'next';
    case 'query':
      yield* describeSelect(session, frame, statement.query, statement.line);
      return 'next';
    case 'block':
      return yield* runStatements(session, statement.body, frame);
    case 'if':
      return yield* runStatements(session, [statement.then, ...(statement.otherwise ? [statement.otherwise] : [])], frame);
    case 'set':
    case 'print':
    case 'return':
      return 'next';
    default:
      throw notModelled(`${statement.kind} with SET FMTONLY ON`, statement.line);
  }
}
