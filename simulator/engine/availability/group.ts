import type { ListenerDescription, ReplicaDescription } from '../../scenarios/landscape';
import type { SqlError } from '../../tds/handler';
import { errors } from './errors';
import type { PrimaryMeter, SharedLog } from './shared-log';

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
  /** Its workload is drawn from this, so that it is the same on every server. */
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

/** Whether the primary of this group is a forwarder. docs/facts.md, SQL Server 2. */
export function isForwarding(group: Group): boolean {
  return group.distributed?.role === 'SECONDARY';
}

type Reader = (atUs: number) => number;

/** One database of a group on one server. */
export class DatabaseCopy {
  /** Counts the server's own work. */
  meter: PrimaryMeter | undefined;
  /** Rises whenever the server ends the connections that are in the database. */
  era = 0;
  /** When the copy took its present role. */
  sinceUs: number;
  /** When data movement was suspended here; undefined while log is sent. */
  private suspendedAtUs: number | undefined;
  private hardened: Reader;
  private redone: Reader;

  constructor(
    readonly database: GroupDatabase,
    readonly replica: Replica,
    readonly isJoined: boolean,
    startUs: number,
  ) {
    this.sinceUs = startUs;
    this.hardened = database.log.createReader();
    this.redone = database.log.createReader();
  }

  get replicaId(): string {
    return this.replica.id;
  }

  get groupDatabaseId(): string {
    return this.database.id;
  }

  /** Whether it writes log: a primary does, unless it is a forwarder. */
  get isWritable(): boolean {
    return this.replica.role === 'PRIMARY' && !isForwarding(this.replica.group);
  }

  get isSuspended(): boolean {
    return this.suspendedAtUs !== undefined;
  }

  /**
   * Why a connection cannot be in the database; undefined if it can. A forwarder takes readers: it is a secondary
   * replica of a distributed group, and those allow all connections. Which error it would give otherwise is not
   * published.
   */
  refuse(readOnlyIntent: boolean): SqlError | undefined {
    const { name } = this.database;
    const { role, description } = this.replica;
    if (role === 'RESOLVING') return errors.notPrimaryOrSecondary(name);
    if (role === 'PRIMARY') return undefined;
    if (description.readable === 'NO') return errors.notReadable(name);
    return description.readable === 'READ_ONLY' && !readOnlyIntent
      ? errors.readOnlyIntentNeeded(name)
      : undefined;
  }

  /** Milliseconds from a write on the primary until the log of it is on disk here. */
  get sendLagMs(): number {
    const { role, group, description } = this.replica;
    const across = isForwarding(group) ? (group.distributed?.description.sendLagMs ?? 0) : 0;
    return across + (role === 'PRIMARY' ? 0 : description.sendLagMs);
  }

  get redoLagMs(): number {
    return this.isWritable ? 0 : this.replica.description.redoLagMs;
  }

  hardenedAt(atUs: number): number {
    return this.hardened(this.movedAt(atUs) - this.sendLagMs * 1000);
  }

  redoneAt(atUs: number): number {
    return this.redone(this.movedAt(atUs) - (this.sendLagMs + this.redoLagMs) * 1000);
  }

  /** Log is sent up to this moment; in the past if data movement is suspended. */
  movedAt(atUs: number): number {
    if (this.isWritable) return atUs;
    return Math.min(atUs, this.suspendedAtUs ?? atUs);
  }

  /** How long a change of the primary takes to show here; undefined while nothing is sent. */
  get delayUs(): number | undefined {
    const isCutOff = this.isSuspended || !this.isJoined || findPrimary(this.replica.group) === undefined;
    return isCutOff ? undefined : (this.sendLagMs + this.redoLagMs) * 1000;
  }

  suspend(atUs: number): void {
    this.suspendedAtUs = atUs;
  }

  resume(): void {
    this.suspendedAtUs = undefined;
    this.hardened = this.database.log.createReader();
    this.redone = this.database.log.createReader();
  }

  /** Call it after a change of role: the lag behind the log changes, and connections end. */
  roleChanged(atUs: number): void {
    this.sinceUs = atUs;
    this.era += 1;
    this.hardened = this.database.log.createReader();
    this.redone = this.database.log.createReader();
  }
}
