/** What a copy here tells of the change on the server that has the primary replica. */
import type { Steps } from '../steps';
import { type Excluded, findReasonAgainst, type PlanGrounds } from './exclusion';
import type { DatabaseFacts, Facts } from './facts';
import { isOfTheSystem } from './obstacle';
import { type Choice, NOT_MEASURED, type PlanStep, type PrimarySteps, type StepGroup } from './plan';
import { arrangeWaves } from './waves';

export interface StepElsewhere {
  readonly primary: string;
  readonly step: PlanStep;
}

/**
 * The step of a database that cannot be changed here, on the server that has its primary replica, and the reason to print here; null where that server is not known
 * or is none of its business. There it is told by its identity in the group alone: its date of creation differs from replica to replica.
 */
export function findStepElsewhere(
  database: DatabaseFacts,
  { reason, elsewhere: primary }: Excluded,
  choice: Choice,
  facts: Facts,
  { expectOn }: PlanGrounds,
): { readonly step: StepElsewhere | null; readonly reason: string } | null {
  if (primary === null || primary === facts.server.serverName || isOfTheSystem(database, facts)) return null;
  const copies = facts.copies.kind === 'observed' ? facts.copies.value.get(database.databaseId) : undefined;
  const groupDatabaseId = copies?.groupDatabaseId ?? null;
  const fromSeconds = database.targetSeconds;
  const leave = (why: string): { step: null; reason: string } => ({ step: null, reason: `${reason}; the script leaves it out: it ${why}` });
  if (groupDatabaseId === null) return leave('does not show its identity in the group');
  if (fromSeconds === null) return leave('does not show its target recovery time');
  const against = findReasonAgainst(database, expectOn?.(primary)(database.name), choice);
  if (against !== null) return leave(against);
  const group = findGroup(database.databaseId, facts);
  const step = { database, fromSeconds, toSeconds: choice.targetSeconds, evidence: NOT_MEASURED, wave: 1, groupDatabaseId, group };
  return { step: { primary, step }, reason: `${reason} with the same script` };
}

/** The availability group of a database; null: none, or not seen. */
export function findGroup(databaseId: number, { roles }: Facts): StepGroup | null {
  const role = roles.kind === 'observed' ? roles.value.get(databaseId) : undefined;
  return role === undefined ? null : { name: role.groupName, replicas: role.replicas ?? [] };
}

/** In waves of their own, counted from 1 as those here are: each server goes through its waves by itself. By server in order of their first databases. */
export function* arrangeElsewhere(found: readonly StepElsewhere[], choice: Choice, grounds: PlanGrounds): Steps<readonly PrimarySteps[]> {
  const primaryOf = new Map(found.map(({ primary, step }) => [step.database.databaseId, primary]));
  const { steps } = yield* arrangeWaves(
    found.map(({ step }) => step),
    choice,
    grounds,
  );
  const byPrimary = new Map<string, PlanStep[]>();
  for (const step of steps) {
    const primary = primaryOf.get(step.database.databaseId) ?? '';
    const own = byPrimary.get(primary) ?? [];
    byPrimary.set(primary, own);
    own.push(step);
  }
  return [...byPrimary].map(([primary, own]) => ({ primary, steps: own }));
}
