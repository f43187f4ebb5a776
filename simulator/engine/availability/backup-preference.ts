import { findPrimary, type Replica } from './group';

/**
 * Backups prefer a secondary here, as they do by default: the connected one of the highest priority, the first in order among equals; the primary where there is
 * none. Microsoft Learn, "sys.fn_hadr_backup_is_preferred_replica" and "Offload supported backups to secondary replicas".
 */
export function isPreferredForBackup(replica: Replica): boolean {
  const { group } = replica;
  const secondaries = group.replicas.filter((each) => each.role === 'SECONDARY' && each.description.backupPriority > 0);
  const [preferred = findPrimary(group)] = [...secondaries].sort((a, b) => b.description.backupPriority - a.description.backupPriority);
  return preferred === replica;
}
