import assert from 'node:assert/strict';
import type { SqlType, SqlValue } from '../../tds/handler';
import { createStill, DBA, MINUTE_MS, readFunction, readRows, type Row } from './modelled';
import { startTracking } from './tracking';
import { shown } from '../shown';

const userDatabases = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => Number(row['database_id']) > 4);

describe('the catalog of legacy-upgrade', () => {
  it('has 400 user databases, 312 automatic, 86 at 60 seconds and two at values of their own', () => {
    const rows = userDatabases(readRows(createStill(), 'sys.databases'));
    assert.deepEqual(
      rows.map((row) => row['database_id']),
      Array.from({ length: 400 }, (_, i) => i + 5),
    );
    const count = (seconds: number): number => rows.filter((row) => row['target_recovery_time_in_seconds'] === seconds).length;
    assert.deepEqual([count(0), count(60), count(30), count(600)], [312, 86, 1, 1]);
    assert.equal(new Set(rows.map((row) => String(row['name']).toLowerCase())).size, 400);
  });

  it('leaves the system databases at 0, model too, as an in-place upgrade does', () => {
    const rows = readRows(createStill(), 'sys.databases').slice(0, 4);
    assert.equal(
      shown(rows.map((row) => [row['name'], row['target_recovery_time_in_seconds']])),
      '[["master",0],["tempdb",0],["model",0],["msdb",0]]',
    );
  });

  it('has two read-only databases, a standby, an offline and a restoring one', () => {
    const rows = userDatabases(readRows(createStill(), 'sys.databases'));
    const count = (test: (row: Row) => boolean): number => rows.filter(test).length;
    assert.equal(
      count((row) => row['is_read_only'] === true && row['is_in_standby'] === false),
      2,
    );
    assert.equal(
      count((row) => row['is_in_standby'] === true),
      1,
    );
    assert.equal(
      count((row) => row['state_desc'] === 'OFFLINE'),
      1,
    );
    assert.equal(
      count((row) => row['state_desc'] === 'RESTORING'),
      1,
    );
  });

  it('gives busy databases hostile names, which counters, files and events carry unchanged', () => {
    const server = createStill();
    const names = readRows(server, 'sys.databases').map((row) => String(row['name']));
    const hostile = [
      'a]b',
      "x'; DROP DATABASE y;--",
      'Kasse 🧾 Süd',
      '   three leading blanks',
      'odd */ /* "name" <value>5</value></action> ]]> end',
    ];
    const long = names.filter((name) => name.length === 128);
    assert.equal(long.length, 1);
    server.advance(10 * MINUTE_MS);
    const busy = new Set(server.ledger.checkpoints.map((each) => each.databaseName));
    const counted = new Set(readRows(server, 'sys.dm_os_performance_counters').map((row) => String(row['instance_name']).trimEnd()));
    for (const name of [...hostile, ...long]) {
      assert.ok(names.includes(name), name);
      assert.ok(busy.has(name), `${name} has checkpoints`);
      assert.ok(counted.has(name), `${name} has counters`);
      assert.equal(server.findDatabase(name.toUpperCase())?.name, name);
    }
  });

  it("knows no two columns of one name, and every value is of its column's type and length", () => {
    const server = createStill();
    startTracking(server);
    server.advance(MINUTE_MS);
    const names = readRows(server, 'sys.all_objects').map((row) => [String(row['name']), row['type']] as const);
    assert.ok(names.length > 40);
    const args: Readonly<Record<string, readonly SqlValue[]>> = {
      fn_xe_file_target_read_file: ['track*.xel', null, null, null],
      dm_os_volume_stats: [9, 1],
    };
    const relations = names.map(([name, type]) => {
      const relation =
        type === 'V '
          ? server.relation('master', 'sys', name, DBA)
          : server.tableFunction('master', 'sys', name, args[name] ?? [9, null], DBA);
      return [name, relation ?? assert.fail(name)] as const;
    });
    for (const [name, relation] of [
      ...relations,
      ['backupset', server.relation('msdb', 'dbo', 'backupset', DBA) ?? assert.fail()] as const,
    ]) {
      assert.equal(new Set(relation.columns.map((column) => column.name)).size, relation.columns.length, name);
      for (const row of relation.rows()) {
        assert.equal(row.length, relation.columns.length, name);
        relation.columns.forEach((column, i) => assert.ok(fits(column, row[i]), `${name}.${column.name}: ${String(row[i])}`));
      }
    }
  });

  it('shows in sys.all_columns what the functions return, such as timestamp_utc', () => {
    const server = createStill();
    const id = server.objectId('master', 'sys', 'fn_xe_file_target_read_file');
    const columns = readRows(server, 'sys.all_columns').filter((row) => row['object_id'] === id);
    assert.deepEqual(
      columns.map((row) => row['name']),
      ['module_guid', 'package_guid', 'object_name', 'event_data', 'file_name', 'file_offset', 'timestamp_utc'],
    );
    assert.equal(server.objectId('master', 'sys', 'no_such_view'), undefined);
  });

  it('has msdb.dbo.backupset in msdb alone, with a full backup of every night for each online database', () => {
    const server = createStill();
    assert.equal(server.relation('master', 'dbo', 'backupset', DBA), undefined);
    const rows = readRows(server, 'dbo.backupset', DBA, 'msdb');
    const fulls = rows.filter((row) => row['type'] === 'D');
    assert.ok(fulls.every((row) => String(row['backup_start_date']) <= String(row['backup_finish_date'])));
    assert.ok(new Set(fulls.map((row) => row['database_name'])).size > 390);
    assert.ok(rows.every((row) => String(row['backup_finish_date']) <= '2026-03-02T09:00:00.000'));
  });

  it('has the servers that are registered on it in msdb, in groups below that of the Database Engine', () => {
    const server = createStill();
    server.registered.push({ group: 'A/B', name: 'one', server: 'SQL01' }, { group: '', name: 'two', server: 'SQL02' });
    const groups = readRows(server, 'dbo.sysmanagement_shared_server_groups', DBA, 'msdb').slice(5);
    assert.equal(
      shown(groups.map((row) => [row['server_group_id'], row['name'], row['server_type'], row['parent_id']])),
      '[[6,"A",0,1],[7,"B",0,6]]',
    );
    assert.deepEqual(
      readRows(server, 'dbo.sysmanagement_shared_registered_servers', DBA, 'msdb').map((row) => [
        row['server_group_id'],
        row['server_name'],
      ]),
      [
        [7, 'SQL01'],
        [1, 'SQL02'],
      ],
    );
  });

  it('answers functions by id, and nothing for what is not modelled', () => {
    const server = createStill();
    assert.equal(readFunction(server, 'sys.dm_io_virtual_file_stats', [7, 1]).length, 1);
    assert.equal(readFunction(server, 'sys.dm_io_virtual_file_stats', [null, null]).length, 2 * 402);
    assert.equal(
      readFunction(server, 'sys.dm_db_log_info', [7]).length,
      Number(readFunction(server, 'sys.dm_db_log_stats', [7])[0]?.['total_vlf_count']),
    );
    assert.equal(server.relation('master', 'sys', 'dm_os_schedulers', DBA), undefined);
    assert.equal(server.tableFunction('master', 'sys', 'dm_exec_sql_text', [null], DBA), undefined);
  });

  it('counts log, writes and waits upward only', () => {
    const server = createStill();
    const read = (): ReadonlyMap<string, bigint> => {
      const counters = readRows(server, 'sys.dm_os_performance_counters')
        .filter((row) => row['cntr_type'] === 272_696_576)
        .map((row): [string, bigint] => [`${String(row['counter_name'])}|${String(row['instance_name'])}`, row['cntr_value'] as bigint]);
      const files = readFunction(server, 'sys.dm_io_virtual_file_stats', [null, null]).flatMap((row): [string, bigint][] =>
        ['num_of_writes', 'num_of_bytes_written', 'io_stall_write_ms'].map((name) => [
          `${name} ${String(row['database_id'])}:${String(row['file_id'])}`,
          row[name] as bigint,
        ]),
      );
      const waits = readRows(server, 'sys.dm_os_wait_stats').map((row): [string, bigint] => [
        String(row['wait_type']),
        row['wait_time_ms'] as bigint,
      ]);
      return new Map([...counters, ...files, ...waits]);
    };
    let before = read();
    for (let i = 0; i < 40; i++) {
      server.advance(7_300);
      // Half of the automatic ones change over midway, the busy ones among them.
      if (i === 20) for (let id = 5; id < 200; id++) trySwitch(server, id);
      const now = read();
      for (const [name, value] of now) assert.ok(value >= (before.get(name) ?? 0n), name);
      before = now;
    }
  });
});

const WHOLE: Readonly<Record<string, readonly [number, number]>> = {
  tinyint: [0, 255],
  smallint: [-32_768, 32_767],
  int: [-2_147_483_648, 2_147_483_647],
};

function fits({ type, nullable }: { readonly type: SqlType; readonly nullable: boolean }, value: SqlValue | undefined): boolean {
  if (value === null) return nullable;
  if (value === undefined) return false;
  const range = WHOLE[type.name];
  if (range !== undefined) return Number.isInteger(value) && (value as number) >= range[0] && (value as number) <= range[1];
  switch (type.name) {
    case 'bit':
      return typeof value === 'boolean';
    case 'bigint':
      return typeof value === 'bigint';
    case 'float':
    case 'real':
      return typeof value === 'number' && Number.isFinite(value);
    case 'decimal':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && value.replace(/\D/g, '').length <= type.precision;
    case 'datetime':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/.test(value);
    case 'datetime2':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}$/.test(value);
    case 'datetimeoffset':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}[+-]\d\d:\d\d$/.test(value);
    case 'uniqueidentifier':
      return typeof value === 'string' && /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(value);
    case 'varbinary':
      return value instanceof Uint8Array && (type.length === 'max' || value.length <= type.length);
    case 'nvarchar':
    case 'nchar':
    case 'char':
      return typeof value === 'string' && (type.length === 'max' || value.length <= type.length);
    case 'sql_variant':
      return typeof value === 'object' && 'type' in value && fits({ type: value.type, nullable: false }, value.value);
    default:
      return false;
  }
}

function trySwitch(server: ReturnType<typeof createStill>, id: number): void {
  const name = server.databaseName(id) ?? '';
  if (server.databaseProperty(name, 'Updateability') !== null && server.databaseProperty(name, 'Version') !== null) {
    try {
      server.setTargetRecoveryTime(name, id % 3 === 0 ? 0 : 60, DBA);
    } catch (error) {
      assert.match(String(error), /read-only|writable/);
    }
  }
}
