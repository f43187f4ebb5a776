import type { RunningCheckpoint } from '../checkpoints/running-checkpoint';
import type { Database } from '../databases/databases';
import type { LogMeter } from '../databases/workload';
import { type DatabaseCopy, findPrimary, findReplica, type Group, type Replica } from './group';
import { PrimaryMeter } from './shared-log';
import type { Topology } from './topology';

/** The availability groups as one server takes part in them. */
export class ServerAvailability {
  constructor(
    readonly topology: Topology,
    readonly server: string,
  ) {}

  /**
   * Groups with a replica here, and the distributed ones whose replica is a group with its primary here: other servers show nothing of them
   * (Microsoft Learn, "Distributed availability groups", View distributed availability group information).
   */
  get groups(): readonly Group[] {
    return this.topology.groups.filter((group) => this.localReplica(group) !== undefined);
  }

  localReplica(group: Group): Replica | undefined {
    if (group.kind !== 'distributed') return findReplica(group, this.server);
    return group.replicas.find(({ underlying }) => underlying !== undefined && findPrimary(underlying)?.description.server === this.server);
  }

  findGroup(name: string): Group | undefined {
    return this.groups.find((group) => group.name.toLowerCase() === name.toLowerCase());
  }

  /** The copies of a group's databases on this server. */
  localCopies(group: Group): readonly DatabaseCopy[] {
    return group.databases.flatMap((database) => this.localCopy(group, database.id) ?? []);
  }

  /** Every copy here, whichever its group. */
  get copies(): readonly DatabaseCopy[] {
    return this.topology.groups.filter(({ kind }) => kind !== 'distributed').flatMap((group) => this.localCopies(group));
  }

  /** Replicas of which this server knows the state: all of a group whose primary is here, else its own. */
  knownReplicas(group: Group): readonly Replica[] {
    const local = this.localReplica(group);
    if (local === undefined) return [];
    return local.role === 'PRIMARY' ? group.replicas : [local];
  }

  /** Makes the databases of the groups what they are here. A database that is not joined is restoring, and in no group. */
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
   * A checkpoint of a primary is redone on every copy that follows it: its pages are written there too, as page counters show, without any event
   * (one report of 2012, "Checkpoints on secondary replica AlwaysOn AG", Database Administrators Stack Exchange: docs/facts.md, SQL Server 3).
   */
  replay({ work, pages, writes, beginUs, endUs }: RunningCheckpoint): void {
    const copy = this.copies.find((each) => each === work.database.availability);
    if (copy?.isWritable !== true) return;
    for (const [server, follower] of this.followers(copy)) {
      const host = this.topology.hosts.get(server);
      const local = host?.databases.byName(follower.database.name);
      if (local !== undefined) host?.works.get(local.id)?.finish({ fromUs: beginUs, untilUs: endUs, pages, writes });
    }
  }

  /** A new target recovery time reaches the other copies when they have redone it; one that is suspended, or whose primary is, when it follows again. */
  follow(database: Database, nowUs: number): void {
    const copy = this.copies.find((each) => each === database.availability);
    for (const [server, follower] of copy === undefined ? [] : this.followers(copy)) this.adoptLater(server, follower, nowUs);
  }

  /** Data movement of a copy here goes on: it has what its primary has; where it is the primary, the others have it soon. */
  resumed(copy: DatabaseCopy, nowUs: number): void {
    if (copy.isWritable) for (const [server, follower] of this.followers(copy)) this.adoptLater(server, follower, nowUs);
    else this.adopt(this.server, copy, nowUs);
  }

  private adoptLater(server: string, follower: DatabaseCopy, nowUs: number): void {
    if (follower.delayUs === undefined) return;
    const dueUs = nowUs + follower.delayUs;
    this.topology.agenda.enter(dueUs, () => {
      if (follower.delayUs !== undefined) this.adopt(server, follower, dueUs);
    });
  }

  /** Takes over the target recovery time of the copy that is written. */
  private adopt(server: string, copy: DatabaseCopy, nowUs: number): void {
    const { name } = copy.database;
    const { hosts } = this.topology;
    const all = this.topology.groups.flatMap(({ databases }) => databases.filter(({ id }) => id === copy.groupDatabaseId));
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

  /** The joined copies of the same database on other servers, those of a distributed group's second group too. */
  private followers(copy: DatabaseCopy): readonly (readonly [server: string, follower: DatabaseCopy])[] {
    return this.topology.groups
      .filter(({ kind }) => kind !== 'distributed')
      .flatMap(({ databases }) => databases.filter(({ id }) => id === copy.groupDatabaseId).flatMap(({ copies }) => [...copies]))
      .filter(([, each]) => each !== copy && each.isJoined && each.delayUs !== undefined);
  }

  /** The copy of a group's database on this server; of a distributed group, that of the group it stands for. */
  localCopy(group: Group, databaseId: string): DatabaseCopy | undefined {
    const own = group.kind === 'distributed' ? this.localReplica(group)?.underlying : group;
    return own?.databases.find(({ id }) => id === databaseId)?.copies.get(this.server);
  }
}
