import { GAP_NAMES } from '../core/session/gap';
import { listGaps } from '../core/statistics/coverage';
import type { DatabaseFacts, Facts } from '../core/advice/facts';
import { type Choice, findWave, listWaves, NOT_MEASURED, type Plan } from '../core/advice/plan';
import { findCounterColumn } from '../core/advice/platform';
import { planSwitch } from '../core/advice/switch-plan';
import type { Finding, Preflight } from '../core/advice/finding';
import { createExpectations, noPolicy, type PolicyInForce } from '../core/advice/policy';
import { describeUnreadablePolicy, checkPreflight } from '../core/advice/rules/preflight';
import { type ForecastSteps, forecastWaves } from '../core/advice/forecast';
import { findFiguresSince, type InstanceVerdict, type Objection } from '../core/advice/instance';
import { describeObjection } from '../core/advice/server-advice';
import { describeInstance, type InstanceWords, joinWords } from '../core/pages/instance-words';
import type { Verdict } from '../core/advice/verdict';
import type { CaptureRecord } from '../core/capture/capture-record';
import {
  countOf,
  english,
  formatCount,
  formatDateTime,
  formatDuration,
  formatUtcOffset,
  countCheckpoints,
} from '../core/format';
import { previewScripts } from '../core/review/script-preview';
import { describeCheckpoints, describeEvidence } from '../core/script/evidence-line';
import { writeSwitchScripts } from '../core/script/switch';
import type { EvidenceSnapshot, ScriptOrigin } from '../core/script/switch-heading';
import type { Steps } from '../core/steps';
import { reviewTemplates } from '../texts';
import { type CaptureEvidence, rememberFor, weighIn } from './facts/judgement';
import type { SwitchReview } from './server-monitor';
import { joinSentences, listSentences, t } from '../core/language';

/** What a review rests on besides the server and the capture. Each may be missing. */
interface ReviewGrounds {
  readonly inForce?: PolicyInForce;
  /** SHA-256 of a text as UTF-8, in hexadecimal digits. */
  readonly hash?: ((text: string) => string) | undefined;
  /** The verdict on the instance, and by database_id those on its databases; absent or null: not judged. */
  readonly instance?: InstanceVerdict | null;
  readonly verdicts?: ReadonlyMap<number, Verdict>;
}

/**
 * Plans the switch of the chosen databases and writes its scripts from these facts and this evidence, in steps of a few
 * milliseconds.
 */
export function* reviewSwitch(
  choice: Choice,
  facts: Facts,
  evidence: CaptureEvidence | null,
  capture: CaptureRecord | null,
  { inForce = noPolicy, hash, instance = null, verdicts = new Map() }: ReviewGrounds = {},
): Steps<SwitchReview> {
  const chosen = new Set(choice.databaseIds);
  const databases = facts.databases.filter(({ databaseId }) => chosen.has(databaseId));
  const { policy, problems, unreadable = [] } = inForce;
  const objection = choice.targetSeconds > 0 ? (instance?.objection ?? null) : null;
  const checked = nameSource(yield* checkPreflight(facts, databases, problems, unreadable), inForce);
  // The plan stays: the hold ends by itself.
  const preflight = addObjection(checked, objection);
  const { serverName, nowUtcMs, utcOffsetMinutes } = facts.server;
  const heldBack = {
    kind: 'exception',
    reason: describeUnreadablePolicy(unreadable),
    expires: null,
  } as const;
  const plan = yield* planSwitch(choice, facts, (database) => describeDatabase(database, evidence), {
    preflight: checked,
    expect: createExpectations(policy, serverName, nowUtcMs),
    expectOn: rememberFor((server) =>
      unreadable.length > 0 ? () => heldBack : createExpectations(policy, server, nowUtcMs),
    ),
    weigh: weighIn(evidence),
    firstWave: findFirstWave(choice, instance),
  });
  const forecast = forecastPlan(plan, choice, instance);
  const mediansMs = new Map(
    [...(evidence?.statistics ?? [])].flatMap(([id, { p50Ms }]) => (p50Ms === null ? [] : [[id, p50Ms]])),
  );
  if (plan.steps.length + (plan.elsewhere ?? []).length === 0)
    return { plan, preflight, forecast, mediansMs, scripts: null, previews: [] };
  const words = instance && describeInstance(instance, facts, verdicts);
  const origin: ScriptOrigin = {
    serverName,
    readAt: `${english.formatDateTime(nowUtcMs, utcOffsetMinutes)} ${formatUtcOffset(utcOffsetMinutes)}`,
    evidence: describeEvidence(
      instance,
      evidence && capture && { ...capture.ledger(), observedMs: evidence.observedMs },
    ),
    preflight,
    snapshot: takeSnapshot(facts, evidence, capture, words),
    forecast,
    hold: objection?.kind === 'stop' ? objection.limit.id : null,
    hash: hash ?? null,
    counterColumn: findCounterColumn(facts.server),
  };
  const scripts = yield* writeSwitchScripts(plan, origin, reviewTemplates.switch);
  return { plan, preflight, forecast, mediansMs, scripts, previews: yield* previewScripts(scripts) };
}

/** null: nothing is forecast. */
function forecastPlan(
  { steps }: Plan,
  { targetSeconds }: Choice,
  instance: InstanceVerdict | null,
): ForecastSteps | null {
  if (instance === null || instance.task === null || instance.partly !== null) return null;
  // Back to automatic checkpoints, none leaves the task. Others may still wait for their turn on it.
  if (targetSeconds === 0 || instance.objection !== null || instance.neededMs + instance.forecastInMs > 0)
    return null;
  return forecastWaves({ ...instance, task: instance.task }, listWaves(steps));
}

/** A rollback of anything but the last wave has no number of a wave. */
function findFirstWave({ databaseIds, targetSeconds }: Choice, instance: InstanceVerdict | null): number {
  const proposed = findWave(instance, targetSeconds);
  const isWave = targetSeconds > 0 || databaseIds.every((id) => proposed?.databaseIds.includes(id) === true);
  return isWave ? (proposed?.wave ?? 1) : 1;
}

/** Adds to the review and the record which policy counted. */
function nameSource(preflight: Preflight, { source = t('none') }: PolicyInForce): Preflight {
  const finding: Finding = {
    rule: 'policy-source',
    severity: 'inform',
    sentence: t('Policy: {0}.', source),
    remedy: null,
    sources: [],
  };
  return { ...preflight, server: [...preflight.server, finding] };
}

/**
 * What speaks against the switch comes first. While a limit is exceeded, the script stops until its reader says
 * otherwise.
 */
function addObjection(preflight: Preflight, objection: Objection | null): Preflight {
  if (objection === null) return preflight;
  const isStop = objection.kind === 'stop';
  const finding: Finding = {
    rule: isStop ? 'limit-exceeded' : 'last-wave-open',
    severity: isStop ? 'blocks' : 'look first',
    sentence: describeObjection(objection),
    remedy: isStop
      ? t('Wait until it stays below for 10 minutes, or roll back the last wave')
      : t('See Before / after first'),
    sources: [],
  };
  return { ...preflight, server: [finding, ...preflight.server] };
}

function describeDatabase({ databaseId }: DatabaseFacts, evidence: CaptureEvidence | null): string {
  const isSince = evidence !== null && findFiguresSince(evidence) !== null;
  if (evidence?.statistics.has(databaseId) !== true && evidence?.lastCheckpoints.has(databaseId) !== true)
    return NOT_MEASURED;
  return describeCheckpoints(evidence.statistics.get(databaseId) ?? null, isSince);
}

/** @param words the verdict on the instance; null: not judged */
function describeCapture(
  evidence: CaptureEvidence | null,
  capture: CaptureRecord | null,
  words: string | null,
): string {
  if (evidence === null || capture === null)
    return t('Nothing was measured. The choice rests on the settings alone.');
  const { checkpoints, unpaired } = capture.ledger();
  const counts = t(
    '{0} in {1} of observed time, {2}.',
    countCheckpoints(checkpoints),
    formatDuration(evidence.observedMs),
    countOf(unpaired, t('{0} unpaired event'), t('{0} unpaired events')),
  );
  return joinSentences(words ?? '', counts);
}

/** What a reader of the change record cannot look up later. */
function takeSnapshot(
  { server, state }: Facts,
  evidence: CaptureEvidence | null,
  capture: CaptureRecord | null,
  words: InstanceWords | null,
): EvidenceSnapshot {
  const clock = (utcMs: number): string => formatDateTime(utcMs, server.utcOffsetMinutes);
  const offset = formatUtcOffset(server.utcOffsetMinutes);
  const observation = capture?.observation ?? null;
  return {
    sentences: listSentences(
      describeCapture(
        evidence,
        capture,
        words && joinWords({ ...words, lines: words.lines.slice(0, 1), note: null }),
      ),
      words === null || words.lines.length < 2
        ? ''
        : joinWords({ ...words, title: t('What follows:'), lines: words.lines.slice(1) }),
      t('SQL Server {0} ({1}), {2}.', server.productVersion, server.productLevel, server.edition),
      state.kind === 'observed'
        ? t('Target memory: {0} MB.', formatCount(state.value.committedTargetMb))
        : t('Its memory is not observable: {0}', state.reason),
      observation === null
        ? ''
        : t(
            'Observed from {0} to {1}, {2}.',
            ...[observation.beginUtcMs, observation.endUtcMs].map(clock),
            offset,
          ),
    ),
    gaps: (observation === null ? [] : listGaps(observation)).map((gap) =>
      t('{0} to {1}: {2}. {3}', clock(gap.beginUtcMs), clock(gap.endUtcMs), GAP_NAMES[gap.kind], gap.reason),
    ),
  };
}
