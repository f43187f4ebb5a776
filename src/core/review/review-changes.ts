/**
 * What changed on the server since a reader saw a plan. Only what makes a script do something else counts, not new
 * measurements.
 */
import type { Plan, PlanStep, PrimarySteps } from '../advice/plan';
import { countOf, countSeconds } from '../format';
import { joinSentences, t } from '../language';
import type { ReviewInput } from './review-page';

export type PlanOfFacts = Pick<ReviewInput, 'plan' | 'facts'>;

const MOST_NAMED = 3;

/** The changes between two plans of the same choice, one sentence each; null if their scripts would do the same. */
export function describeReviewChanges(before: PlanOfFacts, now: PlanOfFacts): string | null {
  const [was, is] = [before.facts.server.serverName, now.facts.server.serverName];
  if (was !== is) return t('Another server answers: {0}, not {1}.', is, was);
  const changes = [...listStepChanges(before.plan, now.plan), ...listElsewhereChanges(before.plan, now.plan)];
  if (changes.length === 0) return null;
  const more = changes.length - MOST_NAMED;
  return joinSentences(
    ...changes.slice(0, MOST_NAMED),
    more > 0 ? countOf(more, t('{0} more change.'), t('{0} more changes.')) : '',
  );
}

function listStepChanges(before: Plan, now: Plan): readonly string[] {
  const steps = new Map(now.steps.map((step) => [step.database.databaseId, step]));
  const exclusions = new Map(now.exclusions.map((exclusion) => [exclusion.databaseId, exclusion]));
  const known = new Set(before.steps.map(({ database }) => database.databaseId));
  const changed = before.steps.flatMap((step) => {
    const { databaseId, name } = step.database;
    const next = steps.get(databaseId);
    if (next === undefined)
      return [`${name}: ${exclusions.get(databaseId)?.reason ?? t('It is no longer in the plan.')}`];
    return describeChange(step, next) ?? [];
  });
  const added = now.steps.filter(({ database }) => !known.has(database.databaseId));
  return [...changed, ...added.map(({ database }) => t('{0} can be changed here now.', database.name))];
}

function describeChange(before: PlanStep, now: PlanStep): string | null {
  const { name, createdLocal } = before.database;
  if (createdLocal !== now.database.createdLocal)
    return t('{0} was dropped, and another database has its id.', name);
  if (name !== now.database.name) return t('{0} is called {1} now.', name, now.database.name);
  if (before.fromSeconds !== now.fromSeconds)
    return t('{0} has {1} now, not {2}.', name, countSeconds(now.fromSeconds), before.fromSeconds);
  if (before.toSeconds !== now.toSeconds)
    return t('{0} would get {1} now.', name, countSeconds(now.toSeconds));
  const [was, is] = [before.database.inAvailabilityGroup, now.database.inAvailabilityGroup];
  if (was !== is)
    return is
      ? t('{0} is in an availability group now.', name)
      : t('{0} is no longer in an availability group.', name);
  // Its identity there cannot always be seen.
  const isSeen = (before.groupDatabaseId ?? '') !== '' && (now.groupDatabaseId ?? '') !== '';
  const isOther = isSeen && before.groupDatabaseId !== now.groupDatabaseId;
  return isOther ? t('{0} is in another availability group now.', name) : null;
}

function listElsewhereChanges(before: Plan, now: Plan): readonly string[] {
  const list = ({ elsewhere = [] }: Plan): ReadonlyMap<string, string> =>
    new Map(elsewhere.map((there) => [there.primary, writeSteps(there)]));
  const [was, is] = [list(before), list(now)];
  const servers = new Set([...was.keys(), ...is.keys()]);
  return [...servers]
    .filter((server) => was.get(server) !== is.get(server))
    .map((server) => t('The list of databases for {0} has changed.', server));
}

/** Everything in the steps that goes into the script for that server. */
function writeSteps({ steps }: PrimarySteps): string {
  return JSON.stringify(
    steps.map(({ database, fromSeconds, toSeconds, groupDatabaseId = null }) => [
      database.name,
      fromSeconds,
      toSeconds,
      groupDatabaseId,
    ]),
  );
}
