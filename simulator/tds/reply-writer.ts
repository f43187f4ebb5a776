import type { Reply, SqlMessage } from './handler';
import type { ByteWriter } from './byte-writer';
import { RowFormat } from './row-format';
import {
  doneStatus,
  doneToken,
  environment,
  selectCommand,
  writeBytesChange,
  writeDone,
  writeMessage,
  writeReturnStatus,
  writeTextChange,
} from './tokens';

/** What the answers of one connection share: the current database and transaction. */
export interface ConnectionState {
  readonly serverName: string;
  database: string;
  /** The descriptor of the open transaction: 8 bytes, or none. */
  transaction: Buffer;
  transactionsBegun: number;
}

/**
 * Writes the replies to one request as tokens. A DONE token must say whether more follows, so each waits for the next
 * reply or the end:
 *
 *   columns rows done columns rows done | end   ->   COLMETADATA ROW.. DONE(more) COLMETADATA ROW.. DONE(final)
 */
export class ReplyWriter {
  private pendingDone:
    | { readonly status: number; readonly command: number; readonly rowCount: number }
    | undefined;
  private rows: RowFormat | undefined;
  private failed = false;
  private status: number | undefined;

  /** @param isCall whether it is a procedure call, and not a batch */
  constructor(
    private readonly tokens: ByteWriter,
    private readonly state: ConnectionState,
    private readonly isCall: boolean,
  ) {}

  /** Writes all replies except rows: the caller writes those one by one, so that it can pause. */
  write(reply: Exclude<Reply, { readonly kind: 'rows' }>): void {
    switch (reply.kind) {
      case 'columns':
        this.endStatement();
        this.rows = new RowFormat(reply.columns);
        return this.rows.writeColumns(this.tokens);
      case 'done':
        return this.writeDone(reply.rowCount);
      case 'info':
        return this.writeMessage('info', reply.message);
      case 'error':
        return this.writeMessage('error', reply.message);
      case 'database':
        return this.changeDatabase(reply.name);
      case 'transaction':
        return this.changeTransaction(reply.action);
      case 'status':
        this.status = reply.value;
    }
  }

  writeRow(row: Parameters<RowFormat['writeRow']>[1]): void {
    if (!this.rows) throw new TypeError('rows before the columns of a result set');
    this.rows.writeRow(this.tokens, row);
  }

  /** The last DONE of the answer. */
  end(): void {
    this.closeOpenStatement();
    if (this.isCall) return this.endProcedure();
    if (!this.pendingDone) this.pendingDone = { status: 0, command: 0, rowCount: 0 };
    this.flushDone(false);
  }

  /** Ends an interrupted answer at this point. */
  endInterrupted(): void {
    this.pendingDone = undefined;
    writeDone(this.tokens, doneToken.batch, doneStatus.final);
  }

  private endProcedure(): void {
    this.flushDone(true);
    writeReturnStatus(this.tokens, this.status ?? 0);
    writeDone(this.tokens, doneToken.procedure, this.inTransaction(), 0xe0);
  }

  private inTransaction(): number {
    return this.state.transaction.length > 0 ? doneStatus.inTransaction : 0;
  }

  private writeDone(rowCount: number | undefined): void {
    this.flushDone(true);
    this.pendingDone = {
      status: (rowCount === undefined ? 0 : doneStatus.count) | (this.failed ? doneStatus.error : 0),
      command: this.rows ? selectCommand : 0,
      rowCount: rowCount ?? 0,
    };
    this.rows = undefined;
    this.failed = false;
  }

  /** Ends a result set or an error that had no `done` of its own. */
  private closeOpenStatement(): void {
    if (this.rows || this.failed) this.writeDone(undefined);
  }

  private endStatement(): void {
    this.closeOpenStatement();
    this.flushDone(true);
  }

  private flushDone(more: boolean): void {
    if (!this.pendingDone) return;
    const { status, command, rowCount } = this.pendingDone;
    const token = this.isCall ? doneToken.inProcedure : doneToken.batch;
    writeDone(
      this.tokens,
      token,
      status | this.inTransaction() | (more ? doneStatus.more : 0),
      command,
      rowCount,
    );
    this.pendingDone = undefined;
  }

  private writeMessage(kind: 'error' | 'info', message: SqlMessage): void {
    this.flushDone(true);
    writeMessage(this.tokens, kind, message, this.state.serverName);
    if (kind === 'error') this.failed = true;
  }

  private changeDatabase(name: string): void {
    this.flushDone(true);
    writeTextChange(this.tokens, environment.database, name, this.state.database);
    this.state.database = name;
    this.writeMessage('info', {
      number: 5701,
      state: 1,
      severity: 0,
      message: `Changed database context to '${name}'.`,
      line: 1,
    });
  }

  private changeTransaction(action: 'begin' | 'commit' | 'rollback'): void {
    this.flushDone(true);
    const former = this.state.transaction;
    this.state.transaction =
      action === 'begin' ? descriptorOf(++this.state.transactionsBegun) : Buffer.alloc(0);
    writeBytesChange(this.tokens, environment[action], this.state.transaction, former);
  }
}

function descriptorOf(number: number): Buffer {
  const descriptor = Buffer.alloc(8);
  descriptor.writeUInt32LE(number, 0);
  descriptor.writeUInt32LE(1, 4);
  return descriptor;
}
