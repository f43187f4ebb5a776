/** Tells the rest of the product what happens to Azure Data Studio's connections. */
import type { HostChange } from '../host';
import { readAzdataProfile, serverId } from './profile';
import type { AzdataLogin } from './login';
import type { AzdataServers } from './servers';
import type { AzdataWorld } from './world';

type Listener = (change: HostChange) => void;

export class AzdataEvents {
  private readonly listeners = new Set<Listener>();
  /** Something unknown was connected while we were connecting. */
  private isBehind = false;
  private readonly sources: readonly { dispose(): unknown }[];

  constructor(
    { azdata, vscode }: AzdataWorld,
    private readonly servers: AzdataServers,
    private readonly login: AzdataLogin,
  ) {
    login.onDone = () => this.catchUp();
    const onServers = (): void => this.tell({ kind: 'servers' });
    this.sources = [
      azdata.connection.registerConnectionEventListener({
        onConnectionEvent: (type, uri, profile) => this.hear(type, uri, profile),
      }),
      // No event tells of a connection that is renamed or deleted, but the settings change.
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('datasource')) onServers();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(onServers),
      vscode.extensions.onDidChange(onServers),
    ];
  }

  listen(listener: Listener): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  dispose(): void {
    this.listeners.clear();
    for (const source of this.sources) source.dispose();
  }

  /**
   * A server's own connection has the URI `connection:...`. Query editors (`untitled:...`) and dashboards
   * (`dashboard:...`) have their own connections; if one of those ends, that says nothing about the server. While we
   * connect, the id of our connection is not known yet.
   */
  private hear(type: string, uri: unknown, value: unknown): void {
    const profile = readAzdataProfile(value);
    if (profile === null || typeof uri !== 'string' || type === 'onConnectionChanged') return;
    const known = this.servers.findKnown(profile);
    const isOwn = uri.startsWith('connection:') && !/backupId|restoreId/.test(uri);
    if (type === 'onConnect') this.login.trust(profile.id);
    if (known?.id === profile.id && isOwn) {
      this.tell({ kind: type === 'onConnect' ? 'connected' : 'disconnected', serverId: serverId(known.id) });
    }
    if (!this.login.isBusy) this.tell({ kind: 'servers' });
    else if (known === null) this.isBehind = true;
  }

  private catchUp(): void {
    if (!this.isBehind || this.login.isBusy) return;
    this.isBehind = false;
    this.tell({ kind: 'servers' });
  }

  private tell(change: HostChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }
}
