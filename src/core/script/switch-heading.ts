/** The heading of a switch script, and what the change record says in the same words. */
import type { Preflight } from '../advice/finding';
import type { Forecast, ForecastSteps } from '../advice/forecast';
import { type Plan, type PlanStep, UNUSUALLY_SHORT_TARGET_SECONDS } from '../advice/plan';
import type { LimitId } from '../advice/limits';
import type { findCounterColumn } from '../advice/platform';
import { english } from '../format';
import { makeVisible } from '../visible';
import { type HeadingField, nameWriter, type ReviewOrigin, writeHeading } from './review-program';
import { isTold } from './switch-list';
import { countEach, nameCounts } from '../lists';

/** What was measured when the scripts were written, as sentences in the user's language, for the change record. */
export interface EvidenceSnapshot {
  /** Numbers with their dates. */
  readonly sentences: readonly string[];
  /** Times in which nothing was seen, and why. */
  readonly gaps: readonly string[];
}

export interface ScriptOrigin extends ReviewOrigin {
  /** Findings of the server and of its databases. */
  readonly preflight?: Preflight;
  /** For the change record. */
  readonly snapshot?: EvidenceSnapshot;
  /** The checkpoint task after each wave, for the change record; null: nothing was measured. */
  readonly forecast?: ForecastSteps | null;
  /** The column of sys.databases with the name that the counters of a database have; absent: name. */
  readonly counterColumn?: ReturnType<typeof findCounterColumn>;
  /** The limit that is exceeded, so that the script stops until its reader says otherwise; null: none. */
  readonly hold?: LimitId | null;
  /** SHA-256 of a text as UTF-8, in hexadecimal digits; null if nothing can compute it. */
  readonly hash?: ((text: string) => string) | null;
}

export interface SwitchForm {
  /** Each ALTER stands by itself, without a list. */
  readonly isLiteral: boolean;
  /** It goes on by itself from wave to wave. */
  readonly isPausing: boolean;
}

export function writeSwitchHeading(
  steps: readonly PlanStep[],
  plan: Plan,
  origin: ScriptOrigin,
  form: SwitchForm,
): string {
  const { isLiteral, isPausing } = form;
  const waves = describeWaves(steps, plan);
  const hold = origin.hold
    ? `ON HOLD, ${LIMITS_IN_ENGLISH[origin.hold]}: it does nothing until @anyway is 1. `
    : '';
  return writeHeading(`${hold}SWITCH: ${nameSubject(steps, origin)} ${describeWay(steps)}.`, [
    nameWriter(origin),
    ...listField('Runs on', describeServers(steps, plan, origin, 'changes')),
    ['Evidence', origin.evidence],
    ['Forecast', describeForecast(plan, origin)],
    ...listField('Reason', describeReason(plan).join(' ')),
    ...listField('Left out', describeLeftOut(plan)),
    ...listField('Look at', describeFindings(steps, origin.preflight)),
    ...listField('Waves', waves === '' ? '' : `${waves} ${isPausing ? describePause(plan) : RUN_WAVES}`),
    ['Needs', `${NEEDS}${isPausing ? ' VIEW SERVER STATE to watch.' : ''}`],
    ...listField('Prints', isLiteral ? '' : PRINTS),
    ['Undo', isLiteral ? 'the rollback script.' : `the rollback script. ${UNDO_ROWS}`],
  ]);
}

/** What is exceeded: scripts are in English. */
const LIMITS_IN_ENGLISH: Readonly<Record<LimitId, string>> = {
  'log used': 'a log is fuller than its limit',
  'oldest page': 'the log is held by OLDEST_PAGE for longer than its limit',
  'redo queue': 'the redo queue is over its limit',
  'data writes': 'data-file writes take longer than their limit',
  'log waits': 'WRITELOG waits are over their limit',
  pages: 'pages written per MB of log are over their limit',
  'flush cache': 'FlushCache by DirtyPageMgr is over its limit',
  'target missed': 'the recovery target is missed more often than its limit',
  spinlock: 'the spinlock DP_LIST is over its limit',
};

/** In front of the guard, while a limit is exceeded. */
export const writeHold = (hold: LimitId): string => `/* On hold: set @anyway = 1 to run it anyway. */
DECLARE @anyway bit = 0;
IF @anyway = 0
BEGIN
    RAISERROR(N'On hold: ${LIMITS_IN_ENGLISH[hold]}. Nothing was changed.', 16, 1);
    RETURN;
END;
`;

const RUN_WAVES = 'Run the whole text, watch log writes, set @wave, run it again.';
const NEEDS = 'SQL Server 2012 or later; ALTER on each database. A second run changes nothing that is done.';
const PRINTS =
  'each ALTER before it runs, then CHANGED, LEFT ALONE or FAILED. Stops after 3 failures; cancelling skips the summary.';
const UNDO_ROWS =
  'To undo exactly what was CHANGED, paste the output of undo_row over the list of the rollback.';

/** @param steps in the order of the rollback, from and to values exchanged */
export function writeRollbackHeading(
  steps: readonly PlanStep[],
  plan: Plan,
  origin: ScriptOrigin,
  { isLiteral }: SwitchForm,
): string {
  const values = [...new Set(steps.map(({ fromSeconds }) => fromSeconds))].join(', ');
  const isOne = new Set(steps.map(({ wave }) => wave)).size === 1;
  const all = isOne ? '' : ', all that the switch changed at once (@wave = NULL),';
  return writeHeading(`ROLLBACK: ${nameSubject(steps, origin)}${all} ${describeWay(steps)}.`, [
    nameWriter(origin, ', before the switch. Run it only to undo the switch.'),
    ...listField('Runs on', describeServers(steps, plan, origin, 'takes back')),
    [
      'Takes',
      `databases that still have the value of the switch (${values}), even if another person set it; it leaves all others alone.`,
    ],
    ...listField(
      'Exactly',
      isLiteral ? '' : 'to take back only what the switch CHANGED, paste its undo_row output over the list.',
    ),
    ...listField('Order', isOne ? '' : 'the reverse of the switch. @wave takes back one wave of it.'),
    ['Needs', NEEDS],
    ...listField('Prints', isLiteral ? '' : PRINTS),
  ]);
}

function listField(label: string, text: string): readonly HeadingField[] {
  return text === '' ? [] : [[label, text]];
}

const MOST_NAME_CHARACTERS = 60;

/**
 * "308 databases on LEGACY-SQL07", or the name of the only one: it has to tell scripts apart in the 40 characters of a
 * tab (docs/facts.md, Hosts 1).
 */
export function nameSubject(steps: readonly PlanStep[], { serverName }: ScriptOrigin): string {
  const [first] = steps;
  const what =
    steps.length === 1 && first !== undefined
      ? cutName(first.database.name)
      : english.countDatabases(steps.length);
  return `${what} on ${makeVisible(serverName)}`;
}

function cutName(name: string): string {
  const shown = [...makeVisible(name)];
  return shown.length > MOST_NAME_CHARACTERS
    ? `${shown.slice(0, MOST_NAME_CHARACTERS).join('')}...`
    : shown.join('');
}

/** What happens to the databases; with the statement itself if all get the same. */
function describeWay(steps: readonly PlanStep[]): string {
  const seconds = steps[0]?.toSeconds ?? 0;
  const kind = seconds === 0 ? 'automatic checkpoints' : 'indirect checkpoints';
  if (steps.length > 1 && steps.every(({ toSeconds }) => toSeconds === seconds))
    return `to ${kind}: ALTER DATABASE [name] SET TARGET_RECOVERY_TIME = ${seconds} SECONDS`;
  const from = listSeconds(steps.map(({ fromSeconds }) => fromSeconds));
  return `from ${from} to ${listSeconds(steps.map(({ toSeconds }) => toSeconds))}`;
}

const MOST_VALUES = 3;

function listSeconds(seconds: readonly number[]): string {
  const values = [...new Set(seconds)].sort((a, b) => a - b);
  if (values.length === 1) return describeSeconds(values[0] ?? 0);
  if (values.length > MOST_VALUES)
    return `${english.countOf(values.length, 'value')} of up to ${english.countOf(values[values.length - 1] ?? 0, 'second')}`;
  return `${values.slice(0, -1).join(', ')} and ${english.countOf(values[values.length - 1] ?? 0, 'second')}`;
}

function describeSeconds(seconds: number): string {
  return seconds === 0
    ? 'automatic checkpoints (0)'
    : `a target recovery time of ${english.countOf(seconds, 'second')}`;
}

/** Where the text may run and what it does there; '' if there is only one server. */
function describeServers(
  steps: readonly PlanStep[],
  plan: Plan,
  { serverName }: ScriptOrigin,
  does: string,
): string {
  const grouped = steps.filter(isTold);
  if (grouped.length === 0) return '';
  const names = [...new Set(grouped.map(({ group }) => group?.name ?? ''))].filter((name) => name !== '');
  const unseen = grouped.some(({ group }) => (group?.replicas ?? []).length === 0);
  const elsewhere = (plan.elsewhere ?? []).map(
    (there) => `${there.primary} (${english.countDatabases(there.steps.length)}, not read itself)`,
  );
  return [
    `any server that the guard names; it ${does} what is primary there. After a failover run it again on the new primary.`,
    unseen
      ? `Not all replicas of ${names.join(', ') || 'its groups'} can be seen from ${serverName}: add the others to the guard.`
      : '',
    grouped.length < steps.length
      ? `${english.countDatabases(steps.length - grouped.length)} in no group: on ${serverName} alone.`
      : '',
    elsewhere.length > 0 ? `Primary now on ${elsewhere.join(', ')}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeForecast({ targetSeconds }: Plan, { forecast = null }: ScriptOrigin): string {
  const last = forecast?.waves[forecast.waves.length - 1];
  const task =
    forecast === null || last === undefined
      ? ''
      : `the checkpoint task, ${english.formatPercent(forecast.now)} busy now, should be busy ${writeRange(last)} after the last wave; `;
  return `${task}${describeEffect(targetSeconds)}`;
}

function writeRange({ low, high, likely }: Forecast): string {
  const [from, to] = [english.formatPercent(low), english.formatPercent(high)];
  const range = from === to ? to : `${from.replace(' %', '')} to ${to}`;
  if (likely !== undefined) return `likely ${english.formatPercent(likely)}, ${range} possible`;
  return high >= 1 && low < 1 ? `at least ${from}` : range;
}

function describeReason({ targetSeconds, reason }: Plan): readonly string[] {
  const given = (reason ?? '').trim();
  const lines = given === '' ? [] : [given];
  if (targetSeconds > 0 && targetSeconds < UNUSUALLY_SHORT_TARGET_SECONDS)
    lines.push(
      `Unusually short: below ${UNUSUALLY_SHORT_TARGET_SECONDS} seconds pages are written more often than needed; total writes rise.`,
    );
  return lines;
}

function describeEffect(targetSeconds: number): string {
  if (targetSeconds === 0)
    return 'page writes move from the background writer into checkpoints, which scan all memory. It takes effect at once, without a restart; plans may be compiled again.';
  return (
    'page writes move from checkpoints to the background writer and may rise in all. It takes effect at once, without a restart: ' +
    'the backlog of dirty pages is written then, and plans may be compiled again.'
  );
}

const MOST_KINDS = 4;

/**
 * Databases left out, counted by kind; the record names them. A database that the same text changes on another server
 * is not left out.
 */
function describeLeftOut({ exclusions, elsewhere = [] }: Plan): string {
  const there = new Set(elsewhere.flatMap(({ steps }) => steps.map(({ database }) => database.databaseId)));
  const kinds = exclusions.filter(({ databaseId }) => !there.has(databaseId)).map(({ kind }) => kind);
  return kinds.length === 0 ? '' : `${kinds.length}: ${countKinds(kinds)}; the change record names them.`;
}

/** "read-only (2), offline (1)", the most frequent first. */
function countKinds(kinds: readonly string[]): string {
  const write = (kind: string, count: number): string => `${kind} (${count})`;
  return nameCounts(countEach(kinds), MOST_KINDS, write, (rest) => write('others', rest));
}

function describeFindings(steps: readonly PlanStep[], preflight: Preflight | undefined): string {
  const found = [
    ...(preflight?.server ?? []),
    ...steps.flatMap(({ database }) => preflight?.databases.get(database.databaseId) ?? []),
  ];
  const first = found.filter(({ severity }) => severity === 'look first');
  const unseen = preflight?.unseen.length ?? 0;
  if (first.length + unseen === 0) return '';
  const kinds =
    first.length === 0
      ? ''
      : `${english.countOf(first.length, 'finding')} first: ${countKinds(first.map(({ rule }) => rule.replace(/-/g, ' ')))}. `;
  const blind = unseen === 0 ? '' : `${english.countOf(unseen, 'thing')} could not be seen. `;
  return `${kinds}${blind}The change record says what and why.`;
}

const MOST_RUNS = 5;

/** Waves of one size that follow each other. A canary stands alone. */
interface WaveRun {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly isCanary: boolean;
}

export interface WaveSizes {
  readonly count: number;
  readonly largest: number;
  /** null if there are too many to be listed. */
  readonly runs: readonly WaveRun[] | null;
}

/** null if there is one wave. */
export function sizeWaves(steps: readonly PlanStep[], { waves }: Plan): WaveSizes | null {
  const sizes = countEach(steps.map(({ wave }) => wave));
  if (sizes.size < 2) return null;
  const runs: { readonly from: number; to: number; readonly size: number; readonly isCanary: boolean }[] = [];
  for (const [wave, size] of [...sizes].sort((a, b) => a[0] - b[0])) {
    const last = runs[runs.length - 1];
    if (last !== undefined && last.size === size && !last.isCanary) last.to = wave;
    else runs.push({ from: wave, to: wave, size, isCanary: runs.length === 0 && waves.canary > 0 });
  }
  return {
    count: sizes.size,
    largest: Math.max(...sizes.values()),
    runs: runs.length > MOST_RUNS ? null : runs,
  };
}

/** "1 is a canary of 3, 2 to 13 have 25 each, 14 has 5."; '' if there is one wave. */
function describeWaves(steps: readonly PlanStep[], plan: Plan): string {
  const sizes = sizeWaves(steps, plan);
  if (sizes === null) return '';
  if (sizes.runs === null) return `${sizes.count}, of up to ${english.countDatabases(sizes.largest)}.`;
  const words = sizes.runs.map(({ from, to, size, isCanary }) => {
    if (from < to) return `${from} ${to === from + 1 ? 'and' : 'to'} ${to} have ${size} each`;
    return isCanary ? `${from} is a canary of ${size}` : `${from} has ${size}`;
  });
  return `${words.join(', ')}.`;
}

/** How a script goes on by itself, and where it stops. */
function describePause({ waves }: Plan): string {
  const limit =
    waves.stopAboveWriteMs === null
      ? 'data writes that take twice as long'
      : `data writes above ${waves.stopAboveWriteMs} ms`;
  return (
    `It watches for ${waves.pauseMinutes} min before each and goes on by itself. It stops at ${limit}, WRITELOG waits twice as long, a log that became 70 % full, ` +
    'a failure, an earlier wave that has changed since, or a limit that it cannot see.'
  );
}

/** Writes the comment after `@wave`. @param wave the one that the text runs as it stands */
export function describeWaveChoice(steps: readonly PlanStep[], wave: string): string {
  const numbers = [...new Set(steps.map((step) => step.wave))];
  if (numbers.length < 2) return 'the only wave; NULL: the same';
  const isFirst = wave !== 'NULL';
  const shown =
    numbers.length > 4
      ? [...numbers.slice(isFirst ? 1 : 0, isFirst ? 3 : 2), '...', numbers[numbers.length - 1]]
      : numbers.slice(isFirst ? 1 : 0);
  return isFirst ? `then ${shown.join(', ')}; NULL: all at once` : `NULL: all; ${shown.join(', ')}: one wave`;
}
