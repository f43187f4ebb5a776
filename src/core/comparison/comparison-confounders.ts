import { formatCount, formatNumber } from '../format';
import { type Gap, GAP_NAMES, type GapKind } from '../session/gap';
import type { ChangeTask, KnownChange } from './change-tasks';
import type { ChangeWindow } from './change-window';
import type { ComparedDatabase, ComparisonInput } from './comparison-input';
import { MAIN_MEASURE, type MeasureId, type MeasureScope, type WorkloadId } from './comparison-measure';
import type { LocalClock } from './local-blocks';
import type { MatchedDays } from './matched-days';
import type { TimeWindow } from '../statistics/statistics';
import type { BackupRun } from '../task/backup-rows';
import { fillText, t } from '../language';

/** What else happened in the days compared, and may be the cause of a difference. */
export interface Confounders {
  /** Names of other databases that changed too. */
  readonly others: readonly string[];
  /** All of it in sentences, for a reader. */
  readonly sentences: readonly string[];
  /** What forbids a conclusion about a measure of that scope, one sentence each. */
  readonly doubts: Readonly<Record<MeasureScope, readonly string[]>>;
}

/** What no figure here can show. */
const NEVER_SEEN = t(
  'Not observable here: maintenance of virtual log files, other hardware or settings, and which pages the workload touched.',
);

const DAY_MS = 86_400_000;

/** If more other databases changed, they are counted, not named. */
const MOST_NAMED = 5;

interface Surroundings {
  readonly task: ChangeTask;
  readonly known: readonly KnownChange[];
  readonly clock: LocalClock;
  readonly match: (id: MeasureId | WorkloadId) => MatchedDays | null;
}

/** Everything known to have happened in the days compared, beside the change itself. */
export function listConfounders(input: ComparisonInput, { task, known, clock, match }: Surroundings): Confounders {
  const { one, window } = task;
  const compared = findCompared([match(MAIN_MEASURE), match('checkpoint seconds'), match('instance write work')], window, clock);
  const others = listOthers(known, task, compared);
  const gaps = countKinds(input.observation.gaps.filter((gap) => overlaps(gap, compared)));
  const happened = new Set<string>([...gaps.keys(), ...input.breaks.filter((each) => overlaps(each, compared)).map(({ kind }) => kind)]);
  const isOther = happened.has('failover') || happened.has('another server');
  const failover = isOther ? [t('Another server answered under this name for part of the time.')] : [];
  const otherNames = others.length > 0 ? [t('Other databases changed in the same period: {0}.', nameOthers(others))] : [];
  return {
    others,
    sentences: [
      ...otherNames,
      ...failover,
      ...(happened.has('server restarted') ? [t('The server was restarted in between. Its buffer pool was empty then.')] : []),
      ...(gaps.size > 0
        ? [t('Not observed: {0}.', [...gaps].map(([kind, count]) => `${GAP_NAMES[kind]} (${formatCount(count)})`).join(', '))]
        : []),
      ...listBackupChanges(one, window, compared),
      NEVER_SEEN,
    ],
    doubts: { database: failover, instance: [...failover, ...otherNames] },
  };
}

/** From the first to the last block in a pair. If there is none, the observed time around the change. */
function findCompared(matches: readonly (MatchedDays | null)[], window: ChangeWindow, clock: LocalClock): TimeWindow {
  const spans = matches.flatMap((matched) => matched?.span ?? []);
  if (spans.length === 0) return { beginUtcMs: window.before.endUtcMs, endUtcMs: window.after.beginUtcMs };
  return {
    beginUtcMs: Math.min(...spans.map(({ firstIndex }) => clock.utcMsOf(firstIndex))),
    endUtcMs: Math.max(...spans.map(({ lastIndex }) => clock.utcMsOf(lastIndex + 1))),
  };
}

function listOthers(known: readonly KnownChange[], { one, members, window }: ChangeTask, compared: TimeWindow): readonly string[] {
  const isOwn = (other: ComparedDatabase, atUtcMs: number): boolean =>
    other === one || (members.has(other) && atUtcMs >= window.change.notBeforeUtcMs && atUtcMs <= window.change.atUtcMs);
  const others = known
    .filter(({ atUtcMs, notBeforeUtcMs }) => atUtcMs > compared.beginUtcMs && notBeforeUtcMs < compared.endUtcMs)
    .filter((other) => !isOwn(other.one, other.atUtcMs));
  return [...new Set(others.map((other) => other.one.name))];
}

function nameOthers(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? t('{0} and {1} more', names.slice(0, MOST_NAMED).join(', '), formatCount(more)) : names.join(', ');
}

/** A moment, which has no length, overlaps too. */
function overlaps(one: TimeWindow, other: TimeWindow): boolean {
  return one.endUtcMs >= other.beginUtcMs && one.beginUtcMs < other.endUtcMs;
}

function countKinds(gaps: readonly Gap[]): ReadonlyMap<GapKind, number> {
  const counts = new Map<GapKind, number>();
  for (const { kind } of gaps) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const BACKUP_CHANGES: Readonly<Record<BackupRun['type'], string>> = {
  full: t('The number of full backups changed too: {0} a day before, {1} after.'),
  differential: t('The number of differential backups changed too: {0} a day before, {1} after.'),
  log: t('The number of log backups changed too: {0} a day before, {1} after.'),
};

/** Backups write nothing to data files but begin with a checkpoint. Twice as many, or half, is a change of its own. */
function listBackupChanges({ backups }: ComparedDatabase, { before, after }: ChangeWindow, compared: TimeWindow): readonly string[] {
  if (backups === null || backups.length === 0) return [];
  // What was read of msdb may reach back less far than other sources.
  const firstUtcMs = backups.reduce((first, { beginUtcMs }) => Math.min(first, beginUtcMs), Infinity);
  const fromUtcMs = Math.max(compared.beginUtcMs, firstUtcMs);
  if (before.endUtcMs - fromUtcMs < DAY_MS || compared.endUtcMs - after.beginUtcMs < DAY_MS) return [];
  const perDay = (type: string, beginUtcMs: number, endUtcMs: number): number => {
    const runs = backups.filter((run) => run.type === type && run.beginUtcMs >= beginUtcMs && run.beginUtcMs < endUtcMs).length;
    return endUtcMs > beginUtcMs ? runs / ((endUtcMs - beginUtcMs) / DAY_MS) : 0;
  };
  return (['full', 'differential', 'log'] as const).flatMap((type) => {
    const [was, is] = [perDay(type, fromUtcMs, before.endUtcMs), perDay(type, after.beginUtcMs, compared.endUtcMs)];
    const isOther = Math.max(was, is) > 0 && (Math.min(was, is) === 0 || Math.max(was / is, is / was) >= 2);
    return isOther ? [fillText(BACKUP_CHANGES[type], formatNumber(was, 1), formatNumber(is, 1))] : [];
  });
}
