const MINUTE_US = 60_000_000;

/** Time in which something writes enough pages to make log writes wait, and how much longer each of them takes. */
interface Storm {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly extraMs: number;
}

/**
 * How much longer than usual a log write takes while checkpoints write (docs/facts.md, SQL Server 1, IO storm), summed up over time:
 *   extra ms   0   19.3   38.6   19.3   0          (storms add up)
 *   weight     ___/      /      /      \\___        its integral; a log that grows evenly for a while stalls for its rate times the growth of this
 * Kept at every minute, so that thousands of databases ask for it at no cost.
 */
export class LogStorms {
  private readonly underWay = new Set<Storm>();
  private endedWeight = 0;
  private readonly firstMinute: number;
  /** The weight at the beginning of each minute since the model began. */
  private readonly weights: number[] = [];

  constructor(startUs: number) {
    this.firstMinute = Math.floor(startUs / MINUTE_US);
  }

  /** Begins no earlier than any moment that has been asked for. */
  add(storm: Storm): void {
    if (storm.untilUs > storm.fromUs) this.underWay.add(storm);
  }

  /** Extra milliseconds of a log write, times microseconds, from the beginning of the model to that moment. */
  weightAt(atUs: number): number {
    this.keepUpTo(Math.floor(atUs / MINUTE_US));
    return this.sumAt(atUs);
  }

  /** The same at the beginning of a minute, counted from 1970, which is not in the future. */
  weightAtMinute(minute: number): number {
    this.keepUpTo(minute);
    return this.weights[minute - this.firstMinute] ?? 0;
  }

  private keepUpTo(minute: number): void {
    for (let next = this.firstMinute + this.weights.length; next <= minute; next++) {
      const atUs = next * MINUTE_US;
      this.weights.push(this.sumAt(atUs));
      for (const storm of this.underWay) {
        if (storm.untilUs > atUs) continue;
        this.underWay.delete(storm);
        this.endedWeight += storm.extraMs * (storm.untilUs - storm.fromUs);
      }
    }
  }

  private sumAt(atUs: number): number {
    let sum = this.endedWeight;
    for (const { fromUs, untilUs, extraMs } of this.underWay) sum += extraMs * Math.max(0, Math.min(untilUs, atUs) - fromUs);
    return sum;
  }
}
