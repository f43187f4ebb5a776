/**
 * What is in sight while servers are tracked: an item of the status bar, and the badge of the pane. Each says what
 * needs attention.
 */
import * as vscode from 'vscode';
import type { NearestLimit } from '../core/advice/limits';
import { countOf, formatCount, formatDuration, formatPercent } from '../core/format';
import { t } from '../core/language';
import { makePlain } from '../core/visible';
import type { ServerSnapshot } from '../monitor/server-monitor';
import { fullCommandId, targetServer } from './kit/command-table';
import {
  awaitsVerdict,
  describeAbsence,
  describeLost,
  measureElapsed,
  nameLimit,
  tellInstance,
} from './kit/server-words';
import type { ListedSnapshot, OpenServers } from './servers/open-servers';
import { MINUTE_MS } from '../core/time';

export interface Status {
  readonly icon: 'record' | 'pulse' | 'warning';
  readonly text: string;
  /** One line for each tracked server. */
  readonly tooltip: string;
  /** A click opens the dashboard of this server. */
  readonly serverId: string;
}

/**
 * Lost events and servers out of sight count most, then a limit that is exceeded, then one that is near. null if
 * nothing is tracked.
 */
export function describeStatus(snapshots: readonly ListedSnapshot[]): Status | null {
  const tracked = listTracked(snapshots);
  const [first] = tracked;
  if (first === undefined) return null;
  const tooltip = tracked.map((server) => makePlain(describeLine(server))).join('\n');
  const troubled = tracked.find((server) => describeTrouble(server) !== null);
  if (troubled !== undefined)
    return {
      icon: 'warning',
      text: `${troubled.label} ${describeTrouble(troubled)}`,
      tooltip,
      serverId: troubled.id,
    };
  const stopped =
    tracked.find(({ nearestLimit }) => nearestLimit?.isUp === true) ??
    tracked.find(({ nearestLimit }) => nearestLimit !== null);
  if (stopped?.nearestLimit)
    return { ...describeStop(stopped, stopped.nearestLimit), tooltip, serverId: stopped.id };
  const judged = tracked.filter(
    (server) => !awaitsVerdict(server) && (tellInstance(server)?.brief ?? '') !== '',
  );
  const busiest = judged.reduce(
    (most, server) => (shareOf(server) > shareOf(most) ? server : most),
    judged[0] ?? first,
  );
  const icon = judged.length === 0 ? 'record' : 'pulse';
  const count = formatCount(tracked.length);
  const all =
    judged.length === 0
      ? t('{0} servers tracked', count)
      : t('{0} servers, up to {1} busy', count, formatPercent(shareOf(busiest)));
  const text = tracked.length === 1 ? `${first.label} ${describeState(first)}` : all;
  return { icon, text, tooltip, serverId: busiest.id };
}

/** How many servers are tracked, and how many of them need attention; undefined if none is tracked. */
export function describeBadge(snapshots: readonly ListedSnapshot[]): vscode.ViewBadge | undefined {
  const tracked = listTracked(snapshots);
  if (tracked.length === 0) return undefined;
  const troubled = tracked.filter(
    (server) => describeTrouble(server) !== null || server.nearestLimit?.isUp === true,
  ).length;
  const sentences = [countOf(tracked.length, t('{0} server is tracked.'), t('{0} servers are tracked.'))];
  if (troubled > 0) sentences.push(countOf(troubled, t('{0} needs attention.'), t('{0} need attention.')));
  return { value: tracked.length, tooltip: sentences.join(' ') };
}

/** Also those that should be tracked and are not seen any more. */
function listTracked(snapshots: readonly ListedSnapshot[]): readonly ServerSnapshot[] {
  return snapshots.filter(
    ({ tracking, sameAs }) =>
      sameAs === undefined && (tracking.state === 'tracking' || tracking.trouble !== null),
  );
}

/** "LEGACY-SQL07: log used 71 %". A limit that is near is no warning yet. */
function describeStop(
  { label }: ServerSnapshot,
  { brief, isUp }: NearestLimit,
): Pick<Status, 'icon' | 'text'> {
  return isUp
    ? { icon: 'warning', text: `${label}: ${brief}` }
    : { icon: 'pulse', text: t('{0} near a limit: {1}', label, brief) };
}

function describeLine(server: ServerSnapshot): string {
  const { label, nearestLimit } = server;
  const stop = nearestLimit === null ? '' : `; ${nameLimit(nearestLimit)}: ${nearestLimit.text}`;
  return `${label}: ${describeTrouble(server) ?? describeState(server)}${stop}`;
}

/** Why a server that should be tracked cannot be seen, or did not record events; null if all is well. */
function describeTrouble(server: ServerSnapshot): string | null {
  const { trouble } = server.tracking;
  const absence = describeAbsence(server);
  if (absence !== null) return absence;
  if (trouble !== null) return trouble === 'session gone' ? t('session gone') : t('cannot be read');
  const lost = describeLost(server.tracking);
  return lost === null ? null : t('lost {0}', lost);
}

/** In whole minutes, so that the text changes no more often. */
function describeElapsed(elapsedMs: number): string {
  const minutes = Math.floor(elapsedMs / MINUTE_MS);
  if (minutes === 0) return t('< 1 min');
  return minutes === 1 ? t('{0} min', 1) : formatDuration(minutes * MINUTE_MS);
}

/** "97 % busy", "result at 10:16"; before there is a figure, how long it was watched. */
function describeState(server: ServerSnapshot): string {
  const brief = tellInstance(server)?.brief ?? '';
  if (brief !== '' && (!awaitsVerdict(server) || server.instance?.objection != null)) return brief;
  return describeElapsed(measureElapsed(server) ?? 0);
}

const shareOf = ({ instance }: ServerSnapshot): number => instance?.task?.busyShare ?? 0;

export class StatusBar {
  private readonly item = vscode.window.createStatusBarItem(
    'checkpointHealth.status',
    vscode.StatusBarAlignment.Left,
  );
  private readonly listening: { dispose(): void };
  private shown: Status | null = null;

  constructor(private readonly servers: OpenServers) {
    this.item.name = 'Checkpoint Health';
    this.listening = servers.onDidChange(() => this.update());
  }

  dispose(): void {
    this.listening.dispose();
    this.item.dispose();
  }

  /** Servers are read every few seconds, so the editor is told only of what changed. */
  private update(): void {
    const status = describeStatus(this.servers.snapshots());
    if (JSON.stringify(status) === JSON.stringify(this.shown)) return;
    this.shown = status;
    if (status === null) return this.item.hide();
    const text = makePlain(status.text);
    this.item.text = `$(${status.icon}) ${text}`;
    this.item.tooltip = status.tooltip;
    this.item.accessibilityInformation = { label: `Checkpoint Health: ${text}` };
    this.item.backgroundColor =
      status.icon === 'warning' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.command = {
      command: fullCommandId('openDashboard'),
      title: t('Open Checkpoint Timeline'),
      arguments: [targetServer(status.serverId)],
    };
    this.item.show();
  }
}
