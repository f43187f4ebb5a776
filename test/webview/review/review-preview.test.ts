import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { colourScript } from '../../../src/webview/review/review-preview';

describe('The colours of a script', () => {
  const kinds = (lines: readonly string[]): readonly string[] =>
    colourScript(lines).flatMap((pieces) =>
      pieces.flatMap(({ kind, text }) => (kind === 'plain' ? [] : [`${kind} ${text}`])),
    );

  it('leave every character where it is', () => {
    const lines = readFileSync(
      join(__dirname, '../../../sql/change/set-target-recovery-time.sql'),
      'utf8',
    ).split('\n');
    const coloured = colourScript(lines);
    coloured.forEach((pieces, at) => assert.equal(pieces.map(({ text }) => text).join(''), lines[at]));
  });

  it('tell comments over several lines, texts with quotes in them, and words of the language', () => {
    assert.deepEqual(kinds(['/* IF one', "N'two' */ SET @x = N'it''s';", '-- END']), [
      'comment /* IF one',
      "comment N'two' */",
      'keyword SET',
      "string N'it''s'",
      'comment -- END',
    ]);
  });

  it('take the name of a database in a text for a text, whatever it is', () => {
    assert.deepEqual(kinds(["(N'/* BEGIN')"]), ["string N'/* BEGIN'"]);
  });
});
