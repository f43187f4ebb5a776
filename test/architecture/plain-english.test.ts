import assert from 'node:assert/strict';
import { readSourceFiles, type SourceFile } from './source-files';

/**
 * What a tired reader has to decode, and the plain word. The linter finds the same words in comments and in titles of
 * tests.
 */
const IDIOMS = [
  [/\banew\b/i, 'say "again"'],
  [/\bso many\b/i, 'say the number, or "that number"'],
] as const;
const MOST_CHARACTERS = 300;

/** Each as `path:line: the plain word`. Code between fences is left out; a row of a table may be long. */
function listHardWords({ path, text }: SourceFile): string[] {
  let isCode = false;
  return text.split('\n').flatMap((line, at) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    if (isCode) return [];
    const found: string[] = IDIOMS.filter(([pattern]) => pattern.test(line)).map(([, plain]) => plain);
    // On the marketplace a paragraph is one line.
    const isProse = !line.startsWith('|') && path !== 'README.md';
    if (isProse && line.length > MOST_CHARACTERS)
      found.push(`break the line, it has ${line.length} characters of at most ${MOST_CHARACTERS}`);
    return found.map((plain) => `${path}:${at + 1}: ${plain}`);
  });
}

describe('The documents', () => {
  const documents = readSourceFiles('', '.md');

  it('say it in plain English', () => {
    assert.ok(documents.length > 20 && documents.some(({ path }) => path === 'docs/facts.md'));
    assert.deepEqual(documents.flatMap(listHardWords), []);
  });

  it('would be told line and plain word, but not for code, long rows of tables and the words within other words', () => {
    const long = 'a'.repeat(301);
    const text = [
      'It is read anew.',
      '| so many rows |',
      long,
      '```',
      `anew ${long}`,
      '```',
      `| ${long} |`,
      'also many',
    ].join('\n');
    assert.deepEqual(listHardWords({ path: 'docs/a.md', text }), [
      'docs/a.md:1: say "again"',
      'docs/a.md:2: say the number, or "that number"',
      'docs/a.md:3: break the line, it has 301 characters of at most 300',
    ]);
    assert.deepEqual(listHardWords({ path: 'README.md', text: long }), []);
  });
});
