/**
 * What goes wrong with answers on their way: for tests of clients. A fault strikes the next requests that it is meant
 * for, on any connection of one port.
 */
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { SqlError, type Reply, type Request, type Session, type SqlValue } from './handler';

export type Fault =
  /**
   * The answer ends after this number of bytes, headers of packets included. `silence`: nothing is said any more on
   * this connection.
   */
  | { readonly kind: 'cut'; readonly afterBytes: number; readonly then: 'reset' | 'close' | 'silence' }
  /** Does not begin before `Strike.end`, like a query behind a lock. It can be cancelled meanwhile. */
  | { readonly kind: 'blocked' }
  /** Waits before each row. */
  | { readonly kind: 'slow'; readonly rowMs: number }
  /**
   * An error in place of the answer, such as 1205 for the victim of a deadlock. From severity 20 the connection ends
   * with it.
   */
  | { readonly kind: 'error'; readonly number: number; readonly message: string; readonly severity?: number };

interface StrikeOptions {
  /**
   * Which requests it is meant for, by the text of a batch, or the name and the texts of a call; absent: all. Not asked
   * of a client's own SET statements.
   */
  readonly where?: (text: string) => boolean;
  /** How many requests it strikes; absent: all until its end. */
  readonly times?: number;
}

/** The only part of a stream that a message needs. */
export type Out = Pick<Writable, 'write'>;

/** The faults of one port. */
export class Faults {
  private readonly strikes = new Set<Strike>();

  strike(fault: Fault, options: StrikeOptions = {}): Strike {
    const strike = new Strike(fault, options, () => void this.strikes.delete(strike));
    this.strikes.add(strike);
    return strike;
  }

  /** The fault that strikes this request, if there is one; counts it. */
  meet(request: Request): Strike | undefined {
    const text = textOf(request);
    return /^\s*set /i.test(text) && !/\bselect\b/i.test(text)
      ? undefined
      : [...this.strikes].find((strike) => strike.takes(text));
  }
}

/** A fault at work. */
export class Strike {
  /** How many requests it has struck. */
  met = 0;
  private isOver = false;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly fault: Fault,
    private readonly options: StrikeOptions,
    private readonly remove: () => void,
  ) {}

  /** Strikes no further request, and lets go those that it blocks. */
  end(): void {
    this.isOver = true;
    this.remove();
    this.waiting.forEach((go) => go());
  }

  takes(text: string): boolean {
    const { where, times = Infinity } = this.options;
    if (this.met >= times || where?.(text) === false) return false;
    this.met++;
    return true;
  }

  /** Where its answer goes. @param end what to do when the answer breaks off */
  through(out: Writable, end: (how: 'reset' | 'close' | 'silence') => void): Out {
    const { fault } = this;
    return fault.kind === 'cut' ? cut(out, fault.afterBytes, () => end(fault.then)) : out;
  }

  async *execute(session: Session, request: Request, signal: AbortSignal): AsyncIterable<Reply> {
    const { fault } = this;
    if (fault.kind === 'error') throw new SqlError(fault.number, fault.message, fault.severity);
    if (fault.kind === 'blocked') await this.release(signal);
    if (signal.aborted) return;
    for await (const reply of session.execute(request, signal)) {
      if (fault.kind === 'slow' && reply.kind === 'rows') yield* slow(reply.rows, fault.rowMs, signal);
      else yield reply;
    }
  }

  private async release(signal: AbortSignal): Promise<void> {
    if (this.isOver || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function textOf(request: Request): string {
  if (request.kind === 'batch') return request.sql;
  const texts = request.parameters.flatMap(({ value }) => (typeof value === 'string' ? value : []));
  return [request.procedure, ...texts].join('\n');
}

async function* slow(
  rows: readonly (readonly SqlValue[])[],
  rowMs: number,
  signal: AbortSignal,
): AsyncIterable<Reply> {
  for (const row of rows) {
    await setTimeout(rowMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    yield { kind: 'rows', rows: [row] };
  }
}

/** Passes on the first bytes and swallows the others. */
function cut(out: Writable, afterBytes: number, end: () => void): Out {
  let left = afterBytes;
  const write = (bytes: Buffer): boolean => {
    if (left < 0) return true;
    const passed = bytes.subarray(0, left);
    left -= bytes.length;
    if (left >= 0) return out.write(bytes);
    // What was passed on is on its way before the connection ends.
    out.write(passed, () => setImmediate(end));
    return true;
  };
  return { write: write as Out['write'] };
}

/** Ends a connection as its other side sees it. */
export function endConnection(socket: Socket, how: 'reset' | 'close'): void {
  // Node has it since 16.17; the types that the extension is held to are older.
  if (how === 'reset') (socket as Socket & { resetAndDestroy(): void }).resetAndDestroy();
  else socket.end();
}
