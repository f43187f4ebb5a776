import assert from 'node:assert/strict';
import type { Release } from '../../scenarios/releases';
import { createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { DBA, readRows } from './modelled';

/** Written from Microsoft Learn, page by page, not from the catalog: the release since which each thing is there. */
const RELEASES: readonly Release[] = [2012, 2014, 2016, 2017, 2019, 2022, 2025];

const OBJECTS: Readonly<Record<string, Release>> = {
  'sys.databases': 2012,
  'sys.dm_os_volume_stats': 2012,
  // 2016 SP2.
  'sys.dm_db_log_stats': 2016,
};

const COLUMNS: Readonly<Record<string, Release>> = {
  'sys.databases.target_recovery_time_in_seconds': 2012,
  'sys.databases.is_query_store_on': 2016,
  'sys.databases.is_accelerated_database_recovery_on': 2019,
  'sys.databases.physical_database_name': 2019,
  'sys.databases.is_optimized_locking_on': 2025,
  'sys.dm_os_sys_info.physical_memory_kb': 2012,
  'sys.fn_xe_file_target_read_file.timestamp_utc': 2017,
};

const SERVER_PROPERTIES: Readonly<Record<string, Release>> = { ProductVersion: 2012, PathSeparator: 2017 };

const PERMISSIONS: Readonly<Record<string, Release>> = {
  'VIEW SERVER STATE': 2012,
  'ALTER ANY EVENT SESSION': 2012,
  'VIEW SERVER PERFORMANCE STATE': 2022,
  'VIEW ANY ERROR LOG': 2022,
};

const still = (release: Release): ModelledServer =>
  createModelledServer({ scenario: 'healthy', databases: 8, release, rate: 0 });

function columnsOf(server: ModelledServer, name: string): readonly string[] | undefined {
  const [schema = '', object = ''] = name.split('.');
  const database = schema === 'dbo' ? 'msdb' : 'master';
  const found =
    server.relation(database, schema, object, DBA) ??
    server.tableFunction(database, schema, object, ['*.xel', null, null, null], DBA);
  return found?.columns.map((column) => column.name);
}

describe('releases of the modelled server', () => {
  for (const release of RELEASES) {
    const server = still(release);
    const isThere = (since: Release): boolean => since <= release;

    it(`has the views, functions and columns of ${release}, and says of later ones that it lacks them`, () => {
      for (const [name, since] of Object.entries(OBJECTS)) {
        assert.equal(columnsOf(server, name) !== undefined, isThere(since), name);
        const [schema = '', object = ''] = name.split('.');
        assert.equal(server.lacksObject(schema, object), !isThere(since), name);
        assert.equal(server.objectId('master', schema, object) !== undefined, isThere(since), name);
      }
      for (const [path, since] of Object.entries(COLUMNS)) {
        const at = path.lastIndexOf('.');
        const columns = columnsOf(server, path.slice(0, at));
        if (columns !== undefined) assert.equal(columns.includes(path.slice(at + 1)), isThere(since), path);
        else assert.ok((OBJECTS[path.slice(0, at)] ?? 0) > release, path);
      }
      assert.equal(server.lacksObject('sys', 'no_such_view'), false);
    });

    it(`answers SERVERPROPERTY and HAS_PERMS_BY_NAME with NULL for what ${release} does not know`, () => {
      for (const [name, since] of Object.entries(SERVER_PROPERTIES)) {
        assert.equal(server.serverProperty(name) !== null, isThere(since), name);
        assert.deepEqual(server.serverProperty(name.toUpperCase()), server.serverProperty(name));
      }
      for (const [name, since] of Object.entries(PERMISSIONS))
        assert.equal(server.hasPermission(null, null, name, DBA), isThere(since) ? 1 : null, name);
    });

    // Message 3421: undo has two parts since accelerated database recovery (Microsoft Learn, "Accelerated database
    // recovery": SQL Server 2019).
    it(`tells in the error log of ${release} of recovery as that release does`, () => {
      const lines = server
        .errorLog()
        .filter((each) => each.text.startsWith('Recovery completed for database'));
      assert.ok(lines.length > 0);
      for (const { text } of lines) assert.equal(text.includes('[system undo'), isThere(2019), text);
    });

    it(`gives rows in the shape of ${release}`, () => {
      const rows = readRows(server, 'sys.databases');
      for (const name of [...Object.keys(OBJECTS), 'sys.master_files', 'sys.all_columns']) {
        const [schema = '', view = ''] = name.split('.');
        const relation = server.relation('master', schema, view, DBA);
        for (const row of relation?.rows() ?? []) assert.equal(row.length, relation?.columns.length, name);
      }
      const targets = rows.slice(0, 4).map((row) => row['target_recovery_time_in_seconds']);
      // Installed clean: docs/facts.md, SQL Server 1.
      assert.deepEqual(targets, release >= 2016 ? [0, 60, 60, 60] : [0, 0, 0, 0]);
    });

    it(`says in @@VERSION and in the error log that it is ${release}`, () => {
      const shape =
        /^Microsoft SQL Server (\d{4}) \((?:RTM|SP\d)(?:-CU\d+)?\)(?: \(KB\d+\))? - \d+\.0\.\d+\.\d+ \(X64\) \n\t.+ \n\tCopyright .+\n\t.+ \(64-bit\) on Windows .+\n$/;
      assert.equal(shape.exec(server.versionText)?.[1], String(release));
      assert.ok(server.versionText.startsWith(server.errorLog()[0]?.text ?? 'nothing'));
    });
  }

  it('cannot be of a release that the platform never had', () => {
    for (const [scenario, release] of [
      ['linux', 2016],
      ['rds', 2025],
      ['managed-instance', 2019],
      ['azure-sql-database', 2022],
    ] as const)
      assert.throws(() => createModelledServer({ scenario, release }), RangeError);
  });
});
