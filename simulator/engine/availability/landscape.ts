import type { ModelledServer } from '../modelled-server';
import type { ContainedServer } from './contained-server';
import { errors } from './errors';
import { failOver } from './failover';
import { findPrimary, findReplica, type Group, type Role } from './group';
import type { Topology } from './topology';

export interface GroupListener {
  readonly dnsName: string;
  readonly group: string;
  readonly isContained: boolean;
  /** Every server that it may lead to; through the listener of a contained group they look different. */
  readonly servers: readonly [ModelledServer, ...ModelledServer[]];
  /** Where the primary is now; undefined while there is none. */
  readonly find: () => ModelledServer | undefined;
}

/** The servers of one scenario, on one clock. */
export class Landscape {
  constructor(
    /** The scenario's own server first. */
    readonly servers: readonly [ModelledServer, ...ModelledServer[]],
    private readonly topology: Topology | undefined,
    private readonly contained: readonly ContainedServer[],
  ) {}

  /** Listeners of the groups, in their order. */
  get listeners(): readonly GroupListener[] {
    return this.groups.flatMap((group) => {
      const { listener, name, kind } = group;
      const isContained = kind === 'contained';
      const candidates = isContained
        ? this.contained.filter((each) => each.group === group).map(({ server }) => server)
        : this.servers.filter(({ serverName }) => findReplica(group, serverName) !== undefined);
      const find = (): ModelledServer | undefined =>
        candidates.find(({ serverName }) => serverName === findPrimary(group)?.description.server);
      return listener === undefined
        ? []
        : [{ dnsName: listener.dnsName, group: name, isContained, servers: candidates as [ModelledServer, ...ModelledServer[]], find }];
    });
  }

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
