/** The table of databases: figures of each database's checkpoints. Cells hold exact values in data attributes. */
import {
  countDatabases,
  formatCount,
  formatDuration,
  formatObserved,
  formatPerHour,
  formatPercent,
  formatPercentile,
  formatSecondsAnHour,
} from '../../core/format';
import {
  type CheckpointStatistics,
  findSecondsAnHour,
  type StatisticsSet,
} from '../../core/statistics/statistics';
import {
  startsDescending,
  type DatabaseColumn,
  type DatabaseRows,
  type DatabaseSort,
} from '../../core/pages/database-rows';
import { remember } from '../kit/frame';
import { createElement, setName, setText, setTitle, showText, wrap } from '../kit/elements';
import { PART_NAMES, VERDICT_NAMES } from '../../core/advice/verdict-names';
import { createSortHeading, showSort } from './sort-heading';
import { type DrawnRow, prepareRows, ROLE } from './drawn-databases';
import { DrawnRows } from './table-rows';
import { joinSentences, t } from '../../core/language';

interface ColumnSpec<Column = DatabaseColumn> {
  readonly column: Column;
  readonly heading: string;
  readonly title: string;
}

interface FigureSpec extends ColumnSpec {
  readonly format: (figures: CheckpointStatistics) => string;
}

const figure = (
  column: DatabaseColumn,
  heading: string,
  title: string,
  format: FigureSpec['format'],
): FigureSpec => ({
  column,
  heading,
  title,
  format,
});
const observedDuration = (ms: number | null): string => formatObserved(ms, formatDuration);

const SHARE_TITLE = t(
  'Share of the observed time in which a checkpoint of the database was running; with automatic checkpoints, on the one task',
);
/** The most important figures; the page of databases has room for the others. */
const FIGURES: readonly FigureSpec[] = [
  figure('share', t('Share of task'), SHARE_TITLE, (f) => formatObserved(f.share, formatPercent)),
  figure('perHour', t('Checkpoints/h'), t('Checkpoints per observed hour'), (f) =>
    formatObserved(f.perHour, formatPerHour),
  ),
  figure('p50Ms', t('Median'), t('Half of the checkpoints took this long or less (p50, nearest rank)'), (f) =>
    observedDuration(f.p50Ms),
  ),
  figure(
    'p95Ms',
    'p95',
    t('95 % of the checkpoints took this long or less (nearest rank; of 20 or more)'),
    (f) => formatPercentile(f.p95Ms, f.count),
  ),
  figure('maximumMs', t('Longest'), t('Longest checkpoint'), (f) => observedDuration(f.maximumMs)),
];
const MORE_FIGURES: readonly FigureSpec[] = [
  figure('totalMs', t('Seconds/h'), t('Seconds in checkpoints of each observed hour'), (f) =>
    formatObserved(findSecondsAnHour(f), formatSecondsAnHour),
  ),
  figure('count', t('Checkpoints'), t('Checkpoints that began in this time'), (f) => formatCount(f.count)),
];

type WordSpec = ColumnSpec<'part' | 'verdict'>;

const PART: WordSpec = {
  column: 'part',
  heading: t('Role'),
  title: t('Its role in the queue; the reason is beside the timeline'),
};
const VERDICT: WordSpec = {
  column: 'verdict',
  heading: t('Verdict'),
  title: t('What to do about its checkpoints; the reason is beside the timeline'),
};

export interface DatabasesInput {
  readonly databases: DatabaseRows;
  readonly sort: DatabaseSort;
  readonly selectedDatabaseId: number | null;
  /** Figures before the first change, of the databases that were changed; null: the others are not of the time since. */
  readonly before: StatisticsSet | null;
  /** Whether those are shown until the reader folds them. */
  readonly isBoth: boolean;
  /** Since when databases have their target, as a text by their ids. */
  readonly switched: ReadonlyMap<number, string>;
  /** What the figures are of, in words. */
  readonly scope: string;
  /** The same, and which of that time was not observed. */
  readonly coverage: string;
  /** Checkpoints of that time that are in no figure, because each may be two checkpoints with a gap between them. */
  readonly leftOut: number;
  readonly filtered: boolean;
}

interface DatabasesEvents {
  onSort(sort: DatabaseSort): void;
  onSelect(databaseId: number): void;
}

export class DatabasesTable {
  readonly element: HTMLElement;
  /** Says what is missing in the figures. */
  private readonly coverage: HTMLElement;
  private readonly headings = new Map<DatabaseColumn, HTMLElement>();
  private readonly rows: DrawnRows<DrawnRow>;
  private readonly rest: HTMLElement;
  private readonly words: readonly WordSpec[];
  private readonly figures: readonly FigureSpec[];
  private readonly prepare = remember(prepareRows);
  /** Whether the reader opened or folded a row, by its key. */
  private toggled: ReadonlyMap<string, boolean> = new Map();
  private input: DatabasesInput | null = null;
  private selected: number | null = null;
  private isBoth = false;
  private shown: readonly DrawnRow[] | null = null;
  private sort: DatabaseSort | null = null;

  constructor(
    private readonly events: DatabasesEvents,
    /** Whether it has room for all columns. */
    private readonly isWhole = false,
  ) {
    this.words = isWhole ? [PART, VERDICT] : [PART];
    this.figures = isWhole ? [...FIGURES, ...MORE_FIGURES] : FIGURES;
    const coverageId = isWhole ? 'databases-page-coverage' : 'databases-coverage';
    this.coverage = createElement('p.coverage.dim.num', { id: coverageId });
    const head = wrap('tr', [
      this.createHeading('database', t('Database'), t('Name of the database')),
      ...[...this.words, ...this.figures].map(({ column, heading, title }) =>
        this.createHeading(column, heading, title),
      ),
    ]);
    this.rows = new DrawnRows({
      fillRow: (element, row) => this.fillRow(element, row),
      onSelect: (databaseId) => events.onSelect(databaseId),
    });
    const table = createElement('table.grid.databases', {
      role: isWhole ? 'treegrid' : 'grid',
      'aria-label': t('Databases'),
      'aria-describedby': coverageId,
      children: [wrap('thead', [head]), this.rows.body],
    });
    this.rest = createElement('p.rest.dim');
    this.element = wrap('div.databases-scroll', [this.coverage, table, this.rows.more, this.rest]);
  }

  update(input: DatabasesInput): void {
    this.input = input;
    this.sort = input.sort;
    const rows = this.prepareShown(input);
    if (rows !== this.shown) this.rows.show(rows);
    this.shown = rows;
    setText(this.coverage, input.coverage);
    setTitle(this.coverage, input.coverage);
    for (const [column, heading] of this.headings)
      showSort(heading, input.sort.column === column ? input.sort : null);
    this.rows.select(input.selectedDatabaseId);
    showText(this.rest, describeRest(input));
  }

  /** CSS pixels of its head and its first rows. */
  measureHead(rows: number): number {
    const { body } = this.rows;
    const headPx =
      body.getBoundingClientRect().top - this.element.getBoundingClientRect().top + this.element.scrollTop;
    return headPx + Math.min(rows, body.rows.length) * (body.rows[0]?.offsetHeight ?? 0);
  }

  /** Scrolls a database's row into view inside the table; a page that scrolls as a whole is left alone. */
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

  private createHeading(column: DatabaseColumn, heading: string, title: string): HTMLElement {
    const element = createSortHeading({
      column,
      heading,
      title,
      onSort: () => this.chooseSort(column),
    });
    this.headings.set(column, element);
    return element;
  }

  private chooseSort(column: DatabaseColumn): void {
    const same = this.sort?.column === column;
    this.events.onSort({ column, descending: same ? !this.sort!.descending : startsDescending(column) });
  }

  /** A role that holds the database that was selected now, or what the filter leaves, is not folded. */
  private prepareShown(input: DatabasesInput): readonly DrawnRow[] {
    const { databases, before, isBoth, switched, sort, selectedDatabaseId: selected, filtered } = input;
    // Choosing both, or leaving it, opens or folds every row: what was opened by hand before does not count.
    if (isBoth !== this.isBoth)
      this.toggled = new Map([...this.toggled].filter(([key]) => key.startsWith(ROLE)));
    this.isBoth = isBoth;
    const prepare = (): readonly DrawnRow[] =>
      this.prepare(databases, before, isBoth, switched, sort, this.toggled, filtered, this.isWhole);
    const rows = prepare();
    const isNew = selected !== this.selected;
    this.selected = selected;
    if (!isNew || selected === null || rows.some(({ databaseId }) => databaseId === selected)) return rows;
    this.toggled = new Map([...this.toggled].filter(([key]) => !key.startsWith(ROLE)));
    return prepare();
  }

  private open(key: string, isOpen: boolean): void {
    this.toggled = new Map([...this.toggled, [key, isOpen]]);
    if (this.input) this.update(this.input);
  }

  /**
   * As in a tree: the right arrow opens a row; the left arrow folds it, or goes to the row that it stands below. A click
   * folds a role whole.
   */
  private createTwistie(element: HTMLElement, { key, kind }: DrawnRow): HTMLElement {
    const twistie = createElement('span.twistie', { 'aria-hidden': 'true' });
    const toggle = (event: Event): void => {
      if (element.ariaExpanded === null) return;
      event.stopPropagation();
      event.preventDefault();
      this.open(key, element.ariaExpanded === 'false');
    };
    (kind === 'role' ? element : twistie).addEventListener('click', toggle);
    element.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const opens = element.ariaExpanded === 'true' ? 'ArrowLeft' : 'ArrowRight';
      if (event.key === opens || (kind === 'role' && (event.key === 'Enter' || event.key === ' ')))
        toggle(event);
      else if (event.key === 'ArrowLeft') findParent(element)?.focus();
    });
    return twistie;
  }

  private fillRow(element: HTMLElement, first: DrawnRow): (row: DrawnRow) => void {
    const twistie = this.isWhole && this.createTwistie(element, first);
    const shown = createElement('span');
    const since = createElement('span.since');
    const name = createElement('td.data', {
      role: 'rowheader',
      'data-column': 'database',
      children: [wrap('div.names', [twistie || null, shown, since])],
    });
    element.append(name);
    const updates = [
      ...this.words.map(({ column }) => this.appendWord(element, column)),
      ...this.figures.map((spec) => this.appendFigure(element, spec)),
    ];
    return (row) => {
      element.dataset['kind'] = row.kind;
      element.ariaExpanded = row.isOpen === null ? null : String(row.isOpen);
      if (this.isWhole) element.ariaLevel = LEVELS[row.kind];
      (row.kind === 'role' ? setText : setName)(shown, row.name);
      setText(since, row.note);
      setTitle(name, row.name);
      name.dataset['value'] = row.name;
      for (const update of updates) update(row);
    };
  }

  private appendWord(element: HTMLElement, column: WordSpec['column']): (row: DrawnRow) => void {
    const shown = createElement('span', { ...(column === 'verdict' && { class: 'tag' }) });
    const cell = createElement('td', { 'data-column': column, children: [shown] });
    element.append(cell);
    return ({ [column]: word }) => {
      setText(shown, NAMES[column].get(word) ?? word);
      shown.dataset[column] = word;
      cell.dataset['value'] = word;
    };
  }

  private appendFigure(element: HTMLElement, { column, format }: FigureSpec): (row: DrawnRow) => void {
    const text = createElement('span');
    const bar = column === 'share' ? createElement('span.bar', { 'aria-hidden': 'true' }) : null;
    const why = bar && createElement('span.why');
    const cell = createElement('td', { 'data-column': column, children: [text, bar, why] });
    element.append(cell);
    return (row) => {
      const share = column === 'share' ? formatObserved(row.share, formatPercent) : '';
      setText(text, row.statistics === null ? share : format(row.statistics));
      if (why) setText(why, row.why);
      cell.dataset['value'] = String(row.statistics?.[column as keyof CheckpointStatistics] ?? '');
      if (bar !== null) drawBar(bar, row);
    };
  }
}

const LEVELS = { role: '1', database: '2', before: '3' } as const;

const NAMES = {
  part: new Map<string, string>(Object.entries(PART_NAMES)),
  verdict: new Map<string, string>(Object.entries(VERDICT_NAMES)),
};

function drawBar(bar: HTMLElement, { kind, longestShare, share }: DrawnRow): void {
  const width = `${longestShare > 0 && kind !== 'role' ? Math.max(1, Math.round((72 * (share ?? 0)) / longestShare)) : 0}px`;
  if (bar.style.width !== width) bar.style.width = width;
}

function describeRest({ databases, filtered, leftOut }: DatabasesInput): string {
  const { withoutCheckpoint: quiet, system } = databases;
  const count = countDatabases(quiet - system.withoutCheckpoint, system.withoutCheckpoint);
  const silence =
    leftOut > 0
      ? t('{0} had no checkpoint in these figures.', count)
      : t('{0} had no checkpoint in this time.', count);
  const isUnknown = filtered && databases.rows.length === 0;
  return joinSentences(
    isUnknown ? t('No database with this name had a checkpoint in this time.') : '',
    quiet === 0 ? '' : silence,
  );
}

function findParent(element: HTMLElement): HTMLElement | null {
  let row = element.previousElementSibling as HTMLElement | null;
  while (row && Number(row.ariaLevel) >= Number(element.ariaLevel)) {
    row = row.previousElementSibling as HTMLElement | null;
  }
  return row;
}
