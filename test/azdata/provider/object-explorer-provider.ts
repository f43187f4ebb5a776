import type { ConnectionInfo, NodeInfo, ObjectExplorerExpandInfo, ObjectExplorerProvider, ObjectExplorerSession } from 'azdata';
import { listDatabases } from './connection-provider';
import { keeping } from './handlers';
import { withLogin } from './login';

const systemDatabases: readonly string[] = ['master', 'model', 'msdb', 'tempdb'];

/** The tree as SQL Tools Service draws it, down to the databases: a server, its folder Databases, and in that the system databases in a folder of their own. */
export function createObjectExplorerProvider(): ObjectExplorerProvider {
  const sessions = new Map<string, ConnectionInfo>();
  let onCreated: (session: ObjectExplorerSession) => unknown = () => undefined;
  let onExpanded: (answer: ObjectExplorerExpandInfo) => unknown = () => undefined;
  const expandNode: ObjectExplorerProvider['expandNode'] = async ({ sessionId, nodePath = '' }) => {
    const info = sessions.get(sessionId);
    if (info === undefined) return false;
    listChildren(info, nodePath).then(
      (nodes) => onExpanded({ sessionId, nodePath, nodes }),
      (error: Error) => onExpanded({ sessionId, nodePath, nodes: [], errorMessage: error.message }),
    );
    return true;
  };
  return {
    providerId: 'MSSQL',
    createNewSession: async (info) => {
      const sessionId = `objectexplorer://${info.options['user']}@${info.options['server']}:${sessions.size}`;
      sessions.set(sessionId, info);
      const server = String(info.options['server']);
      // The host takes the answer first and the event after it.
      setTimeout(() => onCreated({ success: true, sessionId, rootNode: toNode(server, 'Server', server) }), 0);
      return { sessionId };
    },
    closeSession: async ({ sessionId }) => ({ success: sessions.delete(sessionId ?? ''), sessionId: sessionId ?? '' }),
    expandNode,
    refreshNode: expandNode,
    findNodes: async () => ({ nodes: [] }),
    registerOnSessionCreated: keeping((handler) => (onCreated = handler)),
    registerOnExpandCompleted: keeping((handler) => (onExpanded = handler)),
  };
}

async function listChildren(info: ConnectionInfo, nodePath: string): Promise<NodeInfo[]> {
  const server = String(info.options['server']);
  const databases = `${server}/Databases`;
  if (nodePath === server) return [toNode(databases, 'Folder', 'Databases', 'Databases')];
  if (!nodePath.startsWith(databases)) return [];
  const isSystemFolder = nodePath === `${databases}/System Databases`;
  if (nodePath !== databases && !isSystemFolder) return [];
  const names = await withLogin(info, listDatabases);
  const nodes = names.filter((name) => systemDatabases.includes(name) === isSystemFolder).map((name) => toDatabase(nodePath, name));
  return isSystemFolder ? nodes : [toNode(`${databases}/System Databases`, 'Folder', 'System Databases', 'SystemDatabases'), ...nodes];
}

function toNode(nodePath: string, nodeType: string, label: string, objectType = nodeType): NodeInfo {
  return { nodePath, nodeType, label, isLeaf: false, objectType } as NodeInfo;
}

function toDatabase(folder: string, name: string): NodeInfo {
  const metadata = { metadataType: 0, metadataTypeName: 'Database', urn: `Server/Database[@Name='${name}']`, name, schema: '' };
  return { ...toNode(`${folder}/${name}`, 'Database', name), metadata };
}
