import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { listScreenTexts, listTextsPastBundles, type ScreenText } from './screen-text-scan';
import { readSourceFiles } from './source-files';

const shipped = readSourceFiles('src');

/** Not on the screen: `english` of core/format. */
const ENGLISH = /: (\{[01]?\} (d|h|min|ms|s)( \{1\} (h|min|s))?|\{\} and \{\}|system database)$/;
/** Where texts stay English, or are no texts. */
const englishOnly: readonly { readonly files: RegExp; readonly reason: string }[] = [
  { files: /^src\/core\/script\//, reason: 'T-SQL and its headings are kept, hashed and read by colleagues who may use another language' },
  { files: /^src\/texts\.ts$/, reason: 'names of files' },
  { files: /^src\/core\/language\.ts$/, reason: 'the door itself' },
  { files: /^src\/core\/format\.ts$/, reason: 'each English text of `english` stands beside that of the screen' },
  { files: /^src\/core\/export\//, reason: 'files for programs, which look for the same words everywhere' },
  { files: /^src\/core\/errorlog\/(known-noise|renamed-line)\.ts$/, reason: "patterns of SQL Server's own lines, and such lines" },
  { files: /^src\/monitor\/vendor\/renamed-answers\.ts$/, reason: 'names of columns' },
  {
    files: /^src\/core\/events\/(event-xml|scan-event|xml-walk)\.ts$/,
    reason: 'kept with a row that cannot be read; the screen counts such rows',
  },
  { files: /^src\/core\/advice\/setting-rows\.ts$/, reason: 'names of settings' },
  { files: /^src\/core\/advice\/last-checkpoint\.ts$/, reason: 'written into scripts' },
  { files: /^src\/core\/capture\/(database-index|ledger)\.ts$/, reason: 'kept with a capture, and counted by these words' },
  {
    files: /^src\/core\/write-work\/write-work-bytes\.ts$/,
    reason: 'names of tables in a file, and what the log of the extension says of it',
  },
];

/** The same of single texts, as `path:line: text`. */
const names: readonly { readonly texts: RegExp; readonly reason: string }[] = [
  { texts: /^src\/captures\/.*: (checkpoint-health (capture|section)|then, little-endian: .*)$/, reason: 'written into files' },
  {
    texts: /^src\/hosts\/.*: (Checkpoint Health|MSSQL: Edit Connection Sharing Permissions|exports\.connectionSharing: \{\})$/,
    reason: 'names by which programs know each other',
  },
  { texts: /^src\/monitor\/evidence\/kept-changes\.ts/, reason: 'written into the log of the extension' },
  {
    texts:
      /^src\/monitor\/tracking\/own-session\.ts.*: (Start tracking: .*|Stop tracking|Remove tracking|Change the databases .*|Add the event .*|SQL Server)$/,
    reason: 'headings of T-SQL, in the log and where it is shown',
  },
  {
    texts: /^src\/monitor\/(script-writing|switch-review)\.ts.*: (\{\} measured\{\}|, \{\} of the time|longest \{\})$/,
    reason: 'written into scripts',
  },
  {
    texts:
      /^src\/(monitor|shell)\/.*: (Azure .*|Microsoft (Entra|Fabric)|SQL Server \{\}|Windows|Apache Parquet|not saved|connections gone|opened last|Dismissed)$/,
    reason: 'names of products, and values that are kept or that nobody sees',
  },
  { texts: /^src\/shell\/kit\/webview-page\.ts/, reason: 'HTML' },
  { texts: /^src\/shell\/.*: (- )?(Checkpoint Health(:? \{\})?|Microsoft Entra)$/, reason: 'names of products' },
  { texts: /^src\/shell\/commands\/evidence-commands\.ts.*: FlushCache: /, reason: "a line of SQL Server's own" },
  { texts: /^src\/hosts\/mssql\/profile\.ts.*: (Server|data source|network address|user id)$/, reason: "mssql's own names" },
];

const places = (text: string): readonly string[] => [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();

describe('Texts of the screen', function () {
  this.timeout(60_000);
  const texts: readonly ScreenText[] = shipped.flatMap(listScreenTexts);

  it('all go through a bundle', () => {
    const outside = shipped.filter(({ path }) => !englishOnly.some(({ files }) => files.test(path))).flatMap(listTextsPastBundles);
    assert.deepEqual(
      outside.filter((text) => !ENGLISH.test(text) && !names.some(({ texts: each }) => each.test(text))),
      [],
    );
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
      texts.filter(({ message }) => /^\s|^[,;]\s|\s$/.test(message)).map(({ place, message }) => `${place}: ${message}`),
      [],
    );
  });

  const { l10n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly l10n?: string };
  // A language that is half there is not shipped.
  const languages = l10n === undefined ? [] : readdirSync(join(root, l10n)).map((file) => file.split('.')[2] ?? '');
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
          texts.filter(({ key, message }) => String(places(message)) !== String(places(bundle[key] ?? message))).map(({ key }) => key),
          [],
        );
      });
    });
});
