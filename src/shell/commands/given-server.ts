/** `addServer` for other extensions. It asks the user each time, and never makes a server of the user less safe. */
import { randomUUID } from 'node:crypto';
import { t } from '../../core/language';
import type { CommandContext } from './command-context';
import { Dismissed } from '../kit/command-table';
import { explainForbidden } from '../../gate/connection-rules';
import { isWindowsLogin, mayTakeToken, readHost } from '../../gate/address';
import {
  type SavedServer,
  findTwin,
  writeAddress,
  isAuthentication,
  isEncryption,
} from '../servers/saved-server';
import { explainTokenHost, type ServerForm } from './server-commands';
import { KINDS } from '../servers/server-questions';
import { makeVisible } from '../../core/visible';
import { type Authentication, describeLogin, type Encryption, takesPassword } from '../../hosts/host';

type Described = Omit<SavedServer, 'id'>;
type Setting = readonly [name: string, value: string];

/**
 * Adds the server once the user has allowed it; connects to nothing. If it is in the list with the same settings, it
 * stays as it is and the user is not asked.
 * @returns its id
 * @throws Error with one sentence
 */
export async function addGivenServer(
  context: CommandContext,
  form: ServerForm,
  argument: AddedServer,
): Promise<string> {
  const given = readAddedServer(argument);
  if (given.password !== undefined) context.log.hide(given.password);
  const complaint = form.checkAddress(given.server.server) ?? explainForbidden(given.server, form.rules());
  if (complaint !== null) throw new Error(complaint);
  const twin = findTwin(context.servers.saved.list(), given.server);
  // A server in the list keeps its address, and what only the user can set.
  const { name, encrypt, trustServerCertificate, hostNameInCertificate } = given.server;
  const settings = { name, encrypt, trustServerCertificate, hostNameInCertificate };
  const server = twin === undefined ? given.server : { ...twin, ...settings };
  if (twin !== undefined && listChanges(twin, server).length === 0) return twin.id;
  const added = await ask(context, form, { ...given, server }, twin);
  await form.passwords.takeIn(added, given.password);
  await context.servers.save(added);
  await form.reveal(added.id, false);
  return added.id;
}

/**
 * @returns the server as the user allowed it
 * @throws Error if the user did not allow it, or if it would be less safe than the user set it up
 */
async function ask(
  context: CommandContext,
  form: ServerForm,
  given: ReadServer,
  twin: SavedServer | undefined,
): Promise<SavedServer> {
  const { server, password } = given;
  if (twin !== undefined && isWeaker(twin, server))
    throw new Error(
      t(
        'addServer would make the connection to {0} less safe than you set it up. Change it yourself with Edit Server.',
        twin.name,
      ),
    );
  const detail = [
    ...describe(server, twin),
    ...(password === undefined ? [] : ['', t('It supplied a password for this login.')]),
    ...describeToken(server),
  ];
  const { keep, plain } = nameButtons(twin === undefined, password !== undefined);
  const canKeep = password !== undefined && form.rules().allowStoredPasswords;
  const asked = context.conversation.confirm(
    tellWish(given.caller, twin),
    detail,
    ...(canKeep ? [keep, plain] : [plain]),
  );
  const pressed = await asked.catch((error: unknown) => {
    throw error instanceof Dismissed ? new Error('addServer: the user did not allow it.') : error;
  });
  return {
    ...server,
    id: twin?.id ?? randomUUID(),
    ...(password !== undefined && { asksPassword: pressed === keep ? undefined : true }),
    ...(server.authentication === 'entra' && !mayTakeToken(server) && { tokenHost: readHost(server.server) }),
  };
}

function tellWish(caller: string | undefined, twin: SavedServer | undefined): string {
  if (twin === undefined)
    return caller === undefined
      ? t('Another extension wants to add a server.')
      : t('An extension that calls itself "{0}" wants to add a server.', caller);
  return caller === undefined
    ? t('Another extension wants to change the server {0}.', twin.name)
    : t('An extension that calls itself "{0}" wants to change the server {1}.', caller, twin.name);
}

function nameButtons(
  isNew: boolean,
  hasPassword: boolean,
): { readonly keep: string; readonly plain: string } {
  if (isNew) return { keep: t('Add and Keep the Password'), plain: hasPassword ? t('Add') : t('Add Server') };
  return { keep: t('Change and Keep the Password'), plain: hasPassword ? t('Change') : t('Change Server') };
}

/** All settings of a new server; of one in the list only those that would change. */
function describe(server: Described, twin: SavedServer | undefined): readonly string[] {
  if (twin === undefined) return listSettings(server).map(([name, value]) => `${name}: ${value}`);
  return listChanges(twin, server).map(([name, before, after]) =>
    t('{0}: {1} (now: {2})', name, after, before),
  );
}

function describeToken({ authentication, server, tokenHost }: Described): readonly string[] {
  return authentication !== 'entra' || mayTakeToken({ server, tokenHost })
    ? []
    : ['', explainTokenHost(readHost(server))];
}

function listSettings(server: Described): readonly Setting[] {
  return [
    [t('Name'), server.name],
    [t('Address'), writeAddress(server)],
    [t('Kind of login'), KINDS[server.authentication].label],
    [t('Login'), takesPassword(server) ? server.user : describeLogin(server)],
    ...(server.tenant === undefined ? [] : [[t('Tenant'), server.tenant] as const]),
    [t('Database'), server.database ?? t("the login's default")],
    [t('Encryption'), server.encrypt === 'strict' ? t('Strict') : t('Mandatory')],
    [
      t('Certificate'),
      server.trustServerCertificate
        ? t('the first one that the server shows is trusted, no matter who issued it')
        : t('checked'),
    ],
    [t('Name in the certificate'), server.hostNameInCertificate ?? t('same as in the address')],
  ];
}

function listChanges(
  before: Described,
  after: Described,
): readonly (readonly [name: string, before: string, after: string])[] {
  const now = new Map(listSettings(before));
  return listSettings(after).flatMap(([name, value]) =>
    now.get(name) === value ? [] : [[name, now.get(name) ?? '', value] as const],
  );
}

/** Less encryption, a certificate that is no longer checked, or a certificate for another name. */
function isWeaker(before: Described, after: Described): boolean {
  const nameIn = ({ hostNameInCertificate, server }: Described): string =>
    hostNameInCertificate?.toLowerCase() ?? readHost(server);
  return (
    (before.encrypt === 'strict' && after.encrypt !== 'strict') ||
    (!before.trustServerCertificate && after.trustServerCertificate) ||
    nameIn(before) !== nameIn(after)
  );
}

/** A server as other extensions describe it. The user decides whether to add it, and whether to store its password. */
export interface AddedServer {
  /** Who asks, as shown to the user; it is not checked. */
  readonly caller?: string;
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  /** `sql` if left out. `windows` means NTLM, `integrated` the user's own login; with `entra` the editor signs in. */
  readonly authentication?: Authentication;
  /**
   * SQL login; `DOMAIN\user`, or the user of `domain`; left out for `integrated`; for `entra` the account, or left out.
   */
  readonly user?: string;
  readonly domain?: string;
  /** Not for `integrated` and `entra`. */
  readonly password?: string;
  /** For `entra`: id or domain of the tenant. */
  readonly tenant?: string;
  readonly database?: string;
  /** true means mandatory. */
  readonly encrypt: Encryption | true;
  /** Accepts the first certificate that the server shows, and no other later. Not for `entra`. */
  readonly trustServerCertificate: boolean;
  /** The name that the certificate must have, if it differs from that of the address. */
  readonly hostNameInCertificate?: string;
}

interface ReadServer {
  readonly caller: string | undefined;
  /** Has no id yet. */
  readonly server: Omit<SavedServer, 'id'>;
  /** undefined for a login without one. */
  readonly password: string | undefined;
}

/** Checks the argument. @throws Error with one sentence that names the field */
export function readAddedServer(argument: unknown): ReadServer {
  if (typeof argument !== 'object' || argument === null)
    throw new Error('addServer takes one object that describes the server.');
  const fields = argument as Record<string, unknown>;
  const port = readPort(fields['port']);
  const authentication = readAuthentication(fields['authentication']);
  const encrypt = readEncryption(fields['encrypt']);
  return {
    caller: readOptionalText(fields, 'caller')['caller'],
    server: {
      name: readText(fields, 'name'),
      server: readText(fields, 'server'),
      ...(port === undefined ? {} : { port }),
      authentication,
      user: readUser(fields, authentication),
      ...(authentication === 'entra' && readOptionalText(fields, 'tenant')),
      encrypt,
      trustServerCertificate: readTrust(fields, authentication) && encrypt !== 'strict',
      ...readOptionalText(fields, 'database'),
      ...readOptionalText(fields, 'hostNameInCertificate'),
    },
    password: takesPassword({ authentication }) ? readPassword(fields['password']) : undefined,
  };
}

function readAuthentication(value: unknown): Authentication {
  if (value === undefined) return 'sql';
  if (!isAuthentication(value))
    throw new Error('addServer: authentication is sql, windows, integrated or entra.');
  return value;
}

function readUser(fields: Record<string, unknown>, authentication: Authentication): string {
  if (authentication === 'entra') return readOptionalText(fields, 'user')['user'] ?? '';
  if (authentication === 'integrated') return '';
  const user = readText(fields, 'user');
  if (authentication === 'sql') return user;
  const { domain } = readOptionalText(fields, 'domain');
  const login = domain === undefined ? user : `${domain}\\${user}`;
  if (!isWindowsLogin(login)) throw new Error('addServer: user is DOMAIN\\user for a Windows login.');
  return login;
}

/** The field by its name, or nothing if it is left out. */
function readOptionalText<Key extends string>(
  fields: Record<string, unknown>,
  key: Key,
): { readonly [key in Key]?: string } {
  return fields[key] === undefined
    ? {}
    : ({ [key]: readText(fields, key) } as { readonly [key in Key]: string });
}

/** A text that is safe in a dialog: no value may look like another line of it. */
function readText(fields: Record<string, unknown>, key: string): string {
  const text = fields[key];
  if (typeof text !== 'string' || text.trim() === '')
    throw new Error(`addServer: ${key} is a text that is not empty.`);
  if (text.length > 256 || makeVisible(text) !== text)
    throw new Error(
      `addServer: ${key} is a text of at most 256 characters on one line, without characters that cannot be seen.`,
    );
  return text.trim();
}

function readPassword(value: unknown): string {
  if (typeof value !== 'string') throw new Error('addServer: password is a text.');
  return value;
}

function readTrust(fields: Record<string, unknown>, authentication: Authentication): boolean {
  const trusts = fields['trustServerCertificate'];
  if (typeof trusts !== 'boolean') throw new Error('addServer: trustServerCertificate is true or false.');
  if (trusts && authentication === 'entra')
    throw new Error(
      'addServer: trustServerCertificate is false for entra, because a token goes only to a server whose certificate is checked.',
    );
  return trusts;
}

function readPort(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65535) {
    throw new Error('addServer: port is a whole number from 1 to 65535.');
  }
  return value;
}

function readEncryption(value: unknown): Encryption {
  if (value === false || value === 'optional')
    throw new Error(
      'addServer: encrypt is mandatory, strict or true, because Checkpoint Health always encrypts.',
    );
  if (value === true) return 'mandatory';
  if (!isEncryption(value)) throw new Error('addServer: encrypt is mandatory, strict or true.');
  return value;
}
