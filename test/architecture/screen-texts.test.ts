import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/packages';
import {
  isCallOf,
  listFound,
  listScreenTexts,
  placeOf,
  readSourceFiles,
  readText,
  type ScreenText,
  type SourceFile,
} from './source-files';

const shipped = readSourceFiles('src');

/** Not on the screen: `english` of core/format. */
const ENGLISH = /: (\{[01]?\} (d|h|min|ms|s)( \{1\} (h|min|s))?|\{\} and \{\}|system database)$/;
/** Where texts stay English, or are no texts. */
const englishOnly: readonly { readonly files: RegExp; readonly reason: string }[] = [
  {
    files: /^src\/core\/script\//,
    reason: 'T-SQL and its headings are kept, hashed and read by colleagues who may use another language',
  },
  { files: /^src\/texts\.ts$/, reason: 'names of files' },
  { files: /^src\/core\/language\.ts$/, reason: 'the door itself' },
  {
    files: /^src\/core\/format\.ts$/,
    reason: 'each English text of `english` stands beside that of the screen',
  },
  { files: /^src\/core\/export\//, reason: 'files for programs, which look for the same words everywhere' },
  {
    files: /^src\/core\/errorlog\/(known-noise|renamed-line)\.ts$/,
    reason: "patterns of SQL Server's own lines, and such lines",
  },
  { files: /^src\/monitor\/vendor\/renamed-answers\.ts$/, reason: 'names of columns' },
  {
    files: /^src\/core\/events\/(event-xml|xml-walk)\.ts$/,
    reason: 'kept with a row that cannot be read; the screen counts such rows',
  },
  { files: /^src\/core\/advice\/setting-rows\.ts$/, reason: 'names of settings' },
  { files: /^src\/core\/advice\/last-checkpoint\.ts$/, reason: 'written into scripts' },
  {
    files: /^src\/core\/capture\/(database-index|ledger)\.ts$/,
    reason: 'kept with a capture, and counted by these words',
  },
  {
    files: /^src\/core\/write-work\/write-work-bytes\.ts$/,
    reason: 'names of tables in a file, and what the log of the extension says of it',
  },
];

/** The same of single texts, as `path:line: text`. */
const names: readonly { readonly texts: RegExp; readonly reason: string }[] = [
  {
    texts: /^src\/captures\/.*: (checkpoint-health (capture|section)|then, little-endian: .*)$/,
    reason: 'written into files',
  },
  {
    texts:
      /^src\/hosts\/.*: (Checkpoint Health|MSSQL: Edit Connection Sharing Permissions|exports\.connectionSharing: \{\})$/,
    reason: 'names by which programs know each other',
  },
  { texts: /^src\/monitor\/evidence\/kept-changes\.ts/, reason: 'written into the log of the extension' },
  {
    texts:
      /^src\/monitor\/tracking\/own-session\.ts.*: (Start tracking: .*|Stop tracking|Remove tracking|Change the databases .*|Add the event .*|SQL Server)$/,
    reason: 'headings of T-SQL, in the log and where it is shown',
  },
  {
    texts:
      /^src\/monitor\/(script-writing|switch-review)\.ts.*: (\{\} measured\{\}|, \{\} of the time|longest \{\})$/,
    reason: 'written into scripts',
  },
  {
    texts:
      /^src\/(monitor|shell)\/.*: (Azure .*|Microsoft (Entra|Fabric)|SQL Server \{\}|Windows|Apache Parquet|not saved|connections gone|opened last|Dismissed)$/,
    reason: 'names of products, and values that are kept or that nobody sees',
  },
  { texts: /^src\/shell\/kit\/webview-page\.ts/, reason: 'HTML' },
  { texts: /^src\/core\/event-files\/saved-event\.ts.*: </, reason: 'events as SQL Server writes them' },
  {
    texts: /^src\/shell\/.*: (- )?(Checkpoint Health(:? \{\})?|Microsoft Entra)$/,
    reason: 'names of products',
  },
  {
    texts: /^src\/shell\/commands\/evidence-commands\.ts.*: FlushCache: /,
    reason: "a line of SQL Server's own",
  },
  {
    texts: /^src\/hosts\/mssql\/profile\.ts.*: (Server|data source|network address|user id)$/,
    reason: "mssql's own names",
  },
];

/**
 * Members of unions of literals, 'mostly free', and of lists and tables that are types, `[...] as const`. Where one is
 * shown, a table gives its text.
 */
const codes: ReadonlySet<string> = new Set(
  shipped.flatMap((file) =>
    listFound(file, (node) => {
      const isKey = ts.isPropertyAssignment(node) && ts.isAsExpression(node.parent.parent);
      if (isKey && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) return node.name.text;
      if (!ts.isStringLiteral(node)) return null;
      const isMember = ts.isArrayLiteralExpression(node.parent) && ts.isAsExpression(node.parent.parent);
      const isAtHead = isMember && ts.isSourceFile(node.parent.parent.parent.parent.parent.parent);
      return ts.isLiteralTypeNode(node.parent) || isAtHead ? node.text : null;
    }),
  ),
);

/** Every text that reads like something for a person and does not go through `t`, as `path:line: text`. */
function listTextsPastBundles(file: SourceFile): string[] {
  return listFound(file, (node) => {
    const text = readText(node);
    return text === null || !isForPeople(text) || codes.has(text) || isForMachines(node)
      ? null
      : `${placeOf(node)}: ${text}`;
  });
}

/** A unit or an id; a selector, a transform, a gradient or a font. */
const NO_WORDS =
  /^((\{0?\}|\d+) ms|database_id \{\})$|^\.[\w-]+, |:not\(|^(translate|inset|linear-gradient)\(|sans-serif$|^(600 \d+px|\{\} \{\}px) \{\}$/;

/**
 * Two words, or one with a capital: a code of ours is lowercase, a name of SQL Server is in capitals or has no blank.
 */
function isForPeople(text: string): boolean {
  if (NO_WORDS.test(text) || !/[a-z]{2}/.test(text)) return false;
  return /[\p{L}\d}),.;:%…·”"] +[\p{L}{(“"]/u.test(text) || /^[A-Z][a-z]{2,}(…|\.\.\.)?$/.test(text);
}

/**
 * `t` itself, functions whose text is a pattern, a selector, a class, a key or the title of a page, and lines of the
 * log.
 */
const FOR_MACHINES =
  /^(t|fail|citeLearn|matchMedia|querySelector|querySelectorAll|closest|matches|startsWith|endsWith|includes|indexOf|split|replace|replaceAll|get|has|RegExp|require|addEventListener|attr|setAttribute|executeCommand|info|warn|error)$/;

/**
 * Imports, types, cases, comparisons, names of properties, kinds, classes, keys, titles of published pages, and the
 * messages of errors that only a bug throws.
 */
function isForMachines(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isCaseClause(parent))
    return true;
  if (ts.isBinaryExpression(parent) && /^[=!]==$/.test(parent.operatorToken.getText())) return true;
  if ((ts.isPropertyAssignment(parent) && parent.name === node) || ts.isElementAccessExpression(parent))
    return true;
  // Of a published page: `{ title: '...', url: ... }`. It has the name that its author gave it.
  const isTitle =
    ts.isPropertyAssignment(parent) &&
    parent.name.getText() === 'title' &&
    ts.isObjectLiteralExpression(parent.parent);
  if (isTitle && parent.parent.properties.some(({ name }) => name?.getText() === 'url')) return true;
  for (let at: ts.Node = parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isTypeNode(at) || isCallOf(at, FOR_MACHINES)) return true;
    if (ts.isPropertyAssignment(at) && /^(kind|class|key|'aria-describedby')$/.test(at.name.getText()))
      return true;
    if (ts.isNewExpression(at) && /^(Range|Type)?Error$/.test(at.expression.getText())) return true;
    if (ts.isStatement(at)) return false;
  }
  return false;
}

const places = (text: string): readonly string[] => [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();

describe('Texts of the screen', () => {
  const texts: readonly ScreenText[] = shipped.flatMap(listScreenTexts);

  it('all go through a bundle', () => {
    const outside = shipped
      .filter(({ path }) => !englishOnly.some(({ files }) => files.test(path)))
      .flatMap(listTextsPastBundles);
    assert.deepEqual(
      outside.filter((text) => !ENGLISH.test(text) && !names.some(({ texts: each }) => each.test(text))),
      [],
    );
  });

  it('that go past it would be found', () => {
    const text = "f(kind === 'Not this', t('Nor this'), new Error('Nor that one'), `But ${this}`);";
    assert.deepEqual(listTextsPastBundles({ path: 'src/x.ts', text }), ['src/x.ts:1: But {}']);
  });

  it('are literals, so that a translator sees each of them', () => {
    assert.ok(texts.length > 100);
    assert.deepEqual(
      texts.filter(({ message }) => message === '').map(({ place }) => place),
      [],
    );
  });

  it('are no parts of sentences, which other languages put in another order', () => {
    assert.deepEqual(
      texts
        .filter(({ message }) => /^\s|^[,;]\s|\s$/.test(message))
        .map(({ place, message }) => `${place}: ${message}`),
      [],
    );
  });

  const { l10n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly l10n?: string };
  // A language that is half there is not shipped.
  const languages =
    l10n === undefined ? [] : readdirSync(join(root, l10n)).map((file) => file.split('.')[2] ?? '');
  for (const language of languages)
    describe(`in the language ${language}`, () => {
      const file = join(root, `l10n/bundle.l10n.${language}.json`);
      const bundle = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

      it('are complete, and no text stands there that nothing shows', () => {
        const keys = new Set(texts.map(({ key }) => key));
        assert.deepEqual(
          [...keys].filter((key) => !(key in bundle)),
          [],
          'without a translation',
        );
        assert.deepEqual(
          Object.keys(bundle).filter((key) => !keys.has(key)),
          [],
          'shown nowhere',
        );
      });

      it('have the same places for values', () => {
        assert.deepEqual(
          texts
            .filter(({ key, message }) => String(places(message)) !== String(places(bundle[key] ?? message)))
            .map(({ key }) => key),
          [],
        );
      });
    });
});
