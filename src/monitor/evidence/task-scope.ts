import type { CheckpointColumns, Observation } from '../../core/capture/checkpoint-columns';
import { addToList } from '../../core/lists';
import { findAutomaticTime } from '../../core/task/automatic-time';
import type { BackupRun } from '../../core/task/backup-rows';
import type { ChangeMoment } from '../../core/task/change-moment';
import { listChanges } from '../../core/comparison/changes';
import { isSnapshotNear, type TaskScope } from '../../core/task/checkpoint-task';
import { findLoops } from '../../core/task/loops';
import { createBackupNear } from '../../core/task/task-overlap';
import type { EvidenceSources } from './evidence-world';
import type { JoinedDatabase } from './joined-database';

/** The task in all the time of the capture. */
export function scopeTask(
  { readings, facts }: EvidenceSources,
  databases: readonly JoinedDatabase[],
  observation: Observation,
): TaskScope {
  const targets = new Map<number, number | null>();
  const changes = new Map<number, readonly ChangeMoment[]>();
  const backups = new Map<number, readonly BackupRun[]>();
  for (const one of databases) {
    targets.set(one.index, one.targetSeconds);
    // Each once: the error log does not say from which value, and what we saw does.
    changes.set(one.index, listChanges(one.changes));
    if (one.backups !== null) backups.set(one.index, one.backups);
  }
  const snapshots = new Map<number, number[]>();
  const joined = new Map(databases.map((one) => [one.databaseId, one]));
  for (const { databaseId, snapshotOf } of facts.databases) {
    const source = snapshotOf == null ? undefined : joined.get(snapshotOf);
    if (source !== undefined)
      addToList(snapshots, source.index, joined.get(databaseId)?.createdUtcMs ?? -Infinity);
  }
  const areBackupsKnown = readings.backups?.kind === 'observed';
  return {
    window: observation,
    observation,
    automatic: findAutomaticTime(targets, changes),
    backups: areBackupsKnown ? backups : null,
    snapshots,
  };
}

/** The loops of CHECKPOINT in all the time of the capture. */
export function listLoops(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  columns: CheckpointColumns,
  observation: Observation,
): ReturnType<typeof findLoops> {
  const scope = scopeTask(sources, databases, observation);
  const isNear = createBackupNear(scope.backups ?? new Map());
  return findLoops(
    columns,
    (row) =>
      isNear(columns.database[row] ?? 0, columns.beginUtcMs[row] ?? 0) || isSnapshotNear(scope, columns, row),
  );
}
