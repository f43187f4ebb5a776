/** Which databases a review of a switch begins with. */
import type { DatabaseFacts, Facts } from './facts';
import type { Group, Verdict } from './verdict';

export interface Proposal {
  readonly databaseIds: readonly number[];
  /** Those that the user pointed at. */
  readonly namedIds: readonly number[];
  /** A first wave was run since the forecast was made: what it had to teach is known, and no canary goes before these. */
  readonly isCanaryRun?: boolean;
}

/**
 * The databases that were pointed at; else those of the group; else those that the verdict on the instance advises, and those that are not as the policy wants.
 * Those that the forecast does not need are proposed only where they were pointed at. What is not proposed stands on the page with its reason, one click away.
 */
export function proposeDatabases(
  pointedAt: { readonly databaseIds: readonly number[]; readonly group: Group | null },
  facts: Facts,
  verdicts: ReadonlyMap<number, Verdict>,
  advised: readonly number[],
): Proposal {
  if (pointedAt.databaseIds.length > 0) return { databaseIds: pointedAt.databaseIds, namedIds: pointedAt.databaseIds };
  const { group } = pointedAt;
  if (group !== null) {
    const own = facts.databases.filter(({ databaseId }) => verdicts.get(databaseId)?.group === group);
    const needed = own.filter(({ databaseId }) => verdicts.get(databaseId)?.isIfNeeded !== true);
    return { databaseIds: listIds(needed), namedIds: [] };
  }
  const unwanted = facts.databases.filter(({ databaseId }) => verdicts.get(databaseId)?.group === 'Not as the policy wants');
  return { databaseIds: [...new Set([...advised, ...listIds(unwanted)])], namedIds: [] };
}

function listIds(databases: readonly DatabaseFacts[]): readonly number[] {
  return databases.map(({ databaseId }) => databaseId);
}
