import { lengthen } from '../number-columns';
import { countBelow } from '../sorted';

/** Values in a part before it is split in two. */
const MOST_IN_PART = 512;
const FIRST_CAPACITY = 16;

/**
 * Durations in order, added one by one: exact ranks of a history that grows, at a cost that hardly depends on its
 * length. All values of a part have the same upper 16 bits, and only the lower ones are held, so a value takes about 3
 * bytes.
 *   parts   [0 4 4 9 .. 812] [812 813 .. 65,535] [65,536 .. ]
 */
export class RunningRanks {
  private count = 0;
  /** For each part: upper bits, number of values, greatest value, and the lower bits in order. */
  private readonly uppers: number[] = [];
  private readonly counts: number[] = [];
  private readonly greatest: number[] = [];
  private readonly lowers: Uint16Array[] = [];

  /** @param percents in ascending order */
  constructor(private readonly percents: readonly number[]) {}

  get bytesHeld(): number {
    return this.lowers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** @param durationMs a whole number up to 32 bits */
  add(durationMs: number): void {
    this.count++;
    const upper = durationMs >>> 16;
    const place = this.findPart(durationMs);
    if (this.uppers[place] === upper) this.addTo(place, durationMs);
    else if (this.uppers[place - 1] === upper) this.addTo(place - 1, durationMs);
    else this.insertPart(place, upper, 1, durationMs, Uint16Array.of(durationMs & 0xffff));
  }

  /** The values at the percents; null if there is no duration. */
  pick(): readonly (number | null)[] {
    const { count, counts } = this;
    let [place, before] = [0, 0];
    return this.percents.map((percent) => {
      const rank = Math.ceil((percent * count) / 100);
      while (place < counts.length && before + (counts[place] ?? 0) < rank) before += counts[place++] ?? 0;
      if (place === counts.length) return null;
      return (this.uppers[place] ?? 0) * 65_536 + (this.lowers[place]?.[rank - before - 1] ?? 0);
    });
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
