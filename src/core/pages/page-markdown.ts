/**
 * A page of evidence as Markdown (CommonMark with the tables of GitHub), for a change record or a ticket: the same
 * sentences and figures as on screen. Texts hold names from outside, so everything that could be markup is escaped.
 */
import { escapeLine, escapeText, writeTableRow } from '../markdown';
import type { EvidencePage, EvidenceTable } from './evidence-page';
import { t } from '../language';

/** The page under a heading. Ends with a line break. */
export function writePageMarkdown(page: EvidencePage, title: string): string {
  const notes = page.notes.map((note) => `- ${escapeLine(note)}`).join('\n');
  const parts = [
    `# ${escapeText(title)}`,
    page.title === undefined ? '' : `**${escapeLine(page.title)}**`,
    escapeLine(page.summary),
    ...page.tables.map(writeTable),
    ...(page.parts ?? []).map(({ heading, text }) => `## ${escapeText(heading)}\n\n${escapeLine(text)}`),
    notes && `## ${t('What these figures rest on')}\n\n${notes}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function writeTable({ heading, columns, rows, fold, below = [] }: EvidenceTable): string {
  const head = [`## ${escapeText(heading)}`, ...(fold === undefined ? [] : [escapeLine(fold)])].join('\n\n');
  if (rows.length === 0 || columns.length === 0) return head;
  const lines = [
    writeTableRow(columns.map((column) => column.heading)),
    `| ${columns.map(({ isNumeric }) => (isNumeric ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(({ cells }) => writeTableRow(columns.map((_, at) => cells[at]?.text ?? ''))),
  ];
  return [head, lines.join('\n'), ...below.map(escapeLine)].join('\n\n');
}
