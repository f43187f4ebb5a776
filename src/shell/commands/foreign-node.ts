/** From a node of another product's tree to what a command is about. */
import type { HostServer } from '../../hosts/host';
import { connectTo, type CommandContext } from './command-context';
import { type CommandTarget, Dismissed } from '../kit/command-table';
import type { ConnectionHosts } from '../hosts/connection-hosts';

interface ForeignNodes {
  readonly hosts: Pick<ConnectionHosts, 'readTarget'>;
  /** Offers the other ways to this server. */
  readonly connectAnotherWay: (server: HostServer) => Promise<void>;
  /** Shows the server's row. */
  readonly reveal: (serverId: string) => void;
}

/** @throws Dismissed where its connection cannot be used and another way was offered; Error with one sentence */
export async function takeUpNode(context: CommandContext, nodes: ForeignNodes, node: unknown): Promise<CommandTarget> {
  const found = nodes.hosts.readTarget(node);
  if (found === null)
    throw new Error(
      'This is no server and no database of SQL Server: choose another node, or add the server in the Checkpoint Health pane.',
    );
  const { server, databaseName } = found.pointedAt;
  // A server that our own driver has taken over needs that product no longer.
  if (context.servers.list.find(server.id)?.way !== 'own') {
    const obstacle = await found.host.findObstacle();
    if (obstacle !== null) {
      context.conversation.offer(obstacle, 'Connect Another Way…', () => nodes.connectAnotherWay(server));
      throw new Dismissed();
    }
    context.servers.point(server);
  }
  nodes.reveal(server.id);
  return {
    serverId: server.id,
    databaseIds: databaseName === null ? [] : [await findDatabase(context, server.id, databaseName)],
    group: null,
  };
}

/** Names are compared as they are written; where none is equal, without regard to case, if that leaves one. */
async function findDatabase(context: CommandContext, serverId: string, name: string): Promise<number> {
  const { snapshot } = await connectTo(context, serverId);
  const databases = snapshot.facts?.databases ?? [];
  const alike = databases.filter((database) => database.name.toLowerCase() === name.toLowerCase());
  const found = databases.find((database) => database.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
  if (found === undefined) throw new Error(`Database ${name} is not on ${snapshot.label} any more, or this login may not see it.`);
  return found.databaseId;
}
