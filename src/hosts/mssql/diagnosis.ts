/** What was found of the SQL Server extension (mssql), for Show Connection Diagnostics: no secret, no server's name, and nothing started for it. */
import type { ApprovalState } from './approval';
import { NEW_QUERY_COMMAND } from './editor';
import type { MssqlServers } from './servers';
import { EDIT_PERMISSIONS_COMMAND, nameSharingCommand, readExported, sharingCalls } from './sharing';
import type { MssqlExtension, MssqlWorld } from './world';

export async function describeMssql(world: MssqlWorld, servers: MssqlServers, approval: ApprovalState): Promise<readonly string[]> {
  const extension = world.findExtension();
  if (extension === undefined) return ['SQL Server extension (ms-mssql.mssql): not installed, or disabled'];
  const commands = new Set(await world.listCommands());
  const shared = sharingCalls.filter((call) => commands.has(nameSharingCommand(call)));
  const { servers: listed, untrusted } = servers.list();
  return [
    `SQL Server extension (ms-mssql.mssql): ${extension.version}, ${extension.isActive ? 'active' : 'not active yet'}`,
    `Its view container objectExplorer: ${say(extension.hasContainer)}`,
    `exports.connectionSharing: ${sayExports(extension)}`,
    `Commands mssql.connectionSharing.*: ${shared.length} of the ${sharingCalls.length} that are needed`,
    `Command ${EDIT_PERMISSIONS_COMMAND}: ${say(commands.has(EDIT_PERMISSIONS_COMMAND))}`,
    `Command ${NEW_QUERY_COMMAND}: ${say(commands.has(NEW_QUERY_COMMAND))}`,
    `Connections: ${listed.length} usable, ${untrusted} of a workspace that is not trusted, ${servers.countDamaged()} damaged or incomplete entries${sayIgnored(servers.countIgnored())}`,
    `Approval in this window: ${approval}`,
  ];
}

function say(isThere: boolean): string {
  return isThere ? 'there' : 'not there';
}

/** Its own rule: what is in no group that it knows it neither shows nor shares. */
function sayIgnored(count: number): string {
  return count === 0 ? '' : `, ${count} ignored by mssql, whose groupId is none of mssql.connectionGroups`;
}

function sayExports(extension: MssqlExtension): string {
  if (!extension.isActive) return 'not known before it is active';
  return say(readExported(extension.exports()) !== null);
}
