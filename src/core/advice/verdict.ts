import { type DatabaseFacts, type Facts, isSystemDatabase, recoveryIntervalMs } from './facts';
import { type Evidence, judgeMeasured, judgeUntracked, type Judgement, type Part } from './measured-harm';
import { countOf, formatCount } from '../format';
import { findObstacle } from './obstacle';
import type { Expectation } from './policy';
import { DEFAULT_TARGET_SECONDS } from './plan';

export type { Evidence, KnownOfDatabase, Part } from './measured-harm';

/** Where the pane and the review show a database, in this order. */
export const groups = [
  'Feeds the queue',
  'Hurts by itself',
  'Not as the policy wants',
  'Waits in the queue',
  'Long checkpoints',
  'Quiet',
  'No checkpoint seen',
  'Automatic, not measured',
  'Indirect',
  'Other value',
  'As the policy wants',
  'Cannot change here',
] as const;

export type Group = (typeof groups)[number];

export interface Verdict {
  readonly databaseId: number;
  readonly verdict: 'Leave' | 'Watch' | 'Switch' | 'Cannot tell here';
  /** The part it plays; null where that is not known, or where it uses no automatic checkpoints. */
  readonly part: Part | null;
  readonly group: Group;
  /** Why, in one sentence or a few. Its share and its turns stand beside it everywhere: they are not repeated. */
  readonly reason: string;
  readonly confidence: 'high' | 'medium' | 'low';
  /** What would make it another verdict, as a sentence. */
  readonly wouldChange: string;
  /** The forecast reaches the bound without it: it is to be switched only where the task is still busy then. */
  readonly isIfNeeded?: true;
}

const MOST_INTERVAL_MINUTES = 32_767;

/**
 * The verdict on one database, after the one on the instance. A policy decides where the pane shows it; what was measured stays what it is. What has to be looked at
 * before a change stands beside the verdict, in the findings.
 */
export function judgeDatabase(
  database: DatabaseFacts,
  facts: Facts,
  evidence: Evidence | null,
  expectation: Expectation = { kind: 'none' },
): Verdict {
  const { databaseId } = database;
  const obstacle = findObstacle(database, facts);
  if (obstacle !== null) return { databaseId, ...judgeFixed(database, obstacle, expectation) };
  return { databaseId, ...placeByPolicy(judgeSetting(database, facts, evidence), database, expectation) };
}

/** What cannot be changed here. */
function judgeFixed({ databaseId, targetSeconds, isSnapshot }: DatabaseFacts, obstacle: string, expectation: Expectation): Judgement {
  const isNever = isSystemDatabase(databaseId) || isSnapshot || obstacle === 'is a system database';
  const wanted = isNever ? null : findWanted(expectation);
  const unmet =
    wanted === null || targetSeconds === null || targetSeconds === wanted
      ? ''
      : ` The policy wants ${nameTarget(wanted)}; it has ${nameTarget(targetSeconds)}.`;
  return {
    verdict: isNever ? 'Leave' : 'Cannot tell here',
    part: null,
    group: 'Cannot change here',
    reason: `It ${obstacle}.${unmet}`,
    confidence: 'high',
    wouldChange: isNever ? 'Nothing: it is never part of a switch.' : 'A look at it where it can be changed, or when it can be.',
  };
}

function judgeSetting(database: DatabaseFacts, facts: Facts, evidence: Evidence | null): Judgement {
  const target = database.targetSeconds ?? 0;
  if (target === DEFAULT_TARGET_SECONDS)
    return {
      verdict: 'Leave',
      part: null,
      group: 'Indirect',
      reason: 'Already uses indirect checkpoints, with the default target of 60 seconds.',
      confidence: 'high',
      wouldChange: 'More write work in all since the change, as before / after shows it.',
    };
  if (target > 0)
    return {
      verdict: 'Leave',
      part: null,
      group: 'Other value',
      reason: `Uses indirect checkpoints with ${countOf(target, 'second')}: someone chose that value.`,
      confidence: 'high',
      wouldChange: 'A word of whoever chose it.',
    };
  if (areAutomaticOff(facts)) return judgeTurnedOff(facts);
  return evidence === null ? judgeUntracked(null) : judgeMeasured(database.databaseId, evidence, recoveryIntervalMs(facts.server));
}

/** The largest recovery interval: no automatic checkpoints (docs/facts.md, SQL Server 1). */
export function areAutomaticOff({ server }: Facts): boolean {
  return (server.recoveryIntervalMinutes ?? 0) >= MOST_INTERVAL_MINUTES;
}

/** Where none can begin, that none was seen says nothing. */
function judgeTurnedOff({ server }: Facts): Judgement {
  return {
    verdict: 'Cannot tell here',
    part: null,
    group: 'Automatic, not measured',
    reason: `The recovery interval is ${formatCount(server.recoveryIntervalMinutes ?? 0)} minutes, the most there is: automatic checkpoints are off, and what was measured says nothing about them.`,
    confidence: 'high',
    wouldChange: 'A measurement with the recovery interval as it usually is.',
  };
}

/** Measured harm stays in sight unless the policy exempts the database; everything else is expected or not. */
function placeByPolicy(judged: Judgement, { targetSeconds }: DatabaseFacts, expectation: Expectation): Judgement {
  if (expectation.kind === 'none') return judged;
  if (expectation.kind === 'exception') {
    const until = expectation.expires === null ? '' : ` until ${expectation.expires}`;
    const measured = isInSight(judged) ? ` Measured: ${judged.reason}` : '';
    const reason = `The policy leaves it alone${until}: ${endSentence(expectation.reason)}${measured}`;
    const wouldChange = expectation.expires === null ? 'A change of the policy.' : 'The end of the exception, or a change of the policy.';
    return { ...judged, verdict: 'Leave', group: 'As the policy wants', reason, confidence: 'high', wouldChange };
  }
  const expired =
    expectation.kind === 'expired' ? ` Its exception ran out on ${expectation.expires}: ${endSentence(expectation.reason)}` : '';
  const wanted = findWanted(expectation);
  const has = targetSeconds ?? 0;
  if (wanted === has) {
    const reason = `${judged.reason} The policy wants ${nameTarget(wanted)}: so it is.${expired}`;
    const group = isInSight(judged) ? judged.group : 'As the policy wants';
    return { ...judged, group, reason };
  }
  const unmet =
    wanted === null ? ' The policy names no target for it.' : ` The policy wants ${nameTarget(wanted)}; it has ${nameTarget(has)}.`;
  const group = isInSight(judged) ? judged.group : 'Not as the policy wants';
  return { ...judged, group, reason: `${judged.reason}${unmet}${expired}` };
}

function isInSight({ verdict }: Judgement): boolean {
  return verdict === 'Switch' || verdict === 'Watch';
}

/** Seconds; null where no target is wanted. */
function findWanted(expectation: Expectation): number | null {
  return expectation.kind === 'target' || expectation.kind === 'expired' ? expectation.targetSeconds : null;
}

function nameTarget(seconds: number): string {
  return seconds === 0 ? 'automatic checkpoints' : countOf(seconds, 'second');
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
