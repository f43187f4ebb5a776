import { makeAvailabilityGroup } from './availability-group';
import { makeAzureSqlDatabase } from './azure-sql-database';
import { makeHealthy } from './healthy';
import { makeIdleServer } from './idle';
import { makeIoStorm } from './io-storm';
import { makeLargeMemory } from './large-memory';
import { makeLegacyUpgrade } from './legacy-upgrade';
import { makeLinux } from './linux';
import { makeManagedInstance } from './managed-instance';
import { makeOneHog, makeTakingTurns } from './queues';
import { makeRds } from './rds';
import type { Random } from './random';
import { makeSample } from './sample';
import type { MakeScenario, Scenario, ScenarioOptions, ServerDescription } from './scenario';

/** Every scenario by the name that `--scenario` takes. */
export const SCENARIOS = {
  'legacy-upgrade': makeLegacyUpgrade,
  healthy: makeHealthy,
  'io-storm': makeIoStorm,
  idle: makeIdleServer,
  'large-memory': makeLargeMemory,
  'availability-group': makeAvailabilityGroup,
  linux: makeLinux,
  'managed-instance': makeManagedInstance,
  'azure-sql-database': makeAzureSqlDatabase,
  rds: makeRds,
  'taking-turns': makeTakingTurns,
  'one-hog': makeOneHog,
  sample: makeSample,
} satisfies Record<string, MakeScenario>;

export type ScenarioName = keyof typeof SCENARIOS;

/** Makes the scenario of that name, with the start-up options, the history and the place that the options say. */
export function drawScenario(name: ScenarioName, random: Random, options: ScenarioOptions): Scenario {
  const scenario = SCENARIOS[name](random, options);
  const { traceFlags = [], ...startup } = options.startup ?? {};
  const server: ServerDescription = { ...scenario.server, ...startup, ...options.history, ...options.place };
  if (traceFlags.length === 0) return { ...scenario, server };
  return {
    ...scenario,
    server: { ...server, traceFlags: [...new Set([...(server.traceFlags ?? []), ...traceFlags])] },
  };
}
