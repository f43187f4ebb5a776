/** A server's own row and the row about its tracking. */
import { formatCount, formatDuration } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { Ownership } from '../servers/server-list';
import { countAutomatic, describeAutomatic, describeMemory, describeUptime, nameFailure, nameProduct, nameStanding } from '../server-words';
import { createRow, type Row, type RowIcon } from './row';

/** @param ownership decides what the menus offer: only our own servers are edited here */
export function describeServer(snapshot: ServerSnapshot, ownership: Ownership): Row {
  const description = describeServerState(snapshot);
  return createRow({
    kind: 'server',
    id: snapshot.id,
    serverId: snapshot.id,
    label: snapshot.label,
    description,
    tooltip: listTooltipLines(snapshot, description),
    icon: chooseServerIcon(snapshot),
    context: `server:${nameServerContext(snapshot)},${ownership}`,
    expand: snapshot.connection === 'not connected' ? 'closed' : 'open',
    spoken: `Server ${snapshot.label}, ${description}`,
  });
}

function describeServerState(snapshot: ServerSnapshot): string {
  const { facts, connection, standing } = snapshot;
  if (facts === null) {
    if (connection === 'failed') return nameFailure(snapshot);
    return connection === 'connecting' || connection === 'connected' ? 'connecting…' : 'not connected';
  }
  const { server, state } = facts;
  const uptime = describeUptime(server);
  const parts = [
    nameProduct(server),
    ...(uptime === null ? [] : [`up ${uptime}`]),
    ...(state.kind === 'observed' ? [describeMemory(state.value)] : []),
    describeAutomatic(facts),
  ];
  if (standing !== null) parts.unshift(nameStanding(standing));
  if (connection === 'failed') parts.push('as last seen');
  return parts.join(' · ');
}

function listTooltipLines(snapshot: ServerSnapshot, description: string): readonly string[] {
  const { facts, failure } = snapshot;
  const lines = [snapshot.label, description];
  if (facts !== null)
    lines.push(
      `${facts.server.serverName}, ${facts.server.edition}, ${facts.server.productVersion} ${facts.server.productLevel}`,
      `Login ${facts.server.loginName}`,
    );
  return failure === null ? lines : [...lines, failure];
}

function chooseServerIcon(snapshot: ServerSnapshot): RowIcon {
  if (snapshot.connection === 'failed') return { name: 'server', colour: 'list.errorForeground' };
  const flagged = snapshot.facts !== null && countAutomatic(snapshot.facts).automatic > 0;
  return flagged ? { name: 'server', colour: 'charts.yellow' } : { name: 'server' };
}

/** What the menus of the manifest tell apart. */
function nameServerContext(snapshot: ServerSnapshot): 'closed' | 'idle' | 'tracking' | 'busy' {
  const { state } = snapshot.tracking;
  if (state === 'tracking') return 'tracking';
  if (state === 'starting' || state === 'stopping') return 'busy';
  return snapshot.facts === null ? 'closed' : 'idle';
}

export function describeTracking(snapshot: ServerSnapshot): Row {
  const { tracking } = snapshot;
  const description = [describeCounts(snapshot), tracking.message].filter((part) => part !== null && part !== '').join(' · ');
  const isTracking = tracking.state === 'tracking';
  return createRow({
    kind: 'tracking',
    id: `${snapshot.id}/tracking`,
    serverId: snapshot.id,
    label: nameTracking(snapshot),
    description,
    tooltip: listTrackingLines(snapshot),
    icon: chooseTrackingIcon(snapshot),
    context: `tracking:${isTracking ? 'tracking' : 'idle'}`,
    command: isTracking || tracking.state === 'stopped' ? 'openDashboard' : null,
  });
}

function nameTracking(snapshot: ServerSnapshot): string {
  const { tracking } = snapshot;
  const elapsed = measureElapsed(snapshot);
  switch (tracking.state) {
    case 'not tracking':
      return 'Not tracking';
    case 'starting':
      return 'Starting to track…';
    case 'tracking':
      return elapsed === null ? 'Tracking' : `Tracking for ${formatDuration(elapsed)}`;
    case 'stopping':
      return 'Stopping, reading to the end…';
    case 'stopped':
      return elapsed === null ? 'Tracking stopped' : `Tracked for ${formatDuration(elapsed)}`;
    case 'failed':
      return 'Tracking failed';
  }
}

/** By the server's clock: from the beginning of tracking to what was last observed. null where nothing was observed yet. */
function measureElapsed({ tracking, trackingSinceUtcMs }: ServerSnapshot): number | null {
  if (tracking.observation === null) return null;
  return Math.max(0, tracking.observation.endUtcMs - (trackingSinceUtcMs ?? tracking.observation.beginUtcMs));
}

/** Buffers are said where any was lost: each held many events, and how many is not known. */
function describeLost({ lostEvents, lostBuffers }: ServerSnapshot['tracking']): string {
  if (lostEvents === null) return 'lost events not observable';
  const buffers =
    lostBuffers === null || lostBuffers === 0 ? '' : ` and ${formatCount(lostBuffers)} ${lostBuffers === 1 ? 'buffer' : 'buffers'}`;
  return `${formatCount(lostEvents)}${buffers} lost`;
}

function describeCounts(snapshot: ServerSnapshot): string {
  const { tracking, trackedDatabaseIds } = snapshot;
  if (tracking.state === 'not tracking') return tracking.message === null ? 'start tracking to measure checkpoints' : '';
  if (tracking.observation === null) return '';
  const parts = [`${formatCount(tracking.rowsRead)} events`, describeLost(tracking), `${formatCount(tracking.unpaired)} unpaired`];
  if (trackedDatabaseIds !== null)
    parts.unshift(trackedDatabaseIds.length === 1 ? '1 database' : `${formatCount(trackedDatabaseIds.length)} databases`);
  return parts.join(' · ');
}

function listTrackingLines(snapshot: ServerSnapshot): readonly string[] {
  const { tracking } = snapshot;
  if (tracking.observation === null)
    return [
      tracking.message ?? 'One click starts one bounded event session, CheckpointHealth, on this server. Its T-SQL can be read first.',
    ];
  const gaps = tracking.observation.gaps;
  return [
    nameTracking(snapshot),
    `${formatCount(tracking.rowsRead)} rows read: ${formatCount(tracking.checkpoints)} checkpoints of two rows each, ${formatCount(tracking.unpaired)} unpaired, ` +
      `${formatCount(tracking.duplicates)} duplicates, ${formatCount(tracking.malformed)} malformed, ${formatCount(tracking.otherEvents)} other events`,
    gaps.length === 0 ? 'No gaps' : `${formatCount(gaps.length)} gaps, the last: ${gaps[gaps.length - 1]?.reason}`,
    ...(tracking.message === null ? [] : [tracking.message]),
  ];
}

function chooseTrackingIcon({ tracking }: ServerSnapshot): RowIcon {
  if (tracking.state === 'tracking') return { name: 'record', colour: 'charts.green' };
  if (tracking.state === 'failed') return { name: 'error', colour: 'list.errorForeground' };
  if (tracking.state === 'starting' || tracking.state === 'stopping') return { name: 'loading~spin' };
  return { name: tracking.state === 'stopped' ? 'stop-circle' : 'circle-slash' };
}
