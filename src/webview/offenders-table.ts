/**
 * The table that the picture ends with. A grid for the keyboard: Tab reaches one row, up and down move, Enter selects. Rows are kept and patched,
 * so live data neither loses the focus nor rebuilds what has not changed. Cells carry their exact values in data attributes.
 */
import { formatCount, formatDuration, formatObserved, formatPerHour, formatPercent } from '../core/format';
import type { CheckpointStatistics } from '../core/evidence/statistics';
import {
  startsDescending,
  type OffenderColumn,
  type OffenderRow,
  type OffenderRows,
  type OffenderSort,
} from '../core/picture/offender-rows';
import { createElement, setText } from './elements';

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
  readonly filtered: boolean;
}

export interface OffendersEvents {
  onSort(sort: OffenderSort): void;
  onSelect(databaseId: number): void;
}

export class OffendersTable {
  readonly element: HTMLElement;
  private readonly caption: HTMLElement;
  private readonly headings = new Map<OffenderColumn, HTMLElement>();
  private readonly body: HTMLTableSectionElement;
  private readonly rest: HTMLElement;
  private readonly rows = new Map<number, HTMLTableRowElement>();
  private shown: OffenderRows | null = null;
  private sort: OffenderSort | null = null;

  constructor(
    private readonly document: Document,
    private readonly events: OffendersEvents,
  ) {
    this.caption = createElement(document, 'caption', { class: 'visually-hidden' });
    const head = createElement(document, 'tr', {
      children: [
        this.createHeading('database', 'Database', 'Name of the database'),
        ...FIGURES.map((f) => this.createHeading(f.column, f.heading, f.title)),
      ],
    });
    this.body = createElement(document, 'tbody');
    const table = createElement(document, 'table', {
      class: 'offenders',
      attributes: { role: 'grid', 'aria-label': 'Offenders' },
      children: [this.caption, createElement(document, 'thead', { children: [head] }), this.body],
    });
    this.rest = createElement(document, 'p', { class: 'rest dim' });
    this.element = createElement(document, 'div', { class: 'offenders-scroll', children: [table, this.rest] });
    this.listen();
  }

  update(input: OffendersInput): void {
    this.sort = input.sort;
    if (input.offenders !== this.shown) this.showRows(input.offenders.rows);
    this.shown = input.offenders;
    setText(this.caption, `Checkpoints by database, ${input.scope}`);
    for (const [column, heading] of this.headings) heading.setAttribute('aria-sort', ariaSort(input.sort, column));
    this.markSelection(input.selectedDatabaseId, input.offenders.rows);
    setText(this.rest, describeRest(input));
    this.rest.hidden = this.rest.textContent === '';
  }

  /** Scrolls a database's row into view of the table; where the page scrolls as a whole, that is left to the reader. */
  revealRow(databaseId: number): void {
    const row = this.rows.get(databaseId);
    if (!row) return;
    const { scrollTop, clientHeight } = this.element;
    const headingPx = this.body.offsetTop;
    const topPx = row.getBoundingClientRect().top - this.element.getBoundingClientRect().top - headingPx;
    if (topPx < 0) this.element.scrollTop = scrollTop + topPx;
    const belowPx = topPx + headingPx + row.offsetHeight - clientHeight;
    if (belowPx > 0) this.element.scrollTop = scrollTop + belowPx;
  }

  private createHeading(column: OffenderColumn, text: string, title: string): HTMLElement {
    const button = createElement(this.document, 'button', {
      class: 'sort',
      text,
      title,
      attributes: { type: 'button' },
      onClick: () => this.chooseSort(column),
    });
    const heading = createElement(this.document, 'th', { attributes: { scope: 'col', 'data-column': column }, children: [button] });
    this.headings.set(column, heading);
    return heading;
  }

  private chooseSort(column: OffenderColumn): void {
    const same = this.sort?.column === column;
    this.events.onSort({ column, descending: same ? !this.sort!.descending : startsDescending(column) });
  }

  private listen(): void {
    this.body.addEventListener('click', (event) => this.select(rowOf(event.target)));
    this.body.addEventListener('keydown', (event) => {
      const row = rowOf(event.target);
      if (!row) return;
      if (event.key === 'Enter' || event.key === ' ') this.select(row);
      else if (!this.moveFocus(row, event.key)) return;
      event.preventDefault();
    });
  }

  private select(row: HTMLTableRowElement | null): void {
    if (row) this.events.onSelect(Number(row.dataset['databaseId']));
  }

  private moveFocus(row: HTMLTableRowElement, key: string): boolean {
    const targets: Readonly<Record<string, Element | null>> = {
      ArrowDown: row.nextElementSibling,
      ArrowUp: row.previousElementSibling,
      Home: this.body.firstElementChild,
      End: this.body.lastElementChild,
    };
    if (!(key in targets)) return false;
    const target = targets[key] as HTMLTableRowElement | null;
    if (target) {
      this.makeReachable(target);
      target.focus();
    }
    return true;
  }

  private makeReachable(row: HTMLTableRowElement): void {
    for (const other of this.rows.values()) if (other.tabIndex === 0) other.tabIndex = -1;
    row.tabIndex = 0;
  }

  private showRows(rows: readonly OffenderRow[]): void {
    const wanted = new Set(rows.map((row) => row.databaseId));
    for (const [id, element] of this.rows) {
      if (wanted.has(id)) continue;
      element.remove();
      this.rows.delete(id);
    }
    const longestShare = rows.reduce((most, row) => Math.max(most, row.statistics.share ?? 0), 0);
    rows.forEach((row, at) => {
      const element = this.rows.get(row.databaseId) ?? this.createRow(row);
      patchRow(element, row, longestShare);
      if (this.body.children[at] !== element) this.body.insertBefore(element, this.body.children[at] ?? null);
    });
  }

  private createRow(row: OffenderRow): HTMLTableRowElement {
    const name = createElement(this.document, 'td', { class: 'data', attributes: { role: 'rowheader', 'data-column': 'database' } });
    const cells = FIGURES.map(({ column }) => {
      const text = createElement(this.document, 'span');
      const bar = column === 'share' ? createElement(this.document, 'span', { class: 'bar', attributes: { 'aria-hidden': 'true' } }) : null;
      return createElement(this.document, 'td', { attributes: { 'data-column': column }, children: [text, bar] });
    });
    const element = createElement(this.document, 'tr', {
      attributes: { 'data-database-id': String(row.databaseId), tabindex: '-1' },
      children: [name, ...cells],
    });
    this.rows.set(row.databaseId, element);
    return element;
  }

  private markSelection(selected: number | null, rows: readonly OffenderRow[]): void {
    for (const [id, element] of this.rows) element.setAttribute('aria-selected', String(id === selected));
    const focused = [...this.rows.values()].find((row) => row === this.document.activeElement);
    const reachable = focused ?? (selected === null ? undefined : this.rows.get(selected)) ?? this.rows.get(rows[0]?.databaseId ?? NaN);
    if (reachable) this.makeReachable(reachable);
  }
}

const rowOf = (target: EventTarget | null): HTMLTableRowElement | null => (target instanceof Element ? target.closest('tr') : null);

const ariaSort = (sort: OffenderSort, column: OffenderColumn): string =>
  sort.column !== column ? 'none' : sort.descending ? 'descending' : 'ascending';

function patchRow(element: HTMLTableRowElement, row: OffenderRow, longestShare: number): void {
  const name = element.cells[0]!;
  setText(name, row.name);
  if (name.title !== row.name) name.title = row.name;
  name.dataset['value'] = row.name;
  FIGURES.forEach(({ column, format }, i) => {
    const cell = element.cells[i + 1]!;
    setText(cell.firstElementChild!, format(row.statistics));
    cell.dataset['value'] = String(row.statistics[column as keyof CheckpointStatistics] ?? '');
  });
  const bar = element.cells[FIGURES.length]!.lastElementChild as HTMLElement;
  const width = `${longestShare > 0 ? Math.max(1, Math.round((72 * (row.statistics.share ?? 0)) / longestShare)) : 0}px`;
  if (bar.style.width !== width) bar.style.width = width;
}

function describeRest({ offenders, filtered }: OffendersInput): string {
  const quiet = offenders.withoutCheckpoint;
  const silence = quiet === 0 ? '' : `${formatCount(quiet)} ${quiet === 1 ? 'database' : 'databases'} had no checkpoint in this window.`;
  return filtered && offenders.rows.length === 0
    ? `No database with this name had a checkpoint in this window. ${silence}`.trim()
    : silence;
}
