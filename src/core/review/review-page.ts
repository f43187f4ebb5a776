/**
 * The page on which a reader checks a switch before any script is opened: what is in, what is out and why, database by
 * database.
 */
import type { DatabaseFacts, Facts } from '../advice/facts';
import type { Finding, Preflight } from '../advice/finding';
import type { ForecastSteps } from '../advice/forecast';
import type { InstanceVerdict } from '../advice/instance';
import { formatRange, SO_FAR_WORDS, writeNote } from '../pages/forecast-words';
import { describeInstance, type InstanceWords } from '../pages/instance-words';
import { joinLines, plainLine, readEmphasis, type Words } from '../pages/words';
import { findObstacle, type Obstacle } from '../advice/obstacle';
import { type Exclusion, findWave, listWaves, NOT_MEASURED, type Plan, type PlanStep } from '../advice/plan';
import { describeUnchanged } from '../advice/switch-plan';
import { type Group, groups } from '../advice/verdict-names';
import type { Verdict } from '../advice/verdict';
import {
  countDatabases,
  countSeconds,
  formatCount,
  formatDateTime,
  formatPercent,
  formatUtcOffset,
} from '../format';
import type { ReviewScript, ScriptSet } from '../script/script-set';
import { describeShortTarget } from './review-draft';
import { gatherFindings, type ReviewFindings, SEVERITY_NAMES } from './review-findings';
import type { ScriptPreview } from './script-preview';
import { fillText, joinSentences, t, endSentence } from '../language';
import { MINUTE_MS } from '../time';

export interface ReviewRow {
  readonly databaseId: number;
  readonly name: string;
  /** target_recovery_time_in_seconds; null if it could not be read. */
  readonly nowSeconds: number | null;
  /** null: it is not in the script. */
  readonly wave: number | null;
  /** The later wave that it is planned for; null: it is in the script, or in no planned wave. */
  readonly laterWave: number | null;
  /** 'left out': chosen, but the plan leaves it out; 'has it already': not chosen, and there is nothing to change. */
  readonly state: 'in' | 'left out' | 'has it already' | 'not chosen';
  /** Whether a tick can put it in. */
  readonly canBeIn: boolean;
  /** The reason for its verdict, or why it is not in the script. */
  readonly reason: string;
  /** `Obstacle.kind` of what stands against the change here; null: nothing does. */
  readonly kind: string | null;
  /** Whether the reason is its own and stands under the row. Other rows share the reason of their group. */
  readonly isTold: boolean;
  /** What to look at first, each as one sentence. */
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
  /** "Set 60 seconds on 78 databases, in 4 waves." */
  readonly title: string;
  readonly why: readonly Words[];
  /** What to expect of the first waves; null if there is nothing to say. */
  readonly note: string | null;
  /** The task after each wave of the ticked databases; null: nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** When the facts were read, server time: as "2026-03-17 10:31", and with seconds and offset from UTC. */
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
  /** By database_id. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
  readonly namedIds: ReadonlySet<number>;
  readonly plan: Plan;
  readonly preflight: Preflight;
  /** null if none of the chosen databases can be switched; the plan says why. */
  readonly scripts: ScriptSet | null;
  /** The scripts that would be opened, folded. */
  readonly previews: readonly ScriptPreview[];
  /** The checkpoint task after each wave of the plan; null: nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** Median durations by database_id, of databases with checkpoints. */
  readonly mediansMs: ReadonlyMap<number, number>;
}

/** The page of one review: every database of the server, and what changes in a few sentences. */
export function describeReview(input: ReviewInput): ReviewPage {
  const { facts, instance, verdicts, plan, preflight, scripts, forecast } = input;
  const rows = listRows(input);
  const { nowUtcMs, utcOffsetMinutes } = facts.server;
  const readAt = formatDateTime(nowUtcMs, utcOffsetMinutes);
  const waves = listWaves(plan.steps);
  return {
    revision: input.revision,
    title: joinSentences(
      writeReviewTitle(
        plan.steps.length,
        waves.length,
        listTargets(plan),
        waves.length === 1 ? waves[0]?.wave : 1,
      ),
      isChanged(plan, instance) ? t('Changed by you.') : '',
    ),
    why: joinLines([
      writeReviewWhy(instance && describeInstance(instance, facts, verdicts), rows, forecast),
      plainLine(describeSoFar(instance, nowUtcMs)),
    ]),
    note: writeNote(forecast),
    forecast,
    asOf: readAt.slice(0, 16),
    readAt: `${readAt} ${formatUtcOffset(utcOffsetMinutes)}`,
    shortTarget: describeShortTarget(plan.targetSeconds),
    order: waves.length < 2 ? '' : (plan.order ?? ''),
    findings: gatherFindings(preflight, facts),
    unseen: preflight.unseen,
    rows,
    previews: input.previews,
    scripts: (scripts?.scripts ?? []).map(({ title, kind }) => ({ title, kind })),
    hasRecord: scripts !== null && scripts.record !== '',
  };
}

/** What was seen longer ago says nothing of now. */
const SO_FAR_MS = 15 * MINUTE_MS;

/** What speaks for going on; '' where something speaks against it, or the last look at it was another time's. */
function describeSoFar(instance: InstanceVerdict | null, nowUtcMs: number): string {
  const { soFar = null, objection = null, ran = 0 } = instance ?? {};
  if (soFar === null || objection !== null || nowUtcMs - soFar.atUtcMs > SO_FAR_MS) return '';
  const { wave, forecast, limits } = soFar;
  const isKnown = wave !== null && wave === ran && forecast !== null;
  return joinSentences(
    isKnown ? t('Wave {0}: {1}.', wave, SO_FAR_WORDS[forecast]) : '',
    t('Limits: {0}', limits),
  );
}

/** Whether some of the wave that was proposed is chosen, but not exactly that. */
function isChanged({ steps, exclusions, targetSeconds }: Plan, instance: InstanceVerdict | null): boolean {
  const proposed = new Set(findWave(instance, targetSeconds)?.databaseIds);
  const chosen = [...steps.map(({ database }) => database), ...exclusions];
  const same = chosen.filter(({ databaseId }) => proposed.has(databaseId)).length;
  return same > 0 && (same < proposed.size || same < chosen.length);
}

interface RowInput extends ReviewInput {
  /** By database_id. */
  readonly laterWaves: ReadonlyMap<number, number>;
}

/** Databases of the server, then chosen ones that no longer exist. */
function listRows(review: ReviewInput): readonly ReviewRow[] {
  const later = review.plan.targetSeconds === 0 ? [] : (review.instance?.later ?? []);
  const laterWaves = new Map(later.flatMap(({ wave, databaseIds }) => databaseIds.map((id) => [id, wave])));
  const input: RowInput = { ...review, laterWaves };
  const steps = new Map(input.plan.steps.map((step) => [step.database.databaseId, step]));
  const exclusions = new Map(input.plan.exclusions.map((exclusion) => [exclusion.databaseId, exclusion]));
  const present = new Set(input.facts.databases.map(({ databaseId }) => databaseId));
  const gone = input.plan.exclusions.filter(({ databaseId }) => !present.has(databaseId));
  const rows = input.facts.databases.map((database) => {
    const step = steps.get(database.databaseId);
    if (step !== undefined) return describeStep(step, input);
    const exclusion = exclusions.get(database.databaseId);
    return exclusion === undefined
      ? describeOther(database, input)
      : describeExclusion(exclusion, database, input);
  });
  return [...rows, ...gone.map((exclusion) => describeExclusion(exclusion, null, input))];
}

function describeStep({ database, wave, evidence }: PlanStep, input: RowInput): ReviewRow {
  return createRow(database, input, {
    wave,
    state: 'in',
    canBeIn: true,
    kind: null,
    reason:
      input.verdicts.get(database.databaseId)?.reason ??
      (evidence === NOT_MEASURED ? t('No checkpoint measured.') : endSentence(evidence)),
  });
}

/** If the reader named the database and the plan still leaves it out, nothing on this page can put it in. */
function describeExclusion(
  { databaseId, name, kind, reason }: Exclusion,
  database: DatabaseFacts | null,
  input: RowInput,
): ReviewRow {
  const isOpen = database !== null && !input.namedIds.has(databaseId) && findReason(database, input) === null;
  return createRow(database ?? { databaseId, name, targetSeconds: null }, input, {
    wave: null,
    state: 'left out',
    canBeIn: isOpen,
    kind,
    reason,
  });
}

function describeOther(database: DatabaseFacts, input: RowInput): ReviewRow {
  const found = findReason(database, input);
  return createRow(database, input, {
    wave: null,
    state: database.targetSeconds === input.plan.targetSeconds ? 'has it already' : 'not chosen',
    canBeIn: found === null,
    kind: found?.kind ?? null,
    reason: found?.sentence ?? input.verdicts.get(database.databaseId)?.reason ?? t('Not ticked.'),
  });
}

/** Why no tick can put a database in; null if one can. */
function findReason(database: DatabaseFacts, { facts, plan }: RowInput): Obstacle | null {
  return (
    findObstacle(database, facts) ??
    (database.targetSeconds === plan.targetSeconds ? describeUnchanged(plan.targetSeconds) : null)
  );
}

const noNotes: readonly string[] = [];
/** Groups in which each row has its own reason. */
const toldGroups: ReadonlySet<Group> = new Set<Group>([
  'Hurts by itself',
  'Not as the policy wants',
  'As the policy wants',
]);

/** Names every field, because object spread for thousands of rows costs many times as much. */
function createRow(
  { databaseId, name, targetSeconds }: Pick<DatabaseFacts, 'databaseId' | 'name' | 'targetSeconds'>,
  { verdicts, preflight, instance, mediansMs, laterWaves }: RowInput,
  { wave, state, canBeIn, kind, reason }: Pick<ReviewRow, 'wave' | 'state' | 'canBeIn' | 'kind' | 'reason'>,
): ReviewRow {
  const notes = preflight.databases
    .get(databaseId)
    ?.filter(({ severity }) => severity !== 'inform')
    .map(writeFinding);
  const judged = verdicts.get(databaseId);
  const group = judged?.group ?? 'Cannot change here';
  // Too little was seen since a change: shares of some minutes would stand beside figures of all time.
  const own = instance?.neededMs === 0 ? instance.task?.databases.get(databaseId) : undefined;
  return {
    databaseId,
    name,
    nowSeconds: targetSeconds,
    wave,
    laterWave: state === 'not chosen' && canBeIn ? (laterWaves.get(databaseId) ?? null) : null,
    state,
    canBeIn,
    kind,
    reason,
    isTold: state === 'left out' || toldGroups.has(group) || judged?.hasMore === true,
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

/**
 * "Set 60 seconds on 78 databases, in 4 waves."
 * @param targets in seconds, each once
 * @param wave its number, if it is the next of several
 */
export function writeReviewTitle(
  databases: number,
  waves: number,
  targets: readonly number[],
  wave = 1,
): string {
  if (databases === 0) return t('No database that can be changed is ticked.');
  const [seconds, which] = [listSeconds(targets), countDatabases(databases)];
  if (wave > 1) return t('Wave {0}: set {1} on {2}.', wave, seconds, which);
  return waves > 1
    ? t('Set {0} on {1}, in {2} waves.', seconds, which, formatCount(waves))
    : t('Set {0} on {1}.', seconds, which);
}

/**
 * Why: the verdict on the instance, the reasons for the ticked databases, each once, and how busy the task would be
 * then.
 */
export function writeReviewWhy(
  words: InstanceWords | null,
  rows: readonly ReviewRow[],
  forecast: ForecastSteps | null,
): readonly Words[] {
  if (words === null) return plainLine(t('Nothing was measured: the choice rests on the settings alone.'));
  const ticked = rows.filter(({ state }) => state === 'in');
  if (ticked.length === 0) return joinLines([plainLine(words.title), ...words.lines]);
  const effect = forecast === null ? [] : describeForecast(forecast, ticked.length);
  return joinLines([plainLine(words.title), plainLine(describeTicked(ticked, rows)), effect]);
}

/** One database is told with its own reason, several with that of their group. */
function describeTicked(ticked: readonly ReviewRow[], rows: readonly ReviewRow[]): string {
  const [only] = ticked;
  if (ticked.length === 1 && only !== undefined) return only.reason;
  return groups
    .map((group) => ticked.filter((row) => row.group === group))
    .flatMap((own) => (own[0] === undefined ? [] : [describeReason(own[0].group, own, rows)]))
    .join(' ');
}

function describeReason(group: Group, rows: readonly ReviewRow[], all: readonly ReviewRow[]): string {
  const most = all.filter((row) => row.group === group).length;
  if (group === 'Feeds the queue' && rows.length > 1 && rows.length < most)
    return t(
      'These {0} of the {1} that feed the queue take {2} of the task.',
      formatCount(rows.length),
      formatCount(most),
      formatPercent(rows.reduce((sum, { share }) => sum + (share ?? 0), 0)),
    );
  const { one, several, isTold } = GROUP_WORDS[group];
  const what = fillText(rows.length === 1 ? one : several, formatCount(rows.length));
  if (isTold !== true) return what;
  const [reason = '', ...others] = new Set(rows.map((row) => row.reason));
  return joinSentences(what, others.length > 0 ? t('The reason for each is given below.') : reason);
}

/** Of a group: what is said of one of its databases and of several, and whether each has its own reason. */
interface GroupWords {
  readonly one: string;
  readonly several: string;
  readonly isTold?: true;
}

const GROUP_WORDS: Readonly<Record<Group, GroupWords>> = {
  'Feeds the queue': {
    one: t('{0} feeds the queue; alone it would be harmless.'),
    several: t('{0} feed the queue; each alone would be harmless.'),
  },
  'Hurts by itself': {
    one: t('{0} hurts on its own.'),
    several: t('{0} hurt on their own.'),
    isTold: true,
  },
  'Not as the policy wants': {
    one: t('{0} differs from the policy.'),
    several: t('{0} differ from the policy.'),
  },
  'Waits in the queue': {
    one: t('{0} waits in the queue: late because of the others.'),
    several: t('{0} wait in the queue: late because of the others.'),
  },
  'Long checkpoints': {
    one: t('{0} has long checkpoints. That alone does no harm.'),
    several: t('{0} have long checkpoints. That alone does no harm.'),
  },
  Quiet: { one: t('{0} is quiet.'), several: t('{0} are quiet.') },
  'No checkpoint seen': {
    one: t('{0} had no checkpoint: nothing to gain from a change.'),
    several: t('{0} had no checkpoint: nothing to gain from a change.'),
  },
  'Automatic, not measured': { one: t('{0} was not measured.'), several: t('{0} were not measured.') },
  Indirect: {
    one: t('{0} already uses indirect checkpoints.'),
    several: t('{0} already use indirect checkpoints.'),
  },
  'Other value': {
    one: t('{0} has a target other than the default.'),
    several: t('{0} have targets other than the default.'),
  },
  'As the policy wants': {
    one: t('{0} matches the policy.'),
    several: t('{0} match the policy.'),
  },
  'Cannot change here': {
    one: t('{0} cannot be changed here.'),
    several: t('{0} cannot be changed here.'),
  },
};

function describeForecast({ now, waves }: ForecastSteps, databases: number): readonly Words[] {
  const last = waves[waves.length - 1];
  if (last === undefined) return [];
  const [then, nowBusy] = [formatRange(last), formatPercent(now)];
  const one = t('With this one on indirect checkpoints, the task should be busy **{0}**; now it is {1}.');
  const several = t(
    'With these {0} on indirect checkpoints, the task should be busy **{1}**; now it is {2}.',
  );
  return databases === 1
    ? readEmphasis(one, then, nowBusy)
    : readEmphasis(several, formatCount(databases), then, nowBusy);
}

function listSeconds(targets: readonly number[]): string {
  const last = targets[targets.length - 1] as number;
  return targets.length === 1
    ? formatSeconds(last)
    : t('{0} or {1} seconds', targets.slice(0, -1).join(', '), last);
}

/** `1 second`, `60 seconds`; 0 is a setting, not a number of seconds. */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return t('automatic checkpoints (0 seconds)');
  return countSeconds(seconds);
}
