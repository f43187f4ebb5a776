/** Show Connection Diagnostics: asks every host what it found, now, and opens that as a document. */
import { describeError } from '../../monitor/queries/failure';
import { countOf } from '../../core/format';
import * as vscode from 'vscode';
import type { HostName } from '../../hosts/host';
import type { CommandContext } from './command-context';
import type { CommandHandler } from '../kit/command-table';
import type { ConnectionHosts } from '../hosts/connection-hosts';
import { type Diagnostics, writeDiagnostics } from './diagnostics';
import { redact } from '../kit/log';
import { describeAbsence } from '../kit/server-words';

interface DiagnosedWindow {
  readonly extensionVersion: string;
  readonly describeLogins: () => readonly string[];
}

export function createDiagnosticsCommand(context: CommandContext, hosts: ConnectionHosts, window: DiagnosedWindow): CommandHandler {
  return async () => {
    await hosts.look();
    const found: Diagnostics = {
      extensionVersion: window.extensionVersion,
      logins: window.describeLogins(),
      editor: describeEditor(),
      choice: hosts.state?.choice ?? null,
      ways: [...(await Promise.all(hosts.all().map((host) => describeHost(hosts, host.name)))), describeOwn(context)],
      servers: describeServers(context),
      isTrusted: vscode.workspace.isTrusted,
      untrusted: context.servers.list.untrusted,
    };
    await context.conversation.showText(redact(writeDiagnostics(found)), 'markdown');
  };
}

function describeEditor(): readonly string[] {
  const { appName, language, remoteName, uiKind } = vscode.env;
  const place = uiKind === vscode.UIKind.Web ? 'in a browser' : 'on the desktop';
  return [
    `${appName}, VS Code ${vscode.version}, ${place}, language ${language}`,
    `Extensions run on Node ${process.versions.node}${remoteName === undefined ? '' : ` on a remote machine (${remoteName})`}`,
  ];
}

async function describeHost(hosts: ConnectionHosts, name: Exclude<HostName, 'own'>): Promise<Diagnostics['ways'][number]> {
  const host = hosts.find(name);
  const finding = hosts.state?.findings.find((each) => each.name === name);
  let details: readonly string[] = [];
  try {
    details = (await host?.describe()) ?? [];
  } catch (error) {
    details = [`It could not say more: ${describeError(error)}`];
  }
  return { name, obstacle: finding?.obstacle ?? null, details };
}

function describeOwn({ servers }: CommandContext): Diagnostics['ways'][number] {
  const count = servers.saved.list().length;
  return { name: 'own', obstacle: null, details: [`${countOf(count, 'server was', 'servers were')} added.`] };
}

function describeServers({ servers }: CommandContext): Diagnostics['servers'] {
  return servers.list.all().map(({ id, way }) => {
    const snapshot = servers.snapshot(id);
    const { label, connection, failure, lastMinute } = snapshot;
    return { name: label, way, connection, failure, absence: describeAbsence(snapshot), lastMinute };
  });
}
