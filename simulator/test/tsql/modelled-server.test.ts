/**
 * T-SQL over the modelled server: its settings, its error log, and what it refuses to whom (Microsoft Learn,
 * "sp_configure", "DBCC TRACESTATUS").
 */
import assert from 'node:assert/strict';
import { connectModelled, numbersOf, tell, type Client, type ModelledConnection } from './client';
import { messagePattern, publishedMessages } from './published-messages';

const ALTER = 'ALTER DATABASE ? SET TARGET_RECOVERY_TIME = 60 SECONDS';
const SELECT = 'SELECT * FROM ?.sys.databases';
/** The statement with the name of the first such database in place of `?`. */
const inFirst = (where: string, sql: string): string =>
  `DECLARE @n sysname = (SELECT TOP (1) name FROM sys.databases WHERE ${where} ORDER BY database_id), @s nvarchar(max); SET @s = REPLACE(N'${sql}', N'?', QUOTENAME(@n)); EXEC (@s)`;

/** Who asks, what, and the numbers of the errors. */
const REFUSALS: readonly (readonly [string, string, readonly number[]])[] = [
  ['reader', "EXEC sp_configure 'recovery interval', 5", [15247]],
  ['reader', 'RECONFIGURE', [5812]],
  ['reader', 'DBCC TRACEON (3604)', [2571]],
  ['reader', 'SELECT * FROM sys.dm_os_wait_stats', [300, 297]],
  ['reader', "EXEC ('SELECT * FROM sys.dm_os_sys_info')", [300, 297]],
  ['reader', "SELECT * FROM sys.fn_xe_file_target_read_file(N'*.xel', NULL, NULL, NULL)", [300, 297]],
  ['reader', 'SELECT * FROM VanArsdel_ERP.sys.databases', [916]],
  ['reader', 'SELECT 1 FROM tempdb.sys.databases', []],
  ['viewer', 'ALTER DATABASE master SET TARGET_RECOVERY_TIME = 60 SECONDS', [5011, 5069]],
  ['viewer', 'CREATE EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_begin', [15247]],
  ['viewer', 'ALTER EVENT SESSION system_health ON SERVER STATE = STOP', [15151]],
  ['viewer', 'DROP EVENT SESSION system_health ON SERVER', [15151]],
  ['viewer', 'CHECKPOINT', [262]],
  ['viewer', 'SELECT * FROM msdb.dbo.backupset', [229]],
  ['dba', "EXEC sp_configure 'recovery interval', 40000", [15129]],
  ['dba', "EXEC sp_configure 'recovery interval', 61; RECONFIGURE", [5807]],
  ['dba', 'ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 60 SECONDS', [5011, 5069]],
  ['dba', 'SELECT * FROM msdb.dbo.nothing', [208]],
  ['dba', 'SELECT * FROM msdb.dbo.sysjobs', [50000]],
  ['dba', 'EXEC sp_readerrorlog 9', [22004]],
  ['dba', inFirst("state_desc = N'OFFLINE'", 'USE ?'), [942]],
  ['dba', inFirst("state_desc = N'OFFLINE'", SELECT), [942]],
  ['dba', inFirst("state_desc = N'RESTORING'", 'USE ?'), [927]],
  ['dba', inFirst("state_desc = N'RESTORING'", SELECT), [927]],
  ['dba', inFirst('is_read_only = 1 AND is_in_standby = 0', ALTER), [3906, 5069]],
  ['dba', inFirst('is_in_standby = 1', ALTER), [5004, 5069]],
  ['dba', inFirst("state_desc = N'RESTORING'", ALTER), [5052, 5069]],
  ['dba', inFirst("state_desc = N'OFFLINE'", ALTER), [942, 5069]],
];

describe('T-SQL over the modelled server', () => {
  let modelled: ModelledConnection;
  let dba: Client;
  before(async () => {
    modelled = await connectModelled({ seed: 3 });
    modelled.server.advance(60_000);
    dba = modelled.as('dba');
  });
  after(() => modelled.close());

  for (const [user, sql, numbers] of REFUSALS)
    it(`answers ${numbers.join()} to ${user}: ${sql.slice(0, 90)}`, async () => {
      const answer = await modelled.as(user).run(sql);
      assert.deepEqual([numbersOf(answer), modelled.server.ledger.settingChanges], [numbers, []]);
      for (const error of answer.errors) {
        const published = publishedMessages.get(error.number);
        if (published === undefined) continue;
        assert.equal(error.severity, published[0], String(error.number));
        assert.match(error.message, messagePattern(published[1]));
      }
    });

  it('changes an option in two steps, says so, and logs it', async () => {
    await dba.run("EXEC sp_configure 'recovery interval', 0");
    const told = await dba.told(
      "EXEC sp_configure 'recovery interval', 5; EXEC sp_configure N'recovery interval (min)'",
    );
    const changed = "Configuration option 'recovery interval (min)' changed from 0 to 5.";
    assert.equal(
      told,
      `${changed} Run the RECONFIGURE statement to install. | [["recovery interval (min)",0,32767,5,0]]`,
    );
    const { sets } = await dba.run(
      "RECONFIGURE; EXEC sp_configure @configname = 'recovery interval'; EXEC xp_readerrorlog 0, 1, N'recovery interval'",
    );
    assert.equal(
      sets[0]?.columns.map((each) => each.name).join(),
      'name,minimum,maximum,config_value,run_value',
    );
    assert.deepEqual(sets[0]?.rows, [['recovery interval (min)', 0, 32767, 5, 5]]);
    assert.ok(String(sets[1]?.rows.at(-1)?.[2]).startsWith(changed));
    await dba.run("EXEC sp_configure 'recovery interval', '0'; RECONFIGURE WITH OVERRIDE");
  });

  it('hides advanced options until they are shown', async () => {
    await dba.run("EXEC sp_configure 'show advanced options', 0; RECONFIGURE");
    const hidden = await dba.run("EXEC sp_configure; EXEC sp_configure 'max server memory'");
    assert.deepEqual(
      hidden.sets[0]?.rows.map(([name]) => name),
      ['remote access', 'show advanced options'],
    );
    assert.deepEqual([hidden.errors[0]?.number, hidden.errors[0]?.procedure], [15123, 'sp_configure']);
    await dba.run("EXEC sp_configure 'show advanced options', 1; RECONFIGURE");
    const into =
      "CREATE TABLE #c (name nvarchar(35), lo int, hi int, configured int, running int); INSERT #c EXEC sp_configure 'max server memory'; SELECT COUNT(*) FROM #c WHERE running > 0; DROP TABLE #c";
    assert.equal(await dba.told(into), '[[1]]');
  });

  it('turns trace flags on and off, for a session and for all', async () => {
    const done =
      'DBCC execution completed. If DBCC printed error messages, contact your system administrator.';
    assert.equal(
      await dba.told(
        'DBCC TRACEON (3604); DBCC TRACEON (3502, 3504, -1) WITH NO_INFOMSGS; DBCC TRACESTATUS (-1); DBCC TRACESTATUS (3504, 8048)',
      ),
      `${done} | [[3226,1,1,0],[3502,1,1,0],[3504,1,1,0],[3604,1,0,1]] | ${done} | [[3504,1,1,0],[8048,0,0,0]] | ${done}`,
    );
    assert.equal(
      await modelled.as('viewer').told('DBCC TRACESTATUS WITH NO_INFOMSGS'),
      '[[3226,1,1,0],[3502,1,1,0],[3504,1,1,0]]',
    );
    const off = await dba.run(
      'DBCC TRACEOFF (3226, 3502, 3504, -1); DBCC TRACEOFF (3604); DBCC TRACESTATUS (-1)',
    );
    assert.deepEqual([off.errors, off.sets], [[], []]);
  });

  it('lists the error log and its archives, begins a new one and reads the one before', async () => {
    const numbers = async (sql: string): Promise<string> =>
      (await dba.rows(sql)).map(([number]) => number).join();
    assert.equal(await numbers('EXEC sys.sp_enumerrorlogs'), '0,1');
    assert.match(
      String((await dba.rows('EXEC sys.sp_enumerrorlogs'))[0]?.[1]),
      /^\d\d\/\d\d\/\d{4} {2}\d\d:\d\d$/,
    );
    const current = await dba.rows('EXEC sp_readerrorlog 0');
    assert.equal((await dba.run('EXEC sp_cycle_errorlog')).messages[0]?.number, 2528);
    const archived = await dba.rows('EXEC xp_readerrorlog 1, 1');
    assert.deepEqual(archived.slice(0, current.length), current);
    assert.match(String(archived.at(-1)?.[2]), /^Attempting to cycle error log\./);
    assert.equal(await numbers('EXEC xp_enumerrorlogs 1'), '0,1,2');
  });

  it('reads the error log by words, into a table, between two times and backwards', async () => {
    const read = (more: string): ReturnType<Client['rows']> =>
      dba.rows(`EXEC sys.xp_readerrorlog 0, 1, NULL, NULL${more}`);
    const all = await read('');
    assert.deepEqual(await read(", NULL, NULL, N'desc'"), [...all].reverse());
    const [middle] = all[Math.floor(all.length / 2)] as readonly [string];
    assert.deepEqual(
      await read(`, '${middle}', NULL, N'asc'`),
      all.filter(([time]) => String(time) >= middle),
    );
    assert.deepEqual(await read(", NULL, '19990101'"), []);
    const log =
      "CREATE TABLE #log (LogDate datetime, ProcessInfo nvarchar(50), [Text] nvarchar(max)); INSERT #log EXEC sys.sp_readerrorlog 0, 1, N'REINITIALIZED'";
    assert.equal(await dba.told(`${log}; SELECT COUNT(*) FROM #log; DROP TABLE #log`), '[[1]]');
    assert.equal(tell(await dba.run("EXEC xp_readerrorlog 0, 1, 'varchar'")), '!22004');
  });

  it('tells each release which functions it has: of a later one the whole batch is refused', async () => {
    for (const [release, sql, told] of [
      [2014, "SELECT STRING_AGG(name, ',') FROM sys.databases", '!195'],
      [2019, 'SELECT GREATEST(1, 2)', '!195'],
      [2019, 'SELECT * FROM GENERATE_SERIES(1, 2)', 'before | !208'],
      [2022, 'SELECT GREATEST(1, 2)', '!50000'],
      [2022, 'SELECT * FROM GENERATE_SERIES(1, 2)', 'before | !50000'],
    ] as const) {
      const other = await connectModelled({ release, databases: 5 });
      assert.equal(await other.as('dba').told(`PRINT 'before'; ${sql}`), told, `${sql} in ${release}`);
      await other.close();
    }
  });

  it('refuses by name a column that it has not, also where all are asked for, a property and a function of msdb', async () => {
    for (const sql of [
      'SELECT d.is_encrypted FROM sys.databases AS d',
      'SELECT f.* FROM sys.master_files AS f',
    ])
      assert.match(
        await dba.error(sql),
        /^50000 simulator: column (is_encrypted|file_guid) is not modelled$/,
      );
    assert.equal(
      await dba.told(
        "SELECT COUNT(*) FROM sys.all_columns WHERE object_id = OBJECT_ID('sys.databases') AND name = 'is_encrypted'",
      ),
      '[[1]]',
    );
    for (const sql of [
      "SELECT SERVERPROPERTY('Collation')",
      "SELECT DATABASEPROPERTYEX('master', 'Version')",
      'SELECT msdb.dbo.agent_datetime(20240101, 0)',
    ])
      assert.deepEqual(numbersOf(await dba.run(sql)), [50000], sql);
  });
});
