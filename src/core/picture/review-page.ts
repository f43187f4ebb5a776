/** The page on which a reader looks at a switch before any script is opened: what is in, what is out and why, database by database. */
import type { DatabaseFacts, Facts } from '../advice/facts';
import type { Finding, Preflight } from '../advice/finding';
import { findObstacle, isUserDatabase } from '../advice/obstacle';
import type { Exclusion, Plan, PlanStep } from '../advice/plan';
import type { Verdict } from '../advice/verdict';
import { countOf, formatCount, formatDateTime, formatUtcOffset } from '../format';
import type { ScriptSet } from '../script/script-set';
import { describeShortTarget } from './review-draft';
import { type ReviewCounts, writeReviewSentence } from './review-sentence';

export interface ReviewRow {
  readonly databaseId: number;
  readonly name: string;
  /** target_recovery_time_in_seconds; null where it could not be read. */
  readonly nowSeconds: number | null;
  /** What the script would set; null: it is not in the script. */
  readonly wantedSeconds: number | null;
  /** null: it is not in the script. */
  readonly wave: number | null;
  /** 'left out': chosen, and the plan leaves it out; 'has it already': not chosen, and there would be nothing to change. */
  readonly state: 'in' | 'left out' | 'has it already' | 'not chosen';
  /** Whether it can be put in by being pointed at. */
  readonly canBeIn: boolean;
  /** One sentence: on what evidence it is in, or why it is not. */
  readonly reason: string;
  /** What somebody has to look at first, each as one sentence. */
  readonly notes: readonly string[];
  readonly verdict: Verdict['verdict'];
}

export interface ReviewPage {
  /** The draft that this is the answer to. */
  readonly revision: number;
  /** As the server names itself: what the guard of the scripts compares. */
  readonly serverName: string;
  readonly sentence: string;
  /** When the facts were read, server time. */
  readonly readAt: string;
  /** What this target costs where it is unusually short; null where it is not. */
  readonly shortTarget: string | null;
  /** Databases of each wave, in their order. */
  readonly waves: readonly { readonly wave: number; readonly databases: number }[];
  /** Why the databases stand in that order; '' where nothing was said. */
  readonly order: string;
  readonly findings: readonly Finding[];
  readonly unseen: readonly string[];
  readonly rows: readonly ReviewRow[];
  readonly counts: ReviewCounts;
  /** What would be opened; 0: nothing can be switched. */
  readonly changeScripts: number;
  readonly rollbackScripts: number;
  readonly hasRecord: boolean;
}

export interface ReviewInput {
  readonly revision: number;
  readonly facts: Facts;
  readonly verdicts: ReadonlyMap<number, Verdict>;
  readonly namedIds: ReadonlySet<number>;
  readonly plan: Plan;
  readonly preflight: Preflight;
  readonly scripts: ScriptSet | null;
}

/** The page of one review: every database of the server, and one sentence that counts them. */
export function describeReview(input: ReviewInput): ReviewPage {
  const { facts, plan, preflight, scripts } = input;
  const rows = listRows(input);
  const waves = countWaves(plan.steps);
  const { serverName, nowUtcMs, utcOffsetMinutes } = facts.server;
  const counts = countRows(rows, facts);
  const countScripts = (kind: string): number => (scripts?.scripts ?? []).filter((script) => script.kind === kind).length;
  return {
    revision: input.revision,
    serverName,
    sentence: writeReviewSentence({ serverName, counts, waves: waves.length, targets: listTargets(plan) }),
    readAt: `${formatDateTime(nowUtcMs, utcOffsetMinutes)} ${formatUtcOffset(utcOffsetMinutes)}`,
    shortTarget: describeShortTarget(plan.targetSeconds),
    waves,
    order: plan.order ?? '',
    findings: preflight.server,
    unseen: preflight.unseen,
    rows,
    counts,
    changeScripts: countScripts('change'),
    rollbackScripts: countScripts('rollback'),
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

function describeStep({ database, toSeconds, wave, evidence }: PlanStep, input: ReviewInput): ReviewRow {
  return createRow(database, input, {
    wantedSeconds: toSeconds,
    wave,
    state: 'in',
    canBeIn: true,
    reason: endSentence(beginSentence(evidence)),
  });
}

/** Where it was pointed at and is left out all the same, nothing that is done here can put it in. */
function describeExclusion({ databaseId, name, reason }: Exclusion, database: DatabaseFacts | null, input: ReviewInput): ReviewRow {
  const isOpen = database !== null && !input.namedIds.has(databaseId) && findReason(database, input) === null;
  return createRow(database ?? { databaseId, name, targetSeconds: null }, input, {
    wantedSeconds: null,
    wave: null,
    state: 'left out',
    canBeIn: isOpen,
    reason: `It ${endSentence(reason)}`,
  });
}

function describeOther(database: DatabaseFacts, input: ReviewInput): ReviewRow {
  const found = findReason(database, input);
  const verdict = input.verdicts.get(database.databaseId);
  return createRow(database, input, {
    wantedSeconds: null,
    wave: null,
    state: database.targetSeconds === input.plan.targetSeconds ? 'has it already' : 'not chosen',
    canBeIn: found === null,
    reason: found === null ? `Not chosen. ${verdict?.reason ?? ''}`.trim() : `It ${endSentence(found)}`,
  });
}

/** Why a database cannot be in, whoever points at it; null where it can. */
function findReason(database: DatabaseFacts, { facts, plan }: ReviewInput): string | null {
  const has = database.targetSeconds === plan.targetSeconds ? `already has ${countOf(plan.targetSeconds, 'second')}` : null;
  return findObstacle(database, facts) ?? has;
}

const noNotes: readonly string[] = [];

/** Written out: spread for thousands of rows, an object costs many times as much. */
function createRow(
  { databaseId, name, targetSeconds }: Pick<DatabaseFacts, 'databaseId' | 'name' | 'targetSeconds'>,
  { verdicts, preflight }: ReviewInput,
  { wantedSeconds, wave, state, canBeIn, reason }: Pick<ReviewRow, 'wantedSeconds' | 'wave' | 'state' | 'canBeIn' | 'reason'>,
): ReviewRow {
  const notes = preflight.databases
    .get(databaseId)
    ?.filter(({ severity }) => severity !== 'inform')
    .map(writeNote);
  const verdict = verdicts.get(databaseId)?.verdict ?? 'Cannot tell here';
  return { databaseId, name, nowSeconds: targetSeconds, wantedSeconds, wave, state, canBeIn, reason, notes: notes ?? noNotes, verdict };
}

function writeNote({ severity, sentence, remedy }: Finding): string {
  return `${nameSeverity(severity)}: ${endSentence(sentence)}${remedy === null ? '' : ` ${endSentence(remedy)}`}`;
}

/** A severity in the words of the page. */
export function nameSeverity(severity: Finding['severity']): string {
  switch (severity) {
    case 'blocks':
      return 'Blocks';
    case 'look first':
      return 'Look first';
    case 'inform':
      return 'For your information';
    default:
      return severity satisfies never;
  }
}

/** What somebody chose is counted, whatever it is; of the others those of users alone. */
function countRows(rows: readonly ReviewRow[], facts: Facts): ReviewCounts {
  const users = new Set(facts.databases.filter((database) => isUserDatabase(database, facts)).map(({ databaseId }) => databaseId));
  const counts = { in: 0, leftOut: 0, haveIt: 0, notChosen: 0, never: 0 };
  for (const { state, databaseId } of rows) {
    if (state === 'in') counts.in++;
    else if (state === 'left out') counts.leftOut++;
    else if (!users.has(databaseId)) counts.never++;
    else if (state === 'has it already') counts.haveIt++;
    else counts.notChosen++;
  }
  return counts;
}

function countWaves(steps: readonly PlanStep[]): ReviewPage['waves'] {
  const databases = new Map<number, number>();
  for (const { wave } of steps) databases.set(wave, (databases.get(wave) ?? 0) + 1);
  return [...databases].map(([wave, count]) => ({ wave, databases: count })).sort((a, b) => a.wave - b.wave);
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

/** `Waves: 5, 100 and 203 databases`; of many waves the first few. */
export function describeWaves(waves: ReviewPage['waves']): string {
  if (waves.length < 2) return '';
  const shown = waves.slice(0, mostWavesTold).map(({ wave, databases }) => `wave ${wave}: ${formatCount(databases)}`);
  const more = waves.length > mostWavesTold ? `, and ${formatCount(waves.length - mostWavesTold)} more waves` : '';
  return `Databases in ${shown.join(', ')}${more}.`;
}

const mostWavesTold = 8;
