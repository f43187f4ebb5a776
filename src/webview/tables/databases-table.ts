/** The table of databases: figures of each database's checkpoints. Cells hold exact values in data attributes. */
import {
  countDatabases,
  formatCount,
  formatDuration,
  formatObserved,
  formatPerHour,
  formatPercent,
} from '../../core/format';
import type { CheckpointStatistics, StatisticsSet } from '../../core/statistics/statistics';
import {
  startsDescending,
  type DatabaseColumn,
  type DatabaseRow,
  type DatabaseRows,
  type DatabaseSort,
} from '../../core/pages/database-rows';
import { remember } from '../kit/frame';
import { createElement, setText, setTitle, showText } from '../kit/elements';
import { GROUP_NAMES, PART_NAMES, VERDICT_NAMES } from '../../core/advice/verdict-names';
import { createSortHeading, showSort } from './sort-heading';
import { DrawnRows, type TableRow } from './table-rows';
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
  figure('p50Ms', t('Median'), t('Half of the checkpoints took no longer (p50, nearest rank)'), (f) =>
    observedDuration(f.p50Ms),
  ),
  figure('p95Ms', 'p95', t('95 of 100 checkpoints took no longer (nearest rank)'), (f) =>
    observedDuration(f.p95Ms),
  ),
  figure('maximumMs', t('Longest'), t('Longest checkpoint'), (f) => observedDuration(f.maximumMs)),
];
const MORE_FIGURES: readonly FigureSpec[] = [
  figure('count', t('Checkpoints'), t('Checkpoints that began in the window'), (f) => formatCount(f.count)),
  figure('averageMs', t('Average'), t('Average duration'), (f) => observedDuration(f.averageMs)),
  figure('p99Ms', 'p99', t('99 of 100 checkpoints took no longer (nearest rank)'), (f) =>
    observedDuration(f.p99Ms),
  ),
  figure('totalMs', t('Total'), t('Sum of the durations'), (f) => formatDuration(f.totalMs)),
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
  /**
   * Figures before the first change, to be shown below those of the databases that were changed; null: not asked for.
   */
  readonly before: StatisticsSet | null;
  /** Since when databases have their target, as a text by their ids. */
  readonly switched: ReadonlyMap<number, string>;
  /** What the figures are of, in words. */
  readonly scope: string;
  /** Which of that time was not observed, in words; empty: nothing is known to be missing. */
  readonly coverage: string;
  /** Checkpoints of that time that are in no figure, because each may be two checkpoints with a gap between them. */
  readonly leftOut: number;
  readonly filtered: boolean;
}

interface DatabasesEvents {
  onSort(sort: DatabaseSort): void;
  onSelect(databaseId: number): void;
}

/** A row with the value of its bar: a database, the same before it was changed, or the head of those with one role. */
interface DrawnRow extends Omit<DatabaseRow, 'databaseId' | 'statistics'>, TableRow {
  readonly kind: 'database' | 'before' | 'role';
  /** After the name. */
  readonly note: string;
  /** null: of a role there is only the share. */
  readonly statistics: CheckpointStatistics | null;
  readonly share: number | null;
  readonly longestShare: number;
}

export class DatabasesTable {
  readonly element: HTMLElement;
  private readonly caption: HTMLElement;
  /** Says what is missing in the figures. */
  private readonly coverage: HTMLElement;
  private readonly headings = new Map<DatabaseColumn, HTMLElement>();
  private readonly rows: DrawnRows<DrawnRow>;
  private readonly rest: HTMLElement;
  private readonly words: readonly WordSpec[];
  private readonly figures: readonly FigureSpec[];
  private readonly prepare = remember(prepareRows);
  private shown: readonly DrawnRow[] | null = null;
  private sort: DatabaseSort | null = null;

  constructor(
    private readonly document: Document,
    private readonly events: DatabasesEvents,
    /** Whether it has room for all columns. */
    private readonly isWhole = false,
  ) {
    this.words = isWhole ? [PART, VERDICT] : [PART];
    this.figures = isWhole ? [...FIGURES, ...MORE_FIGURES] : FIGURES;
    const coverageId = isWhole ? 'databases-page-coverage' : 'databases-coverage';
    this.caption = createElement(document, 'caption', { class: 'visually-hidden' });
    this.coverage = createElement(document, 'p', {
      class: 'coverage dim num',
      attributes: { id: coverageId, hidden: '' },
    });
    const head = createElement(document, 'tr', {
      children: [
        this.createHeading('database', t('Database'), t('Name of the database')),
        ...[...this.words, ...this.figures].map(({ column, heading, title }) =>
          this.createHeading(column, heading, title),
        ),
      ],
    });
    this.rows = new DrawnRows(document, {
      fillRow: (element) => this.fillRow(element),
      onSelect: (databaseId) => events.onSelect(databaseId),
    });
    const table = createElement(document, 'table', {
      class: 'grid databases',
      attributes: { role: 'grid', 'aria-label': t('Databases'), 'aria-describedby': coverageId },
      children: [this.caption, createElement(document, 'thead', { children: [head] }), this.rows.body],
    });
    this.rest = createElement(document, 'p', { class: 'rest dim' });
    this.element = createElement(document, 'div', {
      class: 'databases-scroll',
      children: [this.coverage, table, this.rows.more, this.rest],
    });
  }

  update(input: DatabasesInput): void {
    this.sort = input.sort;
    const rows = this.prepare(input.databases, input.before, input.switched, input.sort, this.isWhole);
    if (rows !== this.shown) this.rows.show(rows);
    this.shown = rows;
    setText(this.caption, `${t('Checkpoints by database')}. ${input.scope}`);
    showText(this.coverage, input.coverage);
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
    const element = createSortHeading(this.document, {
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

  private fillRow(element: HTMLElement): (row: DrawnRow) => void {
    const shown = createElement(this.document, 'span');
    const since = createElement(this.document, 'span', { class: 'since' });
    const name = createElement(this.document, 'td', {
      class: 'data',
      attributes: { role: 'rowheader', 'data-column': 'database' },
      children: [shown, since],
    });
    element.append(name);
    const updates = [
      ...this.words.map(({ column }) => this.appendWord(element, column)),
      ...this.figures.map((spec) => this.appendFigure(element, spec)),
    ];
    return (row) => {
      element.dataset['kind'] = row.kind;
      setText(shown, row.name);
      setText(since, row.note);
      setTitle(name, row.name);
      name.dataset['value'] = row.name;
      for (const update of updates) update(row);
    };
  }

  private appendWord(element: HTMLElement, column: WordSpec['column']): (row: DrawnRow) => void {
    const shown = createElement(this.document, 'span', { ...(column === 'verdict' && { class: 'tag' }) });
    const cell = createElement(this.document, 'td', {
      attributes: { 'data-column': column },
      children: [shown],
    });
    element.append(cell);
    return ({ [column]: word }) => {
      setText(shown, NAMES[column].get(word) ?? word);
      shown.dataset[column] = word;
      cell.dataset['value'] = word;
    };
  }

  private appendFigure(element: HTMLElement, { column, format }: FigureSpec): (row: DrawnRow) => void {
    const text = createElement(this.document, 'span');
    const bar =
      column === 'share'
        ? createElement(this.document, 'span', { class: 'bar', attributes: { 'aria-hidden': 'true' } })
        : null;
    const cell = createElement(this.document, 'td', {
      attributes: { 'data-column': column },
      children: [text, bar],
    });
    element.append(cell);
    return (row) => {
      const share = column === 'share' ? formatObserved(row.share, formatPercent) : '';
      setText(text, row.statistics === null ? share : format(row.statistics));
      cell.dataset['value'] = String(row.statistics?.[column as keyof CheckpointStatistics] ?? '');
      if (bar !== null) drawBar(bar, row);
    };
  }
}

function prepareRows(
  { rows }: DatabaseRows,
  before: StatisticsSet | null,
  switched: DatabasesInput['switched'],
  sort: DatabaseSort,
  isWhole: boolean,
): readonly DrawnRow[] {
  const isSwitched = (row: DatabaseRow): boolean => isWhole && switched.has(row.databaseId);
  const statisticsBefore = (row: DatabaseRow): CheckpointStatistics | undefined =>
    isSwitched(row) ? before?.databases[row.statistics.database] : undefined;
  const shares = rows.map((row) => Math.max(row.statistics.share ?? 0, statisticsBefore(row)?.share ?? 0));
  const longestShare = shares.reduce((most, share) => Math.max(most, share), 0);
  const drawn = rows.map((row): readonly DrawnRow[] => {
    const { databaseId, statistics } = row;
    // SQL Server uses a database_id again after a drop, so the id alone does not tell two databases of a capture apart.
    const key = `${statistics.database} ${databaseId}`;
    const note = isSwitched(row) ? switched.get(databaseId)! : '';
    const own = { ...row, key, note, longestShare, share: statistics.share, kind: 'database' } as const;
    const was = statisticsBefore(row);
    if (was === undefined) return [own];
    return [
      own,
      {
        ...own,
        key: `${key} before`,
        databaseId: null,
        name: t('before'),
        note: '',
        part: '',
        verdict: '',
        statistics: was,
        share: was.share,
        kind: 'before',
      },
    ];
  });
  if (!isWhole || sort.column !== 'share') return drawn.flat();
  return Object.keys({ ...PART_NAMES, '': '' }).flatMap((part) => {
    const own = drawn.filter(([row]) => row!.part === part);
    return own.length === 0
      ? []
      : [
          headRole(
            part,
            own.map(([row]) => row!),
            longestShare,
          ),
          ...own.flat(),
        ];
  });
}

/** The head of the databases with one role: how many, and their share together. */
function headRole(part: string, rows: readonly DrawnRow[], longestShare: number): DrawnRow {
  const share = rows.reduce<number | null>(
    (sum, row) => (sum === null || row.share === null ? null : sum + row.share),
    0,
  );
  const name = ROLE_NAMES.get(part) ?? NAMES.part.get(part) ?? t('Others');
  const none = { part: '', verdict: '', statistics: null, databaseId: null } as const;
  return {
    ...none,
    key: `role ${part}`,
    kind: 'role',
    name,
    note: formatCount(rows.length),
    share,
    longestShare,
  };
}

/** Of roles that the pane has a group for. */
const ROLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['feeds', GROUP_NAMES['Feeds the queue']],
  ['waits', GROUP_NAMES['Waits in the queue']],
  ['hurts alone', GROUP_NAMES['Hurts by itself']],
  ['quiet', GROUP_NAMES.Quiet],
  ['indirect', GROUP_NAMES.Indirect],
]);

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
      : t('{0} had no checkpoint in this window.', count);
  const isUnknown = filtered && databases.rows.length === 0;
  return joinSentences(
    isUnknown ? t('No database with this name had a checkpoint in this window.') : '',
    quiet === 0 ? '' : silence,
  );
}
