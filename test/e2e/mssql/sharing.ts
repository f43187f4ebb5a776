/** The connection-sharing API with its approval (connectionSharingService.ts, v1.34.1 to v1.45). */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { simpleExecute, type SimpleExecuteResult } from '../../azdata/provider/simple-execute';
import { type Connections, listProfiles, toLogin } from './connections';

type Permission = 'approved' | 'denied';
const PERMISSIONS_KEY = 'mssql.connectionSharing.extensionPermissions';

class ConnectionSharingError extends Error {
  override readonly name = 'ConnectionSharingError';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class ConnectionSharing {
  /** What tests may look at. */
  readonly seen = { prompts: 0 };

  constructor(
    private readonly connections: Connections,
    private readonly secrets: vscode.SecretStorage,
  ) {}

  async connect(extensionId: string, connectionId: string): Promise<string> {
    await this.requirePermission(extensionId);
    const profile = listProfiles().find(({ id }) => id === connectionId);
    if (!profile)
      throw new ConnectionSharingError(
        'CONNECTION_NOT_FOUND',
        `Connection with ID "${connectionId}" not found.`,
      );
    const uri = randomUUID();
    if (!(await this.connections.connect(uri, profile)))
      throw new ConnectionSharingError(
        'CONNECTION_FAILED',
        `Failed to establish connection with ID "${connectionId}".`,
      );
    return uri;
  }

  /** Id of the connection of the editor in front; undefined where that has none. */
  async getActiveEditorConnectionId(extensionId: string): Promise<string | undefined> {
    await this.requirePermission(extensionId);
    const editor = vscode.window.activeTextEditor;
    if (!editor) throw new ConnectionSharingError('NO_ACTIVE_EDITOR', 'No active editor found');
    return this.connections.find(editor.document.uri.toString())?.id;
  }

  disconnect(uri: string): void {
    this.connections.disconnect(uri);
  }

  isConnected(uri: string): boolean {
    return this.connections.find(uri) !== undefined;
  }

  async executeSimpleQuery(uri: string, text: string): Promise<SimpleExecuteResult> {
    const profile = this.connections.find(uri);
    if (!profile) throw new ConnectionSharingError('NO_ACTIVE_CONNECTION', 'Connection is not active.');
    return simpleExecute(toLogin(profile), text);
  }

  async editPermissions(extensionId: string): Promise<Permission | undefined> {
    const choices = [
      {
        label: '✅ Grant Access',
        description: 'Allow this extension to access your connections',
        detail: 'approved',
      },
      {
        label: '❌ Deny Access',
        description: 'Block this extension from accessing your connections',
        detail: 'denied',
      },
    ];
    const placeHolder = `Select new permission for extension: '${extensionId}'`;
    const picked = (await vscode.window.showQuickPick(choices, { placeHolder }))?.detail as
      | Permission
      | undefined;
    if (picked) await this.storePermission(extensionId, picked);
    return picked;
  }

  private async requirePermission(extensionId: string): Promise<void> {
    const permission =
      (await this.readPermissions())[extensionId] ?? (await this.requestPermission(extensionId));
    if (permission === 'approved') return;
    if (permission === 'denied')
      throw new ConnectionSharingError(
        'PERMISSION_DENIED',
        `Connection sharing permission denied for extension: '${extensionId}'.`,
      );
    throw new ConnectionSharingError(
      'PERMISSION_REQUIRED',
      `Connection sharing permission is required for extension: '${extensionId}'`,
    );
  }

  private async requestPermission(extensionId: string): Promise<Permission | undefined> {
    this.seen.prompts += 1;
    const question = `The extension '${extensionId}' is requesting access to your SQL Server connections. This will allow it to execute queries and access your database.`;
    const answer = await vscode.window.showInformationMessage(question, {}, 'Approve', 'Deny');
    const permission = answer === 'Approve' ? 'approved' : answer === 'Deny' ? 'denied' : undefined;
    if (permission) await this.storePermission(extensionId, permission);
    return permission;
  }

  private async readPermissions(): Promise<Record<string, Permission>> {
    return JSON.parse((await this.secrets.get(PERMISSIONS_KEY)) ?? '{}') as Record<string, Permission>;
  }

  private async storePermission(extensionId: string, permission: Permission): Promise<void> {
    await this.secrets.store(
      PERMISSIONS_KEY,
      JSON.stringify({ ...(await this.readPermissions()), [extensionId]: permission }),
    );
  }
}
