import { lengthen } from '../number-columns';
import { countBelow } from '../sorted';

/** New durations that are put aside before they are sorted: most of them move no rank. */
const MOST_PENDING = 64;

/** A rank's value when it was found last, and how many of all durations are below it or equal to it by now. */
interface KnownRank {
  readonly value: number;
  below: number;
  equal: number;
}

/**
 * Exact ranks of durations that are added. Counts tell how many durations are below a rank's value and how many equal
 * it. As long as the rank lies among the equal ones, the value stays. Only if it moves are the durations sorted and
 * looked through.
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

  /** The values at the percents; null if there is no duration. */
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

/** Values in a part before it is split in two. */
const MOST_IN_PART = 512;
const FIRST_CAPACITY = 16;

/**
 * Durations in order, added one by one: exact ranks of a history that grows, at a cost that hardly depends on its
 * length. All values of a part have the same upper 16 bits, and only the lower ones are held, so a value takes about 3
 * bytes.
 *   parts   [0 4 4 9 .. 812] [812 813 .. 65,535] [65,536 .. ]
 */
class SortedDurations {
  /** For each part: upper bits, number of values, greatest value, and the lower bits in order. */
  private readonly uppers: number[] = [];
  private readonly counts: number[] = [];
  private readonly greatest: number[] = [];
  private readonly lowers: Uint16Array[] = [];

  get bytesHeld(): number {
    return this.lowers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** @param durationMs a whole number up to 32 bits */
  add(durationMs: number): void {
    const upper = durationMs >>> 16;
    const place = this.findPart(durationMs);
    if (this.uppers[place] === upper) this.addTo(place, durationMs);
    else if (this.uppers[place - 1] === upper) this.addTo(place - 1, durationMs);
    else this.insertPart(place, upper, 1, durationMs, Uint16Array.of(durationMs & 0xffff));
  }

  /** The values at those ranks, which are ascending and count from 1; null for a rank beyond the number of values. */
  pick(ranks: readonly number[]): readonly (number | null)[] {
    const { counts } = this;
    let [place, before] = [0, 0];
    return ranks.map((rank) => {
      while (place < counts.length && before + (counts[place] ?? 0) < rank) before += counts[place++] ?? 0;
      if (place === counts.length) return null;
      return (this.uppers[place] ?? 0) * 65_536 + (this.lowers[place]?.[rank - before - 1] ?? 0);
    });
  }

  /** How many values are below that value. */
  countBelow(value: number): number {
    const place = this.findPart(value);
    let below = 0;
    for (let i = 0; i < place; i++) below += this.counts[i] ?? 0;
    if (this.uppers[place] !== Math.floor(value / 65_536)) return below;
    return below + countBelow(this.lowers[place] as Uint16Array, value & 0xffff, this.counts[place] ?? 0);
  }

  /** The first part whose greatest value is not below that value. */
  private findPart(value: number): number {
    return countBelow(this.greatest, value);
  }

  private addTo(place: number, value: number): void {
    const count = this.counts[place] ?? 0;
    if (count === MOST_IN_PART) return this.addTo(this.split(place, value), value);
    let values = this.lowers[place] as Uint16Array;
    if (count === values.length) {
      values = lengthen(values, Math.max(FIRST_CAPACITY, Math.min(MOST_IN_PART, count * 2)));
      this.lowers[place] = values;
    }
    const lower = value & 0xffff;
    const low = countBelow(values, lower, count);
    values.copyWithin(low + 1, low, count);
    values[low] = lower;
    this.counts[place] = count + 1;
    if (value > (this.greatest[place] ?? 0)) this.greatest[place] = value;
  }

  /** @returns the half that the value belongs to */
  private split(place: number, value: number): number {
    const half = MOST_IN_PART / 2;
    const values = this.lowers[place] as Uint16Array;
    const upper = this.uppers[place] ?? 0;
    this.insertPart(
      place + 1,
      upper,
      half,
      this.greatest[place] ?? 0,
      lengthen(values.subarray(half), MOST_IN_PART),
    );
    this.counts[place] = half;
    const middle = upper * 65_536 + (values[half - 1] ?? 0);
    this.greatest[place] = middle;
    return value > middle ? place + 1 : place;
  }

  private insertPart(
    place: number,
    upper: number,
    count: number,
    greatest: number,
    lower: Uint16Array,
  ): void {
    this.uppers.splice(place, 0, upper);
    this.counts.splice(place, 0, count);
    this.greatest.splice(place, 0, greatest);
    this.lowers.splice(place, 0, lower);
  }
}
