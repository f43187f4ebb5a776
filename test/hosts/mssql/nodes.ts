/**
 * Nodes of mssql's tree in the shapes of its source (TreeNodeInfo, ConnectionNode, ConnectionGroupNode,
 * ExpandErrorNode, AddConnectionTreeNode; v1.34.1 to v1.45): a profile is handed out as a copy, with the password in
 * it, and a node below a server has the server's own profile.
 */
import { PASSWORD } from './fake';

export interface Profile {
  readonly id?: string;
  readonly server?: string;
  readonly [name: string]: unknown;
}

export class TreeNode {
  constructor(
    readonly label: string,
    readonly nodeType: string,
    private readonly profile: Profile | undefined,
    readonly parentNode?: TreeNode,
    readonly metadata?: { readonly metadataTypeName: string; readonly name: string },
  ) {}

  get connectionProfile(): Profile | undefined {
    return this.profile && { ...this.profile };
  }
}

export const profile: Profile = {
  id: 'one',
  server: 'sql07',
  database: 'Sales',
  profileName: 'Production',
  authenticationType: 'SqlLogin',
  user: 'dba',
  password: PASSWORD,
  savePassword: true,
  groupId: 'ROOT',
};

export const group = new TreeNode('Europe', 'ConnectionGroup', undefined);
export const serverNode = new TreeNode('Production', 'Server', profile, group, {
  metadataTypeName: 'Server',
  name: 'sql07',
});
export const disconnectedNode = new TreeNode('Production', 'disconnectedServer', profile, group);
export const databasesFolder = new TreeNode('Databases', 'Folder', profile, serverNode);
export const databaseNode = new TreeNode('CRM', 'Database', profile, databasesFolder, {
  metadataTypeName: 'Database',
  name: 'CRM',
});
const tables = new TreeNode('Tables', 'Folder', profile, databaseNode);
export const tableNode = new TreeNode('dbo.Orders', 'Table', profile, tables, {
  metadataTypeName: 'Table',
  name: 'Orders',
});
