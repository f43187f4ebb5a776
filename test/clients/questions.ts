/**
 * What is asked by one batch each, one after the other on one connection. What each must be answered with is what
 * tedious is answered, which the simulator's own tests hold (simulator/test/tsql).
 */
export const QUESTIONS: Readonly<Record<string, string>> = {
  'reads the names of all databases, however strange': 'SELECT name FROM sys.databases ORDER BY name;',
  'is told an error in the middle of a batch with several result sets':
    'SELECT one = 1;\nSELECT two = 1 / 0;\nSELECT three = 3;',
  'is told a missing object, which ends the batch':
    "PRINT N'before';\n\nSELECT * FROM dbo.nobody_has_this;\nPRINT N'not reached';",
  'is told a missing database': 'USE nobody_has_this;',
  'is told bad syntax, with its line': 'SELECT 1;\nSELECT FROM sys.databases;',
  'is told an undeclared variable': 'SELECT @nobody;',
  'is told RAISERROR of severity 16, and the statement behind it':
    "RAISERROR (N'It is %s, %d.', 16, 7, N'so', 5);\nSELECT after = 1;",
  'is told THROW, which ends the batch': "SELECT before = 1;\nTHROW 51234, N'thrown', 9;\nSELECT after = 1;",
  'is told an error that was caught, as rows':
    "BEGIN TRY SELECT one = CAST(N'x' AS int); END TRY BEGIN CATCH SELECT number = ERROR_NUMBER(), line = ERROR_LINE(); END CATCH;",
  'is told two errors of one statement':
    'ALTER DATABASE [nobody_has_this] SET TARGET_RECOVERY_TIME = 60 SECONDS;',
  'is told messages of PRINT and of RAISERROR below 11, which are no errors':
    "PRINT N'printed'; RAISERROR (N'raised', 10, 1); RAISERROR (N'now', 0, 1) WITH NOWAIT;",
  'uses a database': 'USE [msdb];',
  'is in the database of USE from then on': 'SELECT name = DB_NAME();',
  'makes a #table': 'CREATE TABLE #mine (id int NOT NULL); INSERT #mine (id) VALUES (1), (2);',
  'reads the #table from then on': 'SELECT n = COUNT(*) FROM #mine;',
};

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
