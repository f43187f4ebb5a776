/** Add, edit, remove and refresh servers. */
import { randomUUID } from 'node:crypto';
import { type AddedServer, findSameServer, readAddedServer } from './added-server';
import { type CommandContext, findTarget } from '../command-context';
import { readTarget } from '../command-target';
import { Dismissed, type CommandTable } from '../commands';
import type { HostServer } from '../../hosts/host';
import type { SavedServer } from './saved-servers';
import type { FormInput } from './form-question';
import { answersOf, describeAnswers, findTwin, newAnswers, type ServerAnswers } from './server-answers';
import { type AskedServer, askServer } from './server-form';

export interface ServerForm {
  readonly input: FormInput;
  /** Why this is no server address, as one sentence; null where it is one. */
  readonly checkAddress: (server: string) => string | null;
  /** Shows a server's row in the pane, opened. */
  readonly reveal: (serverId: string) => Promise<void>;
}

type ServerCommands = Pick<CommandTable, 'openServer' | 'addServer' | 'editServer' | 'removeServer' | 'refresh'>;

export function createServerCommands(context: CommandContext, form: ServerForm): ServerCommands {
  return {
    openServer: async (target, selection) => openServer(context, form, (await findTarget(context, target, selection)).serverId),
    addServer: () => askAndSave(context, form, { title: 'Add Server', answers: newAnswers, isEdit: false }, undefined),
    editServer: (target, selection) => editServer(context, form, target, selection),
    removeServer: (target, selection) => removeServer(context, target, selection),
    refresh: (target, selection) => refresh(context, target, selection),
  };
}

async function editServer(context: CommandContext, form: ServerForm, invoked: unknown, selection: unknown): Promise<void> {
  const { serverId } = await findTarget(context, invoked, selection);
  const saved = context.servers.saved.find(serverId);
  if (saved === undefined) throw new Error('This server is not one that was added here: change its connection where it comes from.');
  await askAndSave(context, form, { title: `Edit ${saved.name}`, answers: answersOf(saved), isEdit: true }, serverId);
}

/** @param serverId of the server that takes the answers; undefined: a new one, unless it is in the list already */
async function askAndSave(context: CommandContext, form: ServerForm, asked: AskedServer, serverId: string | undefined): Promise<void> {
  const answers = await askServer(form.input, asked, form.checkAddress);
  if (answers === undefined) throw new Dismissed();
  const { password } = answers;
  const server = describeAnswers(answers, serverId ?? findKnown(context, answers) ?? randomUUID());
  if (password !== undefined) context.log.hide(password);
  await context.servers.save(server, password);
  await openServer(context, form, server.id);
}

/**
 * Asks for a login of our own to a server that another product's connection led to. It keeps its id, so what was captured stays with it, and a session that
 * runs on it is taken up again.
 */
export async function connectDirectly(context: CommandContext, form: ServerForm, { id, name, server, user }: HostServer): Promise<void> {
  const answers = { ...newAnswers, name, server, user: user ?? '' };
  await askAndSave(context, form, { title: `Connect to ${name}`, answers, isEdit: false }, id);
}

/** Adding a server of the list again changes it. */
function findKnown(context: CommandContext, answers: ServerAnswers): string | undefined {
  return findTwin(context.servers.saved.list(), describeAnswers(answers, ''))?.id;
}

/** Shows the server and connects; what fails is in its row, and told once. */
async function openServer(context: CommandContext, form: ServerForm, serverId: string): Promise<void> {
  const failure = await connectAndReveal(context, form, serverId);
  if (failure !== null) throw new Error(failure);
}

/**
 * Reveals twice: at once, so that the row shows that it connects, and again when there is something under it, because a row that is drawn anew while it is
 * being revealed stays closed. @returns why it could not connect
 */
async function connectAndReveal(context: CommandContext, form: ServerForm, serverId: string): Promise<string | null> {
  const [monitor] = await Promise.all([context.servers.connect(serverId), form.reveal(serverId)]);
  await form.reveal(serverId);
  return monitor.snapshot.failure;
}

/** The `addServer` that other extensions get: no questions asked. Adding a server again changes it. @returns its id @throws Error with one sentence */
export async function addGivenServer(context: CommandContext, form: ServerForm, argument: AddedServer): Promise<string> {
  const { server, password } = readAddedServer(argument);
  const complaint = form.checkAddress(server.server);
  if (complaint !== null) throw new Error(complaint);
  const same = findSameServer(context.servers.saved.list(), server);
  const added = { ...server, id: same?.id ?? randomUUID() };
  if (password !== undefined) context.log.hide(password);
  // Whoever adds it again at every start must not end what is going on there.
  if (same === undefined || !(await isKept(context, added, same, password))) await context.servers.save(added, password);
  await form.reveal(added.id);
  return added.id;
}

async function isKept(context: CommandContext, added: SavedServer, same: SavedServer, password: string | undefined): Promise<boolean> {
  const keys = ['encrypt', 'trustServerCertificate', 'tenant', 'database', 'hostNameInCertificate'] as const;
  if (keys.some((key) => added[key] !== same[key])) return false;
  return (await context.servers.saved.password(same.id)) === password;
}

async function removeServer(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const { serverId } = await findTarget(context, invoked, selection);
  const { label, tracking } = context.servers.snapshot(serverId);
  if (context.servers.list.ownership(serverId) === 'host')
    throw new Error(
      `${label} is a connection of another product, which lists it as long as it is saved there: remove it where it comes from.`,
    );
  const kept = context.servers.saved.find(serverId);
  const secret = kept === undefined || kept.authentication === 'entra' ? '' : 'Its stored password is deleted. ';
  const running = tracking.state === 'tracking' ? ' Its event session goes on running on the server: stop tracking first to end it.' : '';
  await context.conversation.confirm(`Remove ${label} from the list?`, `${secret}Nothing changes on the server.${running}`, 'Remove');
  await context.servers.remove(serverId);
}

/** One server, or every server that was opened. */
async function refresh(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const read = readTarget(invoked, selection);
  const opened = context.servers.snapshots().filter((server) => server.connection !== 'not connected');
  const serverIds = read.kind === 'target' ? [read.target.serverId] : opened.map((server) => server.id);
  const failures = await context.conversation.showWork('Reading the facts', (signal) =>
    Promise.all(serverIds.map((id) => refreshOne(context, id, signal))),
  );
  const [first] = failures.filter((failure) => failure !== null);
  if (first !== undefined && first !== null) throw new Error(first);
}

async function refreshOne(context: CommandContext, serverId: string, signal: AbortSignal): Promise<string | null> {
  const monitor = await context.servers.monitor(serverId);
  await monitor.refresh(signal);
  return monitor.snapshot.failure;
}
