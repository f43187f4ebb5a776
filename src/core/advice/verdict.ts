import { type DatabaseFacts, type Facts, isSystemDatabase, recoveryIntervalMs } from './facts';
import type { Finding } from './finding';
import { type Evidence, type Judgement, judgeMeasured, judgeUntracked } from './measured-harm';
import { countOf, formatCount } from '../format';
import { findObstacle } from './obstacle';
import type { Expectation } from './policy';
import { defaultTargetSeconds } from './target-seconds';

export type { Evidence, KnownOfDatabase } from './measured-harm';

/** Where the pane shows a database. */
export type Group =
  | 'Switch'
  | 'Watch'
  | 'Not as the policy wants'
  | 'Automatic, measured, no harm seen'
  | 'Automatic, not measured'
  | 'Indirect'
  | 'Unusual value'
  | 'As the policy wants'
  | 'Not changeable here';

export const groups: readonly Group[] = [
  'Switch',
  'Watch',
  'Not as the policy wants',
  'Automatic, not measured',
  'Automatic, measured, no harm seen',
  'Unusual value',
  'Indirect',
  'As the policy wants',
  'Not changeable here',
];

export interface Verdict {
  readonly databaseId: number;
  readonly verdict: 'Leave' | 'Watch' | 'Switch' | 'Cannot tell here';
  readonly group: Group;
  /** What was measured, in one sentence or a few. */
  readonly reason: string;
  readonly confidence: 'high' | 'medium' | 'low';
  /** What would make it another verdict, as a sentence. */
  readonly wouldChange: string;
  /** Harm was measured, and what stands against a change has to be looked at first: without that it would be 'Switch'. */
  readonly isHeldBack?: true;
}

/** What counts beside the facts and the measurements. */
export interface Circumstances {
  readonly expectation: Expectation;
  /** Findings that somebody has to decide about before this database is changed, those of the server among them. */
  readonly decisions: readonly Finding[];
}

export const noCircumstances: Circumstances = { expectation: { kind: 'none' }, decisions: [] };

const mostIntervalMinutes = 32_767;

/**
 * The verdict on one database. Harm is what automatic checkpoints do to others or to the database's own log writes; a long checkpoint alone is none. A policy
 * decides where the pane shows it; what was measured stays what it is. Where something has to be looked at first, nothing is called ready to switch.
 */
export function judgeDatabase(
  database: DatabaseFacts,
  facts: Facts,
  evidence: Evidence | null,
  { expectation, decisions }: Circumstances = noCircumstances,
): Verdict {
  const { databaseId } = database;
  const obstacle = findObstacle(database, facts);
  if (obstacle !== null) return { databaseId, ...judgeFixed(database, obstacle, expectation) };
  const judged = holdBack(judgeSetting(database, facts, evidence), decisions);
  return { databaseId, ...placeByPolicy(judged, database, expectation) };
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
    group: 'Not changeable here',
    reason: `It ${obstacle}.${unmet}`,
    confidence: 'high',
    wouldChange: isNever ? 'Nothing: it is never part of a switch.' : 'A look at it where it can be changed, or when it can be.',
  };
}

function judgeSetting(database: DatabaseFacts, facts: Facts, evidence: Evidence | null): Judgement {
  const target = database.targetSeconds ?? 0;
  if (target === defaultTargetSeconds)
    return {
      verdict: 'Leave',
      group: 'Indirect',
      reason: 'Already uses indirect checkpoints, with the default target of 60 seconds.',
      confidence: 'high',
      wouldChange: 'More write work in all since the change, as before / after shows it.',
    };
  if (target > 0)
    return {
      verdict: 'Leave',
      group: 'Unusual value',
      reason: `Uses indirect checkpoints with ${countOf(target, 'second')}: someone chose that value.`,
      confidence: 'high',
      wouldChange: 'A word of whoever chose it.',
    };
  if (areAutomaticOff(facts)) return judgeTurnedOff(facts);
  return warnOfFlag(evidence === null ? judgeUntracked(null) : judgeMeasured(evidence, recoveryIntervalMs(facts.server)), facts);
}

/** The largest recovery interval: no automatic checkpoints (docs/facts.md, SQL Server 1). */
function areAutomaticOff({ server }: Facts): boolean {
  return (server.recoveryIntervalMinutes ?? 0) >= mostIntervalMinutes;
}

/** Where none can begin, that none was seen says nothing. */
function judgeTurnedOff({ server }: Facts): Judgement {
  return {
    verdict: 'Cannot tell here',
    group: 'Automatic, not measured',
    reason: `The recovery interval is ${formatCount(server.recoveryIntervalMinutes ?? 0)} minutes, the most there is: automatic checkpoints are off, and what was measured says nothing about them.`,
    confidence: 'high',
    wouldChange: 'A measurement with the recovery interval as it usually is.',
  };
}

/** What the flag does is not verified (docs/facts.md, SQL Server 6): it decides nothing alone. */
function warnOfFlag(judged: Judgement, { traceFlags }: Facts): Judgement {
  if (traceFlags.kind !== 'observed' || !traceFlags.value.includes(3505)) return judged;
  const reason = `${judged.reason} Trace flag 3505 is on, which is said to turn automatic checkpoints off.`;
  return { ...judged, reason, confidence: 'low' };
}

/** Measured harm is no reason to change something before what stands against it was looked at. */
function holdBack(judged: Judgement, decisions: readonly Finding[]): Judgement {
  if (judged.verdict !== 'Switch' || decisions.length === 0) return judged;
  const remedies = decisions.flatMap(({ remedy }) => (remedy === null ? [] : [remedy]));
  return {
    verdict: 'Watch',
    group: 'Watch',
    reason: `${judged.reason} Look first: ${decisions.map(({ sentence }) => sentence).join(' ')}`,
    confidence: judged.confidence,
    isHeldBack: true,
    wouldChange: remedies.length === 0 ? 'Switch, once that was looked at.' : `Switch, once this is done: ${remedies.join(' ')}`,
  };
}

/** Measured harm stays in sight unless the policy exempts the database; everything else is expected or not. */
function placeByPolicy(judged: Judgement, { targetSeconds }: DatabaseFacts, expectation: Expectation): Judgement {
  if (expectation.kind === 'none') return judged;
  if (expectation.kind === 'exception') {
    const until = expectation.expires === null ? '' : ` until ${expectation.expires}`;
    const measured = judged.group === 'Switch' || judged.group === 'Watch' ? ` Measured: ${judged.reason}` : '';
    const reason = `The policy leaves it alone${until}: ${endSentence(expectation.reason)}${measured}`;
    const wouldChange = expectation.expires === null ? 'A change of the policy.' : 'The end of the exception, or a change of the policy.';
    return { verdict: 'Leave', group: 'As the policy wants', reason, confidence: 'high', wouldChange };
  }
  const expired =
    expectation.kind === 'expired' ? ` Its exception ran out on ${expectation.expires}: ${endSentence(expectation.reason)}` : '';
  const wanted = findWanted(expectation);
  const has = targetSeconds ?? 0;
  if (wanted === has) {
    const reason = `${judged.reason} The policy wants ${nameTarget(wanted)}: so it is.${expired}`;
    const group = judged.group === 'Switch' || judged.group === 'Watch' ? judged.group : 'As the policy wants';
    return { ...judged, group, reason };
  }
  const unmet =
    wanted === null ? ' The policy names no target for it.' : ` The policy wants ${nameTarget(wanted)}; it has ${nameTarget(has)}.`;
  const group = judged.group === 'Switch' || judged.group === 'Watch' ? judged.group : 'Not as the policy wants';
  return { ...judged, group, reason: `${judged.reason}${unmet}${expired}` };
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
