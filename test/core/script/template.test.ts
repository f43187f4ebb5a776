import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillTemplate, listParameters } from '../../../src/core/script/template';
import {
  quoteInComment,
  quoteString,
  quoteStringInScript,
  writeBigInteger,
  writeInteger,
} from '../../../src/core/script/quote';
import { readLiteral } from './read-literal';
import type { ReadTemplate } from '../../../src/core/script/text';
import { forAll } from '../../for-all';

const template =
  "SELECT TOP (<rows, int, 10>) N'<path, nvarchar(260), a*.xel>' WHERE 1 <> 2<clause, clause, > AND <rows, int, 10> < 3" as ReadTemplate;

describe('A template', () => {
  it('has the parameters that SSMS sees in it', () => {
    assert.deepEqual(listParameters(template), ['rows', 'path', 'clause']);
  });

  it('keeps the defaults where no value is given, so that it reads as the file does', () => {
    assert.equal(fillTemplate(template, {}), "SELECT TOP (10) N'a*.xel' WHERE 1 <> 2 AND 10 < 3");
  });

  it('fills each place of a parameter, and leaves a value that looks like a parameter alone', () => {
    assert.equal(
      fillTemplate(template, { rows: '5', path: '<rows, int, 1>', clause: '$& $1' }),
      "SELECT TOP (5) N'<rows, int, 1>' WHERE 1 <> 2$& $1 AND 5 < 3",
    );
  });

  it('refuses a value for a parameter that it does not have', () => {
    assert.throws(() => fillTemplate(template, { row: '5' }), /no parameter row/);
  });
});

describe('Quoting', () => {
  it('keeps every text inside its literal', () => {
    assert.equal(quoteString("x'; DROP DATABASE y;--"), "N'x''; DROP DATABASE y;--'");
  });

  it('gives the tools that run a script no line of its own and no variable to replace', () => {
    assert.equal(
      quoteStringInScript("a'\r\nGO\n$(b)"),
      "N'a''' + CONVERT(nvarchar(2), 0x0D000A00) + N'GO' + CONVERT(nvarchar(1), 0x0A00) + N'$' + N'(b)'",
    );
    assert.equal(quoteInComment('$(b)'), '$ (b)');
    assert.equal(quoteInComment('<<a, b, c>'), '{U+003C}{U+003C}a, b, c>');
  });

  it('is printable ASCII in a script, from which the same text comes back, halves of characters too', () => {
    assert.equal(
      quoteStringInScript('Prüfung 🚀'),
      "N'Pr' + CONVERT(nvarchar(1), 0xFC00) + N'fung ' + CONVERT(nvarchar(2), 0x3DD880DE)",
    );
    forAll(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(36, 39, 40, 10, 0xe4))),
      (units) => {
        const text = String.fromCharCode(...units);
        const quoted = quoteStringInScript(text);
        assert.match(quoted, /^[ -~]*$/);
        assert.doesNotMatch(quoted, /\$\(/);
        assert.equal(readLiteral(quoted), text);
      },
    );
  });

  it('lets no text end a comment or open another one', () => {
    const quoted = quoteInComment('a*/b/*c\r\nGO\n*/*/ /*/');
    assert.doesNotMatch(quoted, /\*\/|\/\*|[\r\n]/);
    assert.match(quoted, /a\* \/b\/ \*c\{U\+000D\}\{U\+000A\}GO\{U\+000A\}/);
  });

  it('writes integers only', () => {
    assert.equal(writeInteger(-5), '-5');
    assert.throws(() => writeInteger(1.5));
    assert.equal(writeBigInteger('9223372036854775807'), '9223372036854775807');
    assert.throws(() => writeBigInteger('1; DROP'));
  });
});
