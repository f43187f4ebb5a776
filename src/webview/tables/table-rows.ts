/**
 * The rows of a table as a grid for the keyboard: Tab reaches one row, up and down move, Enter selects. Rows are kept
 * by their key and updated in place, so new data neither loses the focus nor rebuilds what is the same. At first 500
 * rows are drawn, and more if the reader asks. If rows have controls of their own, Tab reaches those of one row, up and
 * down move between their first ones, and no row is selected.
 */
import { countOf, formatCount } from '../../core/format';
import { createButton, createElement, setText } from '../kit/elements';
import { t } from '../../core/language';

export interface TableRow {
  /** Identifies the row from one update to the next. */
  readonly key: string;
  /** The database that the row selects; null: none. */
  readonly databaseId: number | null;
}

interface RowDrawing<Row> {
  /** Fills the element of a new row. What it returns brings the cells up to date with the row of that key. */
  fillRow(element: HTMLTableRowElement, row: Row): (row: Row) => void;
  onSelect?(databaseId: number): void;
  /**
   * The controls of a row that take the focus; arrow keys go to the first one and skip a row without any. Absent: the
   * row itself.
   */
  listControls?(element: HTMLTableRowElement): readonly HTMLElement[];
}

interface PlacedRow<Row> {
  readonly element: HTMLTableRowElement;
  readonly update: (row: Row) => void;
}

/** Rows drawn at first, and added with each click. */
const ROWS_DRAWN_A_STEP = 500;

export class DrawnRows<Row extends TableRow> {
  readonly body: HTMLTableSectionElement;
  /** Stands below the table: how many rows are drawn, and a button for more. */
  readonly more: HTMLElement;
  private readonly count: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly placed = new Map<string, PlacedRow<Row>>();
  private rows: readonly Row[] = [];
  private limit = ROWS_DRAWN_A_STEP;
  /** The one row that Tab reaches. */
  private reachable: HTMLTableRowElement | null = null;
  private selected: number | null = null;

  constructor(private readonly drawing: RowDrawing<Row>) {
    this.body = createElement('tbody');
    this.count = createElement('span.dim.num');
    this.button = createButton('', () => this.showMore());
    this.more = createElement('p.more', { hidden: '', children: [this.count, this.button] });
    this.listen();
  }

  /** Draws these rows in this order. The focus stays on its row; if that is gone, on the row now at its place. */
  show(rows: readonly Row[]): void {
    this.rows = rows;
    this.draw();
  }

  /** Marks the rows of a database; a newly selected one is drawn however far down it is. */
  select(databaseId: number | null): void {
    const isNew = databaseId !== this.selected;
    this.selected = databaseId;
    if (isNew && databaseId !== null)
      this.drawAsFarAs(this.rows.findIndex((row) => row.databaseId === databaseId));
    this.mark();
  }

  /** The first row of a database, drawn however far down it is; null if it has none. */
  reach(databaseId: number): HTMLTableRowElement | null {
    const at = this.rows.findIndex((row) => row.databaseId === databaseId);
    this.drawAsFarAs(at);
    return this.placed.get(this.rows[at]?.key ?? '')?.element ?? null;
  }

  private drawAsFarAs(at: number): void {
    if (at < this.limit) return;
    this.limit = Math.ceil((at + 1) / ROWS_DRAWN_A_STEP) * ROWS_DRAWN_A_STEP;
    this.draw();
  }

  private showMore(): void {
    const firstNew = this.rows[this.limit];
    this.limit += ROWS_DRAWN_A_STEP;
    this.draw();
    const placed = firstNew && this.placed.get(firstNew.key);
    if (placed) this.focus(placed.element);
  }

  private draw(): void {
    const drawn = this.rows.slice(0, this.limit);
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.body.contains(active) ? active : null;
    const focusedAt = rowOf(focused)?.sectionRowIndex ?? -1;
    this.removeOthers(drawn);
    this.placeRows(drawn);
    this.describeMore();
    this.mark();
    if (focused && document.activeElement !== focused) this.takeFocusBack(focused, focusedAt);
  }

  private removeOthers(drawn: readonly Row[]): void {
    const wanted = new Set(drawn.map((row) => row.key));
    for (const [key, { element }] of this.placed) {
      if (wanted.has(key)) continue;
      element.remove();
      this.placed.delete(key);
    }
  }

  private placeRows(drawn: readonly Row[]): void {
    let next = this.body.firstElementChild;
    for (const row of drawn) {
      const { element, update } = this.placed.get(row.key) ?? this.createRow(row);
      update(row);
      if (element === next) next = next.nextElementSibling;
      else this.body.insertBefore(element, next);
    }
  }

  private createRow(row: Row): PlacedRow<Row> {
    const element = createElement('tr', {
      'data-database-id': row.databaseId === null ? null : String(row.databaseId),
    });
    const placed = { element, update: this.drawing.fillRow(element, row) };
    for (const control of this.controlsOf(element)) control.tabIndex = -1;
    this.placed.set(row.key, placed);
    return placed;
  }

  /** Moving a row in the document takes its focus away. */
  private takeFocusBack(focused: HTMLElement, at: number): void {
    const { children } = this.body;
    if (focused.isConnected && !focused.hidden) return focused.focus({ preventScroll: true });
    const row = rowOf(focused);
    const target = row?.isConnected
      ? row
      : (children[Math.min(at, children.length - 1)] as HTMLTableRowElement | undefined);
    if (target) this.focus(target, { preventScroll: true });
  }

  private controlsOf(row: HTMLTableRowElement): readonly HTMLElement[] {
    return this.drawing.listControls?.(row) ?? [row];
  }

  private describeMore(): void {
    const rest = this.rows.length - this.limit;
    this.more.hidden = rest <= 0;
    setText(
      this.count,
      t(
        'The first {0} of {1}.',
        formatCount(this.limit),
        countOf(this.rows.length, t('{0} row'), t('{0} rows')),
      ),
    );
    setText(
      this.button,
      rest >= ROWS_DRAWN_A_STEP
        ? t('Show next {0}', formatCount(ROWS_DRAWN_A_STEP))
        : t('Show the other {0}', formatCount(Math.max(0, rest))),
    );
  }

  private mark(): void {
    let first: HTMLTableRowElement | null = null;
    for (const row of this.rows.slice(0, this.limit)) {
      const { element } = this.placed.get(row.key)!;
      if (row.databaseId === null) continue;
      const isSelected = row.databaseId === this.selected;
      element.setAttribute('aria-selected', String(isSelected));
      if (isSelected) first ??= element;
    }
    const active = document.activeElement;
    const reachable = this.body.contains(active) ? rowOf(active) : (first ?? this.body.firstElementChild);
    if (reachable) this.makeReachable(reachable as HTMLTableRowElement);
  }

  private listen(): void {
    this.body.addEventListener('click', (event) => this.choose(rowOf(event.target)));
    this.body.addEventListener('focusin', (event) => {
      const row = rowOf(event.target);
      if (row) this.makeReachable(row);
    });
    this.body.addEventListener('keydown', (event) => {
      const row = rowOf(event.target);
      if (!row || takesKeys(event.target)) return;
      if (event.target === row && (event.key === 'Enter' || event.key === ' ')) this.choose(row);
      else if (!this.moveFocus(row, event.key)) return;
      event.preventDefault();
    });
    this.body.addEventListener('copy', (event) => {
      const rows = this.listCopied(event.target).map((row) =>
        [...row.cells].map(({ textContent }) => textContent?.trim() ?? '').join('\t'),
      );
      if (rows.length === 0) return;
      event.clipboardData?.setData('text/plain', rows.join('\n'));
      event.preventDefault();
    });
  }

  /** Whole rows: those that a selection touches, else the one with the focus. None for text of one cell. */
  private listCopied(target: EventTarget | null): readonly HTMLTableRowElement[] {
    if (takesKeys(target)) return [];
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed) return [rowOf(target)].filter((row) => row !== null);
    const cellOf = (node: Node | null): Element | null =>
      (node instanceof Element ? node : (node?.parentElement ?? null))?.closest('td') ?? null;
    const [from, to] = [cellOf(selection.anchorNode), cellOf(selection.focusNode)];
    return from === to ? [] : [...this.body.rows].filter((row) => selection.containsNode(row, true));
  }

  private choose(row: HTMLTableRowElement | null): void {
    const id = row?.dataset['databaseId'];
    if (id !== undefined) this.drawing.onSelect?.(Number(id));
  }

  private moveFocus(row: HTMLTableRowElement, key: string): boolean {
    const { firstElementChild, lastElementChild } = this.body;
    const ways = new Map<string, readonly [Element | null, 'nextElementSibling' | 'previousElementSibling']>(
      Object.entries({
        ArrowDown: [row.nextElementSibling, 'nextElementSibling'],
        ArrowUp: [row.previousElementSibling, 'previousElementSibling'],
        Home: [firstElementChild, 'nextElementSibling'],
        End: [lastElementChild, 'previousElementSibling'],
      }),
    );
    const way = ways.get(key);
    if (way === undefined) return false;
    let [target] = way;
    while (target && this.controlsOf(target as HTMLTableRowElement).length === 0) target = target[way[1]];
    if (target) this.focus(target as HTMLTableRowElement);
    return true;
  }

  private focus(row: HTMLTableRowElement, options?: FocusOptions): void {
    this.makeReachable(row);
    this.controlsOf(row)[0]?.focus(options);
  }

  private makeReachable(row: HTMLTableRowElement): void {
    if (this.reachable === row) return;
    if (this.reachable) for (const control of this.controlsOf(this.reachable)) control.tabIndex = -1;
    for (const control of this.controlsOf(row)) control.tabIndex = 0;
    this.reachable = row;
  }
}

/** In a text field, arrows and letters belong to the field. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox';

const rowOf = (target: EventTarget | null): HTMLTableRowElement | null =>
  target instanceof Element ? target.closest('tr') : null;
