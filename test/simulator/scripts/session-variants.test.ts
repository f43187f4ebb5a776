import assert from 'node:assert/strict';
import { readEventSession, readPredicateIds } from '../../../src/core/session/event-session';
import {
  writeDatabasesChange,
  writeGuard,
  writeMissingEvents,
  writeSessionCreate,
} from '../../../src/core/script/session';
import { fillTemplate } from '../../../src/core/script/template';
import { ownSessionTemplates } from '../../../src/texts';
import { createModelledServer } from '../../../simulator/engine/landscape';
import { checkHealth, installProcedure, openSqlDesk, readSqlFile, type SqlDesk } from './analysed';

/** As sql/README.md says for each platform. */
const variants = [
  ['Windows', 'legacy-upgrade', 'session-create', {}],
  ['Linux', 'linux', 'session-create', {}],
  ['Amazon RDS', 'rds', 'session-create', { file_name: 'D:\\rdsdbdata\\log\\CheckpointHealth.xel' }],
  ['Azure SQL Managed Instance', 'managed-instance', 'session-create-ring', {}],
] as const;

describe('The session scripts, run by hand on the simulated server', () => {
  let desk: SqlDesk;
  afterEach(() => desk?.close());

  const run = async (path: string, values: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { errors, sets } = await desk.run(readSqlFile(path, values));
    assert.deepEqual([errors, sets.at(-1)?.rows], [[], [[null, null]]], path);
  };

  for (const [platform, scenario, create, values] of variants)
    it(`create, start, are read, change their databases, stop and drop on ${platform}`, async () => {
      desk = await openSqlDesk({ scenario });
      await run(`change/${create}.sql`, values);
      await run('change/session-start.sql');
      desk.server.advance(300_000);
      await run('change/session-change-databases.sql');
      await installProcedure(desk);
      for (const parameters of ['', '@hours = 1']) {
        const { checkpoints } = await checkHealth(desk, parameters);
        assert.ok(checkpoints.length > 0, parameters);
      }
      assert.deepEqual(
        (await checkHealth(desk, '@hours = 0')).events,
        [],
        'nor is it read where no event is wanted',
      );
      await run('change/session-stop.sql');
      await run('change/session-drop.sql');
      const again = await desk.run(readSqlFile('change/session-drop.sql'));
      assert.deepEqual(
        again.sets.at(-1)?.rows[0]?.[0],
        '15151',
        'what is not there is told as an error, in the row',
      );
    });

  it('change the two events and give the scan event back where only that cannot be changed, which is a note', async () => {
    desk = await openSqlDesk({ scenario: 'legacy-upgrade' });
    const plan = {
      databaseIds: [7],
      hasBufferPoolScanComplete: true,
      majorVersion: 15,
      fileName: 'CheckpointHealth.xel',
      mark: 'a1'.repeat(16),
    };
    assert.deepEqual(
      (await desk.run(writeSessionCreate(plan, ownSessionTemplates.create))).sets.at(-1)?.rows,
      [[null, null]],
    );
    await run('change/session-start.sql');
    const change = { databaseIds: [9], earlierIds: [7], hasBufferPoolScanComplete: true, guard: '' };
    const text = writeDatabasesChange(change, ownSessionTemplates.changeDatabases);
    const broken = text.replace(
      /(ADD EVENT sqlserver\.buffer_pool_scan_complete\s+\(\s+WHERE \(\[)database_id(?=\] = \(9\))/,
      '$1no_such_field',
    );
    assert.notEqual(broken, text);
    const [number, note] = (await desk.run(broken)).sets.at(-1)?.rows[0] ?? [];
    assert.equal(number, null);
    assert.match(String(note), /^The event buffer_pool_scan_complete was not changed: /);
    const events = await desk.run(
      "SELECT e.name, CONVERT(nvarchar(400), e.predicate) FROM sys.server_event_session_events AS e INNER JOIN sys.server_event_sessions AS s ON s.event_session_id = e.event_session_id WHERE s.name = N'CheckpointHealth' ORDER BY e.name;",
    );
    const ids = events.sets[0]?.rows.map(([name, predicate]) => [name, readPredicateIds(String(predicate))]);
    assert.deepEqual(ids, [
      ['buffer_pool_scan_complete', [7]],
      ['checkpoint_begin', [9]],
      ['checkpoint_end', [9]],
      ['recovery_target_miss', []],
      ['user_event', []],
    ]);
  });

  it('tell whether both events record who asked for a checkpoint, and record it where their databases are changed', async () => {
    desk = await openSqlDesk({ scenario: 'legacy-upgrade' });
    const recordsCaller = async (): Promise<unknown> => {
      const { columns = [], rows = [] } =
        (await desk.run(readSqlFile('read/event-session.sql'))).sets[0] ?? {};
      return rows[0]?.[columns.findIndex(({ name }) => name === 'has_caller')];
    };
    await run('change/session-create.sql');
    await run('change/session-start.sql');
    assert.equal(await recordsCaller(), '1');
    const alter = 'ALTER EVENT SESSION [CheckpointHealth] ON SERVER';
    await desk.run(`${alter} DROP EVENT sqlserver.checkpoint_end;`);
    await desk.run(`${alter} ADD EVENT sqlserver.checkpoint_end (ACTION (sqlserver.session_id));`);
    assert.equal(await recordsCaller(), '0');
    await run('change/session-change-databases.sql');
    assert.equal(await recordsCaller(), '1');
  });

  it('give back the event that a broken change left out, and change nothing where none is missing', async () => {
    desk = await openSqlDesk({ scenario: 'legacy-upgrade' });
    await run('change/session-create.sql');
    await run('change/session-start.sql');
    await desk.run('ALTER EVENT SESSION [CheckpointHealth] ON SERVER DROP EVENT sqlserver.checkpoint_end;');
    await run('change/session-add-missing-events.sql');
    await run('change/session-add-missing-events.sql');
    const names = await desk.run(
      "SELECT e.name FROM sys.server_event_session_events AS e INNER JOIN sys.server_event_sessions AS s ON s.event_session_id = e.event_session_id WHERE s.name = N'CheckpointHealth' ORDER BY e.name;",
    );
    assert.deepEqual(names.sets[0]?.rows, [
      ['checkpoint_begin'],
      ['checkpoint_end'],
      ['recovery_target_miss'],
    ]);
  });

  it('do nothing to a session that is not the one that was seen, and stop and drop the one that was', async () => {
    desk = await openSqlDesk({ scenario: 'legacy-upgrade' });
    const mark = 'a1'.repeat(16);
    const plan = {
      databaseIds: null,
      hasBufferPoolScanComplete: false,
      majorVersion: 15,
      fileName: 'CheckpointHealth.xel',
      mark,
    };
    await desk.run(writeSessionCreate(plan, ownSessionTemplates.create));
    await run('change/session-start.sql');
    const look = async () => {
      const { columns = [], rows = [] } =
        (await desk.run(readSqlFile('read/event-session.sql'))).sets[0] ?? {};
      const text = {
        columns: columns.map(({ name }) => name),
        rows: rows.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
      };
      return readEventSession(text).state ?? assert.fail();
    };
    const seen = await look();
    assert.deepEqual([seen.mark, seen.isRunning], [mark, true]);
    const others = [
      { mark: 'b2'.repeat(16) },
      { definitionId: (seen.definitionId ?? 0) + 1 },
      { startedLocalMs: (seen.startedLocalMs ?? 0) - 1_000 },
      { startedLocalMs: null },
      { serverName: 'ANOTHER' },
    ];
    const change = { databaseIds: [7], earlierIds: null, hasBufferPoolScanComplete: false };
    const write = (guard: string) => [
      fillTemplate(ownSessionTemplates.start, { guard }),
      writeDatabasesChange({ ...change, guard }, ownSessionTemplates.changeDatabases),
      writeMissingEvents([7], guard, ownSessionTemplates.addMissingEvents),
      fillTemplate(ownSessionTemplates.stop, { guard }),
      fillTemplate(ownSessionTemplates.drop, { guard }),
    ];
    const outcome = async (text: string) => (await desk.run(text)).sets.at(-1)?.rows[0]?.[0];
    for (const other of others)
      for (const text of write(writeGuard({ ...seen, ...other })))
        assert.equal(await outcome(text), '-1', JSON.stringify(other));
    const { nowUtcMs: _, targetData: __, ...still } = await look();
    const { nowUtcMs: ___, targetData: ____, ...before } = seen;
    assert.deepEqual(still, before);
    const [, changed, , stop, drop] = write(writeGuard(seen));
    for (const text of [changed, stop, drop]) assert.equal(await outcome(text ?? assert.fail()), null);
    assert.equal((await look()).isDefined, false);
  });

  it('record one database in Azure SQL Database, and leave nothing behind', async () => {
    const name = createModelledServer({ rate: 0, scenario: 'azure-sql-database' }).databaseName(5) ?? '';
    desk = await openSqlDesk({ scenario: 'azure-sql-database' }, name);
    await run('azure/session-create.sql');
    await run('azure/session-start.sql');
    desk.server.advance(3_600_000);
    const { errors, sets } = await desk.run(readSqlFile('azure/session-read.sql'));
    assert.deepEqual(errors, []);
    const rows = sets[0]?.rows ?? [];
    assert.ok(rows.length > 2, `${rows.length} events`);
    assert.deepEqual(
      new Set(rows.map(([, event]) => event)),
      new Set(['checkpoint_begin', 'checkpoint_end']),
    );
    const tasks = rows.map(([, , , task, number]) => ({
      task: String(task),
      number: Number(String(number)),
    }));
    for (const [i, { task, number }] of tasks.entries()) {
      assert.match(
        task,
        /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i,
        'without the number, which differs between a begin and its end',
      );
      const before = tasks[i - 1];
      if (before?.task === task) assert.ok(number > before.number);
      else
        assert.ok(
          !tasks.slice(0, i).some((other) => other.task === task),
          'the events of a task stand together',
        );
    }
    for (let i = 1; i < rows.length; i += 2)
      assert.deepEqual(
        [rows[i - 1]?.[1], rows[i]?.[1], tasks[i]?.task],
        ['checkpoint_begin', 'checkpoint_end', tasks[i - 1]?.task],
      );
    await run('azure/session-stop.sql');
    await run('azure/session-drop.sql');
  });

  it('are refused in master of Azure SQL Database, with the error of the server in the row', async () => {
    desk = await openSqlDesk({ scenario: 'azure-sql-database' }, 'master');
    const { errors, sets } = await desk.run(readSqlFile('azure/session-create.sql'));
    assert.deepEqual([errors, sets.at(-1)?.rows[0]?.[0]], [[], '25737']);
  });
});
