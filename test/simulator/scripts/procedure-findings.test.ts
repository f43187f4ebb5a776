import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/packages';
import {
  checkHealth,
  type Health,
  openSqlDesk,
  readSqlFile,
  type SqlDesk,
  taskOf,
  temporaryProcedure,
  textsOf,
  unseenOf,
} from './analysed';

const MINUTES = 60_000;

describe('The findings of sp_CheckpointHealth, on the simulated server', () => {
  let desk: SqlDesk;
  afterEach(() => desk?.close());

  const open = async (
    options: NonNullable<Parameters<typeof openSqlDesk>[0]>,
    procedure = temporaryProcedure,
  ): Promise<void> => {
    desk = await openSqlDesk(options);
    assert.deepEqual((await desk.run(procedure)).errors, []);
  };
  const track = async (minutes: number): Promise<void> => {
    for (const file of ['session-create', 'session-start']) await desk.run(readSqlFile(`change/${file}.sql`));
    desk.server.advance(minutes * MINUTES);
  };
  const switchTo60 = async (name: unknown): Promise<void> =>
    void (await desk.run(
      `ALTER DATABASE [${String(name).replace(/]/g, ']]')}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`,
    ));

  it('ranks its findings as sp_Blitz does, the most urgent first, each with a page that there is', async () => {
    await open({ databases: 120 });
    const { findings } = await checkHealth(desk);
    const priorities = findings.map((row) => Number(row['Priority']));
    assert.deepEqual(
      priorities,
      [...priorities].sort((a, b) => a - b),
    );
    assert.deepEqual([priorities[0], priorities[priorities.length - 1]], [10, 255]);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.ok(String(findings[findings.length - 1]?.['Finding']).startsWith(`${version}, read 2026-`));
    const pages = [
      ...readSqlFile('ssms/sp_CheckpointHealth.sql').matchAll(/N'((?:docs|sql)\/\w+\.md)#([\w-]+)'/g),
    ];
    assert.ok(pages.length > 5);
    for (const [, page = '', anchor] of pages)
      assert.ok(
        readFileSync(join(root, page), 'utf8').toLowerCase().includes(`## ${anchor}\n`),
        `${page}#${anchor}`,
      );
  });

  it('names those that feed the queue, and counts those that wait in it, with their parts of the task', async () => {
    await open({ databases: 300 });
    await track(60);
    const { findings, roles } = await checkHealth(desk);
    const named = findings.filter((row) => row['FindingsGroup'] === 'Feeds the queue');
    const [feeding, waiting] = roles.map((row) => [row['Role'], Number(row['Databases'])] as const);
    assert.equal(feeding![0], 'Feeds the queue');
    assert.deepEqual([named.length, named[5]?.['Finding']], [6, `${feeding![1] - 5} more like this`]);
    assert.match(
      String(named[0]?.['Details']),
      /^\d+\.\d % of the task; \d+\.\d checkpoints\/h; median \d+\.\d s, longest \d+\.\d s\.$/,
    );
    assert.deepEqual(
      [waiting![0], findings.find((row) => row['Priority'] === 150)?.['Finding']],
      [...['Waits in the queue', `${waiting![1]} databases come late`]],
    );
    const all = roles[roles.length - 1];
    assert.deepEqual([all?.['Role'], Number(all?.['Databases'])], ['All', 300]);
    const shares = roles.slice(0, -1).reduce((sum, row) => sum + Number(String(row['ShareOfTask'] ?? 0)), 0);
    assert.ok(Math.abs(shares - Number(String(all?.['ShareOfTask']))) < 0.3);
  });

  it('compares before and after a change by the time that the error log has of it, and says nothing before ten minutes', async () => {
    await open({ databases: 300 });
    await track(60);
    const { findings } = await checkHealth(desk);
    const names = findings.flatMap((row) =>
      row['Priority'] === 50 && row['DatabaseName'] !== null ? [String(row['DatabaseName'])] : [],
    );
    for (const name of names) await switchTo60(name);
    const changedUtcMs = desk.server.clock.nowUtcMs();
    desk.server.advance(5 * MINUTES);
    const early = await checkHealth(desk);
    assert.match(
      taskOf(early),
      /^Too early to say: The last change was at 2026-03-02 \d\d:\d\d; the first result comes 13 minutes after it\.$/,
    );
    assert.ok(
      early.changed.every((row) => row['SecPerHourBefore'] !== null && row['SecPerHourAfter'] === null),
    );
    desk.server.advance(25 * MINUTES);
    const { changed, ...after } = await checkHealth(desk);
    assert.match(
      taskOf(after as Health),
      /Busy \d+ % of 2[67] min since the change of .*; \d+ % of (?:59|60) min before the first change\./,
    );
    assert.deepEqual(changed.map((row) => row['DatabaseName']).sort(), [...names, '(all)'].sort());
    const ids = new Set(
      [...Array(400).keys()].filter((id) => names.includes(desk.server.databaseName(id) ?? '')),
    );
    const secondsOf = (from: number, to: number): number =>
      desk.server.ledger.checkpoints
        .filter(({ databaseId, beginUtcMs }) => ids.has(databaseId) && beginUtcMs >= from && beginUtcMs < to)
        .reduce((sum, one) => sum + (one.endUtcMs - one.beginUtcMs) / 1000, 0);
    const all = changed[changed.length - 1]!;
    const near = (told: unknown, seconds: number, minutes: number): void =>
      assert.ok(
        Math.abs(Number(String(told)) / ((seconds * 60) / minutes) - 1) < 0.06,
        `${String(told)} of ${seconds} s in ${minutes} min`,
      );
    near(all['SecPerHourBefore'], secondsOf(changedUtcMs - 60 * MINUTES, changedUtcMs), 60);
    near(all['SecPerHourAfter'], secondsOf(changedUtcMs + 3 * MINUTES, changedUtcMs + 30 * MINUTES), 27);
    assert.deepEqual(
      after.findings.filter((row) => row['Priority'] === 20).map((row) => row['Finding']),
      ['5 databases changed'],
    );
  });

  it('says first where the log of a database that was changed is nearly full', async () => {
    // Logs of the simulated server do not fill in that time.
    await open({ databases: 60 }, temporaryProcedure.replace('c.cntr_value >= 70', 'c.cntr_value >= 0'));
    await track(20);
    assert.notEqual((await checkHealth(desk)).findings[0]?.['Priority'], 1);
    const name = String((await checkHealth(desk)).checkpoints[0]?.['database_name']);
    await switchTo60(name);
    desk.server.advance(20 * MINUTES);
    const { findings } = await checkHealth(desk);
    const { Priority, FindingsGroup, DatabaseName, Details } = findings[0]!;
    assert.deepEqual([Priority, FindingsGroup, DatabaseName], [1, 'Limit exceeded', name]);
    assert.match(String(Details), /^\d+ %, limit 70 %\. Change no more databases\./);
    assert.notEqual(findings[1]?.['Priority'], 1);
  });

  it('says that a change cannot be read where the error log is in another language', async () => {
    await open({ databases: 20, place: { language: 'German' } });
    await track(20);
    const name = String((await checkHealth(desk)).checkpoints[0]?.['database_name']);
    await switchTo60(name);
    desk.server.advance(20 * MINUTES);
    const health = await checkHealth(desk);
    assert.match(unseenOf(health).join('\n'), /^Changes in another language: .* not counted: 1\.$/m);
    assert.deepEqual([health.changed, textsOf(health, 'Before and after')], [[], []]);
  });

  it('adds its findings to a table that its caller names, and to nothing whose name only looks like a statement', async () => {
    await open({ databases: 20 });
    const target =
      /CREATE TABLE ' \+ @target_table \+ N' \(([^]*?)\);'/.exec(
        readSqlFile('ssms/sp_CheckpointHealth.sql'),
      )?.[1] ?? '';
    await desk.run(`CREATE TABLE #kept (${target});`);
    const { findings } = await checkHealth(desk, "@OutputTableName = N'#kept'");
    const { sets } = await desk.run(
      'SELECT k.Finding FROM #kept AS k WHERE k.ServerName = @@SERVERNAME ORDER BY k.ID;',
    );
    assert.deepEqual(
      sets[0]?.rows.map(([finding]) => finding),
      findings.map((row) => row['Finding']),
    );
    const errorsOf = async (parameters: string): Promise<readonly string[]> =>
      (await desk.run(`EXECUTE #sp_CheckpointHealth @OutputTableName = ${parameters};`)).errors.map(
        ({ message }) => message,
      );
    // The simulator makes no permanent tables, and says whose creation it was asked for.
    assert.match(
      (
        await errorsOf(
          "N'x]; DROP DATABASE y;--', @OutputDatabaseName = N'msdb', @OutputSchemaName = N'a''b'",
        )
      ).join('\n'),
      /^simulator: CREATE TABLE msdb\.a'b\.x\]; DROP DATABASE y;-- \(only #temporary tables are\) is not modelled$/,
    );
    for (const missing of [
      "N'x'",
      "N'#gone'",
      "N'x', @OutputDatabaseName = N'nowhere'",
      "N'x', @OutputDatabaseName = N'msdb', @OutputSchemaName = NULL",
    ])
      assert.match(
        (await errorsOf(missing)).join('\n'),
        /^@OutputTableName needs @OutputDatabaseName, .* Nothing was written\.$/,
      );
  });
});
