import { bit, defineRow, integer, nullable, type Readings, readValues, text, type TextRows } from '../rows';
import type { AvailabilityRole, DatabaseCopies, ServerState } from './facts';

const idOf = ({ databaseId }: { readonly databaseId: number }): number => databaseId;

const stateRow = defineRow({
  committed_target_mb: integer(),
  physical_memory_mb: integer(),
  has_buffer_pool_scan_complete: bit(),
  has_timestamp_utc: bit(),
});

const roleRow = defineRow({
  database_id: integer(),
  role_name: nullable(text()),
  group_name: nullable(text()),
  primary_replica: nullable(text()),
  replicas: nullable(text()),
});

const copyRow = defineRow({
  database_id: integer(),
  group_database_id: text(),
  redo_queue_kb: nullable(integer()),
});
const memberRow = defineRow({ member_group: text(), member_role: nullable(text()), is_local: bit() });

/** The answer of sql/read/server-state.sql. */
export function readServerState(set: TextRows): Readings<ServerState> {
  return readValues(stateRow, set, null, (row) => row);
}

/** The answer of sql/read/availability-roles.sql, by database_id. */
export function readAvailabilityRoles(set: TextRows): Readings<AvailabilityRole> {
  return readValues(roleRow, set, idOf, (row) => ({
    databaseId: row.databaseId,
    role: row.roleName ?? 'UNKNOWN',
    groupName: row.groupName ?? '',
    primaryReplica: row.primaryReplica,
    replicas: (row.replicas ?? '').split(',').filter((name) => name !== ''),
  }));
}

export interface CopiesReading extends Omit<DatabaseCopies, 'isForwarder'> {
  readonly databaseId: number;
}

/** The answer of sql/read/database-copies.sql. */
export function readDatabaseCopies(set: TextRows): Readings<CopiesReading> {
  return readValues(copyRow, set, idOf, (row) => row);
}

/** A group that is part of a distributed group. */
export interface GroupMember {
  readonly memberGroup: string;
  /** PRIMARY takes the writes; null if this replica does not know. */
  readonly role: string | null;
}

/** The answer of sql/read/distributed-groups.sql. */
export function readDistributedGroups(set: TextRows): Readings<GroupMember> {
  return readValues(memberRow, set, null, (row) => ({
    memberGroup: row.memberGroup,
    role: row.memberRole,
  }));
}

/**
 * By database_id. The role here says which group a database is in. Without a role, a distributed group is not seen
 * either.
 */
export function joinCopies(
  copies: readonly CopiesReading[],
  members: readonly GroupMember[],
  roles: ReadonlyMap<number, AvailabilityRole>,
): ReadonlyMap<number, DatabaseCopies> {
  return new Map(
    copies.map(({ databaseId, ...copy }) => {
      const group = roles.get(databaseId)?.groupName ?? '';
      // A server may tell names apart by upper and lower case. Only where none is the same does the case not count.
      const find = (form: (name: string) => string): GroupMember | undefined =>
        members.find(({ memberGroup }) => form(memberGroup) === form(group));
      const member = group === '' ? undefined : (find((name) => name) ?? find((name) => name.toLowerCase()));
      const isForwarder = member === undefined || member.role === null ? null : member.role === 'SECONDARY';
      return [databaseId, { ...copy, isForwarder }];
    }),
  );
}
