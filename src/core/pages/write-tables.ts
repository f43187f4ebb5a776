/** Write work as tables: who wrote the pages of the instance, and what each database wrote and how long it waited. */
import type { LatencyAnswer } from '../write-work/latency-during';
import type { DatabaseWriteFigures, InstanceWriteFigures } from '../write-work/write-figures';
import { formatCount, formatDuration, formatNumber, formatPerHour, formatPercent } from '../format';
import {
  column,
  DATABASE_COLUMN,
  type EvidenceCell,
  type EvidenceRow,
  type EvidenceTable,
  type NamedDatabase,
  writeCell,
  writeFigure,
  writeRow,
} from './evidence-page';
import { joinSentences, t } from '../language';
import { HOUR_MS, SECOND_MS } from '../time';

export interface WrittenDatabase extends NamedDatabase {
  readonly figures: DatabaseWriteFigures;
}

export function createInstanceTable(figures: InstanceWriteFigures | null): EvidenceTable {
  return {
    id: 'instance',
    heading: t('Page writes and log waits of the instance'),
    columns: [
      column.word(
        'counter',
        t('Counter'),
        t('For the whole instance; it does not show which database it comes from'),
      ),
      column.perSecond('per_second', t('Per second'), t('Average over the observed time')),
      column.share(
        'share',
        t('Share'),
        t('Of the pages that checkpoints, background writer and lazy writer wrote'),
      ),
    ],
    rows: figures === null ? [] : listCounters(figures),
  };
}

function listCounters(figures: InstanceWriteFigures): readonly EvidenceRow[] {
  const seconds = figures.observedMs / SECOND_MS;
  const rate = (count: number | null): EvidenceCell =>
    writeFigure(count === null || seconds === 0 ? null : count / seconds, formatPerHour);
  const row = (name: string, count: number | null, share: EvidenceCell): EvidenceRow => ({
    databaseId: null,
    cells: [writeCell(name), rate(count), share],
  });
  return [
    row(t('Checkpoint pages'), figures.checkpointPages, writeFigure(figures.checkpointShare, formatPercent)),
    row(
      t('Background writer pages'),
      figures.backgroundWriterPages,
      writeFigure(figures.backgroundWriterShare, formatPercent),
    ),
    row(t('Lazy writes'), figures.lazyWrites, writeFigure(figures.lazyWriterShare, formatPercent)),
    row(t('All page writes'), figures.pageWrites, writeCell('')),
    row(t('WRITELOG waits'), figures.writelogWaits, writeCell('')),
  ];
}

export function createDatabaseTable(databases: readonly WrittenDatabase[]): EvidenceTable {
  const rows = [...databases]
    .sort((a, b) => b.figures.dataWrittenBytes - a.figures.dataWrittenBytes)
    .map((one) => writeRow(one, ...listFigures(one.figures)));
  return {
    id: 'databases',
    heading: t('Written by each database'),
    columns: [
      DATABASE_COLUMN,
      column.bytes('data_written_an_hour', t('Data written/h'), t('Bytes an hour to data files')),
      column.ratio(
        'pages_per_write',
        t('Pages per write'),
        t('1 = random writes of 8 KB; 32 (128 from 2016) = best'),
      ),
      column.ms('data_latency', t('Data latency'), t('Average of a write to data files')),
      column.ms('log_latency', t('Log latency'), t('Average of a write to the log')),
      column.bytes('log_written_an_hour', t('Log written/h'), t('Bytes an hour to log files')),
      column.ratio('data_per_log', t('Data per log'), t('Bytes to data files for each byte of log')),
      column.count('transactions_an_hour', t('Transactions/h'), t('Write transactions an hour')),
    ],
    rows,
  };
}

function listFigures(figures: DatabaseWriteFigures): readonly EvidenceCell[] {
  const hours = figures.observedMs / HOUR_MS;
  const perHour = (amount: number | null): number | null =>
    amount === null || hours === 0 ? null : amount / hours;
  return [
    writeFigure(perHour(figures.dataWrittenBytes), formatBytes),
    writeRatio(figures.pagesPerWrite, figures.dataWrittenBytes),
    writeRatio(figures.dataLatencyMs, figures.dataWrittenBytes, formatDuration),
    writeRatio(figures.logLatencyMs, figures.logWrittenBytes, formatDuration),
    writeFigure(perHour(figures.logWrittenBytes), formatBytes),
    writeRatio(figures.dataBytesPerLogByte, figures.logWrittenBytes, (ratio) => `${formatRatio(ratio)} : 1`),
    writeFigure(perHour(figures.writeTransactions), formatPerHour),
  ];
}

/** If nothing was written, there is no ratio. That differs from a ratio that could not be observed. */
function writeRatio(
  value: number | null,
  writtenBytes: number,
  format: (value: number) => string = formatRatio,
): EvidenceCell {
  return value === null && writtenBytes === 0 ? { text: '–', value: null } : writeFigure(value, format);
}

/**
 * Compares latency during checkpoints with latency outside of them, or says why that cannot be told.
 * @param what the beginning of the first sentence
 * @param unknown why there is no answer, as a sentence
 */
export function describeLatency(what: string, answer: LatencyAnswer | null, unknown: string): string {
  if (answer === null)
    return joinSentences(t('{0}, during and outside checkpoints: not measured.', what), unknown);
  switch (answer.kind) {
    case 'answered': {
      const averages = [answer.during.averageMs, answer.outside.averageMs].map(formatDuration);
      return joinSentences(
        t('{0}: {1} during checkpoints, {2} outside.', what, ...averages),
        describeSamples(answer),
        t('They cover {0} of the time in checkpoints.', formatPercent(answer.duringShare)),
        answer.marginMs === null
          ? ''
          : t(
              'Estimated from mixed samples; the difference is accurate to {0}.',
              formatDuration(answer.marginMs),
            ),
      );
    }
    case 'resolution too coarse':
      return joinSentences(
        t('{0}, during and outside checkpoints: resolution too coarse.', what),
        t('The samples are too long for the checkpoints or for the time between them.'),
        describeNeeded(answer.neededMs),
        describeSamples(answer),
      );
    case 'not enough samples':
      return joinSentences(
        t('{0}, during and outside checkpoints: not enough samples.', what),
        t('Needs {0} samples of each kind.', formatCount(answer.leastSamples)),
        describeSamples(answer),
      );
  }
}

function describeSamples({ use, sampleMs }: LatencyAnswer): string {
  const counts = [use.during, use.outside, use.mixed].map(formatCount);
  return sampleMs === null
    ? t('Samples: {0} during, {1} outside, {2} mixed.', ...counts)
    : t('Samples of {3}: {0} during, {1} outside, {2} mixed.', ...counts, formatDuration(sampleMs));
}

/** Nothing is sampled more often than once a second, so a shorter interval is not suggested. */
function describeNeeded(neededMs: number): string {
  return neededMs < SECOND_MS
    ? t('Even one-second samples would be too long.')
    : t('Samples of {0} or shorter would tell.', formatDuration(neededMs));
}

/** `512 B`, `8.0 KB`, `1.5 GB`: powers of 1,024. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${formatNumber(value, value < 99.5 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** `1.5`, `12`. */
export const formatRatio = (value: number): string => formatNumber(value, value < 9.95 ? 1 : 0);
