/**
 * The tables of a lake. Times are moments of UTC. A column that could not be observed is NULL, never 0. Columns are only ever added, each with the schema
 * version that brought it in analysis/README.md.
 */
import type { Columns } from './parquet-file';

export const SCHEMA_VERSION = 1;

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
    },
  },
  /** Time in which events may be missing. One that lasts is written again with a later end: take the latest end of each capture, kind and begin. */
  gaps: {
    time: 'begin_utc',
    columns: { server: 'name', capture_id: 'name', kind: 'name', begin_utc: 'moment', end_utc: 'moment', reason: 'text' },
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
   * One row for each server and run, also of those that were not reached. Of each capture, rows_read = 2 x checkpoints + unpaired + duplicates + malformed +
   * other_events + undecided, in each row and in every sum of rows.
   */
  runs: {
    time: 'started_utc',
    columns: {
      server: 'name',
      run_id: 'name',
      started_utc: 'moment',
      ended_utc: 'moment',
      /** `collected`, `nothing new`, `not tracked`, or why the server was not read: the words of OUTCOMES. */
      outcome: 'name',
      /** One sentence; NULL if there is nothing to say. */
      reason: 'text',
      server_name: 'name',
      capture_id: 'name',
      /** What was observed in this run: from where the run before ended. NULL: nothing new, so it counts for a later run. */
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
      /** How long the checkpoint task was busy with checkpoints that are new in this run; NULL: not known which databases are automatic. */
      busy_ms: 'double',
      /** The longest of them. */
      longest_ms: 'long',
      /** Databases now, and how many of them are automatic. */
      databases: 'int',
      automatic_databases: 'int',
      /** Queries, and how long the server took to answer them. */
      queries: 'int',
      server_ms: 'double',
      our_ms: 'double',
    },
  },
  /** What a server answered of its databases and settings, so that the editor opens it as it opens a saved capture. A row when facts changed, and each day. */
  answers: {
    time: 'read_utc',
    columns: { server: 'name', read_utc: 'moment', answers: 'bytes' },
  },
  /** How to go on with each server. It is the collector's own: of each server, only the row with the highest turn counts. */
  collector: {
    time: null,
    columns: { server: 'name', turn: 'long', saved_utc: 'moment', state: 'bytes' },
  },
} as const satisfies Readonly<Record<string, Table>>;

export interface Table {
  /** The column whose UTC day is the partition `date`; null: the table is small and has none. */
  readonly time: string | null;
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
  flag: 'boolean',
  bytes: 'binary',
} as const;

/** The schema of a table as Delta's log has it. */
export function describeSchema({ columns, time }: Table): string {
  const typed = Object.entries(columns).map(([name, type]): readonly [string, string] => [name, DELTA_TYPES[type]]);
  const fields = time === null ? typed : [...typed, ['date', 'date'] as const];
  return JSON.stringify({ type: 'struct', fields: fields.map(([name, type]) => ({ name, type, nullable: true, metadata: {} })) });
}
