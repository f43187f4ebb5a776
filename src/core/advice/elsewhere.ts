/** What a copy here tells of the change on the server that has the primary replica. */
import { countOf } from '../format';
import { type Excluded, findReasonAgainst, type PlanGrounds } from './exclusion';
import type { DatabaseFacts, Facts } from './facts';
import { isOfTheSystem } from './obstacle';
import type { Choice, PlanStep, PrimarySteps } from './plan';

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
  const leave = (why: string): { step: null; reason: string } => ({ step: null, reason: `${reason}; no script for it there: it ${why}` });
  if (groupDatabaseId === null) return leave('does not show its identity in the group');
  if (fromSeconds === null) return leave('does not show its target recovery time');
  const against = findReasonAgainst(database, expectOn?.(primary)(database.name), choice);
  if (against !== null) return leave(against);
  const evidence = `the copy on ${facts.server.serverName} shows ${countOf(fromSeconds, 'second')}`;
  const step = { database, fromSeconds, toSeconds: choice.targetSeconds, evidence, wave: 1, groupDatabaseId };
  return { step: { primary, step }, reason: `${reason}; a script for ${primary} stands behind those of this server` };
}

/** In order of their first databases. */
export function listByPrimary(found: readonly StepElsewhere[]): readonly PrimarySteps[] {
  const byPrimary = new Map<string, PlanStep[]>();
  for (const { primary, step } of found) {
    const steps = byPrimary.get(primary);
    if (steps === undefined) byPrimary.set(primary, [step]);
    else steps.push(step);
  }
  return [...byPrimary].map(([primary, steps]) => ({ primary, steps }));
}
