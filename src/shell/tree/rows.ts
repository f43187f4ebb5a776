/** Makes the rows of the pane from what is known about the servers. */
import type { Facts } from '../../core/advice/facts';
import { isUserDatabase } from '../../core/advice/obstacle';
import { countDatabases, countOf, formatCount } from '../../core/format';
import type { Standing } from '../../monitor/queries/login-standing';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import {
  awaitsVerdict,
  countAutomatic,
  countNamed,
  describeNext,
  formatClock,
  listLimits,
} from '../kit/server-words';
import { describeFilterText, listGroupRows, listRowsOfGroup, matchesFilter } from './group-rows';
import { createRow, type Row, type RowIcon } from './row';
import type { Notice } from '../hosts/connection-hosts';
import { describeFlag, describeLimit, createTrackingRow, describeWait, describeWaves } from './server-row';
import type { Finding } from '../../core/advice/finding';
import { t } from '../../core/language';

/** What the user did to the pane, kept while the window is open. */
export interface PaneState {
  /** By server id: a part of a database name, or the word automatic. */
  readonly filters: ReadonlyMap<string, string>;
  /** By id of a group's row: how many of its databases are shown. */
  readonly shown: ReadonlyMap<string, number>;
}

/** Rows above the servers, about the whole pane. */
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

/** The rows under a row that can be opened. */
export function listChildRows(parent: Row, snapshot: ServerSnapshot, pane: PaneState): readonly Row[] {
  if (parent.kind === 'server') return listRowsOfServer(snapshot, pane);
  if (parent.kind === 'limits') return listLimitRows(snapshot);
  if (parent.kind === 'findings') return listNoteRows(snapshot);
  if (parent.kind !== 'group' || parent.group === null) return [];
  const filter = pane.filters.get(snapshot.id) ?? '';
  return listRowsOfGroup(parent, parent.group, snapshot, { filter, shown: pane.shown.get(parent.id) });
}

function listRowsOfServer(snapshot: ServerSnapshot, pane: PaneState): readonly Row[] {
  const { id: serverId, connection, facts, failure, waitsFor } = snapshot;
  const rows: Row[] = [];
  if (waitsFor !== null || (facts === null && connection === 'connecting'))
    rows.push(describeConnecting(serverId, waitsFor));
  if (failure !== null) rows.push(describeFailure(snapshot, failure));
  if (facts !== null || snapshot.tracking.state !== 'not tracking') rows.push(createTrackingRow(snapshot));
  if (snapshot.nearestLimit !== null) rows.push(describeLimit(serverId, snapshot.nearestLimit));
  if (awaitsVerdict(snapshot)) rows.push(describeWait(snapshot));
  const waves = describeWaves(snapshot);
  if (waves !== null) rows.push(waves);
  if (facts === null) return rows;
  const flag = describeFlag(snapshot);
  if (flag !== null) rows.push(flag);
  const filter = pane.filters.get(serverId) ?? '';
  if (filter !== '') rows.push(describeFilter(serverId, filter, facts));
  if (snapshot.instance === null && snapshot.verdicts.size === 0) rows.push(describeJudging(serverId));
  // The pane may show only six rows at a time, so the databases come before the findings.
  rows.push(...listGroupRows(snapshot, filter), ...listFindingRows(snapshot));
  if (facts.server.modelTargetSeconds === 0) rows.push(describeModel(serverId));
  if (listLimits(facts).length > 0) rows.push(describeLimits(serverId, listLimits(facts).length));
  return rows;
}

function describeConnecting(serverId: string, waitsFor: string | null): Row {
  const icon = { name: waitsFor === null ? 'loading~spin' : 'bell' };
  const [label = '', ...more] =
    waitsFor === null ? [t('Connecting…')] : t('Waiting for {0}', waitsFor).split('\n');
  return createRow({
    kind: 'connecting',
    serverId,
    label,
    icon,
    tooltip: [label, ...more],
  });
}

/** Shown while there are no verdicts yet, because databases are listed by their verdicts. */
function describeJudging(serverId: string): Row {
  return createRow({
    kind: 'connecting',
    id: `${serverId}/judging`,
    serverId,
    label: t('Judging…'),
    icon: { name: 'loading~spin' },
  });
}

const failureIcons: Readonly<Record<Standing['kind'], RowIcon>> = {
  refused: { name: 'error', colour: 'list.errorForeground' },
  certificate: { name: 'shield', colour: 'list.errorForeground' },
  waiting: { name: 'sign-in' },
  unreachable: { name: 'debug-disconnect', colour: 'list.warningForeground' },
  gone: { name: 'debug-disconnect', colour: 'list.errorForeground' },
};

/** After a refusal the user has to choose; if a server waits or cannot be reached, another try is enough. */
function describeFailure({ id: serverId, standing, lastReadMs }: ServerSnapshot, failure: string): Row {
  const read = lastReadMs === null ? [] : [t('last read {0}', formatClock(lastReadMs))];
  const isPlain = standing?.kind === 'waiting' || standing?.kind === 'unreachable';
  return createRow({
    kind: 'failure',
    serverId,
    label: standing === null ? failure : describeNext(standing),
    description: standing === null ? '' : [...read, failure].join(' · '),
    tooltip: [failure, ...read, ...(isPlain ? [t('Click to try now.')] : [])],
    icon: standing === null ? failureIcons.refused : failureIcons[standing.kind],
    command: isPlain ? 'refresh' : 'connectAnotherWay',
  });
}

function describeModel(serverId: string): Row {
  return createRow({
    kind: 'model',
    serverId,
    label: t('New databases: automatic'),
    description: 'model',
    tooltip: [
      t(
        'New databases inherit the target recovery time of model. It is 0 here, so they will use automatic checkpoints. Since SQL Server 2016 the default is 60 seconds.',
      ),
    ],
    icon: { name: 'info' },
  });
}

function describeLimits(serverId: string, count: number): Row {
  return createRow({
    kind: 'limits',
    serverId,
    label: t('This login cannot see everything'),
    description: countOf(count, t('{0} limit'), t('{0} limits')),
    icon: { name: 'key' },
    expand: 'closed',
  });
}

function listLimitRows(snapshot: ServerSnapshot): readonly Row[] {
  const limits = snapshot.facts === null ? [] : listLimits(snapshot.facts);
  return limits.map((limit, at) =>
    createRow({
      kind: 'limit',
      id: `${snapshot.id}/limits/${at}`,
      serverId: snapshot.id,
      label: limit,
      icon: { name: 'eye-closed' },
    }),
  );
}

function describeFilter(serverId: string, filter: string, facts: Facts): Row {
  const matching = facts.databases.filter((database) => matchesFilter(database, filter));
  const users = matching.filter((database) => isUserDatabase(database, facts));
  const others = matching.filter((database) => !isUserDatabase(database, facts));
  const count = t('{0} of {1}', formatCount(users.length), countDatabases(countAutomatic(facts).databases));
  return createRow({
    kind: 'filter',
    serverId,
    label: describeFilterText(filter),
    description: [count, ...(others.length === 0 ? [] : [countNamed(others, others, facts)])].join(' · '),
    icon: { name: 'filter' },
    command: 'filterDatabases',
  });
}

const icons: Readonly<Record<Finding['severity'], RowIcon>> = {
  blocks: { name: 'error', colour: 'list.errorForeground' },
  'look first': { name: 'warning', colour: 'list.warningForeground' },
  inform: { name: 'info' },
};

/** model has a row of its own. */
const SHOWN_ELSEWHERE = 'model-automatic';

function listFindingRows(snapshot: ServerSnapshot): readonly Row[] {
  const decisions = snapshot.preflight.server.filter(({ severity }) => severity !== 'inform');
  const rows = decisions.map((finding) => describeFinding(snapshot.id, finding));
  const notes = listNotes(snapshot);
  const { unseen } = snapshot.preflight;
  // Until the user asks for more than the pane shows, it is no news that more was not read.
  const isAsked = (snapshot.facts?.moreReadUtcMs ?? null) !== null;
  if (notes.length === 0 && (unseen.length === 0 || !isAsked)) return rows;
  const counts = [
    ...(notes.length === 0 ? [] : [countOf(notes.length, t('{0} note'), t('{0} notes'))]),
    ...(unseen.length === 0 ? [] : [t('{0} not known', formatCount(unseen.length))]),
  ];
  const more = createRow({
    kind: 'findings',
    serverId: snapshot.id,
    label: t('Before a change'),
    description: counts.join(' · '),
    tooltip: [
      t(
        'What you should know about this server before you change a target recovery time, and what could not be read.',
      ),
    ],
    icon: { name: 'checklist' },
    expand: 'closed',
  });
  return [...rows, more];
}

/** The rows under "Before a change". */
function listNoteRows(snapshot: ServerSnapshot): readonly Row[] {
  const notes = listNotes(snapshot).map((finding) => describeFinding(snapshot.id, finding));
  const unseen = snapshot.preflight.unseen.map((sentence, at) =>
    createRow({
      kind: 'finding',
      id: `${snapshot.id}/unseen/${at}`,
      serverId: snapshot.id,
      label: sentence,
      icon: { name: 'eye-closed' },
    }),
  );
  return [...notes, ...unseen];
}

function listNotes({ preflight }: ServerSnapshot): readonly Finding[] {
  return preflight.server.filter(({ severity, rule }) => severity === 'inform' && rule !== SHOWN_ELSEWHERE);
}

function describeFinding(serverId: string, finding: Finding): Row {
  const { severity, sentence } = finding;
  const label =
    severity === 'inform'
      ? sentence
      : severity === 'blocks'
        ? t('Not now: {0}', sentence)
        : t('Look first: {0}', sentence);
  return createRow({
    kind: 'finding',
    id: `${serverId}/finding/${finding.rule}`,
    serverId,
    label,
    tooltip: listFindingLines(finding),
    icon: icons[severity],
    spoken: label,
  });
}

/** The sentence, what to do, and where it comes from. */
function listFindingLines({ sentence, remedy, sources }: Finding): readonly string[] {
  const cited = sources.map(({ title, url }) => (url === null ? title : `${title} (${url})`)).join('; ');
  return [sentence, ...(remedy === null ? [] : [remedy]), t('Source: {0}', cited)];
}
