import { countOf } from '../format';
import type { DatabaseFacts, Facts } from './facts';
import type { Preflight } from './finding';
import { findObstacle } from './obstacle';
import type { Choice, Exclusion } from './plan';
import type { Expectation } from './policy';
import { checkTargetSeconds } from './target-seconds';

/** How much the checkpoints of one database weighed while they were watched. */
export interface Weight {
  readonly checkpoints: number;
  /** The sum of their durations. */
  readonly totalMs: number;
  /** What it could ask of the checkpoint task if nobody were in its way, as a share of the time; 0: it had no turn. */
  readonly mostShare: number;
}

/** What a plan takes into account beyond the facts; each may be missing. */
export interface PlanGrounds {
  readonly preflight?: Preflight;
  /** What the policy says of a database of this server now. */
  readonly expect?: (databaseName: string) => Expectation;
  /** The same on another server. */
  readonly expectOn?: (serverName: string) => (databaseName: string) => Expectation;
  /** null: nothing was measured of it. */
  readonly weigh?: (database: DatabaseFacts) => Weight | null;
}

export type Excluded = Pick<Exclusion, 'reason' | 'elsewhere'>;

/** Why a database that was chosen is not in the script, and where it can be changed; null: it is in it. */
export function findExclusion(database: DatabaseFacts, choice: Choice, facts: Facts, grounds: PlanGrounds): Excluded | null {
  const obstacle = findObstacle(database, facts);
  if (obstacle !== null) return { reason: obstacle, elsewhere: findPrimary(database, facts) };
  const reason = findBlock(database, grounds.preflight) ?? findReasonAgainst(database, grounds.expect?.(database.name), choice);
  return reason === null ? null : { reason, elsewhere: null };
}

/** What stands against the change on whatever server it is made. */
export function findReasonAgainst(database: DatabaseFacts, expectation: Expectation | undefined, choice: Choice): string | null {
  return findPolicyReason(expectation, choice) ?? findTargetReason(choice) ?? findReasonToLeave(database, choice);
}

/** The primary is asked only of those that are not: a forwarder of a distributed group reports PRIMARY, and where it is written cannot be seen here. */
function findPrimary({ databaseId }: DatabaseFacts, { roles }: Facts): string | null {
  const role = roles.kind === 'observed' ? roles.value.get(databaseId) : undefined;
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
      return `is wanted at ${countOf(expectation.targetSeconds, 'second')} by the policy`;
    default:
      return null;
  }
}

function findTargetReason({ targetSeconds, reason }: Choice): string | null {
  if (checkTargetSeconds(targetSeconds, reason ?? null) === null) return null;
  return targetSeconds === 0
    ? 'would go back to automatic checkpoints, for which no reason was given'
    : `cannot be given a target of ${countOf(targetSeconds, 'second')}`;
}

function findReasonToLeave({ databaseId, targetSeconds }: DatabaseFacts, choice: Choice): string | null {
  if (targetSeconds === choice.targetSeconds) return `already has ${countOf(choice.targetSeconds, 'second')}`;
  if (targetSeconds !== null && targetSeconds !== 0 && !choice.byName && choice.namedIds?.has(databaseId) !== true)
    return `has ${countOf(targetSeconds, 'second')} already; choose it by name to overwrite it`;
  return null;
}

function withoutStop(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}
