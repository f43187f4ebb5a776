/** The verdict on the instance in words: the same in the pane, on the dashboard, in the review, the change record and the Markdown. */
import { countDatabases, countOf, formatCount, formatDateTime, formatDuration, formatPercent } from '../format';
import { estimateScanCost } from '../task/scan-cost';
import type { Facts } from '../advice/facts';
import type { Forecast, ForecastSteps } from '../advice/forecast';
import { countTurns, type InstanceVerdict, LONG_RUN_MS } from '../advice/instance';
import type { Verdict } from '../advice/verdict';
import { fillText, t } from '../language';

/** A piece of a sentence. A reader looks for the strong ones. */
export interface Words {
  readonly text: string;
  readonly weight: 'strong' | 'plain';
}

export interface InstanceWords {
  /** "The checkpoint task is almost never free." */
  readonly title: string;
  /** What was measured, and what is advised: one sentence or two each, in this order. */
  readonly lines: readonly (readonly Words[])[];
  /** What to expect of the first waves; null if there is nothing to say. */
  readonly note: string | null;
  /** What the figures rest on: a name and a text each. */
  readonly rests: readonly { readonly name: string; readonly text: string }[];
  /** For a row of the pane: "97 % busy"; '' if nothing is known. */
  readonly brief: string;
}

interface Naming {
  readonly nameOf: (databaseId: number) => string;
  /** Time of day at the server: "22:00". */
  readonly clock: (utcMs: number) => string;
  /** Whether a turn of that length, in milliseconds, can be a scan of this server's memory alone. */
  readonly isScan: (turnMs: number) => boolean;
  /** The reason of one database's verdict. */
  readonly reasonOf: (databaseId: number) => string;
  /** Databases with long checkpoints in the error log, if it was read and nothing else says more. */
  readonly logged: number;
}

/** @param verdicts by database_id */
export function describeInstance(
  instance: InstanceVerdict,
  { server, state, databases }: Facts,
  verdicts: ReadonlyMap<number, Verdict>,
): InstanceWords {
  const nameOf = (databaseId: number): string =>
    databases.find((one) => one.databaseId === databaseId)?.name ?? `database_id ${databaseId}`;
  return writeInstance(instance, {
    nameOf,
    clock: (utcMs) => formatDateTime(utcMs, server.utcOffsetMinutes).slice(11, 16),
    isScan: createScanTest(state, server),
    reasonOf: (databaseId) => verdicts.get(databaseId)?.reason ?? '',
    logged: [...verdicts.values()].filter(({ group }) => group === 'Long checkpoints').length,
  });
}

/** Allows twice the published figures for that much memory, which come from an idle server. */
function createScanTest(state: Facts['state'], { productVersion }: Facts['server']): Naming['isScan'] {
  if (state.kind === 'not observable') return () => false;
  const { estimateMs } = estimateScanCost(state.value.committedTargetMb / 1024, Number.parseInt(productVersion, 10));
  return (turnMs) => estimateMs === null || turnMs <= 2 * estimateMs;
}

/** The text for a row of the pane and for the status bar. */
function writeBrief(instance: InstanceVerdict, clock: Naming['clock']): string {
  const { task, state, neededMs } = instance;
  if (task === null || task.observedMs === 0 || state === 'cannot tell') return '';
  const run = task.longestRun;
  if (state === 'queue at times' && run !== null && task.busyShare <= instance.bound)
    return `queue ${formatDuration(Math.round((run.endUtcMs - run.beginUtcMs) / 60_000) * 60_000)} at ${clock(run.beginUtcMs)}`;
  return `${formatPercent(task.busyShare)} busy${neededMs > 0 ? ' so far' : ''}`;
}

function writeInstance(instance: InstanceVerdict, naming: Naming): InstanceWords {
  return {
    title: writeTitle(instance),
    lines: [
      writeBusy(instance, naming),
      writeLogged(instance, naming),
      ...writeCohort(instance, naming),
      ...writeScan(instance, naming),
    ].filter((line) => line.length > 0),
    note: writeNote(instance.forecast),
    rests: instance.neededMs > 0 ? [] : listRests(instance),
    brief: writeBrief(instance, naming.clock),
  };
}

/** All words as one plain text, for files. */
export function joinWords({ title, lines, note }: InstanceWords): string {
  return [title, ...lines.map((line) => line.map(({ text }) => text).join('')), ...(note === null ? [] : [note])].join(' ');
}

/** "6 to 29 %", "97 %". */
export function formatRange({ low, high }: Forecast): string {
  const [from, to] = [formatPercent(low), formatPercent(high)];
  return from === to ? to : `${from.replace(' %', '')} to ${to}`;
}

/** All that a drawn forecast shows, for readers who cannot see it. */
export function describeForecast({ now, bound, waves }: ForecastSteps): string {
  const after = waves.map((one) => `wave ${one.wave} ${formatRange(one)}`).join(', ');
  const forecast = waves.length === 0 ? '' : `; forecast after ${after}`;
  return `Checkpoint task busy: now ${formatPercent(now)}${forecast}. It counts as free below ${formatPercent(bound)}.`;
}

function writeTitle({ state, blind, task, busyBefore }: InstanceVerdict): string {
  switch (state) {
    case 'saturated':
      return task?.hasPause === false ? 'The checkpoint task is never free.' : 'The checkpoint task is almost never free.';
    case 'queue at times':
    case 'mostly free':
      if (busyBefore !== null && task !== null && busyBefore >= 0.8) return 'The checkpoint task has pauses again.';
      return state === 'mostly free' ? 'The checkpoint task is mostly free.' : 'The checkpoint task has a queue at times.';
    case 'cannot tell yet':
      return 'Not known yet.';
    case 'cannot tell':
      return `Cannot tell: ${blind ?? 'nothing could be seen'}.`;
    default:
      return state satisfies never;
  }
}

function writeBusy(instance: InstanceVerdict, { clock }: Naming): readonly Words[] {
  const { state, task, takers, cycleMs, observedMs, neededMs, busyBefore, sinceUtcMs } = instance;
  if (state === 'cannot tell') return [];
  if (task === null || neededMs > 0) {
    const needed = `A first verdict needs about ${countOf(Math.ceil(neededMs / 60_000), t('{0} minute'), t('{0} minutes'))} more.`;
    const since = sinceUtcMs === null ? '' : ' since the last change';
    return [plain(`${observedMs === 0 ? 'Nothing' : formatMinutes(observedMs)} seen${since}. ${needed}`)];
  }
  const margin = task.margin >= 0.01 ? `, give or take ${formatPercent(task.margin)}` : '';
  const words = [plain('Busy '), strong(formatPercent(task.busyShare)), plain(` of ${formatMinutes(observedMs)}${margin}`)];
  if (busyBefore !== null)
    return [...words, plain(' since the last change; '), strong(formatPercent(busyBefore)), plain(' before the first.')];
  const run = task.longestRun;
  if (state === 'queue at times' && run !== null && run.endUtcMs - run.beginUtcMs > LONG_RUN_MS)
    return [
      ...words,
      plain(', but never free for '),
      strong(formatMinutes(run.endUtcMs - run.beginUtcMs)),
      plain(` from ${clock(run.beginUtcMs)}${run.isDuringBackups ? ', during backups' : ''}.`),
    ];
  if (state === 'mostly free')
    return [...words, plain(`. Nobody waits for a turn${instance.advised.length === 0 ? ', and no harm was seen' : ''}.`)];
  if (takers < 2 || cycleMs === null) return [...words, plain('. One database alone has it: nobody waits for a turn.')];
  const turns = plain(` databases take turns on it; each gets one about every `);
  return [...words, plain('. '), strong(formatCount(takers)), turns, strong(formatMinutes(cycleMs)), plain('.')];
}

/** Even if nothing can be recorded, the error log has long checkpoints. */
function writeLogged({ state, task }: InstanceVerdict, { logged }: Naming): readonly Words[] {
  if (state !== 'cannot tell' || task !== null || logged === 0) return [];
  return [plain(`The error log names long checkpoints of ${countDatabases(logged)}.`)];
}

function writeCohort(instance: InstanceVerdict, naming: Naming): readonly (readonly Words[])[] {
  const { state, feeders, hurting, advised, forecast, automatic, neededMs } = instance;
  if (state === 'cannot tell') return [];
  if (state === 'cannot tell yet')
    return neededMs > 0 && instance.observedMs > 0
      ? [[plain('Nothing is ranked before that: databases that happened to come first are no offenders.')]]
      : [];
  if (advised.length === 0) {
    if (automatic === 0) return [[plain('No database here uses automatic checkpoints: there is nothing to do.')]];
    if (state !== 'mostly free') return instance.takers < 2 ? [[plain('A long checkpoint alone is no harm.')]] : [];
    const still = `${formatCount(automatic)} ${automatic === 1 ? 'database is' : 'databases are'} still automatic; that alone is no reason.`;
    return [[plain(`Leave it as it is. ${still}`)]];
  }
  const last = findLast(forecast);
  if (feeders.size === 0) return [describeHurting(hurting, naming)];
  if (last !== undefined && isEven(instance)) return [describeEven(instance, last)];
  const [first = 0] = feeders;
  const who =
    feeders.size === 1 ? [strong(`${naming.nameOf(first)} feeds the queue`)] : [strong(`${formatCount(feeders.size)} feed the queue`)];
  const more =
    hurting.length === 0
      ? []
      : [plain(`, and ${formatCount(hurting.length)} more ${hurting.length === 1 ? 'hurts by itself' : 'hurt by themselves'}`)];
  const count = advised.length;
  const these =
    count === 1 ? 'this one' : count === feeders.size + hurting.length ? `these ${formatCount(count)}` : `${formatCount(count)} of them`;
  if (last === undefined) return [[...who, ...more, plain(`. ${describeWait(instance)}`)]];
  const busy = [plain(`. With ${these} on indirect checkpoints, the task should be busy `), strong(formatRange(last)), plain('.')];
  const high = last.high > instance.bound ? [plain(` ${describeRest(instance)}`)] : [];
  return [[...who, ...more, ...busy, ...high]];
}

function describeHurting(hurting: readonly number[], { nameOf, reasonOf }: Naming): readonly Words[] {
  const [first = 0] = hurting;
  if (hurting.length === 1) return [strong(`${nameOf(first)} hurts by itself: `), plain(lowerFirst(reasonOf(first)))];
  return [
    strong(`${countDatabases(hurting.length)} hurt by themselves`),
    plain(`; the first, ${nameOf(first)}: ${lowerFirst(reasonOf(first))}`),
  ];
}

/** Whether no database stands out: all that have turns feed the queue, and the largest takes little more than the one in the middle. */
function isEven({ state, task, feeders, takers, advised }: InstanceVerdict): boolean {
  if (task === null || state !== 'saturated' || feeders.size < 10 || feeders.size < 0.95 * takers || advised.length < feeders.size)
    return false;
  const shares = [...task.databases.values()].map(({ share }) => share).sort((a, b) => a - b);
  return (shares[shares.length - 1] ?? 0) <= 3 * (shares[shares.length >> 1] ?? 0);
}

function describeEven({ task, advised, observedMs, forecast }: InstanceVerdict, last: Forecast): readonly Words[] {
  const turns = task === null ? 0 : countTurns(task);
  const each = formatDuration(((task?.busyShare ?? 0) * observedMs) / Math.max(1, turns));
  const waves = forecast?.waves.length ?? 1;
  return [
    plain(`No database stands out: each takes about ${each}. The task is free only when `),
    strong(`all ${formatCount(advised.length)}`),
    plain(` have left it${waves > 1 ? `, in ${waves} waves` : ''}. Then `),
    strong(formatRange(last)),
    plain('.'),
  ];
}

function describeWait({ unseen, forecastInMs }: InstanceVerdict): string {
  const others = `${countDatabases(unseen)} had no turn yet`;
  return `${others}: a forecast needs about ${countOf(Math.ceil(forecastInMs / 60_000), t('{0} minute'), t('{0} minutes'))} more.`;
}

/** Why the upper end does not come down to the bound. */
function describeRest({ bound, fixedShare, task, room }: InstanceVerdict): string {
  if (fixedShare >= bound / 2) return `Databases that cannot be changed here take ${formatPercent(fixedShare)} of it.`;
  if ((task?.margin ?? 0) >= 0.05) return 'Checkpoints overlapped, so that it is not certain who else feeds the queue.';
  return room >= 0.05 ? 'A longer capture says it more closely.' : 'Too few pauses were seen to say it more closely.';
}

/** Says that most of the work is the scan: if the shortest turns look like a scan of this memory, and such scans make half of the time or more. */
function writeScan({ task, observedMs, state }: InstanceVerdict, { isScan }: Naming): readonly (readonly Words[])[] {
  if (task === null || task.scanMs === null || state === 'cannot tell yet' || state === 'cannot tell' || !isScan(task.scanMs)) return [];
  const isMost = task.scanMs >= 1_000 && task.scanMs * countTurns(task) >= 0.5 * task.busyShare * observedMs;
  if (!isMost) return [];
  return [
    [
      plain('Most of it is the scan of memory: a turn takes '),
      strong(formatDuration(task.scanMs)),
      plain(' even where next to nothing is written.'),
    ],
  ];
}

/** In a queue, the databases that stay take the time that is freed, so the first waves may look like failures. */
export function writeNote(forecast: ForecastSteps | null): string | null {
  if (forecast === null || forecast.waves.length < 2 || forecast.now <= forecast.bound) return null;
  const first = forecast.waves.find(({ high }) => high < forecast.now * 0.9)?.wave ?? forecast.waves.length;
  return first < 2 ? null : `Expect little before wave ${first}: while a queue stands, the others take the time that is freed.`;
}

function listRests(instance: InstanceVerdict): InstanceWords['rests'] {
  const { task, observedMs, forecast, advised, takers } = instance;
  if (task === null) return [];
  const run =
    task.longestRun === null
      ? ''
      : ` Longest run without a pause: ${formatMinutes(task.longestRun.endUtcMs - task.longestRun.beginUtcMs)}.`;
  const seconds = (ms: number): string => formatCount(ms / 1000);
  const backups = task.areBackupsKnown ? '' : ' Backups were not read, so checkpoints of backups may be in it.';
  const last = findLast(forecast);
  const room =
    instance.room < 0.01
      ? ' A tenth on top.'
      : ` ${formatPercent(instance.room)} more for databases that had no turn yet, and a tenth on top.`;
  const stay = countDatabases(Math.max(0, takers - advised.filter((id) => task.databases.has(id)).length));
  return [
    {
      name: 'Busy',
      text: `${seconds(task.busyShare * observedMs)} of ${seconds(observedMs)} s, in ${countOf(countTurns(task), t('{0} checkpoint'), t('{0} checkpoints'))}.${run}${backups}`,
    },
    ...(last === undefined
      ? []
      : [
          { name: `Low end, ${formatPercent(last.low)}`, text: `The ${stay} that stay, as often and as long as measured, less a tenth.` },
          {
            name: `High end, ${formatPercent(last.high)}`,
            text: `The same, as long as measured and as often as the capture allows: no sooner than it proves that they did not ask, nor than half a recovery interval.${room}`,
          },
        ]),
    ...(task.scanMs === null
      ? []
      : [{ name: 'One turn', text: `Takes ${formatDuration(task.scanMs)} even where next to nothing is written: the scan of memory.` }]),
    { name: 'Not forecast', text: 'Total writes. They may rise; Before / after watches them.' },
  ];
}

function findLast(forecast: ForecastSteps | null): ForecastSteps['waves'][number] | undefined {
  return forecast?.waves[forecast.waves.length - 1];
}

/** Whole minutes from two minutes on, whole hours from ten hours on: nobody needs the rest. */
function formatMinutes(ms: number): string {
  if (ms < 120_000) return formatDuration(ms);
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return countOf(minutes, t('{0} minute'), t('{0} minutes'));
  const hoursMs = Math.round(ms / 3_600_000) * 3_600_000;
  return formatDuration(minutes > 600 ? hoursMs : minutes * 60_000);
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** A text in the user's language, with its strong words between `**`. It is taken apart before the values are put in: a value may hold anything. */
export function readEmphasis(text: string, ...values: readonly (string | number)[]): readonly Words[] {
  const parts = text.split('**').map((part, at): Words => ({ text: fillText(part, ...values), weight: at % 2 === 1 ? 'strong' : 'plain' }));
  return parts.filter((part) => part.text !== '');
}

const strong = (text: string): Words => ({ text, weight: 'strong' });
export const plain = (text: string): Words => ({ text, weight: 'plain' });
