/** The table that the picture ends with: figures of each database's checkpoints. Cells carry their exact values in data attributes. */
import { countDatabases, formatCount, formatDuration, formatObserved, formatPerHour, formatPercent } from '../../core/format';
import type { CheckpointStatistics } from '../../core/evidence/statistics';
import {
  startsDescending,
  type OffenderColumn,
  type OffenderRow,
  type OffenderRows,
  type OffenderSort,
} from '../../core/picture/offender-rows';
import { createElement, setText, setTitle } from '../elements';
import { createSortHeading, showSort } from './sort-heading';
import { TableRows, type TableRow } from './table-rows';

interface ColumnSpec {
  readonly column: OffenderColumn;
  readonly heading: string;
  readonly title: string;
  readonly format: (figures: CheckpointStatistics) => string;
}

const FIGURES: readonly ColumnSpec[] = [
  { column: 'count', heading: 'Checkpoints', title: 'Checkpoints that began in the window', format: (f) => formatCount(f.count) },
  {
    column: 'perHour',
    heading: 'Per hour',
    title: 'Checkpoints per observed hour',
    format: (f) => formatObserved(f.perHour, formatPerHour),
  },
  { column: 'averageMs', heading: 'Average', title: 'Average duration', format: (f) => formatObserved(f.averageMs, formatDuration) },
  {
    column: 'p50Ms',
    heading: 'Median',
    title: 'Half of the checkpoints took no longer (p50, nearest rank)',
    format: (f) => formatObserved(f.p50Ms, formatDuration),
  },
  {
    column: 'p95Ms',
    heading: 'p95',
    title: '95 of 100 checkpoints took no longer (nearest rank)',
    format: (f) => formatObserved(f.p95Ms, formatDuration),
  },
  {
    column: 'p99Ms',
    heading: 'p99',
    title: '99 of 100 checkpoints took no longer (nearest rank)',
    format: (f) => formatObserved(f.p99Ms, formatDuration),
  },
  { column: 'maximumMs', heading: 'Longest', title: 'Longest checkpoint', format: (f) => formatObserved(f.maximumMs, formatDuration) },
  { column: 'totalMs', heading: 'Total', title: 'Sum of the durations', format: (f) => formatDuration(f.totalMs) },
  {
    column: 'share',
    heading: 'Share',
    title: 'Share of the observed time in which a checkpoint of the database was running',
    format: (f) => formatObserved(f.share, formatPercent),
  },
];

export interface OffendersInput {
  readonly offenders: OffenderRows;
  readonly sort: OffenderSort;
  readonly selectedDatabaseId: number | null;
  /** What the figures are of, in words. */
  readonly scope: string;
  /** What of that time was not observed, in words; empty: nothing is known to be missing. */
  readonly coverage: string;
  /** Checkpoints of that time that are in no figure, for a gap may have made them of two. */
  readonly leftOut: number;
  readonly filtered: boolean;
}

export interface OffendersEvents {
  onSort(sort: OffenderSort): void;
  onSelect(databaseId: number): void;
}

/** A row with what its bar is drawn by. */
interface DrawnRow extends OffenderRow, TableRow {
  readonly databaseId: number;
  readonly longestShare: number;
}

export class OffendersTable {
  readonly element: HTMLElement;
  private readonly caption: HTMLElement;
  /** Figures with something missing are not shown without saying so. */
  private readonly coverage: HTMLElement;
  private readonly headings = new Map<OffenderColumn, HTMLElement>();
  private readonly rows: TableRows<DrawnRow>;
  private readonly rest: HTMLElement;
  private shown: OffenderRows | null = null;
  private sort: OffenderSort | null = null;

  constructor(
    private readonly document: Document,
    private readonly events: OffendersEvents,
    /** Whether there is room for the verdict. */
    private readonly hasVerdict = false,
  ) {
    const coverageId = hasVerdict ? 'offenders-page-coverage' : 'offenders-coverage';
    this.caption = createElement(document, 'caption', { class: 'visually-hidden' });
    this.coverage = createElement(document, 'p', { class: 'coverage dim num', attributes: { id: coverageId, hidden: '' } });
    const head = createElement(document, 'tr', {
      children: [
        this.createHeading('database', 'Database', 'Name of the database'),
        ...(hasVerdict
          ? [this.createHeading('verdict', 'Verdict', 'What to do about its checkpoints; the reason is beside the timeline')]
          : []),
        ...FIGURES.map((f) => this.createHeading(f.column, f.heading, f.title)),
      ],
    });
    this.rows = new TableRows(document, {
      createCells: () => this.createCells(),
      patchCells: (element, row) => patchRow(element, row, hasVerdict),
      onSelect: (databaseId) => events.onSelect(databaseId),
    });
    const table = createElement(document, 'table', {
      class: 'grid offenders',
      attributes: { role: 'grid', 'aria-label': 'Offenders', 'aria-describedby': coverageId },
      children: [this.caption, createElement(document, 'thead', { children: [head] }), this.rows.body],
    });
    this.rest = createElement(document, 'p', { class: 'rest dim' });
    this.element = createElement(document, 'div', {
      class: 'offenders-scroll',
      children: [this.coverage, table, this.rows.more, this.rest],
    });
  }

  update(input: OffendersInput): void {
    this.sort = input.sort;
    if (input.offenders !== this.shown) this.rows.show(prepareRows(input.offenders.rows));
    this.shown = input.offenders;
    setText(this.caption, `Checkpoints by database, ${input.scope}`);
    setText(this.coverage, input.coverage);
    this.coverage.hidden = input.coverage === '';
    for (const [column, heading] of this.headings) showSort(heading, input.sort.column === column ? input.sort : null);
    this.rows.select(input.selectedDatabaseId);
    setText(this.rest, describeRest(input));
    this.rest.hidden = this.rest.textContent === '';
  }

  /** Scrolls a database's row into view of the table; where the page scrolls as a whole, that is left to the reader. */
  revealRow(databaseId: number): void {
    const row = this.rows.reach(databaseId);
    if (!row) return;
    const { scrollTop, clientHeight } = this.element;
    const headingPx = this.rows.body.offsetTop;
    const topPx = row.getBoundingClientRect().top - this.element.getBoundingClientRect().top - headingPx;
    if (topPx < 0) this.element.scrollTop = scrollTop + topPx;
    const belowPx = topPx + headingPx + row.offsetHeight - clientHeight;
    if (belowPx > 0) this.element.scrollTop = scrollTop + belowPx;
  }

  private createHeading(column: OffenderColumn, heading: string, title: string): HTMLElement {
    const element = createSortHeading(this.document, { column, heading, title, onSort: () => this.chooseSort(column) });
    this.headings.set(column, element);
    return element;
  }

  private chooseSort(column: OffenderColumn): void {
    const same = this.sort?.column === column;
    this.events.onSort({ column, descending: same ? !this.sort!.descending : startsDescending(column) });
  }

  private createCells(): readonly HTMLElement[] {
    const name = createElement(this.document, 'td', { class: 'data', attributes: { role: 'rowheader', 'data-column': 'database' } });
    const tag = createElement(this.document, 'span', { class: 'tag' });
    const verdict = createElement(this.document, 'td', { attributes: { 'data-column': 'verdict' }, children: [tag] });
    const cells = FIGURES.map(({ column }) => {
      const text = createElement(this.document, 'span');
      const bar = column === 'share' ? createElement(this.document, 'span', { class: 'bar', attributes: { 'aria-hidden': 'true' } }) : null;
      return createElement(this.document, 'td', { attributes: { 'data-column': column }, children: [text, bar] });
    });
    return [name, ...(this.hasVerdict ? [verdict] : []), ...cells];
  }
}

function prepareRows(rows: readonly OffenderRow[]): readonly DrawnRow[] {
  const longestShare = rows.reduce((most, row) => Math.max(most, row.statistics.share ?? 0), 0);
  // A database_id is used again after a drop: by itself it does not tell two databases of a capture apart.
  return rows.map((row) => ({ ...row, key: `${row.statistics.database} ${row.databaseId}`, longestShare }));
}

function patchRow(element: HTMLTableRowElement, row: DrawnRow, hasVerdict: boolean): void {
  const name = element.cells[0]!;
  setText(name, row.name);
  setTitle(name, row.name);
  name.dataset['value'] = row.name;
  if (hasVerdict) patchVerdict(element.cells[1]!, row.verdict);
  const first = hasVerdict ? 2 : 1;
  FIGURES.forEach(({ column, format }, i) => {
    const cell = element.cells[i + first]!;
    setText(cell.firstElementChild!, format(row.statistics));
    cell.dataset['value'] = String(row.statistics[column as keyof CheckpointStatistics] ?? '');
  });
  const bar = element.cells[element.cells.length - 1]!.lastElementChild as HTMLElement;
  const width = `${row.longestShare > 0 ? Math.max(1, Math.round((72 * (row.statistics.share ?? 0)) / row.longestShare)) : 0}px`;
  if (bar.style.width !== width) bar.style.width = width;
}

function patchVerdict(cell: HTMLTableCellElement, verdict: string): void {
  const tag = cell.firstElementChild as HTMLElement;
  setText(tag, verdict);
  tag.dataset['verdict'] = verdict;
  cell.dataset['value'] = verdict;
}

function describeRest({ offenders, filtered, leftOut }: OffendersInput): string {
  const { withoutCheckpoint: quiet, system } = offenders;
  const silence =
    quiet === 0
      ? ''
      : `${countDatabases(quiet - system.withoutCheckpoint, system.withoutCheckpoint)} had no checkpoint in ${leftOut > 0 ? 'these figures' : 'this window'}.`;
  return filtered && offenders.rows.length === 0
    ? `No database with this name had a checkpoint in this window. ${silence}`.trim()
    : silence;
}
