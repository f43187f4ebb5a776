import type { Message } from './client';

/** What one batch must be answered with, whichever client sends it. */
export interface Question {
  readonly title: string;
  readonly sql: string;
  /** The rows of each set, as text; null is NULL. */
  readonly rows?: readonly (readonly (readonly (string | null)[])[])[];
  readonly prints?: string;
  /** About a SET option. */
  readonly isOption?: boolean;
  readonly errors?: readonly Partial<Message>[];
}

const error = (number: number, severity: number, line: number, text: string, state?: number): Partial<Message> => ({
  ...{ number, severity, line, text },
  ...(state === undefined ? {} : { state }),
});

/** Asked one after the other on one connection. Lines and numbers of Microsoft's own messages (Microsoft Learn, "Database Engine events and errors"). */
export const QUESTIONS: readonly Question[] = [
  {
    title: 'is told an error in the middle of a batch with several result sets',
    sql: `SELECT one = 1;\nSELECT two = 1 / 0;\nSELECT three = 3;`,
    rows: [[['1']], [], [['3']]],
    errors: [error(8134, 16, 2, 'Divide by zero error encountered.', 1)],
  },
  {
    title: 'is told a missing object, which ends the batch',
    sql: `PRINT N'before';\n\nSELECT * FROM dbo.nobody_has_this;\nPRINT N'not reached';`,
    prints: 'before',
    errors: [error(208, 16, 3, "Invalid object name 'dbo.nobody_has_this'.")],
  },
  {
    title: 'is told a missing database',
    sql: 'USE nobody_has_this;',
    errors: [error(911, 16, 1, "Database 'nobody_has_this' does not exist. Make sure that the name is entered correctly.")],
  },
  {
    title: 'is told bad syntax, with its line',
    sql: `SELECT 1;\nSELECT FROM sys.databases;`,
    errors: [error(156, 15, 2, "Incorrect syntax near the keyword 'FROM'.")],
  },
  {
    title: 'is told an undeclared variable',
    sql: 'SELECT @nobody;',
    errors: [error(137, 15, 1, 'Must declare the scalar variable "@nobody".')],
  },
  {
    title: 'is told RAISERROR of severity 16, and the statement behind it',
    sql: `RAISERROR (N'It is %s, %d.', 16, 7, N'so', 5);\nSELECT after = 1;`,
    rows: [[['1']]],
    errors: [error(50000, 16, 1, 'It is so, 5.', 7)],
  },
  {
    title: 'is told THROW, which ends the batch',
    sql: `SELECT before = 1;\nTHROW 51234, N'thrown', 9;\nSELECT after = 1;`,
    rows: [[['1']]],
    errors: [error(51234, 16, 2, 'thrown', 9)],
  },
  {
    title: 'is told an error that was caught, as rows',
    sql: `BEGIN TRY SELECT one = CAST(N'x' AS int); END TRY BEGIN CATCH SELECT number = ERROR_NUMBER(), line = ERROR_LINE(); END CATCH;`,
    rows: [[], [['245', '1']]],
  },
  {
    title: 'is told two errors of one statement',
    sql: `ALTER DATABASE [nobody_has_this] SET TARGET_RECOVERY_TIME = 60 SECONDS;`,
    errors: [
      { number: 5011, severity: 14, line: 1 },
      { number: 5069, severity: 16, line: 1 },
    ],
  },
  {
    title: 'is told messages of PRINT and of RAISERROR below 11, which are no errors',
    sql: `PRINT N'printed'; RAISERROR (N'raised', 10, 1); RAISERROR (N'now', 0, 1) WITH NOWAIT;`,
    prints: 'printed\nraised\nnow',
  },
  { title: 'uses a database', sql: 'USE [msdb];' },
  { title: 'is in the database of USE from then on', sql: 'SELECT name = DB_NAME();', rows: [[['msdb']]] },
  { title: 'sets an option', sql: 'SET LOCK_TIMEOUT 1234;', isOption: true },
  { title: 'has the option of SET from then on', sql: 'SELECT milliseconds = @@LOCK_TIMEOUT;', rows: [[['1234']]], isOption: true },
  { title: 'makes a #table', sql: 'CREATE TABLE #mine (id int NOT NULL); INSERT #mine (id) VALUES (1), (2);' },
  { title: 'reads the #table from then on', sql: 'SELECT n = COUNT(*) FROM #mine;', rows: [[['2']]] },
  { title: 'begins two transactions', sql: 'BEGIN TRANSACTION; BEGIN TRANSACTION;' },
  { title: 'is in two transactions from then on', sql: 'SELECT n = @@TRANCOUNT;', rows: [[['2']]] },
  { title: 'ends one by COMMIT', sql: 'COMMIT TRANSACTION; SELECT n = @@TRANCOUNT;', rows: [[['1']]] },
  { title: 'ends all by ROLLBACK', sql: 'ROLLBACK TRANSACTION; SELECT n = @@TRANCOUNT;', rows: [[['0']]] },
  {
    title: 'is told COMMIT without a transaction',
    sql: 'COMMIT TRANSACTION;',
    errors: [{ number: 3902, severity: 16, text: 'The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.' }],
  },
];

/** Each type that clients send as a parameter, and a value of it. */
export const PARAMETERS = [
  ['bit', '1'],
  ['int', '-2147483648'],
  ['bigint', '9223372036854775807'],
  ['decimal(38, 10)', '-1234567890123456789012345678.0123456789'],
  ['float', '1.1e+100'],
  ['nvarchar(100)', `\u{1f680} 'quoted' [x] \u20ac`],
  ['nvarchar(100)', ''],
  ['nvarchar(max)', '\u00e4'.repeat(524_288)],
  ['varbinary(max)', '00ff'.repeat(100)],
  ['date', '1753-01-01'],
  ['datetime2(6)', '2026-03-02T08:00:00.123456'],
  ['datetimeoffset(6)', '2026-03-02T08:00:00.123456+01:00'],
  ['uniqueidentifier', '770C3538-EC3F-4C33-92BC-6A5E1E1E1E1E'],
] as const;

/** Every type that the protocol has, and its NULL, as a client shows it. */
export const TYPES_SQL = `
SELECT
    a_bit = CAST(1 AS bit), a_tinyint = CAST(255 AS tinyint), a_smallint = CAST(-32768 AS smallint), an_int = CAST(-2147483648 AS int),
    a_bigint = CAST(9223372036854775807 AS bigint), a_decimal = CAST(12345678901234567890123456789012345678 AS decimal(38, 0)),
    a_numeric = CAST(-0.000000001 AS decimal(38, 9)), a_float = CAST(1.1E100 AS float), a_real = CAST(1.1 AS real),
    a_date = CAST('0001-01-01' AS date), a_datetime = CAST('9999-12-31T23:59:59.997' AS datetime),
    a_smalldatetime = CAST('2079-06-06T23:59:00' AS smalldatetime), a_datetime2 = CAST('9999-12-31T23:59:59.123456' AS datetime2(6)),
    a_uniqueidentifier = CAST('770C3538-EC3F-4C33-92BC-6A5E1E1E1E1E' AS uniqueidentifier);
SELECT
    a_char = CAST('ab' AS char(5)), a_varchar = CAST('caf\u00e9' AS varchar(10)), an_nchar = CAST(N'\u20ac' AS nchar(3)),
    an_nvarchar = CAST(N'\ud83d\ude80 ''quoted'' [x]' AS nvarchar(40)), a_max = CAST(REPLICATE(CAST(N'\u00e4' AS nvarchar(max)), 100000) AS nvarchar(max)),
    a_binary = CAST(0x01 AS binary(3)), a_varbinary = CAST(0x00FF AS varbinary(10)), an_xml = CAST(N'<a b="1">x</a>' AS xml), empty = N'';
SELECT
    a_bit = CAST(NULL AS bit), an_int = CAST(NULL AS int), a_bigint = CAST(NULL AS bigint), a_decimal = CAST(NULL AS decimal(38, 5)), a_float = CAST(NULL AS float),
    a_real = CAST(NULL AS real), a_date = CAST(NULL AS date), a_datetime = CAST(NULL AS datetime), a_datetime2 = CAST(NULL AS datetime2(7)),
    an_offset = CAST(NULL AS datetimeoffset(7)), a_guid = CAST(NULL AS uniqueidentifier), a_varchar = CAST(NULL AS varchar(10)), a_max = CAST(NULL AS nvarchar(max)),
    a_binary = CAST(NULL AS varbinary(max)), an_xml = CAST(NULL AS xml), a_variant = CAST(NULL AS sql_variant);`;
