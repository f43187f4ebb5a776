import type { Scenario } from '../../scenarios/scenario';
import { createTime, createWorld, type World, type WorldOptions } from '../world';
import { ServerAvailability } from './server-availability';
import { createTopology, type Topology } from './topology';

export interface LandscapeWorlds {
  /** The scenario's own server first. */
  readonly worlds: readonly [World, ...World[]];
  /** Absent where the scenario is one server by itself. */
  readonly topology?: Topology;
}

/** Every server of a scenario, on one clock. */
export function createWorlds(scenario: Scenario, options: WorldOptions): LandscapeWorlds {
  const { landscape } = scenario;
  if (landscape === undefined) return { worlds: [createWorld(scenario, options)] };
  const { clock, agenda } = createTime(scenario.server, options);
  const servers = [scenario, ...landscape.others];
  const topology = createTopology(servers, landscape, { seed: options.seed, startUs: options.startUtcMs * 1000, agenda });
  const worlds = servers.map((server, i) => {
    const availability = new ServerAvailability(topology, server.server.name);
    // Each server draws for itself; the first one as it would alone.
    const world = createWorld(server, { ...options, seed: options.seed + i * SEED_STEP, shared: { clock, agenda, availability } });
    topology.worlds.set(server.server.name, world);
    return world;
  });
  return { worlds: worlds as [World, ...World[]], topology };
}

const SEED_STEP = 7919;
