/** Stands for a database if it is not known whose something is. The numbers of databases are all lower. */
export const NO_DATABASE = 65_535;

/**
 * A database_id that was given again. Until one time it belonged to a database, from another time on to its heir; in
 * between to neither.
 */
export interface Handover {
  /** Index into the capture's list of databases: the one that had the id before. */
  readonly database: number;
  readonly untilUtcMs: number;
  readonly fromUtcMs: number;
  /** The heir of what began then, which gets a column if it has none; null if there is no room for it. */
  readonly findHeir: (beginUtcMs: number) => number | null;
}

/**
 * Tells to which database each checkpoint and scan belongs now. It is asked for every row, so it only looks twice into
 * small tables.
 */
export class Handovers {
  /** By database: the place of its handover plus 1; 0: it has none. */
  private readonly places = new Uint16Array(NO_DATABASE + 1);
  private readonly untilUtcMs: Float64Array;
  private readonly fromUtcMs: Float64Array;
  private readonly heirs: Uint16Array;
  /** The earliest time for which each heir was asked: asking tells the heir its earliest event. */
  private readonly earliestUtcMs: Float64Array;

  constructor(private readonly handovers: readonly Handover[]) {
    handovers.forEach(({ database }, at) => (this.places[database] = at + 1));
    this.untilUtcMs = Float64Array.from(handovers, ({ untilUtcMs }) => untilUtcMs);
    this.fromUtcMs = Float64Array.from(handovers, ({ fromUtcMs }) => fromUtcMs);
    this.heirs = new Uint16Array(handovers.length).fill(NO_DATABASE);
    this.earliestUtcMs = new Float64Array(handovers.length).fill(Infinity);
  }

  /**
   * The database that has this database's checkpoint or scan now; NO_DATABASE if it may be of two, or it is not known
   * of which.
   */
  databaseOf(database: number, beginUtcMs: number, endUtcMs: number): number {
    const at = (this.places[database] as number) - 1;
    if (at < 0 || endUtcMs < (this.untilUtcMs[at] as number)) return database;
    if (beginUtcMs < (this.fromUtcMs[at] as number)) return NO_DATABASE;
    if (beginUtcMs < (this.earliestUtcMs[at] as number)) this.findHeir(at, beginUtcMs);
    return this.heirs[at] as number;
  }

  private findHeir(at: number, beginUtcMs: number): void {
    this.earliestUtcMs[at] = beginUtcMs;
    this.heirs[at] = this.handovers[at]?.findHeir(beginUtcMs) ?? NO_DATABASE;
  }
}
