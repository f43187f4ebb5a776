import assert from 'node:assert/strict';
import { ByteWriter } from '../../tds/byte-writer';
import type { SqlValue } from '../../tds/handler';
import { STORED } from '../../engine/catalog/catalog';
import { RowFormat } from '../../tds/row-format';
import {
  showRows,
  createStill,
  DBA,
  listUserDatabases,
  listWritable,
  MINUTE_MS,
  readFunction,
  readRows,
  type Row,
} from './modelled';
import { startTracking } from './tracking';

/** What a value of each type is in JavaScript; of every other type it is a string. */
const KINDS: Readonly<Record<string, string>> = {
  bit: 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  bigint: 'bigint',
  float: 'number',
  real: 'number',
  varbinary: 'object',
  sql_variant: 'object',
};
const isOf = (type: string, value: unknown): boolean => {
  const kind = KINDS[type] ?? 'string';
  return kind === 'integer' ? Number.isInteger(value) : typeof value === kind;
};

describe('the catalog of legacy-upgrade', () => {
  it('has 400 user databases, 312 automatic, 86 at 60 seconds and two at values of their own', () => {
    const rows = listUserDatabases(createStill());
    assert.ok(rows.length === 400 && rows.every((row, i) => row['database_id'] === i + 5));
    const count = (seconds: number): number =>
      rows.filter((row) => row['target_recovery_time_in_seconds'] === seconds).length;
    assert.deepEqual([count(0), count(60), count(30), count(600)], [312, 86, 1, 1]);
    assert.equal(new Set(rows.map((row) => String(row['name']).toLowerCase())).size, 400);
  });

  it('leaves the system databases at 0, model too, as an in-place upgrade does', () => {
    const rows = readRows(createStill(), 'sys.databases').slice(0, 4);
    assert.equal(
      showRows(rows, 'name', 'target_recovery_time_in_seconds'),
      '[["master",0],["tempdb",0],["model",0],["msdb",0]]',
    );
  });

  it('has two read-only databases, a standby, an offline and a restoring one', () => {
    const rows = listUserDatabases(createStill());
    const count = (column: string, value: SqlValue): number =>
      rows.filter((row) => row[column] === value).length;
    assert.deepEqual([count('is_read_only', true), count('is_in_standby', true)], [3, 1]);
    assert.deepEqual([count('state_desc', 'OFFLINE'), count('state_desc', 'RESTORING')], [1, 1]);
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
    const counted = new Set(
      readRows(server, 'sys.dm_os_performance_counters').map((row) => String(row['instance_name']).trimEnd()),
    );
    for (const name of [...hostile, ...long]) {
      assert.ok(names.includes(name), name);
      assert.ok(busy.has(name), `${name} has checkpoints`);
      assert.ok(counted.has(name), `${name} has counters`);
      assert.equal(server.findDatabase(name.toUpperCase())?.name, name);
    }
  });

  it("knows no two columns of one name, and every value is of its column's type and length", () => {
    const server = startTracking(createStill());
    server.advance(MINUTE_MS);
    const args: Readonly<Record<string, readonly SqlValue[]>> = {
      fn_xe_file_target_read_file: ['track*.xel', null, null, null],
      dm_os_volume_stats: [9, 1],
    };
    const relations = STORED.flatMap(({ kind, database = 'master', schema, name }) =>
      kind === 'view'
        ? (server.relation(database, schema, name, DBA) ?? [])
        : (server.tableFunction(database, schema, name, args[name] ?? [9, null], DBA) ?? []),
    );
    assert.ok(relations.length > 25);
    for (const found of [
      ...relations,
      server.relation('master', 'sys', 'all_columns', DBA) ?? assert.fail(),
    ]) {
      const { columns } = found;
      assert.equal(new Set(columns.map((column) => column.name)).size, columns.length);
      // TDS takes no value that its column cannot hold.
      const format = new RowFormat(columns);
      for (const row of found.rows()) {
        assert.equal(row.length, columns.length);
        columns.forEach(({ name, type }, i) => assert.ok(row[i] === null || isOf(type.name, row[i]), name));
        format.writeRow(new ByteWriter(), row);
      }
    }
  });

  it('shows in sys.all_columns what the functions return, such as timestamp_utc', () => {
    const server = createStill();
    const id = server.objectId('master', 'sys', 'fn_xe_file_target_read_file');
    const columns = readRows(server, 'sys.all_columns').filter((row) => row['object_id'] === id);
    const names = columns.map((row) => row['name']).join(' ');
    assert.equal(
      names,
      'module_guid package_guid object_name event_data file_name file_offset timestamp_utc',
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
    server.registered.push(
      { group: 'A/B', name: 'one', server: 'SQL01' },
      { group: '', name: 'two', server: 'SQL02' },
    );
    const groups = readRows(server, 'dbo.sysmanagement_shared_server_groups', DBA, 'msdb').slice(5);
    assert.equal(
      showRows(groups, 'server_group_id', 'name', 'server_type', 'parent_id'),
      '[[6,"A",0,1],[7,"B",0,6]]',
    );
    const servers = readRows(server, 'dbo.sysmanagement_shared_registered_servers', DBA, 'msdb');
    assert.equal(showRows(servers, 'server_group_id', 'server_name'), '[[7,"SQL01"],[1,"SQL02"]]');
  });

  it('answers functions by id, and nothing for what is not modelled', () => {
    const server = createStill();
    assert.equal(readFunction(server, 'sys.dm_io_virtual_file_stats', [7, 1]).length, 1);
    assert.equal(readFunction(server, 'sys.dm_io_virtual_file_stats', [null, null]).length, 2 * 402);
    assert.equal(readFunction(server, 'sys.dm_db_log_stats', [7]).length, 1);
    assert.equal(server.relation('master', 'sys', 'dm_os_schedulers', DBA), undefined);
    assert.equal(server.tableFunction('master', 'sys', 'dm_exec_sql_text', [null], DBA), undefined);
  });

  it('counts log, writes and waits upward only', () => {
    const server = createStill();
    const read = (): ReadonlyMap<string, bigint> => {
      const values = (
        rows: readonly Row[],
        keys: readonly string[],
        columns: readonly string[],
      ): readonly (readonly [string, bigint])[] =>
        rows.flatMap((row) =>
          columns.map(
            (name) => [[name, ...keys.map((key) => row[key])].join(' '), row[name] as bigint] as const,
          ),
        );
      const rising = readRows(server, 'sys.dm_os_performance_counters').filter(
        (row) => row['cntr_type'] === 272_696_576,
      );
      const files = readFunction(server, 'sys.dm_io_virtual_file_stats', [null, null]);
      return new Map([
        ...values(rising, ['counter_name', 'instance_name'], ['cntr_value']),
        ...values(
          files,
          ['database_id', 'file_id'],
          ['num_of_writes', 'num_of_bytes_written', 'io_stall_write_ms'],
        ),
        ...values(readRows(server, 'sys.dm_os_wait_stats'), ['wait_type'], ['wait_time_ms']),
      ]);
    };
    let before = read();
    for (let i = 0; i < 40; i++) {
      server.advance(7_300);
      // Half of the automatic ones change over midway, the busy ones among them.
      if (i === 20)
        listWritable(server).forEach(
          (row, at) => at % 2 === 0 && server.setTargetRecoveryTime(String(row['name']), 60, DBA),
        );
      const now = read();
      for (const [name, value] of now) assert.ok(value >= (before.get(name) ?? 0n), name);
      before = now;
    }
  });
});
