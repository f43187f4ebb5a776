/** FOR XML and FOR JSON, by their pages in Microsoft's documentation and the idioms of published scripts. */
import assert from 'node:assert/strict';
import type { SqlValue } from '../../tds/handler';
import { connect, type Client } from './client';

/** [what, query, its only value] */
const texts: readonly (readonly [string, string, SqlValue])[] = [
  [
    'a list in an order, by STUFF',
    "SELECT STUFF((SELECT ',' + name FROM sys.databases WHERE database_id < 6 ORDER BY name DESC FOR XML PATH('')), 1, 1, '')",
    'tempdb,Sales,master',
  ],
  [
    'a list whose signs come back by TYPE and value()',
    "SELECT (SELECT '<' + name + '&' + CHAR(13) FROM sys.databases WHERE database_id IN (1, 7) ORDER BY name FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)')",
    '<a]b&\r<master&\r',
  ],
  ['signs as entities without TYPE', "SELECT (SELECT '<a>&\"' + CHAR(13) + CHAR(10) FOR XML PATH(''))", '&lt;a&gt;&amp;"&#x0D;\n'],
  ['blanks alone as an entity', "SELECT (SELECT ' ' FOR XML PATH(''))", '&#x20;'],
  [
    'a list of data() with blanks between',
    "SELECT (SELECT name AS [data()] FROM sys.databases WHERE database_id < 6 ORDER BY 1 FOR XML PATH(''))",
    'master Sales tempdb',
  ],
  ['NULL for no rows', "SELECT (SELECT name FROM sys.databases WHERE 1 = 0 FOR XML PATH(''))", null],
  [
    'attributes, nested elements and a root',
    "SELECT (SELECT name AS '@name', database_id AS 'ids/id', state AS 'ids/state', log_reuse_wait_desc AS reuse FROM sys.databases WHERE database_id IN (1, 6) ORDER BY 1 FOR XML PATH('db'), ROOT('dbs'))",
    '<dbs><db name="master"><ids><id>1</id><state>0</state></ids><reuse>NOTHING</reuse></db><db name="sales_archive"><ids><id>6</id><state>1</state></ids></db></dbs>',
  ],
  [
    'rows as attributes, dates by style 126',
    'SELECT (SELECT TOP (2) name, create_date, is_read_only FROM sys.databases AS d ORDER BY name FOR XML RAW)',
    '<row name="a]b" create_date="2020-02-29T12:00:00" is_read_only="0"/><row name="master" create_date="2003-04-08T09:13:36.390" is_read_only="0"/>',
  ],
  [
    'the table as element in AUTO',
    "SELECT (SELECT name FROM sys.databases AS d WHERE name = 'master' FOR XML AUTO, ELEMENTS)",
    '<d><name>master</name></d>',
  ],
  [
    'names that are none in XML',
    "SELECT (SELECT 1 AS [a b], 2 AS [1c] FOR XML PATH(''))",
    '<a_x0020_b>1</a_x0020_b><_x0031_c>2</_x0031_c>',
  ],
  ['floats and binary', "SELECT (SELECT 1.5e0 AS f, 0x0102 AS b FOR XML PATH(''))", '<f>1.500000000000000e+000</f><b>AQI=</b>'],
  [
    'JSON, nested by names and queries',
    "SELECT (SELECT name, database_id AS [about.id], is_read_only AS [about.ro], (SELECT f.name FROM sys.master_files AS f WHERE f.database_id = d.database_id ORDER BY f.file_id FOR JSON PATH) AS files FROM sys.databases AS d WHERE database_id < 3 ORDER BY name FOR JSON PATH, ROOT('dbs'))",
    '{"dbs":[{"name":"master","about":{"id":1,"ro":false},"files":[{"name":"master"},{"name":"mastlog"}]},{"name":"tempdb","about":{"id":2,"ro":false}}]}',
  ],
  [
    'JSON with NULLs and without brackets',
    "SELECT (SELECT 'a/\"' AS a, NULL AS b FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER)",
    '{"a":"a\\/\\"","b":null}',
  ],
];

describe('T-SQL rows as text', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  for (const [what, sql, expected] of texts) it(`gives ${what}`, async () => assert.deepEqual((await client.rows(sql))[0]?.[0], expected));

  it('gives each row of a correlated list its own order', async () => {
    const rows = await client.rows(
      "SELECT d.name, STUFF((SELECT ', ' + f.name FROM sys.master_files AS f WHERE f.database_id = d.database_id ORDER BY f.file_id DESC FOR XML PATH(''), TYPE).value('(./text())[1]', 'nvarchar(max)'), 1, 2, '') FROM sys.databases AS d WHERE d.database_id IN (1, 2, 5) ORDER BY d.database_id",
    );
    assert.deepEqual(rows, [
      ['master', 'mastlog, master'],
      ['tempdb', null],
      ['Sales', 'Sales_log, Sales'],
    ]);
  });

  it('sends a long text in pieces under the name that clients know, and no rows as none', async () => {
    const [column] = await client.columns("SELECT n FROM sys.numbers FOR XML PATH('')");
    assert.equal(column?.name, 'XML_F52E2B61-18A1-11d1-B105-00805F49916B');
    const rows = await client.rows("SELECT REPLICATE('x', 1000) AS x FROM sys.numbers WHERE n < 4 FOR JSON PATH");
    assert.deepEqual(rows.map(([piece]) => String(piece).length).slice(0, 1), [2033]);
    assert.equal(JSON.parse(rows.flat().join('')).length, 3);
    assert.deepEqual(await client.rows('SELECT n FROM sys.numbers WHERE n > 99 FOR JSON PATH'), []);
  });

  it('refuses what has no name, comes twice, or stands in the wrong order', async () => {
    for (const [sql, error] of [
      ['SELECT 1 FOR JSON PATH', '13605 '],
      ['SELECT 1 AS a, 2 AS a FOR JSON PATH', '13601 '],
      ['SELECT 1 AS a, 2 AS [a.b] FOR JSON PATH', '13601 '],
      ['SELECT 1 FOR XML RAW', '6809 '],
      ["SELECT 1 AS '@a' FOR XML PATH('')", '6864 '],
      ["SELECT 1 AS a, 2 AS '@b' FOR XML PATH", '6852 '],
      ["DECLARE @x int; SELECT @x = 1 FOR XML PATH('')", '6819 '],
      ['SELECT 1 AS a FOR XML EXPLICIT', '50000 simulator: FOR XML EXPLICIT'],
      ['SELECT name FROM sys.databases FOR XML AUTO', '50000 simulator: FOR XML AUTO over other than one table with an alias'],
    ] as const)
      assert.ok((await client.error(sql)).startsWith(error), `${sql}: ${await client.error(sql)}`);
  });
});
