/** When a database's target recovery time changed, and how that is known. */
export interface ChangeMoment {
  readonly atUtcMs: number;
  /**
   * `error log`: message 5084 says so, to 10 ms; `observed`: two readings of the catalog differ, so the change lies
   * between them and is dated by the later; `user`: set by hand.
   */
  readonly source: 'error log' | 'observed' | 'user';
  /** For `observed`, the reading before: the change is not older than that. Otherwise the same as atUtcMs. */
  readonly notBeforeUtcMs: number;
  /** null: not known. 0: automatic checkpoints. */
  readonly fromSeconds: number | null;
  readonly toSeconds: number | null;
}

/** The target recovery time of a database in one reading of the catalog. null: not seen. */
export interface TargetReading {
  readonly databaseId: number;
  readonly name: string;
  readonly createdLocal: string | null;
  readonly targetSeconds: number | null;
}

/**
 * The change between two readings of one database, which id, name and create date tell; null: none. A database that was
 * dropped and made again under its id is another: it was not switched. analysis/before_after.sql says the same in SQL.
 */
export function findTargetChange(
  before: TargetReading | undefined,
  after: TargetReading,
): Pick<ChangeMoment, 'fromSeconds' | 'toSeconds'> | null {
  const isOne =
    before?.databaseId === after.databaseId &&
    before.name === after.name &&
    before.createdLocal === after.createdLocal;
  const [fromSeconds, toSeconds] = [before?.targetSeconds ?? null, after.targetSeconds];
  return isOne && fromSeconds !== null && toSeconds !== null && fromSeconds !== toSeconds
    ? { fromSeconds, toSeconds }
    : null;
}

/**
 * When each database was switched to indirect checkpoints since a moment, first of all or after it was last taken back;
 * null: not since then.
 */
export function findSwitches(
  changes: readonly DatabaseChange[],
  sinceUtcMs: number,
): (databaseId: number) => number | null {
  const moments = new Map<number, number>();
  for (const { databaseId, atUtcMs, source, toSeconds } of [...changes].sort(
    (a, b) => a.atUtcMs - b.atUtcMs,
  )) {
    const isSwitch = toSeconds === null ? source === 'user' : toSeconds > 0;
    if (toSeconds === 0) moments.delete(databaseId);
    else if (isSwitch && atUtcMs >= sinceUtcMs && !moments.has(databaseId)) moments.set(databaseId, atUtcMs);
  }
  return (databaseId) => moments.get(databaseId) ?? null;
}

/** The change of one database, by the id that it has now. */
export interface DatabaseChange extends ChangeMoment {
  readonly databaseId: number;
}
