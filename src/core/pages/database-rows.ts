/**
 * The rows of the databases table: figures with names, filtered and sorted. The lanes of the timeline have the same
 * order.
 */
import { hasText } from '../visible';
import type { Part } from '../advice/verdict-names';
import { compareNames } from '../lists';
import { type CheckpointStatistics, findSecondsAnHour } from '../statistics/statistics';
import { compareFigures } from './evidence-rows';

const FIGURES = ['count', 'perHour', 'p50Ms', 'p95Ms', 'maximumMs', 'totalMs', 'share'] as const;
export const DATABASE_COLUMNS = ['database', 'part', 'verdict', ...FIGURES] as const;
export type DatabaseColumn = (typeof DATABASE_COLUMNS)[number];

export interface DatabaseSort {
  readonly column: DatabaseColumn;
  readonly descending: boolean;
}

export interface DatabaseRow {
  readonly databaseId: number;
  readonly name: string;
  /** Its part in the queue, a code; '' if that is not known. */
  readonly part: string;
  /** A code, as of `Verdict`. */
  readonly verdict: string;
  readonly statistics: CheckpointStatistics;
  readonly isSystem?: true;
}

export interface DatabaseRows {
  readonly rows: readonly DatabaseRow[];
  /** Databases known to the capture without a checkpoint in the window, whatever the filter. */
  readonly withoutCheckpoint: number;
  /** How many of both are system databases. */
  readonly system: { readonly rows: number; readonly withoutCheckpoint: number };
}

/**
 * A reader looks for the first name, for databases that feed the queue and for Switch: these columns ascend. Figures
 * descend.
 */
export function startsDescending(column: DatabaseColumn): boolean {
  return column !== 'database' && column !== 'part' && column !== 'verdict';
}

/** A database of a capture, as the rows name it. */
export interface RowDatabase {
  readonly databaseId: number;
  readonly name: string;
  readonly verdict: string;
  readonly part: Part | null;
  readonly targetSeconds: number | null;
  readonly isSystem?: true;
}

/**
 * Joins figures with the names at their index. Keeps databases with a checkpoint whose name contains the filter, in any
 * case, and sorts them.
 */
export function selectDatabaseRows(
  statistics: readonly CheckpointStatistics[],
  databases: readonly RowDatabase[],
  filter: string,
  sort: DatabaseSort,
): DatabaseRows {
  const present = statistics.filter((figures) => figures.count > 0 && figures.database < databases.length);
  const wanted = filter.toLowerCase();
  const rows = present
    .map((figures) => toRow(databases[figures.database]!, figures))
    .filter((row) => hasText(row.name, wanted));
  const countSystem = (list: readonly { readonly isSystem?: true }[]): number =>
    list.filter(({ isSystem }) => isSystem).length;
  const presentSystem = countSystem(present.map((figures) => databases[figures.database]!));
  const system = { rows: countSystem(rows), withoutCheckpoint: countSystem(databases) - presentSystem };
  return { rows: sortDatabaseRows(rows, sort), withoutCheckpoint: databases.length - present.length, system };
}

function toRow(database: RowDatabase, statistics: CheckpointStatistics): DatabaseRow {
  const { databaseId, name, verdict, isSystem } = database;
  return { databaseId, name, part: namePart(database), verdict, statistics, ...(isSystem && { isSystem }) };
}

/** What a database with indirect checkpoints plays where no turn of it is known. */
function namePart({ part, targetSeconds }: RowDatabase): string {
  return part ?? (targetSeconds !== null && targetSeconds > 0 ? INDIRECT : '');
}

/**
 * A sorted copy. Values that could not be observed come last in both directions. Equal rows come by name, then by id,
 * so that the order is always the same.
 */
function sortDatabaseRows(rows: readonly DatabaseRow[], sort: DatabaseSort): readonly DatabaseRow[] {
  return [...rows].sort(
    (a, b) => compareColumn(a, b, sort) || compareNames(a.name, b.name) || a.databaseId - b.databaseId,
  );
}

function compareColumn(a: DatabaseRow, b: DatabaseRow, { column, descending }: DatabaseSort): number {
  const direction = descending ? -1 : 1;
  if (column === 'database') return direction * compareNames(a.name, b.name);
  if (column === 'part') return direction * (rank(PARTS, a.part) - rank(PARTS, b.part));
  if (column === 'verdict') return direction * (rank(VERDICTS, a.verdict) - rank(VERDICTS, b.verdict));
  const find = ({ statistics }: DatabaseRow): number | null =>
    column === 'totalMs' ? (findSecondsAnHour(statistics) ?? statistics.totalMs) : statistics[column];
  return compareFigures(find(a), find(b), descending);
}

/** Verdicts that ask for action come first. */
const VERDICTS: readonly string[] = ['Switch', 'Watch', 'Cannot tell here', 'Leave'];

const INDIRECT = 'indirect';
const PARTS: readonly string[] = [
  'feeds',
  'hurts alone',
  'held back',
  'much to redo',
  'waits',
  'quiet',
  'none seen',
  INDIRECT,
] satisfies readonly (Part | typeof INDIRECT)[];

function rank(ordered: readonly string[], word: string): number {
  const at = ordered.indexOf(word);
  return at < 0 ? ordered.length : at;
}
