/**
 * What was observed of each limit before the first wave and since the last one: in samples, in the error log, and at
 * looks for limits.
 */
import {
  FLUSHES_DIFFER,
  judgeLimit,
  type LimitFigures,
  type LimitLook,
  type Limit,
  type LimitId,
  limitIds,
  MOST_LOGS,
  writeLimitValue,
} from '../../core/advice/limits';
import type { BothSides } from '../../core/comparison/result';
import { isCertain } from '../../core/errorlog/logged-evidence';
import { MOST_TARGET_MISSES } from '../../core/script/session';
import { BLOCK_MS, type DatabaseBlock, type InstanceBlock } from '../../core/write-work/block';
import { isWithin } from '../../core/comparison/local-blocks';
import { pickRank } from '../../core/sorted';
import type { TimeWindow } from '../../core/statistics/observed-time';
import { describeInstanceWrites } from '../../core/write-work/write-figures';
import type { WriteWorkLog } from '../../core/write-work/write-work-log';
import { countDatabases, countOf, formatCount, formatDuration, formatObserved } from '../../core/format';
import { addUpBlocks, type BlockTotals, pairBlocks } from '../../core/write-work/file-totals';
import type { Steps } from '../../core/steps';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time';
import type { EvidenceReadings, LoggedEvidence } from './evidence-readings';
import type { JoinedDatabase } from './joined-database';
import { joinSentences, t } from '../../core/language';

const MB = 1_048_576;
const PAGE_BYTES = 8192;
/** Figures of fewer blocks are chance. */
const LEAST_BLOCKS = 2;

interface LimitSources {
  readonly work: WriteWorkLog;
  readonly readings: Pick<EvidenceReadings, 'looks' | 'lookReasons'>;
  readonly logged: LoggedEvidence | null;
  readonly databases: readonly JoinedDatabase[];
  readonly switched: ReadonlySet<number>;
  /** Until the first wave, and since the last one. */
  readonly before: TimeWindow;
  readonly since: TimeWindow;
  /** The hours that are compared. */
  readonly isSame: (utcMs: number) => boolean;
}

type LookFigure = 'logUsedShare' | 'redoQueueKb';
type Figures = Readonly<Record<LimitId, LimitFigures>>;

export function* judgeLimits(
  sources: LimitSources,
): Steps<{ readonly signs: readonly Limit[]; readonly writes: BothSides<SideWrites> }> {
  yield* sources.work.prepareBlocks();
  const { hasCopies = true, logUsed = null, redoQueue = null } = sources.readings.lookReasons ?? {};
  const writes = measureWrites(sources);
  const figures: Figures = {
    'log used': readLogs(sources, logUsed),
    'oldest page': yield* findHeld(sources),
    'redo queue': hasCopies ? readLast(sources, 'redo queue', redoQueue) : NO_COPIES,
    ...describeWrites(writes),
    'flush cache': countFlushes(sources),
    'target missed': rateMisses(sources),
    spinlock: rateBackoffs(sources),
  };
  return { signs: limitIds.map((id) => judgeLimit(id, figures[id])), writes };
}

const listLooks = ({ readings }: LimitSources, { beginUtcMs, endUtcMs }: TimeWindow): readonly LimitLook[] =>
  readings.looks.filter(({ atUtcMs }) => atUtcMs >= beginUtcMs && atUtcMs <= endUtcMs);

const seenOnly = ({ length }: readonly LimitLook[]): string =>
  countOf(length, t('Seen in one reading.'), t('Seen in {0} readings.'));

/**
 * At the last look: what was once exceeded is no reason to stop for ever.
 * @param reason why the last look lacks the figure
 */
function readLast(sources: LimitSources, id: 'log used' | 'redo queue', reason: string | null): LimitFigures {
  const figure: LookFigure = id === 'log used' ? 'logUsedShare' : 'redoQueueKb';
  const [was, is] = [sources.before, sources.since].map((side) =>
    listLooks(sources, side).filter((look) => look[figure] !== null),
  );
  const [before = null, now = null] = [was, is].map((looks) => looks?.[looks.length - 1]?.[figure]);
  const last = is?.[is.length - 1];
  if (is === undefined || last === undefined || now === null)
    return { before, now: null, note: reason ?? NOT_LOOKED };
  const by = id === 'log used' ? last.logUsedBy : last.redoQueueBy;
  const highest = is.reduce((most, look) => Math.max(most, look[figure] ?? 0), 0);
  const peak = highest === now ? '' : t('Highest since the change: {0}.', writeLimitValue(id, highest));
  return { before, now, by, note: joinSentences(`${by}.`, peak, seenOnly(is)) };
}

/**
 * Of the databases that were switched: the log that is nearest to its limit at the last look. Looks that were kept
 * without a list have the fullest of all.
 */
function readLogs(sources: LimitSources, reason: string | null): LimitFigures {
  const [was, is] = [sources.before, sources.since].map((side) =>
    listLooks(sources, side).filter(({ logUsedShare }) => logUsedShare !== null),
  );
  const logs = is?.[is.length - 1]?.logs;
  if (is === undefined || logs === undefined) return readLast(sources, 'log used', reason);
  // A log that fills up between its backups was as full before as at its fullest.
  const earlier = new Map<string, number>();
  for (const look of was ?? [])
    for (const { database, usedShare } of look.logs ?? [])
      earlier.set(database, Math.max(usedShare, earlier.get(database) ?? 0));
  const names = new Set(
    sources.databases.flatMap(({ databaseId, name }) => (sources.switched.has(databaseId) ? [name] : [])),
  );
  const own = logs
    .filter(({ database }) => names.has(database))
    .map(({ database: by, usedShare: now }) => {
      return { before: earlier.get(by) ?? null, now, by, note: joinSentences(`${by}.`, seenOnly(is)) };
    });
  const shareOf = (log: LimitFigures): number => (log.now ?? 0) / (judgeLimit('log used', log).limit ?? 1);
  const [nearest] = own.sort((a, b) => shareOf(b) - shareOf(a));
  // As full as the last one of a whole list, at most: that can only clear them.
  const last = logs.length < MOST_LOGS ? null : (logs[logs.length - 1]?.usedShare ?? null);
  const most =
    last !== null && judgeLimit('log used', { before: null, now: last, note: '' }).state === 'clear'
      ? last
      : null;
  return (
    nearest ?? {
      before: null,
      now: most,
      note: t('No switched database is among the {0} fullest logs.', logs.length),
    }
  );
}

const NO_COPIES: LimitFigures = {
  before: null,
  now: null,
  note: t('No database here is in an availability group.'),
  isNone: true,
};
const NOT_LOOKED = t('Not measured since the change.');

/**
 * For the databases that were switched: how long the oldest dirty page has held the log, up to the last block; before:
 * the longest run of blocks.
 */
function* findHeld({ databases, switched, work, before, since, isSame }: LimitSources): Steps<LimitFigures> {
  const held = { before: null as number | null, now: 0 };
  let sampled = 0;
  let holding = 0;
  let by = '';
  for (const { databaseId, sampled: index, name } of databases) {
    if (index === null || !switched.has(databaseId)) continue;
    const blocks = work
      .databaseBlocks(index)
      .filter((block) => block.logReuseWaits !== undefined && isSame(block.beginUtcMs));
    yield;
    if (blocks.some((block) => isWithin(block.beginUtcMs, since))) sampled++;
    if (blocks.some((block) => isWithin(block.beginUtcMs, before)))
      held.before = Math.max(held.before ?? 0, findRuns(blocks, before).longestMs);
    const ms = findRuns(blocks, since).lastMs;
    if (ms > 0) holding++;
    if (ms > held.now) [held.now, by] = [ms, name];
  }
  if (sampled === 0) return { before: null, now: null, note: TOO_FEW };
  const of = countDatabases(sampled);
  const note =
    holding === 0
      ? t('None in {0}. Measured in quarter hours.', of)
      : t('{0} of {1}, longest {2}. Measured in quarter hours.', formatCount(holding), of, by);
  return { ...held, ...(by !== '' && { by }), note };
}

const TOO_FEW = t('Under 30 minutes sampled so far.');

/** Runs of blocks in which the oldest dirty page held the log: the longest, and the one up to the last block. */
function findRuns(
  blocks: readonly DatabaseBlock[],
  side: TimeWindow,
): { readonly longestMs: number; readonly lastMs: number } {
  let longest = 0;
  let run = 0;
  let last = NaN;
  for (const { beginUtcMs, logReuseWaits } of blocks) {
    if (!isWithin(beginUtcMs, side)) continue;
    const isHeld = logReuseWaits?.includes('OLDEST_PAGE') === true;
    run = !isHeld ? 0 : beginUtcMs === last + BLOCK_MS ? run + BLOCK_MS : BLOCK_MS;
    longest = Math.max(longest, run);
    last = beginUtcMs;
  }
  return { longestMs: longest, lastMs: run };
}

/** Figures of the whole instance, from blocks of that side and of the hours that are compared. */
function measureWrites({ work, before, since, isSame }: LimitSources): BothSides<SideWrites> {
  const added = [...addUpBlocks(work).values()];
  const instance = work.instanceBlocks();
  const select = <B extends { readonly beginUtcMs: number }>(
    blocks: readonly B[],
    side: TimeWindow,
  ): readonly B[] => blocks.filter(({ beginUtcMs }) => isWithin(beginUtcMs, side) && isSame(beginUtcMs));
  const measure = (side: TimeWindow): SideWrites => describeSide(select(added, side), select(instance, side));
  return { before: measure(before), after: measure(since) };
}

function describeWrites({
  before: was,
  after: is,
}: BothSides<SideWrites>): Pick<Figures, 'data writes' | 'log waits' | 'pages'> {
  const note = (figure: number | null): string => (figure === null ? TOO_FEW : '');
  const twice =
    was.writelogMs === null
      ? t('No limit: nothing was sampled before wave 1.')
      : t('Limit: twice the value before wave 1.');
  const perMb = [was.backgroundPerMb, is.backgroundPerMb].map((pages) => formatObserved(pages, formatCount));
  const background = t('Background writer {0} → {1}. Limit: 1.5 times the value before wave 1.', ...perMb);
  return {
    'data writes': { before: was.dataMs, now: is.dataMs, note: note(is.dataMs) || twice },
    'log waits': { before: was.writelogMs, now: is.writelogMs, note: note(is.writelogMs) || twice },
    pages: { before: was.pagesPerMb, now: is.pagesPerMb, note: note(is.pagesPerMb) || background },
  };
}

/** What all databases together wrote on one side. null: fewer than two quarter hours were sampled. */
export interface SideWrites {
  /** Pages of checkpoints, background writer and lazy writer, in MB an hour. */
  readonly mbPerHour: number | null;
  /** Average milliseconds of a write to the log. */
  readonly logMs: number | null;
  readonly dataMs: number | null;
  readonly writelogMs: number | null;
  readonly pagesPerMb: number | null;
  readonly backgroundPerMb: number | null;
}

function describeSide(files: readonly BlockTotals[], instance: readonly InstanceBlock[]): SideWrites {
  const writing = files.filter(({ dataWrites }) => dataWrites > 0);
  const latencies = Float64Array.from(
    writing,
    ({ dataStallMs, dataWrites }) => dataStallMs / dataWrites,
  ).sort();
  const figures = instance.length < LEAST_BLOCKS ? null : describeInstanceWrites(instance);
  const pairs = pairBlocks(instance, files);
  const paired =
    pairs.length < LEAST_BLOCKS ? null : describeInstanceWrites(pairs.map((pair) => pair.instance));
  const logMb = pairs.reduce((sum, pair) => sum + pair.files.logBytes, 0) / MB;
  const perMb = (pages: number | null | undefined): number | null =>
    logMb > 0 && pages !== null && pages !== undefined ? pages / logMb : null;
  const logMs = files.reduce((sum, { logStallMs }) => sum + logStallMs, 0);
  const logWrites = files.reduce((sum, one) => sum + one.logWrites, 0);
  const hours = (figures?.observedMs ?? 0) / HOUR_MS;
  return {
    mbPerHour:
      figures?.totalPages == null || hours === 0 ? null : (figures.totalPages * PAGE_BYTES) / MB / hours,
    logMs: figures === null || logWrites === 0 ? null : logMs / logWrites,
    dataMs: latencies.length < LEAST_BLOCKS ? null : pickRank(latencies, 95),
    writelogMs: figures?.writelogWaitMs ?? null,
    pagesPerMb: perMb(paired?.totalPages),
    backgroundPerMb: perMb(paired?.backgroundWriterPages),
  };
}

function countFlushes({ logged, before, since }: LimitSources): LimitFigures {
  if (logged === null)
    return {
      before: null,
      now: null,
      note: t('The error log was not read, or this login has no permission to read it.'),
    };
  const flushes = logged.reading.dirtyPageFlushes.filter(isCertain);
  const rate = ({ beginUtcMs, endUtcMs }: TimeWindow): number => {
    const count = flushes.filter(
      ({ atUtcMs }) => atUtcMs !== null && atUtcMs >= beginUtcMs && atUtcMs < endUtcMs,
    ).length;
    return count / Math.max(1, (endUtcMs - beginUtcMs) / DAY_MS);
  };
  const now = rate(since);
  const note =
    now === 0
      ? t('None in the error log since then.')
      : t('The error log shows indirect checkpoints that had to catch up.');
  return {
    before: Number.isFinite(before.beginUtcMs) ? rate(before) : null,
    now,
    note: joinSentences(note, FLUSHES_DIFFER),
  };
}

/**
 * How often a cumulative count rose between the looks of each side. It may have started again in between.
 * @param everyMs the unit of time
 * @param end where it stands still
 */
function rateCounts(sources: LimitSources, id: 'backoffs' | 'targetMisses', everyMs: number, end = Infinity) {
  const rate = (side: TimeWindow): number | null => {
    const looks = listLooks(sources, side).filter((look) => (look[id] ?? end) < end);
    let [count, ms] = [0, 0];
    looks.slice(1).forEach((look, at) => {
      const last = looks[at];
      const more = (look[id] ?? 0) - (last?.[id] ?? 0);
      if (last === undefined || more < 0) return;
      count += more;
      ms += look.atUtcMs - last.atUtcMs;
    });
    return ms > 0 ? count / (ms / everyMs) : null;
  };
  return { before: rate(sources.before), now: rate(sources.since) };
}

function rateBackoffs(sources: LimitSources): LimitFigures {
  const rates = rateCounts(sources, 'backoffs', MINUTE_MS);
  const few = t('Needs two readings {0} apart; keep this page open.', formatDuration(10 * MINUTE_MS));
  const seen = t(
    'Backoffs. No published limit. Many times more than before, with busy CPUs, means contention.',
  );
  return { ...rates, note: rates.now === null ? (sources.readings.lookReasons?.backoffs ?? few) : seen };
}

const NO_MISSES: LimitFigures = {
  before: null,
  now: null,
  note: t('No recovery_target_miss event was recorded.'),
  isNone: true,
};

/** The engine's own event. Its meaning is not published, so nothing stops for it (docs/facts.md, SQL Server 3). */
function rateMisses(sources: LimitSources): LimitFigures {
  const rates = rateCounts(sources, 'targetMisses', HOUR_MS, MOST_TARGET_MISSES);
  if (!sources.readings.looks.some(({ targetMisses }) => (targetMisses ?? 0) > 0)) return NO_MISSES;
  const seen = t(
    'recovery_target_miss events. No published limit. If there are more than before, check page writes before the next wave.',
  );
  return { ...rates, note: rates.now === null ? NOT_LOOKED : seen };
}
