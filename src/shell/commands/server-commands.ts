/** Add, edit, remove and refresh servers. */
import { randomUUID } from 'node:crypto';
import { joinSentences, t } from '../../core/language';
import { askToLogIn, type CommandContext, onTarget, readTarget, tryToConnect } from './command-context';
import type { ServerMonitor, ServerSnapshot } from '../../monitor/server-monitor';
import { Dismissed, NotReached, type CommandTable } from '../kit/command-table';
import { type HostServer, takesPassword } from '../../hosts/host';
import { explainForbidden, type ConnectionRules } from '../../gate/connection-rules';
import { mayTakeToken, readHost } from '../../gate/address';
import { type SavedServer, findTwin, nameAddress, nameLoginPlace } from '../servers/saved-server';
import { type FormInput, TRUST_DETAIL } from '../servers/server-questions';
import { answersOf, describeAnswers, newAnswers, type ServerAnswers } from '../servers/server-answers';
import { type AskedServer, askServer } from '../servers/server-form';
import type { ServerPasswords } from '../servers/server-passwords';
import type { CertificateChange } from '../servers/trusted-certificates';

export interface ServerForm {
  readonly input: FormInput;
  /** Why this is no server address, as one sentence; null if it is one. */
  readonly checkAddress: (server: string) => string | null;
  /** The rules that the settings contain now. */
  readonly rules: () => ConnectionRules;
  /** See FormRules. */
  readonly isWindows: boolean;
  readonly passwords: Pick<ServerPasswords, 'takeIn'>;
  /** Shows a server's row in the pane. Opened, it connects; closed, it does not. */
  readonly reveal: (serverId: string, isOpened: boolean) => Promise<void>;
  readonly showDashboard: (serverId: string, databaseId: number | null) => void;
}

export function createServerCommands(context: CommandContext, form: ServerForm) {
  return {
    openServer: onTarget(context, async ({ serverId, databaseIds }) => {
      // The pane may be only six rows high, so the dashboard is the place to read.
      form.showDashboard(serverId, databaseIds[0] ?? null);
      await openServer(context, form, serverId);
    }),
    addServer: () =>
      askAndSave(context, form, { title: t('Add Server'), answers: newAnswers, isEdit: false }, undefined),
    editServer: onTarget(context, ({ serverId }) => editServer(context, form, serverId)),
    removeServer: onTarget(context, ({ serverId }) => removeServer(context, serverId)),
    refresh: (invoked, selection) => refresh(context, invoked, selection),
  } satisfies Partial<CommandTable>;
}

async function editServer(context: CommandContext, form: ServerForm, serverId: string): Promise<void> {
  const saved = context.servers.saved.find(serverId);
  if (saved === undefined)
    throw new Error(t('This server was not added here. Change its connection where it comes from.'));
  await askAndSave(
    context,
    form,
    { title: t('Edit {0}', saved.name), answers: answersOf(saved), isEdit: true },
    serverId,
  );
}

/**
 * @param serverId the server that gets the answers; undefined: a new one, or one in the list at the same place with the
 * same login
 */
async function askAndSave(
  context: CommandContext,
  form: ServerForm,
  asked: AskedServer,
  serverId: string | undefined,
): Promise<void> {
  const answers = await askAnswers(form, asked);
  const twin =
    serverId === undefined ? findTwin(context.servers.saved.list(), describeAnswers(answers, '')) : undefined;
  const all = twin === undefined ? answers : { ...answersOf(twin), ...answers, name: twin.name };
  const server = await keepServer(context, form, all, serverId ?? twin?.id ?? randomUUID());
  await openServer(context, form, server.id).catch(async (error: unknown) => {
    const { standing } = context.servers.snapshot(server.id);
    if (standing?.kind !== 'certificate' || !mayTrust(server, form.rules(), false)) throw error;
    await trustCertificate(context, form.rules, server, null);
    await openServer(context, form, server.id);
  });
}

/** @throws Dismissed */
export async function askAnswers(form: ServerForm, asked: AskedServer): Promise<ServerAnswers> {
  const { checkAddress, rules, isWindows } = form;
  const answers = await askServer(form.input, asked, { checkAddress, rules: rules(), isWindows });
  if (answers === undefined) throw new Dismissed();
  return answers;
}

/**
 * Puts a server with these answers into the list, or changes the one with that id. Connects to nothing.
 * @throws Dismissed, Error with one sentence
 */
export async function keepServer(
  context: CommandContext,
  form: ServerForm,
  answers: ServerAnswers,
  id: string,
): Promise<SavedServer> {
  const described = describeAnswers(answers, id);
  const complaint = explainForbidden(described, form.rules());
  if (complaint !== null) throw new Error(complaint);
  const server = await confirmTokenHost(context, described);
  await form.passwords.takeIn(server, answers.password);
  await context.servers.save(server);
  return server;
}

/**
 * A token opens more than one server. If it would go to a host that is not Azure's, asks the user once for each
 * address.
 * @throws Dismissed
 */
async function confirmTokenHost({ conversation }: CommandContext, server: SavedServer): Promise<SavedServer> {
  if (server.authentication !== 'entra' || mayTakeToken(server)) return server;
  const host = readHost(server.server);
  await conversation.confirm(
    t('Send Microsoft Entra tokens to {0}?', host),
    explainTokenHost(host),
    t('Send Tokens'),
  );
  return { ...server, tokenHost: host };
}

export function explainTokenHost(host: string): string {
  return t(
    '{0} is not an Azure host. A token for Azure SQL is sent to it. The people who run {0} can use your databases in Azure with that token for about an hour. That is right only for your own SQL Server 2022 or later that is set up for Microsoft Entra.',
    host,
  );
}

/**
 * Connects by our own driver to a server that another product's connection led to, and asks only for what is not known
 * of it: at most its password, if the login is. The server keeps its id, and so its captures.
 * @param known what that product's settings have of it; not used if it is for another address
 */
export async function connectDirectly(
  context: CommandContext,
  form: ServerForm,
  { id, name, server, user }: HostServer,
  known: ServerAnswers = newAnswers,
): Promise<void> {
  const isSame = nameAddress(known) === nameAddress({ server });
  const answers = { ...(isSame ? known : { ...newAnswers, user: user ?? '' }), name, server };
  await askAndSave(context, form, { title: t('Connect to {0}', name), answers, isEdit: false }, id);
}

/**
 * Shows the server and connects. A failure is in its row, and is told once. Reveals the row twice: at once, to show
 * that it connects, and again when it has rows under it. If a row is redrawn while it is being revealed, it stays
 * closed.
 */
async function openServer(context: CommandContext, form: ServerForm, serverId: string): Promise<void> {
  const [monitor] = await Promise.all([tryToConnect(context, serverId), form.reveal(serverId, true)]);
  await form.reveal(serverId, true);
  const { failure } = monitor.snapshot;
  if (failure !== null) throw new NotReached(failure, serverId);
}

const CHANGED = t('What is stored for this server has changed in the meantime. Connect again.');

/**
 * Whether the user may still choose to accept what certificate this server shows.
 * @param isNext instead of one that was accepted before
 */
export function mayTrust(server: SavedServer, rules: ConnectionRules, isNext: boolean): boolean {
  const trusting = describeAnswers({ ...answersOf(server), trustServerCertificate: true }, server.id);
  return (
    server.trustServerCertificate === isNext &&
    trusting.trustServerCertificate &&
    explainForbidden(trusting, rules) === null
  );
}

/**
 * Accepts the certificate that the server shows, if the user does and may, which is asked again after the question. The
 * caller connects again.
 * @param change it is another than the remembered one; null: the first one is accepted
 * @throws Dismissed, Error with one sentence
 */
export async function trustCertificate(
  { servers, conversation }: CommandContext,
  rules: () => ConnectionRules,
  server: SavedServer,
  change: CertificateChange | null,
): Promise<void> {
  const check = (): SavedServer => {
    const now = servers.saved.find(server.id);
    const isSame =
      now?.trustedCertificate === change?.was && now && nameLoginPlace(now) === nameLoginPlace(server);
    if (!isSame || !mayTrust(now, rules(), change !== null)) throw new Error(CHANGED);
    return now;
  };
  const { name } = check();
  if (change === null) {
    await conversation.confirm(
      t('Trust the certificate of {0}?', name),
      TRUST_DETAIL,
      t('Trust the Certificate'),
    );
    return servers.save({ ...check(), trustServerCertificate: true });
  }
  const detail = [
    t('Remembered: {0}', change.was),
    t('Shown now: {0}', change.is),
    '',
    t(
      'SQL Server makes itself a new certificate at each start, unless one is installed. An attacker in between would look the same. Compare the fingerprint with the one on the server if you can.',
    ),
  ];
  await conversation.confirm(
    t('Trust the new certificate of {0}?', name),
    detail,
    t('Trust the New Certificate'),
  );
  return servers.saved.keepTrusted(check().id, change.is);
}

async function removeServer(context: CommandContext, serverId: string): Promise<void> {
  const { label, tracking } = context.servers.snapshot(serverId);
  if (context.servers.list.ownership(serverId) === 'host')
    throw new Error(
      t(
        '{0} is a connection of another product. It is listed as long as it is saved there. Remove it where it comes from.',
        label,
      ),
    );
  const kept = context.servers.saved.find(serverId);
  const isStored = kept !== undefined && takesPassword(kept) && kept.asksPassword !== true;
  const detail = joinSentences(
    isStored ? t('Its stored password is deleted.') : '',
    t('Nothing changes on the server.'),
    tracking.state === 'tracking'
      ? t('Its event session keeps running on the server. To end it, stop tracking first.')
      : '',
  );
  await context.conversation.confirm(t('Remove {0} from the list?', label), detail, t('Remove'));
  await context.servers.remove(serverId);
}

/**
 * Refreshes one server, or every server that was opened. Does not ask the user to open one of which nothing is known
 * yet: that takes a click of its own.
 */
async function refresh(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const read = readTarget(invoked, selection);
  const tried = context.servers.snapshots().filter(({ connection }) => connection !== 'not connected');
  const opened = tried.filter(({ facts }) => facts !== null).map(({ id }) => id);
  const serverIds = read.kind === 'target' ? [read.target.serverId] : opened;
  const isMissed = ({ facts, connection, standing }: ServerSnapshot): boolean =>
    facts === null && connection === 'failed' && (standing === null || standing.kind === 'unreachable');
  const missed = read.kind === 'target' ? [] : tried.filter(isMissed);
  if (!context.isOwn(invoked)) {
    const refused = serverIds
      .map((id) => context.servers.snapshot(id))
      .filter(({ standing }) => standing?.kind === 'refused');
    await askToLogIn(context, refused);
  }
  const failures = await context.conversation.showWork(t('Reading the facts'), (signal) =>
    Promise.all([
      ...serverIds.map((id) => readOne(context, id, (monitor) => monitor.refresh(signal))),
      ...missed.map(({ id }) => readOne(context, id, (monitor) => monitor.look('now'))),
    ]),
  );
  const [first] = failures.filter((failure) => failure !== null);
  if (first === undefined || first === null) return;
  throw read.kind === 'target' ? new NotReached(first, read.target.serverId) : new Error(first);
}

async function readOne(
  context: CommandContext,
  serverId: string,
  read: (monitor: ServerMonitor) => Promise<void>,
): Promise<string | null> {
  context.servers.part(serverId);
  const monitor = await context.servers.monitor(serverId);
  await read(monitor);
  return context.servers.snapshot(serverId).failure;
}
