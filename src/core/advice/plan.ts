/** What a switch is asked to do, and what it will do. */
import { t } from '../language';
import { addToList } from '../lists';
import type { DatabaseFacts } from './facts';
import type { Preflight } from './finding';
import type { Wave } from './forecast';
import type { InstanceVerdict } from './instance';
import type { Expectation } from './policy';

/** One database that a script will change, in order. */
export interface PlanStep {
  readonly database: DatabaseFacts;
  /**
   * The value seen now, in seconds: the script changes only a database that still has it, and the rollback twin
   * restores it.
   */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Why, with numbers, in one line of English, for the script; `NOT_MEASURED` if there are none. */
  readonly evidence: string;
  /** Its number, the same on every page. The first of several is the canary. */
  readonly wave: number;
  /** Its identity on all replicas, if it is in an availability group and that was seen. */
  readonly groupDatabaseId?: string | null;
  /** Its availability group, if known. */
  readonly group?: StepGroup | null;
}

/** `PlanStep.evidence` of a database of which nothing was measured. */
export const NOT_MEASURED = '';

export interface StepGroup {
  readonly name: string;
  /** Servers with a replica of it; empty: not seen. */
  readonly replicas: readonly string[];
}

/** One database that was chosen and is not in the script. */
export interface Exclusion {
  readonly databaseId: number;
  readonly name: string;
  /** Without details of one database, in English: for scripts, and to count by. */
  readonly kind: string;
  /** "It already has 60 seconds." */
  readonly reason: string;
  /** The replica on which it can be changed; null if the replica is not the reason, or not known. */
  readonly elsewhere: string | null;
}

/** Databases that are secondaries here: the same script changes them on the server that has their primary replica. */
export interface PrimarySteps {
  /** As SERVERPROPERTY('ServerName') says there. */
  readonly primary: string;
  /** In waves of their own; the value now is the one that the copies here show. */
  readonly steps: readonly PlanStep[];
}

/** How many databases go first, how many in each wave after it, and what happens in between. */
export interface WaveChoice {
  /** Databases of the first wave; 0: no canary. */
  readonly canary: number;
  /** Databases of each wave after it; 0: all that are left. */
  readonly batch: number;
  /** Minutes for which the script looks before it starts the next wave by itself; null: the user runs each wave. */
  readonly pauseMinutes: number | null;
  /**
   * Milliseconds that a data write of the chosen databases may take on average while the script looks; null: compared
   * with the time before the first wave.
   */
  readonly stopAboveWriteMs: number | null;
}

/** A few to learn from, then as many as a person can look at in one night. */
export const defaultWaves: WaveChoice = { canary: 3, batch: 25, pauseMinutes: null, stopAboveWriteMs: null };

export interface Plan {
  readonly targetSeconds: number;
  readonly waves: WaveChoice;
  /** In order of waves, which are numbered without a gap: from 1, or from the wave that comes next. */
  readonly steps: readonly PlanStep[];
  readonly exclusions: readonly Exclusion[];
  /** Databases that can be changed only on other servers, by server; each is among the exclusions too. */
  readonly elsewhere?: readonly PrimarySteps[];
  /** Why the databases stand in this order: one sentence. */
  readonly order?: string;
  /** What the user gave as the reason for this target; null: nothing. */
  readonly reason?: string | null;
}

export interface Choice {
  readonly databaseIds: readonly number[];
  /** The user named these databases one by one; only then is a value above 0 overwritten. */
  readonly byName: boolean;
  /** The databases that the user named, if only some of them. */
  readonly namedIds?: ReadonlySet<number>;
  readonly targetSeconds: number;
  /** Why this target, in the user's words: required for 0, kept in the change record for any. */
  readonly reason?: string | null;
  readonly waves: WaveChoice;
  /** Waves to which the user moved databases, by database_id. */
  readonly waveOf: ReadonlyMap<number, number>;
}

/** The waves of a plan, in their order. */
export function listWaves(
  steps: readonly (Pick<PlanStep, 'wave'> & { readonly database: Pick<DatabaseFacts, 'databaseId'> })[],
): readonly Wave[] {
  const waves = new Map<number, number[]>();
  for (const { wave, database } of steps) addToList(waves, wave, database.databaseId);
  return [...waves].map(([wave, databaseIds]) => ({ wave, databaseIds }));
}

/**
 * What is proposed: the wave that comes next, or all that is advised, or the last wave to be taken back. null: nothing
 * is known.
 */
export function findWave(instance: InstanceVerdict | null, targetSeconds: number): Wave | null {
  if (instance === null) return null;
  const { lastWave, ran, next, advised } = instance;
  if (targetSeconds === 0) return lastWave && { wave: lastWave.wave ?? 1, databaseIds: lastWave.databaseIds };
  return { wave: ran + 1, databaseIds: next?.databaseIds ?? advised };
}

/** How much work the checkpoints of one database were while we tracked them. */
export interface Weight {
  readonly checkpoints: number;
  /** The sum of their durations. */
  readonly totalMs: number;
  /** What it could ask of the checkpoint task if none were in its way, as a share of the time; 0: it had no turn. */
  readonly mostShare: number;
}

/** What a plan takes into account beyond the facts; each may be missing. */
export interface PlanGrounds {
  readonly preflight?: Preflight;
  /** What the policy wants of a database of this server now. */
  readonly expect?: (databaseName: string) => Expectation;
  /** The same on another server. */
  readonly expectOn?: (serverName: string) => (databaseName: string) => Expectation;
  /** null: nothing was measured of it. */
  readonly weigh?: (database: DatabaseFacts) => Weight | null;
  /** The number of the first wave; absent: 1. */
  readonly firstWave?: number;
}

/**
 * Target of new databases since SQL Server 2016, unless model came from an older version (docs/facts.md, SQL Server 1).
 * Seconds.
 */
export const DEFAULT_TARGET_SECONDS = 60;

/** Below this the background writer works far harder, so the user is asked before a script is written. Seconds. */
export const UNUSUALLY_SHORT_TARGET_SECONDS = 60;

/**
 * Why this value cannot be written into a script, as one sentence; null if it can. 0, automatic checkpoints, needs a
 * reason. Seconds.
 */
export function checkTargetSeconds(seconds: number, reason: string | null = null): string | null {
  if (!Number.isInteger(seconds)) return t('The target recovery time must be a whole number of seconds.');
  if (seconds === 0 && reason !== null && reason.trim() !== '') return null;
  if (seconds < 1 || seconds > 3600)
    return t(
      'The target recovery time must be between 1 and 3600 seconds; 60 is the default of new databases since SQL Server 2016. 0 means automatic checkpoints, and needs a reason.',
    );
  return null;
}
