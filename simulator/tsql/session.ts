/** One logged-in session. */
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  SqlError,
  type Login,
  type Reply,
  type Request,
  type Session,
  type SqlMessage,
  type Parameter,
} from '../tds/handler';
import { endByRollback } from './execute-transaction';
import { BatchEnded, makeFrame, messageOf, runBatch } from './interpreter';
import { SessionState, type Host } from './session-state';
import { dropStored } from './tables';
import { notModelled } from '../tds/messages';
import { callProcedure, type Call } from './execute-procedure';
import { fromSqlValue } from './sql-value';

export class TsqlSession implements Session {
  private state: SessionState | undefined;
  private ended: Promise<void> | undefined;
  /** Work that reset has begun; the next request waits for it. */
  private cleared: Promise<void> = Promise.resolve();

  constructor(
    private readonly host: Host,
    private readonly connection: Promise<DuckDBConnection>,
    private readonly login: Login,
    readonly spid: number,
    readonly database: string,
    private readonly onEnd: (session: TsqlSession) => void,
  ) {}

  async *execute(request: Request, signal: AbortSignal): AsyncGenerator<Reply> {
    await this.cleared;
    this.state ??= new SessionState(this.host, this.spid, this.login, this.database, await this.connection);
    const session = this.state;
    session.signal = signal;
    session.inputText = textOf(request);
    session.tryDepth = 0;
    session.caught.length = 0;
    session.nesting = 0;
    session.depth = 0;
    session.capturing = -1;
    try {
      yield* this.answer(session, request);
    } catch (error) {
      if (error instanceof BatchEnded) yield* this.rollBackDoomed(session);
      else if (error instanceof SqlError) {
        session.error = error.number;
        yield { kind: 'error', message: messageOf(error) };
        yield { kind: 'done' };
      } else throw error;
    }
  }

  private async *answer(session: SessionState, request: Request): AsyncGenerator<Reply> {
    if (request.kind === 'batch') yield* runBatch(session, request.sql, makeFrame(0));
    else yield* callRemotely(session, request.procedure, request.parameters);
    if (!session.doomed) return;
    yield { kind: 'error', message: uncommittableAtEnd };
    yield { kind: 'done' };
    yield* this.rollBackDoomed(session);
  }

  /** A batch that ends with a doomed transaction rolls it back. */
  private async *rollBackDoomed(session: SessionState): AsyncGenerator<Reply> {
    if (session.doomed) yield* endByRollback(session);
  }

  reset(): void {
    const { state } = this;
    this.state = undefined;
    if (state !== undefined) this.cleared = this.cleared.then(() => dropAll(state));
  }

  close(): void {
    void this.end();
  }

  /** Resolves when nothing of the session is left in DuckDB. */
  end(): Promise<void> {
    this.ended ??= this.release();
    return this.ended;
  }

  private async release(): Promise<void> {
    await this.cleared;
    if (this.state !== undefined) await dropAll(this.state);
    (await this.connection).closeSync();
    this.onEnd(this);
  }
}

const uncommittableAtEnd: SqlMessage = {
  number: 3998,
  state: 1,
  severity: 16,
  message: 'Uncommittable transaction is detected at the end of the batch. The transaction is rolled back.',
  line: 1,
};

async function dropAll(state: SessionState): Promise<void> {
  for (const table of state.temporary.allTables()) await dropStored(state, table).catch(() => undefined);
}

/** The text for sqlserver.sql_text; for a call, the statement in it, else its name. */
function textOf(request: Request): string {
  if (request.kind === 'batch') return request.sql;
  const carried = request.parameters.find(({ value }) => typeof value === 'string')?.value;
  return typeof carried === 'string' ? carried : request.procedure;
}

async function* callRemotely(
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
