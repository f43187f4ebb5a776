/** Describes a chart in words: each row, and the whole in one paragraph. */
import { countOf, formatCount } from '../format';
import { makeVisible } from '../visible';
import { type EvidenceChart, listDrawnColumns } from './evidence-chart';
import type { EvidenceCell, EvidenceRow, EvidenceTable } from './evidence-page';
import { joinSentences, t } from '../language';

type Columns = EvidenceTable['columns'];

/** The name of a row, on one line. */
export function nameRow({ labels }: EvidenceChart, { cells }: Pick<EvidenceRow, 'cells'>): string {
  return makeVisible(labels.map((column) => cells[column]?.text ?? '').join(', '));
}

/** `dbA: Median 7.2 s, p95 29.5 s, Longest 65.5 s`. */
export function describeRow(chart: EvidenceChart, columns: Columns, row: Pick<EvidenceRow, 'cells'>): string {
  const figures = listDrawnColumns(chart).map((column) => `${columns[column]?.heading ?? ''} ${row.cells[column]?.text ?? ''}`);
  return `${nameRow(chart, row)}: ${figures.join(', ')}`;
}

/** Whether the row has anything to draw; otherwise it is shown in words. */
export function isDrawn(chart: EvidenceChart, { cells }: Pick<EvidenceRow, 'cells'>): boolean {
  const drawn = listDrawnColumns(chart).map((column) => cells[column]);
  if (chart.kind === 'intervals') return drawn.some((cell) => hasFigure(cell) || cell?.interval !== undefined);
  return chart.kind === 'ranges' ? drawn.some(hasFigure) : drawn.every(hasFigure);
}

function hasFigure(cell: EvidenceCell | undefined): boolean {
  return cell !== undefined && cell.value !== null && Number.isFinite(cell.value);
}

/**
 * Describes the chart in one paragraph: how many rows, which are highest and lowest, and how many have no figure.
 * @param rows all rows of the chart
 */
export function describeChart(chart: EvidenceChart, columns: Columns, rows: readonly EvidenceRow[]): string {
  if (rows.length === 0) return t('Nothing to draw.');
  const drawn = rows.filter((row) => isDrawn(chart, row));
  const rest = rows.length - drawn.length;
  const without = rest === 0 ? '' : describeRest(rest, rows.length);
  if (drawn.length === 0) return without;
  const columnsDrawn = listDrawnColumns(chart);
  const told = columnsDrawn[chart.kind === 'pairs' ? 0 : columnsDrawn.length - 1]!;
  const sorted = drawn
    .filter(({ cells }) => typeof cells[told]?.value === 'number')
    .sort((a, b) => b.cells[told]!.value! - a.cells[told]!.value!);
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  if (!first || !last) return joinSentences(t('{0} shown.', formatCount(drawn.length)), without);
  const say = (row: EvidenceRow): string => `${nameRow(chart, row)}, ${row.cells[told]!.text}`;
  const heading = columns[told]?.heading ?? '';
  if (sorted.length === 1) return joinSentences(`${heading}: ${say(first)}.`, without);
  const ends = t('{0} of {1}: highest {2}; lowest {3}.', heading, formatCount(sorted.length), say(first), say(last));
  return joinSentences(ends, without);
}

function describeRest(rest: number, all: number): string {
  if (rest === all)
    return all === 1 ? t('It has no figure: the row says why.') : t('None of {0} has a figure: the rows say why.', formatCount(all));
  return countOf(rest, t('{0} more has no figure: its row says why.'), t('{0} more have no figure: their rows say why.'));
}
