/** The plan of a switch: what is in the script, what is not and why, and what is to be changed on the server that has the primary replica. */
import { countOf } from '../format';
import { DATABASES_A_STEP, type Steps } from '../steps';
import { type DatabaseFacts, type Facts, findOf } from './facts';
import type { Preflight } from './finding';
import { findObstacle, isOfTheSystem } from './obstacle';
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
import type { Expectation } from './policy';
import { arrangeWaves, type Step } from './waves';
import { t } from '../language';

/**
 * What a switch script will contain and what it will not, and why. Each database is taken once. Without weights databases keep the order in which they were
 * chosen. With weights the canary comes from the middle; the others follow, the one that can ask for most of the checkpoint task first.
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
  const chosen: Step[] = [];
  const exclusions: Exclusion[] = [];
  const elsewhere: Step[] = [];
  const primaryOf = new Map<number, string>();
  let planned = 0;
  for (const databaseId of new Set(choice.databaseIds)) {
    if (planned++ % DATABASES_A_STEP === DATABASES_A_STEP - 1) yield;
    const database = byId.get(databaseId);
    if (database === undefined) {
      exclusions.push({ databaseId, name: `database_id ${databaseId}`, reason: 'is not on this server any more', elsewhere: null });
      continue;
    }
    const excluded = findExclusion(database, choice, facts, grounds);
    if (excluded !== null) {
      const there = findStepElsewhere(database, excluded, choice, facts, grounds);
      if (there?.step) elsewhere.push(there.step);
      if (excluded.elsewhere !== null) primaryOf.set(databaseId, excluded.elsewhere);
      exclusions.push({ databaseId, name: database.name, ...excluded, ...(there === null ? {} : { reason: there.reason }) });
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
  yield;
  const { steps, order } = yield* arrangeWaves(chosen, choice, grounds);
  const there = yield* arrangeElsewhere(elsewhere, primaryOf, choice, grounds);
  const { targetSeconds, waves, reason = null } = choice;
  return { targetSeconds, waves, steps, exclusions, elsewhere: there, order, reason };
}

type Excluded = Pick<Exclusion, 'reason' | 'elsewhere'>;

/** Why a database that was chosen is not in the script, and where it can be changed; null: it is in it. */
function findExclusion(database: DatabaseFacts, choice: Choice, facts: Facts, grounds: PlanGrounds): Excluded | null {
  const obstacle = findObstacle(database, facts);
  if (obstacle !== null) return { reason: obstacle, elsewhere: findPrimary(database, facts) };
  const reason = findBlock(database, grounds.preflight) ?? findReasonAgainst(database, grounds.expect?.(database.name), choice);
  return reason === null ? null : { reason, elsewhere: null };
}

/** What stands against the change on any server. */
function findReasonAgainst(database: DatabaseFacts, expectation: Expectation | undefined, choice: Choice): string | null {
  return findPolicyReason(expectation, choice) ?? findTargetReason(choice) ?? findReasonToLeave(database, choice);
}

/** The server with the primary replica; null if this one reports PRIMARY: then it is a forwarder, and the server that is written to cannot be seen here. */
function findPrimary({ databaseId }: DatabaseFacts, { roles }: Facts): string | null {
  const role = findOf(roles, databaseId);
  return role === undefined || role.role === 'PRIMARY' ? null : role.primaryReplica;
}

function findBlock({ databaseId }: DatabaseFacts, preflight: Preflight | undefined): string | null {
  const findings = [...(preflight?.databases.get(databaseId) ?? []), ...(preflight?.server ?? [])];
  const block = findings.find(({ severity }) => severity === 'blocks');
  return block === undefined ? null : `is not to be changed now: ${withoutStop(block.sentence)}`;
}

function findPolicyReason(expectation: Expectation | undefined, { targetSeconds }: Choice): string | null {
  switch (expectation?.kind) {
    case 'exception': {
      const until = expectation.expires === null ? '' : ` until ${expectation.expires}`;
      return `is an exception of the policy${until}: ${withoutStop(expectation.reason)}`;
    }
    case 'target':
    case 'expired':
      if (expectation.targetSeconds === null || expectation.targetSeconds === targetSeconds) return null;
      return `is wanted at ${countOf(expectation.targetSeconds, t('{0} second'), t('{0} seconds'))} by the policy`;
    default:
      return null;
  }
}

function findTargetReason({ targetSeconds, reason }: Choice): string | null {
  if (checkTargetSeconds(targetSeconds, reason ?? null) === null) return null;
  return targetSeconds === 0
    ? 'would go back to automatic checkpoints, for which no reason was given'
    : `cannot be given a target of ${countOf(targetSeconds, t('{0} second'), t('{0} seconds'))}`;
}

function findReasonToLeave({ databaseId, targetSeconds }: DatabaseFacts, choice: Choice): string | null {
  if (targetSeconds === choice.targetSeconds) return `already has ${countOf(choice.targetSeconds, t('{0} second'), t('{0} seconds'))}`;
  if (targetSeconds !== null && targetSeconds !== 0 && !choice.byName && choice.namedIds?.has(databaseId) !== true)
    return `has ${countOf(targetSeconds, t('{0} second'), t('{0} seconds'))} already; choose it by name to overwrite it`;
  return null;
}

function withoutStop(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}

/**
 * The step that changes a database on the server with its primary replica, and the reason to print here; null if that server is not known or would not help.
 * There only the identity in the group counts: the date of creation differs from replica to replica.
 */
function findStepElsewhere(
  database: DatabaseFacts,
  { reason, elsewhere: primary }: Excluded,
  choice: Choice,
  facts: Facts,
  { expectOn }: PlanGrounds,
): { readonly step: Step | null; readonly reason: string } | null {
  if (primary === null || primary === facts.server.serverName || isOfTheSystem(database, facts)) return null;
  const { databaseId, targetSeconds: fromSeconds } = database;
  const groupDatabaseId = findOf(facts.copies, databaseId)?.groupDatabaseId ?? null;
  const leave = (why: string): { step: null; reason: string } => ({ step: null, reason: `${reason}; the script leaves it out: it ${why}` });
  if (groupDatabaseId === null) return leave('does not show its identity in the group');
  if (fromSeconds === null) return leave('does not show its target recovery time');
  const against = findReasonAgainst(database, expectOn?.(primary)(database.name), choice);
  if (against !== null) return leave(against);
  const group = findGroup(databaseId, facts);
  const step = { database, fromSeconds, toSeconds: choice.targetSeconds, evidence: NOT_MEASURED, groupDatabaseId, group };
  return { step, reason: `${reason} with the same script` };
}

/** The availability group of a database; null: none, or not seen. */
function findGroup(databaseId: number, { roles }: Facts): StepGroup | null {
  const role = findOf(roles, databaseId);
  return role === undefined ? null : { name: role.groupName, replicas: role.replicas ?? [] };
}

/** Each server has its own waves, counted from 1, and goes through them by itself. Servers come in the order of their first databases. */
function* arrangeElsewhere(
  chosen: readonly Step[],
  primaryOf: ReadonlyMap<number, string>,
  choice: Choice,
  grounds: PlanGrounds,
): Steps<readonly PrimarySteps[]> {
  const { steps } = yield* arrangeWaves(chosen, choice, grounds);
  const findPrimaryOf = ({ database }: PlanStep): string => primaryOf.get(database.databaseId) ?? '';
  const primaries = new Set(steps.map(findPrimaryOf));
  return [...primaries].map((primary) => ({ primary, steps: steps.filter((step) => findPrimaryOf(step) === primary) }));
}
