/**
 * The verdict on the instance in words: the same in the pane, on the dashboard, in the review, the change record and
 * the Markdown.
 */
import {
  countDatabases,
  countOf,
  countSome,
  formatCount,
  formatDuration,
  formatMinutes,
  formatPercent,
  formatTimeOfDay,
  writeMinutes,
} from '../format';
import { estimateScanCost } from '../task/scan-cost';
import { type DatabaseFacts, type Facts, recoveryIntervalMs } from '../advice/facts';
import {
  areApart,
  countTurns,
  describePartly,
  findLongRun,
  type InstanceVerdict,
  isBusyByWaits,
} from '../advice/instance';
import { listMissingFixes } from '../advice/rules/builds';
import { LONG_INTERVAL_MINUTES } from '../advice/rules/server-rules';
import { isUserDatabase } from '../advice/obstacle';
import { readMajorVersion } from '../advice/platform';
import {
  areLogWritesCalm,
  areLogWritesSlow,
  describeHeldLog,
  describeLogWrites,
} from '../advice/known-of-database';
import type { Verdict } from '../advice/verdict';
import { joinSentences, t } from '../language';
import type { LongestRun, TaskShare } from '../task/task-share';
import { emphasizeBegin, joinLines, plainLine, type Named, readEmphasis, type Words } from './words';
import { describeByWaits } from './task-tables';
import {
  describeEven,
  describeRest,
  describeSwitched,
  findLast,
  formatShortRange,
  isEven,
  writeNext,
  writeNote,
} from './forecast-words';
import { listRests } from './instance-rests';

export interface InstanceWords {
  /** "The checkpoint task is almost never free." */
  readonly title: string;
  /** What was measured, and what is advised: one sentence or two each, in this order. */
  readonly lines: readonly (readonly Words[])[];
  /** What to expect of the first waves; null if there is nothing to say. */
  readonly note: string | null;
  /** What the figures rest on: a name and a text each. */
  readonly rests: readonly Named[];
  /** For a row of the pane: "97 % busy"; '' if nothing is known. */
  readonly brief: string;
}

interface Naming {
  readonly nameOf: (databaseId: number) => string;
  readonly nowUtcMs: number;
  /** Time of day at the server: "22:00". */
  readonly clock: (utcMs: number) => string;
  /** Whether a turn of that length, in milliseconds, can be a scan of this server's memory alone. */
  readonly isScan: (turnMs: number) => boolean;
  readonly reasonOf: (databaseId: number) => string;
  /** The recovery interval. */
  readonly intervalMs: number;
  /** No automatic database can be changed here. */
  readonly isFixed: boolean;
  /** Fixes that this build lacks. */
  readonly missingFixes: readonly string[];
  /** Names of databases with indirect checkpoints whose log is held back, or nearly full, all the same. */
  readonly heldLogs: readonly string[];
  /** Databases with long checkpoints in the error log, if it was read and nothing else says more. */
  readonly logged: number;
}

/** @param verdicts by database_id */
export function describeInstance(
  instance: InstanceVerdict,
  facts: Facts,
  verdicts: ReadonlyMap<number, Verdict>,
): InstanceWords {
  const { server, databases } = facts;
  const nameOf = (databaseId: number): string =>
    databases.find((one) => one.databaseId === databaseId)?.name ?? `database_id ${databaseId}`;
  const isFixed = ({ databaseId, targetSeconds }: DatabaseFacts): boolean =>
    targetSeconds !== 0 || verdicts.get(databaseId)?.group === 'Cannot change here';
  return writeInstance(instance, {
    nameOf,
    nowUtcMs: server.nowUtcMs,
    intervalMs: recoveryIntervalMs(server),
    clock: (utcMs) => formatTimeOfDay(utcMs, server.utcOffsetMinutes),
    isScan: createScanTest(facts),
    reasonOf: (databaseId) => verdicts.get(databaseId)?.reason ?? '',
    isFixed: databases.length > 0 && databases.every(isFixed),
    missingFixes: listMissingFixes(facts),
    heldLogs: databases
      .filter((one) => isUserDatabase(one, facts) && describeHeldLog(one, facts) !== '')
      .map(({ name }) => name),
    logged: [...verdicts.values()].filter(({ group }) => group === 'Long checkpoints').length,
  });
}

/** Allows twice the published figures for that much memory, which come from an idle server. */
function createScanTest({ state, server }: Facts): Naming['isScan'] {
  if (state.kind === 'not observable') return () => false;
  const { estimateMs } = estimateScanCost(state.value.committedTargetMb / 1024, readMajorVersion(server));
  return (turnMs) => estimateMs === null || turnMs <= 2 * estimateMs;
}

/** The text for a row of the pane and for the status bar. */
function writeBrief(instance: InstanceVerdict, clock: Naming['clock']): string {
  const { task, state, neededMs, byWaits = null } = instance;
  if (task === null || task.observedMs === 0 || (state === 'cannot tell' && instance.partly === null))
    return byWaits === null ? '' : t('{0} busy (wait stats)', formatPercent(byWaits.share));
  const run = findLongRun(task);
  if (state === 'queue at times' && run !== null && task.busyShare <= instance.bound) {
    const minutes = Math.round((run.endUtcMs - run.beginUtcMs) / 60_000);
    return t('queue {0} at {1}', formatDuration(minutes * 60_000), clock(run.beginUtcMs));
  }
  const share = formatPercent(task.busyShare);
  if (instance.partly !== null) return t('at least {0} busy', share);
  return neededMs > 0 ? t('{0} busy so far', share) : t('{0} busy', share);
}

function writeInstance(instance: InstanceVerdict, naming: Naming): InstanceWords {
  const objection = writeObjection(instance, naming);
  const advice =
    objection === null
      ? [
          writeLogged(instance, naming),
          writeCohort(instance, naming),
          writeHeldLogs(naming),
          writeChange(instance),
          writeScan(instance, naming),
        ]
      : [plainLine(objection.advice)];
  const log = instance.observedMs > 0 ? emphasizeBegin(describeLogWrites(instance.logWrites)) : [];
  return {
    title: objection?.title ?? writeTitle(instance),
    lines: [writeBusy(instance, naming), log, ...advice].filter((line) => line.length > 0),
    note:
      objection === null
        ? joinSentences(writeNext(instance.next, naming.nameOf), writeNote(instance.forecast) ?? '') || null
        : null,
    rests: listRests(instance),
    brief: objection?.brief ?? writeBrief(instance, naming.clock),
  };
}

/** What speaks against the next wave; null: nothing. */
function writeObjection(
  instance: InstanceVerdict,
  { clock, nowUtcMs }: Naming,
): { readonly title: string; readonly advice: string; readonly brief: string } | null {
  const { objection, busyBefore } = instance;
  if (objection === null) return null;
  if (objection.kind === 'stop')
    return {
      title: t('Stop: {0}.', objection.limit.text),
      advice: t('Do not run the next wave. If this lasts for 30 minutes, roll the last one back.'),
      brief: t('stop, {0}', objection.limit.brief),
    };
  if (objection.kind === 'missed') {
    const { wave, busyShare } = objection.missed;
    const [busy, forecast] = [formatPercent(busyShare), formatShortRange(objection.missed)];
    return {
      title: t('The forecast missed: busy {0} after wave {1}, forecast {2}.', busy, wave, forecast),
      advice: t('Find out why before the next wave: see Before / after.'),
      brief: writeBrief(instance, clock),
    };
  }
  const { wave, changed, atUtcMs, resultUtcMs } = objection.last;
  const [at, result] = [clock(atUtcMs), clock(resultUtcMs ?? 0)];
  const isAwaited = resultUtcMs !== null && resultUtcMs > nowUtcMs;
  return {
    title: joinSentences(
      wave === null
        ? t('{0} changed at {1}.', countDatabases(changed), at)
        : t('Wave {0} ran at {1}.', wave, at),
      isAwaited ? t('First result at {0}.', result) : t('Not measured since then.'),
    ),
    advice: joinSentences(
      busyBefore === null ? '' : t('Before that the task was busy {0}.', formatPercent(busyBefore)),
      isAwaited ? t('Do nothing now.') : t('Start tracking to see the result.'),
    ),
    brief: isAwaited ? t('result at {0}', result) : '',
  };
}

/** All words as one plain text, for files. */
export function joinWords({ title, lines, note }: InstanceWords): string {
  const said = lines.map((line) => line.map(({ text }) => text).join(''));
  return joinSentences(title, ...said, note ?? '');
}

function writeTitle(instance: InstanceVerdict): string {
  const { state, blind, task } = instance;
  switch (state) {
    case 'saturated':
      return task?.hasPause === false
        ? t('The checkpoint task is never free.')
        : t('The checkpoint task is almost never free.');
    case 'queue at times':
    case 'mostly free':
      return state === 'mostly free'
        ? t('The checkpoint task is mostly free.')
        : t('The checkpoint task has a queue at times.');
    case 'cannot tell yet':
      return isBusyByWaits(instance)
        ? t('Wait statistics: the checkpoint task is almost never free.')
        : t('Too early to say.');
    case 'cannot tell':
      return t('Cannot tell: {0}.', blind ?? t('nothing could be seen'));
    default:
      return state satisfies never;
  }
}

function writeBusy(instance: InstanceVerdict, naming: Naming): readonly Words[] {
  const { state, task, neededMs, partly, byWaits = null } = instance;
  const isBlind = state === 'cannot tell' && (partly === null || task === null);
  if (isBlind || task === null || neededMs > 0) return plainLine(writeEarly(instance, isBlind));
  const contradicted = isContradicted(instance) ? describeByWaits(byWaits, task) : '';
  if (partly !== null) {
    const busy = [formatPercent(task.busyShare), formatMinutes(instance.observedMs)];
    const least = readEmphasis(t('Busy at least **{0}** of {1}: {2}.'), ...busy, describePartly(partly));
    return joinLines([least, plainLine(contradicted)]);
  }
  const gone = task.gone?.share ?? 0;
  const more = joinSentences(
    gone < 0.05 ? '' : t('Databases since dropped or switched took {0}.', formatPercent(gone)),
    task.margin < 0.01 ? '' : t('The busy share may be off by {0}.', formatPercent(task.margin)),
    contradicted,
  );
  return joinLines([writeShare(instance, task, naming), plainLine(more)]);
}

/** Before a first verdict, or where there will be none. */
function writeEarly(instance: InstanceVerdict, isBlind: boolean): string {
  const { task, observedMs, automatic, byWaits = null } = instance;
  const waits = describeByWaits(byWaits, isBlind ? task : null);
  if (isBlind) return waits;
  const isOpen = byWaits !== null && observedMs === 0 && automatic > 0;
  return joinSentences(writeSeen(instance), waits, isOpen ? t('Start tracking to see which databases.') : '');
}

function writeSeen({ observedMs, neededMs, sinceUtcMs }: InstanceVerdict): string {
  const [seen, needed] = [formatMinutes(observedMs), writeMinutes(neededMs)];
  if (sinceUtcMs !== null)
    return observedMs === 0
      ? t('Nothing seen since the last change.')
      : t('{0} seen since the last change.', seen);
  return observedMs === 0
    ? joinSentences(t('Nothing recorded yet.'), t('A verdict takes {0} of tracking.', needed))
    : joinSentences(t('{0} seen.', seen), t('A first verdict needs about {0} more.', needed));
}

/** Where the events and the waits of the task differ, nothing is called harmless. */
const isContradicted = ({ task, byWaits = null }: InstanceVerdict): boolean =>
  task !== null && areApart(byWaits, task);

function writeShare(
  instance: InstanceVerdict,
  task: TaskShare,
  { clock, intervalMs }: Naming,
): readonly Words[] {
  const { state, takers, busyBefore, advised, watched, logWrites, objection } = instance;
  const busy = [formatPercent(task.busyShare), formatMinutes(instance.observedMs)] as const;
  if (busyBefore !== null) {
    const changed = t('Busy **{0}** of {1} since the last change; **{2}** before the first.');
    return readEmphasis(changed, ...busy, formatPercent(busyBefore));
  }
  const run = findLongRun(task);
  if (state === 'queue at times' && run !== null) {
    const said = run.isDuringBackups
      ? t('Busy **{0}** of {1}, but never free for **{2}** from {3}, during backups.')
      : t('Busy **{0}** of {1}, but never free for **{2}** from {3}.');
    return readEmphasis(said, ...busy, formatMinutes(run.endUtcMs - run.beginUtcMs), clock(run.beginUtcMs));
  }
  if (state === 'mostly free') {
    const [{ turns, late }, interval] = [countTurns(task), writeMinutes(intervalMs)];
    const waited = t('Busy **{0}** of {1}. Up to {2} of {3} checkpoints waited {4} or longer.');
    if (late > 0) return readEmphasis(waited, ...busy, formatCount(late), formatCount(turns), interval);
    // That no log write waited was looked at.
    const isCalm =
      advised.length + watched === 0 &&
      objection === null &&
      areLogWritesCalm(logWrites) &&
      !isContradicted(instance);
    const free = t('Busy **{0}** of {1}. No checkpoint waited {2} or longer.');
    const calm = t('Busy **{0}** of {1}. No checkpoint waited {2} or longer. No harm seen.');
    return readEmphasis(isCalm ? calm : free, ...busy, interval);
  }
  if (takers < 2)
    return readEmphasis(t('Busy **{0}** of {1}. Only one database uses it, so none waits.'), ...busy);
  // Of a database with one turn it is not known how often it has one.
  const paces = [...task.databases.values()].map((own) => own.count / own.observedMs).sort((a, b) => a - b);
  const often = paces[(takers - 1) >> 1] ?? 0;
  const turns = t('Busy **{0}** of {1}. **{2}** databases take turns.');
  if (often * instance.observedMs < 2) return readEmphasis(turns, ...busy, formatCount(takers));
  const paced = t('Busy **{0}** of {1}. **{2}** databases take turns, a typical one every **{3}**.');
  return readEmphasis(paced, ...busy, formatCount(takers), formatMinutes(1 / often));
}

/** Even if nothing can be recorded, the error log has long checkpoints. */
function writeLogged({ state, task }: InstanceVerdict, { logged }: Naming): readonly Words[] {
  if (state !== 'cannot tell' || task !== null || logged === 0) return [];
  return plainLine(t('The error log reports long checkpoints of {0}.', countDatabases(logged)));
}

function writeCohort(instance: InstanceVerdict, naming: Naming): readonly Words[] {
  const { state, feeders, hurting, advised, forecast, automatic, neededMs } = instance;
  if (automatic === 0 && instance.partly === null) return plainLine(writeNothingToSwitch(instance, naming));
  if (state === 'cannot tell') return [];
  if (state === 'cannot tell yet')
    return neededMs > 0 && instance.observedMs > 0
      ? plainLine(t('Ranking starts once there is enough data.'))
      : [];
  if (advised.length === 0) {
    if (state === 'mostly free') return plainLine(writeFree(instance, naming));
    return instance.takers < 2
      ? plainLine(t('A long checkpoint alone does no harm.'))
      : writeMakers(instance, naming);
  }
  const last = findLast(forecast);
  if (feeders.size === 0) return describeHurting(hurting, naming);
  if (last !== undefined && isEven(instance)) return describeEven(instance, last);
  const who = describeFeeders(instance, naming);
  if (last === undefined) return joinLines([who, plainLine(describeWait(instance))]);
  const rest = last.high > instance.bound ? describeRest(instance, naming.nameOf) : '';
  return joinLines([who, describeSwitched(instance, last), plainLine(rest)]);
}

/** Of a task that is mostly free, where no switch is advised. */
function writeFree(instance: InstanceVerdict, naming: Naming): string {
  const { automatic, watched, logWrites } = instance;
  const still = countOf(
    automatic,
    t('{0} database is still automatic; that alone is no reason to change it.'),
    t('{0} databases are still automatic; that alone is no reason to change them.'),
  );
  if (watched > 0) return joinSentences(still, describeWatched(watched - naming.heldLogs.length));
  const isCalm = !areLogWritesSlow(logWrites) && !isContradicted(instance);
  return joinSentences(isCalm ? writeTask(naming) : '', still);
}

/** What is to be done about a task that is mostly free. */
function writeTask({ isFixed, intervalMs }: Naming): string {
  if (isFixed) return t('Nothing can be changed here.');
  if (intervalMs < LONG_INTERVAL_MINUTES * 60_000) return t('Nothing to do.');
  return t('First check the recovery interval: it is {0}.', writeMinutes(intervalMs));
}

/** With the findings that are left: they do not wait for a switch. */
function writeNothingToSwitch({ watched }: InstanceVerdict, { missingFixes, heldLogs }: Naming): string {
  return joinSentences(
    t('No database here uses automatic checkpoints: nothing to switch.'),
    missingFixes.length === 0
      ? ''
      : t('This build lacks {0}: install one that has it.', missingFixes.join(', ')),
    describeWatched(watched - heldLogs.length),
  );
}

/** A log that is held back does not wait for a switch either. */
function writeHeldLogs({ heldLogs: [first, ...more] }: Naming): readonly Words[] {
  if (first === undefined) return [];
  if (more.length === 0) return readEmphasis(t('Check the log of **{0}**: its row says why.'), first);
  return readEmphasis(
    t('Check **{0}** logs, **{1}** first: their rows say why.'),
    formatCount(more.length + 1),
    first,
  );
}

function writeChange({ advisedBefore: before }: InstanceVerdict): readonly Words[] {
  if (before === null) return [];
  return plainLine(t('Advised before: {0}. Newer measurements changed that.', countDatabases(before)));
}

/** Who keeps the task busy where no switch frees it; none: that is not known. */
function writeMakers(
  { fixedShare, fixedId, bound, feeders, task }: InstanceVerdict,
  { nameOf }: Naming,
): readonly Words[] {
  if (fixedShare >= bound / 2 && feeders.size === 0) {
    const share = formatPercent(fixedShare);
    if (fixedId === null)
      return plainLine(
        t('No permitted switch frees the task: databases that stay as they are took {0} of the time.', share),
      );
    const alone = t('No permitted switch frees the task: **{0}** alone took {1} of the time.');
    return readEmphasis(alone, nameOf(fixedId), share);
  }
  const run = task && findLongRun(task);
  if (run === null) return [];
  return joinLines([
    describeHogs(run, nameOf),
    plainLine(t('If that time does not matter, there is nothing to do.')),
  ]);
}

function describeHogs(run: LongestRun, nameOf: Naming['nameOf']): readonly Words[] {
  const hogs = [...run.hogs].sort(([, a], [, b]) => b - a);
  const [first] = hogs;
  if (first === undefined) return plainLine(t('No database stands out in that time.'));
  const name = nameOf(first[0]);
  const part = formatPercent(hogs.reduce((sum, [, own]) => sum + own, 0));
  if (hogs.length === 1)
    return readEmphasis(t('**{0}** takes {1} of the longest time without a pause.'), name, part);
  const several = t('{0} databases, **{1}** first, take {2} of the longest time without a pause.');
  return readEmphasis(several, formatCount(hogs.length), name, part);
}

const describeWatched = (watched: number): string =>
  countSome(
    Math.max(0, watched),
    t('{0} database to check: its row says why.'),
    t('{0} databases to check: their rows say why.'),
  );

function describeFeeders({ feeders, hurting }: InstanceVerdict, { nameOf }: Naming): readonly Words[] {
  const [first = 0] = feeders;
  const feed =
    feeders.size === 1
      ? readEmphasis(t('**{0} feeds the queue**.'), nameOf(first))
      : readEmphasis(t('**{0} feed the queue**.'), formatCount(feeders.size));
  const more = countSome(hurting.length, t('{0} more hurts on its own.'), t('{0} more hurt on their own.'));
  return joinLines([feed, plainLine(more)]);
}

function describeHurting(hurting: readonly number[], { nameOf, reasonOf }: Naming): readonly Words[] {
  const [first = 0] = hurting;
  if (hurting.length === 1)
    return readEmphasis(t('**{0} hurts on its own.** {1}'), nameOf(first), reasonOf(first));
  const several = t('**{0} databases hurt on their own.** The first is {1}. {2}');
  return readEmphasis(several, formatCount(hurting.length), nameOf(first), reasonOf(first));
}

function describeWait({ unseen, forecastInMs, partly }: InstanceVerdict): string {
  if (partly !== null) return t('A forecast needs all automatic databases recorded.');
  return t(
    '{0} had no checkpoint yet: a forecast needs about {1} more.',
    countDatabases(unseen),
    writeMinutes(forecastInMs),
  );
}

/**
 * Says that most of the work looks like the scan: if the shortest tenth of the turns looks like a scan of this memory,
 * and such scans make half of the time or more.
 */
function writeScan({ task, observedMs, state }: InstanceVerdict, { isScan }: Naming): readonly Words[] {
  const scanMs = task?.scanMs ?? null;
  if (task === null || scanMs === null || state === 'cannot tell yet' || state === 'cannot tell') return [];
  const isMost = scanMs * countTurns(task).turns >= 0.5 * task.busyShare * observedMs;
  if (scanMs < 1_000 || !isMost || !isScan(scanMs)) return [];
  const said = t(
    'Most of the busy time looks like buffer pool scans: 9 in 10 checkpoints take **{0}** or longer.',
  );
  return readEmphasis(said, formatDuration(scanMs));
}
