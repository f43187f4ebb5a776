/**
 * What the reader has set and a reload keeps: what is in view, selected, sorted and filtered. The webview owns this and
 * nothing else.
 */
import type { TimeWindow } from '../../core/statistics/statistics';
import type { EvidenceSort } from '../../core/pages/evidence-rows';
import { DATABASE_COLUMNS, type DatabaseSort } from '../../core/pages/database-rows';
import { DEFAULT_STRIPS, STRIP_IDS, type StripId } from '../../core/timeline/strips';

export const PAGE_IDS = ['timeline', 'databases', 'beforeAfter', 'writeWork', 'errorLog'] as const;

/** A page of the dashboard: the timeline, the databases, or a page of evidence by its name in the protocol. */
export type PageId = (typeof PAGE_IDS)[number];

export const CLOCK_IDS = ['server', 'utc', 'local'] as const;

/** Whose clock times are shown by: the server's, UTC, or the reader's own. */
export type ClockId = (typeof CLOCK_IDS)[number];

export const LANE_HEIGHTS = ['normal', 'compact', 'all'] as const;

/** How high lanes are; `all`: low enough to show all of them. */
export type LaneHeight = (typeof LANE_HEIGHTS)[number];

/** What is measured: checkpoints of these databases that begin in this time. */
export interface MeasuredPart extends TimeWindow {
  readonly databaseIds: readonly number[];
}

/**
 * The time since the last change, before the first, the former with the latter beside it, all observed time, or the
 * window in view.
 */
export const FIGURES_OF = ['since', 'before', 'both', 'all', 'view'] as const;
export type FiguresOf = (typeof FIGURES_OF)[number];

/** On which side of the changes the figures of all databases are; null: on neither. */
export const sideOf = (of: FiguresOf): 'since' | 'before' | null =>
  of === 'both' ? 'since' : of === 'since' || of === 'before' ? of : null;

export interface ViewState {
  readonly page: PageId;
  /** null: all observed time. */
  readonly window: TimeWindow | null;
  /** Whether the window moves along with the newest moment. */
  readonly follows: boolean;
  readonly selectedDatabaseId: number | null;
  readonly sort: DatabaseSort;
  readonly filter: string;
  /** What figures are of; where nothing was changed, `since` is all observed time. */
  readonly figuresOf: FiguresOf;
  /** Sorts of the evidence tables, by table id; a table that is not named keeps its own order. */
  readonly evidenceSorts: Readonly<Record<string, EvidenceSort>>;
  readonly clock: ClockId;
  readonly laneHeight: LaneHeight;
  /** Ids of the databases whose lanes come first, in the order in which they were pinned. */
  readonly pinned: readonly number[];
  readonly strips: readonly StripId[];
  /** null: nothing is measured. */
  readonly measured: MeasuredPart | null;
}

export const INITIAL_VIEW: ViewState = {
  page: 'timeline',
  window: null,
  follows: true,
  selectedDatabaseId: null,
  sort: { column: 'share', descending: true },
  filter: '',
  figuresOf: 'since',
  evidenceSorts: {},
  clock: 'server',
  laneHeight: 'normal',
  pinned: [],
  strips: DEFAULT_STRIPS,
  measured: null,
};

/** Reads a kept state, which an older version may have written. Each part that does not fit gets its initial value. */
export function parseViewState(kept: unknown): ViewState {
  if (!isRecord(kept)) return INITIAL_VIEW;
  const strips = kept['strips'];
  return {
    page: PAGE_IDS.find((id) => id === kept['page']) ?? INITIAL_VIEW.page,
    window: parseWindow(kept['window']),
    follows: typeof kept['follows'] === 'boolean' ? kept['follows'] : INITIAL_VIEW.follows,
    selectedDatabaseId: Number.isInteger(kept['selectedDatabaseId'])
      ? (kept['selectedDatabaseId'] as number)
      : null,
    sort: parseSort(kept['sort']),
    filter: typeof kept['filter'] === 'string' ? kept['filter'] : '',
    figuresOf: FIGURES_OF.find((id) => id === kept['figuresOf']) ?? INITIAL_VIEW.figuresOf,
    evidenceSorts: parseEvidenceSorts(kept['evidenceSorts']),
    clock: CLOCK_IDS.find((id) => id === kept['clock']) ?? INITIAL_VIEW.clock,
    laneHeight: LANE_HEIGHTS.find((height) => height === kept['laneHeight']) ?? INITIAL_VIEW.laneHeight,
    pinned: parseIds(kept['pinned']),
    // In the order of the strips, in whatever order they were chosen.
    strips: Array.isArray(strips) ? STRIP_IDS.filter((id) => strips.includes(id)) : INITIAL_VIEW.strips,
    measured: parseMeasured(kept['measured']),
  };
}

/** The sorts after the sort of one table has changed; null: the table's own order. */
export function changeSort(
  sorts: ViewState['evidenceSorts'],
  tableId: string,
  sort: EvidenceSort | null,
): ViewState['evidenceSorts'] {
  const others = Object.entries(sorts).filter(([id]) => id !== tableId);
  return Object.fromEntries(sort === null ? others : [...others, [tableId, sort]]);
}

function parseWindow(kept: unknown): TimeWindow | null {
  if (!isRecord(kept)) return null;
  const { beginUtcMs, endUtcMs } = kept;
  const fits =
    Number.isFinite(beginUtcMs) && Number.isFinite(endUtcMs) && (beginUtcMs as number) < (endUtcMs as number);
  return fits ? { beginUtcMs: beginUtcMs as number, endUtcMs: endUtcMs as number } : null;
}

function parseMeasured(kept: unknown): MeasuredPart | null {
  const window = parseWindow(kept);
  const databaseIds = isRecord(kept) ? parseIds(kept['databaseIds']) : [];
  return window && databaseIds.length > 0 ? { ...window, databaseIds } : null;
}

function parseIds(kept: unknown): readonly number[] {
  return Array.isArray(kept) ? [...new Set(kept.filter((id): id is number => Number.isInteger(id)))] : [];
}

function parseSort(kept: unknown): DatabaseSort {
  const column = isRecord(kept) ? DATABASE_COLUMNS.find((one) => one === kept['column']) : undefined;
  return column === undefined
    ? INITIAL_VIEW.sort
    : { column, descending: isRecord(kept) && kept['descending'] === true };
}

function parseEvidenceSorts(kept: unknown): Readonly<Record<string, EvidenceSort>> {
  if (!isRecord(kept)) return {};
  const sorts: Record<string, EvidenceSort> = {};
  for (const [id, sort] of Object.entries(kept))
    if (isRecord(sort) && typeof sort['column'] === 'string')
      sorts[id] = { column: sort['column'], descending: sort['descending'] === true };
  return sorts;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
