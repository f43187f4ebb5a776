import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteReader } from '../../tds/byte-reader';
import { ByteWriter } from '../../tds/byte-writer';
import { decodeCodePage, encodeCodePage } from '../../tds/code-page';
import { columnTypeOf } from '../../tds/column-types';
import { daysOfDate, ticksOfTime } from '../../tds/date-time';
import { encodeDecimal } from '../../tds/scalar-types';
import type { SqlType, SqlValue } from '../../tds/handler';
import type { Present } from '../../tds/scalar-types';
import { readTypedValue } from '../../tds/parameter-values';
import { RowFormat } from '../../tds/row-format';

/** The description and one value, as a RETURNVALUE or a parameter carries them. */
function encode(type: SqlType, value: Present): Buffer {
  const writer = new ByteWriter(16);
  const column = columnTypeOf(type, true);
  column.writeInfo(writer);
  column.writeValue(writer, value);
  return Buffer.from(writer.view());
}

describe('encodings of values', () => {
  it('count days from 0001-01-01, and know the Gregorian calendar', () => {
    assert.deepEqual(
      ['0001-01-01', '1900-01-01', '1970-01-01', '9999-12-31'].map(daysOfDate),
      [0, 693_595, 719_162, 3_652_058],
    );
    for (const wrong of ['2026-02-29', '0000-01-01', '2026-13-01', '26-01-01', ''])
      assert.throws(() => daysOfDate(wrong), RangeError, wrong);
    assert.throws(
      () => encode({ name: 'datetime2', scale: 0 }, '9999-12-31T23:59:59.9'),
      /outside of the years 1 to 9999/,
    );
    for (const wrong of ['24:00:00', '12:60', '12'])
      assert.throws(() => ticksOfTime(wrong), RangeError, wrong);
  });

  it('write a decimal of 38 digits exactly, and round what its scale does not hold', () => {
    const written = (text: string, precision: number, scale: number): string =>
      encodeDecimal(text, precision, scale).toString('hex');
    assert.equal(written(`-${'9'.repeat(38)}`, 38, 0), '00ffffffff3f228a097ac4865aa84c3b4b');
    assert.equal(written('12.5', 9, 2), '01e2040000');
    assert.equal(written('-0.005', 5, 3), '0005000000');
    assert.equal(written('1.005', 5, 2), '0165000000');
    assert.equal(written('-1.0049', 5, 2), '0064000000');
    for (const wrong of ['', '.', '1e5', '0x1', '1000'])
      assert.throws(() => encodeDecimal(wrong, 3, 0), RangeError, wrong);
  });

  it('know every character of code page 1252', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    assert.deepEqual(encodeCodePage(decodeCodePage(all)), all);
  });

  it('describe a NOT NULL column by its fixed-length type, which some clients insist on, and its values have no length', () => {
    const described = (type: SqlType, nullable: boolean, value: SqlValue): string => {
      const writer = new ByteWriter();
      const format = new RowFormat([{ name: '', type, nullable }]);
      format.writeColumns(writer);
      format.writeRow(writer, [value]);
      // Without COLMETADATA's token, count and user type, and ROW's token.
      return Buffer.from(writer.view(7)).toString('hex');
    };
    const moment = '1900-01-02T00:00:00';
    const forms: readonly (readonly [SqlType['name'], SqlValue, string, string])[] = [
      ['bit', true, '32|01', '6801|0101'],
      ['int', 7, '38|07000000', '2604|0407000000'],
      ['float', 1, '3e|000000000000f03f', '6d08|08000000000000f03f'],
      ['datetime', moment, '3d|0100000000000000', '6f08|080100000000000000'],
    ];
    for (const [name, value, fixed, variable] of forms) {
      const type = { name } as SqlType;
      assert.equal(described(type, false, value), `0800${fixed.replace('|', '00d1')}`, name);
      assert.equal(described(type, true, value), `0900${variable.replace('|', '00d1')}`, name);
    }
  });

  it('describe the base type of a sql_variant: its length, token, properties, value', () => {
    const variant = (type: SqlType, value: string | number): string =>
      encode({ name: 'sql_variant' }, { type, value }).subarray(5).toString('hex');
    assert.equal(variant({ name: 'int' }, 258), '06000000' + '3800' + '02010000');
    assert.equal(
      variant({ name: 'varchar', length: 3 }, 'é'),
      '0a000000' + 'a707' + '0904d00034' + '0300' + 'e9',
    );
    assert.equal(
      variant({ name: 'nvarchar', length: 128 }, 'a'),
      '0b000000' + 'e707' + '0904d00034' + '0001' + '6100',
    );
    assert.equal(
      variant({ name: 'decimal', precision: 5, scale: 2 }, '1'),
      '09000000' + '6c02' + '0502' + '0164000000',
    );
    assert.throws(() => variant({ name: 'nvarchar', length: 'max' }, 'a'), TypeError);
  });

  it('join chunks again, also of a length that was not known before', () => {
    const chunks = Buffer.from(
      'a5ffff' + 'feffffffffffffff' + '02000000' + '0102' + '01000000' + '03' + '00000000',
      'hex',
    );
    assert.deepEqual(readTypedValue(new ByteReader(chunks)), {
      type: { name: 'varbinary', length: 'max' },
      value: Uint8Array.of(1, 2, 3),
    });
  });

  it('read back as parameters what they write, whatever the value', () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 });
    const of = (type: SqlType, values: fc.Arbitrary<Present>): fc.Arbitrary<readonly [SqlType, Present]> =>
      values.map((value) => [type, value]);
    const typed = fc.oneof(
      of({ name: 'nvarchar', length: 200 }, text),
      of({ name: 'nvarchar', length: 'max' }, text),
      of({ name: 'bigint' }, fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
      of({ name: 'int' }, fc.integer()),
      of({ name: 'varbinary', length: 50 }, fc.uint8Array({ maxLength: 50 })),
    );
    const property = fc.property(typed, ([type, value]) => {
      const reader = new ByteReader(encode(type, value));
      assert.deepEqual(readTypedValue(reader), { type, value });
      assert.equal(reader.remaining, 0);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
