/**
 * Dates, numbers and text turned into one another: Microsoft's documentation, "CAST and CONVERT", "Precision, scale,
 * and length", "Data type precedence".
 */
import { itGives, itRefuses, useClient, type DocumentedValue, type Refused } from './client';

const VALUES: readonly DocumentedValue[] = [
  ["CONVERT(varchar(30), CAST('2006-12-30 00:38:54.840' AS datetime), 126)", '2006-12-30T00:38:54.840'],
  ["CONVERT(datetime, '2006-12-30T00:38:54.840', 126)", '2006-12-30T00:38:54.840'],
  ["CONVERT(datetime, '13:14')", '1900-01-01T13:14:00.000'],
  ["CAST('061230' AS datetime)", '2006-12-30T00:00:00.000'],
  ["CAST('12/30/50' AS datetime)", '1950-12-30T00:00:00.000'],
  ["CAST('2006-12-30 10:11:12.1234567 +01:00' AS datetime2)", '2006-12-30T10:11:12.1234567'],
  ["CAST('2006-12-30T10:11:12Z' AS datetimeoffset(0))", '2006-12-30T10:11:12+00:00'],
  ["CAST(CAST('2006-12-30 10:11:12.9999999' AS datetime2) AS datetime2(0))", '2006-12-30T10:11:13'],
  ["CAST(CAST('2024-05-01 10:00:00 +02:00' AS datetimeoffset) AS datetime)", '2024-05-01T10:00:00.000'],
  [
    "DATEDIFF(hour, CAST('2024-05-01 10:00:00 +02:00' AS datetimeoffset), CAST('2024-05-01 10:00:00 +00:00' AS datetimeoffset))",
    2,
  ],
  [
    "CASE WHEN CAST('2024-05-01 10:00:00 +02:00' AS datetimeoffset) = CAST('2024-05-01 08:00:00 +00:00' AS datetimeoffset) THEN 1 ELSE 0 END",
    1,
  ],
  ["ISDATE('10')", 0],
  [
    'CAST(12345678901234567890123456789012345678 AS decimal(38,0)) + 1',
    '12345678901234567890123456789012345679',
  ],
  ['2.50 / CAST(7 AS int)', '0.3571428571428'],
  ['1.5 % 0.4', '0.3'],
  ['0x01 + 0x02', new Uint8Array([0x01, 0x02])],
  // "- (Negative)": an unsigned tinyint becomes a signed smallint.
  ['- CAST(5 AS tinyint)', -5],
  ["ISNULL(CAST(NULL AS char(3)), 'abcd')", 'abc'],
  ['CASE WHEN 1 = 1 THEN 1 ELSE 1.5 END', '1.0'],
  ['CONVERT(varchar(40), 1e0 / 3, 1)', '3.3333333e-001'],
  // Days of a datetime as a number.
  ["CAST(CAST('20240101 12:00' AS datetime) AS float)", 45290.5],
];

const FAILURES: Refused = {
  "CONVERT(varchar(30), CAST('2006-12-30 00:38:54.840' AS datetime), 99)": '281 ',
  "CAST('2006-12-30 24:00' AS datetime)": '242 ',
  "CAST('2006-12-30 10:11:12.1234567' AS datetime)": '241 ',
  'CAST(99999999999999999999999999999999999999 AS decimal(38,0)) + 1': '8115 ',
  'CAST(3.4e38 AS real) * 10': '8115 ',
  "'5' * '2'": '402 ',
  "CAST('10' AS datetime)": '241 ',
  'CAST(1e300 AS real)': '232 ',
  'CAST(3e2 AS tinyint)': '232 Arithmetic overflow error for type tinyint, value = 300.000000.',
  'CAST(1 AS bit) + CAST(1 AS bit)': '8117 Operand data type bit is invalid for add operator.',
};

describe('T-SQL conversions', () => {
  const client = useClient();

  itGives(client, VALUES);
  itRefuses(client, FAILURES);
});
