/** What a menu of Azure Data Studio was opened on. The argument differs from menu to menu (docs/facts.md, Hosts 2). */
import { readProfile, type AzdataProfile } from './profile';

interface AzdataTarget {
  readonly profile: AzdataProfile;
  readonly databaseName: string | null;
}

interface Node {
  readonly isConnectionNode?: unknown;
  readonly connectionProfile?: unknown;
  readonly nodeInfo?: NodeInfo;
  /** A row of another tree in the Connections viewlet: Azure, Central Management Servers (sql/workbench/common/views.ts, TreeViewItemHandleArg). */
  readonly $treeItem?: { readonly payload?: unknown; readonly type?: unknown; readonly nodeInfo?: NodeInfo };
}

interface NodeInfo {
  readonly nodeType?: unknown;
  readonly nodePath?: unknown;
  readonly metadata?: { readonly metadataTypeName?: unknown; readonly name?: unknown };
}

/** @returns null where it is no server and no database of SQL Server */
export function readAzdataTarget(argument: unknown): AzdataTarget | null {
  try {
    return typeof argument === 'object' && argument !== null ? readNode(argument) : null;
  } catch {
    // Somebody else's object may throw at any property.
    return null;
  }
}

function readNode(node: Node): AzdataTarget | null {
  if (node.connectionProfile !== undefined) {
    const nodeInfo = node.isConnectionNode === true ? undefined : (node.nodeInfo ?? {});
    return point(node.connectionProfile, ({ databaseName }) => nodeInfo && nameDatabase(nodeInfo, databaseName));
  }
  const item = node.$treeItem;
  if (item !== undefined) {
    return point(item.payload, ({ databaseName }) =>
      item.type === 'Database' ? nameDatabase(item.nodeInfo ?? {}, databaseName) : undefined,
    );
  }
  // The toolbar of a dashboard. That of a server names the database it is connected to; only one that is for a database has an original one.
  return point(node, ({ originalDatabase, databaseName }) => (originalDatabase === '' ? undefined : databaseName));
}

function point(profile: unknown, nameIts: (profile: AzdataProfile) => string | undefined): AzdataTarget | null {
  const read = readProfile(profile);
  if (read === null) return null;
  const databaseName = nameIts(read);
  return { profile: read, databaseName: databaseName === undefined || databaseName === '' ? null : databaseName };
}

/**
 * A row below a server: the database it is, or the one it lies in. The host writes the latter into the profile (serverTreeView.ts, getActionContext) and leaves
 * it undefined for what belongs to the server itself.
 */
function nameDatabase({ nodeType, metadata, nodePath }: NodeInfo, databaseName: string): string | undefined {
  const isDatabase = nodeType === 'Database' || metadata?.metadataTypeName === 'Database';
  if (isDatabase && typeof metadata?.name === 'string' && metadata.name !== '') return metadata.name;
  if (databaseName !== '') return databaseName;
  return typeof nodePath === 'string' ? readPath(nodePath) : undefined;
}

/** `server/Databases/Sales/Tables/dbo.Orders`, and `server/Databases/System Databases/model`. */
function readPath(path: string): string | undefined {
  const [, below] = /\/Databases\/(.+)/.exec(path) ?? [];
  const [first, second] = below?.split('/') ?? [];
  return first === 'System Databases' ? second : first;
}
