/** The connections that are saved and those that are open, as connectionManager.ts and connectionconfig.ts keep them. */
import * as vscode from 'vscode';
import { logIn, type LoginDetails } from './login';

/** An entry of `mssql.connections`, with a password once it has been connected (v1.34.1 to v1.45). */
export interface Profile {
  readonly id: string;
  readonly server: string;
  readonly database?: string;
  readonly profileName?: string;
  readonly user?: string;
  readonly port?: number;
  readonly authenticationType?: string;
  readonly encrypt?: string;
  readonly trustServerCertificate?: boolean;
  password?: string;
}

/** What the real one keeps in the system's credential store: the simulator's public password, for every login. */
const CREDENTIAL = 'Str0ng!Passw0rd';
const SAMPLE_SERVER = '{{put-server-name-here}}';

/** Saved profiles of user and workspace; both since 1.39, before that the user's alone (connectionSharingService.ts, getConnections(false)). */
export function listProfiles(): readonly Profile[] {
  const written = vscode.workspace.getConfiguration('mssql').inspect<readonly Profile[]>('connections');
  const all = [...(written?.globalValue ?? []), ...(written?.workspaceValue ?? [])];
  const isUsable = ({ id, server }: Profile): boolean => !!id && !!server && server !== SAMPLE_SERVER;
  return all.filter((profile, index) => isUsable(profile) && all.findIndex(({ id }) => id === profile.id) === index);
}

export function describeProfile({ profileName, server, database, user }: Profile): string {
  return profileName || `${server}, ${database || '<default>'} (${user ?? ''})`;
}

export function toLogin(profile: Profile): LoginDetails {
  const [host = '', port = '1433'] = profile.server.split(',');
  return {
    host,
    port: profile.port ?? Number(port),
    user: profile.user ?? '',
    password: profile.password ?? '',
    database: profile.database || undefined,
    encrypt: profile.encrypt !== 'Optional',
    trustServerCertificate: profile.trustServerCertificate === true,
  };
}

/** Connections by the address of the document, or of the caller of the sharing API, that they were opened for. */
export class Connections {
  private readonly open = new Map<string, Profile>();
  private readonly opened = new vscode.EventEmitter<{ uri: string; profile: Profile }>();
  readonly onDidConnect = this.opened.event;

  /** Logs in once to see that it works. Says why where it does not, and gives false: the real one says it in dialogs of its own. */
  async connect(uri: string, profile: Profile): Promise<boolean> {
    const complete = { ...profile, password: profile.password || CREDENTIAL };
    try {
      (await logIn(toLogin(complete))).close();
    } catch (error) {
      void vscode.window.showErrorMessage(`mssql: Error: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
    this.open.set(uri, complete);
    this.opened.fire({ uri, profile: complete });
    return true;
  }

  disconnect(uri: string): void {
    this.open.delete(uri);
  }

  isConnected(uri: string): boolean {
    return this.open.has(uri);
  }

  find(uri: string): Profile | undefined {
    return this.open.get(uri);
  }

  /** For tests: what each document or caller is connected to. */
  describe(): readonly { uri: string; server: string; database: string }[] {
    return [...this.open].map(([uri, { server, database = '' }]) => ({ uri, server, database }));
  }
}
