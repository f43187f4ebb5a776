/** The connections that are saved and those that are open, as connectionManager.ts and connectionconfig.ts keep them. */
import type { ConnectionInfo } from 'azdata';
import * as vscode from 'vscode';
import { withLogin } from '../../azdata/provider/login';

/** An entry of `mssql.connections`, with a password once it has been connected (v1.34.1 to v1.45). */
export interface Profile {
  readonly id: string;
  readonly server: string;
  readonly database?: string;
  readonly profileName?: string;
  readonly user?: string;
  readonly groupId?: string;
  readonly savePassword?: boolean;
  readonly encrypt?: string;
  readonly trustServerCertificate?: boolean;
  readonly password?: string;
}

/** What the real one keeps in the system's credential store, where the profile says that it does: the simulator's public password. */
const CREDENTIAL = 'Str0ng!Passw0rd';
const SAMPLE_SERVER = '{{put-server-name-here}}';
const ROOT = 'ROOT';
/** SQL Tools Service is told to disconnect, and only its answer makes the connection one that is not there. */
const DISCONNECT_MS = 100;

let hasWarnedOfGroups = false;

/** At the start, and only then: the group that all are in is written, and put into profiles without one (connectionconfig.ts, initialize). */
export async function completeSettings(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('mssql');
  const groups = settings.inspect<readonly { id: string }[]>('connectionGroups')?.globalValue ?? [];
  const profiles = settings.inspect<readonly Profile[]>('connections')?.globalValue ?? [];
  const user = vscode.ConfigurationTarget.Global;
  if (!groups.some(({ id }) => id === ROOT)) await settings.update('connectionGroups', [...groups, { name: ROOT, id: ROOT }], user);
  if (profiles.every(({ groupId }) => groupId !== undefined)) return;
  await settings.update(
    'connections',
    profiles.map((profile) => ({ groupId: ROOT, ...profile })),
    user,
  );
}

/** Saved profiles of user and workspace by their names; both since 1.39, before that the user's alone (connectionSharingService.ts, getConnections(false)). */
export function listProfiles(): readonly Profile[] {
  const settings = vscode.workspace.getConfiguration('mssql');
  const written = settings.inspect<readonly Profile[]>('connections');
  const all = [...(written?.globalValue ?? []), ...(written?.workspaceValue ?? [])];
  const isUsable = ({ id, server }: Profile): boolean => !!id && !!server && server !== SAMPLE_SERVER;
  const profiles = all.filter((profile, index) => isUsable(profile) && all.findIndex(({ id }) => id === profile.id) === index);
  const groups = new Set([ROOT, ...settings.get<readonly { id: string }[]>('connectionGroups', []).map(({ id }) => id)]);
  const isGrouped = ({ groupId }: Profile): boolean => groups.has(groupId ?? '');
  warnOfGroups(profiles.filter((profile) => !isGrouped(profile)));
  const name = ({ profileName, server }: Profile): string => profileName || server;
  return profiles.filter(isGrouped).sort((one, other) => name(one).localeCompare(name(other)));
}

function warnOfGroups(ignored: readonly Profile[]): void {
  if (hasWarnedOfGroups || ignored.length === 0) return;
  hasWarnedOfGroups = true;
  const names = ignored.map(describeProfile).join(', ');
  void vscode.window.showWarningMessage(
    `One or more connections reference groups that do not exist and have been ignored: ${names}. Update your connection settings to fix these entries.`,
  );
}

export function describeProfile({ profileName, server, database, user }: Profile): string {
  return profileName || `${server}, ${database || '<default>'} (${user ?? ''})`;
}

export function toLogin({ server, user, password, database, encrypt, trustServerCertificate }: Profile): ConnectionInfo {
  return { options: { server, user, password, database, encrypt, trustServerCertificate, applicationName: 'vscode-mssql' } };
}

/** Connections by the address of the document, or of the caller of the sharing API, that they were opened for. */
export class Connections {
  /** For tests: how often it asked for a password. */
  passwordPrompts = 0;
  private readonly open = new Map<string, { readonly profile: Profile; isClosing: boolean }>();
  /** Passwords that were typed and taken, until the window ends. */
  private readonly remembered = new Map<string, string>();
  private readonly opened = new vscode.EventEmitter<{ uri: string; profile: Profile }>();
  readonly onDidConnect = this.opened.event;

  /** Logs in once to see that it works. Says why where it does not, and gives false: the real one says it in dialogs of its own. */
  async connect(uri: string, profile: Profile): Promise<boolean> {
    const password = profile.password || (await this.findPassword(profile));
    const complete = { ...profile, password };
    try {
      await withLogin(toLogin(complete), async () => undefined);
    } catch (error) {
      void vscode.window.showErrorMessage(`mssql: Error: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
    const remembers = vscode.workspace.getConfiguration('mssql').get('connectionManagement.rememberPasswordsUntilRestart', true);
    if (profile.savePassword !== true && remembers) this.remembered.set(profile.id, password);
    this.open.set(uri, { profile: complete, isClosing: false });
    this.opened.fire({ uri, profile: complete });
    return true;
  }

  disconnect(uri: string): void {
    const found = this.open.get(uri);
    if (found === undefined) return;
    found.isClosing = true;
    setTimeout(() => this.open.get(uri) === found && this.open.delete(uri), DISCONNECT_MS);
  }

  isConnected(uri: string): boolean {
    return this.open.has(uri);
  }

  /** What SQL Tools Service knows of it: nothing any more while it is being closed. */
  find(uri: string): Profile | undefined {
    const found = this.open.get(uri);
    return found?.isClosing === false ? found.profile : undefined;
  }

  /** For tests: what each document or caller is connected to. */
  describe(): readonly { uri: string; server: string; database: string }[] {
    return [...this.open].map(([uri, { profile }]) => ({ uri, server: profile.server, database: profile.database ?? '' }));
  }

  /**
   * Its prompt names neither server nor login, takes the place of another one, and goes with the focus; nothing typed is an empty password, and the login is
   * tried with that (connectionManager.ts, handlePasswordBasedCredentials).
   */
  private async findPassword({ id, savePassword }: Profile): Promise<string> {
    const known = savePassword === true ? CREDENTIAL : this.remembered.get(id);
    if (known !== undefined) return known;
    this.passwordPrompts += 1;
    return (await vscode.window.showInputBox({ prompt: 'Password', placeHolder: 'Password (SQL Login)', password: true })) ?? '';
  }
}
