/** What changed on the server since a reader saw a plan. Only what makes a script do something else counts, not new measurements. */
import type { Facts } from '../advice/facts';
import type { Plan, PlanStep, PrimarySteps } from '../advice/plan';
import { countOf } from '../format';
import { t } from '../language';

export interface PlanOfFacts {
  readonly plan: Plan;
  readonly facts: Facts;
}

const MOST_NAMED = 3;

/** The changes between two plans of the same choice, one sentence each; null if their scripts would do the same. */
export function describeReviewChanges(before: PlanOfFacts, now: PlanOfFacts): string | null {
  const [was, is] = [before.facts.server.serverName, now.facts.server.serverName];
  if (was !== is) return `Another server answers: ${is}, not ${was}.`;
  const changes = [...listStepChanges(before.plan, now.plan), ...listElsewhereChanges(before.plan, now.plan)];
  if (changes.length === 0) return null;
  const more = changes.length - MOST_NAMED;
  return [...changes.slice(0, MOST_NAMED), ...(more > 0 ? [countOf(more, t('{0} more change'), t('{0} more changes'))] : [])]
    .map((change) => `${change}.`)
    .join(' ');
}

function listStepChanges(before: Plan, now: Plan): readonly string[] {
  const steps = new Map(now.steps.map((step) => [step.database.databaseId, step]));
  const exclusions = new Map(now.exclusions.map((exclusion) => [exclusion.databaseId, exclusion]));
  const known = new Set(before.steps.map(({ database }) => database.databaseId));
  const changed = before.steps.flatMap((step) => {
    const { databaseId, name } = step.database;
    const next = steps.get(databaseId);
    if (next === undefined) return [`${name} ${withoutStop(exclusions.get(databaseId)?.reason ?? 'is not in the plan any more')}`];
    const change = describeChange(step, next);
    return change === null ? [] : [`${name} ${change}`];
  });
  const added = now.steps.filter(({ database }) => !known.has(database.databaseId));
  return [...changed, ...added.map(({ database }) => `${database.name} can be changed here now`)];
}

function describeChange(before: PlanStep, now: PlanStep): string | null {
  if (before.database.createdLocal !== now.database.createdLocal) return 'was dropped, and another database has its id';
  if (before.database.name !== now.database.name) return `is called ${now.database.name} now`;
  if (before.fromSeconds !== now.fromSeconds)
    return `has ${countOf(now.fromSeconds, t('{0} second'), t('{0} seconds'))} now, not ${before.fromSeconds}`;
  if (before.toSeconds !== now.toSeconds) return `is wanted at ${countOf(now.toSeconds, t('{0} second'), t('{0} seconds'))} now`;
  const [was, is] = [before.database.inAvailabilityGroup, now.database.inAvailabilityGroup];
  if (was !== is) return is ? 'is in an availability group now' : 'is in no availability group any more';
  // Its identity there cannot always be seen.
  const isOther = before.groupDatabaseId && now.groupDatabaseId && before.groupDatabaseId !== now.groupDatabaseId;
  return isOther ? 'is in another availability group now' : null;
}

function listElsewhereChanges(before: Plan, now: Plan): readonly string[] {
  const list = ({ elsewhere = [] }: Plan): ReadonlyMap<string, string> =>
    new Map(elsewhere.map((there) => [there.primary, writeSteps(there)]));
  const [was, is] = [list(before), list(now)];
  const servers = new Set([...was.keys(), ...is.keys()]);
  return [...servers].filter((server) => was.get(server) !== is.get(server)).map((server) => `the databases for ${server} are others now`);
}

/** Everything in the steps that goes into the script for that server. */
function writeSteps({ steps }: PrimarySteps): string {
  return JSON.stringify(
    steps.map(({ database, fromSeconds, toSeconds, groupDatabaseId = null }) => [database.name, fromSeconds, toSeconds, groupDatabaseId]),
  );
}

const withoutStop = (reason: string): string => reason.replace(/\.$/, '');
