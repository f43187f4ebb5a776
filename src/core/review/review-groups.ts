/**
 * The rows of a review by wave, and those that are in none by the groups of the pane, filtered and sorted as a reader
 * wants them.
 */
import { type Group, GROUP_NAMES, GROUP_REASONS, groups } from '../advice/verdict-names';
import { countOf, formatCount } from '../format';
import { addToList, compareNames, countEach, nameCounts } from '../lists';
import { compareFigures } from '../pages/evidence-rows';
import { hasText } from '../visible';
import type { ReviewRow } from './review-page';
import { fillText, joinSentences, t } from '../language';

export type ReviewColumn = 'database' | 'share' | 'perHour' | 'medianMs' | 'wave';

interface ReviewSort {
  readonly column: ReviewColumn;
  readonly descending: boolean;
}

export interface ReviewView {
  /** Part of a name, case aside. */
  readonly filter: string;
  readonly sort: ReviewSort;
  /** Groups that the reader opened or closed. */
  readonly open: Readonly<Record<string, boolean>>;
  /** Groups of which all rows are shown. */
  readonly whole: readonly string[];
}

/** The first waves are open at first. */
const OPEN_WAVES = 3;
/** An open group shows this many rows until the reader asks for the rest. */
const ROWS_A_GROUP = 10;

export interface ReviewGroup {
  /** `wave-3`, `later-4`, or a group of the pane. */
  readonly group: string;
  readonly name: string;
  /** Why databases are in this group, in a few words, with the reasons that several of them share. */
  readonly why: string;
  /** The shared reasons: they are not repeated under each row. */
  readonly shared: ReadonlySet<string>;
  /** Rows that match the filter, sorted. */
  readonly rows: readonly ReviewRow[];
  /** The rows that are shown: none if the group is closed. */
  readonly shown: readonly ReviewRow[];
  /** The share of the checkpoint task that they take; null if none of them had a turn. */
  readonly share: number | null;
  readonly isOpen: boolean;
  /** The filter hides some of its rows. */
  readonly isPart: boolean;
}

export interface ReviewBegin {
  /** Groups that are open until the reader closes them. */
  readonly open: ReadonlySet<string>;
  /** Ids of the databases that the user named: they come first in their group. */
  readonly first: ReadonlySet<number>;
}

/** Groups with a matching row, in the order of `listHeads`. */
export function selectReviewGroups(
  rows: readonly ReviewRow[],
  view: ReviewView,
  begin: ReviewBegin,
): readonly ReviewGroup[] {
  const wanted = view.filter.toLowerCase();
  const [fitting, sizes] = [new Map<string, ReviewRow[]>(), countEach(rows.map(keyOf))];
  for (const row of rows) if (hasText(row.name, wanted)) addToList(fitting, keyOf(row), row);
  return listHeads(rows).flatMap(({ key, name, describe, isOpen: isOpenFirst }) => {
    const own = fitting.get(key);
    if (own === undefined) return [];
    const isFirst = ({ databaseId }: ReviewRow): number => Number(begin.first.has(databaseId));
    own.sort(
      (a, b) =>
        isFirst(b) - isFirst(a) ||
        compareColumn(a, b, view.sort) ||
        compareNames(a.name, b.name) ||
        a.databaseId - b.databaseId,
    );
    const isOpen = view.open[key] ?? (isOpenFirst || begin.open.has(key) || wanted !== '');
    const shown = !isOpen ? [] : view.whole.includes(key) ? own : own.slice(0, ROWS_A_GROUP);
    const shared = countShared(own);
    const why = joinSentences(describe(own), describeShared(key, shared, own.length));
    return [
      {
        group: key,
        name,
        why,
        shared: new Set(shared.keys()),
        rows: own,
        shown,
        share: sumShares(own),
        isOpen,
        isPart: own.length < (sizes.get(key) ?? 0),
      },
    ];
  });
}

const keyOf = ({ wave, laterWave, group }: ReviewRow): string =>
  wave !== null ? `wave-${wave}` : laterWave !== null ? `later-${laterWave}` : group;

interface Head {
  readonly key: string;
  readonly name: string;
  readonly describe: (rows: readonly ReviewRow[]) => string;
  /** Until the reader closes it. */
  readonly isOpen: boolean;
}

/** The waves of the script, planned ones behind them, then the groups of the pane. */
function listHeads(rows: readonly ReviewRow[]): readonly Head[] {
  const number = (waves: readonly (number | null)[]): readonly number[] =>
    [...new Set(waves.filter((wave) => wave !== null))].sort((a, b) => a - b);
  const waves = number(rows.map(({ wave }) => wave)).map((wave, at) => ({
    key: `wave-${wave}`,
    name: t('Wave {0}', wave),
    describe: describeRoles,
    isOpen: at < OPEN_WAVES,
  }));
  const later = number(rows.map(({ wave, laterWave }) => (wave === null ? laterWave : null))).map((wave) => ({
    key: `later-${wave}`,
    name: t('Wave {0}, later', wave),
    describe: () => t('Tick one to take it now.'),
    isOpen: false,
  }));
  const others = groups.map((group) => ({
    key: group,
    name: GROUP_NAMES[group],
    describe: (own: readonly ReviewRow[]) => describeGroup(group, own),
    isOpen: false,
  }));
  return [...waves, ...later, ...others];
}

/** `7 feed the queue, 2 quiet`: the roles in a wave, in the words of the pane. */
function describeRoles(rows: readonly ReviewRow[]): string {
  const roles = groups.flatMap((group) => {
    const count = rows.filter((row) => row.group === group).length;
    return count === 0 ? [] : [`${GROUP_NAMES[group]}: ${formatCount(count)}`];
  });
  return `${roles.join(', ')}.`;
}

/**
 * Opens the groups that hold a chosen database; the first group if none was chosen.
 * @param namedIds databases that the user named
 */
export function beginReview(rows: readonly ReviewRow[], namedIds: readonly number[]): ReviewBegin {
  const chosen = new Set(
    rows.flatMap((row) => (row.state === 'in' || row.state === 'left out' ? [row.group] : [])),
  );
  const firstOne = groups.filter((group) => rows.some((row) => row.group === group)).slice(0, 1);
  return { open: chosen.size > 0 ? chosen : new Set<string>(firstOne), first: new Set(namedIds) };
}

function sumShares(rows: readonly ReviewRow[]): number | null {
  return rows.reduce<number | null>((sum, { share }) => (share === null ? sum : (sum ?? 0) + share), null);
}

/** The group tells this many reasons that several rows share, the most frequent first. Others are under their rows. */
const MOST_SHARED = 3;

function countShared(rows: readonly ReviewRow[]): ReadonlyMap<string, number> {
  const told = rows.flatMap(({ isTold, reason }) => (isTold ? [reason] : []));
  return new Map(
    [...countEach(told.sort(compareNames))].filter(([, count]) => count > 1).slice(0, MOST_SHARED),
  );
}

/** In these groups `describeGroup` tells the reasons already. */
const saysKinds: ReadonlySet<string> = new Set<Group>(['Indirect', 'Other value', 'Cannot change here']);

function describeShared(group: string, shared: ReadonlyMap<string, number>, rows: number): string {
  if (saysKinds.has(group)) return '';
  return [...shared]
    .map(([reason, count]) => (count === rows ? reason : `${formatCount(count)}: ${reason}`))
    .join(' ');
}

function describeGroup(group: Group, rows: readonly ReviewRow[]): string {
  switch (group) {
    case 'Feeds the queue': {
      const later = rows.filter(({ isIfNeeded }) => isIfNeeded).length;
      return joinSentences(
        rows.length === 1 ? '' : t('Harmless alone; together they are the queue.'),
        later === 0 ? '' : t('{0} only if still needed.', formatCount(later)),
      );
    }
    case 'Indirect':
    case 'Other value': {
      const targets = rows.map(({ nowSeconds }) => formatCount(nowSeconds ?? 0));
      return t('{0}: tick one by one to overwrite.', countKinds(targets, countTarget));
    }
    case 'Cannot change here': {
      const obstacles = rows.map(({ kind }) => kind ?? '');
      return `${countKinds(obstacles, countObstacle)}.`;
    }
    default:
      return GROUP_REASONS[group] ?? '';
  }
}

const MOST_KINDS = 4;

/** "86 at 60 s, 1 at 30 s": the most frequent first. */
function countKinds(kinds: readonly string[], write: (kind: string, count: number) => string): string {
  const counts = countEach([...kinds].sort(compareNames));
  return nameCounts(counts, MOST_KINDS, write, (rest) => countOf(rest, t('{0} other'), t('{0} others')));
}

function countTarget(seconds: string, count: number): string {
  return t('{0} at {1} s', formatCount(count), seconds);
}

/** By `Obstacle.kind`: what is said of one database and of several, or of any number. */
const OBSTACLE_COUNTS = new Map<string, string | readonly [one: string, more: string]>(
  Object.entries({
    'system database': [t('{0} system database'), t('{0} system databases')],
    'may be a system database of a contained availability group': [
      t('{0} possible system database'),
      t('{0} possible system databases'),
    ],
    'database snapshot': [t('{0} database snapshot'), t('{0} database snapshots')],
    'secondary replica here': [t('{0} secondary replica'), t('{0} secondary replicas')],
    'in an availability group and its role here cannot be seen': t('{0} whose role cannot be seen'),
    'does not show its target recovery time': t('{0} whose target cannot be seen'),
    'in standby': t('{0} in standby'),
    'read-only': t('{0} read-only'),
    'not writable here': t('{0} not writable here'),
    'not on this server any more': t('{0} no longer on this server'),
    offline: t('{0} offline'),
    restoring: t('{0} restoring'),
    recovering: t('{0} recovering'),
    'recovery pending': t('{0} waiting for recovery'),
    suspect: t('{0} suspect'),
    emergency: t('{0} in emergency mode'),
  }),
);

function countObstacle(kind: string, count: number): string {
  const texts = OBSTACLE_COUNTS.get(kind) ?? `{0} ${kind}`;
  return typeof texts === 'string' ? fillText(texts, formatCount(count)) : countOf(count, ...texts);
}

function compareColumn(a: ReviewRow, b: ReviewRow, { column, descending }: ReviewSort): number {
  if (column === 'database') return (descending ? -1 : 1) * compareNames(a.name, b.name);
  return compareFigures(a[column], b[column], descending);
}
