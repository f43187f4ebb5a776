import assert from 'node:assert/strict';
import { listColumns, readCaughtAnswer, writeCaughtRead } from '../../../src/core/script/caught-read';
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
    assert.deepEqual(listColumns(`DECLARE @x nvarchar(9) = (SELECT no = 1 FROM z); ${text}`), ['a', 'b', '[c d]', 'e']);
  });

  it('knows the columns of every read of ours', () => {
    for (const [name, template] of Object.entries(readTemplates)) {
      const columns = listColumns(fillTemplate(template, {}));
      assert.ok(columns.length > 0 && columns.every((column) => /^[a-z_]+$/.test(column)), `${name}: ${columns.join()}`);
      assert.equal(new Set(columns).size, columns.length);
    }
  });

  it('holds the whole text in a literal', () => {
    assert.match(writeCaughtRead("SELECT a = N'it''s';" as ReadText), /EXEC sys\.sp_executesql N'SELECT a = N''it''''s'';';/);
  });

  const columns = ['caught_number', 'caught_message', 'ordinal', 'a'];

  it('answers with the rows, with none, or with the error and no rows', () => {
    assert.deepEqual(readCaughtAnswer(columns, [[null, null, '1', 'x']]), { error: null, columns: ['a'], rows: [['x']] });
    assert.deepEqual(readCaughtAnswer(columns, [[null, null, null, null]]), { error: null, columns: ['a'], rows: [] });
    const error = { number: 25718, message: 'The log file name is invalid.' };
    assert.deepEqual(readCaughtAnswer(columns, [['25718', error.message, null, null]]), { error, columns: ['a'], rows: [] });
  });

  it('takes no other table for its answer', () => {
    for (const other of [[], ['a'], ['caught_number', 'ordinal', 'caught_message']])
      assert.equal(readCaughtAnswer(other, [['1', null, null]]), null);
    assert.equal(readCaughtAnswer(columns, []), null);
  });
});
