/** The groups of a server's databases, and the databases under them: the heaviest first, a few at a time. */
import type { DatabaseFacts, Facts } from '../../core/advice/facts';
import { countOf, formatCount } from '../../core/format';
import { addToList, compareNames } from '../../core/lists';
import { hasText } from '../../core/visible';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { awaitsVerdict, countNamed } from '../kit/server-words';
import { AUTOMATIC_ICON, describeDatabase, findShare } from './database-row';
import { type Group, GROUP_NAMES, GROUP_REASONS, groups } from '../../core/advice/verdict-names';
import { createRow, type Row, type RowIcon } from './row';
import { t } from '../../core/language';

/** How many databases a group shows at first, so that every group stays in sight. */
export const DATABASES_AT_FIRST = 12;
/** How many more a click on the last row of a group shows at most. */
export const MORE_DATABASES = 500;

/** This word as a filter shows the databases with automatic checkpoints, whatever their names are. */
export const AUTOMATIC = 'automatic';

interface GroupWords {
  readonly icon: RowIcon;
  /** Its databases have no automatic checkpoints, or cannot be changed. */
  readonly isOther?: true;
  /** Absent: `GROUP_REASONS` says it. */
  readonly explanation?: string;
}

const groupWords: Readonly<Record<Group, GroupWords>> = {
  'Feeds the queue': {
    icon: { name: 'list-flat', colour: 'charts.yellow' },
    explanation: t(
      'They take more than their fair share of the checkpoint task. Together they are the queue.',
    ),
  },
  'Hurts by itself': {
    icon: { name: 'symbol-event', colour: 'charts.yellow' },
    explanation: t('A reason to switch with or without a queue.'),
  },
  'Waits in the queue': { icon: { name: 'watch' } },
  'Long checkpoints': {
    icon: { name: 'symbol-ruler' },
    explanation: t(
      'Their checkpoints take longer than the recovery interval. That alone does no harm. Log writes: not known.',
    ),
  },
  Quiet: { icon: { name: 'mute' } },
  'No checkpoint seen': { icon: { name: 'circle-small' } },
  'Not as the policy wants': {
    icon: { name: 'law', colour: 'charts.yellow' },
    explanation: t(
      'The target recovery time differs from what .checkpoint-policy.json wants, or an exception in it has expired. No harm was measured.',
    ),
  },
  'Automatic, not measured': {
    icon: AUTOMATIC_ICON,
    explanation: t(
      'The cost of their automatic checkpoints has not been measured yet. Tracking measures it.',
    ),
  },
  'Other value': {
    icon: { name: 'settings-gear' },
    isOther: true,
    explanation: t('Indirect checkpoints with a target other than the default of 60 seconds.'),
  },
  Indirect: {
    icon: { name: 'check' },
    isOther: true,
    explanation: t('Indirect checkpoints with the default target of 60 seconds.'),
  },
  'As the policy wants': {
    icon: { name: 'pass' },
    isOther: true,
    explanation: t(
      'The target recovery time matches .checkpoint-policy.json, or an exception in it still applies.',
    ),
  },
  'Cannot change here': {
    icon: { name: 'lock' },
    isOther: true,
    explanation: t(
      'System databases, and databases that are secondary, read-only, in standby or offline here.',
    ),
  },
};

/** The databases of each group under one filter. */
interface Arrangement {
  readonly facts: Facts;
  readonly instance: ServerSnapshot['instance'];
  readonly filter: string;
  readonly groups: ReadonlyMap<
    Group,
    { readonly matching: readonly DatabaseFacts[]; readonly count: string }
  >;
  /** The databases of opened groups in the order in which they are shown, as many as were asked for. */
  readonly ordered: Map<Group, { readonly shown: number; readonly databases: readonly DatabaseFacts[] }>;
}

/** Arrangements by verdicts. Without new verdicts, nothing is sorted again. */
const arranged = new WeakMap<ServerSnapshot['verdicts'], Arrangement>();

function arrange({ verdicts, instance }: ServerSnapshot, facts: Facts, filter: string): Arrangement {
  const known = arranged.get(verdicts);
  if (known?.facts === facts && known.instance === instance && known.filter === filter) return known;
  const byGroup = new Map<Group, DatabaseFacts[]>();
  for (const database of facts.databases) {
    const group = verdicts.get(database.databaseId)?.group;
    if (group !== undefined) addToList(byGroup, group, database);
  }
  const counted = [...byGroup].map(([group, all]) => {
    const matching = filter === '' ? all : all.filter((database) => matchesFilter(database, filter));
    return [group, { matching, count: countNamed(matching, all, facts) }] as const;
  });
  const arrangement = { facts, instance, filter, groups: new Map(counted), ordered: new Map() };
  arranged.set(verdicts, arrangement);
  return arrangement;
}

/** The heaviest first; equal ones by name. */
function orderDatabases(
  { groups: all, ordered }: Arrangement,
  group: Group,
  snapshot: ServerSnapshot,
  shown: number,
): readonly DatabaseFacts[] {
  const known = ordered.get(group);
  if (known?.shown === shown) return known.databases;
  const shareOf = (database: DatabaseFacts): number => findShare(snapshot, database)?.share ?? 0;
  const compare = (a: DatabaseFacts, b: DatabaseFacts): number =>
    shareOf(b) - shareOf(a) || compareNames(a.name, b.name);
  const databases = takeFirst(all.get(group)?.matching ?? [], shown, compare);
  ordered.set(group, { shown, databases });
  return databases;
}

/** Finding the first few by name is faster than sorting thousands. */
function takeFirst<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): readonly T[] {
  if (count > DATABASES_AT_FIRST) return [...items].sort(compare).slice(0, count);
  const first: T[] = [];
  for (const item of items) {
    const last = first[count - 1];
    if (last !== undefined && compare(item, last) >= 0) continue;
    const at = first.findIndex((one) => compare(item, one) < 0);
    first.splice(at < 0 ? first.length : at, 0, item);
    first.length = Math.min(first.length, count);
  }
  return first;
}

export function listGroupRows(snapshot: ServerSnapshot, filter: string): readonly Row[] {
  const { facts } = snapshot;
  if (facts === null) return [];
  const arrangement = arrange(snapshot, facts, filter);
  return groups.flatMap((group) => {
    const { matching, count } = arrangement.groups.get(group) ?? { matching: [], count: '' };
    return matching.length === 0 ? [] : [describeGroup(snapshot, group, count)];
  });
}

function describeGroup(snapshot: ServerSnapshot, group: Group, count: string): Row {
  const { icon, isOther, explanation = GROUP_REASONS[group] ?? '' } = groupWords[group];
  // Before any database could be measured, "not measured" is no news.
  const { task = null, neededMs = 0 } = snapshot.instance ?? {};
  const isFirst = group === 'Automatic, not measured' && (task === null || neededMs > 0);
  const label =
    group === 'Automatic, not measured' && awaitsVerdict(snapshot) ? t('Automatic') : GROUP_NAMES[group];
  return createRow({
    kind: 'group',
    id: `${snapshot.id}/group/${group}`,
    serverId: snapshot.id,
    label,
    description: count,
    tooltip: [explanation],
    icon,
    context: isOther ? 'group:other' : 'group:automatic',
    // What is automatic is in sight before anything is measured.
    expand: group === 'Feeds the queue' || isFirst ? 'open' : 'closed',
    spoken: t('{0}, databases: {1}. {2}', label, count, explanation),
    group,
  });
}

/** @param shown how many databases; absent: `DATABASES_AT_FIRST` */
export function listRowsOfGroup(
  parent: Row,
  group: Group,
  snapshot: ServerSnapshot,
  { filter, shown = DATABASES_AT_FIRST }: { readonly filter: string; readonly shown?: number },
): readonly Row[] {
  if (snapshot.facts === null) return [];
  const arrangement = arrange(snapshot, snapshot.facts, filter);
  const rows = orderDatabases(arrangement, group, snapshot, shown).map((database) =>
    describeDatabase(snapshot, database),
  );
  const left = (arrangement.groups.get(group)?.matching.length ?? 0) - rows.length;
  return left > 0 ? [...rows, describeMore(parent, left)] : rows;
}

function describeMore(parent: Row, left: number): Row {
  return createRow({
    kind: 'more',
    id: `${parent.id}/more`,
    serverId: parent.serverId,
    label: t('Show {0} more', formatCount(Math.min(left, MORE_DATABASES))),
    description: left > MORE_DATABASES ? t('of {0}', formatCount(left)) : '',
    tooltip: [countOf(left, t('{0} more database in this group.'), t('{0} more databases in this group.'))],
    group: parent.group,
    command: 'showMoreDatabases',
  });
}

export function matchesFilter(database: DatabaseFacts, filter: string): boolean {
  return isAutomaticFilter(filter)
    ? database.targetSeconds === 0
    : hasText(database.name, filter.toLowerCase());
}

export function isAutomaticFilter(filter: string): boolean {
  // Typed by hand, it is a word of the user's language too.
  return [AUTOMATIC, t('automatic').toLowerCase()].includes(filter.trim().toLowerCase());
}

/** "Only names with "_CRM"". */
export function describeFilterText(filter: string): string {
  return isAutomaticFilter(filter) ? t('Only automatic databases') : t('Only names with "{0}"', filter);
}
