import { FEWEST_DATABASES } from './loops';

/** How long a rest is at least, in milliseconds, and what part of the time of the walks beside it. */
type Rest = readonly [leastMs: number, ofWalk: number];
/** Two of the shortest recovery intervals: a busy database does not wait for so long (docs/facts.md, SQL Server 1). */
export const LONG_REST: Rest = [120_000, 0.5];
/** A task that always has somebody waiting does not rest at all. */
export const SHORT_REST: Rest = [30_000, 0.1];
/** A job may go through its databases twice in one walk, as in a published case. A queue does so again and again. */
const MOST_ROUNDS = 2;
/** A round has this part of the databases, or more. */
const WHOLE = 0.8;

/**
 * The turns of one task as rounds, in each of which no database comes twice and the task does not rest:
 *
 *     a b c d . a b c d ............. a b c d . a b c d      two walks of two rounds, and a rest: perhaps a job's
 *     a b c d . a b c d . a b c d . a b c d . a b c d        no rest: a queue
 */
export class Rounds {
  private number = 0;
  private readonly roundOf = new Map<number, number>();
  private size = 0;
  private last = -1;
  /** Whether its begin was seen. */
  private isWhole = false;
  /** Of those that were seen from their begin to their end. */
  private smallest = Infinity;
  /** Rounds in the walk so far, and the most in one. */
  private rounds = 1;
  private mostRounds = 1;
  private walkUtcMs = 0;
  private longestWalkMs = 0;
  private longestTurnMs = 0;
  private shortestRestMs = Infinity;
  private endUtcMs = 0;
  private turnsMs = 0;
  private pausesMs = 0;
  private readonly leastMs: number;
  private readonly ofWalk: number;

  constructor([leastMs, ofWalk]: Rest) {
    [this.leastMs, this.ofWalk] = [leastMs, ofWalk];
  }

  /** @param isSeen whether all the time since the turn before was observed */
  take(database: number, beginUtcMs: number, durationMs: number, isSeen: boolean): void {
    const pauseMs = isSeen ? beginUtcMs - this.endUtcMs : null;
    if (this.roundOf.size === 0) this.walkUtcMs = beginUtcMs;
    // Twice in a row is one step of a walk.
    else if (pauseMs === null || pauseMs >= this.leastMs || (this.isIn(database) && database !== this.last))
      this.close(beginUtcMs, pauseMs);
    else this.pausesMs += Math.max(0, pauseMs);
    if (!this.isIn(database)) this.size++;
    this.roundOf.set(database, this.number);
    this.last = database;
    this.turnsMs += durationMs;
    this.longestTurnMs = Math.max(this.longestTurnMs, durationMs);
    this.endUtcMs = beginUtcMs + durationMs;
    this.longestWalkMs = Math.max(this.longestWalkMs, this.endUtcMs - this.walkUtcMs);
  }

  /** Whether they are one walk, in which many databases had their turn once. */
  get areOne(): boolean {
    return this.number === 0 && this.roundOf.size >= FEWEST_DATABASES;
  }

  /**
   * Whether all of it looks like a job that goes through its databases and then rests (docs/facts.md, SQL Server 3).
   * @param edgeMs how long the task rested before its first turn or after its last one
   */
  areOfJob(edgeMs: number): boolean {
    const databases = this.roundOf.size;
    // At an edge, a turn may have been cut off.
    const restMs = Number.isFinite(this.shortestRestMs) ? this.shortestRestMs : edgeMs - this.longestTurnMs;
    return (
      databases >= FEWEST_DATABASES &&
      this.mostRounds <= MOST_ROUNDS &&
      this.smallest >= WHOLE * databases &&
      this.pausesMs <= this.turnsMs &&
      restMs >= Math.max(this.leastMs, this.ofWalk * this.longestWalkMs)
    );
  }

  private isIn(database: number): boolean {
    return this.roundOf.get(database) === this.number;
  }

  /** @param pauseMs null: not seen whole */
  private close(beginUtcMs: number, pauseMs: number | null): void {
    if (this.isWhole && pauseMs !== null) this.smallest = Math.min(this.smallest, this.size);
    const isRest = pauseMs !== null && pauseMs >= this.leastMs;
    if (isRest) this.shortestRestMs = Math.min(this.shortestRestMs, pauseMs);
    this.rounds = isRest || pauseMs === null ? 1 : this.rounds + 1;
    if (this.rounds === 1) this.walkUtcMs = beginUtcMs;
    this.mostRounds = Math.max(this.mostRounds, this.rounds);
    this.isWhole = pauseMs !== null;
    this.number++;
    this.size = 0;
  }
}
