/** GROUPING SETS, PIVOT, time zones and the errors of grouped queries: Microsoft's documentation, "SELECT - GROUP BY", "Using PIVOT and UNPIVOT", "AT TIME ZONE". */
import assert from 'node:assert/strict';
import { connect, type Client } from './client';
import { itGives, itRefuses } from './documented-values';

const zoned = (local: string, zone = 'Central European Standard Time'): string => `CAST('${local}' AS datetime2(0)) AT TIME ZONE '${zone}'`;

const queries: readonly (readonly [string, string, readonly (readonly unknown[])[]])[] = [
  [
    'subtotals and a total by ROLLUP',
    'SELECT database_id, name, SUM(size), GROUPING(database_id), GROUPING_ID(database_id, name) FROM sys.master_files WHERE database_id < 9 GROUP BY ROLLUP (database_id, name) ORDER BY GROUPING(database_id), database_id, GROUPING(name), name',
    [
      [1, 'master', 512, 0, 0],
      [1, 'mastlog', 128, 0, 0],
      [1, null, 640, 0, 1],
      [5, 'Sales', 4096, 0, 0],
      [5, 'Sales_log', 1024, 0, 0],
      [5, null, 5120, 0, 1],
      [null, null, 5760, 1, 3],
    ],
  ],
  [
    'the same by WITH ROLLUP over one column',
    'SELECT database_id, COUNT(*) FROM sys.master_files GROUP BY database_id WITH ROLLUP ORDER BY 1',
    [
      [null, 5],
      [1, 2],
      [5, 2],
      [9, 1],
    ],
  ],
  [
    'sets of their own',
    'SELECT file_id, database_id, COUNT(*) FROM sys.master_files GROUP BY GROUPING SETS ((file_id), (database_id), ()) ORDER BY 3 DESC, 1, 2',
    [
      [null, null, 5],
      [1, null, 3],
      [null, 1, 2],
      [null, 5, 2],
      [2, null, 2],
      [null, 9, 1],
    ],
  ],
  [
    'every combination by CUBE, case-blind',
    "SELECT x, y, SUM(n) FROM (VALUES ('A', 'p', 1), ('a ', 'P', 2)) AS v(x, y, n) GROUP BY CUBE (x, y) HAVING SUM(n) = 3 AND GROUPING(x) + GROUPING(y) = 2",
    [[null, null, 3]],
  ],
  [
    'PIVOT with a column for each value, NULL where there is none',
    'SELECT * FROM (SELECT database_id, name, size FROM sys.master_files) AS s PIVOT (SUM(size) FOR name IN ([master], [Sales], [none])) AS p ORDER BY database_id',
    [
      [1, 512, null, null],
      [5, null, 4096, null],
      [9, null, null, null],
    ],
  ],
  [
    'PIVOT that counts numbers',
    'SELECT [0], [1], [7] FROM (SELECT state, database_id FROM sys.databases) AS s PIVOT (COUNT(database_id) FOR state IN ([0], [1], [7])) AS p',
    [[4, 1, 0]],
  ],
  [
    'UNPIVOT without NULLs',
    'SELECT name, what, amount FROM (SELECT name, database_id AS id, target_recovery_time_in_seconds AS target FROM sys.databases WHERE database_id > 5) AS s UNPIVOT (amount FOR what IN (id, target)) AS u ORDER BY 1, 2',
    [
      ['a]b', 'id', 7],
      ['a]b', 'target', 60],
      ['sales_archive', 'id', 6],
    ],
  ],
];

describe('T-SQL groups and pivots', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  for (const [what, sql, expected] of queries) it(`gives ${what}`, async () => assert.deepEqual(await client.rows(sql), expected));

  itGives(
    () => client,
    [
      [zoned('2022-03-27T01:01:00'), '2022-03-27T01:01:00+01:00'],
      [zoned('2022-03-27T02:01:00'), '2022-03-27T03:01:00+02:00'],
      [zoned('2022-03-27T03:01:00'), '2022-03-27T03:01:00+02:00'],
      [zoned('2022-10-30T02:00:00'), '2022-10-30T02:00:00+02:00'],
      [zoned('2022-10-30T03:01:00'), '2022-10-30T03:01:00+01:00'],
      [`${zoned('2024-07-01T12:00:00', 'UTC')} AT TIME ZONE 'Pacific Standard Time'`, '2024-07-01T05:00:00-07:00'],
    ],
  );

  itRefuses(
    () => client,
    [
      [zoned('2024-07-01', 'Nowhere'), "9820 The time zone parameter 'Nowhere' provided to AT TIME ZONE clause is invalid."],
      [zoned('2024-07-01', 'Iran Standard Time'), '50000 simulator: time zone Iran Standard Time is not modelled'],
      [zoned('1999-07-01'), '50000 simulator: AT TIME ZONE in the year 1999 is not modelled'],
      ["'2024-07-01' AT TIME ZONE 'UTC'", '8116 '],
      ['SELECT name, COUNT(*) FROM sys.databases GROUP BY state', "8120 Column 'sys.databases.name' is invalid in the select list"],
      ["SELECT 1 FROM sys.databases AS d GROUP BY state HAVING name = 'x'", "8121 Column 'd.name' is invalid in the HAVING clause"],
      ['SELECT 1 FROM sys.databases AS d GROUP BY state ORDER BY name', '8127 Column "d.name" is invalid in the ORDER BY clause'],
      ['SELECT *, name FROM sys.databases ORDER BY name', "209 Ambiguous column name 'name'."],
      ['SELECT GROUPING(n) FROM sys.numbers GROUP BY n % 2', '8161 '],
      ['SELECT x FROM (SELECT 1 AS a, CAST(2 AS bigint) AS b) AS s UNPIVOT (x FOR c IN (a, b)) AS u', '8167 '],
    ],
  );
});
