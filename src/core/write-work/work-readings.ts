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
  const figures = pickColumns(INSTANCE_CELLS, row);
  return {
    value: {
      moment: readMoment(row),
      figures,
      flushSleepMs: row.flush_sleep_ms,
      allWaitMs: row.all_wait_ms,
      databasePages: row.database_pages,
    },
    problems,
  };
}

/** Reads the answer of sql/read/file-io.sql. */
export function* readFileWork(set: TextRows): Steps<WorkReading<FilesReading>> {
  const { rows, problems } = yield* readRowPages(fileRow, set, ({ database_id }) => database_id);
  const first = problems.some(isLacking) ? undefined : rows[0];
  return {
    value: first === undefined ? null : { moment: readMoment(first), databases: rows.map(readDatabaseFiles) },
    problems,
  };
}

/** Reads the answer of sql/read/database-counters.sql. */
export function* readCounterWork(set: TextRows): Steps<WorkReading<CountersReading>> {
  const { rows, problems } = yield* readRowPages(counterRow, set, ({ counter_instance }) => counter_instance);
  const first = problems.some(isLacking) ? undefined : rows[0];
  const figures = new Map(rows.map((row) => [row.counter_instance, pickColumns(COUNTER_CELLS, row)]));
  return { value: first === undefined ? null : { moment: readMoment(first), figures }, problems };
}

function readDatabaseFiles(row: RowOf<typeof fileRow>): FileReading {
  const isWhole = row.untyped_files === 0;
  return {
    databaseId: row.database_id,
    name: row.database_name,
    createdLocal: row.created_local,
    counterInstance: dropPadding(row.counter_instance ?? row.database_name),
    logReuseWait: row.log_reuse_wait,
    dataFiles: row.data_files,
    logFiles: row.log_files,
    untypedFiles: row.untyped_files,
    figures: isWhole ? pickColumns(FILE_CELLS, row) : new Float64Array(FILE_CELLS.length).fill(NaN),
  };
}

function readMoment(row: RowOf<typeof momentColumns>): ServerMoment {
  return {
    serverName: row.server_name,
    nowUtcMs: row.now_utc,
    ticksMs: row.ticks_ms,
    startedTicksMs: row.started_ticks_ms,
  };
}

/** The column of a figure: `data_writes` for `dataWrites`. */
export function nameCell(figure: string): string {
  return figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const INSTANCE_CELLS = INSTANCE_FIGURES.map(nameCell);
const FILE_CELLS = FILE_FIGURES.map(nameCell);
const COUNTER_CELLS = COUNTER_FIGURES.map(nameCell);

function pickColumns(cells: readonly string[], row: Readonly<Record<string, unknown>>): Float64Array {
  return Float64Array.from(cells, (name) => {
    const cell = row[name];
    return typeof cell === 'number' ? cell : NaN;
  });
}
