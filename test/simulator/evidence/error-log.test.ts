import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { readBackups } from '../../../src/monitor/facts/backups-reading';
import { ERROR_LOG_BOUNDS, readErrorLogs } from '../../../src/monitor/facts/error-log-reading';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import { openBreaker } from '../../monitor/fake-surroundings';
import { reachThroughAzdata } from '../../hosts/azdata/through';
import { reach } from '../product/watched-server';

const minuteMs = 60_000;
const now = (): number => 0;

describe('The error logs of a server', () => {
  let simulator: Simulator;
  let queries: ServerQuery[] = [];
  const open = (user: string, access = reach): ServerQuery => {
    const query = new ServerQuery(access(simulator, { user }), openBreaker());
    queries.push(query);
    return query;
  };
  const start = async (options: Parameters<typeof startSimulator>[0]): Promise<void> => {
    simulator = await startSimulator({ rate: 0, ...options });
    simulator.server.advance(30 * minuteMs);
  };

  afterEach(async () => {
    for (const query of queries) await query.dispose();
    queries = [];
    await simulator.close();
  });

  it('are read by the first way that is open, with the reason of each refusal on the way', async () => {
    await start({ databases: 10 });
    const refusedTo = async (user: string, access: typeof reach): Promise<unknown> => {
      const { way, refusals, rows } = await readErrorLogs(open(user, access), 0, now);
      assert.equal(rows.length > 0, way !== null, user);
      return [way, refusals.map((each) => `${each.way} ${each.number}`)];
    };
    // The other one gives back one result set, all cells as text, and hides what SQL Server refused.
    for (const access of [reach, reachThroughAzdata]) {
      assert.deepEqual(await refusedTo('dba', access), ['xp_readerrorlog', []]);
      assert.deepEqual(await refusedTo('logreader', access), ['xp_readerrorlog', []]);
      assert.deepEqual(await refusedTo('viewer', access), ['sp_readerrorlog', ['xp_readerrorlog 229']]);
      assert.deepEqual(await refusedTo('security', access), ['sp_readerrorlog', ['xp_readerrorlog 229']]);
      const none = ['xp_readerrorlog 229', 'sp_readerrorlog 15003', 'rds_read_error_log 2812'];
      assert.deepEqual(await refusedTo('reader', access), [null, none]);
    }
  });

  it('are read with the permission of 2022, and refused with its error', async () => {
    await start({ databases: 10, release: 2022 });
    assert.equal((await readErrorLogs(open('errorlog'), 0, now)).way, 'sp_readerrorlog');
    const { way, refusals, limits } = await readErrorLogs(open('viewer'), 0, now);
    assert.deepEqual([way, refusals.map(({ number }) => number)], [null, [229, 27219, 2812]]);
    assert.match(limits[1] ?? '', /^sp_readerrorlog: .+ \(Msg 27219\)\.$/);
  });

  it("are read by Amazon's own procedure in RDS", async () => {
    await start({ scenario: 'rds' });
    const { way, rows } = await readErrorLogs(open('admin'), 0, now);
    assert.equal(way, 'rds_read_error_log');
    assert.ok(rows.some(({ text }) => text.startsWith('SQL Server is now ready')));
  });

  it('are left alone beyond the bounds, which is said', async () => {
    await start({ databases: 10 });
    const bounds = { ...ERROR_LOG_BOUNDS, mostLogs: 1, mostRows: 5 };
    const { rows, limits } = await readErrorLogs(open('dba'), 0, now, null, bounds);
    assert.equal(rows.length, 5);
    assert.match(
      limits.join(' '),
      /^Logs older than number 0 were not read\. Log 0 was read only up to 20\S+\.$/,
    );
    let [clock] = [0];
    const slow = await readErrorLogs(open('dba'), 0, () => (clock += minuteMs), null, {
      ...ERROR_LOG_BOUNDS,
      mostMs: 1_000,
    });
    assert.match(slow.limits.join(' '), /Reading stopped after 1 s: log 1 and older logs were not read\./);
  });
});

describe('The backups of a server', () => {
  const question = (sinceUtcMs: number) => ({ sinceUtcMs, utcOffsetMinutes: 60 });
  let simulator: Simulator;
  let query: ServerQuery;
  const open = (access = reach, login = {}): void =>
    void (query = new ServerQuery(access(simulator, login), openBreaker()));
  before(async () => void (simulator = await startSimulator({ rate: 0, databases: 10 })));
  afterEach(() => query.dispose());
  after(() => simulator.close());

  it('are all those that it made, at the times at which it made them', async () => {
    open();
    const fromUtcMs = simulator.server.clock.nowUtcMs();
    simulator.server.advance(16 * 60 * minuteMs);
    const backups = await readBackups({ query, pause: async () => undefined, ...question(fromUtcMs) });
    assert.ok(backups.kind === 'observed');
    const { full, log } = backups.value;
    const made = simulator.server.ledger.checkpoints.filter(({ kind }) => kind === 'backup');
    assert.ok(made.length > 5);
    for (const { databaseName, beginUtcMs, endUtcMs } of made) {
      const runs = full.databases.find((each) => each.databaseName === databaseName)?.runs ?? [];
      const run = runs.find((each) => Math.abs(each.beginUtcMs - beginUtcMs) <= 1_000);
      // msdb keeps whole seconds.
      assert.ok(run !== undefined && run.endUtcMs >= endUtcMs - 1_000, databaseName);
    }
    assert.equal(full.databases.flatMap(({ runs }) => runs).length, made.length);
    assert.ok(
      log.databases.length > 0 &&
        log.databases.every(({ runs }) => runs.length >= 15 && runs.every(({ type }) => type === 'log')),
    );
    assert.equal(log.problems.length, 0);
  });

  // The other one hides what SQL Server refused.
  for (const access of [reach, reachThroughAzdata])
    it(`are not observable for a login that may not read them, with the reason: ${access.name}`, async () => {
      open(access, { user: 'reader' });
      const backups = await readBackups({ query, pause: async () => undefined, ...question(0) });
      assert.match(backups.kind === 'not observable' ? backups.reason : '', /SELECT permission was denied/);
    });
});
