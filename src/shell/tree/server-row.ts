/** A server's own row, and the row about its tracking. */
import { describeLastSeen, describeReading } from '../../core/capture/tracking-status';
import { hasQueue } from '../../core/advice/instance';
import type { NearestLimit } from '../../core/advice/limits';
import { SO_FAR_WORDS } from '../../core/pages/forecast-words';
import { listGaps } from '../../core/statistics/coverage';
import {
  countDatabases,
  countOf,
  formatCount,
  formatDuration,
  countCheckpoints,
  countGaps,
} from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { ListedSnapshot } from '../servers/open-servers';
import type { Ownership } from '../servers/server-list';
import {
  awaitsVerdict,
  countAutomatic,
  describeAbsence,
  describeAutomatic,
  describeLost,
  describeMemory,
  describeUptime,
  findStartObstacle,
  formatClock,
  measureElapsed,
  nameProduct,
  nameLimit,
  tellInstance,
  tellUnverified,
} from '../kit/server-words';
import { AUTOMATIC_ICON } from './database-row';
import { createRow, type Row, type RowIcon } from './row';
import { t } from '../../core/language';

/** @param ownership decides what the menus offer: only our own servers can be edited here */
export function createServerRow(snapshot: ListedSnapshot, ownership: Ownership): Row {
  const { sameAs, facts } = snapshot;
  const description =
    sameAs === undefined
      ? describeServerState(snapshot)
      : t('the same server as {0}, by its login {1}', sameAs, facts?.server.loginName ?? t('not known'));
  return createRow({
    kind: 'server',
    id: snapshot.id,
    serverId: snapshot.id,
    label: snapshot.label,
    description,
    tooltip: listTooltipLines(snapshot, description),
    icon: chooseServerIcon(snapshot),
    context: `server:${nameServerContext(snapshot)},${ownership}`,
    expand: sameAs !== undefined ? 'never' : snapshot.connection === 'not connected' ? 'closed' : 'open',
    spoken: t('Server {0}, {1}', snapshot.label, description),
  });
}

/** One thing: why the server cannot be read, else how busy its checkpoint task is, else how many are automatic. */
function describeServerState(snapshot: ServerSnapshot): string {
  const { facts, connection } = snapshot;
  if (snapshot.waitsFor !== null) return t('waiting for you');
  if (connection === 'connecting' || (connection === 'connected' && facts === null)) return t('connecting…');
  const absence = describeAbsence(snapshot);
  if (absence !== null) return absence;
  if (facts === null) return t('not connected');
  return tellInstance(snapshot)?.brief || describeAutomatic(facts);
}

/** A row with the number of automatic databases, the pane's main question. null if the server's own row says it. */
export function describeFlag(snapshot: ServerSnapshot): Row | null {
  const { id: serverId, facts } = snapshot;
  if (facts === null || describeServerState(snapshot) === describeAutomatic(facts)) return null;
  return createRow({
    kind: 'automatic',
    serverId,
    label: describeAutomatic(facts),
    tooltip: [
      t('Target recovery time 0 s. That is a setting, not yet a problem: tracking shows what it costs.'),
      t('Click to show only these databases. Click again to show all.'),
    ],
    icon: AUTOMATIC_ICON,
    command: 'filterDatabases',
  });
}

/** The verdict first, then facts about the server. */
function listTooltipLines(snapshot: ServerSnapshot, description: string): readonly string[] {
  const { label, facts, failure } = snapshot;
  const absence = describeAbsence(snapshot);
  const lines = [
    label,
    ...(facts === null || absence !== null ? [description] : []),
    ...listVerdictLines(snapshot),
  ];
  if (facts !== null) {
    const { serverName, edition, productVersion, productLevel, loginName } = facts.server;
    const { automatic, databases } = countAutomatic(facts);
    const uptime = describeUptime(facts.server);
    const parts = [
      nameProduct(facts.server),
      ...(facts.state.kind === 'observed' ? [describeMemory(facts.state.value)] : []),
      ...(uptime === null ? [] : [t('up {0}', uptime)]),
    ];
    lines.push(
      parts.join(' · '),
      t('{0} of {1} automatic: target recovery time 0 s', formatCount(automatic), countDatabases(databases)),
      `${serverName}, ${edition}, ${productVersion} ${productLevel}`,
      t('Login {0}', loginName),
    );
    if (absence !== null) lines.push(t('This is from the last read.'));
  }
  return failure === null ? lines : [...lines, failure];
}

/** Empty before anything was seen: the row about tracking then says what to do. */
function listVerdictLines(snapshot: ServerSnapshot): readonly string[] {
  const words = tellInstance(snapshot);
  if (
    words === null ||
    (snapshot.instance?.task === null && snapshot.instance.blind === null && words.brief === '')
  )
    return [];
  // The waiting time has a row of its own. If it were here, every read would make the editor read all rows under this
  // one again.
  if (awaitsVerdict(snapshot)) return [words.title];
  const lines = words.lines.map((line) => line.map(({ text }) => text).join(''));
  return [words.title, ...lines, ...(words.note === null ? [] : [words.note])];
}

/** Yellow if we advise something; the setting alone is no problem yet. */
function chooseServerIcon({ connection, instance, tracking }: ServerSnapshot): RowIcon {
  if (connection === 'failed' && tracking.record === undefined)
    return { name: 'server', colour: 'list.errorForeground' };
  const isWorth = instance !== null && (hasQueue(instance) || instance.advised.length > 0);
  return isWorth ? { name: 'server', colour: 'charts.yellow' } : { name: 'server' };
}

/** The value by which menus in the manifest tell rows apart. */
function nameServerContext(snapshot: ServerSnapshot): 'closed' | ReturnType<typeof nameTrackingContext> {
  const context = nameTrackingContext(snapshot.tracking.state);
  return context === 'idle' && snapshot.facts === null ? 'closed' : context;
}

/** "Tracking: 8 h, none lost"; before tracking, the one thing to do. */
export function createTrackingRow(snapshot: ServerSnapshot): Row {
  const { tracking } = snapshot;
  // Another row says why the session is out of sight.
  const message = tracking.isLastSeen ? null : tracking.message;
  const description = [describeCounts(snapshot), message]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
  const context = nameTrackingContext(tracking.state);
  const isRefused = (context === 'idle' || context === 'stopped') && findStartObstacle(snapshot) !== null;
  return createRow({
    kind: 'tracking',
    serverId: snapshot.id,
    label: nameTracking(snapshot),
    description,
    tooltip: listTrackingLines(snapshot),
    icon: chooseTrackingIcon(snapshot),
    context: `tracking:${isRefused ? 'refused' : context}`,
    command: canStart(snapshot)
      ? 'startTracking'
      : context === 'tracking' || tracking.state === 'stopped'
        ? 'openDashboard'
        : null,
  });
}

/** Whether a click on the row starts tracking. After tracking was stopped, a click opens the capture instead. */
function canStart(snapshot: ServerSnapshot): boolean {
  const { state, isLastSeen } = snapshot.tracking;
  return (
    state === 'not tracking' && !isLastSeen && snapshot.facts !== null && findStartObstacle(snapshot) === null
  );
}

/** How long it takes until there is a verdict. */
export function describeWait({ id: serverId, instance, facts }: ServerSnapshot): Row {
  const { neededMs = 0, sinceUtcMs = null, lastWave = null } = instance ?? {};
  // After a change some time settles first.
  const waitMs = Math.max(neededMs, (lastWave?.resultUtcMs ?? 0) - (facts?.server.nowUtcMs ?? 0));
  return createRow({
    kind: 'verdict',
    serverId,
    label:
      sinceUtcMs === null
        ? t('First verdict in {0} min', countMinutes(waitMs))
        : t('Next verdict in {0} min', countMinutes(waitMs)),
    tooltip: [
      t("A verdict needs ten minutes of observed time, by the server's clock."),
      t('Ranking starts once there is enough data.'),
    ],
    icon: { name: 'watch' },
  });
}

/** How far the plan is, and whether it may go on; null: no wave was run, or none is left. */
export function describeWaves({ id: serverId, instance, forecast: kept }: ServerSnapshot): Row | null {
  if (instance === null || instance.ran === 0 || instance.next === null) return null;
  const { ran, later, objection, soFar } = instance;
  const isOf = soFar?.wave === ran && (objection === null || objection.kind === 'missed');
  const forecast = isOf ? soFar.forecast : null;
  return createRow({
    kind: 'waves',
    serverId,
    label: t('Wave {0} of {1} run', ran, kept?.waves.length ?? ran + 1 + later.length),
    description: objection?.kind === 'stop' ? t('on hold') : forecast === null ? '' : SO_FAR_WORDS[forecast],
    tooltip: isOf ? [t('Limits: {0}', soFar.limits)] : [],
    icon:
      forecast === 'as forecast' || forecast === 'below'
        ? { name: 'check', colour: 'charts.green' }
        : { name: 'info' },
    command: 'openDashboard',
  });
}

/** Why to stop before the next wave. */
export function describeLimit(serverId: string, sign: NearestLimit): Row {
  const name = nameLimit(sign);
  return createRow({
    kind: 'nearestLimit',
    serverId,
    label: `${name}: ${sign.brief}`,
    tooltip: [
      `${name}: ${sign.text}`,
      sign.isUp
        ? t('Do not run the next wave until this is resolved.')
        : t('Look again before you run the next wave.'),
      t('All limits are on the page Before / after of the dashboard.'),
    ],
    icon: sign.isUp
      ? { name: 'error', colour: 'list.errorForeground' }
      : { name: 'warning', colour: 'list.warningForeground' },
    command: 'openDashboard',
  });
}

const countMinutes = (ms: number): string => formatCount(Math.ceil(ms / 60_000));

/** The value by which menus in the manifest tell rows apart. */
function nameTrackingContext(
  state: ServerSnapshot['tracking']['state'],
): 'tracking' | 'busy' | 'stopped' | 'idle' {
  if (state === 'starting' || state === 'stopping') return 'busy';
  return state === 'not tracking' ? 'idle' : state === 'tracking' ? 'tracking' : 'stopped';
}

function nameTracking(snapshot: ServerSnapshot): string {
  const { tracking } = snapshot;
  if (tracking.unverified !== null) return tellUnverified(tracking.unverified);
  const lastSeen = describeLastSeen(tracking);
  if (lastSeen !== null) return lastSeen;
  switch (tracking.state) {
    case 'not tracking':
      return canStart(snapshot) ? t('Start tracking') : t('Not tracking');
    case 'starting':
      return t('Starting to track…');
    case 'tracking':
      return tracking.reading === null
        ? t('Tracking')
        : tracking.reading.isPaused
          ? t('Reading paused')
          : t('Reading');
    case 'stopping':
      return t('Stopping, reading the rest…');
    case 'stopped':
      return tracking.trouble === null ? t('Tracked') : t('Tracking stopped');
    case 'failed':
      return t('Tracking failed');
  }
}

function describeCounts(snapshot: ServerSnapshot): string {
  const { tracking, trackedDatabaseIds, lastReadMs } = snapshot;
  if (tracking.state === 'not tracking')
    return tracking.message === null ? (findStartObstacle(snapshot)?.brief ?? t('to see what they do')) : '';
  if (tracking.unverified !== null) return countCheckpoints(tracking.checkpoints);
  if (tracking.isLastSeen) return lastReadMs === null ? '' : formatClock(lastReadMs);
  const reading = describeReading(tracking);
  if (reading !== null) return reading.text;
  const elapsedMs = measureElapsed(snapshot);
  if (elapsedMs === null) return '';
  const lost = describeLost(tracking);
  return [
    formatDuration(elapsedMs),
    ...(trackedDatabaseIds === null ? [] : [countDatabases(trackedDatabaseIds.length)]),
    lost !== null
      ? t('{0} lost', lost)
      : tracking.lostEvents === null
        ? t('lost events not observable')
        : t('none lost'),
  ].join(', ');
}

function describeLedger({
  checkpoints,
  unpaired,
  duplicates,
  malformed,
  otherEvents,
}: ServerSnapshot['tracking']): string {
  return [
    countOf(checkpoints, t('{0} checkpoint from two events'), t('{0} checkpoints from two events each')),
    t('{0} unpaired', formatCount(unpaired)),
    countOf(duplicates, t('{0} duplicate'), t('{0} duplicates')),
    t('{0} malformed', formatCount(malformed)),
    countOf(otherEvents, t('{0} other event'), t('{0} other events')),
  ].join(', ');
}

function listTrackingLines(snapshot: ServerSnapshot): readonly string[] {
  const { tracking } = snapshot;
  if (tracking.observation === null)
    return [
      tracking.message ??
        findStartObstacle(snapshot)?.sentence ??
        t(
          'One click starts one bounded event session, CheckpointHealth, on this server. You can read its T-SQL first.',
        ),
    ];
  const gaps = listGaps(tracking.observation);
  const last = gaps[gaps.length - 1];
  return [
    `${nameTracking(snapshot)}: ${describeCounts(snapshot)}`,
    ...(tracking.unverified !== null
      ? [
          t(
            'This is from the last read. Once the server answers, you see whether it belongs to this server and what came since.',
          ),
        ]
      : []),
    ...(tracking.isLastSeen
      ? [
          t(
            'The event session may still be running. What it records will be read when the server answers again.',
          ),
        ]
      : []),
    `${countOf(tracking.rowsRead, t('{0} row read'), t('{0} rows read'))}: ${describeLedger(tracking)}`,
    last === undefined ? t('No gaps') : t('{0}, the last: {1}', countGaps(gaps.length), last.reason),
    ...(tracking.message === null ? [] : [tracking.message]),
  ];
}

function chooseTrackingIcon(snapshot: ServerSnapshot): RowIcon {
  const { tracking } = snapshot;
  if (tracking.isLastSeen || tracking.unverified !== null) return { name: 'question' };
  if (tracking.state === 'tracking') return { name: 'record', colour: 'charts.green' };
  if (tracking.state === 'failed') return { name: 'error', colour: 'list.errorForeground' };
  if (tracking.state === 'starting' || tracking.state === 'stopping') return { name: 'loading~spin' };
  if (canStart(snapshot)) return { name: 'play', colour: 'textLink.foreground' };
  return { name: tracking.state === 'stopped' ? 'stop-circle' : 'circle-slash' };
}
