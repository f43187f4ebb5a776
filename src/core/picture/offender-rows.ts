/** The rows of the offenders table: figures with names, filtered and sorted. The lanes of the timeline follow the same order. */
import { hasText } from '../visible';
import type { CheckpointStatistics } from '../evidence/statistics';

export type OffenderColumn =
  'database' | 'verdict' | 'count' | 'perHour' | 'averageMs' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'maximumMs' | 'totalMs' | 'share';

export interface OffenderSort {
  readonly column: OffenderColumn;
  readonly descending: boolean;
}

export interface OffenderRow {
  readonly databaseId: number;
  readonly name: string;
  /** In a word, as the pane has it. */
  readonly verdict: string;
  readonly statistics: CheckpointStatistics;
  readonly isSystem?: true;
}

export interface OffenderRows {
  readonly rows: readonly OffenderRow[];
  /** Databases known to the capture without a checkpoint in the window, whatever the filter. */
  readonly withoutCheckpoint: number;
  /** How many of either are system databases. */
  readonly system: { readonly rows: number; readonly withoutCheckpoint: number };
}

/** Ascending by name and from Switch to Leave, descending by figures: what a reader looks for first. */
export function startsDescending(column: OffenderColumn): boolean {
  return column !== 'database' && column !== 'verdict';
}

/** A database of a capture, as the rows name it. */
export interface OffenderDatabase {
  readonly databaseId: number;
  readonly name: string;
  readonly verdict: string;
  readonly isSystem?: true;
}

/** Joins figures with the names at their index, keeps those with a checkpoint whose name contains the filter (case aside), and sorts them. */
export function selectOffenderRows(
  statistics: readonly CheckpointStatistics[],
  databases: readonly OffenderDatabase[],
  filter: string,
  sort: OffenderSort,
): OffenderRows {
  const present = statistics.filter((figures) => figures.count > 0 && figures.database < databases.length);
  const wanted = filter.toLowerCase();
  const rows = present.map((figures) => toRow(databases[figures.database]!, figures)).filter((row) => hasText(row.name, wanted));
  const countSystem = (list: readonly { readonly isSystem?: true }[]): number => list.filter(({ isSystem }) => isSystem).length;
  const presentSystem = countSystem(present.map((figures) => databases[figures.database]!));
  const system = { rows: countSystem(rows), withoutCheckpoint: countSystem(databases) - presentSystem };
  return { rows: sortOffenderRows(rows, sort), withoutCheckpoint: databases.length - present.length, system };
}

function toRow({ databaseId, name, verdict, isSystem }: OffenderDatabase, statistics: CheckpointStatistics): OffenderRow {
  return { databaseId, name, verdict, statistics, ...(isSystem && { isSystem }) };
}

/** A sorted copy. Values that could not be observed come last either way; equal rows are ordered by name, then by id, so that the order is always the same. */
export function sortOffenderRows(rows: readonly OffenderRow[], sort: OffenderSort): readonly OffenderRow[] {
  return [...rows].sort((a, b) => compareColumn(a, b, sort) || compareNames(a, b) || a.databaseId - b.databaseId);
}

function compareColumn(a: OffenderRow, b: OffenderRow, { column, descending }: OffenderSort): number {
  const direction = descending ? -1 : 1;
  if (column === 'database') return direction * compareNames(a, b);
  if (column === 'verdict') return direction * (rankVerdict(a) - rankVerdict(b));
  const left = a.statistics[column];
  const right = b.statistics[column];
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  return direction * (left - right);
}

/** What asks for something to be done comes first. */
const VERDICTS: readonly string[] = ['Switch', 'Watch', 'Cannot tell here', 'Leave'];

function rankVerdict({ verdict }: OffenderRow): number {
  const at = VERDICTS.indexOf(verdict);
  return at < 0 ? VERDICTS.length : at;
}

const collator = new Intl.Collator('en', { numeric: true });

function compareNames(a: OffenderRow, b: OffenderRow): number {
  return collator.compare(a.name, b.name);
}
