import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexBatch } from '../../../simulator/tsql/lexer';
import { addPrologue, leaveOutComments } from '../../../src/core/script/prologue';
import { fillTemplate } from '../../../src/core/script/template';
import { gatheringTemplates, ownSessionTemplates, readTemplates } from '../../../src/texts';
import { forAll } from '../../for-all';

const tokensOf = (sql: string): readonly string[] => lexBatch(sql).tokens.map(({ text }) => text);

describe('What is sent of a text', () => {
  it('is the text without its comments, and without the lines that held nothing else', () => {
    const text =
      "/* It's\n   a /* nested */ header\n*/\nSELECT one = 1, -- the first\n    /* alone */\n    two = 2 /* beside */ + 3;\n";
    assert.equal(leaveOutComments(text), 'SELECT one = 1,  \n    two = 2   + 3;\n');
  });

  it('is, word for word, what the file says, for each file that we send', () => {
    const reads = Object.entries({ ...readTemplates, ...gatheringTemplates }).map(
      ([name, one]) => [name, fillTemplate(one, {})] as const,
    );
    const own = Object.entries(ownSessionTemplates).map(
      ([name, one]) => [name, fillTemplate(one, {})] as const,
    );
    for (const [name, text] of [...reads, ...own]) {
      const sent = leaveOutComments<string>(text);
      assert.deepEqual(tokensOf(sent), tokensOf(text), name);
      assert.doesNotMatch(sent, /^\/\*|Purpose:/m, name);
      assert.doesNotMatch(sent, /\n\n\n/, name);
    }
  });

  it('is, word for word, any text without its comments', () => {
    const part = fc.constantFrom(
      ...['a', ' ', '\n', ',', '1', '/', '-', '*'],
      ...["'it''s -- /* '", '[b]]/*]', '"c--"', "-- d's\n", "/* e's /* f */ [ */"],
    );
    forAll(fc.array(part), (parts) => {
      // A minus before a comment, or a star behind a stroke, would be another token.
      const text = parts.join(' ');
      assert.deepEqual(tokensOf(leaveOutComments(text)), tokensOf(text));
    });
  });

  it('stands behind the name of its file and the settings that undo those of the user', () => {
    const text = addPrologue(fillTemplate(readTemplates.serverClock, {}));
    assert.ok(text.startsWith('/* Checkpoint Health: server-clock */\nSET NOCOUNT ON;\n'));
    assert.ok(text.length < fillTemplate(readTemplates.serverClock, {}).length);
  });
});
