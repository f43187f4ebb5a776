/**
 * Exact nearest ranks of the durations of many databases at once, without sorting them. A first pass counts them in
 * bins that widen with the duration; a second pass collects only the bins in which a rank lies.
 *
 *   bin     0  1  2 .. 63 | 64-65  66-67 .. | 128-131 .. |     a value each at first, then 32 bins for each doubling
 *   counts  0  4  9     2 |     1      0    |       3    |     rank 95 lies here: these three values are collected and put in order
 */

/** Bins for each doubling, as a power of 2. Fewer if counts of many databases would need more room than the rows. */
const MOST_BITS = 5;
const MOST_CELLS = 1 << 22;
/** Up to this many values are sorted. */
const MOST_SORTED = 2048;

/** Where a rank lies: its value, or the part of the collected values in which it is number `rank`, from 0. */
type Place =
  | { readonly value: number }
  | { readonly from: number; readonly to: number; readonly rank: number };

export class DurationRanks {
  private readonly bits: number;
  private readonly bins: number;
  /**
   * For each database and bin: first how many values it has; then, for bins that are collected, where the next value
   * goes, plus 1.
   */
  private readonly cells: Uint32Array;
  private collected = new Uint32Array(0);
  private readonly places: (Place | null)[] = [];

  /** @param percents ranks to find, in ascending order */
  constructor(
    private readonly databases: number,
    private readonly percents: readonly number[],
  ) {
    let bits = MOST_BITS;
    while (bits > 0 && countBins(bits) * databases > MOST_CELLS) bits--;
    this.bits = bits;
    this.bins = countBins(bits);
    this.cells = new Uint32Array(this.bins * databases);
  }

  /** First pass: every duration once. */
  count(database: number, durationMs: number): void {
    const cell = this.findCell(database, durationMs);
    this.cells[cell] = (this.cells[cell] ?? 0) + 1;
  }

  /** Call between the passes. @param counts how many durations each database has */
  locate(counts: ArrayLike<number>): void {
    let collected = 0;
    for (let database = 0; database < this.databases; database++)
      collected = this.locateIn(database, counts[database] ?? 0, collected);
    this.collected = new Uint32Array(collected);
  }

  /** Second pass: the same durations again. */
  collect(database: number, durationMs: number): void {
    const cell = this.findCell(database, durationMs);
    const place = this.cells[cell] ?? 0;
    if (place === 0) return;
    this.collected[place - 1] = durationMs;
    this.cells[cell] = place + 1;
  }

  /** After both passes, the rank at that position of `percents`: an observed value; null if the database has none. */
  pick(database: number, position: number): number | null {
    const place = this.places[database * this.percents.length + position] ?? null;
    if (place === null) return null;
    return 'value' in place
      ? place.value
      : selectRank(this.collected.subarray(place.from, place.to), place.rank);
  }

  private findCell(database: number, durationMs: number): number {
    const shift = Math.max(0, 31 - Math.clz32(durationMs) - this.bits);
    return database * this.bins + (shift << this.bits) + (durationMs >>> shift);
  }

  /** @returns how many values have to be collected so far */
  private locateIn(database: number, count: number, collectedBefore: number): number {
    const { bins, cells, percents, places } = this;
    const base = database * bins;
    const begins = new Map<number, number>();
    let collected = collectedBefore;
    for (let position = 0, seen = 0, bin = -1; position < percents.length; position++) {
      if (count === 0) {
        places.push(null);
        continue;
      }
      const rank = Math.ceil(((percents[position] ?? 0) * count) / 100);
      while (seen < rank) seen += cells[base + ++bin] ?? 0;
      if (bin < 2 << this.bits) {
        places.push({ value: bin });
        continue;
      }
      const size = cells[base + bin] ?? 0;
      const from = begins.get(bin) ?? collected;
      if (!begins.has(bin)) collected += size;
      begins.set(bin, from);
      places.push({ from, to: from + size, rank: rank - (seen - size) - 1 });
    }
    cells.fill(0, base, base + bins);
    for (const [bin, from] of begins) cells[base + bin] = from + 1;
    return collected;
  }
}

/** Up to 2 << bits every value has its own bin; after that each doubling has 1 << bits bins, up to 32 bits. */
function countBins(bits: number): number {
  return ((31 - bits) << bits) + (2 << bits);
}

/** The value at `rank`, from 0, if the values were sorted. Changes their order. */
function selectRank(values: Uint32Array, rank: number): number {
  let [some, place] = [values, rank];
  // Narrowed byte by byte from the highest: four passes at most, whatever the input.
  for (let shift = 24; some.length > MOST_SORTED && shift >= 0; shift -= 8) {
    const counts = new Uint32Array(256);
    for (const value of some) counts[(value >>> shift) & 255] = (counts[(value >>> shift) & 255] ?? 0) + 1;
    let byte = 0;
    for (; place >= (counts[byte] ?? 0); byte++) place -= counts[byte] ?? 0;
    some = some.filter((value) => ((value >>> shift) & 255) === byte);
  }
  return some.sort()[place] ?? 0;
}
