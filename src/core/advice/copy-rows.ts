/** Rows about the copies of databases in availability groups. */
import { bit, defineRow, integer, nullable, readRows, text, type TextRows } from '../rows';
import type { Readings } from './fact-rows';
import type { AvailabilityRole, DatabaseCopies } from './facts';

const copyRow = defineRow({
  database_id: integer(),
  group_database_id: text(),
  known_copies: integer(),
  redo_queue_kb: nullable(integer()),
  log_send_queue_kb: nullable(integer()),
});
const memberRow = defineRow({ distributed_group: text(), member_group: text(), member_role: nullable(text()), is_local: bit() });

export interface CopiesReading {
  readonly databaseId: number;
  readonly groupDatabaseId: string;
  readonly known: number;
  readonly redoQueueKb: number | null;
  readonly logSendQueueKb: number | null;
}

/** The answer of sql/read/database-copies.sql. */
export function readDatabaseCopies(set: TextRows): Readings<CopiesReading> {
  const { rows, problems } = readRows(copyRow, set);
  const values = rows.map((row) => ({
    databaseId: row.database_id,
    groupDatabaseId: row.group_database_id,
    known: row.known_copies,
    redoQueueKb: row.redo_queue_kb,
    logSendQueueKb: row.log_send_queue_kb,
  }));
  return { values, problems };
}

/** A group that is part of a distributed group. */
export interface GroupMember {
  readonly distributedGroup: string;
  readonly memberGroup: string;
  /** PRIMARY takes the writes; null where this replica does not know. */
  readonly role: string | null;
  readonly isLocal: boolean;
}

/** The answer of sql/read/distributed-groups.sql. */
export function readDistributedGroups(set: TextRows): Readings<GroupMember> {
  const { rows, problems } = readRows(memberRow, set);
  const values = rows.map((row) => ({
    distributedGroup: row.distributed_group,
    memberGroup: row.member_group,
    role: row.member_role,
    isLocal: row.is_local,
  }));
  return { values, problems };
}

/** By database_id. A database's own group is found by its role here; where that cannot be seen, neither can a distributed group. */
export function joinCopies(
  copies: readonly CopiesReading[],
  members: readonly GroupMember[],
  roles: ReadonlyMap<number, AvailabilityRole>,
): ReadonlyMap<number, DatabaseCopies> {
  return new Map(
    copies.map(({ databaseId, ...copy }) => {
      const group = roles.get(databaseId)?.groupName ?? '';
      const member = group === '' ? undefined : members.find(({ memberGroup }) => memberGroup.toLowerCase() === group.toLowerCase());
      const isForwarder = member === undefined || member.role === null ? null : member.role === 'SECONDARY';
      return [databaseId, { ...copy, distributedGroup: member?.distributedGroup ?? null, isForwarder }];
    }),
  );
}
