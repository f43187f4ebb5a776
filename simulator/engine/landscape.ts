import { createRandom } from '../scenarios/random';
import { MODEL_START_UTC_MS, type Scenario, type ScenarioOptions } from '../scenarios/scenario';
import { drawScenario, type ScenarioName } from '../scenarios/scenarios';
import { startBuiltInSessions } from './world/built-in-sessions';
import { makeModelledServer, type ModelledServer } from './modelled-server';
import { createTime, createWorld, type World, type WorldOptions } from './world/world';
import { makeContainedServers, type ContainedServer } from './contained-server';
import { errors } from './availability/errors';
import { failOver } from './availability/failover';
import { findPrimary, findReplica, type Group, type Role } from './availability/group';
import { ServerAvailability } from './availability/server-availability';
import { createTopology, type Topology } from './availability/topology';

export interface ModelledServerOptions extends ScenarioOptions {
  readonly scenario?: ScenarioName;
  readonly seed?: number;
  /**
   * Virtual milliseconds for each real one. At 0 time stands still until it is advanced, for tests that must not depend
   * on real time.
   */
  readonly rate?: number;
}

const SCENARIO_STREAM = 0;
/** Each server has a seed of its own; the first has the same as it would alone. */
const SEED_STEP = 7919;

/**
 * A SQL Server that exists only as numbers. Scenario, seed and the virtual times of commands decide all that it does.
 */
export function createModelledServer(options: ModelledServerOptions = {}): ModelledServer {
  return createLandscape(options).servers[0];
}

/** All servers of a scenario on one clock, the scenario's own server first. */
export function createLandscape({ seed = 1, rate = 1, ...options }: ModelledServerOptions = {}): Landscape {
  const scenario = drawScenario(
    options.scenario ?? 'legacy-upgrade',
    createRandom(seed, SCENARIO_STREAM),
    options,
  );
  const { worlds, topology } = createWorlds(scenario, { seed, rate, startUtcMs: MODEL_START_UTC_MS });
  const servers = worlds.map((world) => {
    startBuiltInSessions(world);
    return makeModelledServer(world);
  });
  const contained = topology === undefined ? [] : makeContainedServers(topology.groups, worlds);
  return new Landscape(servers as [ModelledServer, ...ModelledServer[]], topology, contained);
}

/** The topology is absent if the scenario is a single server. */
function createWorlds(
  scenario: Scenario,
  options: WorldOptions,
): { readonly worlds: readonly World[]; readonly topology?: Topology } {
  const { landscape } = scenario;
  if (landscape === undefined) return { worlds: [createWorld(scenario, options)] };
  const { clock, agenda } = createTime(scenario.server, options);
  const servers = [scenario, ...landscape.others];
  const topology = createTopology(servers, landscape, {
    seed: options.seed,
    startUs: options.startUtcMs * 1000,
    agenda,
  });
  const worlds = servers.map((server, i) => {
    const availability = new ServerAvailability(topology, server.server.name);
    const world = createWorld(server, {
      ...options,
      seed: options.seed + i * SEED_STEP,
      shared: { clock, agenda, availability },
    });
    topology.hosts.set(server.server.name, world);
    return world;
  });
  return { worlds, topology };
}

interface GroupListener {
  readonly dnsName: string;
  readonly group: string;
  readonly isContained: boolean;
  /** Every server that it may lead to. Through the listener of a contained group they look different. */
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
        : [
            {
              dnsName: listener.dnsName,
              group: name,
              isContained,
              servers: candidates as [ModelledServer, ...ModelledServer[]],
              find,
            },
          ];
    });
  }

  /** Availability groups whose replicas are servers; none if the scenario is a single server. */
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
   * Begins a planned failover to that server; virtual time finishes it.
   * @returns virtual milliseconds until that server has the primary
   * @throws SqlError 15151, 41113, 41122, 41142
   */
  failover(group: string, server: string): number {
    const { topology } = this;
    const target = topology?.hosts.get(server);
    const found = topology?.groups.find(({ name }) => name === group);
    if (topology === undefined || target === undefined || found === undefined)
      throw errors.noSuchGroup(group);
    const nowUs = target.catchUp();
    return (failOver({ group: found, target, topology }, nowUs) - nowUs) / 1000;
  }
}
