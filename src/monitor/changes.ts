import type { Facts } from '../core/advice/facts';
import type { TargetChange } from '../core/advice/target-change';

/** Databases whose target recovery time differs between two readings of the facts, dated by the later one. */
export function findChanges(before: Facts | null, after: Facts): readonly TargetChange[] {
  const known = new Map(before?.databases.map((database) => [`${database.databaseId} ${database.createdLocal}`, database.targetSeconds]));
  const changes: TargetChange[] = [];
  for (const { databaseId, createdLocal, targetSeconds } of after.databases) {
    const fromSeconds = known.get(`${databaseId} ${createdLocal}`);
    if (fromSeconds === undefined || fromSeconds === null || targetSeconds === null || fromSeconds === targetSeconds) continue;
    changes.push({ databaseId, atUtcMs: after.server.nowUtcMs, fromSeconds, toSeconds: targetSeconds });
  }
  return changes;
}
