import assert from 'node:assert/strict';
import { connect, type Client } from './client';

describe('T-SQL result sets', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  it('names columns as SQL Server does: by alias or column, and not at all when computed', async () => {
    const columns = await client.columns('SELECT d.*, x = 1, d.name, COUNT(*) OVER () AS [all], 1 + 1 FROM sys.databases d');
    assert.deepEqual(
      columns.map(({ name }) => name),
      [
        'name',
        'database_id',
        'target_recovery_time_in_seconds',
        'state',
        'is_read_only',
        'create_date',
        'log_reuse_wait_desc',
        'x',
        'name',
        'all',
        '',
      ],
    );
  });

  it('declares the types that SQL Server declares', async () => {
    const columns =
      await client.columns(`SELECT COUNT(*), COUNT_BIG(*), SUM(n), AVG(n), AVG(n * 1.0), MAX(CONVERT(varchar(12), n)), CASE WHEN 1 = 0 THEN 'ab' ELSE N'abc' END,
      ISNULL(MAX(n), 0), CAST(1 AS bit), 1.5, 1e0, N'x' + 'yz', LEN('a'), GETDATE(), SYSUTCDATETIME(), SERVERPROPERTY('x'), NULL FROM sys.numbers`);
    assert.deepEqual(
      columns.map(({ type }) => JSON.stringify(type).replace(/"(name":)?/g, '')),
      [
        '{int}',
        '{bigint}',
        '{int}',
        '{int}',
        '{decimal,precision:38,scale:6}',
        '{varchar,length:12}',
        '{nvarchar,length:3}',
        '{int}',
        '{bit}',
        '{decimal,precision:2,scale:1}',
        '{float}',
        '{nvarchar,length:3}',
        '{int}',
        '{datetime}',
        '{datetime2,scale:7}',
        '{sql_variant}',
        '{int}',
      ],
    );
  });

  it('never declares a column NOT NULL that an outer join may leave out', async () => {
    const [first, second] = await client.columns(
      'SELECT d.database_id, f.file_id FROM sys.databases d LEFT JOIN sys.master_files f ON f.database_id = d.database_id',
    );
    assert.equal(first?.nullable, false);
    assert.equal(second?.nullable, true);
  });

  it('reads a relation once while its version stands, and again when it has none', async () => {
    const own = await connect();
    for (let times = 0; times < 3; times++) await own.rows('SELECT name FROM sys.databases');
    for (let times = 0; times < 3; times++) await own.rows('SELECT n FROM sys.numbers');
    assert.equal(own.instance.reads.get('sys.databases'), 1);
    assert.equal(own.instance.reads.get('sys.numbers'), 3);
    assert.equal(own.instance.reads.get('sys.master_files'), undefined);
    await own.close();
  });
});
