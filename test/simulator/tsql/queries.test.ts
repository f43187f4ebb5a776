import assert from 'node:assert/strict';
import type { SqlValue } from '../../../simulator/tds/handler';
import { connect, type Client } from './client';

/** [what it shows, query, rows] */
const queries: readonly (readonly [string, string, readonly (readonly SqlValue[])[]])[] = [
  ['a filter is blind to case and trailing blanks', "SELECT database_id FROM sys.databases WHERE name = 'SALES  '", [[5]]],
  [
    'three-part names, brackets, aliases with = and AS',
    "SELECT [the id] = d.[database_id], d.name AS 'n' FROM [master].sys.[databases] d WHERE d.NAME = N'a]b'",
    [[7, 'a]b']],
  ],
  ['quoted identifiers', 'SELECT "name" FROM sys.databases AS "d" WHERE "d"."database_id" = 1', [['master']]],
  ['NULL is neither equal nor different', 'SELECT COUNT(*) FROM sys.databases WHERE target_recovery_time_in_seconds <> 60', [[2]]],
  [
    'order by an alias, a position and an expression',
    'SELECT database_id AS i, name FROM sys.databases ORDER BY CASE WHEN database_id > 5 THEN 0 ELSE 1 END, i DESC',
    [
      [7, 'a]b'],
      [6, 'sales_archive'],
      [5, 'Sales'],
      [2, 'tempdb'],
      [1, 'master'],
    ],
  ],
  [
    'order is blind to case, NULL first',
    'SELECT TOP (3) log_reuse_wait_desc, name FROM sys.databases ORDER BY log_reuse_wait_desc, name',
    [
      [null, 'sales_archive'],
      ['LOG_BACKUP', 'Sales'],
      ['NOTHING', 'a]b'],
    ],
  ],
  ['TOP n PERCENT rounds up', 'SELECT TOP 21 PERCENT n FROM sys.numbers ORDER BY n', [[1], [2], [3]]],
  [
    'TOP WITH TIES',
    'SELECT TOP (1) WITH TIES target_recovery_time_in_seconds AS t, name FROM sys.databases ORDER BY t DESC',
    [
      [60, 'tempdb'],
      [60, 'a]b'],
    ],
  ],
  ['OFFSET and FETCH', 'SELECT n FROM sys.numbers ORDER BY n OFFSET 3 ROWS FETCH NEXT 2 ROWS ONLY', [[4], [5]]],
  ['DISTINCT is blind to case', "SELECT DISTINCT v.x FROM (VALUES ('a'), ('A '), ('b')) AS v(x) ORDER BY v.x", [['a'], ['b']]],
  ['GROUP BY is blind to case', "SELECT COUNT(*) FROM (VALUES ('a'), ('A'), ('b')) AS v(x) GROUP BY v.x HAVING COUNT(*) > 1", [[2]]],
  [
    'aggregates',
    'SELECT COUNT(*), COUNT(target_recovery_time_in_seconds), SUM(database_id), AVG(database_id), MIN(name), MAX(create_date) FROM sys.databases',
    [[5, 4, 21, 4, 'a]b', '2026-02-01T00:00:00.000']],
  ],
  ['aggregates of nothing', 'SELECT COUNT(*), SUM(n), MAX(n) FROM sys.numbers WHERE n > 99', [[0, null, null]]],
  [
    'an expression over groups',
    'SELECT n % 2, SUM(n) * 1.0 / COUNT(*) FROM sys.numbers GROUP BY n % 2 ORDER BY n % 2',
    [
      [0, '6.000000000000'],
      [1, '5.000000000000'],
    ],
  ],
  ['COUNT DISTINCT', "SELECT COUNT(DISTINCT x) FROM (VALUES ('a'), ('A'), (NULL)) v(x)", [[1]]],
  [
    'STRING_AGG in an order',
    "SELECT STRING_AGG(name, ',') WITHIN GROUP (ORDER BY database_id DESC) FROM sys.databases WHERE database_id < 6",
    [['Sales,tempdb,master']],
  ],
  [
    'inner and left joins',
    'SELECT d.name, f.name FROM sys.databases d LEFT JOIN sys.master_files AS f ON f.database_id = d.database_id AND f.file_id = 1 WHERE d.database_id > 1 ORDER BY d.database_id',
    [
      ['tempdb', null],
      ['Sales', 'Sales'],
      ['sales_archive', null],
      ['a]b', null],
    ],
  ],
  [
    'right and full joins',
    'SELECT COUNT(*), COUNT(d.name), COUNT(f.name) FROM sys.databases d FULL OUTER JOIN sys.master_files f ON f.database_id = d.database_id',
    [[8, 7, 5]],
  ],
  [
    'nested joins',
    'SELECT COUNT(*) FROM sys.databases d LEFT JOIN (sys.master_files f INNER JOIN sys.numbers n ON n.n = f.file_id) ON f.database_id = d.database_id',
    [[7]],
  ],
  [
    'EXISTS and NOT EXISTS',
    'SELECT name FROM sys.databases d WHERE NOT EXISTS (SELECT * FROM sys.master_files f WHERE f.database_id = d.database_id) ORDER BY name',
    [['a]b'], ['sales_archive'], ['tempdb']],
  ],
  [
    'IN with a query, and NOT IN with a NULL',
    'SELECT (SELECT COUNT(*) FROM sys.databases WHERE database_id IN (SELECT database_id FROM sys.master_files)), (SELECT COUNT(*) FROM sys.databases WHERE 1 NOT IN (SELECT target_recovery_time_in_seconds FROM sys.databases))',
    [[2, 0]],
  ],
  [
    'comparison with ALL and ANY',
    'SELECT name FROM sys.databases WHERE database_id >= ALL (SELECT database_id FROM sys.databases)',
    [['a]b']],
  ],
  [
    'a scalar subquery',
    'SELECT name, (SELECT COUNT(*) FROM sys.master_files f WHERE f.database_id = d.database_id) FROM sys.databases d WHERE database_id IN (1, 2)',
    [
      ['master', 2],
      ['tempdb', 0],
    ],
  ],
  [
    'OUTER APPLY with TOP',
    'SELECT d.database_id, x.name FROM sys.databases d OUTER APPLY (SELECT TOP (1) f.name FROM sys.master_files f WHERE f.database_id = d.database_id ORDER BY f.size DESC) x WHERE d.database_id <= 5 ORDER BY 1',
    [
      [1, 'master'],
      [2, null],
      [5, 'Sales'],
    ],
  ],
  [
    'CROSS APPLY of VALUES',
    'SELECT d.name, v.x FROM sys.databases d CROSS APPLY (VALUES (d.database_id), (d.database_id * 10)) AS v(x) WHERE d.database_id = 5 ORDER BY v.x',
    [
      ['Sales', 5],
      ['Sales', 50],
    ],
  ],
  [
    'APPLY with an aggregate of no rows',
    'SELECT d.name, x.n FROM sys.databases d CROSS APPLY (SELECT COUNT(*) AS n FROM sys.master_files f WHERE f.database_id = d.database_id) x WHERE d.database_id < 5 ORDER BY d.database_id',
    [
      ['master', 2],
      ['tempdb', 0],
    ],
  ],
  [
    'a table function with constants',
    "SELECT file_name, word FROM sys.files_of(5, N'x') AS f ORDER BY file_name DESC",
    [
      ['Sales_log', 'x'],
      ['Sales', 'x'],
    ],
  ],
  [
    'a table function of every row',
    'SELECT d.name, f.file_name FROM sys.databases AS d CROSS APPLY sys.files_of(d.database_id, d.name) AS f WHERE f.word = d.name ORDER BY 1, 2',
    [
      ['master', 'master'],
      ['master', 'mastlog'],
      ['Sales', 'Sales'],
      ['Sales', 'Sales_log'],
    ],
  ],
  [
    'a table function of every row, kept where it is empty',
    "SELECT d.database_id, f.file_name FROM sys.databases AS d OUTER APPLY sys.files_of(d.database_id, 'w') AS f WHERE d.database_id IN (2, 5) ORDER BY 1, 2",
    [
      [2, null],
      [5, 'Sales'],
      [5, 'Sales_log'],
    ],
  ],
  [
    'a table function inside an applied query',
    "SELECT d.database_id, x.n FROM sys.databases AS d CROSS APPLY (SELECT COUNT(*) AS n FROM sys.files_of(d.database_id, 'w') AS f) AS x WHERE d.database_id IN (1, 2) ORDER BY 1",
    [
      [1, 2],
      [2, 0],
    ],
  ],
  [
    'common tables, one over another',
    'WITH a AS (SELECT n FROM sys.numbers WHERE n < 4), b (m) AS (SELECT n * 2 FROM a) SELECT a.n, b.m FROM a JOIN b ON b.m = a.n',
    [[2, 2]],
  ],
  ['a recursive common table', 'WITH r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 5) SELECT SUM(i) FROM r', [[15]]],
  [
    'UNION, EXCEPT and INTERSECT',
    "SELECT UPPER(u.x) FROM (SELECT 'a' AS x UNION SELECT 'A' UNION ALL SELECT 'c' EXCEPT SELECT 'C' INTERSECT SELECT 'c') AS u",
    [['A']],
  ],
  [
    'ROW_NUMBER, RANK, LAG, LEAD, NTILE',
    'SELECT ROW_NUMBER() OVER (ORDER BY n DESC), RANK() OVER (ORDER BY n / 4), LAG(n) OVER (ORDER BY n), LEAD(n, 2, -1) OVER (ORDER BY n), NTILE(2) OVER (ORDER BY n) FROM sys.numbers WHERE n > 7 ORDER BY n',
    [
      [3n, 1n, null, 10, 1n],
      [2n, 1n, 8, -1, 1n],
      [1n, 1n, 9, -1, 2n],
    ],
  ],
  [
    'running and partitioned sums',
    'SELECT SUM(n) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING), SUM(n) OVER (PARTITION BY n % 2) FROM sys.numbers WHERE n < 4 ORDER BY n',
    [
      [1, 4],
      [3, 2],
      [6, 4],
    ],
  ],
  [
    'percentiles',
    'SELECT DISTINCT PERCENTILE_DISC(0.95) WITHIN GROUP (ORDER BY n) OVER (), PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n) OVER (), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n) OVER () FROM sys.numbers',
    [[10, 5, 5.5]],
  ],
  [
    'a window over groups',
    'SELECT n % 2, COUNT(*), SUM(COUNT(*)) OVER () FROM sys.numbers WHERE n < 6 GROUP BY n % 2 ORDER BY 1',
    [
      [0, 2, 5],
      [1, 3, 5],
    ],
  ],
  [
    'exact bigint and padded names',
    "SELECT cntr_value, RTRIM(counter_name) FROM sys.dm_os_performance_counters WHERE object_name LIKE '%buffer manager%' AND counter_name = 'Page writes/sec'",
    [[9_007_199_254_740_993n, 'Page writes/sec']],
  ],
  [
    'sql_variant columns',
    'SELECT name, CAST(value AS int) - CONVERT(int, value_in_use) FROM sys.configurations WHERE value <> value_in_use',
    [['max server memory (MB)', 2048]],
  ],
  [
    'a function of the server over rows',
    "SELECT name FROM sys.databases WHERE DATABASEPROPERTYEX(name, N'Updateability') = N'READ_ONLY' OR DB_NAME(database_id) = 'MASTER'",
    [['master'], ['sales_archive']],
  ],
  [
    'comments, hints and odd white space',
    'SELECT/* a /* nested */ */name--x\nFROM\tsys.databases WITH (NOLOCK)WHERE database_id=5OPTION(RECOMPILE, MAXDOP 1);',
    [['Sales']],
  ],
  ['STRING_SPLIT', "SELECT value FROM STRING_SPLIT('a,b', ',')", [['a'], ['b']]],
  ['IS NOT DISTINCT FROM', 'SELECT COUNT(*) FROM sys.databases WHERE target_recovery_time_in_seconds IS NOT DISTINCT FROM NULL', [[1]]],
];

describe('T-SQL queries', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  for (const [what, sql, expected] of queries) {
    it(`answers ${what}`, async () => assert.deepEqual(await client.rows(sql), expected));
  }

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

/** [query, number and text of the error] */
const failures: readonly (readonly [string, string])[] = [
  ['SELECT nope FROM sys.databases', "207 Invalid column name 'nope'."],
  ['SELECT d.nope FROM sys.databases d', "207 Invalid column name 'nope'."],
  ['SELECT x.name FROM sys.databases d', '4104 The multi-part identifier "x.name" could not be bound.'],
  [
    'SELECT database_id FROM sys.databases d JOIN sys.master_files f ON f.database_id = d.database_id',
    "209 Ambiguous column name 'database_id'.",
  ],
  ['SELECT 1 FROM sys.nothing', "208 Invalid object name 'sys.nothing'."],
  ['SELECT 1 FROM databases', "208 Invalid object name 'databases'."],
  ['SELECT 1 FROM nowhere.sys.databases', "208 Invalid object name 'nowhere.sys.databases'."],
  ['SELECT 1 FROM sys.dm_os_threads', '50000 simulator: sys.dm_os_threads is not modelled'],
  ['SELECT 1 FROM srv.master.sys.databases', '50000 simulator: linked server srv is not modelled'],
  ['SELECT name FROM sys.databases FOR JSON PATH', '50000 simulator: FOR JSON is not modelled'],
  [
    'SELECT name, COUNT(*) FROM sys.databases GROUP BY database_id',
    "8120 Column 'name' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.",
  ],
  [
    'SELECT 1 UNION SELECT 1, 2',
    '205 All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists.',
  ],
  ['SELECT * FROM (SELECT 1) AS x', "8155 No column name was specified for column 1 of 'x'."],
  [
    'SELECT (SELECT name FROM sys.databases)',
    '512 Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <, <= , >, >= or when the subquery is used as an expression.',
  ],
  [
    'SELECT name FROM sys.databases ORDER BY 5',
    '108 The ORDER BY position number 5 is out of range of the number of items in the select list.',
  ],
  [
    'SELECT name FROM sys.databases WHERE ROW_NUMBER() OVER (ORDER BY name) = 1',
    '4108 Windowed functions can only appear in the SELECT or ORDER BY clauses.',
  ],
  ['SELECT name FROM sys.databases LIMIT 10', "102 Incorrect syntax near '10'."],
  [
    'SELECT name FROM sys.databases WHERE state',
    "4145 An expression of non-boolean type specified in a context where a condition is expected, near 'state'.",
  ],
  ['SELECT name, FROM sys.databases', "156 Incorrect syntax near the keyword 'FROM'."],
  ["SELECT 'abc", "105 Unclosed quotation mark after the character string 'abc'."],
  ['SELECT 1 /* x', "113 Missing end comment mark '*/'."],
  ["SELECT name FROM sys.databases WHERE name ILIKE N'%a%'", "102 Incorrect syntax near 'ILIKE'."],
  ['SELECT database_id::int FROM sys.databases', "102 Incorrect syntax near '::'."],
  [
    "SELECT CASE WHEN 1 = 1 THEN 'x' ELSE 1 END + CAST(name AS int) FROM sys.databases",
    "245 Conversion failed when converting the varchar value 'x' to data type int.",
  ],
];

describe('T-SQL queries that fail', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  for (const [sql, expected] of failures) {
    it(`answers ${sql} with ${expected.slice(0, 60)}`, async () => assert.equal(await client.error(sql), expected));
  }
});
