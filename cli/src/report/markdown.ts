/** A report as Markdown: the tables without the pictures. */
import { escapeLine, escapeText, writeTableRow } from '../../../src/core/markdown';
import { formatDateTime } from '../../../src/core/format';
import {
  introduceServer,
  type Report,
  tabulateDatabases,
  tabulateFleet,
  tabulateWeeks,
  type TextTable,
} from './tables';

export function writeMarkdown(report: Report): string {
  const sections = report.servers.flatMap(({ name, known, days, collecting }) =>
    known === null
      ? []
      : [
          `## ${escapeText(name)}`,
          introduceServer(known, collecting)
            .map((sentence) => `- ${escapeLine(sentence)}`)
            .join('\n'),
          ...[tabulateDatabases(known), tabulateWeeks(days)].flatMap((table) =>
            table ? [writeTable(table)] : [],
          ),
        ],
  );
  const parts = [
    '# Checkpoint Health',
    escapeLine(`${report.origin} Made at ${formatDateTime(report.madeUtcMs, 0)} UTC.`),
    writeTable(tabulateFleet(report)),
    ...sections,
  ];
  return `${parts.join('\n\n')}\n`;
}

function writeTable({ heading, rows, figures, more }: TextTable): string {
  const rule = `| ${heading.map((_, at) => (figures.includes(at) ? '---:' : '---')).join(' | ')} |`;
  const table = [writeTableRow(heading), rule, ...rows.map(writeTableRow)].join('\n');
  return more === null ? table : `${table}\n\n${escapeLine(more)}`;
}
