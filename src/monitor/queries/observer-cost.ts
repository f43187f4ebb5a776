/** What we cost a server, and the ceiling above which we ask it less. */

/** What is asked regularly takes at most a twentieth of the time: a question that took 1 s is repeated after 20 s. */
const COST_FACTOR = 20;

/**
 * Milliseconds from one asking to the next, so that it stays below the ceiling.
 * @param costMs how long the server took the last time
 */
export function spaceOut(intervalMs: number, costMs: number): number {
  return Math.max(intervalMs, costMs * COST_FACTOR);
}

/** A query that was sent, whether or not it succeeded. */
export interface AskedQuery {
  /** The files of sql/ that its text was made of: `event-session, checkpoint-events`. */
  readonly name: string;
  /** By the clock of this computer. */
  readonly atMs: number;
  /** From sending until the last row: the network is in it. */
  readonly tookMs: number;
  readonly rows: number;
  /** Characters in the values of its answer. */
  readonly characters: number;
  readonly isLogin: boolean;
}

/** What one server pays for being followed. */
export interface ObserverCost {
  /** The queries of the last minute, oldest first. */
  readonly lastMinute: readonly AskedQuery[];
  /**
   * Buffers of the followed session in the server's memory, in bytes (total_buffer_size); null: none is followed, or
   * the server does not say.
   */
  readonly sessionBytes: number | null;
  /** Milliseconds between two reads of its events as they are now; null: none is followed. */
  readonly readEveryMs: number | null;
  /** True while the server's answers take so long that its events are read less often than is set. */
  readonly isSpacedOut: boolean;
}
