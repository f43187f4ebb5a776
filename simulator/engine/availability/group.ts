import type { ListenerDescription, ReplicaDescription } from '../../scenarios/landscape';
import type { DatabaseCopy } from './database-copy';
import type { SharedLog } from './shared-log';

export type Role = 'RESOLVING' | 'PRIMARY' | 'SECONDARY';

/** One replica: a server that hosts copies of the group's databases; of a distributed group, another group. */
export interface Replica {
  readonly id: string;
  readonly group: Group;
  readonly description: ReplicaDescription;
  /** In the group's own order, from 1. */
  readonly ordinal: number;
  /** Of a distributed group: the group that the replica stands for. */
  readonly underlying?: Group;
  role: Role;
  /** The command that makes it the primary is under way. */
  isPending: boolean;
}

export interface GroupDatabase {
  /** The same on every replica, unlike database_id. docs/facts.md, SQL Server 2. */
  readonly id: string;
  readonly name: string;
  readonly bytesPerLogRecord: number;
  readonly writesLog: boolean;
  /** What its workload is drawn from, on whichever server it runs. */
  readonly meterKey: { readonly seed: number; readonly databaseId: number };
  readonly log: SharedLog;
  /** By server name. */
  readonly copies: Map<string, DatabaseCopy>;
}

export interface Group {
  readonly id: string;
  readonly resourceId: string;
  readonly name: string;
  readonly kind: 'ordinary' | 'contained' | 'distributed';
  readonly cluster: string;
  readonly listener?: ListenerDescription & { readonly id: string };
  readonly replicas: Replica[];
  readonly databases: GroupDatabase[];
  /** The distributed group that this one is a replica of. */
  distributed?: Replica;
}

export function findPrimary(group: Group): Replica | undefined {
  return group.replicas.find((replica) => replica.role === 'PRIMARY');
}

export function findReplica(group: Group, server: string): Replica | undefined {
  return group.replicas.find((replica) => replica.description.server === server);
}

/** Whether the primary of this group only hands on what another group's primary writes. docs/facts.md, SQL Server 2. */
export function isForwarding(group: Group): boolean {
  return group.distributed?.role === 'SECONDARY';
}
