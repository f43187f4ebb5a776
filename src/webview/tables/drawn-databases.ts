/** The rows of the databases table as they are drawn: under heads of roles, with the time before a change below each. */
import { formatCount, formatPercent } from '../../core/format';
import type { DatabaseRow, DatabaseRows, DatabaseSort } from '../../core/pages/database-rows';
import type { CheckpointStatistics, StatisticsSet } from '../../core/statistics/statistics';
import { type Group, GROUP_NAMES, GROUP_REASONS, PART_NAMES } from '../../core/advice/verdict-names';
import type { TableRow } from './table-rows';
import { t } from '../../core/language';

/** A row with the value of its bar: a database, the same before it was changed, or the head of those with one role. */
export interface DrawnRow extends Omit<DatabaseRow, 'databaseId' | 'statistics'>, TableRow {
  readonly kind: 'database' | 'before' | 'role';
  /** After the name. */
  readonly note: string;
  /** null: of a role there is only the share. */
  readonly statistics: CheckpointStatistics | null;
  readonly share: number | null;
  readonly longestShare: number;
  /** Of a role: what it means. */
  readonly why: string;
  /** null: nothing can be folded below it. */
  readonly isOpen: boolean | null;
}

const PARTS = new Map<string, string>(Object.entries(PART_NAMES));

/** The head of a role that has one of its own here: databases that were changed within the capture. */
const SWITCHED = 'switched';
/** Keys of heads begin with it. */
export const ROLE = 'role ';

export function prepareRows(
  { rows }: DatabaseRows,
  before: StatisticsSet | null,
  isBoth: boolean,
  switched: ReadonlyMap<number, string>,
  sort: DatabaseSort,
  toggled: ReadonlyMap<string, boolean>,
  filtered: boolean,
  isWhole: boolean,
): readonly DrawnRow[] {
  const isSwitched = (row: DatabaseRow): boolean => isWhole && switched.has(row.databaseId);
  const statisticsBefore = (row: DatabaseRow): CheckpointStatistics | undefined =>
    isSwitched(row) ? before?.databases[row.statistics.database] : undefined;
  // SQL Server uses a database_id again after a drop, so the id alone does not tell two databases of a capture apart.
  const keyOf = ({ statistics, databaseId }: DatabaseRow): string => `${statistics.database} ${databaseId}`;
  const isRowOpen = (row: DatabaseRow): boolean => toggled.get(keyOf(row)) ?? isBoth;
  const shares = rows.flatMap((row) => [
    row.statistics.share ?? 0,
    isRowOpen(row) ? (statisticsBefore(row)?.share ?? 0) : 0,
  ]);
  const longestShare = shares.reduce((most, share) => Math.max(most, share), 0);
  const drawn = rows.map((row): readonly [DrawnRow, ...DrawnRow[]] => {
    const { databaseId, statistics } = row;
    const key = keyOf(row);
    const was = statisticsBefore(row);
    const isOpen = was === undefined ? null : isRowOpen(row);
    const note = isSwitched(row) ? switched.get(databaseId)! : '';
    const { share } = statistics;
    const own = { ...row, key, note, longestShare, share, kind: 'database', why: '', isOpen } as const;
    if (was === undefined || isOpen !== true) return [own];
    const none = { databaseId: null, note: '', part: '', verdict: '', isOpen: null } as const;
    const past = { ...own, ...none, key: `${key} before`, kind: 'before', name: t('before') } as const;
    return [own, { ...past, statistics: was, share: was.share }];
  });
  if (!isWhole || sort.column !== 'share') return drawn.flat();
  const roleOf = (row: DatabaseRow): string =>
    isSwitched(row) && row.part === 'indirect' ? SWITCHED : row.part;
  return [
    ...Object.keys(PART_NAMES).flatMap((part) => (part === 'indirect' ? [SWITCHED, part] : part)),
    '',
  ].flatMap((role) => {
    const own = drawn.filter(([row]) => roleOf(row as DatabaseRow) === role);
    if (own.length === 0) return [];
    const wasShare =
      role === SWITCHED ? sumShares(own.map(([row]) => statisticsBefore(row as DatabaseRow) ?? null)) : null;
    const head = headRole(
      role,
      own.map(([row]) => row),
      filtered || (toggled.get(`${ROLE}${role}`) ?? true),
      wasShare,
    );
    return head.isOpen ? [head, ...own.flat()] : [head];
  });
}

const sumShares = (of: readonly ({ readonly share: number | null } | null)[]): number | null =>
  of.reduce<number | null>(
    (sum, one) => (sum === null || one === null || one.share === null ? null : sum + one.share),
    0,
  );

/** The head of the databases with one role: how many, their share together, and what that means. */
function headRole(
  role: string,
  rows: readonly DrawnRow[],
  isOpen: boolean,
  wasShare: number | null,
): DrawnRow {
  const group = ROLE_GROUPS.get(role);
  const was = wasShare === null ? '' : t('They took {0} before the first change.', formatPercent(wasShare));
  return {
    part: '',
    verdict: '',
    statistics: null,
    databaseId: null,
    key: `${ROLE}${role}`,
    kind: 'role',
    name: role === SWITCHED ? t('Switched') : group ? GROUP_NAMES[group] : (PARTS.get(role) ?? t('Others')),
    note: formatCount(rows.length),
    share: sumShares(rows),
    longestShare: 0,
    // Of one alone `together` would be wrong.
    why: role === SWITCHED ? was : rows.length === 1 ? '' : ((group && GROUP_REASONS[group]) ?? ''),
    isOpen,
  };
}

/** Roles that the pane has groups of. */
const ROLE_GROUPS = new Map<string, Group>([
  ['feeds', 'Feeds the queue'],
  ['waits', 'Waits in the queue'],
  ['hurts alone', 'Hurts by itself'],
  ['quiet', 'Quiet'],
  ['indirect', 'Indirect'],
]);
