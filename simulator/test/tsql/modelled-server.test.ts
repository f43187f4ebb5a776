import assert from 'node:assert/strict';
import { createModelledServer } from '../../engine/landscape';
import { LOGINS } from '../../engine/permissions/permissions-logins';
import type { Session } from '../../tds/handler';
import { createSessionHost } from '../../tsql/session-host';
import { ask, type Answer } from './client';

describe('T-SQL over the modelled server', () => {
  const server = createModelledServer({ rate: 0, seed: 3 });
  let host: Awaited<ReturnType<typeof createSessionHost>>;
  let session: Session;
  const login = (user: string): Session =>
    host.login({
      user,
      password: LOGINS.find((each) => each.name === user)?.password ?? '',
      host: '',
      application: '',
      library: '',
      database: '',
      encrypted: true,
    });
  const run = async (sql: string, by = session): Promise<Answer> => {
    const answer = await ask(by, { kind: 'batch', sql });
    assert.deepEqual(answer.errors, [], sql);
    return answer;
  };

  before(async () => {
    host = await createSessionHost(server);
    session = login('dba');
  });
  after(() => host.close());

  it('counts the databases on automatic checkpoints, and one less after one was switched', async () => {
    const count = 'SELECT SUM(CASE WHEN target_recovery_time_in_seconds = 0 THEN 1 ELSE 0 END) FROM sys.databases WHERE database_id > 4';
    assert.deepEqual((await run(count)).sets[0]?.rows, [[312]]);
    await run(
      "DECLARE @sql nvarchar(max); SELECT TOP (1) @sql = N'ALTER DATABASE ' + QUOTENAME(name) + N' SET TARGET_RECOVERY_TIME = 60 SECONDS' FROM sys.databases WHERE target_recovery_time_in_seconds = 0 AND state = 0 AND is_read_only = 0 AND database_id > 4; EXEC (@sql)",
    );
    assert.deepEqual((await run(count)).sets[0]?.rows, [[311]]);
  });

  it('sees in event files, by a published query, exactly the checkpoints of the ledger', async () => {
    await run(`CREATE EVENT SESSION [watch] ON SERVER ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
      ADD TARGET package0.event_file (SET filename = N'watch.xel') WITH (TRACK_CAUSALITY = ON, MAX_DISPATCH_LATENCY = 1 SECONDS);
      ALTER EVENT SESSION [watch] ON SERVER STATE = START;`);
    const began = server.ledger.checkpoints.length;
    server.advance(180_000);
    await run('ALTER EVENT SESSION [watch] ON SERVER STATE = STOP');
    const { sets } =
      await run(`WITH ev AS (SELECT x.value('(event/@name)[1]', 'varchar(50)') AS event_name, x.value('(event/data[@name="database_id"]/value)[1]', 'int') AS database_id
        FROM (SELECT CAST(event_data AS xml) AS x FROM sys.fn_xe_file_target_read_file(N'watch*.xel', NULL, NULL, NULL)) AS f)
      SELECT event_name, COUNT(*), COUNT(DISTINCT database_id) FROM ev GROUP BY event_name ORDER BY event_name`);
    const [begins, ends] = sets[0]?.rows ?? [];
    assert.equal(begins?.[0], 'checkpoint_begin');
    assert.equal(ends?.[0], 'checkpoint_end');
    assert.ok(Number(ends?.[1]) > 100);
    assert.ok(Math.abs(Number(begins?.[1]) - (server.ledger.checkpoints.length - began)) <= 1);
  });

  it('answers published questions about waits, files, counters, backups and roles', async () => {
    const queries: readonly (readonly [string, number])[] = [
      [
        'SELECT TOP (5) DB_NAME(vfs.database_id) AS db, mf.type_desc, CAST(vfs.io_stall_write_ms / (1.0 + vfs.num_of_writes) AS numeric(10, 1)) AS ms FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS vfs INNER JOIN sys.master_files AS mf ON vfs.database_id = mf.database_id AND vfs.file_id = mf.file_id ORDER BY ms DESC OPTION (RECOMPILE)',
        5,
      ],
      [
        "SELECT RTRIM(counter_name), cntr_value FROM sys.dm_os_performance_counters WHERE object_name LIKE N'%Buffer Manager%' AND counter_name IN (N'Checkpoint pages/sec', N'Background writer pages/sec', N'Lazy writes/sec')",
        3,
      ],
      ["SELECT wait_type, 100.0 * wait_time_ms / SUM(wait_time_ms) OVER () FROM sys.dm_os_wait_stats WHERE wait_type = N'WRITELOG'", 1],
      [
        "SELECT TOP (2) b.database_name, AVG(DATEDIFF(SECOND, b.backup_start_date, b.backup_finish_date)) FROM msdb.dbo.backupset AS b WHERE b.type = 'D' GROUP BY b.database_name ORDER BY 2 DESC",
        2,
      ],
      [
        "SELECT d.name FROM sys.databases AS d OUTER APPLY (SELECT role = s.role_desc, ag_status = DATABASEPROPERTYEX(c.database_name, N'Updateability') FROM sys.dm_hadr_availability_replica_states AS s INNER JOIN sys.availability_databases_cluster AS c ON s.group_id = c.group_id AND d.name = c.database_name WHERE s.is_local = 1) AS ag WHERE ag.role IS NULL AND d.database_id = 1",
        1,
      ],
      [
        'SELECT TOP (3) d.name, l.recovery_vlf_count FROM sys.databases AS d CROSS APPLY sys.dm_db_log_stats(d.database_id) AS l WHERE d.state = 0 ORDER BY l.recovery_vlf_count DESC',
        3,
      ],
    ];
    for (const [sql, rows] of queries) assert.equal((await run(sql)).sets[0]?.rows.length, rows, sql);
  });

  it('keeps from a login what it may not see', async () => {
    const reader = login('reader');
    assert.deepEqual((await ask(reader, { kind: 'batch', sql: 'SELECT * FROM sys.dm_os_wait_stats' })).sets, []);
    assert.equal((await run("SELECT HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')", reader)).sets[0]?.rows[0]?.[0], 0);
    reader.close();
  });

  it('tells 300 and then 297 to whoever may not see the server; CATCH sees the last', async () => {
    const reader = login('reader');
    const seen = async (sql: string): Promise<readonly number[]> => {
      const answer = await ask(reader, { kind: 'batch', sql });
      return answer.errors.map((each) => each.number);
    };
    assert.deepEqual(await seen('SELECT * FROM sys.dm_os_wait_stats'), [300, 297]);
    assert.deepEqual(await seen("EXEC ('SELECT * FROM sys.dm_os_sys_info')"), [300, 297]);
    assert.deepEqual(await seen("SELECT * FROM sys.fn_xe_file_target_read_file(N'*.xel', NULL, NULL, NULL)"), [300, 297]);
    const caught = await run('BEGIN TRY SELECT * FROM sys.dm_os_wait_stats END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH', reader);
    assert.deepEqual(caught.sets[caught.sets.length - 1]?.rows, [[297]]);
    reader.close();
  });

  it('shows a login without permissions no other login', async () => {
    const reader = login('reader');
    const names = async (by: Session): Promise<readonly unknown[]> =>
      ((await run("SELECT name FROM sys.server_principals WHERE type = 'S' ORDER BY name", by)).sets[0]?.rows ?? []).map(([name]) => name);
    assert.deepEqual(await names(reader), ['reader', 'sa']);
    const all = ['sa', ...LOGINS.flatMap(({ name, isWindows }) => (isWindows === true ? [] : [name]))];
    assert.deepEqual(await names(session), all.sort());
    reader.close();
  });

  it('opens no view of a database that is offline, being restored or closed to the login', async () => {
    const text = (state: string): string =>
      `DECLARE @sql nvarchar(max) = (SELECT N'SELECT * FROM ' + QUOTENAME(name) + N'.sys.databases' FROM sys.databases WHERE state_desc = '${state}'); EXEC (@sql)`;
    const first = async (sql: string, by = session): Promise<number | undefined> =>
      (await ask(by, { kind: 'batch', sql })).errors[0]?.number;
    assert.deepEqual([await first(text('OFFLINE')), await first(text('RESTORING'))], [942, 927]);
    const reader = login('reader');
    assert.deepEqual(
      [await first('SELECT * FROM VanArsdel_ERP.sys.databases', reader), await first('SELECT 1 FROM tempdb.sys.databases', reader)],
      [916, undefined],
    );
    reader.close();
  });

  it('refuses the tables of msdb by name', async () => {
    const { errors } = await ask(session, { kind: 'batch', sql: 'SELECT * FROM msdb.dbo.sysjobs' });
    assert.equal(errors[0]?.message, 'simulator: dbo.sysjobs is not modelled');
    assert.equal((await ask(session, { kind: 'batch', sql: 'SELECT * FROM msdb.dbo.nothing' })).errors[0]?.number, 208);
  });

  it('lists the error log and its archives, begins a new one and reads the one before', async () => {
    const list = async (): Promise<readonly (readonly unknown[])[]> => (await run('EXEC sys.sp_enumerrorlogs')).sets[0]?.rows ?? [];
    const before = await list();
    assert.deepEqual(
      before.map(([number]) => number),
      [0, 1],
    );
    assert.match(String(before[0]?.[1]), /^\d\d\/\d\d\/\d{4} {2}\d\d:\d\d$/);
    const current = (await run('EXEC sp_readerrorlog 0')).sets[0]?.rows ?? [];
    assert.equal((await run('EXEC sp_cycle_errorlog')).messages[0]?.number, 2528);
    const archived = (await run('EXEC xp_readerrorlog 1, 1')).sets[0]?.rows ?? [];
    assert.deepEqual(archived.slice(0, current.length), current);
    assert.match(String(archived.at(-1)?.[2]), /^Attempting to cycle error log\./);
    assert.deepEqual(
      (await run('EXEC xp_enumerrorlogs 1')).sets[0]?.rows.map(([number]) => number),
      [0, 1, 2],
    );
    const { errors } = await ask(session, { kind: 'batch', sql: 'EXEC sp_readerrorlog 9' });
    assert.deepEqual(
      [errors[0]?.number, errors[0]?.message],
      [22004, "xp_readerrorlog() returned error 2, 'The system cannot find the file specified.'"],
    );
  });

  it('reads the error log between two times and backwards, as xp_readerrorlog does', async () => {
    const read = async (more: string): Promise<readonly (readonly unknown[])[]> =>
      (await run(`EXEC sys.xp_readerrorlog 0, 1, NULL, NULL${more}`)).sets[0]?.rows ?? [];
    const all = await read('');
    assert.ok(all.length > 2);
    assert.deepEqual(await read(", NULL, NULL, N'desc'"), [...all].reverse());
    const [middle] = all[Math.floor(all.length / 2)] as readonly [string];
    assert.deepEqual(
      await read(`, '${middle}', NULL, N'asc'`),
      all.filter(([time]) => String(time) >= middle),
    );
    assert.deepEqual(await read(", NULL, '19990101'"), []);
  });
});
