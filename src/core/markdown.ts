/**
 * Text inside of Markdown (CommonMark with the tables of GitHub). Names that anybody may have chosen stay text: whatever a reader's program would take for markup
 * is escaped.
 */

import { makeVisible } from './visible';

/** A row of a table. */
export function writeTableRow(texts: readonly string[]): string {
  return `| ${texts.map(escapeText).join(' | ')} |`;
}

/** What means something only at the begin of a line: items of lists, headings, rules. */
export function escapeLine(text: string): string {
  return escapeText(text)
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]/, '\\$&');
}

/**
 * One line of text. HTML becomes entities, for programs that let it through; the rest of what opens markup gets a backslash. Addresses and shortcodes of
 * GitHub, which need no markup, lose the colon, dot, slashes or at sign that make them: a name is no link.
 */
export function escapeText(text: string): string {
  return makeVisible(text)
    .replace(/ +/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]#|~$!^@]/g, '\\$&')
    .replace(/:(?!\s|$)/g, (colon, at: number, whole: string) => (isBetweenDigits(whole, at) ? colon : `\\${colon}`))
    .replace(/\/(?=\/)/g, '/\\')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

/** As in `13:02`. */
function isBetweenDigits(text: string, at: number): boolean {
  return /\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1));
}
