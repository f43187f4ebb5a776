/** What the product computes in steps, taken to its end at once. */
import type { DatabaseFacts, Facts } from '../../src/core/advice/facts';
import type { Preflight } from '../../src/core/advice/finding';
import type { Choice, Plan, PlanGrounds } from '../../src/core/advice/plan';
import { planSwitch as stepPlan } from '../../src/core/advice/switch-plan';
import { checkPreflight as stepPreflight } from '../../src/core/advice/rules/preflight';
import type { Capture } from '../../src/core/capture/capture';
import type { Catalog } from '../../src/core/capture/catalog';
import {
  type CheckpointStatistics,
  computeStatistics as stepStatistics,
} from '../../src/core/statistics/statistics';
import { finishSteps, type Steps } from '../../src/core/steps';

export function planSwitch(
  choice: Choice,
  facts: Facts,
  describe: (database: DatabaseFacts) => string,
  grounds: PlanGrounds = {},
): Plan {
  return finishSteps(stepPlan(choice, facts, describe, grounds));
}

export function checkPreflight(
  facts: Facts,
  databases = facts.databases,
  problems: readonly string[] = [],
  unreadable: readonly string[] = [],
): Preflight {
  return finishSteps(stepPreflight(facts, databases, problems, unreadable));
}

export function nameDatabases(capture: Capture, catalog: Catalog): void {
  finishSteps(capture.nameDatabases(catalog));
}

export function computeStatistics(...of: Parameters<typeof stepStatistics>): readonly CheckpointStatistics[] {
  return finishSteps(stepStatistics(...of)).databases;
}

/** Takes steps to their end and counts the pauses; `between` is called at each. */
export function countPauses<T>(
  steps: Steps<T>,
  between = (): void => undefined,
): { readonly pauses: number; readonly value: T } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { pauses, value: step.value };
    between();
  }
}
