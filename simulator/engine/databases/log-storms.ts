const MINUTE_US = 60_000_000;

/** A time in which page writes make log writes wait, and how much longer each log write takes. */
interface Storm {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly extraMs: number;
}

/**
 * How much longer than usual a log write takes while checkpoints write (docs/facts.md, SQL Server 1, IO storm), summed
 * up over time:
 *   extra ms   0   19.3   38.6   19.3   0          (storms add up)
 *   weight     ___/      /      /      \\___        its integral; a log that grows evenly stalls for its rate times the growth of this
 * Kept for every minute, so that asking is cheap for thousands of databases.
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

  /** Adds a storm. It must not begin before a moment that somebody has asked for. */
  add(storm: Storm): void {
    if (storm.untilUs > storm.fromUs) this.underWay.add(storm);
  }

  /** Extra milliseconds of a log write, times microseconds, from the beginning of the model to that moment. */
  weightAt(atUs: number): number {
    this.keepUpTo(Math.floor(atUs / MINUTE_US));
    return this.sumAt(atUs);
  }

  /** The same at the beginning of a minute, counted from 1970. The minute is not in the future. */
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
    for (const { fromUs, untilUs, extraMs } of this.underWay)
      sum += extraMs * Math.max(0, Math.min(untilUs, atUs) - fromUs);
    return sum;
  }
}
