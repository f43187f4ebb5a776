import {
  type CheckpointEstimate,
  type CheckpointPlan,
  planCheckpoints,
} from '../core/advice/checkpoint-plan';
import type { DatabaseFacts, Facts } from '../core/advice/facts';
import { describeLastCheckpoint } from '../core/advice/last-checkpoint';
import { countOf, english, formatUtcOffset } from '../core/format';
import { joinSentences, t } from '../core/language';
import { describeEvidence } from '../core/script/evidence-line';
import type { ReviewOrigin } from '../core/script/review-program';
import { type ScriptKind, type ScriptRequest, writeOtherScript } from '../core/script/script-request';
import type { ReviewScript } from '../core/script/script-set';
import { reviewTemplates } from '../texts';
import type { CaptureEvidence } from './facts/judgement';
import type { ServerJudgement } from './facts/server-judgement';

/** What the evidence line of a script rests on. */
type Judged = Pick<ServerJudgement, 'evidence' | 'instance'>;

/**
 * Writes the requested scripts from these facts and this evidence. Nothing is run.
 * @throws Error with one sentence if there is nothing to write, or nothing that could be undone
 */
export function writeScripts<Kind extends ScriptKind>(
  request: ScriptRequest<Kind>,
  facts: Facts,
  judged: Judged,
): readonly ReviewScript[] {
  const { evidence } = judged;
  const origin = describeOrigin(facts, judged);
  const plan = (databaseIds: readonly number[] | null): CheckpointPlan => {
    const planned = planCheckpoints(databaseIds, facts, (database) =>
      estimateCheckpoint(database, facts, evidence),
    );
    if (planned.steps.length === 0) throw new Error(describeEmptyPlan(planned));
    return planned;
  };
  return writeOtherScript(request, { facts, origin, plan, template: reviewTemplates[request.kind] });
}

/**
 * The median of what was measured of a database, null if nothing was, and how much has gathered since its last
 * checkpoint.
 */
function estimateCheckpoint(
  { databaseId }: DatabaseFacts,
  facts: Facts,
  evidence: CaptureEvidence | null,
): CheckpointEstimate {
  const last = describeLastCheckpoint(databaseId, evidence?.lastCheckpoints.get(databaseId) ?? null, facts);
  const statistics = evidence?.statistics.get(databaseId);
  const medianMs = statistics?.p50Ms ?? null;
  if (statistics === undefined || medianMs === null) return { estimatedMs: null, basis: last };
  const { count, p95Ms } = statistics;
  const measured = `${english.formatCount(count)} measured${p95Ms === null ? '' : `, p95 ${english.formatDuration(p95Ms)}`}`;
  return { estimatedMs: Math.round(medianMs), basis: last === '' ? measured : `${measured}; ${last}` };
}

function describeOrigin({ server }: Facts, { evidence, instance }: Judged): ReviewOrigin {
  const { serverName, nowUtcMs, utcOffsetMinutes } = server;
  return {
    serverName,
    readAt: `${english.formatDateTime(nowUtcMs, utcOffsetMinutes)} ${formatUtcOffset(utcOffsetMinutes)}`,
    evidence: describeEvidence(evidence && instance, null),
  };
}

/** Reasons beyond these are counted. */
const MOST_REASONS = 3;

function describeEmptyPlan({ leftOut }: CheckpointPlan): string {
  if (leftOut.length === 0)
    return t('No user database here uses automatic checkpoints: there is nothing to write into the script.');
  const reasons = leftOut.slice(0, MOST_REASONS).map(({ name, obstacle }) => `${name}: ${obstacle.sentence}`);
  const more = leftOut.length - MOST_REASONS;
  const others = more > 0 ? countOf(more, t('And {0} other.'), t('And {0} others.')) : '';
  return joinSentences(t('No database for the script.'), ...reasons, others);
}
