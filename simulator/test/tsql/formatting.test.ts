/** Numbers and dates as text, and dates from parts: values from the pages of FORMAT, CAST and CONVERT, DATETRUNC and the ...FROMPARTS functions. */
import { connect, type Client } from './client';
import { itGives, itRefuses, type DocumentedValue } from './documented-values';

const moment = "CAST('2024-03-02 08:09:10.123' AS datetime)";

const values: readonly DocumentedValue[] = [
  ["FORMAT(1234567.891, 'N2')", '1,234,567.89'],
  ["FORMAT(1234567.895, 'N')", '1,234,567.90'],
  ["FORMAT(-0.001, 'N2')", '0.00'],
  ["FORMAT(12, '000')", '012'],
  ["FORMAT(1234.5, '#,##0.00')", '1,234.50'],
  ["FORMAT(0, '#,###')", ''],
  ["FORMAT(123456789, '#,#')", '123,456,789'],
  ["FORMAT(255, 'X4')", '00FF'],
  ["FORMAT(42, 'D5')", '00042'],
  ["FORMAT(2.5e0, 'F1')", '2.5'],
  ["FORMAT(1234.5, 'C')", '$1,234.50'],
  [`FORMAT(${moment}, 'yyyy-MM-dd HH:mm:ss.fff')`, '2024-03-02 08:09:10.123'],
  [`FORMAT(${moment}, 'd')`, '3/2/2024'],
  [`FORMAT(${moment}, 'dddd, d MMM yy h:mm tt')`, 'Saturday, 2 Mar 24 8:09 AM'],
  ["FORMAT(NULL, 'd')".replace('NULL', 'CAST(NULL AS date)'), null],
  ['CONVERT(varchar(40), 1e0 / 3, 3)', '3.3333333333333331e-001'],
  ['CONVERT(varchar(40), 1e0 / 3, 2)', '3.333333333333333e-001'],
  ['CONVERT(varchar(40), 1e0 / 3, 1)', '3.3333333e-001'],
  ['CAST(0.00001e0 AS varchar(30))', '1e-005'],
  ['CAST(0.0001e0 AS varchar(30))', '0.0001'],
  ['DATETIMEFROMPARTS(2010, 12, 31, 23, 59, 59, 4)', '2010-12-31T23:59:59.003'],
  ['DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 5, 1)', '2011-08-15T14:23:44.5'],
  ['DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 50, 2)', '2011-08-15T14:23:44.50'],
  ['DATETIMEOFFSETFROMPARTS(2010, 12, 31, 14, 23, 23, 0, 12, 0, 7)', '2010-12-31T14:23:23.0000000+12:00'],
  ['TIMEFROMPARTS(23, 59, 59, 0, 0)', '23:59:59'],
  ['SMALLDATETIMEFROMPARTS(2010, 12, 31, 23, 59)', '2010-12-31T23:59:00'],
  ['LOG(8, 2)', 3],
  ['CAST(0xFF19966F868B11D0B42D00C04FC964FF AS uniqueidentifier)', '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
];

describe('T-SQL formatting', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  itGives(() => client, values);
  itRefuses(
    () => client,
    [
      ["FORMAT(0.25, 'P')", '50000 simulator: FORMAT P is not modelled'],
      ["FORMAT(-1, 'C')", '50000 simulator: FORMAT of a negative amount as currency is not modelled'],
      ["FORMAT(1, 'N', 'de-DE')", '50000 simulator: FORMAT for culture de-DE is not modelled'],
      ["FORMAT('x', 'N')", '8116 Argument data type varchar is invalid for argument 1 of format function.'],
      ['DATETIMEFROMPARTS(2010, 2, 30, 0, 0, 0, 0)', '289 '],
      ['CAST(1 AS bit) + CAST(1 AS bit)', '8117 Operand data type bit is invalid for add operator.'],
    ],
  );
});
