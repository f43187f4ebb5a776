import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import type { Gap } from '../session/gap';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type Coverage, measureCoverage } from './coverage';
import { createGapCrossing, writePastGaps } from '../session/gap-crossing';
import { createPieceMeter, findObservedPieces, isInPieces } from './observed-time';
import { orderRows } from './row-order';
import { RunningRanks } from './running-ranks';
import {
  type CheckpointStatistics,
  createObservedOf,
  describeStatistics,
  type StatisticsSet,
  PERCENTS,
} from './statistics';

/** Stretches held: how far out of order rows may come from one refresh to the next before all is computed again. */
const RECENT_OF_DATABASE = 4;
const RECENT_OF_ALL = 256;
const ALWAYS = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** Figures of a whole capture, and the share of the observed time in which a checkpoint was running; null if no time was. */
export interface RunningSet extends StatisticsSet {
  readonly busyShare: number | null;
}

/** What the figures are computed from, as it is now. */
export interface RunningScope {
  readonly columns: CheckpointColumns;
  /** As the capture's: rises if rows given out earlier are no longer true. */
  readonly generation: number;
  readonly databases: number;
  readonly observation: Observation;
}

/**
 * The figures of a capture that grows, equal to those computed from all of its rows. A refresh costs what the new rows
 * cost, however long the history is. If the past changed (another generation, a gap found in it), all is computed again, in steps. About 3 bytes a row beside the columns.
 */
export class RunningStatistics {
  private tallies: DatabaseTally[] = [];
  private all = new GrowingUnion(RECENT_OF_ALL);
  private rows = 0;
  private acrossGaps = 0;
  private seenUntilUtcMs = -Infinity;
  private last: RunningScope | null = null;
  private isStale = false;
  /** How often all was computed again, including the first time. */
  timesAnew = 0;

  get bytesHeld(): number {
    return this.tallies.reduce((sum, { ranks }) => sum + ranks.bytesHeld, 0);
  }

  /** Takes new rows. A refresh that stops before its end must be followed by another. */
  *refresh(scope: RunningScope): Steps<RunningSet> {
    if (this.last === null || this.isStale || this.hasPastChanged(this.last, scope)) this.clear();
    this.last = scope;
    yield* this.takeRows(scope);
    if (this.isStale) {
      this.clear();
      yield* this.takeRows(scope);
    }
    return yield* this.describe(scope);
  }

  private clear(): void {
    this.tallies = [];
    this.all = new GrowingUnion(RECENT_OF_ALL);
    [this.rows, this.acrossGaps, this.seenUntilUtcMs, this.isStale] = [0, 0, -Infinity, false];
    this.timesAnew++;
  }

  private *takeRows({ columns, databases, observation }: RunningScope): Steps<void> {
    // If a refresh stops before its end, the sums fit no number of rows.
    this.isStale = true;
    for (let i = this.tallies.length; i < databases; i++) this.tallies.push(new DatabaseTally());
    const isAcrossGap = createGapCrossing(observation.gaps);
    const pieces = findObservedPieces(ALWAYS, observation);
    const observedBefore = createPieceMeter(pieces);
    const order = yield* orderRows(columns, (row) => (columns.database[row] ?? 0) < databases, this.rows);
    let isKnown = true;
    for (let i = 0; i < order.length; i++) {
      if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
      const row = order[i] ?? 0;
      const begin = columns.beginUtcMs[row] ?? 0;
      const durationMs = columns.durationMs[row] ?? 0;
      const end = begin + durationMs;
      this.seenUntilUtcMs = Math.max(this.seenUntilUtcMs, end);
      if (isAcrossGap?.(begin, end) === true) {
        this.acrossGaps++;
        continue;
      }
      const database = columns.database[row] ?? 0;
      const tally = this.tallies[database] as DatabaseTally;
      tally.add(durationMs, isInPieces(pieces, begin));
      isKnown = tally.union.add(begin, end) && isKnown;
      tally.union.close(observedBefore, observation.endUtcMs);
      isKnown = this.all.add(begin, end) && isKnown;
      this.all.close(observedBefore, observation.endUtcMs);
    }
    this.rows = columns.rows;
    this.isStale = !isKnown;
  }

  private *describe({ databases, observation }: RunningScope): Steps<RunningSet> {
    const coverage: Coverage = measureCoverage(ALWAYS, observation);
    const { observedMs } = coverage;
    const observedBefore = createPieceMeter(findObservedPieces(ALWAYS, observation));
    const observedMsOf = createObservedOf(ALWAYS, observation, observedMs);
    const statistics: CheckpointStatistics[] = [];
    for (let database = 0; database < databases; database++) {
      const tally = this.tallies[database] as DatabaseTally;
      statistics.push(
        describeStatistics(
          {
            database,
            ...tally.sums,
            ranks: tally.ranks.pick(),
            coveredMs: tally.union.measure(observedBefore),
          },
          observedMsOf(database),
        ),
      );
      if (database % 2048 === 2047) yield;
    }
    const busyShare = observedMs > 0 ? this.all.measure(observedBefore) / observedMs : null;
    return { coverage, acrossGaps: this.acrossGaps, databases: statistics, busyShare };
  }

  /** Whether anything changed that decided how earlier rows were counted. */
  private hasPastChanged(last: RunningScope, now: RunningScope): boolean {
    const { observation: before } = last;
    const { observation } = now;
    const isLonger =
      now.generation === last.generation && now.columns.rows >= this.rows && now.databases >= last.databases;
    if (!isLonger || observation.beginUtcMs !== before.beginUtcMs || observation.endUtcMs < before.endUtcMs)
      return true;
    // A row after the end of what was watched then was not counted as observed.
    if (this.seenUntilUtcMs >= before.endUtcMs && observation.endUtcMs > before.endUtcMs) return true;
    const writePast = (gaps: readonly Gap[]): string => writePastGaps(gaps, this.seenUntilUtcMs);
    return before.gaps !== observation.gaps && writePast(before.gaps) !== writePast(observation.gaps);
  }
}

/** Sums of one database. */
class DatabaseTally {
  readonly ranks = new RunningRanks(PERCENTS);
  readonly union = new GrowingUnion(RECENT_OF_DATABASE);
  readonly sums = { count: 0, observedCount: 0, totalMs: 0, maximumMs: 0 };

  add(durationMs: number, isObserved: boolean): void {
    const { sums } = this;
    this.ranks.add(durationMs);
    sums.count++;
    if (isObserved) sums.observedCount++;
    sums.totalMs += durationMs;
    if (durationMs > sums.maximumMs) sums.maximumMs = durationMs;
  }
}

/**
 * Observed time covered by intervals that are added nearly in order of their begins. Only the latest stretches are
 * held; what lies before them is a sum.
 *   closed       |== 812,344 ms ==|
 *   recent                           [====]  [=]   [======]
 */
class GrowingUnion {
  /** Begins and ends in turn, in order and apart from each other. */
  private readonly recent: number[] = [];
  private closedMs = 0;
  private closedUntilUtcMs = -Infinity;

  /** @param mostRecent stretches to hold: how far back a new interval may begin */
  constructor(private readonly mostRecent: number) {}

  /** @returns false: the interval begins before what is held, so the union cannot be told any more */
  add(beginUtcMs: number, endUtcMs: number): boolean {
    const { recent } = this;
    if (beginUtcMs < this.closedUntilUtcMs) return false;
    const last = recent.length - 2;
    if (last < 0 || beginUtcMs > (recent[last + 1] ?? 0)) recent.push(beginUtcMs, endUtcMs);
    else if (beginUtcMs >= (recent[last] ?? 0)) recent[last + 1] = Math.max(recent[last + 1] ?? 0, endUtcMs);
    else this.join(beginUtcMs, endUtcMs);
    return true;
  }

  /**
   * Closes stretches that end before `untilUtcMs` and are too many to hold: the observed time in them does not change
   * any more.
   */
  close(observedBefore: (utcMs: number) => number, untilUtcMs: number): void {
    const spare = this.recent.length - 2 * this.mostRecent;
    if (spare < this.mostRecent) return;
    let closed = 0;
    for (; closed < spare && (this.recent[closed + 1] ?? 0) <= untilUtcMs; closed += 2) {
      const [begin = 0, end = 0] = [this.recent[closed], this.recent[closed + 1]];
      this.closedMs += observedBefore(end) - observedBefore(begin);
      this.closedUntilUtcMs = end;
    }
    this.recent.splice(0, closed);
  }

  measure(observedBefore: (utcMs: number) => number): number {
    let sumMs = this.closedMs;
    for (let i = 0; i < this.recent.length; i += 2)
      sumMs += observedBefore(this.recent[i + 1] ?? 0) - observedBefore(this.recent[i] ?? 0);
    return sumMs;
  }

  private join(beginUtcMs: number, endUtcMs: number): void {
    const { recent } = this;
    let from = recent.length;
    while (from > 0 && (recent[from - 1] ?? 0) >= beginUtcMs) from -= 2;
    let to = from;
    let begin = beginUtcMs;
    let end = endUtcMs;
    for (; to < recent.length && (recent[to] ?? 0) <= end; to += 2) {
      begin = Math.min(begin, recent[to] ?? 0);
      end = Math.max(end, recent[to + 1] ?? 0);
    }
    recent.splice(from, to - from, begin, end);
  }
}
