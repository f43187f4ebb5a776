/** Show Connection Diagnostics: asks every host what it finds now, and opens the answers as a document. */
import { describeError } from '../../monitor/queries/failure';
import { countOf, formatCount, formatDuration } from '../../core/format';
import * as vscode from 'vscode';
import { type ConnectionHost, type HostName, otherHosts } from '../../hosts/host';
import type { CommandContext } from './command-context';
import type { CommandHandler } from '../kit/command-table';
import { waitUnless } from '../kit/conversation';
import type { ConnectionHosts, HostState } from '../hosts/connection-hosts';
import { redact } from '../kit/log';
import { connectionNames, describeAbsence } from '../kit/server-words';
import { makeVisible } from '../../core/visible';
import type { ObserverCost } from '../../monitor/queries/observer-cost';
import type { ConnectionState } from '../../monitor/server-life';
import { type HostChoice, nameWay } from '../hosts/host-choice';
import { joinSentences, t } from '../../core/language';
import { countEach } from '../../core/lists';

interface DiagnosedWindow {
  readonly extensionVersion: string;
  readonly describeLogins: () => readonly string[];
}

export function createDiagnosticsCommand(
  context: CommandContext,
  hosts: ConnectionHosts,
  window: DiagnosedWindow,
): CommandHandler {
  return async () => {
    await context.conversation.showWork(t('Looking for ways to a server'), (signal) =>
      waitUnless(signal, hosts.look()),
    );
    const found: Diagnostics = {
      extensionVersion: window.extensionVersion,
      logins: window.describeLogins(),
      editor: describeEditor(),
      choice: hosts.state?.choice ?? null,
      ways: [
        ...(await Promise.all(hosts.all().map((host) => describeHost(host, hosts.state)))),
        describeOwn(context),
      ],
      servers: describeServers(context),
      isTrusted: vscode.workspace.isTrusted,
      untrusted: context.servers.list.untrusted,
    };
    await context.conversation.showText(redact(writeDiagnostics(found)), 'markdown');
  };
}

function describeEditor(): readonly string[] {
  const { appName, language, remoteName, uiKind } = vscode.env;
  const { node } = process.versions;
  return [
    uiKind === vscode.UIKind.Web
      ? t('{0}, VS Code {1}, in a browser, language {2}', appName, vscode.version, language)
      : t('{0}, VS Code {1}, on the desktop, language {2}', appName, vscode.version, language),
    remoteName === undefined
      ? t('Extensions run on Node {0}', node)
      : t('Extensions run on Node {0} on a remote machine ({1})', node, remoteName),
  ];
}

async function describeHost(
  host: ConnectionHost,
  state: HostState | null,
): Promise<Diagnostics['ways'][number]> {
  const { name } = host;
  const finding = state?.findings.find((each) => each.name === name);
  let details: readonly string[] = [];
  try {
    details = await host.describe();
  } catch (error) {
    details = [t('More could not be read: {0}', describeError(error))];
  }
  return { name, obstacle: finding?.obstacle ?? null, details };
}

function describeOwn({ servers }: CommandContext): Diagnostics['ways'][number] {
  const count = servers.saved.list().length;
  return {
    name: 'own',
    obstacle: null,
    details: [countOf(count, t('{0} server was added.'), t('{0} servers were added.'))],
  };
}

function describeServers({ servers }: CommandContext): Diagnostics['servers'] {
  return servers.list.all().map(({ id, way }) => {
    const snapshot = servers.snapshot(id);
    const { label, connection, failure, cost } = snapshot;
    return { name: label, way, connection, failure, absence: describeAbsence(snapshot), cost };
  });
}

interface Diagnostics {
  readonly extensionVersion: string;
  /** Name and version of the editor, its language, and where its extensions run. */
  readonly editor: readonly string[];
  /** null before the first look. */
  readonly choice: HostChoice | null;
  readonly ways: readonly {
    readonly name: HostName | 'file';
    /** One sentence; null if its connections can be used. */
    readonly obstacle: string | null;
    readonly details: readonly string[];
  }[];
  readonly servers: readonly {
    readonly name: string;
    readonly way: HostName | 'file';
    readonly connection: ConnectionState;
    readonly failure: string | null;
    /** Why we do not know its state of now; null if we do. */
    readonly absence: string | null;
    readonly cost: ObserverCost;
  }[];
  /** How many logins each account sent, and how many were refused. */
  readonly logins: readonly string[];
  readonly isTrusted: boolean;
  /** Connections of this workspace that were ignored. */
  readonly untrusted: number;
}

function describePlace(place: HostName): string {
  return place === 'own' ? t('The pane is in a container of its own.') : otherHosts[place].place;
}

export function writeDiagnostics(found: Diagnostics): string {
  return [
    `# ${t('Checkpoint Health: Connection Diagnostics')}`,
    '',
    t('This document names servers. It contains no passwords, tokens or connection strings.'),
    '',
    `- Checkpoint Health ${found.extensionVersion}`,
    ...found.editor.map((line) => `- ${line}`),
    `- ${describeTrust(found)}`,
    '',
    `## ${t({ message: 'Chosen', comment: ['The heading above the chosen way to a server'] })}`,
    '',
    ...(found.choice === null
      ? [t('Not decided yet.')]
      : [`${nameWay(found.choice.name)}. ${found.choice.why}`, '', describePlace(found.choice.place)]),
    '',
    `## ${t('Ways to a server, in order of preference')}`,
    ...found.ways.flatMap(({ name, obstacle, details }) => [
      '',
      `### ${nameWay(name)}`,
      '',
      obstacle ?? t('Can be used.'),
      ...(details.length === 0 ? [] : ['', ...details.map((line) => `- ${line}`)]),
    ]),
    '',
    `## ${t('Servers in the pane')}`,
    '',
    ...(found.servers.length === 0 ? [t('None.')] : found.servers.flatMap(describeServer)),
    '',
    `## ${t('Logins since the window was opened')}`,
    '',
    ...(found.logins.length === 0 ? [t('None.')] : found.logins.map((line) => `- ${line}`)),
    '',
  ]
    .map(makeVisible)
    .join('\n');
}

function describeTrust({ isTrusted, untrusted }: Diagnostics): string {
  if (isTrusted) return t('Workspace: trusted');
  return t(
    'Workspace: not trusted. The connections that it defines are ignored ({0} found).',
    formatCount(untrusted),
  );
}

function describeServer({
  name,
  way,
  connection,
  failure,
  absence,
  cost,
}: Diagnostics['servers'][number]): readonly string[] {
  const state = absence === null ? connectionNames[connection] : `${connectionNames[connection]}; ${absence}`;
  return [
    `- ${name}: ${nameWay(way)}, ${state}`,
    ...(failure === null ? [] : [`  ${failure}`]),
    `  ${describeMinute(cost.lastMinute)}`,
    ...describeFollowing(cost).map((line) => `  ${line}`),
  ];
}

/** Nothing if no session is followed. */
function describeFollowing({ sessionBytes, readEveryMs, isSpacedOut }: ObserverCost): readonly string[] {
  if (readEveryMs === null) return [];
  const seconds = formatCount(Math.round(readEveryMs / 1000));
  return [
    sessionBytes === null
      ? t("The server does not say how much memory the event session's buffers take.")
      : t(
          "The event session's buffers take {0} KB of the server's memory.",
          formatCount(Math.round(sessionBytes / 1024)),
        ),
    isSpacedOut
      ? t(
          'New events are read every {0} s, less often than set: the server answers slowly, and reading takes 5 % of the time at most.',
          seconds,
        )
      : t('New events are read every {0} s.', seconds),
  ];
}

/**
 * "Last minute: 3 queries. 120 ms in all, the longest 31 ms (event-session), 90 rows, 20 KB. 2 × event-session; 1 ×
 * server-facts."
 */
function describeMinute(asked: ObserverCost['lastMinute']): string {
  const [longest] = [...asked].sort((a, b) => b.tookMs - a.tookMs);
  if (longest === undefined) return t('Last minute: no query.');
  const counts = countEach(asked.map(({ name }) => name));
  const byName = [...counts].map(([name, count]) => `${formatCount(count)} × ${name}`);
  const wholeMs = asked.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const rows = asked.reduce((sum, each) => sum + each.rows, 0);
  const kilobytes = Math.round(asked.reduce((sum, { characters }) => sum + characters, 0) / 1000);
  return joinSentences(
    countOf(asked.length, t('Last minute: {0} query.'), t('Last minute: {0} queries.')),
    asked.some(({ isLogin }) => isLogin) ? t('Each was a login.') : '',
    t(
      '{0} in all, the longest {1} ({2}). Answers: {3} rows, {4} KB.',
      formatDuration(wholeMs),
      formatDuration(longest.tookMs),
      longest.name,
      formatCount(rows),
      formatCount(kilobytes),
    ),
    `${byName.join('; ')}.`,
  );
}
