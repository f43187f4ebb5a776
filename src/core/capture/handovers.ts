/** Stands for a database where it is not known whose something is; the numbers of databases are all below. */
export const NOBODY = 65_535;

/** A database_id that was given again: until a time it was one database's, from a time on it is its heir's. What happened between belongs to nobody. */
export interface Handover {
  /** Index into the capture's list of databases: whose it was. */
  readonly database: number;
  readonly untilUtcMs: number;
  readonly fromUtcMs: number;
  /** The heir of what began then, which becomes one of the capture's databases by that; null where there is no room for it. */
  readonly findHeir: (beginUtcMs: number) => number | null;
}

/** Tells of each checkpoint and scan whose it is by now. It is asked of every row, so it is no more than two looks into small tables. */
export class Handovers {
  /** By database: one more than the place of its handover; 0: it has none. */
  private readonly places = new Uint16Array(NOBODY + 1);
  private readonly untilUtcMs: Float64Array;
  private readonly fromUtcMs: Float64Array;
  private readonly heirs: Uint16Array;
  /** The earliest that an heir was found for: it learns of its earliest event by being asked for it. */
  private readonly earliestUtcMs: Float64Array;

  constructor(private readonly handovers: readonly Handover[]) {
    handovers.forEach(({ database }, at) => (this.places[database] = at + 1));
    this.untilUtcMs = Float64Array.from(handovers, ({ untilUtcMs }) => untilUtcMs);
    this.fromUtcMs = Float64Array.from(handovers, ({ fromUtcMs }) => fromUtcMs);
    this.heirs = new Uint16Array(handovers.length).fill(NOBODY);
    this.earliestUtcMs = new Float64Array(handovers.length).fill(Infinity);
  }

  /** Whose something is that was that database's; NOBODY where it may be of two, or it is not known of which. */
  databaseOf(database: number, beginUtcMs: number, endUtcMs: number): number {
    const at = (this.places[database] as number) - 1;
    if (at < 0 || endUtcMs < (this.untilUtcMs[at] as number)) return database;
    if (beginUtcMs < (this.fromUtcMs[at] as number)) return NOBODY;
    if (beginUtcMs < (this.earliestUtcMs[at] as number)) this.findHeir(at, beginUtcMs);
    return this.heirs[at] as number;
  }

  private findHeir(at: number, beginUtcMs: number): void {
    this.earliestUtcMs[at] = beginUtcMs;
    this.heirs[at] = this.handovers[at]?.findHeir(beginUtcMs) ?? NOBODY;
  }
}
