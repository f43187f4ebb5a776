/** How the waves of a switch go, and what stops them, as sentences. */
import type { Plan } from '../advice/plan';
import { describeWaves } from './switch-introduction';
import { listParts } from './switch-parts';

export function describeStops(plan: Plan): readonly string[] {
  const parts = listParts(plan);
  const [first] = parts;
  if (plan.steps.length === 0 || first === undefined || first.waves <= 1)
    return ['One wave: all databases in one run. A database that fails does not keep the others from being changed.'];
  return parts.length === 1 ? describeWaves(first, plan) : ['A script for each wave.', ...describeWaves(parts[1] ?? first, plan)];
}
