import type { DatabaseFacts, Facts } from '../core/advice/facts';
import { type Choice, planSwitch } from '../core/advice/plan';
import type { CaptureRecord } from '../core/capture/capture-record';
import { formatCount, formatDateTime, formatDuration, formatPercent, formatUtcOffset } from '../core/format';
import { writeSwitchScripts } from '../core/script/switch';
import { reviewTemplates } from '../texts';
import type { CaptureEvidence } from './judgement';
import type { SwitchReview } from './server-monitor';

/** Plans the switch of the chosen databases and writes its scripts, resting on these facts and this evidence. */
export function reviewSwitch(choice: Choice, facts: Facts, evidence: CaptureEvidence | null, capture: CaptureRecord | null): SwitchReview {
  const plan = planSwitch(choice, facts, (database) => describeDatabase(database, evidence));
  const preflight = { server: [], databases: new Map(), unseen: [] };
  if (plan.steps.length === 0) return { plan, preflight, scripts: null };
  const { serverName, nowUtcMs, utcOffsetMinutes } = facts.server;
  const readAt = `${formatDateTime(nowUtcMs, utcOffsetMinutes)} ${formatUtcOffset(utcOffsetMinutes)}`;
  const origin = { serverName, readAt, evidence: describeCapture(evidence, capture) };
  return { plan, preflight, scripts: writeSwitchScripts(plan, origin, reviewTemplates.setTargetRecoveryTime) };
}

function describeDatabase(database: DatabaseFacts, evidence: CaptureEvidence | null): string {
  const statistics = evidence?.statistics.get(database.databaseId);
  if (statistics === undefined) return 'no checkpoint measured';
  const share = statistics.share === null ? '' : `, ${formatPercent(statistics.share)} of the time`;
  const durations = `p95 ${formatDuration(statistics.p95Ms ?? 0)}, longest ${formatDuration(statistics.maximumMs ?? 0)}`;
  return `${formatCount(statistics.count)} checkpoints, ${durations}${share}`;
}

function describeCapture(evidence: CaptureEvidence | null, capture: CaptureRecord | null): string {
  if (evidence === null || capture === null) return 'nothing was measured; the choice rests on the settings alone.';
  const { checkpoints, unpaired } = capture.ledger();
  const counts = `${formatCount(checkpoints)} checkpoints in ${formatDuration(evidence.observedMs)} observed, ${formatCount(unpaired)} events unpaired`;
  return `${counts}; automatic checkpoints ran ${formatPercent(evidence.taskBusyShare)} of the time.`;
}
