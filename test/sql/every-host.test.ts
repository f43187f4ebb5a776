import assert from 'node:assert/strict';
import { writeCaughtReads, writeGatheredRead } from '../../src/core/script/caught-read';
import { addPrologue, countMostRows, joinReads, leaveOutComments } from '../../src/core/script/prologue';
import { fillTemplate } from '../../src/core/script/template';
import { gatheringTemplates, ownSessionTemplates, readTemplates } from '../../src/texts';

/** Without comments, and with empty literals. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/N?'(?:[^']|'')*'/g, "''");
}

/** A host may give back the first result set only, all of it at once, and cut its cells (docs/facts.md, Hosts 3). */
describe('Every text that we run', () => {
  for (const [name, template] of Object.entries(readTemplates)) {
    // What is read into a variable first is not sent.
    const sent = codeOf(fillTemplate(template, {}))
      .trim()
      .replace(/^DECLARE [^;]+;\n/, '');

    it(`gives no cell that a host would cut: ${name}`, () => {
      // What FOR XML PATH('') gathers is text, and bounded by the CONVERT around it.
      assert.doesNotMatch(
        sent.replace(/CONVERT\(nvarchar\(4000\),\s*\(\s*SELECT [^;]*?FOR XML PATH\(''\)\s*\)/g, ''),
        /\(max\)|\bxml\b/i,
      );
      for (const [, , length] of sent.matchAll(/SUBSTRING\(([^()]*), (\d+)\)/g))
        assert.ok(Number(length) <= 32_000, name);
      // Columns of Extended Events that have no bound of their own.
      for (const [, before] of sent.matchAll(/(\S*\s*)\b\w+\.(?:event_data|target_data|predicate)\b(?! AS)/g))
        assert.match(
          before ?? '',
          /(?:LEFT|DATALENGTH|SUBSTRING)\($|CONVERT\(nvarchar\(\d{1,4}\),\s$/,
          `${name}: ${before}`,
        );
    });
  }

  for (const [name, template] of Object.entries(gatheringTemplates)) {
    it(`gives what a procedure answers in one bounded result set, with the error that it caught: ${name}`, () => {
      const code = codeOf(fillTemplate(template, {})).trim();
      const sent = code.slice(code.lastIndexOf('SELECT TOP'));
      assert.equal([...code.matchAll(/^SELECT TOP\b/gm)].length, 1);
      assert.match(sent, /^SELECT TOP \(\d+\)\s+caught_number = /);
      assert.doesNotMatch(sent, /\(max\)/);
      // And the row that ends it.
      assert.equal(
        countMostRows(writeGatheredRead(fillTemplate(template, {})).text),
        countMostRows(fillTemplate(template, {})) + 2,
      );
      assert.match(code, /BEGIN TRY\s+INSERT INTO @\w+ \([^)]*\)\s+EXEC[^;]+;\s+END TRY\s+BEGIN CATCH/);
    });
  }

  for (const [name, template] of Object.entries(ownSessionTemplates))
    it(`says how it went in its one result set: ${name}`, () => {
      const code = codeOf(fillTemplate(template, {}));
      assert.equal([...code.matchAll(/^SELECT\b/gm)].length, 1);
      assert.match(code.trim(), /SELECT\s+error_number = [^;]+;$/);
    });

  it('says how many rows it asks for, also where it is joined with another and where its errors are caught', () => {
    const texts = Object.values(readTemplates).map((template) => fillTemplate(template, {}));
    for (const text of texts) assert.ok(countMostRows(text) <= 70_000, text);
    const reads = [readTemplates.ringBuffer, readTemplates.eventSession].map((template) =>
      leaveOutComments(fillTemplate(template, {})),
    );
    assert.deepEqual(
      [...reads, joinReads(reads), writeCaughtReads(reads)].map(countMostRows),
      [100, 1, 101, 104],
    );
  });

  it('undoes what the settings of the user would do to it, before anything else', () => {
    const text = addPrologue(writeCaughtReads([fillTemplate(readTemplates.databaseFacts, {})]));
    const settings = [
      'NOCOUNT ON',
      'ROWCOUNT 0',
      'TEXTSIZE 2147483647',
      'IMPLICIT_TRANSACTIONS OFF',
      'TRANSACTION ISOLATION LEVEL READ COMMITTED',
      'DEADLOCK_PRIORITY LOW',
    ];
    for (const setting of settings)
      assert.ok(text.indexOf(`SET ${setting};`) < text.indexOf('DECLARE'), setting);
    assert.match(text, /SET LOCK_TIMEOUT \d+;/);
  });
});
