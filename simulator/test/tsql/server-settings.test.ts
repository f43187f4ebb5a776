/** sp_configure, RECONFIGURE, DBCC and what permissions and states of databases answer, over the modelled server (Microsoft Learn, "sp_configure", "DBCC TRACESTATUS"). */
import assert from 'node:assert/strict';
import { createModelledServer } from '../../engine/landscape';
import type { Session } from '../../tds/handler';
import { createSessionHost } from '../../tsql/session-host';
import { ask, type Answer } from './client';
import { messagePattern, publishedMessages } from './published-messages';

const rows = (answer: Answer): readonly unknown[] => answer.sets.map((each) => each.rows);

describe('T-SQL settings of the server', () => {
  let server: ReturnType<typeof createModelledServer>;
  let host: Awaited<ReturnType<typeof createSessionHost>>;
  const sessions = new Map<string, Session>();
  const run = (sql: string, user = 'dba'): Promise<Answer> => ask(sessions.get(user) as Session, { kind: 'batch', sql });
  before(async () => {
    server = createModelledServer({ rate: 0, seed: 3 });
    host = await createSessionHost(server);
    for (const user of ['dba', 'viewer', 'reader'])
      sessions.set(
        user,
        host.login({ user, password: 'Str0ng!Passw0rd', host: '', application: '', library: '', database: '', encrypted: true }),
      );
  });
  after(() => host.close());

  it('changes an option in two steps, says so, and logs it', async () => {
    const set = await run("EXEC sp_configure 'recovery interval', 5; EXEC sp_configure N'recovery interval (min)'");
    assert.deepEqual(
      set.messages.map(({ number, severity, message }) => [number, severity, message]),
      [[15457, 0, "Configuration option 'recovery interval (min)' changed from 0 to 5. Run the RECONFIGURE statement to install."]],
    );
    assert.deepEqual(
      set.sets[0]?.columns.map((each) => each.name),
      ['name', 'minimum', 'maximum', 'config_value', 'run_value'],
    );
    assert.deepEqual(rows(set), [[['recovery interval (min)', 0, 32767, 5, 0]]]);
    const done = await run(
      "RECONFIGURE; EXEC sp_configure @configname = 'recovery interval'; EXEC xp_readerrorlog 0, 1, N'recovery interval'",
    );
    assert.deepEqual(done.sets[0]?.rows, [['recovery interval (min)', 0, 32767, 5, 5]]);
    assert.match(String(done.sets[1]?.rows[0]?.[2]), /^Configuration option 'recovery interval \(min\)' changed from 0 to 5\./);
    await run("EXEC sp_configure 'recovery interval', '0'; RECONFIGURE WITH OVERRIDE");
  });

  it('hides advanced options until they are shown', async () => {
    await run("EXEC sp_configure 'show advanced options', 0; RECONFIGURE");
    const hidden = await run("EXEC sp_configure; EXEC sp_configure 'max server memory'");
    assert.ok((hidden.sets[0]?.rows.length ?? 0) > 5);
    assert.ok(hidden.sets[0]?.rows.every(([name]) => name !== 'max server memory (MB)'));
    assert.deepEqual([hidden.errors[0]?.number, hidden.errors[0]?.procedure], [15123, 'sp_configure']);
    const shown = await run(
      "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; CREATE TABLE #c (name nvarchar(35), lo int, hi int, configured int, running int); INSERT #c EXEC sp_configure 'max server memory'; SELECT COUNT(*) FROM #c WHERE running > 0; DROP TABLE #c",
    );
    assert.deepEqual([shown.errors, rows(shown)], [[], [[[1]]]]);
  });

  it('turns trace flags on and off, for a session and for all', async () => {
    const own = await run(
      'DBCC TRACEON (3604); DBCC TRACEON (3502, 3504, -1) WITH NO_INFOMSGS; DBCC TRACESTATUS (-1); DBCC TRACESTATUS (3504, 8048)',
    );
    assert.deepEqual(rows(own), [
      [
        [3226, 1, 1, 0],
        [3502, 1, 1, 0],
        [3504, 1, 1, 0],
        [3604, 1, 0, 1],
      ],
      [
        [3504, 1, 1, 0],
        [8048, 0, 0, 0],
      ],
    ]);
    const finished = 'DBCC execution completed. If DBCC printed error messages, contact your system administrator.';
    assert.deepEqual(
      own.messages.map(({ number, severity, message }) => [number, severity, message]),
      [0, 1, 2].map(() => [2528, 0, finished]),
    );
    assert.deepEqual(rows(await run('DBCC TRACESTATUS', 'viewer')), [
      [
        [3226, 1, 1, 0],
        [3502, 1, 1, 0],
        [3504, 1, 1, 0],
      ],
    ]);
    const off = await run('DBCC TRACEOFF (3226, 3502, 3504, -1); DBCC TRACEOFF (3604); DBCC TRACESTATUS (-1)');
    assert.deepEqual([off.errors, off.sets], [[], []]);
  });

  it('shows log space of every database', async () => {
    const answer = await run('DBCC SQLPERF (LOGSPACE)');
    assert.deepEqual(answer.errors, []);
    assert.deepEqual(
      answer.sets[0]?.columns.map((each) => each.name),
      ['Database Name', 'Log Size (MB)', 'Log Space Used (%)', 'Status'],
    );
    const found = answer.sets[0]?.rows ?? [];
    assert.equal(found.length, new Set(found.map(([name]) => name)).size);
    assert.ok(found.length > 390 && found.every(([, size, used]) => Number(size) > 0 && Number(used) >= 0 && Number(used) <= 100));
  });

  it('runs a command in every database that can be opened, with its name as it is', async () => {
    const answer = await run(
      "CREATE TABLE #n (name sysname); EXEC sp_MSforeachdb N'USE [?]; INSERT #n SELECT DB_NAME() WHERE N''?'' = DB_NAME()'; SELECT COUNT(*), (SELECT COUNT(*) FROM sys.databases WHERE state = 0 AND CHARINDEX(N']', name) + CHARINDEX(NCHAR(39), name) = 0), DB_NAME() FROM #n; DROP TABLE #n",
    );
    // What the name's own brackets and quotes break is broken on SQL Server too.
    assert.ok(answer.errors.every((each) => [102, 105, 156, 911, 4145].includes(each.number)));
    const [[inserted, online, current]] = answer.sets[0]?.rows as [[number, number, string]];
    assert.deepEqual([inserted, current], [online, 'master']);
  });

  const state = (where: string): string => `(SELECT TOP (1) name FROM sys.databases WHERE ${where} ORDER BY database_id)`;
  const switching = (where: string, sql: string): string =>
    `DECLARE @n sysname = ${state(where)}, @s nvarchar(max); SET @s = REPLACE(N'${sql}', N'?', QUOTENAME(@n)); EXEC (@s)`;
  const alter = 'ALTER DATABASE ? SET TARGET_RECOVERY_TIME = 60 SECONDS';
  const refusals: readonly (readonly [string, string, readonly number[]])[] = [
    ['reader', "EXEC sp_configure 'recovery interval', 5", [15247]],
    ['reader', 'RECONFIGURE', [5812]],
    ['reader', 'DBCC TRACEON (3604)', [2571]],
    ['reader', 'SELECT * FROM sys.dm_os_performance_counters', [300, 297]],
    ['reader', 'ALTER DATABASE master SET TARGET_RECOVERY_TIME = 60 SECONDS', [5011, 5069]],
    ['reader', 'CREATE EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_begin', [15247]],
    ['reader', 'CHECKPOINT', [262]],
    ['viewer', "EXEC sp_configure 'no such option'", [15123]],
    ['dba', "EXEC sp_configure 'recovery interval', 40000", [15129]],
    ['dba', "EXEC sp_configure 'recovery interval', 61; RECONFIGURE", [5807]],
    ['dba', 'ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 60 SECONDS', [5011, 5069]],
    ['dba', 'ALTER EVENT SESSION nowhere ON SERVER STATE = START', [15151]],
    ['dba', 'DROP EVENT SESSION nowhere ON SERVER', [15151]],
    ['dba', 'USE nowhere', [911]],
    ['dba', switching("state_desc = N'OFFLINE'", 'USE ?'), [942]],
    ['dba', switching("state_desc = N'RESTORING'", 'USE ?'), [927]],
    ['dba', switching('is_read_only = 1 AND is_in_standby = 0', alter), [3906, 5069]],
    ['dba', switching('is_in_standby = 1', alter), [5004, 5069]],
  ];
  for (const [user, sql, numbers] of refusals)
    it(`refuses ${user}: ${sql.slice(0, 90)}`, async () => {
      const answer = await run(sql, user);
      assert.deepEqual(
        answer.errors.map((each) => each.number),
        numbers,
      );
      for (const error of answer.errors) {
        const published = publishedMessages.get(error.number);
        if (published === undefined) continue;
        assert.equal(error.severity, published[0], String(error.number));
        assert.match(error.message, messagePattern(published[1]));
      }
    });
});
