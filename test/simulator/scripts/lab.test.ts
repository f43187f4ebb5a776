import assert from 'node:assert/strict';
import { readSqlFile } from './analysed';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

/**
 * The simulator has no tables in databases, no CREATE DATABASE, no fn_dblog: the refusals of the lab are run as they
 * are, and its experiments over stand-ins for just these, in a database that is there. That shows that their loops,
 * sums and sentences run; nothing about SQL Server.
 */
const readLab = (name: string, values?: Readonly<Record<string, string>>): string =>
  readSqlFile(`lab/${name}.sql`, values);

/** The batch that measures, over temporary tables and the database a]b. */
function standIn(name: string, values: Readonly<Record<string, string>>): string {
  const batches = readLab(name, { server_name: 'LEGACY-SQL07', ...values }).split(/^GO$/m);
  const experiment = batches.find((batch) => batch.includes('DECLARE @there')) ?? '';
  return experiment
    .replace(/EXECUTE @there N'CREATE TABLE [^;]*;';/g, '')
    .replace(/N'\[CheckpointHealthLab\w+\]\.sys\.sp_executesql'/g, "N'[a]]b].sys.sp_executesql'")
    .replace(/N'CheckpointHealthLab\w+'/g, "N'a]b'")
    .replace(/\[CheckpointHealthLab\w+\]/g, '[a]]b]')
    .replace(/FROM sys\.dm_exec_cached_plans [^;]*;/, 'FROM sys.databases AS d;')
    .replace(/\bdbo\.(pages|watch|doing)\b/g, '#$1')
    .replace(/REPLICATE\(''x'', \d+\)/g, "''x''")
    .replace("EXECUTE sys.sp_executesql N'DBCC DROPCLEANBUFFERS WITH NO_INFOMSGS;';", '')
    .replace(
      'sys.fn_dblog(NULL, NULL) AS r',
      "(VALUES (N''LOP_BEGIN_CKPT'', N''2026/03/02 09:00:00:123'', NULL), (N''LOP_END_CKPT'', NULL, N''2026/03/02 09:00:01:023'')) AS r ([Operation], [Checkpoint Begin], [Checkpoint End])",
    );
}

const tables = `
CREATE TABLE #lab (created datetime NULL, is_ready bit NOT NULL);
INSERT #lab (created, is_ready) VALUES (NULL, 1);
CREATE TABLE #pages (page_number int NOT NULL IDENTITY(1, 1) PRIMARY KEY, mark int NOT NULL DEFAULT (0), filler char(1) NOT NULL);
CREATE TABLE #watch (sample_number int NOT NULL IDENTITY(1, 1) PRIMARY KEY, doing nvarchar(60) NULL);
CREATE TABLE #doing (what nvarchar(60) NOT NULL);
INSERT #watch (doing) VALUES (N'rest'), (N'rest'), (N'rest'), (N'rest'), (N'rest');
GO
`;

describe('The lab, as far as the simulated server can execute it', () => {
  let served: ScriptedServer;
  before(async () => (served = await openScriptedServer({}, undefined, 100)));
  after(() => served?.dispose());

  const experiments = ['scan-cost', 'write-size', 'throttled-checkpoint'];
  const untouched = (): void => {
    assert.deepEqual(served.simulator.server.ledger.settingChanges, []);
    assert.equal(
      served.simulator.server.ledger.checkpoints.filter(({ kind }) => kind === 'manual').length,
      0,
    );
  };

  for (const name of experiments)
    it(`refuses to begin ${name}: by default, without a YES, on a server with databases, and inside a transaction`, async () => {
      const here = readLab(name, { server_name: 'LEGACY-SQL07' });
      const yes = readLab(name, { server_name: 'LEGACY-SQL07', this_is_a_test_server: 'YES' });
      for (const [script, reason] of [
        [readLab(name), 'this is not the server that was typed into the script. Nothing was done.'],
        [here, 'this_is_a_test_server is not YES. Nothing was done.'],
        [yes, 'there are more than five user databases: this is no test server. Nothing was done.'],
        [`BEGIN TRANSACTION;\nGO\n${yes}\nGO\nROLLBACK;`, 'a transaction is open in this session.'],
      ] as const)
        assert.ok((await served.run(script)).startsWith(`Msg 50000: Stopped: ${reason}`), reason);
      untouched();
    });

  it('does not watch where nothing is ready', async () => {
    const printed = await served.run(readLab('throttled-checkpoint-watch'));
    assert.match(printed, /^Msg 50000: Stopped: .* is not READY here\. Nothing was done\.$/);
    untouched();
  });

  it('does nothing when only a part behind the guard is run elsewhere', async () => {
    for (const name of experiments) {
      const [, setUp = '', experiment = '', cleaning = ''] = readLab(name).split(/^GO$/m);
      assert.match(
        await served.run([setUp, experiment, cleaning].join('\nGO\n')),
        /Stopped by the guard of the first batch: a transaction is open, this is not the named test server/,
      );
      const typed = { server_name: 'LEGACY-SQL07', this_is_a_test_server: 'YES' };
      const [, here = ''] = readLab(name, typed).split(/^GO$/m);
      assert.match(
        await served.run(here),
        /^Msg 50000: Stopped by the guard of the first batch/,
        'more than five user databases',
      );
    }
    untouched();
  });

  it('measures the scan in an empty and a filled buffer pool, by the log and by the clock', async () => {
    const printed = await served.run(tables + standIn('scan-cost', { fill_mb: '20', times: '2' }));
    assert.equal(
      [
        ...printed.matchAll(
          /^CHECKPOINT {2}(empty|filled), [12] of 2: 900 ms by the log, [\d.]+ ms by the clock, buffer pool \d+ MB\.$/gm,
        ),
      ].length,
      4,
    );
    assert.match(
      printed,
      /^MEASURED {4}empty: lowest 900 ms, highest 900 ms by the log; lowest [\d.]+ ms by the clock; buffer pool \d+ MB\.$/m,
    );
    assert.match(printed, /^MEASURED {4}filled: lowest 900 ms/m);
    assert.match(printed, /^PUBLISHED /m);
  });

  it('goes by the clock alone where the log shows times in another form', async () => {
    const other = standIn('scan-cost', { fill_mb: '1', times: '1' }).replaceAll(
      '2026/03/02 09:00:00:123',
      '02.03.2026 09:00:00,123',
    );
    assert.match(
      await served.run(tables + other),
      /^MEASURED {4}empty: lowest unknown ms, highest unknown ms by the log; lowest [\d.]+ ms by the clock/m,
    );
  });

  it('tells the size of writes of pages in one run and of every other one', async () => {
    const printed = await served.run(
      `${tables}${standIn('write-size', { pages: '1000' })}\nGO\nDECLARE @t nvarchar(100) = (SELECT CONVERT(nvarchar(20), COUNT(*)) + N' ' + CONVERT(nvarchar(20), SUM(p.mark)) FROM #pages AS p); PRINT @t;`,
    );
    for (const run of ['one run', 'every other'])
      assert.match(
        printed,
        new RegExp(
          `^MEASURED {4}${run}: 1000 pages changed, \\d+ written in \\d+ writes, ([\\d.]+|no) KB each, in \\d+ ms\\.`,
          'm',
        ),
      );
    assert.match(
      printed,
      /^MEASURED {4}switch: 1000 pages changed, .*\. Plans of the database: \d+ before the ALTER, \d+ behind it\.$/m,
    );
    assert.match(printed, /^2048 3000$/m, 'as many pages changed each time');
    assert.equal(served.simulator.server.databases.targets().get('a]b'), 60);
  });

  it('times CHECKPOINT and CHECKPOINT n, and says when nobody watches', async () => {
    const printed = await served.run(
      tables + standIn('throttled-checkpoint', { pages: '1000', seconds: '4' }),
    );
    assert.match(printed, /^READY /m);
    assert.match(printed, /^MEASURED {4}CHECKPOINT; of 1000 pages took [\d.]+ s\.$/m);
    assert.match(printed, /^MEASURED {4}CHECKPOINT 4; of 1000 pages took [\d.]+ s\.$/m);
    assert.doesNotMatch(printed, /FAILED|WITHOUT/);
    const alone =
      tables.replace(/^INSERT #watch .*$/m, '') +
      standIn('throttled-checkpoint', { pages: '1000', seconds: '1' });
    assert.match(await served.run(alone), /^NOT WATCHED only the times/m);
  });

  it('shows each second of the other window', async () => {
    const watching = tables + standIn('throttled-checkpoint-watch', { watch_seconds: '3' });
    const printed = await served.run(
      watching.replace(
        'INSERT #watch (doing) VALUES',
        "INSERT #doing (what) VALUES (N'CHECKPOINT;');\nINSERT #watch (doing) VALUES",
      ),
    );
    const seconds = [
      ...printed.matchAll(
        /^SECOND {6}\d+, CHECKPOINT;: commit [\d.]+ ms; data \d+ writes, ([\d.]+|no) ms each; log \d+ writes, ([\d.]+|no) ms each\.$/gm,
      ),
    ];
    assert.equal(seconds.length, 3, printed);
    assert.doesNotMatch(printed, /ENDED/);
  });

  it('says what went wrong in the midst, and goes on to the batch that cleans up', async () => {
    const broken = standIn('write-size', { pages: '1000' }).replace(
      "EXECUTE @there N'CHECKPOINT;';",
      "RAISERROR(N'the disk is full', 16, 1);",
    );
    const printed = await served.run(`${tables}${broken}\nGO\nPRINT N'cleaning up';`);
    assert.match(printed, /^FAILED {6}50000 the disk is full The test database is removed next\.$/m);
    assert.match(printed, /cleaning up$/);
  });
});
