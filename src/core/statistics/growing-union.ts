/**
 * Observed time covered by intervals that are added about in order of their begins. Only the latest stretches are held; what lies before them is a sum.
 *   closed       |== 812,344 ms ==|
 *   recent                           [====]  [=]   [======]
 */
export class GrowingUnion {
  /** Begins and ends in turn, in order and apart from each other. */
  private readonly recent: number[] = [];
  private closedMs = 0;
  private closedUntilUtcMs = -Infinity;

  /** @param mostRecent stretches to hold: how far back an interval may still come */
  constructor(private readonly mostRecent: number) {}

  /** @returns false: the interval begins before what is held, so that the union can no longer be told */
  add(beginUtcMs: number, endUtcMs: number): boolean {
    const { recent } = this;
    if (beginUtcMs < this.closedUntilUtcMs) return false;
    const last = recent.length - 2;
    if (last < 0 || beginUtcMs > (recent[last + 1] ?? 0)) recent.push(beginUtcMs, endUtcMs);
    else if (beginUtcMs >= (recent[last] ?? 0)) recent[last + 1] = Math.max(recent[last + 1] ?? 0, endUtcMs);
    else this.join(beginUtcMs, endUtcMs);
    return true;
  }

  /** Gives up stretches beyond those to hold that end before `untilUtcMs`: the observed time in them does not change any more. */
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
    for (let i = 0; i < this.recent.length; i += 2) sumMs += observedBefore(this.recent[i + 1] ?? 0) - observedBefore(this.recent[i] ?? 0);
    return sumMs;
  }

  private join(beginUtcMs: number, endUtcMs: number): void {
    const { recent } = this;
    let from = recent.length;
    while (from > 0 && (recent[from - 1] ?? 0) >= beginUtcMs) from -= 2;
    let [to, begin, end] = [from, beginUtcMs, endUtcMs];
    for (; to < recent.length && (recent[to] ?? 0) <= end; to += 2) {
      begin = Math.min(begin, recent[to] ?? 0);
      end = Math.max(end, recent[to + 1] ?? 0);
    }
    recent.splice(from, to - from, begin, end);
  }
}
