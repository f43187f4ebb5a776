import assert from 'node:assert/strict';
import { connect, type Client } from './client';

/** [query, number and text of the error] */
const failures: readonly (readonly [string, string])[] = [
  ['SELECT SUM(n + 2147483640) FROM sys.numbers WHERE n < 7', '8115 Arithmetic overflow error converting expression to data type int.'],
  ['SELECT n + 2147483640 FROM sys.numbers', '8115 Arithmetic overflow error converting expression to data type int.'],
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
  ['SELECT name FROM sys.databases FOR BROWSE', '50000 simulator: FOR BROWSE is not modelled'],
  [
    'SELECT name, COUNT(*) FROM sys.databases GROUP BY database_id',
    "8120 Column 'sys.databases.name' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.",
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
