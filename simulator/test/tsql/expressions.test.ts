/** Expressions: values that Microsoft's documentation gives, page by page, or that follow from its rules of types. */
import assert from 'node:assert/strict';
import { itGives, itRefuses, useClient, type DocumentedValue, type Refused } from './client';

const holds = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const VALUES: readonly DocumentedValue[] = [
  // Arithmetic
  ['7 / 2', 3],
  ['-7 / 2', -3],
  ['7 % 3', 1],
  ['-7 % 3', -1],
  ['7 / 2.0', '3.500000'],
  ['5.0 / 3', '1.666666'],
  ['1 / 3.0', '0.333333'],
  ['2 + 3 * 4', 14],
  ['1.5 * 2', '3.0'],
  ['1e0 / 4', 0.25],
  ['3000000000', '3000000000'],
  ['CAST(3000000000 AS bigint) + 1', 3_000_000_001n],
  ['5 & 3', 1],
  ['5 | 3', 7],
  ['5 ^ 3', 6],
  ['~5', -6],
  ["'1' + 1", 2],
  ["'a' + 'b'", 'ab'],
  // Conversion
  ["CAST('12' AS int)", 12],
  ["CAST(' 12 ' AS int)", 12],
  ["CAST('' AS int)", 0],
  ['CAST(12.9 AS int)', 12],
  ['CAST(12.5 AS decimal(5, 0))', '13'],
  ["CAST('2.5' AS decimal(5, 2))", '2.50'],
  ['CAST(5 AS bit)', true],
  ["CAST('false' AS bit)", false],
  ['CAST(123 AS varchar(2))', '*'],
  ["CAST('abcdef' AS varchar(3))", 'abc'],
  ["CAST('ab' AS char(4))", 'ab  '],
  ["TRY_CAST('x' AS int)", null],
  ["TRY_CONVERT(datetime, '2026-13-01')", null],
  ['CAST(0x41 AS varchar(5))', 'A'],
  ['CONVERT(varchar(10), 0x41ff, 1)', '0x41FF'],
  ['CONVERT(varchar(10), 0x41ff, 2)', '41FF'],
  ["CONVERT(varbinary(4), '0x41ff', 1)", new Uint8Array([0x41, 0xff])],
  ['CAST(1 AS binary(4))', new Uint8Array([0, 0, 0, 1])],
  ["CAST('770c3538-ec3f-4a27-86a9-31a2fc777dbc' AS uniqueidentifier)", '770C3538-EC3F-4A27-86A9-31A2FC777DBC'],
  ['CAST(CAST(1234567.0 AS float) AS varchar(20))', '1.23457e+006'],
  ['CAST(CAST(0.5 AS float) AS varchar(20))', '0.5'],
  // Date styles
  ["CONVERT(varchar(30), CAST('2026-03-02 08:09:10' AS datetime), 126)", '2026-03-02T08:09:10'],
  ["CONVERT(varchar(33), CAST('2026-03-02T08:09:10.1234567' AS datetime2), 126)", '2026-03-02T08:09:10.1234567'],
  ["CONVERT(varchar(33), CAST('2026-03-02T08:09:10.1234567' AS datetime2(3)), 121)", '2026-03-02 08:09:10.123'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 112)", '20260302'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 101)", '03/02/2026'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 103)", '02/03/2026'],
  ["CAST(CAST('2026-03-02 08:09:10' AS datetime) AS varchar(30))", 'Mar  2 2026  8:09AM'],
  ["CONVERT(varchar(40), CAST('2026-03-02T08:00:00+02:00' AS datetimeoffset(0)), 127)", '2026-03-02T06:00:00Z'],
  ["CAST('2026-03-02 08:09:10' AS date)", '2026-03-02'],
  // datetime keeps 1/300 s
  ["CAST('2026-03-02 00:00:00.001' AS datetime)", '2026-03-02T00:00:00.000'],
  ["CAST('2026-03-02 00:00:00.002' AS datetime)", '2026-03-02T00:00:00.003'],
  ["CAST('2026-03-02 00:00:00.995' AS datetime)", '2026-03-02T00:00:00.997'],
  ["CAST('2026-03-02 23:59:59.999' AS datetime)", '2026-03-03T00:00:00.000'],
  ["CAST('2026-03-02 08:09:31' AS smalldatetime)", '2026-03-02T08:10:00'],
  // Date functions
  ["DATEDIFF(year, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEDIFF(millisecond, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEDIFF(minute, '2026-03-02 08:00:59', '2026-03-02 08:01:00')", 1],
  ["DATEDIFF(hour, '2026-03-02 08:00', '2026-03-02 08:59')", 0],
  ["DATEDIFF_BIG(ns, '2026-03-02', '2026-03-03')", 86_400_000_000_000n],
  ["DATEADD(month, 1, '2006-08-31')", '2006-09-30T00:00:00.000'],
  ["DATEADD(ms, -1, CAST('2026-03-02' AS datetime2(3)))", '2026-03-01T23:59:59.999'],
  ["DATEPART(weekday, '2007-04-21')", 7],
  ["DATEPART(dayofyear, '2007-10-30')", 303],
  ["DATEPART(iso_week, '2010-01-03')", 53],
  ["DATEPART(week, '2007-04-21')", 16],
  ["DATENAME(month, '2007-10-30')", 'October'],
  ["YEAR('2010-04-30T01:01:01.1234567-07:00')", 2010],
  ["EOMONTH('2012-02-10')", '2012-02-29'],
  ['GETUTCDATE()', '2026-03-02T08:00:00.123'],
  ['SYSUTCDATETIME()', '2026-03-02T08:00:00.1230000'],
  ['GETDATE()', '2026-03-02T09:00:00.123'],
  ['SYSDATETIMEOFFSET()', '2026-03-02T09:00:00.1230000+01:00'],
  // Characters
  ["LEN('abc   ')", 3],
  ["LEN(N'😀')", 2],
  ["RIGHT('abcdefg', 2)", 'fg'],
  ["SUBSTRING('abcdef', 2, 3)", 'bcd'],
  ["SUBSTRING('abcdef', 0, 3)", 'ab'],
  ["CHARINDEX('c', 'abcabc', 4)", 6],
  ["REPLACE('abCabc', 'c', 'x')", 'abxabx'],
  ["REPLICATE('0', 4)", '0000'],
  ["'[' + SPACE(2) + ']'", '[  ]'],
  ["REVERSE('abc')", 'cba'],
  ["UPPER('aé')", 'AÉ'],
  ["LTRIM(RTRIM('  a  '))", 'a'],
  ["CONCAT('a', NULL, 1)", 'a1'],
  ["CONCAT_WS(',', 'a', NULL, 'b')", 'a,b'],
  ["QUOTENAME('abc[]def')", '[abc[]]def]'],
  ["QUOTENAME('it''s', '''')", "'it''s'"],
  ["QUOTENAME(REPLICATE('x', 129))", null],
  ["PARSENAME('srv.db.dbo.[a.b]', 1)", 'a.b'],
  ['STR(123.45, 6, 1)', ' 123.5'],
  ["FORMATMESSAGE('%s has %d', 'x', 3)", 'x has 3'],
  ['NCHAR(955)', 'λ'],
  ["UNICODE(N'λ')", 955],
  // Numbers and logic
  ['CEILING(123.45)', '124'],
  ['ROUND(123.9995, 3)', '124.0000'],
  ['ROUND(150.75, 0, 1)', '150.00'],
  ['ROUND(748.58, -1)', '750.00'],
  ['POWER(2, 10)', 1024],
  ['SIGN(-3)', -1],
  ['NULLIF(4, 5)', 4],
  ["CHOOSE(3, 'a', 'b', 'c')", 'c'],
  ["IIF(45 > 30, 'TRUE', 'FALSE')", 'TRUE'],
  ["COALESCE(NULL, NULL, 'abcd')", 'abcd'],
  ["ISNUMERIC('1e5')", 1],
  ["ISNUMERIC('x')", 0],
  ["CASE 1 WHEN 2 THEN 'a' WHEN 1 THEN 'b' END", 'b'],
  ['CASE WHEN NULL = NULL THEN 1 ELSE 2 END', 2],
  ["CASE WHEN 'a' = 'A ' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN N'a' COLLATE Latin1_General_BIN2 = N'A' THEN 1 ELSE 2 END", 2],
  ["CASE WHEN '50%' LIKE '50!%' ESCAPE '!' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 'b' LIKE '[a-c]' AND 'd' NOT LIKE '[a-c]' AND 'd' LIKE '[^a-c]' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 1 IN (2, NULL) THEN 'in' WHEN NOT 1 IN (2, NULL) THEN 'not in' ELSE 'unknown' END", 'unknown'],
  ["CASE WHEN '10' = 10 THEN 'number' END", 'number'],
  ["HASHBYTES('SHA1', 'abc')", new Uint8Array(Buffer.from('a9993e364706816aba3e25717850c26c9cd0d89d', 'hex'))],
  // Server and session
  ["CAST(SERVERPROPERTY('EngineEdition') AS int)", 3],
  ["FULLTEXTSERVICEPROPERTY('Nothing')", null],
  ["CASE WHEN SERVERPROPERTY('ServerName') = N'fake01' THEN 1 ELSE 0 END", 1],
  ["CASE WHEN SERVERPROPERTY('Nothing') IS NULL THEN 1 ELSE 0 END", 1],
  ['DB_NAME(5)', 'Sales'],
  ["OBJECT_ID('sys.databases')", -17],
  ["OBJECT_ID('sys.nothing')", null],
  ["CAST(DATABASEPROPERTYEX('sales_archive', 'Updateability') AS varchar(20))", 'READ_ONLY'],
  ["HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')", 1],
  ["HAS_PERMS_BY_NAME(NULL, NULL, 'NEVER HEARD OF')", null],
  ["IS_SRVROLEMEMBER('sysadmin')", 1],
  ["HAS_DBACCESS('Sales')", 1],
  ["HAS_DBACCESS('nowhere')", null],
  ['SUSER_SNAME()', 'dba'],
  ['APP_NAME()', 'tests'],
  ['HOST_NAME()', 'DESK'],
  ['@@SERVERNAME', 'FAKE01'],
  ['@@TRANCOUNT', 0],
  // Characters: code pages, order, patterns (Microsoft Learn, "Collation and Unicode support", "Windows collation sorting styles", "LIKE", "PATINDEX")
  ["CAST(N'日本' AS varchar(5))", '??'],
  ["CAST(N'λ' AS varchar(5))", '?'],
  ["CAST(N'Ω' AS varchar(5))", 'O'],
  ["ASCII('€')", 128],
  ['CHAR(128)', '€'],
  ["CAST('€' AS varbinary(2))", new Uint8Array([0x80])],
  [holds("N'coop' < N'co-op' AND N'co-op' < N'cop'"), 1],
  [holds("N'coat' < N'co-op'"), 1],
  [holds("'co-op' < 'coat'"), 1],
  [holds("N'a b' < N'a_b' AND N'a_b' < N'a1' AND N'a1' < N'ab'"), 1],
  [holds("N'é' > N'e' AND N'é' < N'ea' AND N'ê' <> N'é'"), 1],
  [holds("'a' < 'A' COLLATE Latin1_General_CS_AS AND 'A' < 'b' COLLATE Latin1_General_CS_AS"), 1],
  [holds("'B' < 'a' COLLATE Latin1_General_BIN2"), 1],
  [holds("'é' LIKE '[a-f]'"), 1],
  [holds("'é' LIKE '[e]'"), 0],
  [holds("'B' LIKE '[a-c]' COLLATE Latin1_General_BIN"), 0],
  [holds("'^' LIKE '[A-z]'"), 0],
  [holds("'a_d' LIKE 'a[_]d' AND '[' LIKE '[[]' AND ']' LIKE ']' AND '-' LIKE '[-acdf]'"), 1],
  [holds("'a ' LIKE 'a'"), 1],
  [holds("'a' LIKE 'a '"), 0],
  [holds("N'a ' LIKE N'a'"), 0],
  ["PATINDEX('%ter%', 'interesting data')", 3],
  ["PATINDEX('%en_ure%', 'Please ensure the door is locked!')", 8],
  ["PATINDEX('%[^ 0-9A-Za-z]%', 'Please ensure the door is locked!')", 33],
  ["PATINDEX('b%', 'abc')", 0],
  ["PATINDEX('%b%', CAST('abc' AS varchar(max)))", 2n],
  ["TRIM('.,! ' FROM '     #     test    .')", '#     test'],
  ["STUFF('abc', 1, -1, 'x')", null],
  ["STUFF('abc', 1, 1, NULL)", 'bc'],
  ["CHARINDEX('b', 'abc', -5)", 2],
  ["SUBSTRING('abcdef', -1, 4)", 'ab'],
  ["SUBSTRING('abc', 5, 2)", ''],
  ["LEN(REPLICATE('a', 10000))", 8000],
  ["LEN(REPLICATE(N'a', 3000) + REPLICATE(N'b', 3000))", 4000],
  ["LEN(CAST(REPLICATE('a', 5000) AS varchar(max)) + REPLICATE('b', 5000))", 10000n],
  ['DATALENGTH(CAST(5 AS sql_variant))', 4],
  ["LEN(CONVERT(nvarchar, REPLICATE('a', 50)))", 30],
  // Binary values are compared without the zeros at their end: DBA Stack Exchange 48660 quotes Microsoft's answer, "We treat it as equal."
  [holds('0x01 = 0x0100 AND 0x = 0x00 AND 0x01 < 0x0101 AND 0x10 > 0x01'), 1],
  // "DATEADD": a time goes round.
  ["DATEADD(hour, -2, CAST('01:00' AS time(0)))", '23:00:00'],
  ["DATEDIFF(hour, CAST('20240101' AS date), CAST('20240102' AS date))", 24],
  // "Database engine events and errors", 8133: only the constant NULL is refused.
  ['CASE WHEN 1 = 1 THEN NULL ELSE CAST(NULL AS int) END', null],
  // "Create Instances of XML Data": what an xml value keeps of a text.
  [`CAST('<?xml version="1.0"?><r a=''1''>  <b> x </b>  </r>' AS xml)`, '<r a="1"><b> x </b></r>'],
  ["CAST('<r><b></b><!-- c --></r>' AS xml)", '<r><b/><!-- c --></r>'],
  ["CAST('<r>&lt;&#65;<![CDATA[<]]></r>' AS xml)", '<r>&lt;A&lt;</r>'],
  ["CONVERT(xml, '<a> <b/> </a>', 1)", '<a> <b/> </a>'],
  ["PATINDEX('%]', 'a]')", 2],
  // "~ (Bitwise NOT)": the result has the type of its operand.
  ['~CAST(5 AS tinyint)', 250],
  ['~CAST(5 AS smallint)', -6],
];

const FAILURES: Refused = {
  "'a' + 1": "245 Conversion failed when converting the varchar value 'a' to data type int.",
  "CAST('x' AS int)": "245 Conversion failed when converting the varchar value 'x' to data type int.",
  "CAST('1.5' AS int)": "245 Conversion failed when converting the varchar value '1.5' to data type int.",
  "CAST('2026-02-30' AS date)": '241 Conversion failed when converting date and/or time from character string.',
  "CAST('2026-02-30' AS datetime)": '242 The conversion of a varchar data type to a datetime data type resulted in an out-of-range value.',
  "CAST('x' AS decimal(5, 2))": '8114 Error converting data type varchar to numeric.',
  'CAST(300 AS tinyint)': '220 Arithmetic overflow error for data type tinyint, value = 300.',
  '2147483647 + 1': '8115 Arithmetic overflow error converting expression to data type int.',
  '1 / 0': '8134 Divide by zero error encountered.',
  'CAST(123456 AS nvarchar(3))': '8115 Arithmetic overflow error converting expression to data type nvarchar.',
  "'a' - 'b'": '402 The data types varchar and varchar are incompatible in the subtract operator.',
  'nope(1)': "195 'nope' is not a recognized built-in function name.",
  'dbo.nope(1)': '4121 Cannot find either column "dbo" or the user-defined function or aggregate "dbo.nope", or the name is ambiguous.',
  'CHECKSUM(1)': '50000 simulator: function CHECKSUM is not modelled',
  '@missing': '137 Must declare the scalar variable "@missing".',
  '@@DBTS': '50000 simulator: @@DBTS is not modelled',
  'LEN()': '174 The len function requires 1 argument(s).',
  "DATEDIFF(fortnight, '2026-01-01', '2026-01-02')": "155 'fortnight' is not a recognized datediff option.",
  'CONVERT(varchar(30), GETDATE(), 999)': '281 999 is not a valid style number when converting from datetime to a character string.',
  "SERVERPROPERTY('ProductVersion') + 'x'": '402 Operand data type sql_variant is invalid for add operator.',
  'CAST(1 AS money)': '50000 simulator: type money is not modelled',
  'CAST(1 AS moneyy)': '243 Type moneyy is not a defined system type.',
  "LEFT('abc', -1)": '537 Invalid length parameter passed to the LEFT or SUBSTRING function.',
  "RIGHT('abc', -1)": '536 ',
  "SUBSTRING('abc', 1, -1)": '537 ',
  "CAST(N'→' AS varchar(5))": '50000 simulator: U+2192 in code page 1252 is not modelled',
  "LTRIM('xa', 'x')": '174 ',
  "1 WHERE ']' LIKE '[]]'": '50000 simulator: ] right behind',
  "TRY_PARSE('1' AS int)": '50000 simulator: PARSE ',
  "PATINDEX('%', 'abc')": '50000 simulator: PATINDEX ',
  'CASE WHEN 1 = 1 THEN NULL ELSE NULL END': '8133 ',
  "DATEADD(year, -300, CAST('20240101' AS datetime))": '517 ',
  "DATEADD(year, -125, CAST('20240101' AS smalldatetime))": '517 ',
  "DATEADD(year, 60, CAST('20240101' AS smalldatetime))": '517 ',
  "FORMAT(1, 'N')": '50000 simulator: function FORMAT is not modelled',
  "CAST('2024-07-01' AS datetime) AT TIME ZONE 'UTC'": '50000 simulator: AT TIME ZONE is not modelled',
  // Hours of a date, years of a time: of a constant and of a row.
  ...Object.fromEntries(
    ['DATEADD(hour, 1, CAST(d AS date))', 'DATEPART(hour, CAST(d AS date))', 'DATENAME(year, CAST(d AS time))'].flatMap((call) =>
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
    assert.equal(await client.told(sql), '[[0,2,"1.000000","2x","low",3,-3,-2],[1,0,"1.500000","3x","high",4,-4,-3]]');
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
