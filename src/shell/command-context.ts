/** What every command may use, and how it finds the server that it is about. */
import type { ServerMonitor } from '../monitor/server-monitor';
import { type CommandTarget, readTarget } from './command-target';
import { Dismissed } from './commands';
import type { Conversation } from './conversation';
import { hostNames } from './hosts/host-choice';
import type { Log } from './log';
import type { OpenServers } from './servers/open-servers';
import type { ListedServer } from './servers/server-list';

export interface CommandContext {
  readonly servers: OpenServers;
  readonly conversation: Conversation;
  readonly log: Log;
  /** The server or database behind a node of another product's tree, in the list from then on. @throws Dismissed, Error with one sentence */
  readonly takeUpNode: (node: unknown) => Promise<CommandTarget>;
  /** Starts Add Server: offered where a command has no server to work on. */
  readonly addServer: () => Promise<void>;
}

/** The target of a command; from the palette the only server, or the one that the user chooses. @throws Dismissed, Error with one sentence */
export async function findTarget(context: CommandContext, invoked: unknown, selection: unknown): Promise<CommandTarget> {
  const read = readTarget(invoked, selection);
  if (read.kind === 'target') return read.target;
  if (read.kind === 'foreign') return context.takeUpNode(read.node);
  const servers = context.servers.list.all();
  if (servers.length === 0) return offerToAdd(context, 'There is no server in the Checkpoint Health pane yet: add one first.');
  const [only] = servers;
  if (servers.length === 1 && only !== undefined) return { serverId: only.id, databaseIds: [], group: null };
  const serverId = await context.conversation.chooseOne(
    'Which server?',
    servers.map((server) => ({ value: server.id, label: server.name, description: describeServer(server, servers) })),
  );
  return { serverId, databaseIds: [], group: null };
}

/** Two ways can lead to the same server under the same name. */
function describeServer({ server, way }: ListedServer, among: readonly ListedServer[]): string {
  return among.every((each) => each.way === way) ? server : `${server}, ${hostNames[way]}`;
}

function offerToAdd(context: CommandContext, sentence: string): never {
  context.conversation.offer(sentence, 'Add Server', context.addServer);
  throw new Dismissed();
}

/** The monitor of a server whose facts are known. @throws Error with one sentence where it cannot be reached */
export async function connectTo(context: CommandContext, serverId: string): Promise<ServerMonitor> {
  const { conversation, servers } = context;
  return conversation.showWork(`Connecting to ${servers.snapshot(serverId).label}`, async (signal) => {
    const monitor = await servers.monitor(serverId);
    if (monitor.snapshot.connection === 'not connected') await servers.connect(serverId);
    else if (monitor.snapshot.connection !== 'connected') await monitor.refresh(signal);
    const { connection, failure, facts } = monitor.snapshot;
    if (facts === null || connection === 'failed') throw new Error(failure ?? `${monitor.snapshot.label} did not answer yet; try again.`);
    return monitor;
  });
}
