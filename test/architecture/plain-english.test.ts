import assert from 'node:assert/strict';
import { readSourceFiles, type SourceFile } from './source-files';

interface Idiom {
  readonly pattern: RegExp;
  readonly plain: string;
}

/** What a tired reader has to decode, and the plain word. ESLint finds the same words in comments and in titles of tests. */
const idioms: readonly Idiom[] = [
  { pattern: /\banew\b/i, plain: 'say "again"' },
  { pattern: /\bso many\b/i, plain: 'say the number, or "that number"' },
];
const mostCharacters = 300;
/** The page of the product on the marketplace: a paragraph is one line there. Its words are looked at as everywhere. */
const paragraphsInOneLine: ReadonlySet<string> = new Set(['README.md']);

/** Each as `path:line: the plain word`. Code between fences is left out; a row of a table may be long. */
function listHardWords({ path, text }: SourceFile): string[] {
  let isCode = false;
  return text.split('\n').flatMap((line, at) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    if (isCode) return [];
    const found = idioms.filter(({ pattern }) => pattern.test(line)).map(({ plain }) => plain);
    const isProse = !line.startsWith('|') && !paragraphsInOneLine.has(path);
    if (isProse && line.length > mostCharacters)
      found.push(`break the line, it has ${line.length} characters of at most ${mostCharacters}`);
    return found.map((plain) => `${path}:${at + 1}: ${plain}`);
  });
}

describe('The documents', () => {
  const documents = readSourceFiles('', '.md');

  it('are there', () => {
    assert.ok(documents.length > 20 && documents.some(({ path }) => path === 'docs/facts.md'));
  });

  it('say it in plain English', () => {
    assert.deepEqual(
      documents.flatMap((document) => listHardWords(document)),
      [],
    );
  });
});

describe('The judge of plain English', () => {
  const judge = (text: string, path = 'docs/a.md'): string[] => listHardWords({ path, text });

  it('names file, line and the plain word', () => {
    assert.deepEqual(judge('Good.\nIt is read anew.'), ['docs/a.md:2: say "again"']);
    assert.deepEqual(judge('| so many rows |'), ['docs/a.md:1: say the number, or "that number"']);
    assert.deepEqual(judge('a'.repeat(301)), ['docs/a.md:1: break the line, it has 301 characters of at most 300']);
  });

  it('lets code, long rows of tables and the words within other words pass', () => {
    const long = 'a'.repeat(400);
    assert.deepEqual(judge(`\`\`\`\nanew ${long}\n\`\`\`\n| ${long} |\nalso many`), []);
    assert.deepEqual(judge(long, 'README.md'), []);
  });
});
