/**
 * Text in Markdown (CommonMark with the tables of GitHub). Names come from outside, so everything that could be taken
 * for markup is escaped.
 */

import { makeVisible } from './visible';

export function writeTableRow(texts: readonly string[]): string {
  return `| ${texts.map(escapeText).join(' | ')} |`;
}

/** Escapes what is markup only at the begin of a line: items of lists, headings, rules. */
export function escapeLine(text: string): string {
  return escapeText(text)
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]/, '\\$&');
}

/**
 * One line of text. HTML becomes entities, in case a program lets it through; other markup gets a backslash. A name
 * must not become a link, so the colon, dot, slashes or at sign of addresses and shortcodes, which GitHub finds without
 * markup, get one too.
 */
export function escapeText(text: string): string {
  return makeVisible(text)
    .replace(/ +/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]#|~$!^@]/g, '\\$&')
    .replace(/:(?!\s|$)/g, (colon, at: number, whole: string) =>
      isBetweenDigits(whole, at) ? colon : `\\${colon}`,
    )
    .replace(/\/(?=\/)/g, '/\\')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

export function writeSource({ title, url }: { readonly title: string; readonly url: string | null }): string {
  return url === null ? escapeText(title) : `${escapeText(title)} (<${encodeURI(url)}>)`;
}

/** As in `13:02`. */
function isBetweenDigits(text: string, at: number): boolean {
  return /\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1));
}
