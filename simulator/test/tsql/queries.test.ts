import assert from 'node:assert/strict';
import type { SqlValue } from '../../tds/handler';
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
  [
    'means over windows',
    'SELECT AVG(n) OVER (ORDER BY n ROWS 1 PRECEDING), AVG(n * 1.0) OVER () FROM sys.numbers WHERE n < 4 ORDER BY n',
    [
      [1, '2.000000'],
      [1, '2.000000'],
      [2, '2.000000'],
    ],
  ],
  [
    'means that leave NULL out',
    'SELECT AVG(target_recovery_time_in_seconds), AVG(target_recovery_time_in_seconds * 1.0), AVG(CAST(target_recovery_time_in_seconds AS float)) FROM sys.databases',
    [[30, '30.000000', 30]],
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
});
