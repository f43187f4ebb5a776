import { type DatabaseCopy, findPrimary, isForwarding } from './group';

type SynchronizationState = 'NOT SYNCHRONIZING' | 'SYNCHRONIZING' | 'SYNCHRONIZED';

/** Where the log of one copy stands, in log records since the model began. */
export interface Movement {
  readonly state: SynchronizationState;
  readonly writtenRecords: number;
  readonly hardenedRecords: number;
  readonly redoneRecords: number;
}

export function measureCopy(copy: DatabaseCopy, nowUs: number): Movement {
  const hardenedRecords = copy.hardenedAt(nowUs);
  const redoneRecords = copy.isWritable ? hardenedRecords : copy.redoneAt(nowUs);
  const writtenRecords = copy.isWritable ? hardenedRecords : copy.database.log.writtenAt(nowUs);
  return { state: findState(copy), writtenRecords, hardenedRecords, redoneRecords };
}

/**
 * A primary is as synchronized as the best of its secondaries: the documentation shows SYNCHRONIZED for it "in place of
 * SYNCHRONIZING".
 */
function findState(copy: DatabaseCopy): SynchronizationState {
  const { replica } = copy;
  if (!copy.isJoined || copy.isSuspended || replica.role === 'RESOLVING') return 'NOT SYNCHRONIZING';
  if (replica.role === 'PRIMARY' && !isForwarding(replica.group)) return 'SYNCHRONIZED';
  if (findPrimary(replica.group) === undefined) return 'NOT SYNCHRONIZING';
  return replica.description.isSynchronous && !isForwarding(replica.group) ? 'SYNCHRONIZED' : 'SYNCHRONIZING';
}

/** Kilobytes of log between two places in it. */
export function countLogKb(fromRecords: number, toRecords: number, bytesPerLogRecord: number): number {
  return Math.max(0, Math.round(((toRecords - fromRecords) * bytesPerLogRecord) / 1024));
}
