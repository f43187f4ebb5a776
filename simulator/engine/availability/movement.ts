import { type DatabaseCopy, findPrimary, isForwarding } from './group';

export type SynchronizationState = 'NOT SYNCHRONIZING' | 'SYNCHRONIZING' | 'SYNCHRONIZED';
/** Microsoft Learn, "sys.dm_hadr_database_replica_states". */
export const SYNCHRONIZATION_STATES = { 'NOT SYNCHRONIZING': 0, SYNCHRONIZING: 1, SYNCHRONIZED: 2 } as const;
const HEALTHS = { NOT_HEALTHY: 0, PARTIALLY_HEALTHY: 1, HEALTHY: 2 } as const;
export type Health = keyof typeof HEALTHS;

/** Where the log of one copy stands, in log records since the model began. */
export interface Movement {
  readonly state: SynchronizationState;
  readonly health: Health;
  readonly writtenRecords: number;
  readonly hardenedRecords: number;
  readonly redoneRecords: number;
}

export function measureCopy(copy: DatabaseCopy, nowUs: number): Movement {
  const hardenedRecords = copy.hardenedAt(nowUs);
  const redoneRecords = copy.isWritable ? hardenedRecords : copy.redoneAt(nowUs);
  const state = findState(copy);
  const writtenRecords = copy.isWritable ? hardenedRecords : copy.database.log.writtenAt(nowUs);
  return { state, health: findHealth(copy, state), writtenRecords, hardenedRecords, redoneRecords };
}

/** A primary is as synchronized as the best of its secondaries: the documentation shows SYNCHRONIZED for it "in place of SYNCHRONIZING". */
function findState(copy: DatabaseCopy): SynchronizationState {
  const { replica } = copy;
  if (!copy.isJoined || copy.isSuspended || replica.role === 'RESOLVING') return 'NOT SYNCHRONIZING';
  if (replica.role === 'PRIMARY' && !isForwarding(replica.group)) return 'SYNCHRONIZED';
  if (findPrimary(replica.group) === undefined) return 'NOT SYNCHRONIZING';
  return replica.description.isSynchronous && !isForwarding(replica.group) ? 'SYNCHRONIZED' : 'SYNCHRONIZING';
}

function findHealth(copy: DatabaseCopy, state: SynchronizationState): Health {
  if (state === 'NOT SYNCHRONIZING') return 'NOT_HEALTHY';
  const wanted = copy.replica.description.isSynchronous && !isForwarding(copy.replica.group) ? 'SYNCHRONIZED' : 'SYNCHRONIZING';
  return state === 'SYNCHRONIZED' || state === wanted ? 'HEALTHY' : 'PARTIALLY_HEALTHY';
}

/** The least healthy of these. */
export function worst(healths: readonly Health[]): Health {
  return healths.reduce<Health>((least, each) => (HEALTHS[each] < HEALTHS[least] ? each : least), 'HEALTHY');
}

/** Kilobytes of log between two places in it. */
export function countLogKb(fromRecords: number, toRecords: number, bytesPerLogRecord: number): number {
  return Math.max(0, Math.round(((toRecords - fromRecords) * bytesPerLogRecord) / 1024));
}
