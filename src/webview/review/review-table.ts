/** Every database of the server: whether it is in, when, and why or why not. Usable with thousands of them: filtered, sorted, and drawn 500 at a time. */
import { formatCount } from '../../core/format';
import { type DraftSets, isTicked } from '../../core/picture/review-edits';
import type { ReviewPage, ReviewRow } from '../../core/picture/review-page';
import { selectReviewRows, type ReviewColumn, type ReviewShow, type ReviewView } from '../../core/picture/review-rows';
import { createButton, createElement, setText } from '../elements';
import { createSortHeading, showSort } from '../tables/sort-heading';
import { TableRows } from '../tables/table-rows';
import { type CellEvents, createReviewCells, type DrawnRow, patchReviewCells } from './review-cells';

export interface ReviewTableEvents extends Omit<CellEvents, 'onComplaint'> {
  onView(part: Partial<ReviewView>): void;
  onTickShown(rows: readonly ReviewRow[], isIn: boolean): void;
}

const COLUMNS: readonly { readonly column: ReviewColumn; readonly heading: string; readonly title: string }[] = [
  { column: 'database', heading: 'Database', title: 'Name of the database' },
  { column: 'now', heading: 'Now', title: 'Target recovery time as it is' },
  { column: 'wanted', heading: 'Wanted', title: 'Target recovery time that the script sets' },
  { column: 'wave', heading: 'Wave', title: 'Waves are run one after the other' },
  { column: 'verdict', heading: 'Verdict', title: 'What was measured says' },
  { column: 'reason', heading: 'Why', title: 'On what evidence it is in, or why it is not' },
];

const SHOWS: readonly (readonly [ReviewShow, string])[] = [
  ['all', 'All databases'],
  ['in', 'In the script'],
  ['left out', 'Left out'],
  ['not chosen', 'Not chosen'],
  ['has it already', 'Has it already'],
];

export class ReviewTable {
  readonly element: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly show: HTMLSelectElement;
  private readonly count: HTMLElement;
  private readonly complaint: HTMLElement;
  private readonly headings = new Map<ReviewColumn, HTMLElement>();
  private readonly rows: TableRows<DrawnRow>;
  private readonly empty: HTMLElement;
  private shown: readonly ReviewRow[] = [];

  constructor(
    private readonly document: Document,
    private readonly events: ReviewTableEvents,
  ) {
    this.filter = createElement(document, 'input', {
      attributes: { type: 'search', placeholder: 'Filter by name', 'aria-label': 'Filter databases by name', spellcheck: 'false' },
    });
    this.filter.addEventListener('input', () => events.onView({ filter: this.filter.value }));
    this.show = createElement(document, 'select', { attributes: { 'aria-label': 'Which databases to show' } });
    this.show.append(...SHOWS.map(([value, text]) => createElement(document, 'option', { text, attributes: { value } })));
    this.show.addEventListener('change', () => events.onView({ show: this.show.value as ReviewShow }));
    this.count = createElement(document, 'span', { class: 'dim num' });
    this.complaint = createElement(document, 'p', { class: 'field-error', attributes: { role: 'alert', hidden: '' } });
    this.empty = createElement(document, 'p', { class: 'dim empty', text: 'No database fits the filter.' });
    this.rows = new TableRows(document, {
      createCells: (drawn) => createReviewCells(document, drawn, this.cellEvents()),
      patchCells: patchReviewCells,
      listControls: (element) => [...element.querySelectorAll('input')],
    });
    this.element = this.createElement();
  }

  update(page: ReviewPage, view: ReviewView, draft: DraftSets): void {
    const hadFocus = this.rows.body.contains(this.document.activeElement);
    if (this.filter.value !== view.filter) this.filter.value = view.filter;
    this.show.value = view.show;
    this.shown = selectReviewRows(page.rows, view);
    this.rows.show(this.shown.map((row) => drawRow(row, draft, page.revision)));
    for (const [column, heading] of this.headings) showSort(heading, view.sort.column === column ? view.sort : null);
    setText(this.count, `${formatCount(this.shown.length)} of ${formatCount(page.rows.length)} shown`);
    this.empty.hidden = this.shown.length > 0;
    if (hadFocus && !this.rows.body.contains(this.document.activeElement)) this.filter.focus();
  }

  private cellEvents(): CellEvents {
    return {
      ...this.events,
      onTick: (databaseId, isIn) => this.events.onTick(databaseId, isIn),
      onWave: (databaseId, wave) => this.events.onWave(databaseId, wave),
      onComplaint: (sentence) => {
        setText(this.complaint, sentence ?? '');
        this.complaint.hidden = sentence === null;
      },
    };
  }

  private createElement(): HTMLElement {
    const { document, events } = this;
    const tools = createElement(document, 'div', {
      class: 'table-tools',
      children: [
        this.filter,
        this.show,
        this.count,
        createButton(document, 'Put all shown in', () => events.onTickShown(this.shown, true)),
        createButton(document, 'Take all shown out', () => events.onTickShown(this.shown, false)),
      ],
    });
    const inHeading = createElement(document, 'th', { text: 'In', attributes: { scope: 'col', 'data-column': 'in' } });
    const headings = COLUMNS.map((column) => this.createHeading(column));
    const table = createElement(document, 'table', {
      class: 'grid review-grid',
      attributes: { 'aria-label': 'Databases' },
      children: [
        createElement(document, 'thead', { children: [createElement(document, 'tr', { children: [inHeading, ...headings] })] }),
        this.rows.body,
      ],
    });
    const scroll = createElement(document, 'div', { class: 'review-scroll', children: [table, this.empty, this.rows.more] });
    return createElement(document, 'section', {
      class: 'review-table',
      attributes: { 'aria-label': 'Databases, in and out' },
      children: [tools, this.complaint, scroll],
    });
  }

  private createHeading({ column, heading, title }: (typeof COLUMNS)[number]): HTMLElement {
    const onSort = (): void => {
      const isSorted = this.headings.get(column)?.getAttribute('aria-sort') === 'ascending';
      this.events.onView({ sort: { column, descending: isSorted } });
    };
    const element = createSortHeading(this.document, { column, heading, title, onSort });
    this.headings.set(column, element);
    return element;
  }
}

function drawRow(row: ReviewRow, draft: DraftSets, plannedRevision: number): DrawnRow {
  const isIn = isTicked(row, draft, plannedRevision);
  const wave = draft.waveOf.get(row.databaseId) ?? row.wave;
  return { key: String(row.databaseId), databaseId: null, row, isTicked: isIn, wave: plannedRevision === draft.revision ? row.wave : wave };
}
