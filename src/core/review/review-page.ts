/** The page on which a reader looks at a switch before any script is opened: what is in, what is out and why, database by database. */
import type { DatabaseFacts, Facts } from '../advice/facts';
import type { Finding, Preflight } from '../advice/finding';
import type { ForecastSteps } from '../advice/forecast';
import type { InstanceVerdict } from '../advice/instance';
import { describeInstance, type Words } from '../pages/instance-words';
import { findObstacle, isUserDatabase } from '../advice/obstacle';
import type { Exclusion, Plan, PlanStep } from '../advice/plan';
import type { Group, Verdict } from '../advice/verdict';
import { countOf, formatDateTime, formatUtcOffset } from '../format';
import type { ReviewScript, ScriptSet } from '../script/script-set';
import { describeShortTarget } from './review-draft';
import { gatherFindings, nameSeverity, type ReviewFindings } from './review-findings';
import { writeLeft, writeReviewNote, writeReviewTitle, writeReviewWhy } from './review-words';
import type { ScriptPreview } from './script-preview';

export interface ReviewRow {
  readonly databaseId: number;
  readonly name: string;
  /** target_recovery_time_in_seconds; null where it could not be read. */
  readonly nowSeconds: number | null;
  /** null: it is not in the script. */
  readonly wave: number | null;
  /** 'left out': chosen, and the plan leaves it out; 'has it already': not chosen, and there would be nothing to change. */
  readonly state: 'in' | 'left out' | 'has it already' | 'not chosen';
  /** Whether it can be put in by being pointed at. */
  readonly canBeIn: boolean;
  /** Why its verdict is what it is, or why it is not in the script. */
  readonly reason: string;
  /** Whether the reason is its own and stands under the row: others share that of their group. */
  readonly isTold: boolean;
  /** What somebody has to look at first, each as one sentence. */
  readonly notes: readonly string[];
  readonly verdict: Verdict['verdict'];
  readonly group: Group;
  /** The forecast is at its bound without it. */
  readonly isIfNeeded: boolean;
  /** Of the checkpoint task's time, 0 to 1, and its turns an hour; null: it had none. */
  readonly share: number | null;
  readonly perHour: number | null;
  /** Half of its checkpoints took no longer; null: none was measured. */
  readonly medianMs: number | null;
}

export interface ReviewPage {
  /** The draft that this is the answer to. */
  readonly revision: number;
  /** "78 databases get 60 seconds, in 4 waves." */
  readonly title: string;
  readonly why: readonly Words[];
  /** What to expect of the first waves; null where there is nothing to say. */
  readonly note: string | null;
  /** What is left as it is, by group; '' where that is nothing. */
  readonly left: string;
  /** The task after each wave of what is ticked; null: nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** When the facts were read, server time: "10:31", and with its day and its offset from UTC. */
  readonly asOf: string;
  readonly readAt: string;
  /** What this target costs where it is unusually short; null where it is not. */
  readonly shortTarget: string | null;
  /** Why the databases stand in their order; '' where nothing was said. */
  readonly order: string;
  readonly findings: ReviewFindings;
  readonly unseen: readonly string[];
  readonly rows: readonly ReviewRow[];
  /** What would be opened, folded: the first script of each kind, and the change record. */
  readonly previews: readonly ScriptPreview[];
  /** What would be opened, in this order; empty: nothing can be switched. */
  readonly scripts: readonly Pick<ReviewScript, 'title' | 'kind'>[];
  readonly hasRecord: boolean;
}

export interface ReviewInput {
  readonly revision: number;
  readonly facts: Facts;
  /** null: not judged. */
  readonly instance: InstanceVerdict | null;
  readonly verdicts: ReadonlyMap<number, Verdict>;
  readonly namedIds: ReadonlySet<number>;
  readonly plan: Plan;
  readonly preflight: Preflight;
  readonly scripts: ScriptSet | null;
  readonly previews: readonly ScriptPreview[];
  readonly forecast: ForecastSteps | null;
  /** By database_id: of databases that have checkpoints. Milliseconds. */
  readonly mediansMs: ReadonlyMap<number, number>;
}

/** The page of one review: every database of the server, and what changes in a few sentences. */
export function describeReview(input: ReviewInput): ReviewPage {
  const { facts, instance, verdicts, plan, preflight, scripts, forecast } = input;
  const rows = listRows(input);
  const users = new Set(facts.databases.filter((database) => isUserDatabase(database, facts)).map(({ databaseId }) => databaseId));
  const { nowUtcMs, utcOffsetMinutes } = facts.server;
  const readAt = formatDateTime(nowUtcMs, utcOffsetMinutes);
  const waves = new Set(plan.steps.map(({ wave }) => wave)).size;
  return {
    revision: input.revision,
    title: writeReviewTitle({ databases: plan.steps.length, waves, targets: listTargets(plan) }),
    why: writeReviewWhy(instance && describeInstance(instance, facts, verdicts), rows, forecast),
    note: writeReviewNote(forecast),
    // What somebody chose is counted, whatever it is; of the others those of users alone.
    left: writeLeft(rows.filter(({ databaseId, state }) => state === 'left out' || users.has(databaseId))),
    forecast,
    asOf: readAt.slice(11, 16),
    readAt: `${readAt} ${formatUtcOffset(utcOffsetMinutes)}`,
    shortTarget: describeShortTarget(plan.targetSeconds),
    order: waves < 2 ? '' : (plan.order ?? ''),
    findings: gatherFindings(preflight, facts),
    unseen: preflight.unseen,
    rows,
    previews: input.previews,
    scripts: (scripts?.scripts ?? []).map(({ title, kind }) => ({ title, kind })),
    hasRecord: scripts !== null && scripts.record !== '',
  };
}

/** Databases of the server, then those that were chosen and are not there any more. */
function listRows(input: ReviewInput): readonly ReviewRow[] {
  const steps = new Map(input.plan.steps.map((step) => [step.database.databaseId, step]));
  const exclusions = new Map(input.plan.exclusions.map((exclusion) => [exclusion.databaseId, exclusion]));
  const present = new Set(input.facts.databases.map(({ databaseId }) => databaseId));
  const gone = input.plan.exclusions.filter(({ databaseId }) => !present.has(databaseId));
  const rows = input.facts.databases.map((database) => {
    const step = steps.get(database.databaseId);
    if (step !== undefined) return describeStep(step, input);
    const exclusion = exclusions.get(database.databaseId);
    return exclusion === undefined ? describeOther(database, input) : describeExclusion(exclusion, database, input);
  });
  return [...rows, ...gone.map((exclusion) => describeExclusion(exclusion, null, input))];
}

function describeStep({ database, wave, evidence }: PlanStep, input: ReviewInput): ReviewRow {
  return createRow(database, input, {
    wave,
    state: 'in',
    canBeIn: true,
    reason: input.verdicts.get(database.databaseId)?.reason ?? endSentence(beginSentence(evidence)),
  });
}

/** Where it was pointed at and is left out all the same, nothing that is done here can put it in. */
function describeExclusion({ databaseId, name, reason }: Exclusion, database: DatabaseFacts | null, input: ReviewInput): ReviewRow {
  const isOpen = database !== null && !input.namedIds.has(databaseId) && findReason(database, input) === null;
  return createRow(database ?? { databaseId, name, targetSeconds: null }, input, {
    wave: null,
    state: 'left out',
    canBeIn: isOpen,
    reason: `It ${endSentence(reason)}`,
  });
}

function describeOther(database: DatabaseFacts, input: ReviewInput): ReviewRow {
  const found = findReason(database, input);
  return createRow(database, input, {
    wave: null,
    state: database.targetSeconds === input.plan.targetSeconds ? 'has it already' : 'not chosen',
    canBeIn: found === null,
    reason: found === null ? (input.verdicts.get(database.databaseId)?.reason ?? 'Not ticked.') : `It ${endSentence(found)}`,
  });
}

/** Why a database cannot be in, whoever points at it; null where it can. */
function findReason(database: DatabaseFacts, { facts, plan }: ReviewInput): string | null {
  const has = database.targetSeconds === plan.targetSeconds ? `already has ${countOf(plan.targetSeconds, 'second')}` : null;
  return findObstacle(database, facts) ?? has;
}

const noNotes: readonly string[] = [];
/** Where each row has a reason of its own. */
const toldGroups: ReadonlySet<Group> = new Set<Group>(['Hurts by itself', 'Not as the policy wants', 'As the policy wants']);

/** Written out: spread for thousands of rows, an object costs many times as much. */
function createRow(
  { databaseId, name, targetSeconds }: Pick<DatabaseFacts, 'databaseId' | 'name' | 'targetSeconds'>,
  { verdicts, preflight, instance, mediansMs }: ReviewInput,
  { wave, state, canBeIn, reason }: Pick<ReviewRow, 'wave' | 'state' | 'canBeIn' | 'reason'>,
): ReviewRow {
  const notes = preflight.databases
    .get(databaseId)
    ?.filter(({ severity }) => severity !== 'inform')
    .map(writeNote);
  const judged = verdicts.get(databaseId);
  const group = judged?.group ?? 'Cannot change here';
  const own = instance?.task?.databases.get(databaseId);
  return {
    databaseId,
    name,
    nowSeconds: targetSeconds,
    wave,
    state,
    canBeIn,
    reason,
    isTold: state === 'left out' || toldGroups.has(group),
    notes: notes ?? noNotes,
    verdict: judged?.verdict ?? 'Cannot tell here',
    group,
    isIfNeeded: judged?.isIfNeeded === true,
    share: own?.share ?? null,
    perHour: own === undefined || own.observedMs <= 0 ? null : (own.count * 3_600_000) / own.observedMs,
    medianMs: mediansMs.get(databaseId) ?? null,
  };
}

function writeNote({ severity, sentence, remedy }: Finding): string {
  return `${nameSeverity(severity)}: ${endSentence(sentence)}${remedy === null ? '' : ` ${endSentence(remedy)}`}`;
}

/** Seconds that the steps lead to, each once: a policy can want others than the page asks for. */
function listTargets(plan: Plan): readonly number[] {
  const targets = [...new Set(plan.steps.map(({ toSeconds }) => toSeconds))].sort((a, b) => a - b);
  return targets.length === 0 ? [plan.targetSeconds] : targets;
}

/** Of words of ours. */
function beginSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A sentence may begin with the name of a database, which keeps its spelling: its first letter is left alone. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
