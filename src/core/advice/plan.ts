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
  /** 1 is the canary where there is more than one wave. */
  readonly wave: number;
}

/** One database that was chosen and is not in the script. */
export interface Exclusion {
  readonly databaseId: number;
  readonly name: string;
  readonly reason: string;
  /** The replica on which it can be changed; null where it is not a matter of the replica, or not known. */
  readonly elsewhere: string | null;
}

/** How many databases go first, how many in each wave after it, and what happens in between. */
export interface WaveChoice {
  /** Databases of the first wave; 0: no canary. */
  readonly canary: number;
  /** Databases of each wave after it; 0: all that are left. */
  readonly batch: number;
  /** Minutes that one script waits between two waves; null: a script for each wave. */
  readonly pauseMinutes: number | null;
  /** Milliseconds a data write of the wave's databases may take on average during the pause; the next wave stops itself above it. null: not asked. */
  readonly stopAboveWriteMs: number | null;
}

/** Everything at once. */
export const oneWave: WaveChoice = { canary: 0, batch: 0, pauseMinutes: null, stopAboveWriteMs: null };

export interface Plan {
  readonly targetSeconds: number;
  readonly waves: WaveChoice;
  readonly steps: readonly PlanStep[];
  readonly exclusions: readonly Exclusion[];
}

export interface Choice {
  readonly databaseIds: readonly number[];
  /** The user pointed at these databases themselves; only then is a value above 0 overwritten. */
  readonly byName: boolean;
  /** Where the user pointed at some of them only: which. */
  readonly namedIds?: ReadonlySet<number>;
  readonly targetSeconds: number;
  readonly waves: WaveChoice;
  /** Where the user moved a database to another wave, by database_id. */
  readonly waveOf: ReadonlyMap<number, number>;
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
  const chosen: Omit<PlanStep, 'wave'>[] = [];
  const exclusions: Exclusion[] = [];
  for (const databaseId of new Set(choice.databaseIds)) {
    const database = byId.get(databaseId);
    if (database === undefined) {
      exclusions.push({ databaseId, name: `database_id ${databaseId}`, reason: 'is not on this server any more', elsewhere: null });
      continue;
    }
    const reason = findObstacle(database, facts) ?? findReasonToLeave(database, choice);
    if (reason !== null) exclusions.push({ databaseId, name: database.name, reason, elsewhere: findPrimary(database, facts) });
    else
      chosen.push({
        database,
        fromSeconds: database.targetSeconds as number,
        toSeconds: choice.targetSeconds,
        evidence: describe(database),
      });
  }
  return { targetSeconds: choice.targetSeconds, waves: choice.waves, steps: assignWaves(chosen, choice), exclusions };
}

/** In order of waves; databases keep their order within one. */
function assignWaves(chosen: readonly Omit<PlanStep, 'wave'>[], { waves, waveOf }: Choice): readonly PlanStep[] {
  const { canary, batch } = waves;
  const firstBatch = canary > 0 ? 2 : 1;
  const steps = chosen.map((step, at) => {
    const behind = at - canary;
    const planned = behind < 0 ? 1 : batch > 0 ? firstBatch + Math.floor(behind / batch) : firstBatch;
    return { ...step, wave: waveOf.get(step.database.databaseId) ?? planned };
  });
  return steps.sort((a, b) => a.wave - b.wave);
}

function findPrimary({ databaseId }: DatabaseFacts, { roles }: Facts): string | null {
  const role = roles.kind === 'observed' ? roles.value.get(databaseId) : undefined;
  return role === undefined || role.role === 'PRIMARY' ? null : role.primaryReplica;
}

function findReasonToLeave(database: DatabaseFacts, choice: Choice): string | null {
  if (database.targetSeconds === choice.targetSeconds) return `already has ${choice.targetSeconds} seconds`;
  if (database.targetSeconds !== 0 && !choice.byName && choice.namedIds?.has(database.databaseId) !== true)
    return `has ${database.targetSeconds} seconds already; choose it by name to overwrite it`;
  return null;
}
