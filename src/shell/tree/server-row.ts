/** A server's own row and the row about its tracking. */
import { describeLastSeen, type TrackingObstacle } from '../../core/capture/tracking-status';
import { listGaps } from '../../core/evidence/coverage';
import { countDatabases, countOf, formatCount, formatDuration } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { findTrackingObstacle } from '../../monitor/tracking-permission';
import type { Ownership } from '../servers/server-list';
import {
  countAutomatic,
  describeAbsence,
  describeAutomatic,
  describeMemory,
  describeUptime,
  formatClock,
  nameProduct,
} from '../server-words';
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

/** One thing: what keeps the server from being read, else how many databases are automatic. The rest is in the tooltip. */
function describeServerState(snapshot: ServerSnapshot): string {
  const { facts, connection } = snapshot;
  if (snapshot.waitsFor !== null) return 'waiting for you';
  if (connection === 'connecting' || (connection === 'connected' && facts === null)) return 'connecting…';
  return describeAbsence(snapshot) ?? (facts === null ? 'not connected' : describeAutomatic(facts));
}

function listTooltipLines(snapshot: ServerSnapshot, description: string): readonly string[] {
  const { label, facts, failure } = snapshot;
  const lines = [label, description];
  if (facts !== null) {
    const { serverName, edition, productVersion, productLevel, loginName } = facts.server;
    const { automatic, databases } = countAutomatic(facts);
    const uptime = describeUptime(facts.server);
    const parts = [
      nameProduct(facts.server),
      ...(uptime === null ? [] : [`up ${uptime}`]),
      ...(facts.state.kind === 'observed' ? [describeMemory(facts.state.value)] : []),
    ];
    lines.push(
      parts.join(' · '),
      `${formatCount(automatic)} of ${countDatabases(databases)} ${automatic === 1 ? 'uses' : 'use'} automatic checkpoints: their target recovery time is 0. That is a setting, not yet a problem; tracking shows what it costs.`,
      `${serverName}, ${edition}, ${productVersion} ${productLevel}`,
      `Login ${loginName}`,
    );
    if (description !== describeAutomatic(facts)) lines.push('All of this is as last seen.');
  }
  return failure === null ? lines : [...lines, failure];
}

function chooseServerIcon(snapshot: ServerSnapshot): RowIcon {
  if (snapshot.connection === 'failed') return { name: 'server', colour: 'list.errorForeground' };
  const flagged = snapshot.facts !== null && countAutomatic(snapshot.facts).automatic > 0;
  return flagged ? { name: 'server', colour: 'charts.yellow' } : { name: 'server' };
}

/** What the menus of the manifest tell apart. */
function nameServerContext(snapshot: ServerSnapshot): 'closed' | 'idle' | 'tracking' | 'busy' {
  const context = nameTrackingContext(snapshot.tracking.state);
  return context === 'idle' && snapshot.facts === null ? 'closed' : context;
}

export function describeTracking(snapshot: ServerSnapshot): Row {
  const { tracking } = snapshot;
  // Why it is out of sight stands in a row of its own.
  const message = tracking.isLastSeen ? null : tracking.message;
  const description = [describeCounts(snapshot), message].filter((part) => part !== null && part !== '').join(' · ');
  const context = nameTrackingContext(tracking.state);
  return createRow({
    kind: 'tracking',
    id: `${snapshot.id}/tracking`,
    serverId: snapshot.id,
    label: nameTracking(snapshot),
    description,
    tooltip: listTrackingLines(snapshot),
    icon: chooseTrackingIcon(snapshot),
    context: `tracking:${context === 'idle' && findObstacle(snapshot) !== null ? 'refused' : context}`,
    command: context === 'tracking' || tracking.state === 'stopped' ? 'openDashboard' : null,
  });
}

/** What the menus of the manifest tell apart. */
function nameTrackingContext(state: ServerSnapshot['tracking']['state']): 'tracking' | 'busy' | 'idle' {
  if (state === 'tracking') return 'tracking';
  return state === 'starting' || state === 'stopping' ? 'busy' : 'idle';
}

function nameTracking(snapshot: ServerSnapshot): string {
  const { tracking } = snapshot;
  const elapsed = measureElapsed(snapshot);
  const lastSeen = describeLastSeen(tracking);
  if (lastSeen !== null) return lastSeen;
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
  const buffers = lostBuffers === null || lostBuffers === 0 ? '' : ` and ${countOf(lostBuffers, 'buffer')}`;
  return lostEvents === 0 && buffers === '' ? 'none lost' : `${formatCount(lostEvents)}${buffers} lost`;
}

const findObstacle = ({ facts }: ServerSnapshot): TrackingObstacle | null => (facts === null ? null : findTrackingObstacle(facts.server));

function describeCounts(snapshot: ServerSnapshot): string {
  const { tracking, trackedDatabaseIds, lastReadMs } = snapshot;
  if (tracking.state === 'not tracking')
    return tracking.message === null ? (findObstacle(snapshot)?.brief ?? 'start to measure checkpoints') : '';
  if (tracking.isLastSeen) return lastReadMs === null ? '' : formatClock(lastReadMs);
  if (tracking.observation === null) return '';
  const parts = [describeLost(tracking)];
  if (trackedDatabaseIds !== null) parts.unshift(countDatabases(trackedDatabaseIds.length));
  return parts.join(', ');
}

function listTrackingLines(snapshot: ServerSnapshot): readonly string[] {
  const { tracking } = snapshot;
  if (tracking.observation === null)
    return [
      tracking.message ??
        findObstacle(snapshot)?.sentence ??
        'One click starts one bounded event session, CheckpointHealth, on this server. Its T-SQL can be read first.',
    ];
  const gaps = listGaps(tracking.observation);
  return [
    nameTracking(snapshot),
    ...(tracking.isLastSeen
      ? ['Whether the event session runs now is not known. What it records is read when the server answers again.']
      : []),
    `${countOf(tracking.rowsRead, 'row')} read: ${countOf(tracking.checkpoints, 'checkpoint')} of two rows each, ${formatCount(tracking.unpaired)} unpaired, ` +
      `${countOf(tracking.duplicates, 'duplicate')}, ${formatCount(tracking.malformed)} malformed, ${countOf(tracking.otherEvents, 'other event')}`,
    gaps.length === 0 ? 'No gaps' : `${countOf(gaps.length, 'gap')}, the last: ${gaps[gaps.length - 1]?.reason}`,
    ...(tracking.message === null ? [] : [tracking.message]),
  ];
}

function chooseTrackingIcon({ tracking }: ServerSnapshot): RowIcon {
  if (tracking.isLastSeen) return { name: 'question' };
  if (tracking.state === 'tracking') return { name: 'record', colour: 'charts.green' };
  if (tracking.state === 'failed') return { name: 'error', colour: 'list.errorForeground' };
  if (tracking.state === 'starting' || tracking.state === 'stopping') return { name: 'loading~spin' };
  return { name: tracking.state === 'stopped' ? 'stop-circle' : 'circle-slash' };
}
