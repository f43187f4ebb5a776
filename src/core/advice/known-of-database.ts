/** What is known of a database besides its checkpoints, and what verdicts say of it. */
import { countOf, countSome, formatCount, formatDuration, formatPercent } from '../format';
import { fillText, joinSentences, t } from '../language';
import type { OwnTaskShare } from '../task/task-share';
import type { LatencyAnswer } from '../write-work/latency-during';
import { type DatabaseFacts, type Facts, findOf, recoveryIntervalMs } from './facts';

/** Figures of one database besides its checkpoints, read when the evidence is opened. null: not known. */
export interface KnownOfDatabase {
  /** FlushCache messages in the error log, and over how many days. */
  readonly flushCache: { readonly messages: number; readonly days: number } | null;
  /**
   * Messages of the same days: checkpoints that failed or came too late (3619, 5901, 9002), I/O on its files slower
   * than 15 seconds (833), and latches of its pages that were waited for too long (844 to 847).
   */
  readonly failures: number;
  readonly slowIos: number;
  /** Absent: none. */
  readonly latches?: number;
  /** Compares writes to its log during its checkpoints with writes outside of them. */
  readonly logLatency: LatencyAnswer | null;
  /** The same for the checkpoints of all databases; absent: not compared. */
  readonly neighbourLatency?: LatencyAnswer | null;
  /**
   * The longest scan of the buffer pool for one of its checkpoints (message 898), in milliseconds; null: none, or no
   * error log.
   */
  readonly scanMs: number | null;
  /** Log written since its last checkpoint: the 95th percentile of what was seen, in megabytes. */
  readonly toRedoMb: number | null;
  /** Log that it wrote in the time that verdicts rest on; 0 or absent: none, or not sampled. */
  readonly logBytesPerMs?: number;
}

/**
 * Log writes wait for a checkpoint if they take this many times as long during it, and this much longer. Limits of
 * ours.
 */
const LONGER_TIMES = 1.5;
const LONGER_BY_MS = 5;

/** FlushCache messages in the error log; null: none is known. */
export function describeFlushCache(known: KnownOfDatabase | null): string | null {
  const logged = known?.flushCache ?? null;
  if (logged === null || logged.messages === 0) return null;
  const messages = countOf(logged.messages, t('{0} FlushCache message'), t('{0} FlushCache messages'));
  return logged.days === 1
    ? t('The error log of the last day has {0} about it.', messages)
    : t('The error log of the last {0} days has {1} about it.', logged.days, messages);
}

/** Checkpoints that failed, or for which the log waited until it was full; '': none is known. */
export function describeFailures(known: KnownOfDatabase | null): string {
  return countSome(
    known?.failures ?? 0,
    t('The error log has {0} message of a checkpoint that failed or came too late.'),
    t('The error log has {0} messages of checkpoints that failed or came too late.'),
  );
}

const TEMPDB = 2;
/**
 * Of the task's time, from which tempdb is worth a sentence; turns in a recovery interval, and the megabytes of a small
 * log. Our own numbers.
 */
const LEAST_OF_TASK = 0.05;
const OFTEN = 2;
const SMALL_LOG_MB = 1024;

/**
 * A log that is 70 % full asks for a checkpoint too, where it is emptied by that: the smaller it is, the more often
 * (docs/facts.md, SQL Server 1). A large one fills up only under a load that asks by the number of its records anyway.
 */
export function describeSmallLog(
  { databaseId, recoveryModel, targetSeconds }: DatabaseFacts,
  { server, files }: Facts,
  own: OwnTaskShare | null,
): string {
  if (own === null || own.observedMs === 0) return '';
  if (databaseId === TEMPDB)
    return own.share < LEAST_OF_TASK
      ? ''
      : t(
          'It takes {0} of the checkpoint task: a larger log needs fewer checkpoints.',
          formatPercent(own.share),
        );
  // 0: this login cannot tell log files from data files.
  const sizeMb = findOf(files, databaseId)?.logMb ?? 0;
  const perInterval = (own.count * recoveryIntervalMs(server)) / own.observedMs;
  if (
    recoveryModel !== 'SIMPLE' ||
    targetSeconds !== 0 ||
    perInterval <= OFTEN ||
    sizeMb === 0 ||
    sizeMb > SMALL_LOG_MB
  )
    return '';
  const perHour = formatCount(Math.round((own.count * 3_600_000) / own.observedMs));
  return t('{0} turns an hour with a log of {1} MB: it is too small. Grow it.', perHour, formatCount(sizeMb));
}

/** Of a log in SIMPLE: far past the 70 % at which a checkpoint is due. Our own number. */
const NEARLY_FULL = 0.9;

/**
 * What holds a log back though its database has indirect checkpoints; '': nothing that is known (docs/facts.md, SQL
 * Server 2).
 */
export function describeHeldLog(
  { databaseId, recoveryModel, targetSeconds, logReuseWait }: DatabaseFacts,
  { files, logs }: Facts,
): string {
  if (targetSeconds === null || targetSeconds === 0) return '';
  if (logReuseWait === 'OLDEST_PAGE')
    return t(
      'The log waits for the oldest dirty page (log_reuse_wait_desc OLDEST_PAGE). That happens with indirect checkpoints if page writes do not keep up.',
    );
  const sizeMb = findOf(files, databaseId)?.logMb ?? 0;
  const sinceMb = findOf(logs, databaseId)?.sinceCheckpointMb ?? 0;
  if (recoveryModel !== 'SIMPLE' || sizeMb === 0 || sinceMb < NEARLY_FULL * sizeMb) return '';
  const full = formatPercent(Math.min(1, sinceMb / sizeMb));
  return t('{0} of the log is newer than the last checkpoint, though one is due at 70 %.', full);
}

/** Slow I/O is no proof of a checkpoint's harm, but no proof of none either; a latch waits mostly for the same. */
export function describeSlowIo(known: KnownOfDatabase | null): string {
  const latches = countSome(
    known?.latches ?? 0,
    t('{0} time-out of a latch on its pages (messages 844 to 847). Look at the storage first.'),
    t('{0} time-outs of latches on its pages (messages 844 to 847). Look at the storage first.'),
  );
  const slow = countSome(
    known?.slowIos ?? 0,
    t(
      '{0} report of I/O on its files that took longer than 15 seconds (message 833). Look at the storage first.',
    ),
    t(
      '{0} reports of I/O on its files that took longer than 15 seconds (message 833). Look at the storage first.',
    ),
  );
  return joinSentences(slow, latches);
}

/** Says that log writes wait during its checkpoints; null: they do not, or it is not known. */
export function describeLogWaits(answer: LatencyAnswer | null): string | null {
  if (answer?.kind !== 'answered' || !isWaiting(answer)) return null;
  const [during, outside] = [answer.during.averageMs, answer.outside.averageMs].map(formatDuration);
  return t('Log writes take {0} during its checkpoints, {1} otherwise.', during!, outside!);
}

function isWaiting({ during, outside, marginMs }: Extract<LatencyAnswer, { kind: 'answered' }>): boolean {
  const longerMs = during.averageMs - outside.averageMs;
  return during.averageMs >= LONGER_TIMES * outside.averageMs && longerMs - (marginMs ?? 0) >= LONGER_BY_MS;
}

/** Says that log writes wait during the checkpoints of others, if not during its own. */
export function describeNeighbours(known: KnownOfDatabase | null): string {
  const answer = known?.neighbourLatency ?? null;
  if (
    answer?.kind !== 'answered' ||
    !isWaiting(answer) ||
    describeLogWaits(known?.logLatency ?? null) !== null
  )
    return '';
  const [during, outside] = [answer.during.averageMs, answer.outside.averageMs].map(formatDuration);
  return t('Log writes take {0} during checkpoints of other databases, {1} otherwise.', during!, outside!);
}

/** Waits for the log (WRITELOG) of the whole server since the last change, during checkpoints and outside of them. */
export type LogWrites = LatencyAnswer | 'not read' | 'not sampled' | 'refused';

const isAnswered = (writes: LogWrites): writes is Extract<LatencyAnswer, { kind: 'answered' }> =>
  typeof writes === 'object' && writes.kind === 'answered';

/** From this time on, a log write is slow by itself: our own number, above the usual advice of 10 to 15 ms. */
const SLOW_LOG_MS = 20;

/** Whether log writes were measured, do not wait and are not slow. */
export const areLogWritesCalm = (writes: LogWrites): boolean =>
  isAnswered(writes) && !isWaiting(writes) && writes.outside.averageMs < SLOW_LOG_MS;

/** Whether they were measured, and wait during checkpoints or are slow at any time. */
export const areLogWritesSlow = (writes: LogWrites): boolean =>
  isAnswered(writes)
    ? !areLogWritesCalm(writes)
    : typeof writes === 'object' && (writes.averageMs ?? 0) >= SLOW_LOG_MS;

/** One sentence: they wait, they do not, or why that is not known. */
export function describeLogWrites(writes: LogWrites): string {
  if (writes === 'not read') return t('Log writes: not known yet.');
  if (writes === 'refused') return t('Log writes: this login may not look.');
  if (writes === 'not sampled') return t('Log writes: not known, they were not sampled.');
  if (isAnswered(writes)) {
    const [during, outside] = [writes.during.averageMs, writes.outside.averageMs];
    const said = isWaiting(writes)
      ? t('Log writes wait: {0} during checkpoints, {1} outside.')
      : outside >= SLOW_LOG_MS
        ? t(
            'Log writes are slow, with and without checkpoints: {0} during, {1} outside. Look at the log disk.',
          )
        : during >= LONGER_TIMES * outside
          ? t('Log writes hardly wait: {0} during checkpoints, {1} outside.')
          : t('Log writes do not wait: {0} during checkpoints, {1} outside.');
    return fillText(said, formatDuration(during), formatDuration(outside));
  }
  const average = writes.averageMs ?? null;
  if (average === null) return explainUntold(writes);
  const said = areLogWritesSlow(writes)
    ? t('On average they take {0}: look at the log disk, too.')
    : t('On average they take {0}.');
  return joinSentences(explainUntold(writes), fillText(said, formatDuration(average)));
}

function explainUntold(writes: Exclude<LatencyAnswer, { kind: 'answered' }>): string {
  const { use, sampleMs } = writes;
  if (writes.kind === 'resolution too coarse')
    return use.during < use.outside
      ? t('Log writes: not known, checkpoints are shorter than the samples.')
      : t('Log writes: not known, the pauses are shorter than the samples.');
  if (use.outside >= writes.leastSamples)
    return t('Log writes: not known, too few samples during checkpoints.');
  if (use.during >= writes.leastSamples)
    return use.outside > 0
      ? t('Log writes: not known, too few samples outside checkpoints.')
      : t('Log writes: no outside, task never free.');
  const sampledMs = (sampleMs ?? 0) * (use.samples - use.unobserved);
  return sampledMs === 0
    ? t('Log writes: not known yet.')
    : t('Log writes: not known yet, {0} of samples.', formatDuration(sampledMs));
}

/** What is not known yet, a sentence each. */
export function listMissing(known: KnownOfDatabase | null): readonly string[] {
  if (known === null)
    return [t('The error log and log writes have not been checked yet. Open the dashboard.')];
  const { flushCache, logLatency } = known;
  return [
    ...(flushCache === null ? [t('The error log could not be read.')] : []),
    ...(logLatency?.kind === 'answered' ? [] : [describeUnknown(logLatency)]),
  ];
}

function describeUnknown(answer: Exclude<LatencyAnswer, { kind: 'answered' }> | null): string {
  if (answer?.kind === 'resolution too coarse')
    return t('Log writes: not known. Samples of {0} or shorter would tell.', formatDuration(answer.neededMs));
  if (answer?.kind === 'not enough samples') return t('Log writes: not known, too few samples.');
  return t('Log writes: not known.');
}
