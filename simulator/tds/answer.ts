import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Reply, Request, Session, SqlMessage, SqlValue } from './handler';
import { SqlError } from './handler';
import type { MessageWriter } from './packet-writer';
import { ReplyWriter } from './reply-writer';
import type { ConnectionState } from './reply-writer';

/** At this severity and above SQL Server ends the connection. */
const fatalSeverity = 20;

interface Answer {
  /** An error so severe that the connection ends with it. */
  readonly fatal: boolean;
  /** Resolves when the session has stopped working on the request; at once unless it was interrupted. */
  readonly unwound: Promise<unknown>;
}

interface AnswerContext {
  readonly execute: Session['execute'];
  readonly state: ConnectionState;
  readonly out: Writable;
  readonly message: MessageWriter;
  readonly signal: AbortSignal;
  /** Called if something behind the protocol fails with an error other than SqlError. */
  reportFailure(error: unknown): void;
}

const ended = Promise.resolve();

/** An error as the message that the client gets. */
export function messageOf(error: SqlError): SqlMessage {
  const { number, state, severity, message, line, procedure } = error;
  return { number, state, severity, message, line, ...(procedure === undefined ? {} : { procedure }) };
}

/** Runs the request of one message and streams its answer as fast as the client reads. */
export async function answerMessage(context: AnswerContext, request: Request | SqlError): Promise<Answer> {
  const isCall = !(request instanceof SqlError) && request.kind === 'procedure';
  const writer = new ReplyWriter(context.message.tokens, context.state, isCall);
  // A request cancelled before it began never reaches the session: that may still be busy with the request before.
  const answer = context.signal.aborted
    ? { fatal: false, unwound: ended }
    : await answerRequest(context, writer, request);
  if (context.signal.aborted) writer.endInterrupted();
  else writer.end();
  context.message.end();
  return answer;
}

async function answerRequest(
  context: AnswerContext,
  writer: ReplyWriter,
  request: Request | SqlError,
): Promise<Answer> {
  try {
    if (request instanceof SqlError) throw request;
    return await streamReplies(context, writer, request);
  } catch (error) {
    if (context.signal.aborted) return { fatal: false, unwound: ended };
    return { fatal: writeError(context, writer, error), unwound: ended };
  }
}

function writeError(context: AnswerContext, writer: ReplyWriter, error: unknown): boolean {
  if (!(error instanceof SqlError)) context.reportFailure(error);
  const message =
    error instanceof SqlError
      ? messageOf(error)
      : {
          number: 50_000,
          state: 1,
          severity: 16,
          message: `The simulator failed: ${String(error)}`,
          line: 1,
        };
  writer.write({ kind: 'error', message });
  return message.severity >= fatalSeverity;
}

async function streamReplies(context: AnswerContext, writer: ReplyWriter, request: Request): Promise<Answer> {
  const { signal } = context;
  const interruption = new Interruption(signal);
  const replies = context.execute(request, signal)[Symbol.asyncIterator]();
  let fatal = false;
  for (;;) {
    const next = replies.next();
    const step = await interruption.race(next);
    if (step === undefined) return { fatal: false, unwound: Promise.allSettled([next, replies.return?.()]) };
    if (step.done) break;
    fatal ||= step.value.kind === 'error' && step.value.message.severity >= fatalSeverity;
    await writeReply(context, writer, step.value);
    if (signal.aborted) return { fatal: false, unwound: Promise.allSettled([replies.return?.()]) };
  }
  return { fatal, unwound: ended };
}

async function writeReply(context: AnswerContext, writer: ReplyWriter, reply: Reply): Promise<void> {
  if (reply.kind === 'rows') return writeRows(context, writer, reply.rows);
  writer.write(reply);
  if (reply.kind === 'info' && reply.immediate) context.message.flushAll();
}

/** While the socket is full, waits until the client has read or cancels. */
async function writeRows(
  { message, out, signal }: AnswerContext,
  writer: ReplyWriter,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  for (const row of rows) {
    writer.writeRow(row);
    if (!message.full || message.flush()) continue;
    // Only the signal rejects it, or the end of the socket, and that aborts the signal too.
    await once(out, 'drain', { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

/**
 * Waits for one promise after another, but only until the abort. Unlike Promise.race it leaves no listener behind for
 * each of them.
 */
class Interruption {
  private wake: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.wake?.(), { once: true });
  }

  /** Undefined: interrupted. */
  race<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) resolve(undefined);
      this.wake = () => resolve(undefined);
      promise.then(resolve, reject);
    });
  }
}
