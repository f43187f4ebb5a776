import assert from 'node:assert/strict';
import type { TextRows } from '../../../src/core/rows';
import {
  isBrokenOff,
  listColumns,
  readCaughtAnswers,
  writeCaughtReads,
} from '../../../src/core/script/caught-read';
import { fillTemplate } from '../../../src/core/script/template';
import type { ReadText } from '../../../src/core/script/text';
import { readTemplates } from '../../../src/texts';

describe('a read whose errors the host hides', () => {
  it('knows the columns of the outermost list, whatever is nested, quoted or commented in it', () => {
    const text = `/* SELECT no = 1 */ SELECT TOP (1)
      a = (SELECT TOP (1) x = b.c FROM b WHERE b.d = 1), -- no = 2,
      b = CASE WHEN 1 = 1 THEN N', no = 3' ELSE '' END,
      [c d] = CONVERT(varchar(3), y.[,], 126), e = f.g
    FROM y WHERE h = i;`;
    assert.deepEqual(listColumns(text), ['a', 'b', '[c d]', 'e']);
    assert.deepEqual(listColumns(`DECLARE @x nvarchar(9) = (SELECT no = 1 FROM z); ${text}`), [
      'a',
      'b',
      '[c d]',
      'e',
    ]);
  });

  it('knows the columns of every read of ours', () => {
    for (const [name, template] of Object.entries(readTemplates)) {
      const columns = listColumns(fillTemplate(template, {}));
      assert.ok(
        columns.length > 0 && columns.every((column) => /^[a-z_]+$/.test(column)),
        `${name}: ${columns.join()}`,
      );
      assert.equal(new Set(columns).size, columns.length);
    }
  });

  it('holds the whole text in a literal', () => {
    assert.match(
      writeCaughtReads(["SELECT a = N'it''s';" as ReadText]),
      /EXEC sys\.sp_executesql N'SELECT a = N''it''''s'';';/,
    );
  });

  const columns = ['part', 'caught_number', 'caught_message', 'ordinal', 'c1', 'c2'];
  const [one, two] = ['SELECT a = 1 FROM b;' as ReadText, 'SELECT a = 1, c = 2 FROM b;' as ReadText];

  it('answers with the rows, with none, or with the error and no rows', () => {
    const message = 'The log file name is invalid.';
    const end = ['2', null, null, null, null, null];
    const read = (row: readonly (string | null)[]): unknown =>
      readCaughtAnswers({ columns, rows: [row, end] }, [one])?.[0];
    assert.deepEqual(read(['1', null, null, '1', 'x', null]), { error: null, columns: ['a'], rows: [['x']] });
    assert.deepEqual(read(['1', null, null, null, null, null]), { error: null, columns: ['a'], rows: [] });
    assert.deepEqual(read(['1', '25718', message, null, null, null]), {
      error: { number: 25718, message },
      columns: ['a'],
      rows: [],
    });
  });

  const lookAt = (answer: TextRows): unknown => [
    readCaughtAnswers(answer, [one, two]),
    isBrokenOff(answer, [one, two]),
  ];

  it('gives each of several reads its own rows and its own error, and nothing where the end is missing', () => {
    const rows = [
      ['1', '297', 'denied', null, null, null],
      ['2', null, null, '1', 'x', 'y'],
      ['2', null, null, '2', 'z', null],
      ['3', null, null, null, null, null],
    ];
    const given = [
      { error: { number: 297, message: 'denied' }, columns: ['a'], rows: [] },
      {
        error: null,
        columns: ['a', 'c'],
        rows: [
          ['x', 'y'],
          ['z', null],
        ],
      },
    ];
    assert.deepEqual(readCaughtAnswers({ columns, rows }, [one, two]), given);
    assert.equal(
      readCaughtAnswers({ columns, rows: rows.slice(1) }, [one, two]),
      null,
      'one of them says nothing',
    );
    for (let left = 0; left < rows.length; left++)
      assert.deepEqual(lookAt({ columns, rows: rows.slice(0, left) }), [null, true], `after ${left} rows`);
    assert.deepEqual(lookAt({ columns: ['a'], rows: [] }), [null, false], 'that is another answer');
  });

  it('takes no other table for its answer', () => {
    for (const other of [[], ['a'], ['part', 'caught_number', 'ordinal', 'caught_message']])
      assert.equal(readCaughtAnswers({ columns: other, rows: [['1', null, null, null]] }, [one]), null);
  });
});
