/** IF, WHILE and TRY ... CATCH. */
import { SqlError } from '../tds/handler';
import { dooms, isCompileError, levelOf, procedureOf } from './batch-errors';
import { runStatement, runStatements, type Execution } from './interpreter';
import { holds } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

/** For @@ERROR and @@ROWCOUNT a condition is a statement of its own: both are 0 after it. */
async function decide(
  session: SessionState,
  frame: Frame,
  condition: Of<'if'>['condition'],
): Promise<boolean> {
  const holding = await holds(session, frame, condition);
  session.error = 0;
  session.rowCount = 0;
  return holding;
}

export async function* executeIf(session: SessionState, statement: Of<'if'>, frame: Frame): Execution {
  // IF ... ELSE IF ... ELSE IF is one level, however long.
  for (let at = statement; ;) {
    if (await decide(session, frame, at.condition)) return yield* runStatement(session, at.then, frame);
    if (at.otherwise?.kind !== 'if')
      return at.otherwise === undefined ? 'next' : yield* runStatement(session, at.otherwise, frame);
    at = at.otherwise;
  }
}

export async function* executeWhile(session: SessionState, statement: Of<'while'>, frame: Frame): Execution {
  while (await decide(session, frame, statement.condition)) {
    const flow = yield* runStatement(session, statement.body, frame);
    if (flow === 'break') break;
    if (flow === 'return') return flow;
    session.signal.throwIfAborted();
    await letOthersRun();
  }
  return 'next';
}

/** Lets an attention through, even in a loop that never waits. */
const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function* executeTry(session: SessionState, statement: Of<'try'>, frame: Frame): Execution {
  const depth = session.tryDepth;
  const caught = session.caught.length;
  try {
    session.tryDepth++;
    return yield* runStatements(session, statement.body, frame);
  } catch (error) {
    session.tryDepth = depth;
    const reaches =
      error instanceof SqlError &&
      error.severity < 20 &&
      !(isCompileError(error) && levelOf(error) === frame.level);
    if (!reaches) throw error;
    if (session.transactions > 0 && (session.options.xactAbort || dooms(error))) session.doomed = true;
    session.error = error.number;
    session.rowCount = 0;
    const { number, message, severity, state, line } = error;
    session.caught.push({ number, message, severity, state, line, procedure: procedureOf(error) });
    return yield* runStatements(session, statement.handler, frame);
  } finally {
    session.tryDepth = depth;
    session.caught.length = caught;
  }
}
