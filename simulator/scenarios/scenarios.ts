import { makeLegacyUpgrade } from './legacy-upgrade';
import type { MakeScenario } from './scenario';

/** Every scenario by the name that `--scenario` takes. */
export const SCENARIOS = { 'legacy-upgrade': makeLegacyUpgrade } satisfies Record<string, MakeScenario>;

export type ScenarioName = keyof typeof SCENARIOS;
