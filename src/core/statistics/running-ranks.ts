import { SortedDurations } from './sorted-durations';

/** New durations that are held aside before they are put in order: most of them move no rank. */
const MOST_PENDING = 64;

/** A rank's value as it was found last, and where it stands among all durations since. */
interface KnownRank {
  readonly value: number;
  below: number;
  equal: number;
}

/**
 * Exact ranks of durations that are added. A rank's value stays what it is while enough durations stand below it and none too many, which is counted; only
 * where it moves are the durations put in order and looked through.
 *   p95   [ .......... below .......... ][ equal ][ .. ]     holds while below < rank <= below + equal
 */
export class RunningRanks {
  private readonly sorted = new SortedDurations();
  private readonly pending: number[] = [];
  private known: readonly KnownRank[] = [];
  private count = 0;

  /** @param percents in ascending order */
  constructor(private readonly percents: readonly number[]) {}

  get bytesHeld(): number {
    return this.sorted.bytesHeld;
  }

  add(durationMs: number): void {
    this.count++;
    this.pending.push(durationMs);
    for (const rank of this.known) {
      if (durationMs < rank.value) rank.below++;
      else if (durationMs === rank.value) rank.equal++;
    }
    if (this.pending.length >= MOST_PENDING) this.takePending();
  }

  /** The values at the percents; null where there is no duration. */
  pick(): readonly (number | null)[] {
    const { count, percents } = this;
    if (count === 0) return percents.map(() => null);
    const ranks = percents.map((percent) => Math.ceil((percent * count) / 100));
    const holds = (rank: number, i: number): boolean => {
      const known = this.known[i];
      return known !== undefined && known.below < rank && rank <= known.below + known.equal;
    };
    if (!ranks.every(holds)) this.findRanks(ranks);
    return this.known.map(({ value }) => value);
  }

  private findRanks(ranks: readonly number[]): void {
    this.takePending();
    this.known = this.sorted.pick(ranks).map((found) => {
      const value = found ?? 0;
      const below = this.sorted.countBelow(value);
      return { value, below, equal: this.sorted.countBelow(value + 1) - below };
    });
  }

  private takePending(): void {
    for (const durationMs of this.pending) this.sorted.add(durationMs);
    this.pending.length = 0;
  }
}
