/** The T-SQL side of the simulator: sessions over one DuckDB and one modelled server. */
import type { Instance } from '../engine/interface/instance';
import { SqlError, type Login, type Session, type SessionHost } from '../tds/handler';
import { untrustedLogin } from '../tds/login-response';
import { Duck } from './duck';
import { Relations } from './relations';
import { TsqlSession } from './session';
import type { Host } from './session-state';
import { sqlError } from '../tds/messages';

/** A modelled server with its logins. */
export interface LoginInstance extends Instance {
  /** NetBIOS name of the domain whose Windows logins it takes. */
  readonly windowsDomain: string | undefined;
  authenticate(user: string, password: string): boolean;
  /** Whether a Windows login is let in. @param knows whether its client has proved that it knows that password */
  authenticateWindows(user: string, knows: (password: string) => boolean): boolean;
  findTokenLogin(token: string): { readonly name: string } | undefined;
  /** Why no login is let in now; null if they are. */
  readonly refusal: { readonly number: number; readonly message: string } | null;
  /** @param error SQL Server's number for a refusal; null: it was let in */
  noteLogin(login: string, application: string, error: number | null): void;
}

/** The first number of user sessions, above those of the system. */
const firstSpid = 51;

export async function createSessionHost(
  instance: LoginInstance,
): Promise<SessionHost & { close(): Promise<void> }> {
  const duck = await Duck.create();
  const relations = await Relations.create(duck);
  const sessions = new Set<TsqlSession>();
  let names = 0;
  const spids = new Set<number>();
  const serverName = textOf(instance, 'ServerName') ?? 'SIMULATOR';
  const host: Host = {
    instance,
    duck,
    relations,
    serverName,
    version: versionOf(instance),
    nextName: (prefix) => {
      names++;
      return `${prefix}${names}`;
    },
  };
  const login = (asked: Login): Session => {
    try {
      const session = open(asked);
      instance.noteLogin(asked.user, asked.application, null);
      return session;
    } catch (error) {
      instance.noteLogin(asked.user, asked.application, error instanceof SqlError ? error.number : 0);
      throw error;
    }
  };
  const open = (asked: Login): Session => {
    if (instance.refusal !== null)
      throw new SqlError(instance.refusal.number, instance.refusal.message, 14, 1);
    const each = { ...asked, user: authenticate(instance, asked) };
    const database = openDatabase(instance, each);
    const spid = takeSpid(spids);
    const session = new TsqlSession(host, duck.connect(), each, spid, database, (ended) => {
      sessions.delete(ended);
      spids.delete(spid);
      instance.settings.forgetSession(spid);
    });
    sessions.add(session);
    return session;
  };
  const { windowsDomain } = instance;
  return {
    serverName,
    version: host.version,
    ...(windowsDomain !== undefined && { windowsDomain }),
    login,
    close: () => closeAll(sessions, relations, duck),
  };
}

/** The lowest number that no session has: SQL Server reuses numbers too. */
function takeSpid(taken: Set<number>): number {
  let spid = firstSpid;
  while (taken.has(spid)) spid++;
  taken.add(spid);
  return spid;
}

/** Closes the sessions before DuckDB: it must outlive every connection to it. */
async function closeAll(sessions: ReadonlySet<TsqlSession>, relations: Relations, duck: Duck): Promise<void> {
  await Promise.all([...sessions].map((session) => session.end()));
  relations.close();
  duck.close();
}

/** Errors that a client gets unchanged. */
const wrongRole = new Set([976, 978, 983]);

/**
 * The name of the login. A Windows login without proof is always 18452: the domain does not confirm it.
 * @throws SqlError 18456, 18452
 */
function authenticate(instance: LoginInstance, { user, password, knows, token }: Login): string {
  if (token !== undefined) {
    const found = instance.findTokenLogin(token);
    // SQL Server names the login in the token; an unknown token has none.
    if (found === undefined) throw sqlError(18456, ['<token-identified principal>']);
    return found.name;
  }
  if (knows !== undefined && !instance.authenticateWindows(user, knows)) throw untrustedLogin();
  if (knows === undefined && !instance.authenticate(user, password)) throw sqlError(18456, [user]);
  return user;
}

/** @throws SqlError 4060, 976, 978, 983. */
function openDatabase(instance: LoginInstance, login: Login): string {
  const wanted = login.database === '' ? 'master' : login.database;
  try {
    return instance.openDatabase(wanted, {
      spid: 0,
      login: login.user,
      database: 'master',
      ...(login.readOnlyIntent && { readOnlyIntent: true }),
    }).name;
  } catch (error) {
    if (!(error instanceof SqlError) || wrongRole.has(error.number)) throw error;
    throw sqlError(4060, [wanted]);
  }
}

function textOf(instance: Instance, property: string): string | undefined {
  const value = instance.serverProperty(property);
  if (value === null) return undefined;
  return typeof value === 'object' && 'value' in value ? String(value.value) : String(value);
}

function versionOf(instance: Instance): readonly [number, number, number] {
  const [major = 0, minor = 0, build = 0] = (textOf(instance, 'ProductVersion') ?? '').split('.').map(Number);
  return [major, minor, build];
}
