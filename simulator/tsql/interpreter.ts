/** Runs the statements of a batch: control of flow, errors, and the work of each statement. */
import { ChainedSqlError } from '../engine/interface/errors';
import { SqlError, type Reply, type SqlMessage } from '../tds/handler';
import { abortsBatch, dooms, endsScope, mark, procedureOf, terminatesStatement } from './batch-errors';
import { sqlError } from '../tds/messages';
import { checkBatch } from './check-batch';
import { reconfigure } from './configure';
import { executeAlterDatabase, executeCheckpoint, executeEventSession, executeUse } from './execute-server';
import { declareAll, executeDeclare, executeSet } from './execute-declare';
import { executeDefinition, type DefinitionKind } from './execute-definition';
import { executeDbcc } from './execute-dbcc';
import { executeIf, executeTry, executeWhile } from './execute-flow';
import { executeInsert } from './execute-modify';
import { executeDelete, executeUpdate } from './execute-update';
import { executeOption } from './execute-option';
import { executePrint, executeRaiserror, executeThrow } from './execute-message';
import { executeProcedure } from './execute-procedure';
import { executeSelect } from './execute-select';
import { begin, executeTransactionStatement } from './execute-transaction';
import { executeWaitfor } from './execute-waitfor';
import { nameServerCommand } from './server-command';
import { notModelled, tooDeep } from './errors';
import { parseBatch } from './parse-statement';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { afterStatement, startsTransaction } from './statement-kinds';
import { dropStored } from './tables';
import { int } from './types';

/** How a statement ended. */
type Flow = 'next' | 'break' | 'continue' | 'return';

export type Execution = AsyncGenerator<Reply, Flow>;

/** The batch is over, and its error has been sent. */
export class BatchEnded extends Error {}

/** The procedure or dynamic SQL is over, and its error has been sent; the calling batch goes on. */
export class ScopeEnded extends Error {}

export function makeFrame(level: number, procedure?: string): Frame {
  return {
    level,
    variables: new Map(),
    tables: new Map(),
    status: 0,
    ...(procedure !== undefined && { procedure }),
  };
}

/** The statements of a batch, checked. @throws SqlError for an error that stops the whole batch from running. */
function compileBatch(session: SessionState, text: string, frame: Frame): readonly Statement[] {
  const { options } = session;
  try {
    const { statements, quotedIdentifier } = parseBatch(text, options.quotedIdentifier);
    checkBatch(statements, frame, session);
    // These two take effect when the batch is read, not when they would run.
    options.quotedIdentifier = quotedIdentifier;
    for (const each of statements)
      if (each.kind === 'setOption' && each.option.split(',').includes('PARSEONLY'))
        options.parseOnly = each.value === 'ON';
    return options.parseOnly ? [] : statements;
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

/** A batch of the client, or dynamic SQL within one. @throws SqlError for bad syntax, before anything has run. */
export async function* runBatch(session: SessionState, text: string, frame: Frame): Execution {
  return yield* runFrame(session, compileBatch(session, text, frame), frame);
}

/** Runs statements with a frame of their own, and ends its table variables after them. */
export async function* runFrame(
  session: SessionState,
  statements: readonly Statement[],
  frame: Frame,
): Execution {
  declareAll(statements, frame);
  try {
    return yield* runStatements(session, statements, frame);
  } finally {
    for (const table of frame.tables.values()) await dropStored(session, table);
  }
}

export async function* runStatements(
  session: SessionState,
  statements: readonly Statement[],
  frame: Frame,
): Execution {
  for (const statement of statements) {
    const flow = yield* runStatement(session, statement, frame);
    if (flow !== 'next') return flow;
  }
  return 'next';
}

/** Runs one statement. Its error goes to the nearest TRY, or to the client and ends the statement or the batch. */
export async function* runStatement(session: SessionState, statement: Statement, frame: Frame): Execution {
  session.signal.throwIfAborted();
  requireConnection(session);
  if (session.options.noExec && !(statement.kind === 'setOption' && statement.option.includes('NOEXEC')))
    return 'next';
  session.depth++;
  try {
    if (session.depth > deepest)
      throw notModelled(`a statement more than ${deepest} levels deep`, statement.line);
    if (session.options.implicitTransactions && session.transactions === 0 && startsTransaction(statement))
      yield* begin(session);
    noteCommand(session, statement);
    const flow = yield* execute(session, statement, frame);
    afterStatement(session, statement);
    return flow;
  } catch (error) {
    const failure = error instanceof RangeError ? tooDeep() : error;
    if (!(failure instanceof SqlError)) throw failure;
    yield* fail(session, failure, statement, frame);
    return 'next';
  } finally {
    session.depth--;
  }
}

/**
 * If a database changes its role in an availability group, the connections in it end. The session notices with its next
 * statement, as a client of SQL Server does with its next request.
 * @throws SqlError 596, which ends the connection
 */
function requireConnection(session: SessionState): void {
  const { database } = session;
  const value = session.host.instance.connectionEra?.(database) ?? 0;
  if (session.era?.database !== database) session.era = { database, value };
  if (session.era.value !== value) throw sqlError(596);
}

function noteCommand(session: SessionState, statement: Statement): void {
  const command = nameServerCommand(statement);
  if (command !== null)
    session.host.instance.noteCommand(command, session.login.application, session.principal());
}

/** Most levels: each waits for the one inside, and the stack of Node.js has no room for thousands. */
const deepest = 300;

async function* fail(
  session: SessionState,
  error: SqlError,
  statement: Statement,
  frame: Frame,
): AsyncGenerator<Reply> {
  const following = error instanceof ChainedSqlError ? error.followedBy : undefined;
  const rethrown = statement.kind === 'throw' && statement.args === undefined && session.caught.length > 0;
  if (error.line <= 1 && !rethrown) error.line = statement.line;
  if (following !== undefined) following.line = error.line;
  for (const each of following === undefined ? [error] : [error, following])
    mark(each, frame.level, rethrown ? undefined : frame.procedure);
  // If there are two errors, CATCH sees the last.
  if (session.tryDepth > 0) throw following ?? error;
  yield { kind: 'error', message: messageOf(error) };
  if (following !== undefined) yield { kind: 'error', message: messageOf(following) };
  const ends = reach(session, error, statement);
  if (ends === 'statement' && terminatesStatement(error, statement))
    yield { kind: 'info', message: terminated(statement, frame) };
  yield { kind: 'done' };
  session.error = (following ?? error).number;
  session.rowCount = 0;
  if (ends === 'statement') return;
  if (session.transactions > 0 && (session.options.xactAbort || dooms(error))) session.doomed = true;
  throw ends === 'scope' && frame.level > 0 && !session.doomed ? new ScopeEnded() : new BatchEnded();
}

/** Msg 3621 follows an error that ended a change of rows; clients get it with severity 0. */
const terminated = (statement: Statement, frame: Frame): SqlMessage => ({
  number: 3621,
  state: 0,
  severity: 0,
  message: 'The statement has been terminated.',
  line: statement.line,
  ...(frame.procedure !== undefined && { procedure: frame.procedure }),
});

function reach(
  session: SessionState,
  error: SqlError,
  statement: Statement,
): 'statement' | 'scope' | 'batch' {
  const { xactAbort } = session.options;
  if (statement.kind === 'throw' || error.severity >= 20) return 'batch';
  if (xactAbort && statement.kind !== 'raiserror' && error.severity > 10) return 'batch';
  if (!abortsBatch(error)) return 'statement';
  return endsScope(error) ? 'scope' : 'batch';
}

export function messageOf(error: SqlError): SqlMessage {
  const { number, state, severity, message, line } = error;
  const procedure = procedureOf(error);
  return { number, state, severity, message, line, ...(procedure !== undefined && { procedure }) };
}

async function* execute(session: SessionState, statement: Statement, frame: Frame): Execution {
  switch (statement.kind) {
    case 'if':
      return yield* executeIf(session, statement, frame);
    case 'while':
      return yield* executeWhile(session, statement, frame);
    case 'block':
      return yield* runStatements(session, statement.body, frame);
    case 'try':
      return yield* executeTry(session, statement, frame);
    case 'break':
    case 'continue':
      return statement.kind;
    case 'return':
      frame.status =
        statement.value === undefined
          ? 0
          : Number((await evaluate(session, frame, statement.value, int)).value ?? 0);
      return 'return';
    case 'executeText':
    case 'executeProcedure':
      return yield* executeProcedure(session, statement, frame);
    case 'createTable':
    case 'dropTable':
    case 'createProcedure':
    case 'dropProcedure':
      await executeDefinition(session, statement);
      return 'next';
    default:
      yield* executeSimple(session, statement, frame);
      return 'next';
  }
}

type Simple = Exclude<
  Statement,
  {
    readonly kind:
      | ('if' | 'while' | 'block' | 'try' | 'break' | 'continue' | 'return')
      | ('executeText' | 'executeProcedure')
      | DefinitionKind;
  }
>;

async function* executeSimple(session: SessionState, statement: Simple, frame: Frame): AsyncGenerator<Reply> {
  switch (statement.kind) {
    case 'query':
      return yield* executeSelect(session, frame, statement.query, statement.line);
    case 'declare':
    case 'declareTable':
      return await executeDeclare(session, statement, frame);
    case 'set':
      return await executeSet(session, statement, frame);
    case 'setOption':
      return await executeOption(session, statement, frame);
    case 'throw':
      return await executeThrow(session, statement, frame);
    case 'raiserror':
      return yield* executeRaiserror(session, statement, frame);
    case 'print':
      return yield* executePrint(session, statement, frame);
    case 'insert':
      return yield* executeInsert(session, statement, frame);
    case 'update':
      return yield* executeUpdate(session, statement, frame);
    case 'delete':
      return yield* executeDelete(session, statement, frame);
    case 'waitfor':
      return await executeWaitfor(session, statement, frame);
    case 'use':
      return yield* executeUse(session, statement);
    case 'transaction':
      return yield* executeTransactionStatement(session, statement, frame);
    case 'checkpoint':
      return await executeCheckpoint(session, statement, frame);
    case 'reconfigure':
      return reconfigure(session, statement.withOverride, statement.line);
    case 'dbcc':
      return yield* executeDbcc(session, statement);
    case 'targetRecoveryTime':
      return yield* executeAlterDatabase(session, statement);
    case 'createEventSession':
    case 'alterEventSession':
    case 'dropEventSession':
      return executeEventSession(session, statement);
  }
}
