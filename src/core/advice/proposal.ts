/** Which databases a review of a switch begins with. */
import type { DatabaseFacts, Facts } from './facts';
import { findObstacle } from './obstacle';
import { defaultTargetSeconds } from './target-seconds';
import type { Group, Verdict } from './verdict';

export interface Proposal {
  /** Chosen: also those that the plan will leave out, so that it says why. */
  readonly databaseIds: readonly number[];
  /** Those that the user pointed at. */
  readonly namedIds: readonly number[];
}

/**
 * The databases that were pointed at; else those of the group; else those judged 'Switch', held back from it, or not as the policy wants, or all automatic ones
 * where there is none of these, and with them every database that a plain "<> 60" would change and we do not: the plan leaves it out and gives the reason.
 */
export function proposeDatabases(
  pointedAt: { readonly databaseIds: readonly number[]; readonly group: Group | null },
  facts: Facts,
  verdicts: ReadonlyMap<number, Verdict>,
): Proposal {
  if (pointedAt.databaseIds.length > 0) return { databaseIds: pointedAt.databaseIds, namedIds: pointedAt.databaseIds };
  const judge = ({ databaseId }: DatabaseFacts): Verdict | undefined => verdicts.get(databaseId);
  const { group } = pointedAt;
  if (group !== null) return { databaseIds: listIds(facts.databases.filter((database) => judge(database)?.group === group)), namedIds: [] };
  const candidates = facts.databases.filter(({ targetSeconds }) => targetSeconds !== defaultTargetSeconds);
  const changeable = candidates.filter((database) => database.targetSeconds === 0 && findObstacle(database, facts) === null);
  const isAnyUrgent = changeable.some((database) => isUrgent(judge(database)));
  const others = changeable.filter((database) => isAnyUrgent && !isUrgent(judge(database)) && !isWanted(judge(database)));
  const notProposed = new Set(others);
  return { databaseIds: listIds(candidates.filter((database) => !notProposed.has(database))), namedIds: [] };
}

function isUrgent(verdict: Verdict | undefined): boolean {
  const isHarmed = verdict?.verdict === 'Switch' || verdict?.isHeldBack === true;
  return (isHarmed && !isWanted(verdict)) || verdict?.group === 'Not as the policy wants';
}

/** Automatic on purpose: chosen all the same, so that the plan says so. */
function isWanted(verdict: Verdict | undefined): boolean {
  return verdict?.group === 'As the policy wants';
}

function listIds(databases: readonly DatabaseFacts[]): readonly number[] {
  return databases.map(({ databaseId }) => databaseId);
}
