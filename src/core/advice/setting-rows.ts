/** Rows about how the instance is set: sp_configure, trace flags, and arguments of the service. */
import {
  bit,
  defineRow,
  integer,
  isLacking,
  nullable,
  type Readings,
  readRows,
  readValues,
  type RowOf,
  text,
  type TextRows,
} from '../rows';
import type { ServerSettings, StartupOptions } from './facts';

const settingRow = defineRow({
  setting_name: text(),
  configured: integer(),
  in_use: integer(),
  is_dynamic: bit(),
  is_pending: bit(),
});
const flagRow = defineRow({
  caught_number: nullable(integer()),
  caught_message: nullable(text()),
  trace_flag: nullable(integer()),
});
const argumentRow = defineRow({ argument: nullable(text()) });
const databaseIdRow = defineRow({ database_id: integer() });

const nameOf = ({ setting_name }: RowOf<typeof settingRow>): string => setting_name;

/** What sql/read/server-settings.sql answers. */
interface SettingsAnswer {
  readonly settings: ServerSettings;
  /** In use; 0 means one minute. null if there was no such row. */
  readonly recoveryIntervalMinutes: number | null;
}

/**
 * The answer of sql/read/server-settings.sql; no value if a row is missing or could not be read, because a pending
 * setting may then be missing.
 */
export function readServerSettings(set: TextRows): Readings<SettingsAnswer> {
  const { values: rows, problems } = readValues(settingRow, set, nameOf, (row) => row);
  if (rows.length === 0 || problems.some(isLacking)) return { values: [], problems };
  const interval = rows.find(({ setting_name }) => setting_name === 'recovery interval (min)');
  const pending = rows
    .filter(({ is_pending }) => is_pending)
    .map((row) => ({
      name: row.setting_name,
      configured: row.configured,
      inUse: row.in_use,
      isDynamic: row.is_dynamic,
    }));
  return {
    values: [{ settings: { pending }, recoveryIntervalMinutes: interval?.in_use ?? null }],
    problems,
  };
}

/** What sql/read/trace-flags.sql answers: flags, or the error that was caught there. */
interface TraceFlagsAnswer {
  readonly refusal: { readonly number: number; readonly message: string } | null;
  readonly flags: readonly number[];
}

/** The answer of sql/read/trace-flags.sql; no value if it could not be read. */
export function readTraceFlags(set: TextRows): Readings<TraceFlagsAnswer> {
  const { rows, problems } = readRows(flagRow, set);
  if (rows.length === 0) return { values: [], problems };
  const caught = rows.find(({ caught_number }) => caught_number !== null);
  const refusal =
    caught === undefined ? null : { number: caught.caught_number ?? 0, message: caught.caught_message ?? '' };
  const flags = [...new Set(rows.flatMap(({ trace_flag }) => (trace_flag === null ? [] : [trace_flag])))];
  return { values: [{ refusal, flags }], problems };
}

/**
 * The answer of sql/read/startup-options.sql; no value if there is no argument: each instance has some, so this login
 * is not shown them.
 */
export function readStartupOptions(set: TextRows): Readings<StartupOptions> {
  const { rows, problems } = readRows(argumentRow, set);
  if (rows.length === 0) return { values: [], problems };
  // A value of the registry may end with its NUL.
  const args = rows.map(({ argument }) => (argument ?? '').replace(/\0/g, '').trim());
  const caps = args.flatMap((argument) => /^-k\s*(\d+)$/.exec(argument)?.slice(1).map(Number) ?? []);
  return { values: [{ checkpointMbPerSecond: caps[caps.length - 1] ?? null }], problems };
}

/** The answer of sql/read/accelerated-recovery.sql: ids of databases. */
export function readDatabaseIds(set: TextRows): Readings<number> {
  return readValues(databaseIdRow, set, null, ({ database_id }) => database_id);
}
