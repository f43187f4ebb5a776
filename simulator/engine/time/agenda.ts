const FIRST_CAPACITY = 1024;

/**
 * What will happen in the model, in virtual time; equal times keep the order in which they were entered. A binary heap
 * in typed columns, so that entering and running leave no garbage.
 */
export class Agenda {
  private times = new Float64Array(FIRST_CAPACITY);
  private orders = new Float64Array(FIRST_CAPACITY);
  private readonly runs: ((atUs: number) => void)[] = [];
  private nextOrder = 0;

  /**
   * Runs what is due up to and including that moment, each at its own time, at most `most` entries.
   * @returns the moment up to which everything has happened: `untilUs`, or that of the last entry run if there were
   * more
   */
  runUntil(untilUs: number, most = Number.POSITIVE_INFINITY): number {
    let done = 0;
    let lastUs = untilUs;
    while (this.firstUs <= untilUs) {
      if (done++ >= most) return lastUs;
      lastUs = this.firstUs;
      this.pop()(lastUs);
    }
    return untilUs;
  }

  /** Infinity if there is nothing. */
  private get firstUs(): number {
    return this.runs.length === 0 ? Number.POSITIVE_INFINITY : (this.times[0] as number);
  }

  enter(atUs: number, run: (atUs: number) => void): void {
    let at = this.runs.length;
    if (at === this.times.length) this.grow();
    this.runs.push(run);
    const order = this.nextOrder++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      // Among equal times the new entry is the last.
      if ((this.times[parent] as number) <= atUs) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(at, atUs, order, run);
  }

  private pop(): (atUs: number) => void {
    const { runs } = this;
    const first = runs[0];
    const run = runs.pop();
    if (first === undefined || run === undefined) throw new RangeError('the agenda is empty');
    const length = runs.length;
    if (length === 0) return first;
    const atUs = this.times[length] as number;
    const order = this.orders[length] as number;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (
        child + 1 < length &&
        this.isBefore(child + 1, this.times[child] as number, this.orders[child] as number)
      )
        child += 1;
      if (!this.isBefore(child, atUs, order)) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, atUs, order, run);
    return first;
  }

  private isBefore(at: number, atUs: number, order: number): boolean {
    const time = this.times[at] as number;
    return time < atUs || (time === atUs && (this.orders[at] as number) < order);
  }

  private move(from: number, to: number): void {
    this.put(
      to,
      this.times[from] as number,
      this.orders[from] as number,
      this.runs[from] as (atUs: number) => void,
    );
  }

  private put(at: number, atUs: number, order: number, run: (atUs: number) => void): void {
    this.times[at] = atUs;
    this.orders[at] = order;
    this.runs[at] = run;
  }

  private grow(): void {
    const double = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(column.length * 2);
      grown.set(column);
      return grown;
    };
    this.times = double(this.times);
    this.orders = double(this.orders);
  }
}
