/** Which databases a review of a switch begins with. */
import type { DatabaseFacts, Facts } from './facts';
import type { Group } from './verdict-names';
import type { Verdict } from './verdict';

export interface Proposal {
  readonly databaseIds: readonly number[];
  /** Databases that the user chose. */
  readonly namedIds: readonly number[];
  /** A first wave was run since the forecast was made, so these need no canary of their own. */
  readonly isCanaryRun?: boolean;
  /** They go back to automatic checkpoints. */
  readonly rollsBack?: boolean;
}

/**
 * The databases that the user chose; else those of the group; else those that the verdict on the instance advises and
 * those that are not as the policy wants. Databases that the forecast does not need are proposed only if the user chose
 * them. All others stand on the page with the reason, one click away.
 */
export function proposeDatabases(
  pointedAt: { readonly databaseIds: readonly number[]; readonly group: Group | null },
  facts: Facts,
  verdicts: ReadonlyMap<number, Verdict>,
  advised: readonly number[],
): Proposal {
  if (pointedAt.databaseIds.length > 0)
    return { databaseIds: pointedAt.databaseIds, namedIds: pointedAt.databaseIds };
  const { group } = pointedAt;
  if (group !== null) {
    const own = facts.databases.filter(({ databaseId }) => verdicts.get(databaseId)?.group === group);
    const needed = own.filter(({ databaseId }) => verdicts.get(databaseId)?.isIfNeeded !== true);
    return { databaseIds: listIds(needed), namedIds: [] };
  }
  const unwanted = facts.databases.filter(
    ({ databaseId }) => verdicts.get(databaseId)?.group === 'Not as the policy wants',
  );
  return { databaseIds: [...new Set([...advised, ...listIds(unwanted)])], namedIds: [] };
}

const listIds = (databases: readonly DatabaseFacts[]): readonly number[] =>
  databases.map(({ databaseId }) => databaseId);
