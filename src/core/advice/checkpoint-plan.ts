import { type DatabaseFacts, type Facts, findOf, isSystemDatabase } from './facts';
import { explainMissing, findObstacle, type Obstacle } from './obstacle';

/** How long a CHECKPOINT of one database will probably take. */
export interface CheckpointEstimate {
  /** Milliseconds; null if nothing was measured. */
  readonly estimatedMs: number | null;
  /** What the estimate rests on, one line; '' if nothing was seen. */
  readonly basis: string;
}

/** One database that a script will checkpoint, in order. */
export interface CheckpointStep extends CheckpointEstimate {
  readonly database: DatabaseFacts;
}

/** One database that was asked for and is not in the script. */
export interface LeftOut {
  readonly name: string;
  readonly obstacle: Obstacle;
}

export interface CheckpointPlan {
  readonly steps: readonly CheckpointStep[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Which databases a script will checkpoint, the most work first: by their estimates, then by the log written since
 * their last checkpoint, then by their size. A run that is cut short has then done most of the work.
 * @param databaseIds null: every user database with automatic checkpoints
 */
export function planCheckpoints(
  databaseIds: readonly number[] | null,
  facts: Facts,
  estimate: (database: DatabaseFacts) => CheckpointEstimate,
): CheckpointPlan {
  const byId = new Map(facts.databases.map((database) => [database.databaseId, database]));
  const automatic = facts.databases.filter(
    ({ databaseId, targetSeconds }) => !isSystemDatabase(databaseId) && targetSeconds === 0,
  );
  const asked = [...new Set(databaseIds ?? automatic.map(({ databaseId }) => databaseId))];
  const missing = asked.filter((id) => !byId.has(id));
  const steps: CheckpointStep[] = [];
  const leftOut = missing.map((id): LeftOut => ({
    name: `database_id ${id}`,
    obstacle: explainMissing(facts),
  }));
  for (const database of asked.flatMap((id) => byId.get(id) ?? [])) {
    const obstacle = findObstacle(database, facts);
    if (obstacle === null) steps.push({ database, ...estimate(database) });
    else leftOut.push({ name: database.name, obstacle });
  }
  return { steps: steps.sort((a, b) => compareWork(a, b, facts)), leftOut };
}

/**
 * Splits the steps into this many lists, to be run in as many windows at once. Each step goes to the list with the
 * least estimated work so far. Every list keeps the order. No list is empty.
 */
export function splitCheckpoints(
  steps: readonly CheckpointStep[],
  windows: number,
): readonly (readonly CheckpointStep[])[] {
  const lists = Array.from({ length: Math.max(1, Math.min(windows, steps.length)) }, () => ({
    steps: [] as CheckpointStep[],
    workMs: 0,
  }));
  for (const step of steps) {
    const least = lists.reduce((best, list) => (list.workMs < best.workMs ? list : best));
    least.steps.push(step);
    // Steps without an estimate count a little too, so that they do not all land in one list.
    least.workMs += Math.max(1, step.estimatedMs ?? 0);
  }
  return lists.map((list) => list.steps);
}

function compareWork(a: CheckpointStep, b: CheckpointStep, facts: Facts): number {
  const byEstimate = (b.estimatedMs ?? -1) - (a.estimatedMs ?? -1);
  return (
    byEstimate ||
    findLogMb(b.database, facts) - findLogMb(a.database, facts) ||
    findDataMb(b.database, facts) - findDataMb(a.database, facts) ||
    a.database.databaseId - b.database.databaseId
  );
}

function findLogMb({ databaseId }: DatabaseFacts, { logs }: Facts): number {
  return findOf(logs, databaseId)?.sinceCheckpointMb ?? -1;
}

function findDataMb({ databaseId }: DatabaseFacts, { files }: Facts): number {
  return findOf(files, databaseId)?.dataMb ?? -1;
}
