/**
 * The tables of a lake. Times are moments of UTC. A column that could not be observed is NULL, never 0. Columns are
 * only ever added, each with the schema version that brought it in analysis/README.md.
 */
import type { Columns } from './parquet-file';

export const SCHEMA_VERSION = 4;

/** What became of a server in a run; the words in the column `outcome`. */
export const OUTCOMES = [
  'collected',
  'nothing new',
  /** Its event session does not run, or this login may not see it. Its facts were read. */
  'not tracked',
  /** What was read until its time was over, or the run was stopped, is in the lake; the next run goes on from there. */
  'in part',
  'login refused',
  /**
   * Nothing was sent: it was not reached before and is not due, another server refused the same login, or there is no
   * secret.
   */
  'held back',
  /** Another run was reading it, or wrote it meanwhile: nothing of this run is in the lake but this row. */
  'left out',
  'certificate not trusted',
  'not reached',
  'timed out',
  'failed',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The server was read whole, as far as it is tracked. */
export const FINE: ReadonlySet<Outcome> = new Set(['collected', 'nothing new', 'not tracked']);

export const TABLES = {
  /** One row a checkpoint: its begin and its end, paired. */
  checkpoints: {
    time: 'begin_utc',
    columns: {
      server: 'name',
      /** Of the history that it belongs to: rows of one capture share its ledger and its gaps. */
      capture_id: 'name',
      database_id: 'int',
      /** NULL: the catalog did not name it. */
      database_name: 'name',
      begin_utc: 'moment',
      end_utc: 'moment',
      duration_ms: 'long',
      /** Which task ran it, by a number of this capture; 0: not known. */
      task: 'int',
      /** Who asked for it: 1, the engine; 0, a session; NULL: not recorded. */
      is_system: 'int',
      /** Of the session that ran it; NULL: not recorded. */
      session_id: 'int',
    },
  },
  /**
   * Time in which events may be missing. One that lasts is written again with a later end: take the latest end of each
   * capture, kind and begin.
   */
  gaps: {
    time: 'begin_utc',
    columns: {
      server: 'name',
      capture_id: 'name',
      kind: 'name',
      begin_utc: 'moment',
      end_utc: 'moment',
      reason: 'text',
    },
  },
  /** What was read of databases and settings: a row each time that a value is first seen, or is another than before. */
  facts: {
    time: 'seen_utc',
    columns: {
      server: 'name',
      seen_utc: 'moment',
      /** NULL: a fact of the server. */
      database_id: 'int',
      database_name: 'name',
      fact: 'name',
      /** As text; NULL: not observable, for the reason in the next column. */
      value: 'text',
      not_observable: 'text',
    },
  },
  /**
   * Write work: the server's counters at one moment, as it gives them. They are cumulative, so a figure of a time is
   * the difference of two rows of one server, of one database_id and created_local, and of one
   * instance_started_ticks_ms: another number there means another start, and everything counts from 0 again. If a
   * figure fell, there is no difference: the database was closed, or waits were cleared (all_wait_ms fell).
   * server_ticks_ms tells how long it was in between, which no change of the clock touches. NULL: not observable;
   * `not_observed` of the run says why.
   */
  samples: {
    time: 'sampled_utc',
    columns: {
      server: 'name',
      sampled_utc: 'moment',
      instance_started_ticks_ms: 'long',
      server_ticks_ms: 'long',
      /** NULL: the whole instance. */
      database_id: 'int',
      database_name: 'name',
      /** When the database was created, by the server's clock as it wrote it. */
      created_local: 'name',
      /** Of the instance: pages written by checkpoints, background writer and lazy writer, and in all. */
      checkpoint_pages: 'long',
      background_writer_pages: 'long',
      lazy_writes: 'long',
      page_writes: 'long',
      /**
       * Of the instance: waits, how many and how long. page_read: PAGEIOLATCH_* together. all_wait_ms: of every type,
       * to see that waits were cleared.
       */
      writelog_waits: 'long',
      writelog_wait_ms: 'long',
      checkpoint_queue_waits: 'long',
      checkpoint_queue_wait_ms: 'long',
      page_read_waits: 'long',
      page_read_wait_ms: 'long',
      all_wait_ms: 'long',
      /** Of a database: its data files and its log files. */
      data_writes: 'long',
      data_written_bytes: 'long',
      data_write_stall_ms: 'long',
      data_reads: 'long',
      data_read_stall_ms: 'long',
      log_writes: 'long',
      log_written_bytes: 'long',
      log_write_stall_ms: 'long',
      /** Of a database: its performance counters, read some milliseconds later. */
      log_flushed_bytes: 'long',
      log_flushes: 'long',
      write_transactions: 'long',
    },
  },
  /** What the error log says of checkpoints and storage: one row a message, in the order of the log within a run. */
  log_messages: {
    time: 'logged_utc',
    otherwise: 'read_utc',
    columns: {
      server: 'name',
      /** When the log was read, by the server's clock. */
      read_utc: 'moment',
      /** NULL: its time in UTC is not certain. Then the partition is the day on which it was read. */
      logged_utc: 'moment',
      /** The server's wall clock, as it wrote it. */
      logged_local: 'text',
      /**
       * Only `known` is certain: not `by order`, `assumed` (by an offset of another time), `ambiguous` (the hour that
       * comes twice), `unknown`.
       */
      sureness: 'name',
      /**
       * `FlushCache`, `buffer pool scan`, `slow I/O`, `failed checkpoint`, `recovery`, `option changed`, `dirty pages`,
       * `checkpoint print`.
       */
      kind: 'name',
      database_id: 'int',
      /** If the message has only the id: the name that the catalog had when the log was read. */
      database_name: 'name',
      duration_ms: 'long',
      pages_written: 'long',
      /**
       * FlushCache alone, to average_write_latency_ms. `whole`: all its lines came; `incomplete`: not all; `mixture`:
       * only the first line can be believed.
       */
      state: 'name',
      writes: 'long',
      avoided_pages: 'long',
      writes_per_second: 'double',
      mb_per_second: 'double',
      io_saturation: 'long',
      context_switches: 'long',
      last_target_outstanding: 'long',
      average_write_latency_ms: 'long',
      /** `option changed` alone: as logged; of target_recovery_time the value is seconds. */
      option_name: 'name',
      option_value: 'name',
      /** The first 2,000 characters. */
      text: 'text',
    },
  },
  /**
   * One row for each server and run, also of those that were not reached. Of each capture, rows_read = 2 x checkpoints
   * + unpaired + duplicates + malformed + other_events + undecided, in each row and in every sum of rows.
   */
  runs: {
    time: 'started_utc',
    columns: {
      server: 'name',
      run_id: 'name',
      started_utc: 'moment',
      ended_utc: 'moment',
      /** One of OUTCOMES. */
      outcome: 'name',
      /** One sentence; NULL if there is nothing to say. */
      reason: 'text',
      server_name: 'name',
      capture_id: 'name',
      /** What this run observed: from where the run before ended. NULL: nothing new, so it counts for a later run. */
      observed_from_utc: 'moment',
      observed_to_utc: 'moment',
      rows_read: 'long',
      checkpoints: 'long',
      unpaired: 'long',
      duplicates: 'long',
      malformed: 'long',
      other_events: 'long',
      /** Begins without an end yet, and events that wait: how many more than after the run before. */
      undecided: 'long',
      /**
       * How long the checkpoint task was busy, in observed time, with checkpoints that are new in this run; NULL: not
       * known which databases are automatic.
       */
      busy_ms: 'double',
      /** The longest of all that are new, of indirect checkpoints too. */
      longest_ms: 'long',
      /** Databases now, and how many of them are automatic. */
      databases: 'int',
      automatic_databases: 'int',
      /**
       * Rows of the error log that were read in this run, each in one run, and those that no message is known of; NULL:
       * the log was not read.
       */
      log_rows_read: 'long',
      log_rows_unrecognised: 'long',
      /** Why samples or messages of the error log are missing, joined by `; `; NULL: none is. */
      not_observed: 'text',
      /** Queries, and how long the server took to answer them. */
      queries: 'int',
      server_ms: 'double',
      our_ms: 'double',
    },
  },
  /**
   * What a server answered of its databases and settings, so that the editor opens it as it opens a saved capture. A
   * row when facts changed, and each day.
   */
  answers: {
    time: 'read_utc',
    columns: { server: 'name', read_utc: 'moment', answers: 'bytes' },
  },
  /**
   * Sums of each day (UTC) that is over and was read to its end, by server; `compact` writes them, and they stay when
   * checkpoints are forgotten. Of several for one day, that counts which observed most. Since version 3.
   */
  server_days: {
    time: 'day_utc',
    columns: {
      server: 'name',
      day_utc: 'moment',
      /**
       * Whole microseconds of the day: observed; of its runs, added up; watched but in a gap; in which an automatic
       * checkpoint ran (NULL: not known).
       */
      observed_us: 'long',
      watched_us: 'long',
      gap_us: 'long',
      busy_us: 'long',
      /** Rows of `checkpoints` that were summed up. */
      checkpoint_rows: 'long',
      /** Of this sum; its rows in `database_days` have the same. */
      sum_id: 'name',
    },
  },
  /**
   * The same of each database: a row for each length of its checkpoints. Figures may be added up over any rows, and of
   * `longest_ms` the largest taken. Rows whose `sum_id` is not in `server_days` do not count. Since version 3.
   */
  database_days: {
    time: 'day_utc',
    columns: {
      server: 'name',
      day_utc: 'moment',
      database_id: 'int',
      database_name: 'name',
      /** Durations from this to below the other. */
      from_ms: 'int',
      to_ms: 'int',
      /** Those that began on the day, and that no gap made doubtful. */
      checkpoints: 'int',
      /** Of the whole day, on its last row; NULL on the others. */
      total_ms: 'long',
      longest_ms: 'long',
      /** How many were automatic, and in how many whole microseconds of observed time one ran. */
      turns: 'long',
      busy_us: 'long',
      sum_id: 'name',
    },
  },
  /**
   * How to go on with each server. It is the collector's own: of each server and server_name, only the row with the
   * highest turn counts.
   */
  collector: {
    time: null,
    /** server_name: the server behind the name. Since version 2. */
    columns: { server: 'name', turn: 'long', saved_utc: 'moment', state: 'bytes', server_name: 'name' },
  },
} as const satisfies Readonly<Record<string, Table>>;

export interface Table {
  /** The column whose UTC day is the partition `date`; null: the table is small and has none. */
  readonly time: string | null;
  /** The column that says so where the first is NULL; it never is. */
  readonly otherwise?: string;
  readonly columns: Columns;
}

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

const DELTA_TYPES = {
  moment: 'timestamp',
  name: 'string',
  text: 'string',
  int: 'integer',
  long: 'long',
  double: 'double',
  bytes: 'binary',
} as const;

/** The schema of a table as Delta's log has it. */
export function describeSchema({ columns, time }: Table): string {
  const describe = (name: string, type: string) => ({ name, type, nullable: true, metadata: {} });
  const fields = Object.entries(columns).map(([name, type]) => describe(name, DELTA_TYPES[type]));
  if (time !== null) fields.push(describe('date', 'date'));
  return JSON.stringify({ type: 'struct', fields });
}
