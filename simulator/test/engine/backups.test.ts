import assert from 'node:assert/strict';
import { createLandscape, createModelledServer } from '../../engine/landscape';
import { storeEvents } from '../../stored-events';
import { MINUTE_MS, readRows } from './modelled';
import { readEvents } from './tracking';
import { backupsOf, listen } from './reconciled';

describe('what msdb tells of the time before the model', () => {
  it('is the same whether it was first asked before or after a failover', () => {
    const read = (isEarly: boolean): readonly (readonly string[])[] => {
      const landscape = createLandscape({ scenario: 'availability-group', rate: 0 });
      return landscape.servers.map((server, i) => {
        if (isEarly) backupsOf(server);
        if (i === 0) landscape.failover('Sales', 'SALES-SQL02');
        server.advance(MINUTE_MS);
        return backupsOf(server).map(
          (row) => `${String(row['database_name'])} ${String(row['backup_finish_date'])}`,
        );
      });
    };
    const early = read(true);
    assert.ok(early[0]?.some((row) => row.startsWith('Sales_Orders ')));
    assert.deepEqual(read(false), early);
  });
});

describe('a database that is not open', () => {
  it('writes no log, whatever its workload would be', () => {
    const server = createLandscape({ scenario: 'availability-group', rate: 0 }).servers.find(
      ({ serverName }) => serverName === 'SALES-SQL03',
    );
    assert.ok(server !== undefined);
    server.advance(10 * MINUTE_MS);
    assert.ok(server.ledger.checkpoints.every(({ databaseName }) => databaseName !== 'Sales_Import'));
    // Tools alone is at work there.
    const { waiting_tasks_count: tasks } =
      readRows(server, 'sys.dm_os_wait_stats').find((row) => row['wait_type'] === 'WRITELOG') ?? {};
    assert.equal(Number(tasks), listen(server).counter('Log Flushes/sec', '_Total'));
  });
});

describe('a stored history', () => {
  it('lies where Amazon RDS wants event files, and is refused in words where they are blobs', async () => {
    const rds = createModelledServer({ scenario: 'rds', rate: 0 });
    await storeEvents(rds, 50, rds.administrator.name);
    assert.ok(readEvents(rds, 'D:\\rdsdbdata\\log\\checkpoint_history*.xel').length >= 50);
    for (const scenario of ['managed-instance', 'azure-sql-database'] as const)
      await assert.rejects(
        storeEvents(createModelledServer({ scenario, rate: 0 }), 50, 'dba'),
        /its event files are blobs/,
      );
  });
});
