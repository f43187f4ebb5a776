/** Pages in another language: its texts, and what a page shows of texts that should not be there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@vscode/l10n';
import type { Frame } from 'playwright-core';
import { root } from '../../tools/packages';
import { listScreenTexts, readSourceFiles } from '../architecture/source-files';

export type Texts = Readonly<Record<string, string>>;

/**
 * The texts of a language by their keys; null: the extension does not ship them (`l10n` in package.json), so they need
 * not be whole.
 */
export function readTexts(language: string): Texts | null {
  const { l10n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly l10n?: string };
  const file = join(root, l10n ?? '', `bundle.l10n.${language}.json`);
  return l10n !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Texts) : null;
}

/**
 * What the extension would send in a language. Modules look up the texts at their heads when they are loaded, so `make`
 * has to require them: they are loaded again.
 */
export function inLanguage<T>(texts: Texts, make: () => T): T {
  const isOurs = (path: string): boolean => path.startsWith(root) && !path.includes('node_modules');
  const ours = (): string[] => Object.keys(require.cache).filter(isOurs);
  const kept = ours().map((path) => [path, require.cache[path]] as const);
  const forget = (): void => ours().forEach((path) => delete require.cache[path]);
  forget();
  config({ contents: { ...texts } });
  try {
    return make();
  } finally {
    config({ contents: {} });
    forget();
    Object.assign(require.cache, Object.fromEntries(kept));
  }
}

/** Every text on the page, visible, hidden or spoken; not the T-SQL of a preview, and no names of databases. */
export const listTexts = ({ page }: { readonly page: Pick<Frame, 'evaluate'> }): Promise<readonly string[]> =>
  page.evaluate(() => {
    const skipped = '.code, .data, script, style';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement?.closest(skipped) === null) found.add(node.nodeValue?.trim() ?? '');
    }
    for (const element of document.querySelectorAll('*'))
      for (const name of ['title', 'aria-label', 'aria-valuetext', 'aria-roledescription', 'placeholder'])
        if (element.closest(skipped) === null) found.add(element.getAttribute(name)?.trim() ?? '');
    return [...found].filter((text) => text !== '');
  });

/** Texts that these tests made up, the longest first; they are in no language but English. */
const listMadeUp = (): readonly string[] =>
  readdirSync(__dirname)
    .filter((name) => name.startsWith('fake-'))
    .flatMap((name) =>
      [...readFileSync(join(__dirname, name), 'utf8').matchAll(/'([^'\n]*)'/g)].map(([, text = '']) => text),
    )
    .filter((text) => /\w\W* \w/.test(text))
    .sort((a, b) => b.length - a.length);

/**
 * Finds English texts of the product among those of a page in another language. A text whose translation says the same
 * is none.
 * @param madeUp texts to leave out, which the tests made up
 */
export function createEnglishFinder(
  texts: Texts,
  madeUp = listMadeUp(),
): (shown: readonly string[]) => string[] {
  const translations = new Set(Object.values(texts));
  const whole: RegExp[] = [];
  const parts: string[] = [];
  for (const { key, message } of readSourceFiles('src').flatMap(listScreenTexts)) {
    const translated = texts[key];
    if (translated === undefined || translated === message || translations.has(message)) continue;
    const literals = message.split(/\{\d\}/);
    // One word with values around it, as in `6 to 29 %`, is also in sentences that somebody made up.
    const value = /[a-z]{2}\W+[a-z]{2}/.test(literals.join('')) ? '.+?' : '\\S+( %)?';
    if (/[a-z]{2}/.test(literals.join('')))
      whole.push(new RegExp(`^${literals.map(escapePattern).join(value)}$`));
    // A part of a sentence stands for the sentence where others follow it.
    parts.push(
      ...literals
        .filter((literal) => /\w+ \w+ \w+/.test(literal) && !translated.includes(literal.trim()))
        .map((one) => one.trim()),
    );
  }
  const isEnglish = (text: string): boolean =>
    whole.some((pattern) => pattern.test(text)) || parts.some((part) => text.includes(part));
  return (shown) =>
    shown.filter((text) => isEnglish(madeUp.reduce((rest, made) => rest.replaceAll(made, ''), text)));
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
