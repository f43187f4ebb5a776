/** What the questions of Add Server and Edit Server gather. */
import type { SavedServer } from './saved-servers';

/** Everything that is kept about a server but its id. Without a password, the one that is stored stays. */
export interface ServerAnswers extends Omit<SavedServer, 'id' | 'port'> {
  readonly password: string | undefined;
}

/** Before anything was asked: encrypted, the certificate checked. */
export const newAnswers: ServerAnswers = {
  name: '',
  server: '',
  authentication: 'sql',
  user: '',
  password: undefined,
  encrypt: 'mandatory',
  trustServerCertificate: false,
};

/** The kept values of a server, to be changed; never its password. A port kept beside the address is shown as people write it. */
export function answersOf(saved: SavedServer): ServerAnswers {
  const { server, port } = saved;
  return { ...leaveOut(saved, 'id', 'port'), server: port === undefined ? server : `${server},${port}`, password: undefined };
}

/** The server that these answers describe. What does not belong to its kind of login is not kept. */
export function describeAnswers(answers: ServerAnswers, id: string): SavedServer {
  const { authentication, encrypt, trustServerCertificate, tenant = '', database = '' } = answers;
  const isEntra = authentication === 'entra';
  return {
    ...leaveOut(answers, 'password', 'tenant', 'database'),
    id,
    encrypt: isEntra && encrypt === 'optional' ? 'mandatory' : encrypt,
    trustServerCertificate: trustServerCertificate && encrypt !== 'strict',
    ...(tenant !== '' && isEntra && { tenant }),
    ...(database !== '' && { database }),
  };
}

/** A copy without these keys. */
export function leaveOut<T extends object, Key extends keyof T>(value: T, ...keys: readonly Key[]): Omit<T, Key> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as Key))) as Omit<T, Key>;
}

/** A server of the list that leads to the same place with the same login: adding it again changes that one and makes no second row. */
export function findTwin(servers: readonly SavedServer[], answered: SavedServer): SavedServer | undefined {
  const place = namePlace(answered);
  return servers.find((server) => namePlace(server) === place);
}

/** `tcp:SQL01, 1433` and `sql01` are one place; logins and databases that differ in case may be two. A listener leads those who only read elsewhere. */
function namePlace(server: SavedServer): string {
  const address = answersOf(server)
    .server.toLowerCase()
    .replace(/^tcp:|\s/g, '')
    .replace(/,1433$/, '');
  return JSON.stringify([
    address,
    server.authentication,
    server.user,
    server.tenant ?? '',
    server.database ?? '',
    server.readOnlyIntent ?? false,
  ]);
}
