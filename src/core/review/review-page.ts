/** The page on which a reader checks a switch before any script is opened: what is in, what is out and why, database by database. */
import type { DatabaseFacts, Facts } from '../advice/facts';
import type { Finding, Preflight } from '../advice/finding';
import type { ForecastSteps } from '../advice/forecast';
import type { InstanceVerdict } from '../advice/instance';
import { describeInstance, formatRange, type InstanceWords, plain, strong, type Words, writeNote } from '../pages/instance-words';
import { findObstacle, isUserDatabase } from '../advice/obstacle';
import type { Exclusion, Plan, PlanStep } from '../advice/plan';
import { type Group, groups, type Verdict } from '../advice/verdict';
import { countDatabases, countOf, formatCount, formatDateTime, formatPercent, formatUtcOffset } from '../format';
import type { ReviewScript, ScriptSet } from '../script/script-set';
import { describeShortTarget } from './review-draft';
import { gatherFindings, type ReviewFindings, SEVERITY_NAMES } from './review-findings';
import type { ScriptPreview } from './script-preview';
import { t } from '../language';

export interface ReviewRow {
  readonly databaseId: number;
  readonly name: string;
  /** target_recovery_time_in_seconds; null if it could not be read. */
  readonly nowSeconds: number | null;
  /** null: it is not in the script. */
  readonly wave: number | null;
  /** 'left out': chosen, but the plan leaves it out; 'has it already': not chosen, and there is nothing to change. */
  readonly state: 'in' | 'left out' | 'has it already' | 'not chosen';
  /** Whether a tick can put it in. */
  readonly canBeIn: boolean;
  /** The reason for its verdict, or why it is not in the script. */
  readonly reason: string;
  /** Whether the reason is its own and stands under the row. Other rows share the reason of their group. */
  readonly isTold: boolean;
  /** What somebody has to look at first, each as one sentence. */
  readonly notes: readonly string[];
  readonly verdict: Verdict['verdict'];
  readonly group: Group;
  /** The forecast reaches the bound without it. */
  readonly isIfNeeded: boolean;
  /** Its share of the checkpoint task, 0 to 1, and its turns an hour; null: it had none. */
  readonly share: number | null;
  readonly perHour: number | null;
  /** The median duration of its checkpoints; null: none was measured. */
  readonly medianMs: number | null;
}

export interface ReviewPage {
  /** The draft that this page answers. */
  readonly revision: number;
  /** "78 databases get 60 seconds, in 4 waves." */
  readonly title: string;
  readonly why: readonly Words[];
  /** What to expect of the first waves; null if there is nothing to say. */
  readonly note: string | null;
  /** Databases left as they are, by group; '' if there are none. */
  readonly left: string;
  /** The task after each wave of the ticked databases; null: nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** When the facts were read, server time: as "10:31", and with date and offset from UTC. */
  readonly asOf: string;
  readonly readAt: string;
  /** What this target costs if it is unusually short; null if it is not. */
  readonly shortTarget: string | null;
  /** Why the databases are in this order; '' if there is nothing to say. */
  readonly order: string;
  readonly findings: ReviewFindings;
  readonly unseen: readonly string[];
  readonly rows: readonly ReviewRow[];
  /** Texts that would be opened, folded: the first script of each kind, and the change record. */
  readonly previews: readonly ScriptPreview[];
  /** Scripts that would be opened, in this order; empty: nothing can be switched. */
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
  /** Median durations by database_id, of databases with checkpoints. */
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
    title: writeReviewTitle(plan.steps.length, waves, listTargets(plan)),
    why: writeReviewWhy(instance && describeInstance(instance, facts, verdicts), rows, forecast),
    note: writeNote(forecast),
    // Counts every chosen database; of the others only user databases.
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

/** Databases of the server, then chosen ones that no longer exist. */
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

/** If the reader named the database and the plan still leaves it out, nothing on this page can put it in. */
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

/** Why no tick can put a database in; null if one can. */
function findReason(database: DatabaseFacts, { facts, plan }: ReviewInput): string | null {
  const has =
    database.targetSeconds === plan.targetSeconds ? `already has ${countOf(plan.targetSeconds, t('{0} second'), t('{0} seconds'))}` : null;
  return findObstacle(database, facts) ?? has;
}

const noNotes: readonly string[] = [];
/** Groups in which each row has its own reason. */
const toldGroups: ReadonlySet<Group> = new Set<Group>(['Hurts by itself', 'Not as the policy wants', 'As the policy wants']);

/** Names every field, because object spread for thousands of rows costs many times as much. */
function createRow(
  { databaseId, name, targetSeconds }: Pick<DatabaseFacts, 'databaseId' | 'name' | 'targetSeconds'>,
  { verdicts, preflight, instance, mediansMs }: ReviewInput,
  { wave, state, canBeIn, reason }: Pick<ReviewRow, 'wave' | 'state' | 'canBeIn' | 'reason'>,
): ReviewRow {
  const notes = preflight.databases
    .get(databaseId)
    ?.filter(({ severity }) => severity !== 'inform')
    .map(writeFinding);
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

function writeFinding({ severity, sentence, remedy }: Finding): string {
  return `${SEVERITY_NAMES[severity]}: ${endSentence(sentence)}${remedy === null ? '' : ` ${endSentence(remedy)}`}`;
}

/** Targets of the steps in seconds, each once: a policy can want others than the page asks for. */
function listTargets(plan: Plan): readonly number[] {
  const targets = [...new Set(plan.steps.map(({ toSeconds }) => toSeconds))].sort((a, b) => a - b);
  return targets.length === 0 ? [plan.targetSeconds] : targets;
}

/** Only for our own words, never for a name. */
function beginSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Leaves the first letter alone: it may begin the name of a database. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** "78 databases get 60 seconds, in 4 waves." @param targets in seconds, each once */
export function writeReviewTitle(databases: number, waves: number, targets: readonly number[]): string {
  if (databases === 0) return 'Nothing is ticked that can be changed.';
  const get = databases === 1 ? 'gets' : 'get';
  const inWaves = waves > 1 ? `, in ${formatCount(waves)} waves` : '';
  return `${countDatabases(databases)} ${get} ${listSeconds(targets)}${inWaves}.`;
}

/** Why: the verdict on the instance, the reasons for the ticked databases, each once, and how busy the task would be then. */
export function writeReviewWhy(words: InstanceWords | null, rows: readonly ReviewRow[], forecast: ForecastSteps | null): readonly Words[] {
  if (words === null) return [plain('Nothing was measured: the choice rests on the settings alone.')];
  const ticked = rows.filter(({ state }) => state === 'in');
  if (ticked.length === 0) return joinLines([[plain(words.title)], ...words.lines]);
  const effect = forecast === null ? [] : describeForecast(forecast, ticked.length);
  return joinLines([[plain(words.title)], [plain(describeTicked(ticked))], effect]);
}

/** One database is told with its own reason, several with that of their group. */
function describeTicked(ticked: readonly ReviewRow[]): string {
  const [only] = ticked;
  if (ticked.length === 1 && only !== undefined) return only.reason;
  return groups
    .map((group) => ticked.filter((row) => row.group === group))
    .flatMap((own) => (own[0] === undefined ? [] : [describeReason(own[0].group, own)]))
    .join(' ');
}

function describeReason(group: Group, rows: readonly ReviewRow[]): string {
  const [one, several, why] = GROUP_WORDS[group];
  const what = `${formatCount(rows.length)} ${rows.length === 1 ? one : several}`;
  if (why !== null) return `${what}${why}.`;
  const [reason, ...others] = new Set(rows.map((row) => row.reason));
  return others.length > 0 ? `${what}; the reason of each stands below it.` : `${what}. ${reason}`;
}

/** Words for one and for several databases of a group, why (null: each has its own reason), and for those that are left. */
const GROUP_WORDS: Readonly<Record<Group, readonly [one: string, several: string, why: string | null, left: string]>> = {
  'Feeds the queue': ['feeds the queue', 'feed the queue', ': the queue is the reason, no database alone', 'feeding the queue'],
  'Hurts by itself': ['hurts by itself', 'hurt by themselves', null, 'with harm of their own'],
  'Not as the policy wants': ['is not as the policy wants', 'are not as the policy wants', '', 'not as the policy wants'],
  'Waits in the queue': ['waits in the queue', 'wait in the queue', ': late because of the others', 'waiting in the queue'],
  'Long checkpoints': ['has long checkpoints', 'have long checkpoints', ', which alone are no harm', 'with long checkpoints'],
  Quiet: ['is quiet', 'are quiet', ': no harm was seen', 'quiet'],
  'No checkpoint seen': ['had no checkpoint', 'had no checkpoint', ': nothing to gain from a change', 'without a checkpoint'],
  'Automatic, not measured': ['was not measured', 'were not measured', '', 'not measured'],
  Indirect: ['uses indirect checkpoints already', 'use indirect checkpoints already', '', 'indirect already'],
  'Other value': ['has a value that somebody chose', 'have a value that somebody chose', '', 'with another value'],
  'As the policy wants': ['is as the policy wants', 'are as the policy wants', '', 'as the policy wants'],
  'Cannot change here': ['cannot be changed here', 'cannot be changed here', '', 'that cannot be changed here'],
};

function describeForecast({ now, waves }: ForecastSteps, databases: number): readonly Words[] {
  const last = waves[waves.length - 1];
  if (last === undefined) return [];
  const these = databases === 1 ? 'this one' : `these ${formatCount(databases)}`;
  return [
    plain(`With ${these} on indirect checkpoints, the task should be busy `),
    strong(formatRange(last)),
    plain(`; now it is ${formatPercent(now)}.`),
  ];
}

function joinLines(lines: readonly (readonly Words[])[]): readonly Words[] {
  return lines.filter((line) => line.length > 0).flatMap((line, at) => (at === 0 ? line : [plain(' '), ...line]));
}

/** "Left as they are: 73 waiting in the queue, 21 quiet, 4 that cannot be changed here."; '' if none. Feeders that the forecast does not need stand apart. */
function writeLeft(rows: readonly ReviewRow[]): string {
  const others = rows.filter(({ state }) => state !== 'in');
  const parts = groups.flatMap((group) => {
    const own = others.filter((row) => row.group === group);
    const later = own.filter(({ isIfNeeded }) => isIfNeeded).length;
    const rest = own.length - later;
    const left = GROUP_WORDS[group][3];
    return [
      ...(rest === 0 ? [] : [`${formatCount(rest)} ${left}`]),
      ...(later === 0 ? [] : [`${formatCount(later)} ${left}, to be switched only if still needed`]),
    ];
  });
  return parts.length === 0 ? '' : `Left as they are: ${parts.join('; ')}.`;
}

function listSeconds(targets: readonly number[]): string {
  const last = targets[targets.length - 1] as number;
  return targets.length === 1 ? formatSeconds(last) : `${targets.slice(0, -1).join(', ')} or ${last} seconds`;
}

/** `1 second`, `60 seconds`; 0 is a setting, not a number of seconds. */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return 'automatic checkpoints (0 seconds)';
  return countOf(seconds, t('{0} second'), t('{0} seconds'));
}
