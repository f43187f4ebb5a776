import type { LogMeter } from '../databases/workload';

interface Spell {
  readonly fromUs: number;
  readonly isOpen: boolean;
  /** While open: log records that the workload could not write. While closed: the length of the log in records. */
  readonly records: number;
}

/**
 * The log of one database of a group, wherever its primary is: it grows with the workload while there is a primary and
 * stands still while there is none.
 *   workload   ...........................
 *   failover          [closed]
 *   log        ......_________..........
 */
export class SharedLog {
  private readonly spells: Spell[];
  /** Log records written so far; asked with rising times only. */
  readonly writtenAt: (atUs: number) => number;

  constructor(
    private readonly makeMeter: () => LogMeter,
    startUs: number,
  ) {
    this.spells = [{ fromUs: startUs, isOpen: true, records: 0 }];
    this.writtenAt = this.createReader();
  }

  /** Log records up to a moment. Each place that lags behind needs its own reader, asked with rising times only. */
  createReader(): (atUs: number) => number {
    const meter = this.makeMeter();
    return (atUs) => {
      const spell = this.spellAt(atUs);
      if (spell === undefined) return 0;
      return spell.isOpen ? meter.recordsAt(atUs) - spell.records : spell.records;
    };
  }

  private spellAt(atUs: number): Spell | undefined {
    for (let i = this.spells.length - 1; i >= 0; i--)
      if ((this.spells[i] as Spell).fromUs <= atUs) return this.spells[i];
    return undefined;
  }

  /** Ends all writing. @returns log records written so far */
  close(atUs: number): number {
    const records = this.writtenAt(atUs);
    this.spells.push({ fromUs: atUs, isOpen: false, records });
    return records;
  }

  /** A primary writes again, after this many log records: fewer than were written if a forced failover lost some. */
  open(atUs: number, records: number): void {
    this.spells.push({ fromUs: atUs, isOpen: true, records: this.makeMeter().recordsAt(atUs) - records });
  }
}

/** The log of a database as one server writes it: only while that server has the primary. */
export class PrimaryMeter implements LogMeter {
  private before = 0;
  private stallMsBefore = 0;
  private sinceRecords: number | undefined;
  private sinceStallMs = 0;

  constructor(
    private readonly meter: LogMeter,
    isPrimary: boolean,
  ) {
    this.sinceRecords = isPrimary ? 0 : undefined;
  }

  recordsAt(atUs: number): number {
    return this.sinceRecords === undefined
      ? this.before
      : this.before + this.meter.recordsAt(atUs) - this.sinceRecords;
  }

  stallMsAt(atUs: number): number {
    return this.sinceRecords === undefined
      ? this.stallMsBefore
      : this.stallMsBefore + this.meter.stallMsAt(atUs) - this.sinceStallMs;
  }

  whenReached(total: number, fromUs: number): number | undefined {
    return this.sinceRecords === undefined
      ? undefined
      : this.meter.whenReached(total - this.before + this.sinceRecords, fromUs);
  }

  start(atUs: number): void {
    if (this.sinceRecords !== undefined) return;
    this.sinceRecords = this.meter.recordsAt(atUs);
    this.sinceStallMs = this.meter.stallMsAt(atUs);
  }

  stop(atUs: number): void {
    this.before = this.recordsAt(atUs);
    this.stallMsBefore = this.stallMsAt(atUs);
    this.sinceRecords = undefined;
  }
}
