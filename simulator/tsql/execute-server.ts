/** Statements that change the modelled server: USE, CHECKPOINT, ALTER DATABASE and event sessions. */
import { SqlError, type Reply } from '../tds/handler';
import { messageOf } from './interpreter';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { int } from './types';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function* executeUse(session: SessionState, statement: Of<'use'>): AsyncGenerator<Reply> {
  const found = session.host.instance.switchDatabase(statement.database, session.principal());
  session.database = found.name;
  yield { kind: 'database', name: found.name };
}

export async function executeCheckpoint(
  session: SessionState,
  statement: Of<'checkpoint'>,
  frame: Frame,
): Promise<void> {
  const duration =
    statement.duration === undefined
      ? undefined
      : Number((await evaluate(session, frame, statement.duration, int)).value ?? 0);
  if (duration !== undefined && duration <= 0) throw sqlError(102, [duration], statement.line);
  await session.host.instance.checkpoint(session.database, duration, session.client(), session.signal);
}

function inTransaction(session: SessionState, what: string, line: number): void {
  if (session.transactions === 0 && !session.options.implicitTransactions) return;
  if (what === 'ALTER DATABASE') throw sqlError(226, [], line);
  throw sqlError(574, [what], line);
}

/** SQL Server sends the reason and then Msg 5069; CATCH sees the last of them. */
export async function* executeAlterDatabase(
  session: SessionState,
  statement: Of<'targetRecoveryTime'>,
): AsyncGenerator<Reply> {
  const { line } = statement;
  inTransaction(session, 'ALTER DATABASE', line);
  const name = statement.database ?? session.database;
  const failed = sqlError(5069, [], line);
  try {
    session.host.instance.setTargetRecoveryTime(name, statement.seconds, session.principal());
  } catch (error) {
    if (!(error instanceof SqlError) || error.number === 5069) throw error;
    error.line = line;
    if (session.tryDepth === 0) yield { kind: 'error', message: messageOf(error) };
    throw failed;
  }
}

export function executeEventSession(
  session: SessionState,
  statement: Of<'createEventSession' | 'alterEventSession' | 'dropEventSession'>,
): void {
  const { eventSessions } = session.host.instance;
  const principal = session.principal();
  const verbs = {
    createEventSession: 'CREATE',
    alterEventSession: 'ALTER',
    dropEventSession: 'DROP',
  } as const;
  inTransaction(session, `${verbs[statement.kind]} EVENT SESSION`, statement.line);
  if (statement.kind === 'dropEventSession')
    return eventSessions.drop(statement.name, statement.scope, principal);
  if (statement.kind === 'createEventSession') {
    const { name, scope, events, targets, options } = statement;
    return eventSessions.create({ name, scope, events, targets, options }, principal);
  }
  eventSessions.alter(statement.name, statement.scope, statement.changes, principal);
}
