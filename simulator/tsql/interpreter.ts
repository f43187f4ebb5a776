/** Runs the statements of a batch: control of flow, errors, and each statement's own part. */
import { ChainedSqlError } from '../engine/errors';
import { SqlError, type Reply, type SqlMessage } from '../tds/handler';
import { abortsBatch, dooms, isCompileError, levelOf, markLevel } from './batch-errors';
import { checkBatch } from './check-batch';
import { executeAlterDatabase, executeCheckpoint, executeEventSession, executeUse } from './execute-server';
import { executeCursor, executeFetch, setCursor } from './execute-cursor';
import { executeCreateTable, executeDeclare, executeDropTable, executeSet } from './execute-declare';
import { executeInsert, executeTruncate } from './execute-modify';
import { executeDelete, executeUpdate } from './execute-update';
import { executeOption } from './execute-option';
import { executePrint, executeRaiserror, executeThrow } from './execute-message';
import { executeProcedure } from './execute-procedure';
import { executeSelect } from './execute-select';
import { executeTransaction } from './execute-transaction';
import { executeWaitfor } from './execute-waitfor';
import { notModelled } from './errors';
import { parseBatch } from './parse-statement';
import { evaluate, holds } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { dropStored } from './tables';
import { int } from './types';

/** How a statement ended. */
export type Flow = 'next' | 'break' | 'continue' | 'return';

export type Execution = AsyncGenerator<Reply, Flow>;

/** The batch is over; its error has been told. */
export class BatchEnded extends Error {}

export function makeFrame(session: SessionState, level: number): Frame {
  return { level, variables: new Map(), tables: new Map(), batch: session.batches };
}

/** A batch of the client, or dynamic SQL within one. @throws SqlError for bad syntax, before anything has run. */
export async function* runBatch(session: SessionState, text: string, frame: Frame): Execution {
  const statements = parseBatch(text);
  checkBatch(statements, frame);
  // SET PARSEONLY counts while the batch is read, not when it would run.
  for (const each of statements)
    if (each.kind === 'setOption' && each.option.split(',').includes('PARSEONLY')) session.options.parseOnly = each.value === 'ON';
  if (session.options.parseOnly) return 'next';
  try {
    const flow = yield* runStatements(session, statements, frame);
    return flow;
  } finally {
    for (const table of frame.tables.values()) await dropStored(session, table);
  }
}

async function* runStatements(session: SessionState, statements: readonly Statement[], frame: Frame): Execution {
  for (const statement of statements) {
    const flow = yield* runStatement(session, statement, frame);
    if (flow !== 'next') return flow;
  }
  return 'next';
}

/** One statement; its error goes to the nearest TRY, or is told and ends the statement or the batch. */
export async function* runStatement(session: SessionState, statement: Statement, frame: Frame): Execution {
  session.signal.throwIfAborted();
  if (session.options.noExec && !(statement.kind === 'setOption' && statement.option.includes('NOEXEC'))) return 'next';
  try {
    const flow = yield* execute(session, statement, frame);
    if (!keepsError.has(statement.kind)) session.error = 0;
    return flow;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    if (error.line <= 1) error.line = statement.line;
    markLevel(error, frame.level);
    const following = error instanceof ChainedSqlError ? error.followedBy : undefined;
    if (following !== undefined) {
      following.line = error.line;
      markLevel(following, frame.level);
    }
    // CATCH sees the last of two.
    if (session.tryDepth > 0) throw following ?? error;
    yield { kind: 'error', message: messageOf(error) };
    if (following !== undefined) yield { kind: 'error', message: messageOf(following) };
    yield { kind: 'done' };
    session.error = (following ?? error).number;
    session.rowCount = 0;
    await endAfter(session, error, statement);
    return 'next';
  }
}

/** Statements within which others have run, and EXECUTE, leave @@ERROR as those left it. */
const keepsError = new Set<Statement['kind']>(['if', 'while', 'block', 'try', 'executeText', 'executeProcedure', 'raiserror']);

/** @throws BatchEnded when the error reaches beyond its statement. */
async function endAfter(session: SessionState, error: SqlError, statement: Statement): Promise<void> {
  const aborting =
    statement.kind === 'throw' ||
    abortsBatch(error) ||
    (session.options.xactAbort && statement.kind !== 'raiserror' && error.severity > 10);
  if (!aborting && error.severity < 20) return;
  if (session.transactions > 0 && (session.options.xactAbort || dooms(error))) session.doomed = true;
  throw new BatchEnded();
}

export const messageOf = (error: SqlError): SqlMessage => ({
  number: error.number,
  state: error.state,
  severity: error.severity,
  message: error.message,
  line: error.line,
  ...(error.procedure !== undefined && { procedure: error.procedure }),
});

async function* execute(session: SessionState, statement: Statement, frame: Frame): Execution {
  switch (statement.kind) {
    case 'if':
      if (await holds(session, frame, statement.condition)) return yield* runStatement(session, statement.then, frame);
      return statement.otherwise === undefined ? 'next' : yield* runStatement(session, statement.otherwise, frame);
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
      if (statement.value !== undefined) await evaluate(session, frame, statement.value, int);
      return 'return';
    case 'executeText':
    case 'executeProcedure':
      return yield* executeProcedure(session, statement, frame);
    default:
      yield* executeSimple(session, statement, frame);
      return 'next';
  }
}

type Simple = Exclude<
  Statement,
  { readonly kind: 'if' | 'while' | 'block' | 'try' | 'break' | 'continue' | 'return' | 'executeText' | 'executeProcedure' }
>;

async function* executeSimple(session: SessionState, statement: Simple, frame: Frame): AsyncGenerator<Reply> {
  switch (statement.kind) {
    case 'query':
      return yield* executeSelect(session, frame, statement.query, statement.line);
    case 'declare':
    case 'declareTable':
    case 'declareCursor':
    case 'declareCursorVariable':
      return await executeDeclare(session, statement, frame);
    case 'set':
      return await executeSet(session, statement, frame);
    case 'setCursor':
      return setCursor(session, statement, frame);
    case 'setOption':
      return await executeOption(session, statement, frame);
    case 'throw':
      return await executeThrow(session, statement, frame);
    case 'raiserror':
      return yield* executeRaiserror(session, statement, frame);
    case 'print':
      return yield* executePrint(session, statement, frame);
    case 'cursor':
      return await executeCursor(session, statement, frame);
    case 'fetch':
      return yield* executeFetch(session, statement, frame);
    case 'insert':
      return yield* executeInsert(session, statement, frame);
    case 'update':
      return yield* executeUpdate(session, statement, frame);
    case 'delete':
      return yield* executeDelete(session, statement, frame);
    case 'truncate':
      return await executeTruncate(session, statement);
    case 'createTable':
      return await executeCreateTable(session, statement);
    case 'dropTable':
      return await executeDropTable(session, statement);
    case 'waitfor':
      return await executeWaitfor(session, statement, frame);
    case 'use':
      return yield* executeUse(session, statement);
    case 'transaction':
      return yield* executeTransaction(session, statement.action);
    case 'checkpoint':
      return await executeCheckpoint(session, statement, frame);
    case 'reconfigure':
      throw notModelled('RECONFIGURE', statement.line);
    case 'targetRecoveryTime':
      return yield* executeAlterDatabase(session, statement);
    case 'createEventSession':
    case 'alterEventSession':
    case 'dropEventSession':
      return executeEventSession(session, statement);
  }
}

async function* executeWhile(session: SessionState, statement: Extract<Statement, { kind: 'while' }>, frame: Frame): Execution {
  while (await holds(session, frame, statement.condition)) {
    const flow = yield* runStatement(session, statement.body, frame);
    if (flow === 'break') break;
    if (flow === 'return') return flow;
    session.signal.throwIfAborted();
    await letOthersRun();
  }
  return 'next';
}

/** A loop whose every step is known at once must still leave room for an attention. */
const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function* executeTry(session: SessionState, statement: Extract<Statement, { kind: 'try' }>, frame: Frame): Execution {
  const depth = session.tryDepth;
  const caught = session.caught.length;
  try {
    session.tryDepth++;
    return yield* runStatements(session, statement.body, frame);
  } catch (error) {
    session.tryDepth = depth;
    const reaches = error instanceof SqlError && error.severity < 20 && !(isCompileError(error) && levelOf(error) === frame.level);
    if (!reaches) throw error;
    if (session.transactions > 0 && (session.options.xactAbort || dooms(error))) session.doomed = true;
    session.error = error.number;
    session.rowCount = 0;
    const { number, message, severity, state, line, procedure } = error;
    session.caught.push({ number, message, severity, state, line, procedure });
    return yield* runStatements(session, statement.handler, frame);
  } finally {
    session.tryDepth = depth;
    session.caught.length = caught;
  }
}
