import assert from 'node:assert/strict';
import { createModelledServer } from '../../../simulator/engine/modelled-server';
import { openSqlDesk, readAnalysis, readSqlFile, type SqlDesk } from './analysed';

type Scenario = NonNullable<NonNullable<Parameters<typeof createModelledServer>[0]>['scenario']>;

interface Variant {
  readonly scenario: Scenario;
  readonly create: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly analysis: Readonly<Record<string, string>>;
}

/** As sql/README.md says for each platform. */
const variants: Readonly<Record<string, Variant>> = {
  Windows: { scenario: 'legacy-upgrade', create: 'session-create', analysis: {} },
  Linux: { scenario: 'linux', create: 'session-create', analysis: {} },
  'Amazon RDS': {
    scenario: 'rds',
    create: 'session-create',
    values: { file_name: 'D:\\rdsdbdata\\log\\CheckpointHealth.xel' },
    analysis: { path: 'D:\\rdsdbdata\\log\\CheckpointHealth*.xel' },
  },
  'Azure SQL Managed Instance': {
    scenario: 'managed-instance',
    create: 'session-create-ring',
    analysis: { ring_session: 'CheckpointHealth' },
  },
};

describe('The session scripts, run by hand on the simulated server', function () {
  this.timeout(60_000);
  let desk: SqlDesk;
  afterEach(() => desk?.close());

  const run = async (path: string, values: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { errors, sets } = await desk.run(readSqlFile(path, values));
    assert.deepEqual([errors, sets.at(-1)?.rows], [[], [[null, null]]], path);
  };

  for (const [platform, { scenario, create, values = {}, analysis }] of Object.entries(variants))
    it(`create, start, are read, change their databases, stop and drop on ${platform}`, async () => {
      desk = await openSqlDesk({ scenario });
      await run(`change/${create}.sql`, values);
      await run('change/session-start.sql');
      desk.server.advance(300_000);
      await run('change/session-change-databases.sql');
      const { ledger } = readAnalysis(await desk.run(readSqlFile('ssms/checkpoint-durations.sql', analysis)));
      assert.ok((ledger[1] ?? 0) > 0 && ledger[6] === 0, `${ledger}`);
      await run('change/session-stop.sql');
      await run('change/session-drop.sql');
      const again = await desk.run(readSqlFile('change/session-drop.sql'));
      assert.deepEqual(again.sets.at(-1)?.rows[0]?.[0], '15151', 'what is not there is told as an error, in the row');
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
    assert.deepEqual(new Set(rows.map(([, event]) => event)), new Set(['checkpoint_begin', 'checkpoint_end']));
    const times = rows.map(([at]) => String(at));
    assert.deepEqual(times, [...times].sort());
    await run('azure/session-stop.sql');
    await run('azure/session-drop.sql');
  });

  it('are refused in master of Azure SQL Database, with the error of the server in the row', async () => {
    desk = await openSqlDesk({ scenario: 'azure-sql-database' }, 'master');
    const { errors, sets } = await desk.run(readSqlFile('azure/session-create.sql'));
    assert.deepEqual([errors, sets.at(-1)?.rows[0]?.[0]], [[], '25737']);
  });
});
