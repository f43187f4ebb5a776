/**
 * A page of evidence as Markdown (CommonMark with the tables of GitHub), for a change record or a ticket: the same sentences and figures as on screen. Texts
 * hold names that anybody may have chosen; whatever a reader's program would take for markup is escaped, so that they stay text.
 */
import type { EvidencePage, EvidenceTable } from './evidence-page';

/** The page under a heading. Ends with a line break. */
export function writePageMarkdown(page: EvidencePage, title: string): string {
  const notes = page.notes.map((note) => `- ${escapeLine(note)}`).join('\n');
  const parts = [
    `# ${escapeText(title)}`,
    escapeLine(page.summary),
    ...page.tables.map(writeTable),
    notes && `## What these figures rest on\n\n${notes}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function writeTable({ heading, columns, rows, empty }: EvidenceTable): string {
  const head = `## ${escapeText(heading)}`;
  if (rows.length === 0 || columns.length === 0) return [head, escapeLine(empty)].filter((part) => part !== '').join('\n\n');
  const lines = [
    writeRow(columns.map((column) => column.heading)),
    `| ${columns.map(({ isNumeric }) => (isNumeric ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(({ cells }) => writeRow(columns.map((_, at) => cells[at]?.text ?? ''))),
  ];
  return `${head}\n\n${lines.join('\n')}`;
}

function writeRow(texts: readonly string[]): string {
  return `| ${texts.map(escapeText).join(' | ')} |`;
}

/** What means something only at the begin of a line: items of lists, headings, rules. */
function escapeLine(text: string): string {
  return escapeText(text)
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]/, '\\$&');
}

/**
 * One line of text. HTML becomes entities, for programs that let it through; the rest of what opens markup gets a backslash. Addresses and shortcodes of
 * GitHub, which need no markup, lose the colon, dot, slashes or at sign that make them: a name is no link.
 */
function escapeText(text: string): string {
  return text
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
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
