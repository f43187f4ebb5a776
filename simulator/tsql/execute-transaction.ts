/**
 * BEGIN, COMMIT and ROLLBACK TRANSACTION. There is nothing that one could undo: within it #temporary tables do not
 * change.
 */
import type { Reply } from '../tds/handler';
import { uncommittable, undeclared } from './errors';
import type { Frame, SessionState } from './session-state';
import type { Statement, TransactionAction } from './statements';
import { sqlError } from '../tds/messages';

export async function* executeTransactionStatement(
  session: SessionState,
  { action, name, line }: Extract<Statement, { readonly kind: 'transaction' }>,
  frame: Frame,
): AsyncGenerator<Reply> {
  yield* executeTransaction(session, action, name.startsWith('@') ? nameIn(frame, name, line) : name, line);
}

function nameIn(frame: Frame, variable: string, line: number): string {
  const found = frame.variables.get(variable.toLowerCase());
  if (found === undefined) throw undeclared(variable, line);
  return String(found.value ?? '').slice(0, 32);
}

/** @throws SqlError 3902, 3903, 3915, 3916, 3930, 6401. */
async function* executeTransaction(
  session: SessionState,
  action: TransactionAction,
  name = '',
  line = 1,
): AsyncGenerator<Reply> {
  if (action === 'begin') yield* begin(session, name);
  else if (action === 'commit') yield* commit(session, line);
  else yield* rollBack(session, name, line);
}

export async function* begin(session: SessionState, name = ''): AsyncGenerator<Reply> {
  session.transactions++;
  if (session.transactions > 1) return;
  session.transactionName = name.toLowerCase();
  yield { kind: 'transaction', action: 'begin' };
}

async function* commit(session: SessionState, line: number): AsyncGenerator<Reply> {
  if (session.transactions === 0) throw sqlError(3902, [], line);
  if (session.transactions <= session.capturing) throw sqlError(3916, [], line);
  if (session.doomed) throw uncommittable(line);
  session.transactions--;
  if (session.transactions > 0) return;
  yield { kind: 'transaction', action: 'commit' };
}

async function* rollBack(session: SessionState, name: string, line: number): AsyncGenerator<Reply> {
  if (session.transactions === 0) throw sqlError(3903, [], line);
  if (session.capturing >= 0) throw sqlError(3915, [], line);
  if (name === '' || session.transactionName === name.toLowerCase()) return yield* endByRollback(session);
  throw sqlError(6401, [name], line);
}

/** Ends the transaction at any depth, like ROLLBACK. */
export async function* endByRollback(session: SessionState): AsyncGenerator<Reply> {
  if (session.transactions === 0) return;
  session.transactions = 0;
  session.doomed = false;
  yield { kind: 'transaction', action: 'rollback' };
}
