/** The T-SQL side of the simulator: sessions over one DuckDB and one modelled server. */
import type { Instance } from '../engine/instance';
import { SqlError, type Login, type Session, type SessionHost } from '../tds/handler';
import { Duck } from './duck';
import { Relations } from './relations';
import { TsqlSession } from './session';
import type { Host } from './session-state';

/** A modelled server that knows its logins. */
export interface LoginInstance extends Instance {
  authenticate(user: string, password: string): boolean;
}

/** User sessions begin above the system's. */
const firstSpid = 51;

export async function createSessionHost(instance: LoginInstance): Promise<SessionHost & { close(): Promise<void> }> {
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
    nextName: (prefix) => {
      names++;
      return `${prefix}${names}`;
    },
  };
  const login = (each: Login): Session => {
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
  return { serverName, version: versionOf(instance), login, close: () => closeAll(sessions, relations, duck) };
}

/** The lowest number that no session has: SQL Server too gives numbers again. */
function takeSpid(taken: Set<number>): number {
  let spid = firstSpid;
  while (taken.has(spid)) spid++;
  taken.add(spid);
  return spid;
}

/** DuckDB must outlive every connection to it. */
async function closeAll(sessions: ReadonlySet<TsqlSession>, relations: Relations, duck: Duck): Promise<void> {
  await Promise.all([...sessions].map((session) => session.end()));
  relations.close();
  duck.close();
}

/** A client is told of these as they are. */
const wrongRole = new Set([976, 978, 983]);

/** @throws SqlError 18456, 4060, 976, 978, 983. */
function openDatabase(instance: LoginInstance, login: Login): string {
  const failed = new SqlError(18456, `Login failed for user '${login.user}'.`, 14, 1);
  if (!instance.authenticate(login.user, login.password)) throw failed;
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
    throw new SqlError(4060, `Cannot open database "${wanted}" requested by the login. The login failed.`, 11, 1);
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
