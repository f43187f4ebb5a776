/**
 * Time that passes as fast as the work in it: scheduled tasks run in order, each once no server is being asked
 * anything.
 */
import type { Connection, ServerAccess } from '../../src/hosts/host';

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
}

/** After this many turns of the event loop without a question, the last answer has no more effects. */
const QUIET_TURNS = 8;

export class VirtualTime {
  private nowMs = Date.UTC(2026, 2, 2, 8);
  private readonly tasks = new Set<Task>();
  private asked = 0;

  readonly schedule = (delayMs: number, run: () => void): { dispose(): void } => {
    const task = { dueMs: this.nowMs + delayMs, run };
    this.tasks.add(task);
    return { dispose: () => void this.tasks.delete(task) };
  };

  /** The world of a breaker, and the clock of a monitor. */
  readonly world = { schedule: this.schedule, elapsedMs: () => this.nowMs, nowMs: () => this.nowMs };

  /** The same way to a server; time stands still while it is being asked. */
  watch(access: ServerAccess): ServerAccess {
    const { id, label, account } = access;
    return {
      id,
      label,
      account,
      open: async (opening) => this.watchConnection(await this.count(access.open(opening))),
    };
  }

  async pass(durationMs: number): Promise<void> {
    const endMs = this.nowMs + durationMs;
    for (;;) {
      await this.settle();
      const next = [...this.tasks].sort((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined || next.dueMs > endMs) break;
      this.tasks.delete(next);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      next.run();
    }
    this.nowMs = endMs;
  }

  /** Waits for the work. Meanwhile only tasks that are due at once run. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => void (isOver = true);
    work.then(end, end);
    while (!isOver) await this.pass(0);
    return work;
  }

  private async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await new Promise(setImmediate);
      if (this.asked > 0) quiet = -1;
    }
  }

  private watchConnection(connection: Connection): Connection {
    return {
      capabilities: connection.capabilities,
      query: (text, options) => this.count(connection.query(text, options)),
      close: () => this.count(connection.close()),
    };
  }

  private async count<T>(work: Promise<T>): Promise<T> {
    this.asked++;
    try {
      return await work;
    } finally {
      this.asked--;
    }
  }
}
