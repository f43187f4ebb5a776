/**
 * Reads rows of sql/read/instance-work, file-io and database-counters as cumulative counters. A part is never taken for
 * the whole.
 */
import {
  counterName,
  defineRow,
  dropPadding,
  integer,
  isLacking,
  localTime,
  nullable,
  readRows,
  type RowProblem,
  type RowOf,
  text,
  type TextRows,
  utc,
  readRowPages,
} from '../rows';
import type { Steps } from '../steps';
import { COUNTER_FIGURES, FILE_FIGURES, INSTANCE_FIGURES } from './work-samples';

/**
 * Where and when counters were read, by the server's clocks. `ticksMs` counts from the start of the machine, and
 * setting the clock does not change it.
 */
export interface ServerMoment {
  readonly serverName: string | null;
  readonly nowUtcMs: number;
  readonly ticksMs: number;
  /** The ticks at the start of the instance. Another number means another start. */
  readonly startedTicksMs: number;
}

export interface InstanceReading {
  readonly moment: ServerMoment;
  /** In the order of INSTANCE_FIGURES; NaN: this server does not have that counter, or this login does not see it. */
  readonly figures: Float64Array;
  /** SLEEP_BPOOL_FLUSH: how long checkpoints have held their writes back (docs/facts.md, SQL Server 6). */
  readonly flushSleepMs: number | null;
  /** Over all types of waits. It falls if waits were cleared. */
  readonly allWaitMs: number | null;
  /** Pages of 8 KB in the cache now. */
  readonly databasePages: number | null;
}

/** The files of one database. */
export interface FileReading {
  readonly databaseId: number;
  readonly name: string;
  /** sys.databases.create_date. Together with the id it tells which database it is. */
  readonly createdLocal: string;
  /** The name of the database in the counters. */
  readonly counterInstance: string;
  readonly logReuseWait: string | null;
  readonly dataFiles: number | null;
  readonly logFiles: number | null;
  readonly untypedFiles: number | null;
  /**
   * In the order of FILE_FIGURES. All NaN if the database is not open, or if this login cannot tell data and log files
   * apart.
   */
  readonly figures: Float64Array;
}

export interface FilesReading {
  readonly moment: ServerMoment;
  readonly databases: readonly FileReading[];
}

export interface CountersReading {
  readonly moment: ServerMoment;
  /**
   * By the name in the counters, without the spaces at its end. In the order of COUNTER_FIGURES; NaN for a counter that
   * is not there.
   */
  readonly figures: ReadonlyMap<string, Float64Array>;
}

export interface WorkReading<T> {
  /** null: not every row could be read, or one came twice. */
  readonly value: T | null;
  readonly problems: readonly RowProblem[];
}

const momentColumns = {
  server_name: nullable(text()),
  now_utc: utc(),
  ticks_ms: integer(),
  started_ticks_ms: integer(),
};
const count = nullable(integer());

const instanceRow = defineRow({
  ...momentColumns,
  checkpoint_pages: count,
  background_writer_pages: count,
  lazy_writes: count,
  page_writes: count,
  database_pages: count,
  writelog_waits: count,
  writelog_wait_ms: count,
  checkpoint_queue_waits: count,
  checkpoint_queue_wait_ms: count,
  flush_sleep_ms: count,
  page_read_waits: count,
  page_read_wait_ms: count,
  all_wait_ms: count,
});

const fileRow = defineRow({
  ...momentColumns,
  database_id: integer(),
  database_name: text(),
  created_local: localTime(),
  counter_instance: nullable(text()),
  log_reuse_wait: nullable(text()),
  data_files: count,
  log_files: count,
  untyped_files: count,
  data_writes: count,
  data_written_bytes: count,
  data_write_stall_ms: count,
  data_reads: count,
  data_read_stall_ms: count,
  log_writes: count,
  log_written_bytes: count,
  log_write_stall_ms: count,
});

const counterRow = defineRow({
  ...momentColumns,
  counter_instance: counterName(),
  log_flushed_bytes: count,
  log_flushes: count,
  write_transactions: count,
});

/** Reads the answer of sql/read/instance-work.sql. */
export function readInstanceWork(set: TextRows): WorkReading<InstanceReading> {
  const { rows, problems } = readRows(instanceRow, set);
  const row = rows[0];
  if (row === undefined) return { value: null, problems };
  return {
    value: {
      moment: readMoment(row),
      figures: pickFigures(INSTANCE_FIGURES, row),
      flushSleepMs: row.flushSleepMs,
      allWaitMs: row.allWaitMs,
      databasePages: row.databasePages,
    },
    problems,
  };
}

/** Reads the answer of sql/read/file-io.sql. */
export function* readFileWork(set: TextRows): Steps<WorkReading<FilesReading>> {
  const { rows, problems } = yield* readRowPages(fileRow, set, ({ databaseId }) => databaseId);
  const first = problems.some(isLacking) ? undefined : rows[0];
  return {
    value: first === undefined ? null : { moment: readMoment(first), databases: rows.map(readDatabaseFiles) },
    problems,
  };
}

/** Reads the answer of sql/read/database-counters.sql. */
export function* readCounterWork(set: TextRows): Steps<WorkReading<CountersReading>> {
  const { rows, problems } = yield* readRowPages(counterRow, set, ({ counterInstance }) => counterInstance);
  const first = problems.some(isLacking) ? undefined : rows[0];
  const figures = new Map(rows.map((row) => [row.counterInstance, pickFigures(COUNTER_FIGURES, row)]));
  return { value: first === undefined ? null : { moment: readMoment(first), figures }, problems };
}

function readDatabaseFiles(row: RowOf<typeof fileRow>): FileReading {
  const isWhole = row.untypedFiles === 0;
  return {
    databaseId: row.databaseId,
    name: row.databaseName,
    createdLocal: row.createdLocal,
    counterInstance: dropPadding(row.counterInstance ?? row.databaseName),
    logReuseWait: row.logReuseWait,
    dataFiles: row.dataFiles,
    logFiles: row.logFiles,
    untypedFiles: row.untypedFiles,
    figures: isWhole ? pickFigures(FILE_FIGURES, row) : new Float64Array(FILE_FIGURES.length).fill(NaN),
  };
}

function readMoment(row: RowOf<typeof momentColumns>): ServerMoment {
  return {
    serverName: row.serverName,
    nowUtcMs: row.nowUtc,
    ticksMs: row.ticksMs,
    startedTicksMs: row.startedTicksMs,
  };
}

function pickFigures<K extends string>(
  names: readonly K[],
  row: Readonly<Record<K, number | null>>,
): Float64Array {
  return Float64Array.from(names, (name) => row[name] ?? NaN);
}
