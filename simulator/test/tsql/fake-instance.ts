import type { Relation, RelationColumn } from '../../engine/interface/instance';
import { createModelledServer } from '../../engine/landscape';
import { SqlError, type SqlType, type SqlValue } from '../../tds/handler';
import type { LoginInstance } from '../../tsql/session-host';

/** What the modelled server was asked to change, in order. */
export interface Deed {
  readonly what: string;
  readonly detail: unknown;
}

export interface FakeInstance extends LoginInstance {
  readonly deeds: Deed[];
  /** How often each relation's rows were read. */
  readonly reads: Map<string, number>;
  utcMs: number;
}

const int: SqlType = { name: 'int' };
const name: SqlType = { name: 'nvarchar', length: 128 };
const bit: SqlType = { name: 'bit' };

export interface Table {
  readonly columns: readonly RelationColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
}

export const column = (label: string, type: SqlType, nullable = true): RelationColumn => ({
  name: label,
  type,
  nullable,
});

const databases: Table = {
  columns: [
    column('name', name, false),
    column('database_id', int, false),
    column('target_recovery_time_in_seconds', int),
    column('state', { name: 'tinyint' }),
    column('is_read_only', bit),
    column('create_date', { name: 'datetime' }, false),
    column('log_reuse_wait_desc', name),
  ],
  rows: [
    ['master', 1, 0, 0, false, '2003-04-08T09:13:36.390', 'NOTHING'],
    ['tempdb', 2, 60, 0, false, '2026-02-01T00:00:00.000', 'NOTHING'],
    ['Sales', 5, 0, 0, false, '2019-05-06T07:08:09.123', 'LOG_BACKUP'],
    ['sales_archive', 6, null, 1, true, '2018-01-01T00:00:00.000', null],
    ['a]b', 7, 60, 0, false, '2020-02-29T12:00:00.000', 'NOTHING'],
  ],
};

const files: Table = {
  columns: [
    column('database_id', int, false),
    column('file_id', int, false),
    column('name', name, false),
    column('size', int, false),
  ],
  rows: [
    [1, 1, 'master', 512],
    [1, 2, 'mastlog', 128],
    [5, 1, 'Sales', 4096],
    [5, 2, 'Sales_log', 1024],
    [9, 1, 'orphan', 8],
  ],
};

const counters: Table = {
  columns: [
    column('object_name', { name: 'nchar', length: 128 }),
    column('counter_name', { name: 'nchar', length: 128 }),
    column('cntr_value', { name: 'bigint' }),
  ],
  rows: [
    ['SQLServer:Buffer Manager'.padEnd(128), 'Page writes/sec'.padEnd(128), 9_007_199_254_740_993n],
    ['SQLServer:Databases'.padEnd(128), 'Log Flushes/sec'.padEnd(128), 42n],
  ],
};

const configurations: Table = {
  columns: [
    column('name', name, false),
    column('value', { name: 'sql_variant' }),
    column('value_in_use', { name: 'sql_variant' }),
  ],
  rows: [
    ['recovery interval (min)', { type: int, value: 0 }, { type: int, value: 0 }],
    ['max server memory (MB)', { type: int, value: 4096 }, { type: int, value: 2048 }],
  ],
};

const numbers: Table = {
  columns: [column('n', int, false)],
  rows: Array.from({ length: 10 }, (_, index) => [index + 1]),
};

const events: Table = {
  columns: [
    column('event_data', { name: 'nvarchar', length: 'max' }),
    column('file_offset', { name: 'bigint' }, false),
  ],
  rows: [
    [
      '<event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action name="session_id" package="sqlserver"><value>60</value></action><action name="database_id" package="sqlserver"><value>9</value></action></event>',
      512n,
    ],
    [
      '<event name="checkpoint_end" package="sqlserver" timestamp="2016-07-09T03:30:14.025Z"><data name="database_id"><value>5</value></data></event>',
      512n,
    ],
  ],
};

const tables: Readonly<Record<string, Table>> = {
  'sys.databases': databases,
  'sys.master_files': files,
  'sys.dm_os_performance_counters': counters,
  'sys.configurations': configurations,
  'sys.numbers': numbers,
};

function relationOf(table: Table, onRead: () => void, version: number | undefined): Relation {
  return {
    columns: table.columns,
    rows: () => {
      onRead();
      return table.rows;
    },
    ...(version !== undefined && { version }),
  };
}

/** `sys.files_of(database_id, word)`: a row for each file of the database. */
function filesOf([id, word]: readonly SqlValue[]): Relation {
  const rows = files.rows.filter((row) => row[0] === id).map((row) => [row[2] as SqlValue, word ?? null]);
  return { columns: [column('file_name', name), column('word', name)], rows: () => rows };
}

const properties: Readonly<Record<string, SqlValue>> = {
  servername: { type: name, value: 'FAKE01' },
  productversion: { type: name, value: '15.0.4375.4' },
  engineedition: { type: int, value: 3 },
};

/**
 * A modelled server in all but what tests of T-SQL know by heart: its databases, files, counters and clock, and what it
 * is asked to change.
 */
export function createFakeInstance(extra: Readonly<Record<string, Table>> = {}): FakeInstance {
  const all = { ...tables, ...extra };
  const deeds: Deed[] = [];
  const reads = new Map<string, number>();
  const find = (label: string): { readonly id: number; readonly name: string } | undefined => {
    const row = databases.rows.find((each) => String(each[0]).toLowerCase() === label.toLowerCase());
    return row && { id: row[1] as number, name: row[0] as string };
  };
  const instance: FakeInstance = {
    ...createModelledServer({ scenario: 'healthy', databases: 1, release: 2019, rate: 0 }),
    deeds,
    reads,
    utcMs: Date.UTC(2026, 2, 2, 8, 0, 0, 123),
    clock: {
      nowUtcMs: () => instance.utcMs,
      utcOffsetMinutes: () => 60,
      wait: (durationMs, signal) => wait(instance, durationMs, signal),
    },
    authenticate: (user, password) => user === 'dba' && password === 'right',
    versionText: 'Microsoft SQL Server 2019 (RTM-CU27) - 15.0.4375.4 (X64)',
    relation: (_database, schema, label, principal) => {
      const key = `${schema}.${label}`;
      if (key === 'sys.dm_os_performance_counters' && principal.login !== 'dba')
        throw new SqlError(300, 'VIEW SERVER STATE permission was denied on object.', 14);
      const table = all[key];
      return (
        table &&
        relationOf(
          table,
          () => reads.set(key, (reads.get(key) ?? 0) + 1),
          key === 'sys.numbers' ? undefined : 1,
        )
      );
    },
    tableFunction: (_database, schema, label, args) => {
      if (`${schema}.${label}` === 'sys.files_of') return filesOf(args);
      return `${schema}.${label}` === 'sys.fn_xe_file_target_read_file'
        ? relationOf(events, () => undefined, undefined)
        : undefined;
    },
    serverProperty: (label) => properties[label.toLowerCase()] ?? null,
    databaseProperty: (database, label) =>
      label.toLowerCase() === 'updateability'
        ? { type: name, value: database.toLowerCase() === 'sales_archive' ? 'READ_ONLY' : 'READ_WRITE' }
        : null,
    hasPermission: (_securable, _class, permission) =>
      permission === 'VIEW SERVER STATE' ? 1 : permission === 'NEVER HEARD OF' ? null : 0,
    isServerRoleMember: (role) => (role.toLowerCase() === 'sysadmin' ? 1 : null),
    findDatabase: find,
    openDatabase: (label) => {
      const found = find(label);
      if (found === undefined)
        throw new SqlError(
          911,
          `Database '${label}' does not exist. Make sure that the name is entered correctly.`,
        );
      return found;
    },
    switchDatabase: (label, principal) => instance.openDatabase(label, principal),
    nameDatabase: (wanted) =>
      find(typeof wanted === 'string' ? wanted : (instance.databaseName(wanted) ?? '')),
    databaseName: (id) => databases.rows.find((row) => row[1] === id)?.[0] as string | undefined,
    objectId: (_database, schema, label) => (all[`${schema}.${label}`] === undefined ? undefined : -17),
    setTargetRecoveryTime: (database, seconds) => {
      if (find(database) === undefined)
        throw new SqlError(5011, `User does not have permission to alter database '${database}'.`, 14, 9);
      deeds.push({ what: 'target', detail: [database, seconds] });
    },
    checkpoint: async (database, durationSeconds) => {
      deeds.push({ what: 'checkpoint', detail: [database, durationSeconds] });
    },
  };
  return instance;
}

function wait(instance: FakeInstance, durationMs: number, signal?: AbortSignal): Promise<void> {
  instance.deeds.push({ what: 'wait', detail: durationMs });
  // An hour is long enough to be interrupted; anything shorter passes at once.
  if (durationMs < 3_600_000) {
    instance.utcMs += durationMs;
    return Promise.resolve();
  }
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}
