import { DATABASES_A_STEP, type Steps } from '../steps';
import { arrangeElsewhere, findGroup, findStepElsewhere, type StepElsewhere } from './elsewhere';
import { findExclusion, type PlanGrounds } from './exclusion';
import type { DatabaseCopies, DatabaseFacts, Facts } from './facts';
import { arrangeWaves } from './waves';

export { checkTargetSeconds, UNUSUALLY_SHORT_TARGET_SECONDS } from './target-seconds';
export type { PlanGrounds, Weight } from './exclusion';

/** One database that a script will change, in order. */
export interface PlanStep {
  readonly database: DatabaseFacts;
  /** The value seen now: the script leaves alone what has another when it runs, and the rollback twin restores it. Seconds. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Why, with numbers: one line; `notMeasured` where there are none. */
  readonly evidence: string;
  /** 1 is the canary where there is more than one wave. */
  readonly wave: number;
  /** Its identity on all replicas, where it is in an availability group and that was seen. */
  readonly groupDatabaseId?: string | null;
  /** Its availability group, where that is known. */
  readonly group?: StepGroup | null;
}

/** `PlanStep.evidence` of a database of which nothing was measured. */
export const NOT_MEASURED = 'no checkpoint measured';

export interface StepGroup {
  readonly name: string;
  /** Servers with a replica of it; empty: not seen. */
  readonly replicas: readonly string[];
}

/** One database that was chosen and is not in the script. */
export interface Exclusion {
  readonly databaseId: number;
  readonly name: string;
  readonly reason: string;
  /** The replica on which it can be changed; null where it is not a matter of the replica, or not known. */
  readonly elsewhere: string | null;
}

/** Databases that are secondaries here: the same script changes them on the server that has their primary replica. */
export interface PrimarySteps {
  /** As SERVERPROPERTY('ServerName') says there. */
  readonly primary: string;
  /** In waves of their own; what they have now is what the copies here show. */
  readonly steps: readonly PlanStep[];
}

/** How many databases go first, how many in each wave after it, and what happens in between. */
export interface WaveChoice {
  /** Databases of the first wave; 0: no canary. */
  readonly canary: number;
  /** Databases of each wave after it; 0: all that are left. */
  readonly batch: number;
  /** Minutes that the script looks before each wave and then goes on by itself; null: somebody runs each wave. */
  readonly pauseMinutes: number | null;
  /** Milliseconds a data write of the chosen databases may take on average while the script looks; null: judged by what it took before the first wave. */
  readonly stopAboveWriteMs: number | null;
}

/** A few to learn from, then as many as one night is enough to look at. */
export const defaultWaves: WaveChoice = { canary: 3, batch: 25, pauseMinutes: null, stopAboveWriteMs: null };

export interface Plan {
  readonly targetSeconds: number;
  readonly waves: WaveChoice;
  /** In order of waves, which are numbered from 1 without a gap. */
  readonly steps: readonly PlanStep[];
  readonly exclusions: readonly Exclusion[];
  /** What can be changed on other servers alone, by server; each is among the exclusions too. */
  readonly elsewhere?: readonly PrimarySteps[];
  /** Why the databases stand in this order: one sentence. */
  readonly order?: string;
  /** What the user gave as the reason for this target; null: nothing. */
  readonly reason?: string | null;
}

export interface Choice {
  readonly databaseIds: readonly number[];
  /** The user pointed at these databases themselves; only then is a value above 0 overwritten. */
  readonly byName: boolean;
  /** Where the user pointed at some of them only: which. */
  readonly namedIds?: ReadonlySet<number>;
  readonly targetSeconds: number;
  /** Why this target, in the user's words: required for 0, kept in the change record for any. */
  readonly reason?: string | null;
  readonly waves: WaveChoice;
  /** Where the user moved a database to another wave, by database_id. */
  readonly waveOf: ReadonlyMap<number, number>;
}

/** Ids of the databases of each wave, in their order. */
export function listWaves(steps: readonly PlanStep[]): readonly (readonly number[])[] {
  const waves: number[][] = [];
  for (const { wave, database } of steps) (waves[wave - 1] ??= []).push(database.databaseId);
  return waves;
}

/**
 * In steps. What a switch script will contain and what it will not, and why. Each database is taken once. Without weights databases keep the order in which they were chosen;
 * with them the canary is from the middle, and the others follow from the one that can ask for most of the checkpoint task.
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
  const copies: ReadonlyMap<number, DatabaseCopies> = facts.copies.kind === 'observed' ? facts.copies.value : new Map();
  const chosen: Omit<PlanStep, 'wave'>[] = [];
  const exclusions: Exclusion[] = [];
  const elsewhere: StepElsewhere[] = [];
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
      exclusions.push({ databaseId, name: database.name, ...excluded, ...(there === null ? {} : { reason: there.reason }) });
    } else
      chosen.push({
        database,
        fromSeconds: database.targetSeconds as number,
        toSeconds: choice.targetSeconds,
        evidence: describe(database),
        groupDatabaseId: copies.get(databaseId)?.groupDatabaseId ?? null,
        group: findGroup(databaseId, facts),
      });
  }
  yield;
  const { steps, order } = yield* arrangeWaves(chosen, choice, grounds);
  const there = yield* arrangeElsewhere(elsewhere, choice, grounds);
  const { targetSeconds, waves, reason = null } = choice;
  return { targetSeconds, waves, steps, exclusions, elsewhere: there, order, reason };
}
