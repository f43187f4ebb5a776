/** Queries over a few rows that are known: what each answers, or its error. */
import assert from 'node:assert/strict';
import { connect, itRefuses, itTells, useClient, type Refused, type Told } from './client';
import { shown } from '../shown';

const QUERIES: Told = {
  'answers a filter is blind to case and trailing blanks': [
    "SELECT database_id FROM sys.databases WHERE name = 'SALES  '",
    '[[5]]',
  ],
  'answers three-part names, brackets, aliases with = and AS': [
    "SELECT [the id] = d.[database_id], d.name AS 'n' FROM [master].sys.[databases] d WHERE d.NAME = N'a]b'",
    '[[7,"a]b"]]',
  ],
  'answers order is blind to case, NULL first': [
    'SELECT TOP (3) log_reuse_wait_desc, name FROM sys.databases ORDER BY log_reuse_wait_desc, name',
    '[[null,"sales_archive"],["LOG_BACKUP","Sales"],["NOTHING","a]b"]]',
  ],
  'answers an expression over groups': [
    'SELECT n % 2, SUM(n) * 1.0 / COUNT(*) FROM sys.numbers GROUP BY n % 2 ORDER BY n % 2',
    '[[0,"6.000000000000"],[1,"5.000000000000"]]',
  ],
  'answers OUTER APPLY with TOP': [
    'SELECT d.database_id, x.name FROM sys.databases d OUTER APPLY (SELECT TOP (1) f.name FROM sys.master_files f WHERE f.database_id = d.database_id ORDER BY f.size DESC) x WHERE d.database_id <= 5 ORDER BY 1',
    '[[1,"master"],[2,null],[5,"Sales"]]',
  ],
  'answers APPLY with an aggregate of no rows': [
    'SELECT d.name, x.n FROM sys.databases d CROSS APPLY (SELECT COUNT(*) AS n FROM sys.master_files f WHERE f.database_id = d.database_id) x WHERE d.database_id < 5 ORDER BY d.database_id',
    '[["master",2],["tempdb",0]]',
  ],
  'answers a table function of every row': [
    'SELECT d.name, f.file_name FROM sys.databases AS d CROSS APPLY sys.files_of(d.database_id, d.name) AS f WHERE f.word = d.name ORDER BY 1, 2',
    '[["master","master"],["master","mastlog"],["Sales","Sales"],["Sales","Sales_log"]]',
  ],
  'answers a table function of every row, kept where it is empty': [
    "SELECT d.database_id, f.file_name FROM sys.databases AS d OUTER APPLY sys.files_of(d.database_id, 'w') AS f WHERE d.database_id IN (2, 5) ORDER BY 1, 2",
    '[[2,null],[5,"Sales"],[5,"Sales_log"]]',
  ],
  'answers a table function inside an applied query': [
    "SELECT d.database_id, x.n FROM sys.databases AS d CROSS APPLY (SELECT COUNT(*) AS n FROM sys.files_of(d.database_id, 'w') AS f) AS x WHERE d.database_id IN (1, 2) ORDER BY 1",
    '[[1,2],[2,0]]',
  ],
  'answers running and partitioned sums': [
    'SELECT SUM(n) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING), SUM(n) OVER (PARTITION BY n % 2) FROM sys.numbers WHERE n < 4 ORDER BY n',
    '[[1,4],[3,2],[6,4]]',
  ],
  'answers exact bigint and padded names': [
    "SELECT cntr_value, RTRIM(counter_name) FROM sys.dm_os_performance_counters WHERE object_name LIKE '%buffer manager%' AND counter_name = 'Page writes/sec'",
    '[["9007199254740993n","Page writes/sec"]]',
  ],
  'answers a function of the server over rows': [
    "SELECT name FROM sys.databases WHERE DATABASEPROPERTYEX(name, N'Updateability') = N'READ_ONLY' OR DB_NAME(database_id) = 'MASTER'",
    '[["master"],["sales_archive"]]',
  ],
  'answers comments and odd white space': [
    'SELECT/* a /* nested */ */name--x\nFROM\tsys.databases WHERE(database_id=5);',
    '[["Sales"]]',
  ],
  'groups binary values without the zeros at their end': [
    'SELECT COUNT(*), COUNT(DISTINCT d) FROM (VALUES (0x), (0x00), (0x0000)) AS x(d) GROUP BY d; SELECT 1 FROM (VALUES (0x0100)) AS a(x) JOIN (VALUES (0x01)) AS b(y) ON x = y',
    '[[3,1]] | [[1]]',
  ],
  'needs no FROM for the star of EXISTS': [
    'SELECT 1 WHERE EXISTS (SELECT * WHERE 1 = 1) AND NOT EXISTS (SELECT * WHERE 1 = 2)',
    '[[1]]',
  ],
};

const FAILURES: Refused = {
  'SELECT SUM(n + 2147483640) FROM sys.numbers WHERE n < 7':
    '8115 Arithmetic overflow error converting expression to data type int.',
  'SELECT 1 FROM nowhere.sys.databases': "208 Invalid object name 'nowhere.sys.databases'.",
  'SELECT 1 FROM sys.dm_os_threads': '50000 simulator: sys.dm_os_threads is not modelled',
  'SELECT 1 FROM srv.master.sys.databases': '50000 simulator: linked server srv is not modelled',
  'SELECT name, COUNT(*) FROM sys.databases GROUP BY database_id':
    "8120 Column 'sys.databases.name' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.",
  'SELECT 1 UNION SELECT 1, 2':
    '205 All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists.',
  'SELECT name FROM sys.databases ORDER BY 5':
    '108 The ORDER BY position number 5 is out of range of the number of items in the select list.',
  'SELECT name FROM sys.databases WHERE ROW_NUMBER() OVER (ORDER BY name) = 1':
    '4108 Windowed functions can only appear in the SELECT or ORDER BY clauses.',
  'SELECT name FROM sys.databases LIMIT 10': "102 Incorrect syntax near '10'.",
  'SELECT database_id::int FROM sys.databases': "102 Incorrect syntax near '::'.",
  "SELECT CASE WHEN 1 = 1 THEN 'x' ELSE 1 END + CAST(name AS int) FROM sys.databases":
    "245 Conversion failed when converting the varchar value 'x' to data type int.",
  "SELECT 1 FROM sys.databases AS d GROUP BY state HAVING name = N'x'":
    "8121 Column 'd.name' is invalid in the HAVING clause",
  'SELECT *': '263 ',
};

describe('T-SQL queries', () => {
  const client = useClient();

  itTells(client, QUERIES);
  itRefuses(client, FAILURES);

  it('names columns as SQL Server does: by alias or column, and not at all when computed', async () => {
    const { sets } = await client.run(
      'SELECT f.*, x = 1, f.name, COUNT(*) OVER () AS [all], 1 + 1 FROM sys.master_files f',
    );
    assert.equal(
      sets[0]?.columns.map(({ name }) => name).join(),
      'database_id,file_id,name,size,x,name,all,',
    );
  });

  it('declares the types that SQL Server declares, and no column NOT NULL that an outer join may leave out', async () => {
    const { sets } =
      await client.run(`SELECT COUNT(*), COUNT_BIG(*), SUM(n), SUM(n * 1.0), MAX(CONVERT(varchar(12), n)), CASE WHEN 1 = 0 THEN 'ab' ELSE N'abc' END,
      CAST(1 AS bit), 1.5, 1e0, N'x' + 'yz', LEN('a'), GETDATE(), SYSUTCDATETIME(), SERVERPROPERTY('x'), NULL FROM sys.numbers;
      SELECT d.database_id, f.file_id FROM sys.databases d LEFT JOIN sys.master_files f ON f.database_id = d.database_id`);
    assert.equal(
      sets[0]?.columns.map(({ type }) => JSON.stringify(Object.values(type))).join(' '),
      '["int"] ["bigint"] ["int"] ["decimal",38,1] ["varchar",12] ["nvarchar",3] ["bit"] ["decimal",2,1] ["float"] ["nvarchar",3] ["int"] ["datetime"] ["datetime2",7] ["sql_variant"] ["int"]',
    );
    assert.equal(shown(sets[1]?.columns.map(({ nullable }) => nullable)), '[false,true]');
  });

  it('reads a relation once while its version stands, and again when it has none', async () => {
    const own = await connect();
    for (const name of ['databases', 'databases', 'numbers', 'numbers'])
      await own.rows(`SELECT 1 FROM sys.${name}`);
    assert.deepEqual(Object.fromEntries(own.instance.reads), { 'sys.databases': 1, 'sys.numbers': 2 });
    await own.close();
  });
});
