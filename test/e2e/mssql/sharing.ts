/** The connection-sharing API with its approval (connectionSharingService.ts, v1.34.1 to v1.45). */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { NOT_CONNECTED, ResponseError, simpleExecute, type Service, type SimpleExecuteResult } from '../../azdata/provider/simple-execute';
import { type Connections, listProfiles, toLogin } from './connections';

type Permission = 'approved' | 'denied';
const PERMISSIONS_KEY = 'mssql.connectionSharing.extensionPermissions';

class ConnectionSharingError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ConnectionSharingError';
  }
}

interface SharingOptions {
  readonly connections: Connections;
  readonly secrets: vscode.SecretStorage;
  readonly readService: () => Service;
  /** Titles of the buttons; the answer is compared with the English words, whatever these are. */
  readonly approve: string;
  readonly deny: string;
  /** 1.45 says once a window that the API is being retired. */
  readonly isRetiring: boolean;
}

export class ConnectionSharing {
  /** What tests may look at. */
  readonly seen = { prompts: 0, permissionPicks: 0, queries: 0, connects: 0 };
  private hasWarned = false;
  private isWithdrawn = false;

  constructor(private readonly options: SharingOptions) {}

  async connect(extensionId: string, connectionId: string, database?: string): Promise<string> {
    this.requireThere();
    await this.requirePermission(extensionId);
    this.warnOfRetirement(extensionId);
    const profile = listProfiles().find(({ id }) => id === connectionId);
    if (!profile) throw new ConnectionSharingError('CONNECTION_NOT_FOUND', `Connection with ID "${connectionId}" not found.`);
    const uri = randomUUID();
    if (!(await this.options.connections.connect(uri, database ? { ...profile, database } : profile))) {
      throw new ConnectionSharingError('CONNECTION_FAILED', `Failed to establish connection with ID "${connectionId}".`);
    }
    this.seen.connects += 1;
    return uri;
  }

  /** Id of the connection of the editor in front; undefined where that has none. */
  async getActiveEditorConnectionId(extensionId: string): Promise<string | undefined> {
    this.requireThere();
    await this.requirePermission(extensionId);
    this.warnOfRetirement(extensionId);
    const editor = vscode.window.activeTextEditor;
    if (!editor) throw new ConnectionSharingError('NO_ACTIVE_EDITOR', 'No active editor found');
    return this.options.connections.find(editor.document.uri.toString())?.id;
  }

  disconnect(uri: string): void {
    this.requireThere();
    if (!uri) throw new ConnectionSharingError('INVALID_CONNECTION_URI', 'Invalid connection URI provided.');
    this.options.connections.disconnect(uri);
  }

  isConnected(uri: string): boolean {
    this.requireThere();
    return this.options.connections.isConnected(uri);
  }

  async executeSimpleQuery(uri: string, text: string): Promise<SimpleExecuteResult> {
    this.requireThere();
    if (!uri) throw new ConnectionSharingError('INVALID_CONNECTION_URI', 'Invalid connection URI provided.');
    const { connections, readService } = this.options;
    if (!connections.isConnected(uri)) throw new ConnectionSharingError('NO_ACTIVE_CONNECTION', 'Connection is not active.');
    const profile = connections.find(uri);
    if (!profile) throw new ResponseError(NOT_CONNECTED);
    this.seen.queries += 1;
    return simpleExecute(toLogin(profile), text, readService());
  }

  async editPermissions(extensionId: string): Promise<Permission | undefined> {
    this.seen.permissionPicks += 1;
    const choices = [
      { label: '✅ Grant Access', description: 'Allow this extension to access your connections', detail: 'approved' },
      { label: '❌ Deny Access', description: 'Block this extension from accessing your connections', detail: 'denied' },
    ];
    const placeHolder = `Select new permission for extension: '${extensionId}'`;
    const picked = (await vscode.window.showQuickPick(choices, { placeHolder }))?.detail as Permission | undefined;
    if (picked) await this.storePermission(extensionId, picked);
    return picked;
  }

  async clearPermissions(): Promise<void> {
    await this.options.secrets.store(PERMISSIONS_KEY, '{}');
  }

  /** Not of the real one: what is left of the API when another version takes its place, as far as a running window can see it. */
  withdraw(): void {
    this.isWithdrawn = true;
  }

  private requireThere(): void {
    if (this.isWithdrawn) throw new Error('connection sharing is gone');
  }

  private async requirePermission(extensionId: string): Promise<void> {
    if ((await this.requestPermission(extensionId)) === true) return;
    if ((await this.readPermissions())[extensionId] === 'denied') {
      throw new ConnectionSharingError('PERMISSION_DENIED', `Connection sharing permission denied for extension: '${extensionId}'.`);
    }
    throw new ConnectionSharingError('PERMISSION_REQUIRED', `Connection sharing permission is required for extension: '${extensionId}'`);
  }

  private async requestPermission(extensionId: string): Promise<boolean | undefined> {
    const known = (await this.readPermissions())[extensionId];
    if (known) return known === 'approved';
    this.seen.prompts += 1;
    const question = `The extension '${extensionId}' is requesting access to your SQL Server connections. This will allow it to execute queries and access your database.`;
    const answer = await vscode.window.showInformationMessage(question, {}, this.options.approve, this.options.deny);
    if (answer === 'Approve') await this.storePermission(extensionId, 'approved');
    if (answer === 'Deny') await this.storePermission(extensionId, 'denied');
    return answer === 'Approve';
  }

  private async readPermissions(): Promise<Record<string, Permission>> {
    return JSON.parse((await this.options.secrets.get(PERMISSIONS_KEY)) ?? '{}') as Record<string, Permission>;
  }

  private async storePermission(extensionId: string, permission: Permission): Promise<void> {
    await this.options.secrets.store(PERMISSIONS_KEY, JSON.stringify({ ...(await this.readPermissions()), [extensionId]: permission }));
  }

  private warnOfRetirement(extensionId: string): void {
    if (!this.options.isRetiring || this.hasWarned) return;
    this.hasWarned = true;
    const name = (vscode.extensions.getExtension(extensionId)?.packageJSON as { displayName?: string } | undefined)?.displayName;
    void vscode.window.showWarningMessage(
      `The “${name ?? extensionId}” extension uses a connection-sharing capability that the MSSQL extension is retiring. File a feature request for the capability you use so we can consider adding it natively.`,
      'File a feature request',
      'Don’t show again for this extension',
    );
  }
}
