/** Write work as tables: who wrote the pages, of the whole instance alone; and what each database wrote, and how long it waited. */
import type { LatencyAnswer } from '../write-work/latency-during';
import type { DatabaseWriteFigures, InstanceWriteFigures } from '../write-work/write-figures';
import { countOf, formatCount, formatDuration, formatPerHour, formatPercent } from '../format';
import { type EvidenceCell, type EvidenceColumn, type EvidenceRow, type EvidenceTable, writeCell, writeFigure } from './evidence-page';
import { DATABASE_CHARTS, INSTANCE_CHARTS } from './write-charts';

export interface WrittenDatabase {
  readonly databaseId: number;
  readonly name: string;
  readonly figures: DatabaseWriteFigures;
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** @param unsampled why there is no figure, where there is none */
export function createInstanceTable(figures: InstanceWriteFigures | null, unsampled: string): EvidenceTable {
  const columns: readonly EvidenceColumn[] = [
    { heading: 'Counter', title: 'Of the whole instance: it cannot be told which database it comes from', isNumeric: false },
    { heading: 'Per second', title: 'Average over the observed time', isNumeric: true },
    { heading: 'Share', title: 'Of the pages that checkpoints, background writer and lazy writer wrote', isNumeric: true },
  ];
  const rows = figures === null ? [] : listCounters(figures);
  return {
    id: 'instance',
    heading: 'Pages written by the instance',
    columns,
    rows,
    empty: unsampled,
    charts: INSTANCE_CHARTS,
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

/** @param unsampled why there is no figure, where there is none */
export function createDatabaseTable(databases: readonly WrittenDatabase[], unsampled: string): EvidenceTable {
  const columns: readonly EvidenceColumn[] = [
    { heading: 'Database', title: 'Name of the database', isNumeric: false },
    { heading: 'Data written an hour', title: 'Bytes an hour to data files', isNumeric: true },
    {
      heading: 'Pages per write',
      title: '1 is scattered, 8 KB at a time; up to 32, since SQL Server 2016 up to 128, is gathered',
      isNumeric: true,
    },
    { heading: 'Bytes per write', title: 'To data files', isNumeric: true },
    { heading: 'Data latency', title: 'Average of a write to data files', isNumeric: true },
    { heading: 'Log latency', title: 'Average of a write to the log', isNumeric: true },
    { heading: 'Log written an hour', title: 'Bytes an hour to log files', isNumeric: true },
    { heading: 'Data per log', title: 'Bytes to data files for each byte of log', isNumeric: true },
    { heading: 'Transactions an hour', title: 'Write transactions an hour', isNumeric: true },
  ];
  const rows = [...databases]
    .sort((a, b) => b.figures.dataWrittenBytes - a.figures.dataWrittenBytes)
    .map(({ databaseId, name, figures }) => ({ databaseId, cells: [writeCell(name), ...listFigures(figures)] }));
  return {
    id: 'databases',
    heading: 'Written by each database',
    columns,
    rows,
    empty: unsampled,
    charts: DATABASE_CHARTS,
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

/** Nothing written has no ratio, which is another thing than one that could not be observed. */
function writeRatio(value: number | null, writtenBytes: number, format: (value: number) => string = formatRatio): EvidenceCell {
  return value === null && writtenBytes === 0 ? { text: '–', value: null } : writeFigure(value, format);
}

/**
 * Latency during checkpoints against outside of them in one sentence, or why it cannot be told.
 * @param what as it begins a sentence
 * @param unknown why there is no answer, as a sentence
 */
export function describeLatency(what: string, answer: LatencyAnswer | null, unknown: string): string {
  if (answer === null) return `${what} during checkpoints against outside has no answer. ${unknown}`;
  const basis = `${countOf(answer.use.during, 'sample')} during, ${formatCount(answer.use.outside)} outside, ${formatCount(answer.use.mixed)} mixed`;
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

/** Nothing is sampled oftener than once a second, so nobody is sent to try. */
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
