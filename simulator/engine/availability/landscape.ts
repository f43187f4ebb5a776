import type { ModelledServer } from '../modelled-server';
import { errors } from './errors';
import { failOver } from './failover';
import { findPrimary, findReplica, type Group, type Role } from './group';
import type { Topology } from './topology';

/** The servers of one scenario, on one clock. */
export class Landscape {
  constructor(
    /** The scenario's own server first. */
    readonly servers: readonly [ModelledServer, ...ModelledServer[]],
    private readonly topology: Topology | undefined,
  ) {}

  /** Availability groups whose replicas are servers; none where the scenario is one server by itself. */
  get groups(): readonly Group[] {
    return this.topology?.groups.filter(({ kind }) => kind !== 'distributed') ?? [];
  }

  /** The server that has the primary of a group now; undefined while the group has none. */
  findPrimary(group: string): ModelledServer | undefined {
    const found = this.groups.find(({ name }) => name === group);
    const primary = found === undefined ? undefined : findPrimary(found);
    return this.servers.find(({ serverName }) => serverName === primary?.description.server);
  }

  /** Roles of a server's replicas, by group. */
  rolesOf(server: string): Readonly<Record<string, Role>> {
    return Object.fromEntries(
      this.groups.flatMap((group) => {
        const replica = findReplica(group, server);
        return replica === undefined ? [] : [[group.name, replica.role] as const];
      }),
    );
  }

  /**
   * What ALTER AVAILABILITY GROUP ... FAILOVER on that server begins; virtual time finishes it.
   * @returns virtual milliseconds until that server has the primary
   * @throws SqlError 15151, 41113, 41122, 41142
   */
  failover(group: string, server: string, { force = false }: { readonly force?: boolean } = {}): number {
    const { topology } = this;
    const target = topology?.worlds.get(server);
    const found = topology?.groups.find(({ name }) => name === group);
    if (topology === undefined || target === undefined || found === undefined) throw errors.noSuchGroup(group);
    const nowUs = target.catchUp();
    return (failOver({ group: found, target, force, worlds: topology.worlds, agenda: topology.agenda }, nowUs) - nowUs) / 1000;
  }
}
