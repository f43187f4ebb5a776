/** A FlushCache message in words: each of its figures and how to read it, and what held the checkpoint up. */
import type { FlushCacheGroup } from '../errorlog/flush-cache-group';
import { countOf, formatCount, formatDuration, formatNumber, formatPercent } from '../format';
import { joinSentences, t } from '../language';
import { formatBytes } from './write-tables';

/** A row of the table of a message. */
export type Figure = readonly [what: string, value: string, how: string];

const PAGE_BYTES = 8192;
/** From this write latency on a checkpoint slows itself down: since SQL Server 2016, and before. */
const [THROTTLED_MS, THROTTLED_BEFORE_2016_MS] = [50, 20];
/**
 * A last target of this many writes or fewer is small, and a wait at every fourth write is often. Published messages
 * have a few hundred thousand or a handful. Limits of ours.
 */
const [SMALL_TARGET, OFTEN_SATURATED] = [100, 0.25];
export function listFlushFigures(message: FlushCacheGroup): readonly Figure[] {
  const {
    durationMs,
    pages,
    writes,
    pagesPerWrite,
    averageWriteLatencyMs,
    megabytesPerSecond,
    avoidedPages,
  } = message;
  const seconds = durationMs / 1000;
  const asLogged = t('As logged');
  const computed = t('Computed from the pages and the duration');
  const megabytes = megabytesPerSecond ?? (seconds > 0 ? (pages * PAGE_BYTES) / 2 ** 20 / seconds : null);
  const rows: readonly (Figure | null)[] = [
    [t('Duration'), formatDuration(durationMs), t('From begin to end of the checkpoint')],
    [t('Pages'), describePages(pages), t('“bufs” in the message; a page has 8 KB')],
    [t('Writes'), formatCount(writes), asLogged],
    pagesPerWrite === null
      ? null
      : [
          t('Pages per write'),
          formatNumber(pagesPerWrite, 1),
          t('1 = random writes; 32 (128 from 2016) = best'),
        ],
    seconds > 0 ? [t('Pages per second'), formatCount(Math.round(pages / seconds)), computed] : null,
    megabytes === null
      ? null
      : [
          t('Throughput'),
          t('{0} MB/s', formatNumber(megabytes, 2)),
          megabytesPerSecond === null ? computed : asLogged,
        ],
    averageWriteLatencyMs === null
      ? null
      : [
          t('Write latency'),
          formatDuration(averageWriteLatencyMs),
          t('avgWriteLatency of the message, in whole milliseconds'),
        ],
    ...listThrottleFigures(message),
    avoidedPages === null
      ? null
      : [
          t('New dirty pages avoided'),
          formatCount(avoidedPages),
          t('Became dirty meanwhile, so left for the next checkpoint'),
        ],
  ];
  return rows.filter((row) => row !== null);
}

function listThrottleFigures({
  ioSaturation,
  contextSwitches,
  lastTargetOutstanding,
}: FlushCacheGroup): readonly (Figure | null)[] {
  return [
    ioSaturation === null
      ? null
      : [
          t('I/O saturation'),
          formatCount(ioSaturation),
          t('How often it waited because enough writes were on their way'),
        ],
    contextSwitches === null
      ? null
      : [
          t('Context switches'),
          formatCount(contextSwitches),
          t('How often it gave up its processor while it waited'),
        ],
    lastTargetOutstanding === null
      ? null
      : [
          t('Last target outstanding'),
          formatCount(lastTargetOutstanding),
          t('Writes that it allowed itself at once at the end; a few = it held back'),
        ],
  ];
}

/** What held it up, the surest first: it held itself back, its writes were slow, or neither, and then perhaps a scan. */
export function describeSpeed(message: FlushCacheGroup): string {
  const { state, pagesPerWrite, averageWriteLatencyMs, throughputDiffersBy } = message;
  return joinSentences(
    state === 'mixture'
      ? t('The lines do not fit together: some may be of another message. Only the first line was used.')
      : '',
    throughputDiffersBy === null
      ? ''
      : t(
          'The printed throughput differs by {0} from pages and duration; no other message is near.',
          formatPercent(throughputDiffersBy),
        ),
    isThrottled(message)
      ? t(
          'It held itself back: an I/O saturation of {0} and a last target of {1} say so.',
          formatCount(message.ioSaturation ?? 0),
          formatCount(message.lastTargetOutstanding ?? 0),
        )
      : '',
    averageWriteLatencyMs === null ? '' : describeLatency(averageWriteLatencyMs, isThrottled(message)),
    mayHaveScanned(message)
      ? t(
          'So few and fast writes do not explain {0}. It may have looked through a large buffer pool for dirty pages: message 898 says so, if there is one.',
          formatDuration(message.durationMs),
        )
      : '',
    pagesPerWrite === null ? t('Nothing was written.') : describeScatter(pagesPerWrite),
  );
}

/** It waited for its own writes every few of them, and at the end allowed itself hardly any. */
function isThrottled({ ioSaturation, lastTargetOutstanding, writes }: FlushCacheGroup): boolean {
  return (
    lastTargetOutstanding !== null &&
    lastTargetOutstanding <= SMALL_TARGET &&
    (ioSaturation ?? 0) >= writes * OFTEN_SATURATED
  );
}

/** The latency is in whole milliseconds, so a write may have taken nearly one more. Writes overlap, so this is a bound. */
function mayHaveScanned(message: FlushCacheGroup): boolean {
  const { averageWriteLatencyMs: latencyMs, writes, durationMs } = message;
  const isFast = latencyMs !== null && latencyMs < THROTTLED_BEFORE_2016_MS;
  return isFast && !isThrottled(message) && writes * (latencyMs + 1) < durationMs / 4;
}

function describeLatency(latencyMs: number, isThrottling: boolean): string {
  const latency = formatDuration(latencyMs);
  if (latencyMs >= THROTTLED_MS)
    return t('A write took {0} on average. At that latency a checkpoint throttles itself.', latency);
  if (latencyMs >= THROTTLED_BEFORE_2016_MS)
    return t(
      'A write took {0} on average. A checkpoint throttles itself at 50 ms or more; before SQL Server 2016, at 20 ms or more.',
      latency,
    );
  return isThrottling
    ? t('A write took {0} on average, which does not show the slow ones among them.', latency)
    : t('A write took {0} on average, too little for a checkpoint to throttle itself.', latency);
}

function describeScatter(pagesPerWrite: number): string {
  const ratio = formatNumber(pagesPerWrite, 1);
  return pagesPerWrite < 2
    ? t(
        'Its pages were scattered: {0} per write. In a published test, half a million pages took 71 s scattered and 21 s side by side.',
        ratio,
      )
    : t('{0} pages per write: neighbouring pages were written together.', ratio);
}

/** `394,031 pages (3.0 GB)`. */
export function describePages(pages: number): string {
  return t('{0} ({1})', countOf(pages, t('{0} page'), t('{0} pages')), formatBytes(pages * PAGE_BYTES));
}
