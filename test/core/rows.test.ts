import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bit,
  decimal,
  defineRow,
  integer,
  nullable,
  readRows,
  text,
  utc,
  readRowPages,
} from '../../src/core/rows';
import { finishSteps } from '../../src/core/steps';
import { valuesOf } from './values-of';
import { forAll } from '../for-all';

const DATABASE = defineRow({
  name: text(),
  database_id: integer(),
  target: nullable(integer()),
  at: utc(),
  is_on: bit(),
});
const COLUMNS = ['name', 'database_id', 'target', 'at', 'is_on'];
const AT = '2016-07-09T03:30:14.023';

describe('rows', () => {
  it('reads cells as the values that the spec names', () => {
    const { rows, problems } = readRows(DATABASE, { columns: COLUMNS, rows: [['x', '5', null, AT, 'True']] });
    assert.deepEqual(problems, []);
    assert.deepEqual(rows, [
      { name: 'x', databaseId: 5, target: null, at: Date.UTC(2016, 6, 9, 3, 30, 14, 23), isOn: true },
    ]);
  });

  it('finds columns in any order and in any case', () => {
    const set = {
      columns: ['IS_ON', 'At', 'Target', 'DATABASE_ID', 'Name'],
      rows: [['0', AT, '60', '-5', '']],
    };
    const { rows } = readRows(DATABASE, set);
    assert.deepEqual(
      [rows[0]?.name, rows[0]?.databaseId, rows[0]?.target, rows[0]?.isOn],
      ['', -5, 60, false],
    );
  });

  it('leaves out a row with a wrong value and names row and column', () => {
    const good = ['x', '5', '0', AT, '1'];
    const set = {
      columns: COLUMNS,
      rows: [good, ['x', '5.0', 'sixty', AT, '1'], good, [null, '5', '0', AT, 'yes']],
    };
    const { rows, problems } = readRows(DATABASE, set);
    assert.equal(rows.length, 2);
    assert.deepEqual(valuesOf(problems, 'row', 'column'), [
      [2, 'database_id'],
      [2, 'target'],
      [4, 'name'],
      [4, 'is_on'],
    ]);
    assert.equal(
      problems[1]?.message,
      'Row 2, column "target": expected a whole number or NULL, found "sixty".',
    );
    assert.equal(problems[2]?.message, 'Row 4, column "name": expected text, found NULL.');
  });

  it('names missing columns and reads nothing without them', () => {
    const { rows, problems } = readRows(DATABASE, {
      columns: ['name', 'at', 'is_on'],
      rows: [['x', AT, '1']],
    });
    assert.equal(rows.length, 0);
    assert.deepEqual(valuesOf(problems, 'kind', 'column'), [
      ['missing column', 'database_id'],
      ['missing column', 'target'],
    ]);
  });

  it('names unknown columns and reads the rows nevertheless', () => {
    const { rows, problems } = readRows(defineRow({ a: text() }), {
      columns: ['a', 'b'],
      rows: [['1', '2']],
    });
    assert.deepEqual(rows, [{ a: '1' }]);
    assert.deepEqual(problems[0], {
      kind: 'unknown column',
      column: 'b',
      row: null,
      message: 'The query returned an unknown column, "b".',
    });
  });

  it('refuses a column that stands twice', () => {
    const { rows, problems } = readRows(defineRow({ a: text() }), {
      columns: ['a', 'A'],
      rows: [['1', '2']],
    });
    assert.deepEqual([rows.length, problems[0]?.kind], [0, 'repeated column']);
  });

  it('takes a short row as one with NULLs', () => {
    const { problems } = readRows(DATABASE, { columns: COLUMNS, rows: [['x']] });
    assert.deepEqual(valuesOf(problems, 'column'), ['database_id', 'at', 'is_on']);
  });

  it('is strict about numbers and bits', () => {
    const read = (cell: string, kind: typeof integer | typeof decimal | typeof bit) =>
      readRows(defineRow({ a: kind() as ReturnType<typeof integer> }), { columns: ['a'], rows: [[cell]] })
        .rows[0]?.a;
    for (const cell of [
      '',
      ' 1',
      '1 ',
      '+1',
      '1e3',
      '0x1',
      '1,000',
      '9007199254740993',
      '1\n',
      '--1',
      'NULL',
    ]) {
      assert.equal(read(cell, integer), undefined, JSON.stringify(cell));
    }
    assert.equal(read('9007199254740991', integer), Number.MAX_SAFE_INTEGER);
    assert.ok(Object.is(read('-0', integer), 0));
    for (const cell of ['', '.', '1e', 'Infinity', '1e999', 'NaN', '1,5'])
      assert.equal(read(cell, decimal), undefined, cell);
    assert.deepEqual(
      ['0.5', '.5', '-4306.30', '1.0E-002', '7'].map((cell) => read(cell, decimal)),
      [0.5, 0.5, -4306.3, 0.01, 7],
    );
    for (const cell of ['2', 'on', 'yes', '', '01']) assert.equal(read(cell, bit), undefined, cell);
    assert.deepEqual(
      ['TRUE', 'false', '1', '0'].map((cell) => read(cell, bit)),
      [true, false, true, false],
    );
  });
});

const SPEC = defineRow({ id: integer(), name: text() });

describe('Rows read in steps', () => {
  it('are the rows and the problems that they are at once', () => {
    const cell = fc.constantFrom('1', 'x', null);
    const columns = fc.constantFrom(['id', 'name'], ['id'], ['id', 'name', 'more']);
    forAll(
      fc.tuple(columns, fc.integer({ min: 0, max: 1_700 }), fc.array(cell, { minLength: 7, maxLength: 7 })),
      40,
      ([names, rows, cells]) => {
        const set = {
          columns: names,
          rows: Array.from({ length: rows }, (_, row) =>
            names.map((__, column) => cells[(row * 3 + column) % 7] ?? null),
          ),
        };
        assert.deepEqual(finishSteps(readRowPages(SPEC, set)), readRows(SPEC, set));
      },
    );
  });
});
