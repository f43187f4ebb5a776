import type { Facts } from '../core/advice/facts';
import type { DatabaseChange } from '../core/task/change-moment';

/** Databases whose target recovery time differs between two readings of the facts: it changed at some moment between them. */
export function findChanges(before: Facts | null, after: Facts): readonly DatabaseChange[] {
  if (before === null || before.server.serverName !== after.server.serverName) return [];
  const known = new Map(before.databases.map((database) => [`${database.databaseId} ${database.createdLocal}`, database.targetSeconds]));
  const between = { source: 'observed', notBeforeUtcMs: before.server.nowUtcMs, atUtcMs: after.server.nowUtcMs } as const;
  return after.databases.flatMap(({ databaseId, createdLocal, targetSeconds }) => {
    const fromSeconds = known.get(`${databaseId} ${createdLocal}`) ?? null;
    const isChange = fromSeconds !== null && targetSeconds !== null && fromSeconds !== targetSeconds;
    return isChange ? [{ databaseId, ...between, fromSeconds, toSeconds: targetSeconds }] : [];
  });
}
