/** What every command may use, and how a command finds the server that it is about. */
import type { ServerMonitor, ServerSnapshot } from '../../monitor/server-monitor';
import {
  type CommandHandler,
  type CommandTarget,
  Dismissed,
  NotReached,
  targetServer,
} from '../kit/command-table';
import { isRow } from '../tree/row';
import { type Conversation, waitUnless } from '../kit/conversation';
import { nameWay } from '../hosts/host-choice';
import type { Log } from '../kit/log';
import type { OpenServers } from '../servers/open-servers';
import type { ListedServer } from '../servers/server-list';
import type { HostServer } from '../../hosts/host';
import type { ConnectionHosts } from '../hosts/connection-hosts';
import { formatCount } from '../../core/format';
import { joinSentences, t } from '../../core/language';

export interface CommandContext {
  readonly servers: OpenServers;
  readonly conversation: Conversation;
  readonly log: Log;
  /**
   * Finds the server or database behind a node of another product's tree, and puts it in our list.
   * @throws Dismissed, Error with one sentence
   */
  readonly takeUpNode: (node: unknown) => Promise<CommandTarget>;
  /**
   * Whether our own pane or dashboard handed this over. It must be the very object; one that only looks alike is not
   * ours.
   */
  readonly isOwn: (invoked: unknown) => boolean;
  /** Opens the timeline of a server, or brings it to the front. @param databaseId selected in it; null: none */
  readonly showTimeline: (serverId: string, databaseId: number | null) => void;
  /** Starts Add Server. Offered if a command has no server to work on. */
  readonly addServer: () => Promise<void>;
}

export interface PointedTarget {
  readonly target: CommandTarget;
  /**
   * The user pointed at it in our own pane, dashboard or list. Anything else can come from another extension or a link,
   * without the user's knowledge.
   */
  readonly isByUser: boolean;
}

type ReadTarget =
  | { readonly kind: 'target'; readonly target: CommandTarget }
  /** From the command palette: the command still has to ask for the server. */
  | { readonly kind: 'none' }
  /** A node of another product's tree. */
  | { readonly kind: 'foreign'; readonly node: unknown };

/** @param invoked a row, a CommandTarget or what else a menu hands over @param selection the rows selected with it */
export function readTarget(invoked: unknown, selection: unknown): ReadTarget {
  if (invoked === undefined || invoked === null) return { kind: 'none' };
  if (isRow(invoked)) {
    const rows = Array.isArray(selection) && selection.length > 0 ? selection.filter(isRow) : [invoked];
    const ofServer = rows.filter((row) => row.serverId === invoked.serverId);
    const databaseIds =
      invoked.databaseId === null
        ? []
        : ofServer.flatMap((row) => (row.databaseId === null ? [] : [row.databaseId]));
    return {
      kind: 'target',
      target: {
        serverId: invoked.serverId,
        databaseIds,
        group: invoked.kind === 'group' ? invoked.group : null,
      },
    };
  }
  return isCommandTarget(invoked) ? { kind: 'target', target: invoked } : { kind: 'foreign', node: invoked };
}

function isCommandTarget(invoked: unknown): invoked is CommandTarget {
  if (typeof invoked !== 'object' || invoked === null) return false;
  const target = invoked as Partial<CommandTarget>;
  return (
    typeof target.serverId === 'string' &&
    Array.isArray(target.databaseIds) &&
    target.databaseIds.every(Number.isInteger)
  );
}

/**
 * The target of a command. From the palette it is the only server, or the one that the user chooses.
 * @throws Dismissed, Error with one sentence
 */
export async function findTarget(
  context: CommandContext,
  invoked: unknown,
  selection: unknown,
): Promise<CommandTarget> {
  return (await findPointedAt(context, invoked, selection)).target;
}

/** A command that first finds its target. */
export function onTarget(
  context: CommandContext,
  act: (target: CommandTarget) => Promise<void>,
): CommandHandler {
  return async (invoked, selection) => act(await findTarget(context, invoked, selection));
}

/** The same, for a command that asks first unless the user surely pointed at its target. */
export function onPointedAt(
  context: CommandContext,
  act: (pointed: PointedTarget) => Promise<void>,
): CommandHandler {
  return async (invoked, selection) => act(await findPointedAt(context, invoked, selection));
}

/** As `findTarget`, and whether the user surely pointed at it. @throws Dismissed, Error with one sentence */
async function findPointedAt(
  context: CommandContext,
  invoked: unknown,
  selection: unknown,
): Promise<PointedTarget> {
  const read = readTarget(invoked, selection);
  if (read.kind === 'target') return { target: read.target, isByUser: context.isOwn(invoked) };
  if (read.kind === 'foreign') return { target: await context.takeUpNode(read.node), isByUser: false };
  const servers = context.servers.list.all();
  if (servers.length === 0)
    return offerToAdd(context, t('The Checkpoint Health pane has no server yet. Add one first.'));
  const [only] = servers;
  if (servers.length === 1 && only !== undefined) return { target: targetServer(only.id), isByUser: false };
  const labels = context.servers.list.labels();
  const serverId = await context.conversation.chooseOne(
    t('Which server?'),
    servers.map((server) => ({
      value: server.id,
      label: labels.get(server.id) ?? server.name,
      description: describeServer(server, servers),
    })),
  );
  return { target: targetServer(serverId), isByUser: true };
}

/** What a command is about to do to a server. */
export interface Deed {
  /** @param server its name and address */
  readonly ask: (server: string) => string;
  readonly detail: string;
  readonly button: string;
}

const FROM_OUTSIDE = t(
  "The request did not come from the Checkpoint Health pane or dashboard. It came from the command palette, a key, another product's menu, a link or another extension.",
);

/** Asks before a server is changed, unless the user has just pointed at it. @throws Dismissed */
export async function confirmDeed(
  context: CommandContext,
  { target, isByUser }: PointedTarget,
  { ask, detail, button }: Deed,
): Promise<void> {
  if (isByUser) return;
  await context.conversation.confirm(
    ask(nameWithAddress(context, target.serverId)),
    joinSentences(detail, FROM_OUTSIDE),
    button,
  );
}

/** "Production 7 (sql07,1433)". @throws Error if the server is no longer in the list */
export function nameWithAddress({ servers }: CommandContext, serverId: string): string {
  const { label } = servers.snapshot(serverId);
  const address = servers.list.find(serverId)?.server ?? label;
  return address === label ? label : `${label} (${address})`;
}

/** Names the way too if the servers are reached in different ways: two ways can lead to one server under one name. */
function describeServer({ server, way }: ListedServer, among: readonly ListedServer[]): string {
  return among.every((each) => each.way === way) ? server : `${server}, ${nameWay(way)}`;
}

function offerToAdd(context: CommandContext, sentence: string): never {
  context.conversation.offer(sentence, t('Add Server'), context.addServer);
  throw new Dismissed();
}

/**
 * Asks before we log in again after a refused login. Anything can run a command, and refused logins lock accounts.
 * @throws Dismissed
 */
export async function askToLogIn(
  { conversation }: CommandContext,
  refused: readonly ServerSnapshot[],
): Promise<void> {
  const [first] = refused;
  if (first === undefined) return;
  const { label } = first;
  const others = refused.length - 1;
  const question =
    others === 0
      ? t('Log in to {0} again?', label)
      : t('Log in to {0} and {1} more again?', label, formatCount(others));
  const detail = joinSentences(first.standing?.sentence ?? '', t('Refused logins can lock the account.'));
  await conversation.confirm(question, detail, t('Log In Again'));
}

/**
 * The server's monitor, once it was tried to connect. Why it is not connected is in its snapshot.
 * @throws Dismissed if the user waits no longer
 */
export function tryToConnect(context: CommandContext, serverId: string): Promise<ServerMonitor> {
  const { conversation, servers } = context;
  return conversation.showWork(t('Connecting to {0}', servers.snapshot(serverId).label), (signal) =>
    waitUnless(
      signal,
      servers.connect(serverId, (refused) => askToLogIn(context, [refused]), signal),
    ),
  );
}

/** The monitor of a server whose facts are known. @throws Dismissed, NotReached */
export async function connectTo(context: CommandContext, serverId: string): Promise<ServerMonitor> {
  const monitor = await tryToConnect(context, serverId);
  const { connection, failure, facts } = monitor.snapshot;
  if (facts === null || connection === 'failed')
    throw new NotReached(failure ?? t('{0} has not answered yet.', monitor.snapshot.label), serverId);
  return monitor;
}

interface ForeignNodes {
  readonly hosts: Pick<ConnectionHosts, 'readTarget'>;
  /** Offers the other ways to this server. */
  readonly connectAnotherWay: (server: HostServer) => Promise<void>;
  /** Shows the server's row. */
  readonly reveal: (serverId: string) => void;
}

/**
 * Turns a node of another product's tree into the target of a command.
 * @throws Dismissed if its connection cannot be used and another way was offered; Error with one sentence
 */
export async function takeUpNode(
  context: CommandContext,
  nodes: ForeignNodes,
  node: unknown,
): Promise<CommandTarget> {
  const found = nodes.hosts.readTarget(node);
  if (found === null)
    throw new Error(
      t(
        'This is not a SQL Server or one of its databases. Choose another node, or add the server in the Checkpoint Health pane.',
      ),
    );
  const { server, databaseName } = found.pointedAt;
  // A server that our own driver has taken over no longer needs that product.
  if (context.servers.list.find(server.id)?.way !== 'own') {
    const obstacle = await found.host.findObstacle();
    if (obstacle !== null) {
      context.conversation.offer(obstacle, t('Connect Another Way…'), () => nodes.connectAnotherWay(server));
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

/** Compares names as they are written. If none is equal, ignores case, provided that only one is left. */
async function findDatabase(context: CommandContext, serverId: string, name: string): Promise<number> {
  const { snapshot } = await connectTo(context, serverId);
  const databases = snapshot.facts?.databases ?? [];
  const alike = databases.filter((database) => database.name.toLowerCase() === name.toLowerCase());
  const found =
    databases.find((database) => database.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
  if (found === undefined)
    throw new Error(
      t('Database {0} is no longer on {1}, or this login may not see it.', name, snapshot.label),
    );
  return found.databaseId;
}
