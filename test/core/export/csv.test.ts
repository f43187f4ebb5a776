import assert from 'node:assert/strict';
import fc from 'fast-check';
import { disarmFormula, writeCsv } from '../../../src/core/export/csv';
import type { ExportCell, ExportTable } from '../../../src/core/export/export-table';
import { readCsv, readDisarmed } from './csv-reader';
import { forAll } from '../../for-all';

function tableOf(columns: readonly string[], rows: readonly (readonly ExportCell[])[]): ExportTable {
  return { id: 'table', columns, rows: rows.length, row: (at) => rows[at] ?? [] };
}

function read(table: ExportTable): readonly (readonly string[])[] {
  const text = [...writeCsv(table)].join('');
  assert.equal(text[0], '\uFEFF');
  return readCsv(text.slice(1));
}

const HOSTILE = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', ' =cmd|/c calc', '"=1+1"', "'=1", '\ttext'],
  ...['\u00A0=1', '\u200B=1', '\uFEFF=1', '＝1+1', '＋1', '－1', '＠x', '−1'],
];

describe('A table as CSV', () => {
  it('has a header, quotes only where they are needed, and empty cells for what could not be observed', () => {
    const table = tableOf(
      ['database', 'p95_ms'],
      [
        ['a]b"c', 1.5],
        ['x,y', { missing: 'not observable' }],
        ['one\ntwo', 0],
      ],
    );
    assert.equal(
      [...writeCsv(table)].join(''),
      '\uFEFFdatabase,p95_ms\r\n"a]b""c",1.5\r\n"x,y",\r\n"one\ntwo",0\r\n',
    );
  });

  it('has no cell that a spreadsheet would run, whatever a database is called', () => {
    for (const text of HOSTILE) {
      const [, [cell = ''] = []] = read(tableOf(['x'], [[text]]));
      assert.equal(cell, `'${text}`);
    }
  });

  it('has none either for one that reads other separators than the comma', () => {
    const written = [
      ["shop;=cmd|'/C calc'!A0", "shop;'=cmd|'/C calc'!A0"],
      ['a\t=1+1', "a\t'=1+1"],
      ['\t=1', "'\t'=1"],
      ['a\r\n =1', "a\r'\n' =1"],
      ['x|@SUM(A1)', "x|'@SUM(A1)"],
      ['a; "-1"', 'a;\' "-1"'],
      ['a;\u200B＝1', "a;'\u200B＝1"],
    ] as const;
    for (const [text, disarmed] of written) {
      assert.deepEqual(read(tableOf(['x'], [[text]]))[1], [disarmed]);
      assert.equal(readDisarmed(disarmed, disarmFormula), text);
    }
    for (const text of ['a;b', 'a\tb', 'a|b'])
      assert.equal([...writeCsv(tableOf(['x'], [[text]]))].join('').slice(4), `"${text}"\r\n`);
  });

  it('leaves numbers numbers, also those below zero, and harmless names as they are', () => {
    for (const text of ['Sales', 'a=b', 'x-y', "O'Brien", '"quoted"', '😀', '1-2', '.hidden'])
      assert.equal(disarmFormula(text), text);
    assert.deepEqual(read(tableOf(['x'], [[-5.25], [1e21]])), [['x'], ['-5.25'], ['1e+21']]);
  });

  it('looks at each character of a text a few times, however many line ends it has', () => {
    const exec = RegExp.prototype.exec;
    for (const text of [
      '\n'.repeat(5_000),
      `${'\n'.repeat(5_000)}=`,
      '\n \t;'.repeat(1_000),
      `${' '.repeat(5_000)}\n`,
    ]) {
      let looked = 0;
      // A pattern looks at the text from where it begins, at most to its end.
      RegExp.prototype.exec = function (given) {
        looked += given.length - this.lastIndex;
        return exec.call(this, given);
      };
      try {
        disarmFormula(text);
      } finally {
        RegExp.prototype.exec = exec;
      }
      assert.ok(
        looked >= text.length && looked <= 4 * text.length,
        `${looked} for ${text.length} characters`,
      );
    }
  });

  it('is read back as what was written', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom(...'",\r\n=\' \t;|+a😀＝\u00A0'),
        maxLength: 12,
      }),
      fc.constantFrom(...HOSTILE),
    );
    const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const cell: fc.Arbitrary<ExportCell> = fc.oneof(name, number, fc.constant({ missing: 'not observable' }));
    const rows = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.record({
        columns: fc.array(name, { minLength: width, maxLength: width }),
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }),
      }),
    );
    forAll(rows, 500, (table) => {
      const [header = [], ...lines] = read(tableOf(table.columns, table.rows));
      assert.deepEqual(
        header.map((text) => readDisarmed(text, disarmFormula)),
        table.columns,
      );
      assert.equal(lines.length, table.rows.length);
      table.rows.forEach((cells, at) =>
        cells.forEach((written, column) => {
          const text = lines[at]?.[column] ?? assert.fail();
          if (typeof written === 'number')
            assert.ok(Object.is(Number(text), written) || Number(text) === written);
          else assert.equal(readDisarmed(text, disarmFormula), typeof written === 'string' ? written : '');
          if (typeof written === 'string')
            assert.ok(!/^[\s"']*[=+\-@\t\r＝＋－＠]/.test(text) || text.startsWith("'"));
          if (typeof written === 'string') assert.ok(!/[;|\t\r\n]\s*[=+\-@＝＋－＠]/.test(text));
        }),
      );
    });
  });
});
