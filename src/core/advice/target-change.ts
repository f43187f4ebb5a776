/** A change of target recovery time, noted when we saw the value change. */
export interface TargetChange {
  readonly databaseId: number;
  readonly atUtcMs: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}
