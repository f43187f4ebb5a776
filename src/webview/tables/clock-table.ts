/** A table of evidence with its moments as the chosen clock shows them. The server's own stay as they were written: its clock may have been another one then. */
import type { EvidenceChart, LinePoint } from '../../core/pages/evidence-chart';
import { type EvidenceCell, type EvidenceTable, writeMoment } from '../../core/pages/evidence-page';
import { toLocalMs } from '../../core/time';
import type { Clock } from '../model/clock';

/** The table as that clock shows it; the same one where it has no moment. */
export function showTableOn(table: EvidenceTable, clock: Clock): EvidenceTable {
  const moments = new Set(table.rows.flatMap(({ cells }) => cells.flatMap(({ kind }, at) => (kind === 'moment' ? [at] : []))));
  if (moments.size === 0) return table;
  const rows =
    clock.id === 'server' ? table.rows : table.rows.map((row) => ({ ...row, cells: row.cells.map((cell) => showCellOn(cell, clock)) }));
  const columns = table.columns.map((column, at) =>
    moments.has(at) ? { ...column, title: `${column.title}; ${nameClock(clock)}` } : column,
  );
  return { ...table, columns, rows, ...(table.charts ? { charts: table.charts.map((chart) => showChartOn(chart, clock)) } : {}) };
}

function showCellOn(cell: EvidenceCell, clock: Clock): EvidenceCell {
  const { kind, value, isAssumed } = cell;
  return kind === 'moment' && value !== null ? writeMoment(value, toLocalMs(value, clock.offsetMinutesAt(value)), isAssumed) : cell;
}

function showChartOn(chart: EvidenceChart, clock: Clock): EvidenceChart {
  const place = (point: LinePoint): LinePoint => ({ ...point, localMs: toLocalMs(point.utcMs, clock.offsetMinutesAt(point.utcMs)) });
  if (chart.kind === 'bands') return clock.id === 'server' ? chart : { ...chart, line: chart.line.map(place), end: place(chart.end) };
  if (chart.kind !== 'points' || chart.across.unit !== 'moment') return chart;
  return { ...chart, across: { ...chart.across, axis: `${chart.across.axis}, ${nameClock(clock)}` } };
}

/** Within a sentence. */
const nameClock = ({ id, name }: Clock): string => (id === 'utc' ? name : name.toLowerCase());
