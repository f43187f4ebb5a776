/** The rows of the pane: from what is known about the servers to what is shown. */
import { type Group, groups } from '../../core/advice/verdict';
import type { DatabaseFacts, Facts } from '../../core/advice/facts';
import { isUserDatabase } from '../../core/advice/obstacle';
import type { CheckpointStatistics } from '../../core/evidence/statistics';
import { countDatabases, countOf, formatCount } from '../../core/format';
import { hasText } from '../../core/visible';
import type { Standing } from '../../monitor/login-breaker';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { countAutomatic, countNamed, describeNext, formatClock, listLimits } from '../server-words';
import { describeDatabase, sortDatabases } from './database-row';
import { listFindingRows, listNoteRows } from './finding-rows';
import { createRow, type Row, type RowIcon } from './row';
import type { Notice } from '../hosts/host-notices';
import { describeTracking } from './server-row';

/** How many databases a group shows at first, and how many more a click on its last row brings. */
export const databasesAtOnce = 500;

/** What the user did to the pane: kept for as long as the window lives. */
export interface PaneState {
  /** By server id; a part of a database's name. */
  readonly filters: ReadonlyMap<string, string>;
  /** By id of a group's row: how many of its databases are shown. */
  readonly shown: ReadonlyMap<string, number>;
}

/** One server as the rows need it. */
export interface ServerKnowledge {
  readonly snapshot: ServerSnapshot;
  /** Figures of the capture by database_id. */
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
}

/** What the whole pane has to say, above the servers. */
export function listNoticeRows(notices: readonly Notice[]): readonly Row[] {
  return notices.map(({ label, sentence }, at) =>
    createRow({
      kind: 'notice',
      id: `notice/${at}`,
      serverId: '',
      label,
      description: sentence,
      tooltip: [sentence],
      spoken: sentence,
      icon: { name: 'warning', colour: 'list.warningForeground' },
      command: 'showConnectionDiagnostics',
    }),
  );
}

/** What is under a row that can be opened. */
export function listChildRows(parent: Row, known: ServerKnowledge, pane: PaneState): readonly Row[] {
  if (parent.kind === 'server') return listRowsOfServer(known.snapshot, pane);
  if (parent.kind === 'limits') return listLimitRows(known.snapshot);
  if (parent.kind === 'findings') return listNoteRows(known.snapshot);
  if (parent.kind === 'group' && parent.group !== null) return listRowsOfGroup(parent, parent.group, known, pane);
  return [];
}

function listRowsOfServer(snapshot: ServerSnapshot, pane: PaneState): readonly Row[] {
  const { id: serverId, connection, facts, failure, waitsFor } = snapshot;
  const rows: Row[] = [];
  if (waitsFor !== null || (facts === null && connection === 'connecting')) rows.push(describeConnecting(serverId, waitsFor));
  if (failure !== null) rows.push(describeFailure(snapshot, failure));
  if (facts !== null || snapshot.tracking.state !== 'not tracking') rows.push(describeTracking(snapshot));
  if (facts === null) return rows;
  const filter = pane.filters.get(serverId) ?? '';
  if (filter !== '') rows.push(describeFilter(serverId, filter, facts));
  // The pane may show six rows at a time: the databases come before what is good to know.
  rows.push(...listGroupRows(snapshot, filter), ...listFindingRows(snapshot));
  if (facts.server.modelTargetSeconds === 0) rows.push(describeModel(serverId));
  if (listLimits(facts).length > 0) rows.push(describeLimits(serverId, listLimits(facts).length));
  return rows;
}

function describeConnecting(serverId: string, waitsFor: string | null): Row {
  const icon = { name: waitsFor === null ? 'loading~spin' : 'bell' };
  const [label = '', ...more] = waitsFor === null ? ['Connecting…'] : `Waiting for ${waitsFor}`.split('\n');
  return createRow({ kind: 'connecting', id: `${serverId}/connecting`, serverId, label, icon, tooltip: [label, ...more] });
}

const failureIcons: Readonly<Record<Standing['kind'], RowIcon>> = {
  refused: { name: 'error', colour: 'list.errorForeground' },
  certificate: { name: 'shield', colour: 'list.errorForeground' },
  waiting: { name: 'sign-in' },
  unreachable: { name: 'debug-disconnect', colour: 'list.warningForeground' },
};

/** What was refused needs a choice; what waits or cannot be reached only another try. */
function describeFailure({ id: serverId, standing, lastReadMs }: ServerSnapshot, failure: string): Row {
  const read = lastReadMs === null ? [] : [`last read ${formatClock(lastReadMs)}`];
  const isPlain = standing?.kind === 'waiting' || standing?.kind === 'unreachable';
  return createRow({
    kind: 'failure',
    id: `${serverId}/failure`,
    serverId,
    label: standing === null ? failure : describeNext(standing),
    description: standing === null ? '' : [...read, failure].join(' · '),
    tooltip: [failure, ...read, ...(isPlain ? ['Click to try now.'] : [])],
    icon: standing === null ? failureIcons.refused : failureIcons[standing.kind],
    command: isPlain ? 'refresh' : 'connectAnotherWay',
  });
}

function describeModel(serverId: string): Row {
  return createRow({
    kind: 'model',
    id: `${serverId}/model`,
    serverId,
    label: 'New databases: automatic',
    description: 'model',
    tooltip: [
      'New databases inherit the target recovery time of model, which is 0 here: they will use automatic checkpoints. Since SQL Server 2016 the default is 60 seconds.',
    ],
    icon: { name: 'info' },
  });
}

function describeLimits(serverId: string, count: number): Row {
  return createRow({
    kind: 'limits',
    id: `${serverId}/limits`,
    serverId,
    label: 'This login may not see everything',
    description: countOf(count, 'limit'),
    icon: { name: 'key' },
    expand: 'closed',
  });
}

function listLimitRows(snapshot: ServerSnapshot): readonly Row[] {
  const limits = snapshot.facts === null ? [] : listLimits(snapshot.facts);
  return limits.map((limit, at) =>
    createRow({ kind: 'limit', id: `${snapshot.id}/limits/${at}`, serverId: snapshot.id, label: limit, icon: { name: 'eye-closed' } }),
  );
}

function describeFilter(serverId: string, filter: string, facts: Facts): Row {
  const matching = facts.databases.filter((database) => matches(database, filter));
  const users = matching.filter((database) => isUserDatabase(database, facts));
  const others = matching.filter((database) => !isUserDatabase(database, facts));
  const count = `${formatCount(users.length)} of ${countDatabases(countAutomatic(facts).databases)}`;
  return createRow({
    kind: 'filter',
    id: `${serverId}/filter`,
    serverId,
    label: `Only names with "${filter}"`,
    description: [count, ...(others.length === 0 ? [] : [countNamed(others, others, facts)])].join(' · '),
    icon: { name: 'filter' },
    command: 'filterDatabases',
  });
}

function listGroupRows(snapshot: ServerSnapshot, filter: string): readonly Row[] {
  const { facts } = snapshot;
  if (facts === null) return [];
  const byGroup = gatherGroups(snapshot, facts);
  return groups.flatMap((group) => {
    const all = byGroup.get(group) ?? [];
    const matching = filter === '' ? all : all.filter((database) => matches(database, filter));
    if (matching.length === 0) return [];
    return [describeGroup(snapshot.id, group, countNamed(matching, all, facts))];
  });
}

function gatherGroups({ verdicts }: ServerSnapshot, { databases }: Facts): ReadonlyMap<Group, readonly DatabaseFacts[]> {
  const byGroup = new Map<Group, DatabaseFacts[]>();
  for (const database of databases) {
    const group = verdicts.get(database.databaseId)?.group;
    if (group === undefined) continue;
    const list = byGroup.get(group);
    if (list === undefined) byGroup.set(group, [database]);
    else list.push(database);
  }
  return byGroup;
}

interface GroupWords {
  /** Short enough for a narrow pane. */
  readonly label: string;
  readonly icon: RowIcon;
  readonly isAutomatic: boolean;
  readonly explanation: string;
}

const groupWords: Readonly<Record<Group, GroupWords>> = {
  Switch: {
    label: 'Switch',
    icon: { name: 'arrow-swap', colour: 'charts.orange' },
    isAutomatic: true,
    explanation: 'Automatic checkpoints, and measured harm: indirect checkpoints are worth trying here.',
  },
  Watch: {
    label: 'Watch',
    icon: { name: 'eye', colour: 'charts.yellow' },
    isAutomatic: true,
    explanation:
      'Automatic checkpoints that last long, which alone is not harm, or measured harm where something has to be looked at first.',
  },
  'Not as the policy wants': {
    label: 'Not as the policy wants',
    icon: { name: 'law', colour: 'charts.yellow' },
    isAutomatic: true,
    explanation:
      'The target recovery time is another than .checkpoint-policy.json wants, or an exception of it ran out. No harm was measured.',
  },
  'Automatic, not measured': {
    label: 'Automatic, not measured',
    icon: { name: 'circle' },
    isAutomatic: true,
    explanation: 'Automatic checkpoints whose cost was not measured yet. Tracking measures it.',
  },
  'Automatic, measured, no harm seen': {
    label: 'Automatic, no harm seen',
    icon: { name: 'pass' },
    isAutomatic: true,
    explanation: 'Automatic checkpoints that were measured and do no harm that we can see.',
  },
  'Unusual value': {
    label: 'Unusual value',
    icon: { name: 'settings-gear' },
    isAutomatic: false,
    explanation: 'Indirect checkpoints with another target than the default of 60 seconds: someone chose it.',
  },
  Indirect: {
    label: 'Indirect',
    icon: { name: 'check' },
    isAutomatic: false,
    explanation: 'Indirect checkpoints with the default target of 60 seconds.',
  },
  'As the policy wants': {
    label: 'As the policy wants',
    icon: { name: 'pass' },
    isAutomatic: false,
    explanation: 'The target recovery time that .checkpoint-policy.json wants, or an exception of it that still holds.',
  },
  'Not changeable here': {
    label: 'Not changeable here',
    icon: { name: 'lock' },
    isAutomatic: false,
    explanation: 'System databases, and databases that are secondary, read-only, in standby or offline here.',
  },
};

function describeGroup(serverId: string, group: Group, count: string): Row {
  const words = groupWords[group];
  return createRow({
    kind: 'group',
    id: `${serverId}/group/${group}`,
    serverId,
    label: words.label,
    description: count,
    tooltip: [words.explanation],
    icon: words.icon,
    context: words.isAutomatic ? 'group:automatic' : 'group:other',
    expand: group === 'Switch' ? 'open' : 'closed',
    spoken: `${words.label}, databases: ${count}. ${words.explanation}`,
    group,
  });
}

function listRowsOfGroup(parent: Row, group: Group, { snapshot, statistics }: ServerKnowledge, pane: PaneState): readonly Row[] {
  const databases = listDatabasesOfGroup(snapshot, group, pane.filters.get(snapshot.id) ?? '');
  const shown = pane.shown.get(parent.id) ?? databasesAtOnce;
  const rows = sortDatabases(databases, group, statistics)
    .slice(0, shown)
    .map((database) => describeDatabase(snapshot, database, statistics.get(database.databaseId) ?? null));
  return databases.length > shown ? [...rows, describeMore(parent, databases.length - shown)] : rows;
}

/** The databases behind a group's row, in the order of the catalog. */
export function listDatabasesOfGroup(snapshot: ServerSnapshot, group: Group, filter: string): readonly DatabaseFacts[] {
  const databases = snapshot.facts?.databases ?? [];
  return databases.filter((database) => snapshot.verdicts.get(database.databaseId)?.group === group && matches(database, filter));
}

function describeMore(parent: Row, left: number): Row {
  const next = Math.min(left, databasesAtOnce);
  return createRow({
    kind: 'more',
    id: `${parent.id}/more`,
    serverId: parent.serverId,
    label: `Show next ${next}`,
    description: `${formatCount(left)} more`,
    icon: { name: 'ellipsis' },
    group: parent.group,
    command: 'showMoreDatabases',
  });
}

function matches(database: DatabaseFacts, filter: string): boolean {
  return hasText(database.name, filter.toLowerCase());
}
