import assert from 'node:assert/strict';
import type { SqlValue } from '../../tds/handler';
import { connect, type Client } from './client';

/** [expression, value]: values that Microsoft's documentation gives, or that follow from its rules of types. */
const values: readonly (readonly [string, SqlValue])[] = [
  // Arithmetic
  ['7 / 2', 3],
  ['-7 / 2', -3],
  ['7 % 3', 1],
  ['-7 % 3', -1],
  ['7 / 2.0', '3.500000'],
  ['5.0 / 3', '1.666666'],
  ['1 / 3.0', '0.333333'],
  ['2 + 3 * 4', 14],
  ['(2 + 3) * 4', 20],
  ['1.5 * 2', '3.0'],
  ['0.1 + 0.2', '0.3'],
  ['1e0 / 4', 0.25],
  ['3000000000', '3000000000'],
  ['CAST(3000000000 AS bigint) + 1', 3_000_000_001n],
  ['5 & 3', 1],
  ['5 | 3', 7],
  ['5 ^ 3', 6],
  ['~5', -6],
  ['- - 5', 5],
  ["'1' + 1", 2],
  ["1 + '2'", 3],
  ["'a' + 'b'", 'ab'],
  ["'a' + NULL", null],
  ['NULL + 1', null],
  // Conversion
  ["CAST('12' AS int)", 12],
  ["CAST(' 12 ' AS int)", 12],
  ["CAST('' AS int)", 0],
  ['CAST(12.9 AS int)', 12],
  ['CAST(-12.9 AS int)', -12],
  ['CAST(12.5 AS decimal(5, 0))', '13'],
  ['CAST(2.5E0 AS int)', 2],
  ["CAST('2.5' AS decimal(5, 2))", '2.50'],
  ['CAST(5 AS bit)', true],
  ["CAST('false' AS bit)", false],
  ['CAST(123 AS varchar(2))', '*'],
  ["CAST('abcdef' AS varchar(3))", 'abc'],
  ["CAST('ab' AS char(4))", 'ab  '],
  ['CONVERT(varchar(10), 42)', '42'],
  ["CONVERT(nvarchar(10), N'x')", 'x'],
  ["TRY_CAST('x' AS int)", null],
  ["TRY_CONVERT(int, '7')", 7],
  ["TRY_CONVERT(datetime, '2026-13-01')", null],
  ['CAST(0x41 AS varchar(5))', 'A'],
  ['CONVERT(varchar(10), 0x41ff, 1)', '0x41FF'],
  ['CONVERT(varchar(10), 0x41ff, 2)', '41FF'],
  ["CONVERT(varbinary(4), '0x41ff', 1)", new Uint8Array([0x41, 0xff])],
  ['CAST(1 AS binary(4))', new Uint8Array([0, 0, 0, 1])],
  ["CAST('770c3538-ec3f-4a27-86a9-31a2fc777dbc' AS uniqueidentifier)", '770C3538-EC3F-4A27-86A9-31A2FC777DBC'],
  ['CAST(1234567.0 AS float)', 1234567],
  ['CAST(CAST(1234567.0 AS float) AS varchar(20))', '1.23457e+006'],
  ['CAST(CAST(0.5 AS float) AS varchar(20))', '0.5'],
  // Date styles
  ["CONVERT(varchar(30), CAST('2026-03-02 08:09:10.123' AS datetime), 120)", '2026-03-02 08:09:10'],
  ["CONVERT(varchar(30), CAST('2026-03-02 08:09:10.123' AS datetime), 121)", '2026-03-02 08:09:10.123'],
  ["CONVERT(varchar(30), CAST('2026-03-02 08:09:10.123' AS datetime), 126)", '2026-03-02T08:09:10.123'],
  ["CONVERT(varchar(30), CAST('2026-03-02 08:09:10' AS datetime), 126)", '2026-03-02T08:09:10'],
  ["CONVERT(varchar(33), CAST('2026-03-02T08:09:10.1234567' AS datetime2), 126)", '2026-03-02T08:09:10.1234567'],
  ["CONVERT(varchar(33), CAST('2026-03-02T08:09:10.1234567' AS datetime2(3)), 121)", '2026-03-02 08:09:10.123'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 112)", '20260302'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 101)", '03/02/2026'],
  ["CONVERT(varchar(10), CAST('2026-03-02' AS datetime), 103)", '02/03/2026'],
  ["CONVERT(varchar(8), CAST('2026-03-02 08:09:10' AS datetime), 108)", '08:09:10'],
  ["CAST(CAST('2026-03-02 08:09:10' AS datetime) AS varchar(30))", 'Mar  2 2026  8:09AM'],
  ["CONVERT(varchar(40), CAST('2026-03-02T08:00:00+02:00' AS datetimeoffset(0)), 127)", '2026-03-02T06:00:00Z'],
  ["CAST('2026-03-02 08:09:10' AS date)", '2026-03-02'],
  ["CAST('20260302' AS datetime)", '2026-03-02T00:00:00.000'],
  // datetime keeps 1/300 s
  ["CAST('2026-03-02 00:00:00.001' AS datetime)", '2026-03-02T00:00:00.000'],
  ["CAST('2026-03-02 00:00:00.002' AS datetime)", '2026-03-02T00:00:00.003'],
  ["CAST('2026-03-02 00:00:00.995' AS datetime)", '2026-03-02T00:00:00.997'],
  ["CAST('2026-03-02 23:59:59.999' AS datetime)", '2026-03-03T00:00:00.000'],
  ["CAST('2026-03-02 08:09:31' AS smalldatetime)", '2026-03-02T08:10:00'],
  // Date functions
  ["DATEDIFF(year, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEDIFF(day, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEDIFF(week, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEDIFF(millisecond, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", 1],
  ["DATEDIFF(minute, '2026-03-02 08:00:59', '2026-03-02 08:01:00')", 1],
  ["DATEDIFF(hour, '2026-03-02 08:00', '2026-03-02 08:59')", 0],
  ["DATEDIFF_BIG(ns, '2026-03-02', '2026-03-03')", 86_400_000_000_000n],
  ["DATEADD(month, 1, '2006-08-30')", '2006-09-30T00:00:00.000'],
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
  [
    "SWITCHOFFSET(CAST('1998-09-20 7:45:50.71345 -5:00' AS datetimeoffset), '-08:00')".replace(' -5:00', ' -05:00'),
    '1998-09-20T04:45:50.7134500-08:00',
  ],
  // Characters
  ["LEN('abc   ')", 3],
  ["DATALENGTH('abc   ')", 6],
  ["DATALENGTH(N'abc')", 6],
  ["LEN(N'😀')", 2],
  ["LEFT('abcdefg', 2)", 'ab'],
  ["RIGHT('abcdefg', 2)", 'fg'],
  ["SUBSTRING('abcdef', 2, 3)", 'bcd'],
  ["SUBSTRING('abcdef', 0, 3)", 'ab'],
  ["CHARINDEX('C', 'abcabc')", 3],
  ["CHARINDEX('c', 'abcabc', 4)", 6],
  ["REPLACE('abCabc', 'c', 'x')", 'abxabx'],
  ["STUFF('abcdef', 2, 3, 'ijklmn')", 'aijklmnef'],
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
  ["PARSENAME('15.0.4375.4', 4)", '15'],
  ['STR(123.45, 6, 1)', ' 123.5'],
  ["FORMATMESSAGE('%s has %d', 'x', 3)", 'x has 3'],
  ['NCHAR(955)', 'λ'],
  ["UNICODE(N'λ')", 955],
  // Numbers and logic
  ['ABS(-1.5)', '1.5'],
  ['CEILING(123.45)', '124'],
  ['FLOOR(-123.45)', '-124'],
  ['ROUND(123.9994, 3)', '123.9990'],
  ['ROUND(123.9995, 3)', '124.0000'],
  ['ROUND(150.75, 0, 1)', '150.00'],
  ['ROUND(748.58, -1)', '750.00'],
  ['POWER(2, 10)', 1024],
  ['SQRT(16)', 4],
  ['SIGN(-3)', -1],
  ['NULLIF(4, 4)', null],
  ['NULLIF(4, 5)', 4],
  ["CHOOSE(3, 'a', 'b', 'c')", 'c'],
  ["IIF(45 > 30, 'TRUE', 'FALSE')", 'TRUE'],
  ['ISNULL(NULL, 3)', 3],
  ["ISNULL(CAST(NULL AS varchar(2)), 'abcd')", 'ab'],
  ["COALESCE(NULL, NULL, 'abcd')", 'abcd'],
  ["ISNUMERIC('1e5')", 1],
  ["ISNUMERIC('x')", 0],
  ["CASE 1 WHEN 2 THEN 'a' WHEN 1 THEN 'b' END", 'b'],
  ['CASE WHEN NULL = NULL THEN 1 ELSE 2 END', 2],
  ["CASE WHEN 'a' = 'A ' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN N'a' COLLATE Latin1_General_BIN2 = N'A' THEN 1 ELSE 2 END", 2],
  ["CASE WHEN 'abc' LIKE 'A_C' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 'abc  ' LIKE 'abc' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN N'abc  ' LIKE N'abc' THEN 1 ELSE 2 END", 2],
  ["CASE WHEN '50%' LIKE '50!%' ESCAPE '!' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 'b' LIKE '[a-c]' AND 'd' NOT LIKE '[a-c]' AND 'd' LIKE '[^a-c]' THEN 1 ELSE 2 END", 1],
  ["CASE WHEN 1 IN (2, NULL) THEN 'in' WHEN NOT 1 IN (2, NULL) THEN 'not in' ELSE 'unknown' END", 'unknown'],
  ["CASE WHEN '10' = 10 THEN 'number' END", 'number'],
  ["CASE WHEN '_' < '1' AND '1' < 'a' THEN 'collation' END", 'collation'],
  ["HASHBYTES('SHA1', 'abc')", new Uint8Array(Buffer.from('a9993e364706816aba3e25717850c26c9cd0d89d', 'hex'))],
  // Server and session
  ["CAST(SERVERPROPERTY('EngineEdition') AS int)", 3],
  ["FULLTEXTSERVICEPROPERTY('Nothing')", null],
  ["CASE WHEN SERVERPROPERTY('ServerName') = N'fake01' THEN 1 ELSE 0 END", 1],
  ["CASE WHEN SERVERPROPERTY('Nothing') IS NULL THEN 1 ELSE 0 END", 1],
  ["DB_ID('SALES')", 5],
  ['DB_NAME(5)', 'Sales'],
  ['DB_NAME()', 'master'],
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
  ['ERROR_NUMBER()', null],
];

describe('T-SQL expressions', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  for (const [expression, expected] of values) {
    it(`gives ${JSON.stringify(expected, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))} for ${expression}`, async () => {
      assert.deepEqual(await client.value(expression), expected);
    });
  }

  it('gives the same values where the strings come from rows', async () => {
    for (const [expression, expected] of values) {
      // A scalar subquery is no constant: what was computed at once is now computed row by row.
      const fromRows = expression.replace(/N?'(?:[^']|'')*'/g, (literal) => `(SELECT ${literal})`);
      assert.deepEqual(await client.value(fromRows), expected, fromRows);
    }
  });

  it('gives the same values when the arguments come from rows, not from constants', async () => {
    const rows =
      await client.rows(`SELECT n / 3, n % 3, n / 2.0, CONVERT(varchar(3), n) + 'x', CASE WHEN n IN (1, 2) THEN 'low' ELSE 'high' END, LEN(SPACE(n) + 'a'), ~n, -n
      FROM sys.numbers WHERE n BETWEEN 2 AND 3`);
    assert.deepEqual(rows, [
      [0, 2, '1.000000', '2x', 'low', 3, -3, -2],
      [1, 0, '1.500000', '3x', 'high', 4, -4, -3],
    ]);
  });

  it('gives every clock function of one statement the same moment', async () => {
    const [row] = await client.rows('SELECT SYSUTCDATETIME(), SYSUTCDATETIME() FROM sys.numbers WHERE n = 1');
    assert.equal(row?.[0], row?.[1]);
  });
});

/** [expression, number and text of the error] */
const failures: readonly (readonly [string, string])[] = [
  ["'a' + 1", "245 Conversion failed when converting the varchar value 'a' to data type int."],
  ["CAST('x' AS int)", "245 Conversion failed when converting the varchar value 'x' to data type int."],
  ["CAST('1.5' AS int)", "245 Conversion failed when converting the varchar value '1.5' to data type int."],
  ["CAST('2026-02-30' AS date)", '241 Conversion failed when converting date and/or time from character string.'],
  [
    "CAST('2026-02-30' AS datetime)",
    '242 The conversion of a varchar data type to a datetime data type resulted in an out-of-range value.',
  ],
  ["CAST('x' AS decimal(5, 2))", '8114 Error converting data type varchar to numeric.'],
  ['CAST(300 AS tinyint)', '220 Arithmetic overflow error for data type tinyint, value = 300.'],
  ['2147483647 + 1', '8115 Arithmetic overflow error converting expression to data type int.'],
  ['1 / 0', '8134 Divide by zero error encountered.'],
  ['CAST(123456 AS nvarchar(3))', '8115 Arithmetic overflow error converting expression to data type nvarchar.'],
  ["'a' - 'b'", '402 The data types varchar and varchar are incompatible in the subtract operator.'],
  ['nope(1)', "195 'nope' is not a recognized built-in function name."],
  ['dbo.nope(1)', '4121 Cannot find either column "dbo" or the user-defined function or aggregate "dbo.nope", or the name is ambiguous.'],
  ["SOUNDEX('x')", '50000 simulator: function SOUNDEX is not modelled'],
  ['CHECKSUM(1)', '50000 simulator: function CHECKSUM is not modelled'],
  ['@missing', '137 Must declare the scalar variable "@missing".'],
  ['@@DBTS', '50000 simulator: @@DBTS is not modelled'],
  ['LEN()', '174 The len function requires 1 argument(s).'],
  ["DATEDIFF(fortnight, '2026-01-01', '2026-01-02')", "155 'fortnight' is not a recognized datediff option."],
  ['CONVERT(varchar(30), GETDATE(), 999)', '281 999 is not a valid style number when converting from datetime to a character string.'],
  ["SERVERPROPERTY('ProductVersion') + 'x'", '402 Operand data type sql_variant is invalid for add operator.'],
  ['CAST(1 AS money)', '50000 simulator: type money is not modelled'],
  ['CAST(1 AS moneyy)', '243 Type moneyy is not a defined system type.'],
];

describe('T-SQL expressions that fail', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  for (const [expression, expected] of failures) {
    it(`answers ${expression} with ${expected}`, async () => {
      assert.equal(await client.error(`SELECT ${expression}`), expected);
    });
  }
});
