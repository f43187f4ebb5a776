import { SqlError, type Reply } from '../tds/handler';
import { notModelled } from './errors';
import type { SessionState } from './session-state';

/** BEGIN, COMMIT and ROLLBACK only count: nothing that this simulator changes could be rolled back, and what could is refused. @throws SqlError 3902, 3903, 3930. */
export async function* executeTransaction(session: SessionState, action: 'begin' | 'commit' | 'rollback' | 'save'): AsyncGenerator<Reply> {
  if (action === 'save') throw notModelled('SAVE TRANSACTION');
  if (action === 'begin') {
    session.transactions++;
    if (session.transactions === 1) yield { kind: 'transaction', action };
    return;
  }
  if (session.transactions === 0) {
    const word = action === 'commit' ? 'COMMIT' : 'ROLLBACK';
    throw new SqlError(action === 'commit' ? 3902 : 3903, `The ${word} TRANSACTION request has no corresponding BEGIN TRANSACTION.`);
  }
  if (action === 'commit') return yield* commit(session);
  const lost = session.temporaryWritten;
  endTransaction(session);
  yield { kind: 'transaction', action };
  if (lost) throw notModelled('ROLLBACK of changes to #temporary tables');
}

async function* commit(session: SessionState): AsyncGenerator<Reply> {
  if (session.doomed)
    throw new SqlError(
      3930,
      'The current transaction cannot be committed and cannot support operations that write to the log file. Roll back the transaction.',
    );
  if (session.transactions > 1) session.transactions--;
  else {
    endTransaction(session);
    yield { kind: 'transaction', action: 'commit' };
  }
}

export function endTransaction(session: SessionState): void {
  session.transactions = 0;
  session.doomed = false;
  session.temporaryWritten = false;
}
