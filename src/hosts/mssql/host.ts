/** The SQL Server extension of VS Code (mssql) as a host, built from what it offers now. */
import { ConnectionError, type ConnectionHost, type HostChange } from '../host';
import { createMssqlAccess } from './access';
import { Approval, type ApprovalState } from './approval';
import { createMssqlEditor, NEW_QUERY_COMMAND } from './editor';
import { explainObstacle } from './errors';
import { Reach } from '../sql-tools-service';
import { MssqlServers } from './servers';
import {
  EDIT_PERMISSIONS_COMMAND,
  findSharing,
  nameSharingCommand,
  readExported,
  sharingCalls,
} from './sharing';
import type { MssqlWorld, MssqlExtension } from './world';
import { t } from '../../core/language';

/**
 * Nothing undoes it, and no order of connections prevents it (docs/facts.md, Hosts 1). The setting exists since 1.43.
 */
const caution = {
  sentence: t(
    'The SQL Server extension connects each SQL file that you open to the first server that was connected in this window, until you connect an editor yourself. Checkpoint Health may have connected that server.',
  ),
  setting: 'mssql.newEditorConnectionBehavior',
};

export function createMssqlHost(world: MssqlWorld): ConnectionHost {
  const listeners = new Set<(change: HostChange) => void>();
  const tellServers = (): void => listeners.forEach((listener) => listener({ kind: 'servers' }));
  const listening = world.onDidChange(tellServers);
  // Not during the command that pointed at the node, which has not finished yet.
  const servers = new MssqlServers(world, () => void Promise.resolve().then(tellServers));
  const approval = new Approval();
  const access = {
    world,
    approval,
    isUntrusted: (serverId: string) => servers.isUntrusted(serverId),
    readLogin: (serverId: string) => servers.readLogin(serverId),
    reach: new Reach(world.canReach, world.answersAt),
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

/** For Show Connection Diagnostics: no secrets, no server names, and nothing is started for it. */
async function describeMssql(
  world: MssqlWorld,
  servers: MssqlServers,
  approval: ApprovalState,
): Promise<readonly string[]> {
  const extension = world.findExtension();
  if (extension === undefined)
    return [t('SQL Server extension (ms-mssql.mssql): not installed, or disabled')];
  const commands = new Set(await world.listCommands());
  const shared = sharingCalls.filter((call) => commands.has(nameSharingCommand(call)));
  const { servers: listed, untrusted } = servers.list();
  // mssql's own rule: it neither shows nor shares a connection that is in no group that it knows.
  const ignored = servers.countIgnored();
  return [
    extension.isActive
      ? t('SQL Server extension (ms-mssql.mssql): {0}, active', extension.version)
      : t('SQL Server extension (ms-mssql.mssql): {0}, not active yet', extension.version),
    t('Its view container objectExplorer: {0}', say(extension.hasContainer)),
    `exports.connectionSharing: ${sayExports(extension)}`,
    t(
      'Commands mssql.connectionSharing.*: {0} of the {1} that are needed',
      shared.length,
      sharingCalls.length,
    ),
    t('Command {0}: {1}', EDIT_PERMISSIONS_COMMAND, say(commands.has(EDIT_PERMISSIONS_COMMAND))),
    t('Command {0}: {1}', NEW_QUERY_COMMAND, say(commands.has(NEW_QUERY_COMMAND))),
    t(
      'Connections: {0} usable, {1} of a workspace that is not trusted, {2} damaged or incomplete entries',
      listed.length,
      untrusted,
      servers.countDamaged(),
    ),
    ...(ignored === 0
      ? []
      : [
          t(
            'Connections that mssql ignores, because mssql.connectionGroups does not have their groupId: {0}',
            ignored,
          ),
        ]),
    t('Approval in this window: {0}', APPROVAL_NAMES[approval]),
  ];
}

const APPROVAL_NAMES: Readonly<Record<ApprovalState, string>> = {
  'not asked': t('not asked'),
  given: t('given'),
  refused: t('refused'),
};

function say(isThere: boolean): string {
  return isThere ? t('there') : t('not there');
}

function sayExports(extension: MssqlExtension): string {
  if (!extension.isActive) return t('not known before it is active');
  return say(readExported(extension.exports()) !== null);
}
