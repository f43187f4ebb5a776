/** Write work as tables: who wrote the pages of the instance, and what each database wrote and how long it waited. */
import type { LatencyAnswer } from '../write-work/latency-during';
import type { DatabaseWriteFigures, InstanceWriteFigures } from '../write-work/write-figures';
import { countOf, formatCount, formatDuration, formatPerHour, formatPercent } from '../format';
import { PLAIN_CHART } from './evidence-chart';
import { type EvidenceCell, type EvidenceRow, type EvidenceTable, figureColumn, wordColumn, writeCell, writeFigure } from './evidence-page';
import { t } from '../language';

export interface WrittenDatabase {
  readonly databaseId: number;
  readonly name: string;
  readonly figures: DatabaseWriteFigures;
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** @param unsampled why there are no figures, if there are none */
export function createInstanceTable(figures: InstanceWriteFigures | null, unsampled: string): EvidenceTable {
  return {
    id: 'instance',
    heading: 'Pages written by the instance',
    columns: [
      wordColumn('Counter', 'Of the whole instance: it cannot be told which database it comes from'),
      figureColumn('Per second', 'Average over the observed time'),
      figureColumn('Share', 'Of the pages that checkpoints, background writer and lazy writer wrote'),
    ],
    rows: figures === null ? [] : listCounters(figures),
    empty: unsampled,
    charts: [
      {
        ...PLAIN_CHART,
        id: 'share',
        kind: 'bars',
        title: 'Who wrote the pages',
        axis: 'Share of the pages that checkpoints, background writer and lazy writer wrote',
        unit: 'share',
        scale: 'linear',
        column: 2,
      },
    ],
  };
}

function listCounters(figures: InstanceWriteFigures): readonly EvidenceRow[] {
  const seconds = figures.observedMs / SECOND_MS;
  const rate = (count: number | null): EvidenceCell => writeFigure(count === null || seconds === 0 ? null : count / seconds, formatPerHour);
  const row = (name: string, count: number | null, share: EvidenceCell): EvidenceRow => ({
    databaseId: null,
    cells: [writeCell(name), rate(count), share],
  });
  return [
    row('Checkpoint pages', figures.checkpointPages, writeFigure(figures.checkpointShare, formatPercent)),
    row('Background writer pages', figures.backgroundWriterPages, writeFigure(figures.backgroundWriterShare, formatPercent)),
    row('Lazy writes', figures.lazyWrites, writeFigure(figures.lazyWriterShare, formatPercent)),
    row('Page writes, by whomever', figures.pageWrites, writeCell('')),
    row('WRITELOG waits', figures.writelogWaits, writeCell('')),
  ];
}

/** @param unsampled why there are no figures, if there are none */
export function createDatabaseTable(databases: readonly WrittenDatabase[], unsampled: string): EvidenceTable {
  const rows = [...databases]
    .sort((a, b) => b.figures.dataWrittenBytes - a.figures.dataWrittenBytes)
    .map(({ databaseId, name, figures }) => ({ databaseId, cells: [writeCell(name), ...listFigures(figures)] }));
  return {
    id: 'databases',
    heading: 'Written by each database',
    columns: [
      wordColumn('Database', 'Name of the database'),
      figureColumn('Data written an hour', 'Bytes an hour to data files'),
      figureColumn('Pages per write', '1 is scattered, 8 KB at a time; up to 32, since SQL Server 2016 up to 128, is gathered'),
      figureColumn('Bytes per write', 'To data files'),
      figureColumn('Data latency', 'Average of a write to data files'),
      figureColumn('Log latency', 'Average of a write to the log'),
      figureColumn('Log written an hour', 'Bytes an hour to log files'),
      figureColumn('Data per log', 'Bytes to data files for each byte of log'),
      figureColumn('Transactions an hour', 'Write transactions an hour'),
    ],
    rows,
    empty: unsampled,
    charts: [
      {
        ...PLAIN_CHART,
        id: 'bytes',
        kind: 'bars',
        title: 'Data written an hour',
        axis: 'Bytes an hour to data files',
        unit: 'bytes',
        scale: 'linear',
        column: 1,
      },
      {
        ...PLAIN_CHART,
        id: 'pages-per-write',
        kind: 'bars',
        title: 'Pages per write',
        axis: 'Pages of 8 KB in one write, on a logarithmic scale',
        unit: 'count',
        scale: 'log',
        references: [
          { value: 1, text: 'scattered' },
          { value: 32, text: 'gathered: 32' },
          { value: 128, text: '128, since 2016' },
        ],
        column: 2,
      },
    ],
  };
}

function listFigures(figures: DatabaseWriteFigures): readonly EvidenceCell[] {
  const hours = figures.observedMs / HOUR_MS;
  const perHour = (amount: number | null): number | null => (amount === null || hours === 0 ? null : amount / hours);
  return [
    writeFigure(perHour(figures.dataWrittenBytes), formatBytes),
    writeRatio(figures.pagesPerWrite, figures.dataWrittenBytes),
    writeRatio(figures.bytesPerWrite, figures.dataWrittenBytes, formatBytes),
    writeRatio(figures.dataLatencyMs, figures.dataWrittenBytes, formatDuration),
    writeRatio(figures.logLatencyMs, figures.logWrittenBytes, formatDuration),
    writeFigure(perHour(figures.logWrittenBytes), formatBytes),
    writeRatio(figures.dataBytesPerLogByte, figures.logWrittenBytes),
    writeFigure(perHour(figures.writeTransactions), formatPerHour),
  ];
}

/** If nothing was written, there is no ratio. That differs from a ratio that could not be observed. */
function writeRatio(value: number | null, writtenBytes: number, format: (value: number) => string = formatRatio): EvidenceCell {
  return value === null && writtenBytes === 0 ? { text: '–', value: null } : writeFigure(value, format);
}

/**
 * Compares latency during checkpoints with latency outside of them in one sentence, or says why that cannot be told.
 * @param what the beginning of the sentence
 * @param unknown why there is no answer, as a sentence
 */
export function describeLatency(what: string, answer: LatencyAnswer | null, unknown: string): string {
  if (answer === null) return `${what} during checkpoints against outside has no answer. ${unknown}`;
  const basis = `${countOf(answer.use.during, t('{0} sample'), t('{0} samples'))} during, ${formatCount(answer.use.outside)} outside, ${formatCount(answer.use.mixed)} mixed`;
  const length = answer.sampleMs === null ? '' : ` of ${formatDuration(answer.sampleMs)}`;
  switch (answer.kind) {
    case 'answered':
      return `${what}: ${formatDuration(answer.during.averageMs)} during checkpoints, ${formatDuration(answer.outside.averageMs)} outside (${basis}${length}; they speak for ${formatPercent(answer.duringShare)} of the time in checkpoints).`;
    case 'resolution too coarse':
      return `${what} during checkpoints against outside: resolution too coarse. Samples${length} are too long for the checkpoints or for the time between them; ${describeNeeded(answer.neededMs)} (${basis}).`;
    case 'not enough samples':
      return `${what} during checkpoints against outside: not enough samples, ${answer.leastSamples} of each kind are needed (${basis}).`;
  }
}

/** Nothing is sampled more often than once a second, so a shorter interval is not suggested. */
function describeNeeded(neededMs: number): string {
  return neededMs < SECOND_MS ? 'samples of a second would be too long as well' : `${formatDuration(neededMs)} or less would do`;
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
  return `${value < 99.5 && unit > 0 ? value.toFixed(1) : formatCount(value)} ${units[unit]}`;
}

const formatRatio = (value: number): string => (value < 9.95 ? value.toFixed(1) : formatCount(value));
