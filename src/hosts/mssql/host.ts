/** The SQL Server extension of VS Code (mssql) as a host, put together from what it offers now. */
import { ConnectionError, type ConnectionHost, type HostChange } from '../host';
import { createMssqlAccess } from './access';
import { Approval } from './approval';
import { describeMssql } from './diagnosis';
import { createMssqlEditor } from './editor';
import { explainObstacle } from './errors';
import { Reach } from '../sql-tools-service';
import { MssqlServers } from './servers';
import { editPermissionsCommand, findSharing } from './sharing';
import type { MssqlWorld } from './world';

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
  await world.executeCommand(editPermissionsCommand, world.extensionId);
  approval.forget();
}
