/** When a database's target recovery time changed, and from where that is known. */
export interface ChangeMoment {
  readonly atUtcMs: number;
  /**
   * `error log`: message 5084 says so, to 10 ms; `observed`: two readings of the catalog differ, so the change lies between them and is dated by the later;
   * `user`: set by hand.
   */
  readonly source: 'error log' | 'observed' | 'user';
  /** For `observed`, the reading before: the change is not older. Else the same as atUtcMs. */
  readonly notBeforeUtcMs: number;
  /** null: not known. 0: automatic checkpoints. */
  readonly fromSeconds: number | null;
  readonly toSeconds: number | null;
}

/** The change of one database, by the id that it has now. */
export interface DatabaseChange extends ChangeMoment {
  readonly databaseId: number;
}
