import type { RunningCheckpoint } from '../checkpoints/running-checkpoint';
import type { Database } from '../databases/databases';
import type { LogMeter } from '../databases/workload';
import { type DatabaseCopy, findPrimary, findReplica, type Group, type Replica } from './group';
import { PrimaryMeter } from './shared-log';
import type { Topology } from './topology';

/** The part that one server takes in availability groups. */
export class ServerAvailability {
  constructor(
    readonly topology: Topology,
    readonly server: string,
  ) {}

  /**
   * Groups with a replica here. Also distributed groups, if one of their replicas is a group with its primary here:
   * other servers do not show them (Microsoft Learn, "Distributed availability groups", View distributed availability
   * group information).
   */
  get groups(): readonly Group[] {
    return this.topology.groups.filter((group) => this.localReplica(group) !== undefined);
  }

  localReplica(group: Group): Replica | undefined {
    if (group.kind !== 'distributed') return findReplica(group, this.server);
    return group.replicas.find(
      ({ underlying }) =>
        underlying !== undefined && findPrimary(underlying)?.description.server === this.server,
    );
  }

  localCopies(group: Group): readonly DatabaseCopy[] {
    return group.databases.flatMap((database) => this.localCopy(group, database.id) ?? []);
  }

  get copies(): readonly DatabaseCopy[] {
    return this.topology.groups
      .filter(({ kind }) => kind !== 'distributed')
      .flatMap((group) => this.localCopies(group));
  }

  /** Replicas whose state this server knows: all of the group if its primary is here, else its own. */
  knownReplicas(group: Group): readonly Replica[] {
    const local = this.localReplica(group);
    if (local === undefined) return [];
    return local.role === 'PRIMARY' ? group.replicas : [local];
  }

  /** Gives the databases of the groups their role here. A database that is not joined is restoring, and in no group. */
  attach(databases: readonly Database[]): void {
    for (const database of databases) {
      const copy = this.copies.find((each) => each.database.name === database.name);
      if (copy?.isJoined === true) database.availability = copy;
    }
  }

  /** Counts a database's work only while its primary is here. */
  wrapMeter(
    database: Database,
    makeMeter: (key: { readonly seed: number; readonly databaseId: number }) => LogMeter,
  ): LogMeter | undefined {
    const copy = this.copies.find((each) => each === database.availability);
    if (copy === undefined) return undefined;
    copy.meter = new PrimaryMeter(makeMeter(copy.database.meterKey), copy.isWritable);
    return copy.meter;
  }

  /**
   * Every copy that follows a primary redoes its checkpoint: it writes the pages too, and page counters show that, but
   * there is no event (one report of 2012, "Checkpoints on secondary replica AlwaysOn AG", Database Administrators
   * Stack Exchange: docs/facts.md, SQL Server 3).
   */
  replay({ work, pages, writes, beginUs, endUs }: RunningCheckpoint): void {
    const copy = this.copies.find((each) => each === work.database.availability);
    if (copy?.isWritable !== true) return;
    for (const [server, follower] of this.followers(copy)) {
      const host = this.topology.hosts.get(server);
      const local = host?.databases.byName(follower.database.name);
      if (local !== undefined)
        host?.works.get(local.id)?.finish({ fromUs: beginUs, untilUs: endUs, pages, writes });
    }
  }

  /** The other copies take a new target recovery time when they have redone it. */
  follow(database: Database, nowUs: number): void {
    const copy = this.copies.find((each) => each === database.availability);
    for (const [server, follower] of copy === undefined ? [] : this.followers(copy))
      this.adoptLater(server, follower, nowUs);
  }

  private adoptLater(server: string, follower: DatabaseCopy, nowUs: number): void {
    if (follower.delayUs === undefined) return;
    const dueUs = nowUs + follower.delayUs;
    this.topology.agenda.enter(dueUs, () => {
      if (follower.delayUs !== undefined) this.adopt(server, follower, dueUs);
    });
  }

  /** Takes the target recovery time of the copy that writes. */
  private adopt(server: string, copy: DatabaseCopy, nowUs: number): void {
    const { name } = copy.database;
    const { hosts } = this.topology;
    const all = this.topology.groups.flatMap(({ databases }) =>
      databases.filter(({ id }) => id === copy.groupDatabaseId),
    );
    const [source] = all.flatMap(({ copies }) => [...copies]).find(([, each]) => each.isWritable) ?? [];
    const written = hosts.get(source ?? '')?.databases.byName(name);
    const host = hosts.get(server);
    const local = host?.databases.byName(name);
    if (host === undefined || written === undefined || local === undefined || copy.isWritable) return;
    const hasChanged = local.targetRecoverySeconds !== written.targetRecoverySeconds;
    host.databases.setTarget(local, written.targetRecoverySeconds);
    const work = host.works.get(local.id);
    if (hasChanged && work !== undefined) host.checkpointer.targetChanged(work, nowUs);
  }

  /** The joined copies of the same database on other servers, also in the second group of a distributed group. */
  private followers(copy: DatabaseCopy): readonly (readonly [server: string, follower: DatabaseCopy])[] {
    return this.topology.groups
      .filter(({ kind }) => kind !== 'distributed')
      .flatMap(({ databases }) =>
        databases.filter(({ id }) => id === copy.groupDatabaseId).flatMap(({ copies }) => [...copies]),
      )
      .filter(([, each]) => each !== copy && each.isJoined && each.delayUs !== undefined);
  }

  /** The copy of a group's database on this server; for a distributed group, the copy of its group that is here. */
  localCopy(group: Group, databaseId: string): DatabaseCopy | undefined {
    const own = group.kind === 'distributed' ? this.localReplica(group)?.underlying : group;
    return own?.databases.find(({ id }) => id === databaseId)?.copies.get(this.server);
  }
}
