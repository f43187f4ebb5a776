/**
 * The plan of a switch: what is in the script, what is not and why, and what is to be changed on the server that has
 * the primary replica.
 */
import { countSeconds, english } from '../format';
import { joinSentences, t, endSentence } from '../language';
import { DATABASES_A_STEP, type Steps } from '../steps';
import { type DatabaseFacts, type Facts, findOf } from './facts';
import type { Preflight } from './finding';
import { explainMissing, findObstacle, isOfTheSystem, type Obstacle, TARGET_UNSEEN } from './obstacle';
import {
  checkTargetSeconds,
  type Choice,
  type Exclusion,
  NOT_MEASURED,
  type Plan,
  type PlanGrounds,
  type PlanStep,
  type PrimarySteps,
  type StepGroup,
} from './plan';
import { describeException, type Expectation } from './policy';
import { arrangeWaves, type UnplacedStep } from './waves';

/**
 * What a switch script will contain and what it will not, and why. Each database is taken once. Without weights
 * databases keep the order in which they were chosen. With weights the canary comes from the middle; the others follow,
 * the one that can ask for most of the checkpoint task first.
 * @param describe the evidence line of a database
 * @param grounds what else is known: findings, policy, measured load
 */
export function* planSwitch(
  choice: Choice,
  facts: Facts,
  describe: (database: DatabaseFacts) => string,
  grounds: PlanGrounds,
): Steps<Plan> {
  const byId = new Map(facts.databases.map((database) => [database.databaseId, database]));
  const chosen: UnplacedStep[] = [];
  const exclusions: Exclusion[] = [];
  const elsewhere: UnplacedStep[] = [];
  const primaryOf = new Map<number, string>();
  let planned = 0;
  for (const databaseId of new Set(choice.databaseIds)) {
    if (planned++ % DATABASES_A_STEP === DATABASES_A_STEP - 1) yield;
    const database = byId.get(databaseId);
    if (database === undefined) {
      exclusions.push({ databaseId, name: `database_id ${databaseId}`, ...exclude(explainMissing(facts)) });
      continue;
    }
    const excluded = findExclusion(database, choice, facts, grounds);
    if (excluded !== null) {
      const there = findStepElsewhere(database, excluded, choice, facts, grounds);
      if (there?.step) elsewhere.push(there.step);
      if (excluded.elsewhere !== null) primaryOf.set(databaseId, excluded.elsewhere);
      exclusions.push({
        databaseId,
        name: database.name,
        ...excluded,
        ...(there !== null && { reason: there.reason }),
      });
    } else
      chosen.push({
        database,
        fromSeconds: database.targetSeconds as number,
        toSeconds: choice.targetSeconds,
        evidence: describe(database),
        groupDatabaseId: findOf(facts.copies, databaseId)?.groupDatabaseId ?? null,
        group: findGroup(databaseId, facts),
      });
  }
  const { steps, order } = yield* arrangeWaves(chosen, choice, grounds);
  const there = yield* arrangeElsewhere(elsewhere, primaryOf, choice, grounds);
  const { targetSeconds, waves, reason = null } = choice;
  return { targetSeconds, waves, steps, exclusions, elsewhere: there, order, reason };
}

type Excluded = Omit<Exclusion, 'databaseId' | 'name'>;

function exclude({ kind, sentence }: Obstacle, elsewhere: string | null = null): Excluded {
  return { kind, reason: sentence, elsewhere };
}

/** Why a database that was chosen is not in the script, and where it can be changed; null: it is in it. */
function findExclusion(
  database: DatabaseFacts,
  choice: Choice,
  facts: Facts,
  grounds: PlanGrounds,
): Excluded | null {
  const obstacle = findObstacle(database, facts);
  if (obstacle !== null) return exclude(obstacle, findPrimary(database, facts));
  const found =
    findBlock(database, grounds.preflight) ??
    findReasonAgainst(database, grounds.expect?.(database.name), choice);
  return found && exclude(found);
}

function findReasonAgainst(
  database: DatabaseFacts,
  expectation: Expectation | undefined,
  choice: Choice,
): Obstacle | null {
  return (
    findPolicyReason(expectation, choice) ?? findTargetReason(choice) ?? findReasonToLeave(database, choice)
  );
}

/**
 * The server with the primary replica; null if this one reports PRIMARY: then it is a forwarder, and the server that is
 * written to cannot be seen here.
 */
function findPrimary({ databaseId }: DatabaseFacts, { roles }: Facts): string | null {
  const role = findOf(roles, databaseId);
  return role === undefined || role.role === 'PRIMARY' ? null : role.primaryReplica;
}

function findBlock({ databaseId }: DatabaseFacts, preflight: Preflight | undefined): Obstacle | null {
  const findings = [...(preflight?.databases.get(databaseId) ?? []), ...(preflight?.server ?? [])];
  const block = findings.find(({ severity }) => severity === 'blocks');
  return block === undefined
    ? null
    : {
        kind: 'not to be changed now',
        sentence: t('It should not be changed now: {0}', endSentence(block.sentence.trim())),
      };
}

function findPolicyReason(expectation: Expectation | undefined, { targetSeconds }: Choice): Obstacle | null {
  switch (expectation?.kind) {
    case 'exception':
      return { kind: 'exception of the policy', sentence: describeException(expectation) };
    case 'target':
    case 'expired':
      if (expectation.targetSeconds === null || expectation.targetSeconds === targetSeconds) return null;
      return {
        kind: `wanted at ${english.countOf(expectation.targetSeconds, 'second')} by the policy`,
        sentence: t('The policy wants {0} for it.', countSeconds(expectation.targetSeconds)),
      };
    default:
      return null;
  }
}

function findTargetReason({ targetSeconds, reason }: Choice): Obstacle | null {
  if (checkTargetSeconds(targetSeconds, reason ?? null) === null) return null;
  if (targetSeconds === 0)
    return {
      kind: 'would go back to automatic checkpoints',
      sentence: t('It would go back to automatic checkpoints. That needs a reason.'),
    };
  return {
    kind: `cannot be given a target of ${english.countOf(targetSeconds, 'second')}`,
    sentence: t('It cannot have a target of {0}.', countSeconds(targetSeconds)),
  };
}

function findReasonToLeave({ databaseId, targetSeconds }: DatabaseFacts, choice: Choice): Obstacle | null {
  if (targetSeconds === choice.targetSeconds) return describeUnchanged(targetSeconds);
  if (
    targetSeconds !== null &&
    targetSeconds !== 0 &&
    !choice.byName &&
    choice.namedIds?.has(databaseId) !== true
  )
    return {
      kind: `has ${english.countOf(targetSeconds, 'second')} already`,
      sentence: t('It already has {0}. Choose it by name to overwrite that.', countSeconds(targetSeconds)),
    };
  return null;
}

/** Of a database that has the wanted value. */
export function describeUnchanged(seconds: number): Obstacle {
  return {
    kind: `already has ${english.countOf(seconds, 'second')}`,
    sentence: t('It already has {0}.', countSeconds(seconds)),
  };
}

/**
 * The step that changes a database on the server with its primary replica, and the reason to print here; null if that
 * server is not known or would not help. There only the identity in the group counts: the date of creation differs from
 * replica to replica.
 */
function findStepElsewhere(
  database: DatabaseFacts,
  { reason, elsewhere: primary }: Excluded,
  choice: Choice,
  facts: Facts,
  { expectOn }: PlanGrounds,
): { readonly step: UnplacedStep | null; readonly reason: string } | null {
  if (primary === null || primary === facts.server.serverName || isOfTheSystem(database, facts)) return null;
  const { databaseId, targetSeconds: fromSeconds } = database;
  const groupDatabaseId = findOf(facts.copies, databaseId)?.groupDatabaseId ?? null;
  const leave = (why: string): { step: null; reason: string } => {
    return { step: null, reason: joinSentences(reason, t('The script leaves it out there.'), why) };
  };
  if (groupDatabaseId === null) return leave(t('Its identity in the group cannot be seen.'));
  if (fromSeconds === null) return leave(TARGET_UNSEEN.sentence);
  const against = findReasonAgainst(database, expectOn?.(primary)(database.name), choice);
  if (against !== null) return leave(against.sentence);
  const group = findGroup(databaseId, facts);
  const step = {
    database,
    fromSeconds,
    toSeconds: choice.targetSeconds,
    evidence: NOT_MEASURED,
    groupDatabaseId,
    group,
  };
  return { step, reason: joinSentences(reason, t('The same script does that.')) };
}

/** The availability group of a database; null: none, or not seen. */
function findGroup(databaseId: number, { roles }: Facts): StepGroup | null {
  const role = findOf(roles, databaseId);
  return role === undefined ? null : { name: role.groupName, replicas: role.replicas ?? [] };
}

/**
 * Each server has its own waves, with the same first number, and goes through them by itself. Servers come in the order
 * of their first databases.
 */
function* arrangeElsewhere(
  chosen: readonly UnplacedStep[],
  primaryOf: ReadonlyMap<number, string>,
  choice: Choice,
  grounds: PlanGrounds,
): Steps<readonly PrimarySteps[]> {
  const { steps } = yield* arrangeWaves(chosen, choice, grounds);
  const findPrimaryOf = ({ database }: PlanStep): string => primaryOf.get(database.databaseId) ?? '';
  const primaries = new Set(steps.map(findPrimaryOf));
  return [...primaries].map((primary) => ({
    primary,
    steps: steps.filter((step) => findPrimaryOf(step) === primary),
  }));
}
