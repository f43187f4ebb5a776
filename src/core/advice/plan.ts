import type { DatabaseFacts, Facts } from './facts';
import { findObstacle } from './obstacle';

/** One database that a script will change, in order. */
export interface PlanStep {
  readonly database: DatabaseFacts;
  /** The value seen now: the script leaves alone what has another when it runs, and the rollback twin restores it. Seconds. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Why, with numbers: one line. */
  readonly evidence: string;
}

/** One database that was chosen and is not in the script. */
export interface Exclusion {
  readonly name: string;
  readonly reason: string;
}

export interface Plan {
  readonly targetSeconds: number;
  readonly steps: readonly PlanStep[];
  readonly exclusions: readonly Exclusion[];
}

export interface Choice {
  readonly databaseIds: readonly number[];
  /** The user pointed at these databases themselves; only then is a value above 0 overwritten. */
  readonly byName: boolean;
  readonly targetSeconds: number;
}

/** Below this the background writer works much harder; asked again before a script is written. Seconds. */
export const unusuallyShortTargetSeconds = 20;

/** Why this is no target recovery time to write into a script, as one sentence; null where it is one. 0 is for rollback only. */
export function checkTargetSeconds(seconds: number): string | null {
  if (!Number.isInteger(seconds)) return 'The target recovery time is a whole number of seconds.';
  if (seconds < 1 || seconds > 3600)
    return 'The target recovery time is between 1 and 3600 seconds; 60 is the default of new databases since SQL Server 2016.';
  return null;
}

/**
 * What a switch script will contain and what it will not, and why. Databases keep the order in which they were chosen; each is taken once.
 * @param describe the evidence line of a database
 */
export function planSwitch(choice: Choice, facts: Facts, describe: (database: DatabaseFacts) => string): Plan {
  const byId = new Map(facts.databases.map((database) => [database.databaseId, database]));
  const steps: PlanStep[] = [];
  const exclusions: Exclusion[] = [];
  for (const databaseId of new Set(choice.databaseIds)) {
    const database = byId.get(databaseId);
    if (database === undefined) {
      exclusions.push({ name: `database_id ${databaseId}`, reason: 'is not on this server any more' });
      continue;
    }
    const reason = findObstacle(database, facts) ?? findReasonToLeave(database, choice);
    if (reason !== null) exclusions.push({ name: database.name, reason });
    else
      steps.push({
        database,
        fromSeconds: database.targetSeconds as number,
        toSeconds: choice.targetSeconds,
        evidence: describe(database),
      });
  }
  return { targetSeconds: choice.targetSeconds, steps, exclusions };
}

function findReasonToLeave(database: DatabaseFacts, choice: Choice): string | null {
  if (database.targetSeconds === choice.targetSeconds) return `already has ${choice.targetSeconds} seconds`;
  if (database.targetSeconds !== 0 && !choice.byName)
    return `has ${database.targetSeconds} seconds already; choose it by name to overwrite it`;
  return null;
}
