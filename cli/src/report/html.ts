/**
 * A report as one HTML file that loads nothing and runs nothing: its policy allows its own style sheet, by hash, and no
 * more.
 */
import { createHash } from 'node:crypto';
import { countOf, formatDateTime } from '../../../src/core/format';
import { escapeMarkup } from '../../../src/core/markup';
import { COLOUR_STEPS } from '../../../src/core/timeline/duration-levels';
import { createColourRamp } from '../../../src/webview/kit/colour-ramp';
import { drawTimeline } from './picture';
import { type ReportedServer, writeVerdict } from './reported-server';
import {
  introduceServer,
  type Report,
  tabulateDatabases,
  tabulateFleet,
  tabulateWeeks,
  type TextTable,
} from './tables';

export function writeHtml(report: Report): string {
  const styles = writeStyles();
  const hash = createHash('sha256').update(styles, 'utf8').digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const pictures = report.servers.filter(({ picture }) => picture !== null).length;
  const one = 'The server that suffers most has a picture of its timeline.';
  const which = countOf(pictures, one, 'The {0} servers that suffer most have a picture of their timeline.');
  const note =
    pictures < report.servers.length ? `<p>${which} The dashboard draws it for every server.</p>\n` : '';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Checkpoint Health</title>
<style>${styles}</style>
</head>
<body>
<h1>Checkpoint Health</h1>
<p>${escapeMarkup(`${report.origin} Made at ${formatDateTime(report.madeUtcMs, 0)} UTC.`)}</p>
${writeTable(tabulateFleet(report), (row) => (report.servers[row]?.known == null ? null : `server-${row}`))}
${note}${report.servers.map(writeSection).join('')}</body>
</html>
`;
}

function writeSection({ name, known, picture, days, collecting }: ReportedServer, at: number): string {
  if (known === null) return '';
  const drawn =
    picture?.capture == null
      ? null
      : drawTimeline({ ...picture, capture: picture.capture }, `Timeline of ${name}. ${writeVerdict(known)}`);
  const legend =
    '<figcaption>Above: how busy the checkpoint task was. Below: the databases with most time in checkpoints; height and colour are the duration of the longest checkpoint at that moment, from 10 ms to 100 s. Shaded: gaps.</figcaption>';
  const weeks = tabulateWeeks(days);
  return `<section id="server-${at}">
<h2>${escapeMarkup(name)}</h2>
<ul>
${introduceServer(known, collecting)
  .map((sentence) => `<li>${escapeMarkup(sentence)}</li>\n`)
  .join('')}</ul>
${drawn === null ? '' : `<figure>${drawn}${legend}</figure>\n`}${writeTable(tabulateDatabases(known), () => null)}
${weeks === null ? '' : writeTable(weeks, () => null)}</section>
`;
}

/** @param linkOf the section that the first cell of a row leads to; null: none */
function writeTable({ heading, figures, rows, more }: TextTable, linkOf: (row: number) => string | null) {
  const kind = (at: number): string => (figures.includes(at) ? ' class="figure"' : '');
  const head = heading.map((text, at) => `<th scope="col"${kind(at)}>${escapeMarkup(text)}</th>`).join('');
  const body = rows.map((row, at) => {
    const link = linkOf(at);
    const cells = row.map((text, column) => {
      const shown = escapeMarkup(text);
      if (column > 0) return `<td${kind(column)}>${shown}</td>`;
      return `<th scope="row">${link === null ? shown : `<a href="#${link}">${shown}</a>`}</th>`;
    });
    return `<tr>${cells.join('')}</tr>\n`;
  });
  const table = `<div class="wide"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('')}</tbody>\n</table></div>`;
  return more === null ? table : `${table}\n<p>${escapeMarkup(more)}</p>`;
}

function writeStyles(): string {
  const ramp = (kind: 'light' | 'dark'): string =>
    createColourRamp(kind, COLOUR_STEPS)
      .map((colour, level) => `.l${level}{fill:${colour}}`)
      .join('');
  return `
:root{color-scheme:light dark;--text:#1f2328;--dim:#59636e;--line:#d1d9e0;--ground:#fff;--busy:#2f66b5;--gap:#59636e;--link:#0a58ca}
body{margin:2rem;font:14px/1.5 system-ui,sans-serif;color:var(--text);background:var(--ground)}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem;overflow-wrap:anywhere}
a{color:var(--link)}.wide{overflow-x:auto}
table{border-collapse:collapse}th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th[scope=row]{font-weight:600;overflow-wrap:anywhere;max-width:20rem}
.figure{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:1rem 0}figcaption{color:var(--dim)}svg{width:100%;max-width:1200px;height:auto}
.name,.tick{fill:var(--text);font-size:12px;dominant-baseline:central}.tick{text-anchor:middle;fill:var(--dim)}
.line{stroke:var(--line);fill:none}.busy{fill:var(--busy)}.gap{fill:var(--gap);fill-opacity:.25}.edge{fill:var(--text)}
${ramp('light')}
@media (prefers-color-scheme:dark){
:root{--text:#e6e6e6;--dim:#9d9d9d;--line:#3c3c3c;--ground:#1f1f1f;--busy:#3aa5a6;--gap:#9d9d9d;--link:#6cb6ff}
${ramp('dark')}
}
@media print{body{margin:0}section{break-inside:avoid-page}}
`;
}
