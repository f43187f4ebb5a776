/**
 * Every database of the server in its group: whether it is in the script, its wave, and what was measured. Shows ten of
 * a group until the reader wants all.
 */
import { type DraftSets, isTicked } from '../../core/review/review-edits';
import {
  type ReviewBegin,
  type ReviewColumn,
  type ReviewGroup,
  type ReviewView,
  selectReviewGroups,
} from '../../core/review/review-groups';
import type { ReviewPage, ReviewRow } from '../../core/review/review-page';
import { createElement, setTitle, showText, wrap } from '../kit/elements';
import { createSortHeading, showSort } from '../tables/sort-heading';
import { DrawnRows } from '../tables/table-rows';
import { type CellEvents, type DrawnRow, fillReviewRow, type Ticked } from './review-cells';
import { isRecord } from '../model/view-state';
import { t } from '../../core/language';

interface ReviewTableEvents {
  onView(part: Partial<ReviewView>): void;
  onTick(databaseId: number, isIn: boolean): void;
  onTickRows(rows: readonly ReviewRow[], isIn: boolean): void;
  onWave(databaseId: number, wave: number): void;
}

interface ReviewTableInput {
  readonly page: ReviewPage;
  readonly view: ReviewView;
  readonly draft: DraftSets;
  readonly begin: ReviewBegin;
}

const COLUMNS: readonly {
  readonly column: ReviewColumn;
  readonly heading: string;
  readonly title: string;
}[] = [
  { column: 'database', heading: t('Database'), title: t('Name of the database') },
  {
    column: 'share',
    heading: t('Share'),
    title: t('Share of the time that the checkpoint task was busy with it'),
  },
  { column: 'perHour', heading: t('Checkpoints/h'), title: t('Checkpoints an hour on the checkpoint task') },
  { column: 'medianMs', heading: t('Median'), title: t('Half of its checkpoints took this long or less') },
  { column: 'wave', heading: t('Wave'), title: t('Waves are run one after the other') },
];

export const INITIAL_REVIEW_VIEW: ReviewView = {
  filter: '',
  sort: { column: 'share', descending: true },
  open: {},
  whole: [],
};

/** Reads a kept state, which an older version may have written. Each part that does not fit gets its initial value. */
export function parseReviewView(kept: unknown): ReviewView {
  const { filter, sort, open, whole } = isRecord(kept) ? kept : {};
  const column = isRecord(sort) ? COLUMNS.find((one) => one.column === sort['column'])?.column : undefined;
  const opened = Object.entries(isRecord(open) ? open : {}).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
  return {
    filter: typeof filter === 'string' ? filter : '',
    sort:
      column === undefined
        ? INITIAL_REVIEW_VIEW.sort
        : { column, descending: isRecord(sort) && sort['descending'] === true },
    open: Object.fromEntries(opened),
    whole: Array.isArray(whole) ? whole.filter((group): group is string => typeof group === 'string') : [],
  };
}

export class ReviewTable {
  readonly element: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly complaint: HTMLElement;
  private readonly headings = new Map<ReviewColumn, HTMLElement>();
  private readonly rows: DrawnRows<DrawnRow>;
  private readonly empty: HTMLElement;
  private input: ReviewTableInput | null = null;
  private groups: readonly ReviewGroup[] = [];

  constructor(private readonly events: ReviewTableEvents) {
    this.filter = createElement('input', {
      type: 'search',
      placeholder: t('Filter by name'),
      'aria-label': t('Filter databases by name'),
      spellcheck: 'false',
    });
    this.filter.addEventListener('input', () => events.onView({ filter: this.filter.value }));
    this.complaint = createElement('p.field-error', { role: 'alert', hidden: '' });
    this.empty = createElement('p.dim.empty', { text: t('No database matches the filter.') });
    const cells = this.cellEvents();
    this.rows = new DrawnRows({
      fillRow: (element, drawn) => fillReviewRow(element, drawn, cells),
      listControls: (element) => [...element.querySelectorAll<HTMLElement>('input, button')],
    });
    this.rows.body.addEventListener('keydown', (event) => this.openByKey(event));
    this.element = this.createElement();
  }

  update(input: ReviewTableInput): void {
    const { page, view, draft, begin } = input;
    this.input = input;
    const hadFocus = this.rows.body.contains(document.activeElement);
    if (this.filter.value !== view.filter) this.filter.value = view.filter;
    setTitle(this.headings.get('wave')!, page.order);
    this.groups = selectReviewGroups(page.rows, view, begin);
    const widest = page.rows.reduce((most, { share }) => Math.max(most, share ?? 0), 0);
    this.rows.show(this.groups.flatMap((group) => drawGroup(group, draft, page.revision, widest)));
    for (const [column, heading] of this.headings)
      showSort(heading, view.sort.column === column ? view.sort : null);
    this.empty.hidden = this.groups.length > 0;
    if (hadFocus && !this.rows.body.contains(document.activeElement)) this.filter.focus();
  }

  private cellEvents(): CellEvents {
    const { events } = this;
    return {
      onTick: events.onTick,
      onWave: events.onWave,
      onTickGroup: (group, isIn) =>
        events.onTickRows(this.groups.find((one) => one.group === group)?.rows ?? [], isIn),
      onOpen: (group, isOpen) => this.open(group, isOpen),
      onShowAll: (group) => events.onView({ whole: [...(this.input?.view.whole ?? []), group] }),
      onComplaint: (sentence) => showText(this.complaint, sentence),
    };
  }

  private open(group: string, isOpen: boolean): void {
    this.events.onView({ open: { ...this.input?.view.open, [group]: isOpen } });
  }

  /** As in a tree: the right arrow opens a group, the left arrow closes it. */
  private openByKey(event: KeyboardEvent): void {
    const group = event.target instanceof Element ? event.target.closest('tr')?.dataset['group'] : undefined;
    if (group === undefined || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
    event.preventDefault();
    this.open(group, event.key === 'ArrowRight');
  }

  private createElement(): HTMLElement {
    const tools = wrap('div.table-tools', [this.filter]);
    const inScript = createElement('th', {
      scope: 'col',
      'data-column': 'in',
      children: [createElement('span.visually-hidden', { text: t('In the script') })],
    });
    const headings = COLUMNS.flatMap((column) => [
      this.createHeading(column),
      // Above the bars of the shares.
      ...(column.column === 'share' ? [createElement('td')] : []),
    ]);
    const table = createElement('table.grid.review-grid', {
      'aria-label': t('Databases by group'),
      children: [wrap('thead', [wrap('tr', [inScript, ...headings])]), this.rows.body],
    });
    const scroll = wrap('div.review-scroll', [table, this.empty, this.rows.more]);
    return createElement('section.review-table', {
      'aria-label': t('Databases, in and out'),
      children: [tools, this.complaint, scroll],
    });
  }

  /** A first click on a figure's heading puts the largest first. */
  private createHeading({ column, heading, title }: (typeof COLUMNS)[number]): HTMLElement {
    const onSort = (): void => {
      const sorted = this.headings.get(column)?.getAttribute('aria-sort');
      const isFigure = column !== 'database' && column !== 'wave';
      this.events.onView({
        sort: { column, descending: sorted === 'none' ? isFigure : sorted === 'ascending' },
      });
    };
    const element = createSortHeading({ column, heading, title, onSort });
    this.headings.set(column, element);
    return element;
  }
}

function drawGroup(
  group: ReviewGroup,
  draft: DraftSets,
  plannedRevision: number,
  widest: number,
): readonly DrawnRow[] {
  const more = group.isOpen ? group.rows.length - group.shown.length : 0;
  return [
    {
      kind: 'group',
      key: `group ${group.group}`,
      databaseId: null,
      group,
      ticked: tickGroup(group, draft, plannedRevision),
      canBeIn: group.rows.some(({ canBeIn }) => canBeIn),
    },
    ...group.shown.flatMap((row) => drawDatabase(row, group, draft, { plannedRevision, widest })),
    ...(more > 0
      ? [{ kind: 'more', key: `more ${group.group}`, databaseId: null, group: group.group, more } as const]
      : []),
  ];
}

function tickGroup({ rows }: ReviewGroup, draft: DraftSets, plannedRevision: number): Ticked {
  const ticked = rows.filter((row) => isTicked(row, draft, plannedRevision)).length;
  const possible = rows.filter(({ canBeIn }) => canBeIn).length;
  return ticked === 0 ? false : ticked >= possible ? true : 'mixed';
}

function drawDatabase(
  row: ReviewRow,
  { shared }: ReviewGroup,
  draft: DraftSets,
  { plannedRevision, widest }: { readonly plannedRevision: number; readonly widest: number },
): readonly DrawnRow[] {
  const isIn = isTicked(row, draft, plannedRevision);
  const planned =
    plannedRevision === draft.revision ? row.wave : (draft.waveOf.get(row.databaseId) ?? row.wave);
  const drawn = {
    kind: 'database',
    key: String(row.databaseId),
    databaseId: null,
    row,
    isTicked: isIn,
    wave: planned,
    bar: widest === 0 ? 0 : (row.share ?? 0) / widest,
  } as const;
  return row.isTold && !shared.has(row.reason)
    ? [drawn, { kind: 'note', key: `note ${row.databaseId}`, databaseId: null, row }]
    : [drawn];
}
