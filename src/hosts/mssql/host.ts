/** The SQL Server extension of VS Code (mssql) as a host, put together from what it offers now. */
import { ConnectionError, type ConnectionHost, type HostChange } from '../host';
import { createMssqlAccess } from './access';
import { Approval } from './approval';
import { describeMssql } from './diagnosis';
import { createMssqlEditor } from './editor';
import { explainObstacle } from './errors';
import { Reach } from '../sql-tools-service';
import { MssqlServers } from './servers';
import { EDIT_PERMISSIONS_COMMAND, findSharing } from './sharing';
import type { MssqlWorld } from './world';

/** Nothing takes it back, and no order of connections prevents it (docs/facts.md, Hosts 1). The setting is there since 1.43. */
const caution = {
  sentence:
    'Until you connect an editor yourself, the SQL Server extension connects SQL files that you open to the server that was connected first in this window. That may now be one that Checkpoint Health connected.',
  setting: 'mssql.newEditorConnectionBehavior',
};

export function createMssqlHost(world: MssqlWorld): ConnectionHost {
  const listeners = new Set<(change: HostChange) => void>();
  const tellServers = (): void => listeners.forEach((listener) => listener({ kind: 'servers' }));
  const listening = world.onDidChange(tellServers);
  // Not within the command that pointed at the node, which has not done its work yet.
  const servers = new MssqlServers(world, () => void Promise.resolve().then(tellServers));
  const approval = new Approval();
  const access = {
    world,
    approval,
    isUntrusted: (serverId: string) => servers.isUntrusted(serverId),
    readLogin: (serverId: string) => servers.readLogin(serverId),
    reach: new Reach(world.canReach),
    remembered: new Set<string>(),
  };
  return {
    name: 'mssql',
    isPresent: () => world.findExtension()?.hasContainer === true,
    findObstacle: async () => {
      const sharing = await findSharing(world, tellServers);
      return typeof sharing === 'string' ? explainObstacle(sharing) : null;
    },
    listServers: async () => servers.list(),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    readTarget: (node) => servers.readTarget(node),
    access: (server) => createMssqlAccess(server, access),
    editor: createMssqlEditor(world, (serverId) => servers.findNode(serverId)),
    restoresPanels: true,
    caution,
    editPermission: () => editPermission(world, approval),
    describe: () => describeMssql(world, servers, approval.state),
    dispose: () => {
      listening.dispose();
      listeners.clear();
    },
  };
}

async function editPermission(world: MssqlWorld, approval: Approval): Promise<void> {
  const sharing = await findSharing(world);
  if (typeof sharing === 'string') throw new ConnectionError('unreachable', explainObstacle(sharing));
  await world.executeCommand(EDIT_PERMISSIONS_COMMAND, world.extensionId);
  approval.forget();
}
