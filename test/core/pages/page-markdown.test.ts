import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { writeCell, type EvidencePage, type EvidenceTable } from '../../../src/core/pages/evidence-page';
import { writePageMarkdown } from '../../../src/core/pages/page-markdown';
import { fakeEvidence } from '../../webview/fake-evidence';

/**
 * As lenient as readers' programs are: HTML is let through; addresses become links where they have a scheme or an at
 * sign, as in VS Code's preview.
 */
const parser = new MarkdownIt({ html: true, linkify: true });
parser.linkify.set({ fuzzyLink: false });

const OURS =
  /^(inline|text|text_special|(heading|paragraph|bullet_list|list_item|table|thead|tbody|tr|th|td)_(open|close))$/;

/** What a reader sees of the Markdown, block by block, and every kind of markup that was found in it. */
function read(markdown: string): { readonly texts: readonly string[]; readonly markup: readonly string[] } {
  const tokens = parser.parse(markdown, {});
  const inline = tokens.filter(({ type }) => type === 'inline');
  const leaves = inline.flatMap(({ children }) => children ?? []);
  return {
    texts: inline.map(({ children }) => (children ?? []).map(({ content }) => content).join('')),
    markup: [...tokens, ...leaves].map(({ type }) => type).filter((type) => !OURS.test(type)),
  };
}

function pageOf(names: readonly string[], heading = 'Names'): EvidencePage {
  const table: EvidenceTable = {
    id: 'names',
    heading,
    columns: [
      { name: 'database', heading: 'Database', title: '', isNumeric: false },
      { name: 'again', heading: 'Again', title: '', isNumeric: true },
    ],
    rows: names.map((name) => ({ databaseId: null, cells: [writeCell(name), writeCell(name)] })),
  };
  return { summary: names.join(' and '), tables: [table], notes: names };
}

/** How a text is read back: what cannot be seen by its code point, and runs of blanks as one. */
const plain = (text: string): string =>
  text
    .replace(
      /[\r\n\t\u2028\u202e\u200b\u00ad]/g,
      (one) => `<U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    )
    .replace(/ +/g, ' ')
    .trim();

describe('A page of evidence as Markdown', () => {
  it('says what the page says, in its order', () => {
    const { writeWork } = fakeEvidence();
    const { texts, markup } = read(writePageMarkdown(writeWork, 'I/O of PROD-SQL07'));
    const expected = [
      'I/O of PROD-SQL07',
      writeWork.summary,
      ...writeWork.tables.flatMap(({ heading, columns, rows }) => [
        ...[heading, ...columns.map((column) => column.heading)],
        ...rows.flatMap(({ cells }) => cells.map(({ text }) => text)),
      ]),
      'What these figures rest on',
      ...writeWork.notes,
    ];
    assert.deepEqual([texts, markup], [expected, []]);
  });

  it('aligns figures to the right', () => {
    assert.match(writePageMarkdown(pageOf(['a']), 't'), /^\| --- \| ---: \|$/m);
  });

  it('is a page that a person can read as it is', () => {
    const [page] = [fakeEvidence().beforeAfter];
    const lines = writePageMarkdown(page, 'Before / after').split('\n');
    assert.equal(lines[0], '# Before / after');
    assert.ok(lines.includes('## Limits'));
    assert.ok(
      lines.includes(
        '| Log writes, mean | 3.1 ms | 6.4 ms | none: stop | 6.2 ms | Limit: twice the value before wave 1. |',
      ),
    );
  });

  it('keeps any text text, whatever its characters', () => {
    const piece = fc.constantFrom(
      ...'\\`*_{}[]()#+-.!|~$<>&@:/"\'=^ \r\n\t\u2028\u202e\u200b\u00ada1é🗄',
      ...[
        '<img src=x onerror=alert(1)>',
        '</td><script>',
        '<!-- x -->',
        '[^1]',
        '[ref]: ',
        ':smile:',
        '{{7*7}}',
        '---',
        '=====',
        '&amp;',
      ],
      ...['http', 'www.', '://', '.com', '1.', '    ', '\\|', '&#', ';'],
    );
    const name = fc.array(piece, { maxLength: 12 }).map((pieces) => `n${pieces.join('')}`);
    fc.assert(
      fc.property(
        fc.array(
          fc
            .oneof(
              name,
              name.map((text) => text.slice(1)),
            )
            .filter((text) => plain(text) !== ''),
          { minLength: 1, maxLength: 3 },
        ),
        (names) => {
          const markdown = writePageMarkdown(pageOf(names), 'Title');
          // GitHub makes links of these without any markup, which this parser does not.
          assert.doesNotMatch(markdown, /(?<!\w)www\.\w|\w@\w/);
          const { texts, markup } = read(markdown);
          const all = names.map(plain);
          const summary = plain(names.join(' and '));
          assert.deepEqual(texts, [
            'Title',
            summary,
            'Names',
            'Database',
            'Again',
            ...all.flatMap((one) => [one, one]),
            'What these figures rest on',
            ...all,
          ]);
          assert.deepEqual(markup, []);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
