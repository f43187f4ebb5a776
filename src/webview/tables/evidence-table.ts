/**
 * One table of evidence with its charts: headings sort it, rows select their database. Cells hold exact values in data
 * attributes.
 */
import { NOT_OBSERVABLE } from '../../core/format';
import {
  type EvidenceCell,
  type EvidenceTable,
  type PageLink,
  writeMoment,
} from '../../core/pages/evidence-page';
import {
  chooseSort,
  selectEvidenceRows,
  type EvidenceSort,
  type KeyedRow,
} from '../../core/pages/evidence-rows';
import { ChartView, type ChartViewEvents } from '../charts/chart-view';
import { type Clock, CLOCK_NAMES_WITHIN } from '../model/clock';
import { createElement, setText, setTitle, wrap } from '../kit/elements';
import { showExtras } from './cell-extras';
import { createSortHeading, showSort } from './sort-heading';
import { DrawnRows } from './table-rows';
import { toLocalMs } from '../../core/time';
import { t } from '../../core/language';

/** From this many characters on a text is a sentence, which may break into lines. Names and dates are shorter. */
const LONG_TEXT = 24;
/** Between a figure before a change and the one after it. */
const ARROW = ' → ';

interface EvidenceTableInput {
  readonly table: EvidenceTable;
  /** null: the table's own order. */
  readonly sort: EvidenceSort | null;
  readonly selectedDatabaseId: number | null;
  /** Leaves out rows of databases whose texts do not contain it. */
  readonly filter: string;
  readonly clock: Clock;
}

export interface EvidenceTableEvents extends ChartViewEvents {
  onSort(sort: EvidenceSort | null): void;
  onLink(link: PageLink): void;
}

export class EvidenceTableView {
  readonly element: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly head: HTMLElement;
  private readonly grid: HTMLElement;
  private readonly rows: DrawnRows<KeyedRow>;
  private readonly empty: HTMLElement;
  private readonly charts: HTMLElement;
  private readonly answer: HTMLElement;
  private readonly below: HTMLElement;
  /** The table that is shown whole: its heading, and below it the rest; and the same folded. */
  private readonly whole: readonly HTMLElement[];
  private readonly folded: HTMLElement;
  private view: ChartView | null = null;
  private headings: readonly HTMLElement[] = [];
  private given: EvidenceTableInput | null = null;
  /** With times of the chosen clock. */
  private table: EvidenceTable | null = null;
  /** The rows that the filter leaves, in the order shown. */
  private selected: readonly KeyedRow[] = [];

  constructor(
    private readonly id: string,
    private readonly events: EvidenceTableEvents,
  ) {
    const headingId = `evidence-${id}`;
    this.heading = createElement('h2', { id: headingId });
    this.head = createElement('tr');
    this.rows = new DrawnRows({
      fillRow: (element) => this.fillRow(element),
      onSelect: (databaseId) => events.onSelect(databaseId),
    });
    this.grid = createElement('table.grid.evidence', {
      role: 'grid',
      'aria-labelledby': headingId,
      children: [wrap('thead', [this.head]), this.rows.body],
    });
    this.empty = createElement('p.dim.page-text');
    this.charts = createElement('div.charts.page-text', { hidden: '' });
    this.below = createElement('div.page-text.below');
    this.answer = createElement('span.answer');
    const more = wrap('div.page-text', [this.rows.more]);
    const body = wrap('div', [this.empty, this.grid, more, this.below]);
    this.whole = [createElement('div.page-text'), body];
    this.folded = wrap('details', [createElement('summary.page-text')]);
    this.element = createElement('section', { 'aria-labelledby': headingId, 'data-table': id });
  }

  update(input: EvidenceTableInput): void {
    const { sort, selectedDatabaseId, filter, clock } = input;
    const before = this.given;
    this.given = input;
    const isOther = input.table !== before?.table || clock.key !== before.clock.key;
    if (isOther) this.showTable(showTableOn(input.table, clock));
    if (isOther || sort !== before.sort || filter !== before.filter) this.showRows(this.table!, input);
    this.rows.select(selectedDatabaseId);
    const { chart, columns } = this.table!;
    if (chart) this.view?.update({ chart, columns, rows: this.selected, selectedDatabaseId });
  }

  private showTable(table: EvidenceTable): void {
    const before = this.table;
    this.table = table;
    if ((table.fold === undefined) !== (before?.fold === undefined) || before === null)
      this.place(table.fold !== undefined);
    setText(this.answer, table.fold ?? '');
    if (JSON.stringify(table.below) !== JSON.stringify(before?.below))
      this.below.replaceChildren(...(table.below ?? []).map((text) => createElement('p', { text })));
    this.showHead(table, before);
    if (table.chart?.id === before?.chart?.id) return;
    this.view?.dispose();
    this.view = table.chart ? new ChartView(`${this.id}-${table.chart.id}`, this.events) : null;
    this.charts.replaceChildren(...(this.view ? [this.view.element] : []));
  }

  /** A table with an answer is folded, and opens with a click. */
  private place(isFolded: boolean): void {
    const [head, body] = this.whole as [HTMLElement, HTMLElement];
    if (isFolded) {
      this.folded.firstElementChild!.append(this.heading, ' ', this.answer);
      this.folded.append(this.charts, body);
      this.element.replaceChildren(this.folded);
    } else {
      head.append(this.heading);
      this.element.replaceChildren(this.charts, head, body);
    }
  }

  private showHead(table: EvidenceTable, before: EvidenceTable | null): void {
    setText(this.heading, table.heading);
    if (JSON.stringify(table.columns) === JSON.stringify(before?.columns)) return;
    // Rows have a cell for each column, so with other columns they are made again.
    this.rows.show([]);
    this.headings = table.columns.map((column, at) => this.createHeading(column, at));
    this.head.replaceChildren(...this.headings);
  }

  private showRows(table: EvidenceTable, { sort, filter }: EvidenceTableInput): void {
    this.selected = selectEvidenceRows(table, sort, filter);
    const isEmpty = this.selected.length === 0;
    setText(this.empty, t('No row is about a database with “{0}” in its name.', filter));
    this.empty.hidden = !isEmpty || table.rows.length === 0;
    this.grid.hidden = isEmpty;
    this.charts.hidden = isEmpty || this.view === null;
    this.rows.show(this.selected);
    this.headings.forEach((heading, at) =>
      showSort(heading, sort?.column === table.columns[at]?.name ? sort : null),
    );
  }

  private createHeading(column: EvidenceTable['columns'][number], at: number): HTMLElement {
    const { heading, title, isNumeric } = column;
    const onSort = (): void => this.events.onSort(chooseSort(column, this.given?.sort ?? null));
    const element = createSortHeading({ column: String(at), heading, title, onSort });
    element.classList.toggle('words', !isNumeric);
    return element;
  }

  private fillRow(element: HTMLElement): (row: KeyedRow) => void {
    const updates = (this.table?.columns ?? []).map(({ isNumeric }, at) => {
      const shown = createElement('span');
      const td = createElement('td', {
        class: isNumeric ? 'num' : 'words',
        role: at === 0 ? 'rowheader' : null,
        'data-column': String(at),
        children: [shown],
      });
      element.append(td);
      return (cell: EvidenceCell): void => {
        const { text, value } = cell;
        this.showCell(shown, cell);
        td.dataset['value'] = value === null ? '' : String(value);
        td.classList.toggle('long', text.length > LONG_TEXT && !isNumeric);
        td.classList.toggle('unobserved', value === null && text.startsWith(NOT_OBSERVABLE));
        showExtras(td, cell, (link) => this.events.onLink(link));
        if (at === 0) setTitle(td, text);
      };
    });
    return ({ cells }) => updates.forEach((update, at) => update(cells[at] ?? { text: '', value: null }));
  }

  /** Of a figure before and after a change, the one after stands out. */
  private showCell(span: Element, { text, before }: EvidenceCell): void {
    if (span.textContent === text) return;
    if (before === undefined) return setText(span, text);
    const from = text.indexOf(ARROW) + ARROW.length;
    const [was, is] = [text.slice(0, from), text.slice(from)];
    span.replaceChildren(createElement('span.dim', { text: was }), createElement('strong', { text: is }));
  }
}

/**
 * The table with its times by that clock. Times of the server stay as written: its clock may have had another offset
 * then.
 */
export function showTableOn(table: EvidenceTable, clock: Clock): EvidenceTable {
  const moments = new Set(
    table.rows.flatMap(({ cells }) => cells.flatMap(({ kind }, at) => (kind === 'moment' ? [at] : []))),
  );
  if (moments.size === 0) return table;
  const rows =
    clock.id === 'server'
      ? table.rows
      : table.rows.map((row) => ({ ...row, cells: row.cells.map((cell) => showCellOn(cell, clock)) }));
  const columns = table.columns.map((column, at) =>
    moments.has(at) ? { ...column, title: `${column.title}; ${nameClock(clock)}` } : column,
  );
  const { chart } = table;
  const across = chart?.across && {
    ...(clock.id === 'server' ? chart.across : { column: chart.across.column }),
    axis: `${chart.across.axis}, ${nameClock(clock)}`,
  };
  return { ...table, columns, rows, ...(chart && across && { chart: { ...chart, across } }) };
}

function showCellOn(cell: EvidenceCell, clock: Clock): EvidenceCell {
  const { kind, value } = cell;
  return kind === 'moment' && value !== null
    ? writeMoment(value, toLocalMs(value, clock.offsetMinutesAt(value)))
    : cell;
}

const nameClock = ({ id }: Clock): string => CLOCK_NAMES_WITHIN[id];
