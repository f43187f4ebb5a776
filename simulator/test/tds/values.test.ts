import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import type { SqlColumn, SqlType, SqlValue } from '../../tds/handler';
import { useServers } from './served';
import { run } from './tedious-client';

const utc = (text: string): Date => new Date(`${text}Z`);
const everyUnit = String.fromCharCode(...Array.from({ length: 0x2000 }, (_, index) => index * 8));
const megabytes = '€😀x'.repeat(700_000);

/** A type, values as a session gives them, and as tedious must give them where that is not the same. */
const cases: readonly (readonly [SqlType, readonly SqlValue[], (readonly unknown[])?])[] = [
  [{ name: 'bit' }, [true, false]],
  [{ name: 'tinyint' }, [0, 255]],
  [{ name: 'smallint' }, [-32_768, 32_767]],
  [{ name: 'int' }, [-2_147_483_648, 2_147_483_647]],
  [
    { name: 'bigint' },
    [-(2n ** 63n), 2n ** 63n - 1n, 7],
    ['-9223372036854775808', '9223372036854775807', '7'],
  ],
  [{ name: 'real' }, [0.5, -3.4028234663852886e38]],
  [{ name: 'float' }, [0.1, -1.7976931348623157e308, 5e-324]],
  [{ name: 'decimal', precision: 9, scale: 2 }, ['12.50', '-9999999.99', '0'], [12.5, -9_999_999.99, 0]],
  [{ name: 'decimal', precision: 38, scale: 0 }, ['9007199254740991', '-1'], [9_007_199_254_740_991, -1]],
  [{ name: 'uniqueidentifier' }, ['770C3538-EC3F-4D2B-9A1B-0102030405FF']],
  [{ name: 'xml' }, ['<e a="😀">é</e>', '']],
  [{ name: 'date' }, ['0001-01-01', '9999-12-31'], [utc('0001-01-01T00:00'), utc('9999-12-31T00:00')]],
  [
    { name: 'datetime' },
    [
      '1753-01-01T00:00:00',
      '2026-03-02T08:00:00.995',
      '2026-03-02T08:00:00.001',
      '9999-12-31T23:59:59.997',
      '2026-12-31T23:59:59.999',
    ],
    [
      '1753-01-01T00:00',
      '2026-03-02T08:00:00.997',
      '2026-03-02T08:00:00',
      '9999-12-31T23:59:59.997',
      '2027-01-01T00:00',
    ].map(utc),
  ],
  [
    { name: 'smalldatetime' },
    ['1900-01-01T00:00:29.998', '2079-06-06T23:59:00', '2026-03-02T23:59:30'],
    ['1900-01-01T00:00', '2079-06-06T23:59', '2026-03-03T00:00'].map(utc),
  ],
  [
    { name: 'time', scale: 3 },
    ['00:00:00', '23:59:59.999'],
    [utc('1970-01-01T00:00'), utc('1970-01-01T23:59:59.999')],
  ],
  [
    { name: 'datetime2', scale: 7 },
    ['0001-01-01T00:00:00', '2026-03-02T08:00:00.1234567', '9999-12-31T23:59:59.9999999'],
    ['0001-01-01T00:00', '2026-03-02T08:00:00.123', '9999-12-31T23:59:59.999'].map(utc),
  ],
  [{ name: 'datetime2', scale: 0 }, ['2026-12-31T23:59:59.5'], [utc('2027-01-01T00:00')]],
  [
    { name: 'datetimeoffset', scale: 3 },
    ['2026-03-02T00:30:00.250+01:00', '2026-03-02T23:30:00-05:30'],
    [utc('2026-03-01T23:30:00.250'), utc('2026-03-03T05:00')],
  ],
  [{ name: 'char', length: 5 }, ['ab', '€'], ['ab   ', '€    ']],
  [{ name: 'varchar', length: 20 }, ['', 'é€Ÿ™', 'Ω😀x'], ['', 'é€Ÿ™', '???x']],
  [{ name: 'varchar', length: 'max' }, ['', 'x'.repeat(100_000)]],
  [{ name: 'nchar', length: 3 }, ['é'], ['é  ']],
  [{ name: 'nvarchar', length: 4000 }, ['', 'a]b 😀 \ud800', 'x'.repeat(4000)]],
  [{ name: 'nvarchar', length: 'max' }, ['', everyUnit, megabytes]],
  [{ name: 'binary', length: 4 }, [Uint8Array.of(1, 2)], [Buffer.from([1, 2, 0, 0])]],
  [
    { name: 'varbinary', length: 10 },
    [Uint8Array.of(), Uint8Array.of(0, 255)],
    [Buffer.alloc(0), Buffer.from([0, 255])],
  ],
  [{ name: 'varbinary', length: 'max' }, [new Uint8Array(70_000).fill(7)], [Buffer.alloc(70_000, 7)]],
];

describe('values of every type', () => {
  const serve = useServers();
  let connection: Connection;
  let columns: readonly SqlColumn[];
  let rows: readonly (readonly SqlValue[])[];

  beforeEach(async () => {
    const { open } = await serve(() => [
      { kind: 'columns', columns },
      { kind: 'rows', rows },
      { kind: 'done', rowCount: rows.length },
    ]);
    connection = await open();
  });

  const fetch = async (
    type: SqlType,
    nullable: boolean,
    values: readonly SqlValue[],
  ): Promise<readonly unknown[]> => {
    columns = [
      { name: 'value', type, nullable },
      { name: 'guard', type: { name: 'int' }, nullable: false },
    ];
    rows = values.map((value, index) => [value, index]);
    const { sets } = await run(connection, 'SELECT');
    const [set = []] = sets;
    assert.deepEqual(
      set.map((row) => row[1]),
      values.map((_, index) => index),
    );
    return set.map((row) => row[0]);
  };

  for (const [type, values, expected = values] of cases) {
    const name = `${type.name}${'scale' in type ? `(${type.scale})` : ''}${'length' in type ? `(${type.length})` : ''}`;

    it(`arrive exactly as ${name}, in columns that take NULL and in columns that do not`, async () => {
      assert.deepEqual(await fetch(type, false, values), expected);
      assert.deepEqual(await fetch(type, true, [null, ...values, null]), [null, ...expected, null]);
    });
  }

  it('keep their seven digits of a second', async () => {
    const [moment] = (await fetch({ name: 'datetime2', scale: 7 }, true, [
      '2026-03-02T08:00:00.1234567',
    ])) as {
      readonly nanosecondsDelta: number;
    }[];
    assert.equal(moment?.nanosecondsDelta.toFixed(7), '0.0004567');
  });

  it('keep their own type inside of a sql_variant', async () => {
    const values: readonly (readonly [SqlValue, unknown])[] = [
      [null, null],
      [{ type: { name: 'bigint' }, value: 2n ** 40n }, String(2n ** 40n)],
      [{ type: { name: 'varbinary', length: 8000 }, value: Uint8Array.of(1, 2) }, Buffer.from([1, 2])],
      [{ type: { name: 'nvarchar', length: 128 }, value: '15.0.4322.2' }, '15.0.4322.2'],
      // Only ASCII here: tedious looks for the code page two bytes too late in a variant.
      [{ type: { name: 'varchar', length: 3 }, value: 'abc' }, 'abc'],
      [{ type: { name: 'decimal', precision: 10, scale: 3 }, value: '-1.125' }, -1.125],
      [
        { type: { name: 'datetime2', scale: 3 }, value: '2026-03-02T08:00:00.334' },
        utc('2026-03-02T08:00:00.334'),
      ],
      [{ type: { name: 'date' }, value: '2026-03-02' }, utc('2026-03-02T00:00')],
      [
        { type: { name: 'uniqueidentifier' }, value: '770C3538-EC3F-4D2B-9A1B-0102030405FF' },
        '770C3538-EC3F-4D2B-9A1B-0102030405FF',
      ],
    ];
    const given = values.map(([value]) => value);
    assert.deepEqual(
      await fetch({ name: 'sql_variant' }, true, given),
      values.map(([, expected]) => expected),
    );
  });

  it('fail the request, not the connection, where a session breaks its own description', async () => {
    const mistakes: readonly (readonly [SqlType, SqlValue])[] = [
      [{ name: 'int' }, null],
      [{ name: 'uniqueidentifier' }, null],
      [{ name: 'int' }, 2 ** 31],
      [{ name: 'tinyint' }, 256],
      [{ name: 'int' }, '1'],
      [{ name: 'varchar', length: 2 }, 'abc'],
      [{ name: 'decimal', precision: 4, scale: 2 }, '100'],
      [{ name: 'datetime' }, '1752-12-31T00:00:00'],
      [{ name: 'date' }, '2026-02-30'],
    ];
    for (const [type, value] of mistakes)
      await assert.rejects(fetch(type, false, [value]), { number: 50_000 }, `${type.name} ${String(value)}`);
    assert.deepEqual(await fetch({ name: 'int' }, false, [1]), [1]);
  });
});
