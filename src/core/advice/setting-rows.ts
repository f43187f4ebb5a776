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

const nameOf = ({ settingName }: RowOf<typeof settingRow>): string => settingName;

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
  const interval = rows.find(({ settingName }) => settingName === 'recovery interval (min)');
  const pending = rows
    .filter(({ isPending }) => isPending)
    .map(({ settingName: name, configured, inUse, isDynamic }) => ({ name, configured, inUse, isDynamic }));
  return {
    values: [{ settings: { pending }, recoveryIntervalMinutes: interval?.inUse ?? null }],
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
  const caught = rows.find(({ caughtNumber }) => caughtNumber !== null);
  const refusal =
    caught === undefined ? null : { number: caught.caughtNumber ?? 0, message: caught.caughtMessage ?? '' };
  const flags = [...new Set(rows.flatMap(({ traceFlag }) => (traceFlag === null ? [] : [traceFlag])))];
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
  return readValues(databaseIdRow, set, null, ({ databaseId }) => databaseId);
}
