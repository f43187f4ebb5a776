import assert from 'node:assert/strict';
import { listReportQueries } from '../../ssms/report-queries';
import { openSqlDesk, readSqlFile, type SqlDesk } from './analysed';

type Scenario = NonNullable<NonNullable<Parameters<typeof openSqlDesk>[0]>['scenario']>;

/** A report shows the first result set of each query. */
describe('The custom report for SSMS, on the simulated server', function () {
  this.timeout(60_000);
  let desk: SqlDesk;
  afterEach(() => desk?.close());

  const ask = async (): Promise<ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>> => {
    const answers = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
    for (const { name, sql, fields } of listReportQueries()) {
      const { errors, sets } = await desk.run(sql);
      assert.deepEqual(errors, [], name);
      const columns = sets[0]?.columns.map((column) => column.name) ?? [];
      assert.deepEqual(
        fields.filter((field) => !columns.includes(field)),
        [],
        `${name} shows what its query does not give`,
      );
      answers.set(name, sets[0]?.rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]]))) ?? []);
    }
    return answers;
  };

  it('shows flagged databases, the state of tracking and durations of a server that is tracked', async () => {
    desk = await openSqlDesk();
    for (const file of ['session-create', 'session-start']) await desk.run(readSqlFile(`change/${file}.sql`));
    desk.server.advance(300_000);
    const answers = await ask();
    const flagged = answers.get('FlaggedDatabases') ?? [];
    assert.equal(flagged.filter(({ finding }) => finding === 'automatic checkpoints').length, 312);
    assert.match(String(flagged[0]?.['finding']), /^model: new databases/);
    assert.ok(flagged.every(({ server_name: server }) => server === 'LEGACY-SQL07'));
    assert.ok(flagged.some(({ look_first: look }) => look === 'read-only'));
    assert.equal(answers.get('TrackingState')?.[0]?.['session_state'], 'running');
    const databases = answers.get('Databases') ?? [];
    assert.ok(databases.length > 5);
    const totals = databases.map((row) => Number(row['total_seconds']));
    assert.deepEqual(
      totals,
      [...totals].sort((a, b) => b - a),
    );
  });

  it('comes without an error where nothing was ever tracked, and flags nothing on a clean installation', async () => {
    desk = await openSqlDesk({ scenario: 'healthy' });
    const answers = await ask();
    assert.deepEqual(
      [answers.get('FlaggedDatabases')?.length, answers.get('TrackingState')?.[0]?.['session_state'], answers.get('Databases')?.length],
      [0, 'not there', 0],
    );
  });

  for (const scenario of ['linux', 'managed-instance', 'rds'] as const satisfies readonly Scenario[])
    it(`comes without an error on ${scenario}`, async () => {
      desk = await openSqlDesk({ scenario });
      assert.equal((await ask()).get('TrackingState')?.length, 1);
    });

  it('says to a login that may not see it that the state of tracking is not observable, and still shows the databases', async () => {
    desk = await openSqlDesk({}, '', 'reader');
    const answers = await ask();
    assert.match(String(answers.get('TrackingState')?.[0]?.['session_state']), /^not observable: (297|300) /);
    assert.ok((answers.get('FlaggedDatabases')?.length ?? 0) > 300);
    assert.deepEqual(answers.get('Databases'), []);
  });
});
