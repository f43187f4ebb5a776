import type { Database } from '../databases/databases';
import type { Release } from '../../scenarios/releases';
import type { ErrorLog } from '../error-log/error-log';
import { recoveryMessages } from '../error-log/error-log-startup';
import type { Role } from './group';

const INFORMATIONAL = 'This is an informational message only. No user action is required.';
const SPID = 'spid35s';

/** Message 41089 and its relatives, as in published logs. */
export function writeTransition(log: ErrorLog, atUs: number, group: string, role: Role): void {
  if (role === 'SECONDARY') return;
  log.write(
    atUs,
    SPID,
    `Always On: The local replica of availability group '${group}' is preparing to transition to the ${role.toLowerCase()} role in response to a request from the Windows Server Failover Clustering (WSFC) cluster. ${INFORMATIONAL}`,
  );
}

/**
 * The states that a role goes through: a primary is pending first. Microsoft Learn, "Troubleshooting automatic failover
 * problems".
 */
export function writeStateChange(log: ErrorLog, atUs: number, group: string, from: Role, to: Role): void {
  const change = (before: string, after: string): void =>
    log.write(
      atUs,
      SPID,
      `The state of the local availability replica in availability group '${group}' has changed from '${before}' to '${after}'.`,
    );
  if (to !== 'PRIMARY') return change(`${from}_NORMAL`, `${to}_NORMAL`);
  change(`${from}_NORMAL`, 'PRIMARY_PENDING');
  change('PRIMARY_PENDING', 'PRIMARY_NORMAL');
}

/** Message 1480. */
export function writeRoleChange(log: ErrorLog, atUs: number, database: string, from: Role, to: Role): void {
  log.write(
    atUs,
    SPID,
    `The availability group database "${database}" is changing roles from "${from}" to "${to}" because the mirroring session or availability group failed over due to role synchronization. ${INFORMATIONAL}`,
  );
}

/** Messages 3454 and 3421 of a database that has just become primary. */
export function writeRecovery(
  log: ErrorLog,
  release: Release,
  atUs: number,
  database: Database,
  redoMs: number,
): void {
  const seconds = Math.max(1, Math.ceil(redoMs / 1000));
  for (const text of recoveryMessages(database, release, { seconds, analysisMs: 2, redoMs, undoMs: 1 }))
    log.write(atUs, SPID, text);
}
