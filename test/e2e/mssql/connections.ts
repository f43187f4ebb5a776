/**
 * The connections that are saved and those that are open, as connectionManager.ts and connectionconfig.ts keep them.
 */
import type { ConnectionInfo } from 'azdata';
import * as vscode from 'vscode';
import { withLogin } from '../../azdata/provider/login';

/** An entry of `mssql.connections`, with a password once it has been connected (v1.34.1 to v1.45). */
export interface Profile {
  readonly id: string;
  readonly server: string;
  readonly profileName: string;
  readonly user: string;
  readonly encrypt: string;
  readonly trustServerCertificate: boolean;
  readonly password?: string;
}

/** What the real one keeps in the system's credential store: the simulator's public password. */
const CREDENTIAL = 'Str0ng!Passw0rd';

/**
 * Saved profiles of user and workspace; both since 1.39, before that the user's alone (connectionSharingService.ts,
 * getConnections(false)).
 */
export function listProfiles(): readonly Profile[] {
  const written = vscode.workspace.getConfiguration('mssql').inspect<readonly Profile[]>('connections');
  const all = [...(written?.globalValue ?? []), ...(written?.workspaceValue ?? [])];
  return all.filter((profile, index) => all.findIndex(({ id }) => id === profile.id) === index);
}

export function toLogin({
  server,
  user,
  password,
  encrypt,
  trustServerCertificate,
}: Profile): ConnectionInfo {
  return {
    options: { server, user, password, encrypt, trustServerCertificate, applicationName: 'vscode-mssql' },
  };
}

/** Connections by the address of the document, or of the caller of the sharing API, that they were opened for. */
export class Connections {
  private readonly open = new Map<string, Profile>();
  /** Ids of profiles whose passwords the credential store of a new machine has by now. */
  private readonly stored = new Set<string>();

  /**
   * Logs in once to see that it works. Says why where it does not, and gives undefined: the real one says it in dialogs
   * of its own. Its box for a password names nothing, and Escape logs in with an empty one
   * (handlePasswordBasedCredentials).
   */
  async connect(uri: string, profile: Profile): Promise<Profile | undefined> {
    const isNew = vscode.workspace.getConfiguration('mssql').get('standIn.isNewMachine', false);
    const password =
      isNew && !this.stored.has(profile.id)
        ? ((await vscode.window.showInputBox({ placeHolder: 'Password', password: true })) ?? '')
        : CREDENTIAL;
    const complete = { ...profile, password };
    try {
      await withLogin(toLogin(complete), async () => undefined);
    } catch (error) {
      void vscode.window.showErrorMessage(
        `mssql: Error: ${error instanceof Error ? error.message : String(error)}`,
      );
      return undefined;
    }
    this.stored.add(profile.id);
    this.open.set(uri, complete);
    return complete;
  }

  disconnect(uri: string): void {
    this.open.delete(uri);
  }

  find(uri: string): Profile | undefined {
    return this.open.get(uri);
  }

  /** For tests: which document or caller is connected. */
  listConnected(): readonly string[] {
    return [...this.open.keys()];
  }
}
