/**
 * What procedures and dynamic SQL have in common: their own temporary objects, SET options that end with them, one more
 * nesting level.
 */
import { BatchEnded, ScopeEnded, type Execution } from './interpreter';
import type { SessionState } from './session-state';
import { dropStored } from './tables';
import { sqlError } from '../tds/messages';

const limit = 32;

/** @throws SqlError 217 beyond 32 levels. */
export async function* runNested(
  session: SessionState,
  levels: number,
  run: () => Execution,
  line: number,
): Execution {
  if (session.nesting + levels > limit) throw sqlError(217, [limit], line);
  const { database, transactions } = session;
  const options = { ...session.options };
  session.nesting += levels;
  session.temporary.enter();
  const leave = async (): Promise<void> => {
    session.options = options;
    session.nesting -= levels;
    for (const table of session.temporary.leave()) await dropStored(session, table);
  };
  let ended: BatchEnded | undefined;
  try {
    yield* run();
  } catch (error) {
    if (error instanceof BatchEnded) ended = error;
    else if (!(error instanceof ScopeEnded)) throw error;
  } finally {
    await leave();
  }
  // USE ends with its procedure or text.
  if (session.database !== database) {
    session.database = database;
    yield { kind: 'database', name: database };
  }
  if (ended !== undefined) throw ended;
  checkTransactions(session, transactions, line);
  return 'next';
}

/** @throws SqlError 266; with XACT_ABORT not for a transaction that was rolled back. */
function checkTransactions(session: SessionState, before: number, line: number): void {
  const now = session.transactions;
  if (now === before || (session.options.xactAbort && now === 0)) return;
  throw sqlError(266, [before, now], line);
}
