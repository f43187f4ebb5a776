/** Expressions: values that Microsoft's documentation gives, page by page, or that follow from its rules of types. */
import assert from 'node:assert/strict';
import { itGives, itRefuses, useClient, type DocumentedValue, type Refused } from './client';

const holds = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const VALUES: readonly DocumentedValue[] = [
  // Arithmetic
  ['7 / 2', 3],
  ['7 / 2.0', '3.500000'],
  ['~5', -6],
  ["CAST('' AS int)", 0],
  ['CAST(12.5 AS decimal(5, 0))', '13'],
  ['CAST(123 AS varchar(2))', '*'],
  ["CAST('abcdef' AS varchar(3))", 'abc'],
  ["TRY_CONVERT(datetime, '2026-13-01')", null],
  ['CONVERT(varchar(10), 0x41ff, 1)', '0x41FF'],
  ["CONVERT(varbinary(4), '0x41ff', 1)", new Uint8Array([0x41, 0xff])],
  [
    "CAST('770c3538-ec3f-4a27-86a9-31a2fc777dbc' AS uniqueidentifier)",
    '770C3538-EC3F-4A27-86A9-31A2FC777DBC',
  ],
  ['CAST(CAST(1234567.0 AS float) AS varchar(20))', '1.23457e+006'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 112)", '20260302'],
  ["CAST(CAST('2026-03-02 08:09:10' AS datetime) AS varchar(30))", 'Mar  2 2026  8:09AM'],
  [
    "CONVERT(varchar(40), CAST('2026-03-02T08:00:00+02:00' AS datetimeoffset(0)), 127)",
    '2026-03-02T06:00:00Z',
  ],
  ["CAST('2026-03-02 08:09:10' AS date)", '2026-03-02'],
  ["CAST('2026-03-02 00:00:00.002' AS datetime)", '2026-03-02T00:00:00.003'],
  ["CAST('2026-03-02 23:59:59.999' AS datetime)", '2026-03-03T00:00:00.000'],
  ["CAST('2026-03-02 08:09:31' AS smalldatetime)", '2026-03-02T08:10:00'],
  ["DATEDIFF(millisecond, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEADD(day, 31, '2006-08-31')", '2006-10-01T00:00:00.000'],
  ["DATEADD(ms, -1, CAST('2026-03-02' AS datetime2(3)))", '2026-03-01T23:59:59.999'],
  ['GETUTCDATE()', '2026-03-02T08:00:00.123'],
  ['SYSDATETIMEOFFSET()', '2026-03-02T09:00:00.1230000+01:00'],
  ["LEN(N'😀')", 2],
  ["SUBSTRING('abcdef', 0, 3)", 'ab'],
  ["CHARINDEX('c', 'abcabc', 4)", 6],
  ["REPLACE('abCabc', 'c', 'x')", 'abxabx'],
  ["UPPER('aé')", 'AÉ'],
  ["LTRIM(RTRIM('  a  '))", 'a'],
  ["CONCAT('a', NULL, 1)", 'a1'],
  ["QUOTENAME('abc[]def')", '[abc[]]def]'],
  ["QUOTENAME('it''s', '''')", "'it''s'"],
  ["QUOTENAME(REPLICATE('x', 129))", null],
  ['STR(123.45, 6, 1)', ' 123.5'],
  ['NCHAR(955)', 'λ'],
  ['CASE WHEN NULL = NULL THEN 1 ELSE 2 END', 2],
  ["CASE WHEN 'a' = 'A ' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN N'a' COLLATE Latin1_General_BIN2 = N'A' THEN 1 ELSE 2 END", 2],
  ["CASE WHEN '50%' LIKE '50!%' ESCAPE '!' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 'b' LIKE '[a-c]' AND 'd' NOT LIKE '[a-c]' AND 'd' LIKE '[^a-c]' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 1 IN (2, NULL) THEN 'in' WHEN NOT 1 IN (2, NULL) THEN 'not in' ELSE 'unknown' END", 'unknown'],
  // Server and session
  ["CAST(SERVERPROPERTY('EngineEdition') AS int)", 3],
  ["CASE WHEN SERVERPROPERTY('ServerName') = N'fake01' THEN 1 ELSE 0 END", 1],
  ["OBJECT_ID('sys.databases')", -17],
  ["CAST(DATABASEPROPERTYEX('sales_archive', 'Updateability') AS varchar(20))", 'READ_ONLY'],
  ["HAS_PERMS_BY_NAME(NULL, NULL, 'NEVER HEARD OF')", null],
  ["HAS_DBACCESS('nowhere')", null],
  ['@@SERVERNAME', 'FAKE01'],
  // Characters: code pages, order, patterns (Microsoft Learn, "Collation and Unicode support", "Windows collation
  // sorting styles", "LIKE", "PATINDEX")
  ["CAST(N'日本' AS varchar(5))", '??'],
  ["CAST(N'λ' AS varchar(5))", '?'],
  ["CAST('€' AS varbinary(2))", new Uint8Array([0x80])],
  [holds("N'coop' < N'co-op' AND N'co-op' < N'cop'"), 1],
  [holds("'co-op' < 'coat'"), 1],
  [holds("N'a b' < N'a_b' AND N'a_b' < N'a1' AND N'a1' < N'ab'"), 1],
  [holds("N'é' > N'e' AND N'é' < N'ea' AND N'ê' <> N'é'"), 1],
  [holds("'a' < 'A' COLLATE Latin1_General_CS_AS AND 'A' < 'b' COLLATE Latin1_General_CS_AS"), 1],
  [holds("'é' LIKE '[a-f]'"), 1],
  [holds("'B' LIKE '[a-c]' COLLATE Latin1_General_BIN"), 0],
  [holds("'^' LIKE '[A-z]'"), 0],
  [holds("'a_d' LIKE 'a[_]d' AND '[' LIKE '[[]' AND ']' LIKE ']' AND '-' LIKE '[-acdf]'"), 1],
  [holds("'a ' LIKE 'a'"), 1],
  [holds("'a' LIKE 'a '"), 0],
  ["CHARINDEX('b', 'abc', -5)", 2],
  ["LEN(REPLICATE('a', 10000))", 8000],
  ["LEN(REPLICATE(N'a', 3000) + REPLICATE(N'b', 3000))", 4000],
  ["LEN(CAST(REPLICATE('a', 5000) AS varchar(max)) + REPLICATE('b', 5000))", 10000n],
  ["DATALENGTH(N'abc')", 6],
  // Binary values are compared without the zeros at their end: DBA Stack Exchange 48660 quotes Microsoft's answer, "We
  // treat it as equal."
  [holds('0x01 = 0x0100 AND 0x = 0x00 AND 0x01 < 0x0101 AND 0x10 > 0x01'), 1],
  ["DATEDIFF(hour, CAST('20240101' AS date), CAST('20240102' AS date))", 24],
  // "Database engine events and errors", 8133: only the constant NULL is refused.
  ['CASE WHEN 1 = 1 THEN NULL ELSE CAST(NULL AS int) END', null],
  // "Create Instances of XML Data": what an xml value keeps of a text.
  [`CAST('<?xml version="1.0"?><r a=''1''>  <b> x </b>  </r>' AS xml)`, '<r a="1"><b> x </b></r>'],
  ["CAST('<r><b></b><!-- c --></r>' AS xml)", '<r><b/><!-- c --></r>'],
  // "~ (Bitwise NOT)": the result has the type of its operand.
  ['~CAST(5 AS tinyint)', 250],
];

const FAILURES: Refused = {
  "'a' + 1": "245 Conversion failed when converting the varchar value 'a' to data type int.",
  "CAST('2026-02-30' AS date)":
    '241 Conversion failed when converting date and/or time from character string.',
  "'a' - 'b'": '402 The data types varchar and varchar are incompatible in the subtract operator.',
  'dbo.nope(1)':
    '4121 Cannot find either column "dbo" or the user-defined function or aggregate "dbo.nope", or the name is ambiguous.',
  "DATEDIFF(fortnight, '2026-01-01', '2026-01-02')": "155 'fortnight' is not a recognized datediff option.",
  'CONVERT(varchar(30), GETDATE(), 103)': '50000 simulator: style 103 is not modelled',
  "TRY_CONVERT(date, '30/12/2006', 103)": '50000 simulator: style 103 is not modelled',
  'CONVERT(varchar(30), GETDATE(), 999)':
    '281 999 is not a valid style number when converting from datetime to a character string.',
  "SERVERPROPERTY('ProductVersion') + 'x'": '402 Operand data type sql_variant is invalid for add operator.',
  'CAST(1 AS money)': '50000 simulator: type money is not modelled',
  'CAST(1 AS binary(4))': '50000 simulator: int as binary is not modelled',
  'CAST(0x01 AS int)': '50000 simulator: varbinary as int is not modelled',
  'GETDATE() + 1': '50000 simulator: + of datetime is not modelled',
  "LEFT('abc', -1)": '537 Invalid length parameter passed to the LEFT or SUBSTRING function.',
  "CAST(N'→' AS varchar(5))": '50000 simulator: U+2192 in code page 1252 is not modelled',
  "1 WHERE ']' LIKE '[]]'": '50000 simulator: ] right behind',
  'CASE WHEN 1 = 1 THEN NULL ELSE NULL END': '8133 ',
  "DATEADD(day, -110000, CAST('20240101' AS datetime))": '517 ',
  // Hours of a date, years of a time: of a constant and of a row.
  ...Object.fromEntries(
    [
      'DATEADD(hour, 1, CAST(d AS date))',
      'DATEPART(hour, CAST(d AS date))',
      'DATEPART(year, CAST(d AS time))',
    ].flatMap((call) =>
      ['(SELECT TOP (1) create_date AS d FROM sys.databases) AS x', '(VALUES (GETDATE())) AS x(d)'].map(
        (from) => [`${call} FROM ${from}`, '9810 The datepart '] as const,
      ),
    ),
  ),
};

describe('T-SQL expressions', () => {
  const client = useClient();

  itGives(client, VALUES);
  itRefuses(client, FAILURES);

  it('gives the same values when the arguments come from rows, not from constants', async () => {
    const sql = `SELECT n / 3, n % 3, n / 2.0, CONVERT(varchar(3), n) + 'x', CASE WHEN n IN (1, 2) THEN 'low' ELSE 'high' END, LEN(SPACE(n) + 'a'), ~n, -n
      FROM sys.numbers WHERE n BETWEEN 2 AND 3`;
    assert.equal(
      await client.told(sql),
      '[[0,2,"1.000000","2x","low",3,-3,-2],[1,0,"1.500000","3x","high",4,-4,-3]]',
    );
  });

  it('gives every clock function of one statement the same moment', async () => {
    const [row] = await client.rows('SELECT SYSUTCDATETIME(), SYSUTCDATETIME() FROM sys.numbers WHERE n = 1');
    assert.equal(row?.[0], row?.[1]);
  });

  it('sorts rows of nvarchar as Windows does and rows of varchar by the code page', async () => {
    const sorted = (type: string): Promise<string> =>
      client.told(
        `SELECT x FROM (SELECT CAST(v.x AS ${type}) AS x FROM (VALUES ('co-op'), ('coop'), ('cop'), ('coat')) AS v(x)) AS t ORDER BY x`,
      );
    assert.equal(await sorted('nvarchar(9)'), '[["coat"],["coop"],["co-op"],["cop"]]');
    assert.equal(await sorted('varchar(9)'), '[["co-op"],["coat"],["coop"],["cop"]]');
  });
});
