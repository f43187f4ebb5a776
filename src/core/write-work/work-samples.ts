/**
 * What was written between two readings of cumulative counters, as typed columns; one row for each pair of readings.
 * NaN: could not be observed. No row is ever negative or made up: if two readings cannot be compared, there is no row
 * (work-deltas.ts says why).
 */
import { makeRecord } from '../lists';
import { type NumberColumns, type NumberKind, NumberTable } from './number-table';

/** Counters that exist only for the whole instance (docs/facts.md, SQL Server 1 and 6). */
export const PAGE_FIGURES = ['checkpointPages', 'backgroundWriterPages', 'lazyWrites', 'pageWrites'] as const;
/** Waits of the whole instance: how many, and their milliseconds. PAGEIOLATCH_* are added up as `pageRead`. */
const WAIT_FIGURES = [
  'writelogWaits',
  'writelogWaitMs',
  'checkpointQueueWaits',
  'checkpointQueueWaitMs',
  'pageReadWaits',
  'pageReadWaitMs',
] as const;
export const INSTANCE_FIGURES = [...PAGE_FIGURES, ...WAIT_FIGURES] as const;

/** Files of one database, from sys.dm_io_virtual_file_stats: data and log files apart. */
export const FILE_FIGURES = [
  'dataWrites',
  'dataWrittenBytes',
  'dataWriteStallMs',
  'dataReads',
  'dataReadStallMs',
  'logWrites',
  'logWrittenBytes',
  'logWriteStallMs',
] as const;
/** Counters of one database, from the object Databases. */
export const COUNTER_FIGURES = ['logFlushedBytes', 'logFlushes', 'writeTransactions'] as const;
export const DATABASE_FIGURES = [...FILE_FIGURES, ...COUNTER_FIGURES] as const;

export type InstanceFigure = (typeof INSTANCE_FIGURES)[number];
export type FileFigure = (typeof FILE_FIGURES)[number];

/** 96 bytes a row, at most 9.6 MB: 17 days of a sample every 15 seconds. */
const MOST_INSTANCE_SAMPLES = 100_000;
/**
 * 106 bytes a row, at most 15.9 MB: six hours of 400 databases at one sample a minute, or half an hour of 5,000. Blocks
 * go back for weeks.
 */
const MOST_DATABASE_SAMPLES = 150_000;

const INSTANCE_SAMPLE_KINDS = {
  ...asFloats(['beginUtcMs', 'endUtcMs'] as const),
  ...asFloats(INSTANCE_FIGURES),
};
const DATABASE_SAMPLE_KINDS = {
  ...asFloats(['beginUtcMs', 'endUtcMs'] as const),
  database: 'u16' as NumberKind,
  ...asFloats(DATABASE_FIGURES),
};

/** Half-open intervals of the server's clock, oldest first. Every other column is a difference over the interval. */
export type InstanceSamples = NumberColumns<keyof typeof INSTANCE_SAMPLE_KINDS>;
/**
 * The same for databases; `database`: index into the log's list of them. The rows of one pair of readings follow each
 * other.
 */
export type DatabaseSamples = NumberColumns<keyof typeof DATABASE_SAMPLE_KINDS>;
export type InstanceSampleTable = NumberTable<keyof typeof INSTANCE_SAMPLE_KINDS>;
export type DatabaseSampleTable = NumberTable<keyof typeof DATABASE_SAMPLE_KINDS>;

export const createInstanceSamples = (): InstanceSampleTable =>
  new NumberTable(INSTANCE_SAMPLE_KINDS, MOST_INSTANCE_SAMPLES);
export const createDatabaseSamples = (): DatabaseSampleTable =>
  new NumberTable(DATABASE_SAMPLE_KINDS, MOST_DATABASE_SAMPLES);

function asFloats<const N extends string>(names: readonly N[]): Record<N, NumberKind> {
  return makeRecord(names, () => 'f64');
}
