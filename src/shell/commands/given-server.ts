/** The `addServer` that other extensions get. The user is asked each time, and nothing that the user has set up becomes less safe by it. */
import { randomUUID } from 'node:crypto';
import type { CommandContext } from './command-context';
import { Dismissed } from '../kit/command-table';
import { type AddedServer, readAddedServer, type ReadServer } from '../servers/added-server';
import { explainForbidden } from '../servers/connection-rules';
import { type SavedServer, describeLogin, findTwin, mayTakeToken, readHost, writeAddress } from '../servers/saved-server';
import { explainTokenHost, type ServerForm } from './server-commands';

type Described = Omit<SavedServer, 'id'>;
type Setting = readonly [name: string, value: string];

/**
 * Adds the server once the user has allowed it; connects to nothing. One that is in the list with the same settings stays as it is, unasked.
 * @returns its id @throws Error with one sentence
 */
export async function addGivenServer(context: CommandContext, form: ServerForm, argument: AddedServer): Promise<string> {
  const given = readAddedServer(argument);
  if (given.password !== undefined) context.log.hide(given.password);
  const complaint = form.checkAddress(given.server.server) ?? explainForbidden(given.server, form.rules());
  if (complaint !== null) throw new Error(complaint);
  const twin = findTwin(context.servers.saved.list(), given.server);
  // The address and what only the user can set stay as they are.
  const server = twin === undefined ? given.server : { ...twin, ...pickSettings(given.server) };
  if (twin !== undefined && listChanges(twin, server).length === 0) return twin.id;
  const added = await ask(context, form, { ...given, server }, twin);
  await form.passwords.takeIn(added, given.password);
  await context.servers.save(added);
  await form.reveal(added.id, false);
  return added.id;
}

function pickSettings({ name, encrypt, trustServerCertificate, hostNameInCertificate }: Described): Partial<SavedServer> {
  return { name, encrypt, trustServerCertificate, hostNameInCertificate };
}

/** @returns what the user allowed @throws Error where they did not, or where it would weaken what they set up */
async function ask(context: CommandContext, form: ServerForm, given: ReadServer, twin: SavedServer | undefined): Promise<SavedServer> {
  const { server, password } = given;
  if (twin !== undefined && isWeaker(twin, server))
    throw new Error(`addServer would make the connection to ${twin.name} less safe than you set it up: change it yourself in Edit Server.`);
  const who = given.caller === undefined ? 'Another extension' : `An extension that calls itself "${given.caller}"`;
  const verb = twin === undefined ? 'Add' : 'Change';
  const question = twin === undefined ? `${who} wants to add a server.` : `${who} wants to change the server ${twin.name}.`;
  const detail = [...describe(server, twin), ...describePassword(password), ...describeToken(server)];
  const keep = `${verb} and Keep the Password` as const;
  const plain = password === undefined ? (`${verb} Server` as const) : verb;
  const canKeep = password !== undefined && form.rules().allowStoredPasswords;
  const pressed = await context.conversation.confirm(question, detail, ...(canKeep ? [keep, plain] : [plain])).catch((error: unknown) => {
    throw error instanceof Dismissed ? new Error('addServer: the user did not allow it.') : error;
  });
  return {
    ...server,
    id: twin?.id ?? randomUUID(),
    ...(password !== undefined && { asksPassword: pressed === keep ? undefined : true }),
    ...(server.authentication === 'entra' && !mayTakeToken(server) && { tokenHost: readHost(server.server) }),
  };
}

/** The whole server, or of one in the list what would be another thing. */
function describe(server: Described, twin: SavedServer | undefined): readonly string[] {
  if (twin === undefined) return listSettings(server).map(([name, value]) => `${name}: ${value}`);
  return listChanges(twin, server).map(([name, before, after]) => `${name}: ${after} (now: ${before})`);
}

function describePassword(password: string | undefined): readonly string[] {
  return password === undefined ? [] : ['', 'It gave a password for this login.'];
}

function describeToken({ authentication, server, tokenHost }: Described): readonly string[] {
  return authentication !== 'entra' || mayTakeToken({ server, tokenHost }) ? [] : ['', explainTokenHost(readHost(server))];
}

function listSettings(server: Described): readonly Setting[] {
  const { name, authentication, user, tenant, database, encrypt, trustServerCertificate, hostNameInCertificate } = server;
  const kinds = { sql: 'SQL Login', windows: 'Windows Login (NTLM)', entra: 'Microsoft Entra' } as const;
  return [
    ['Name', name],
    ['Address', writeAddress(server)],
    ['Kind of login', kinds[authentication]],
    ['Login', authentication === 'entra' ? describeLogin(server) : user],
    ...(tenant === undefined ? [] : [['Tenant', tenant] as const]),
    ['Database', database ?? "the login's default"],
    ['Encryption', encrypt === 'strict' ? 'Strict' : 'Mandatory'],
    ['Certificate', trustServerCertificate ? 'the one that the server shows first is trusted, whoever made it' : 'checked'],
    ['Name in the certificate', hostNameInCertificate ?? 'that of the address'],
  ];
}

function listChanges(before: Described, after: Described): readonly (readonly [name: string, before: string, after: string])[] {
  const now = new Map(listSettings(before));
  return listSettings(after).flatMap(([name, value]) => (now.get(name) === value ? [] : [[name, now.get(name) ?? '', value] as const]));
}

/** Less encryption, a certificate that is checked no more, or one that is made out to another name. */
function isWeaker(before: Described, after: Described): boolean {
  const nameIn = ({ hostNameInCertificate, server }: Described): string => hostNameInCertificate?.toLowerCase() ?? readHost(server);
  return (
    (before.encrypt === 'strict' && after.encrypt !== 'strict') ||
    (!before.trustServerCertificate && after.trustServerCertificate) ||
    nameIn(before) !== nameIn(after)
  );
}
