import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoginAddress } from '../e2e/query-window';
import { openLogin, type LiveLogin, quoteName, quoteText } from './login';
import { replicate } from './replicas';
import type { LiveDatabases, LiveRight, LiveTarget } from './target';

/** Every database and login of the tests begins with this, and whatever begins with it is dropped. */
const PREFIX = 'CheckpointHealthLive';
/** The database that a secondary replica gets; it stays when the tests are over. */
const REPLICATED = `${PREFIX}Replicated`;
/** A log of a fixed size is 70 % full again and again, which calls for an automatic checkpoint (docs/facts.md, SQL Server 1). */
const LOG_MB = 64;
const WORK = readFileSync(join(__dirname, 'work.sql'), 'utf8').replace(/<seconds, int, (\d+)>/, '$1');

const READ_ONLY = `${PREFIX}E`;
const NAMES: LiveDatabases = {
  busyAutomatic: [`${PREFIX}A`, `${PREFIX} B]'"--`],
  busyIndirect: `${PREFIX}C`,
  idleAutomatic: `${PREFIX}D`,
  readOnly: READ_ONLY,
};

/** A SQL Server that may be used up: creates databases of its own, works them with T-SQL, and drops them. */
export async function openSqlServerTarget(
  address: LoginAddress,
  secondary: LoginAddress | undefined,
  manyCount: number,
  open = openLogin,
): Promise<LiveTarget> {
  const login = await open(address);
  const busy = [...NAMES.busyAutomatic, NAMES.busyIndirect, ...(secondary === undefined ? [] : [REPLICATED])];
  // Every fifth has a name that a script could stumble over.
  const many = Array.from(
    { length: manyCount },
    (_, i) => `${PREFIX}M${String(i + 1).padStart(3, '0')}${i % 5 === 4 ? ' ]\'"--$(x)<a,b,c>%' : ''}`,
  );
  const workEach = async (names: readonly string[]): Promise<void> => {
    await Promise.all(names.map(async (name) => workOne(await open(address), name)));
  };
  const target: LiveTarget = {
    kind: 'SQL Server',
    address,
    secondary,
    databases: NAMES,
    replicated: secondary === undefined ? null : REPLICATED,
    many: async () => {
      for (const name of many) await createDatabase(login, name, 0);
      return many;
    },
    work: () => workEach(busy),
    workMany: () => workEach(many),
    login: (may) => createLogin(login, address, may),
    dispose: () => removeAll(login).finally(() => login.close()),
  };
  try {
    await removeAll(login);
    for (const name of [...NAMES.busyAutomatic, NAMES.idleAutomatic, READ_ONLY]) await createDatabase(login, name, 0);
    await createDatabase(login, NAMES.busyIndirect, 60);
    await login.rows(`ALTER DATABASE ${quoteName(READ_ONLY)} SET READ_ONLY WITH ROLLBACK IMMEDIATE;`);
    if (secondary !== undefined) await replicate(login, await open(secondary), REPLICATED);
    return target;
  } catch (error) {
    await target.dispose().catch(() => undefined);
    throw error;
  }
}

async function createDatabase(login: LiveLogin, name: string, targetSeconds: number): Promise<void> {
  const database = quoteName(name);
  await login.rows(`CREATE DATABASE ${database};`);
  await login.rows(`ALTER DATABASE ${database} SET RECOVERY SIMPLE;`);
  await login.rows(`ALTER DATABASE ${database} SET TARGET_RECOVERY_TIME = ${targetSeconds} SECONDS;`);
  const [log] = await login.rows(`SELECT name FROM sys.master_files WHERE database_id = DB_ID(${quoteText(name)}) AND type = 1;`);
  const file = quoteText(String(log?.['name'] ?? ''));
  await login.rows(`ALTER DATABASE ${database} MODIFY FILE (NAME = ${file}, SIZE = ${LOG_MB} MB, FILEGROWTH = 0);`);
}

async function workOne(login: LiveLogin, name: string): Promise<void> {
  try {
    await login.rows(`USE ${quoteName(name)};`);
    await login.rows(WORK);
  } finally {
    login.close();
  }
}

const GRANTS: Readonly<Record<LiveRight, (name: string) => readonly string[]>> = {
  'VIEW SERVER STATE': (name) => [`GRANT VIEW SERVER STATE TO ${name};`],
  'db_owner of one database': (name) => [
    `USE ${quoteName(NAMES.idleAutomatic)}; CREATE USER ${name} FOR LOGIN ${name}; ALTER ROLE db_owner ADD MEMBER ${name};`,
    'USE master;',
  ],
  dbcreator: (name) => [`ALTER SERVER ROLE dbcreator ADD MEMBER ${name};`],
  'CREATE ANY EVENT SESSION': (name) => [`GRANT CREATE ANY EVENT SESSION TO ${name};`],
};

/** Each right has a login of its own; it is asked for once. */
async function createLogin(login: LiveLogin, address: LoginAddress, may: LiveRight): Promise<LoginAddress | undefined> {
  const major = "SELECT n = CONVERT(int, SERVERPROPERTY('ProductMajorVersion'));";
  if (may === 'CREATE ANY EVENT SESSION' && (await login.number(major)) < 16) return undefined;
  const user = `${PREFIX}${may.replace(/\W/g, '')}`;
  const password = `Aa1!${randomBytes(18).toString('hex')}`;
  await login.rows(`CREATE LOGIN ${quoteName(user)} WITH PASSWORD = ${quoteText(password)};`);
  for (const text of GRANTS[may](quoteName(user))) await login.rows(text);
  return { ...address, user, password };
}

/** What an earlier run may have left behind goes too; the availability group stays. */
async function removeAll(login: LiveLogin): Promise<void> {
  const list = async (sql: string): Promise<readonly string[]> => (await login.rows(sql)).map((row) => quoteName(String(row['name'])));
  const sessions = `SELECT name FROM sys.server_event_sessions WHERE name LIKE N'${PREFIX}%' OR name = N'CheckpointHealth';`;
  for (const name of await list(sessions)) await login.rows(`DROP EVENT SESSION ${name} ON SERVER;`);
  for (const name of await list(`SELECT name FROM sys.databases WHERE name LIKE N'${PREFIX}%' AND name <> N'${REPLICATED}';`)) {
    await login.attempt(`ALTER DATABASE ${name} SET SINGLE_USER WITH ROLLBACK IMMEDIATE;`);
    await login.rows(`DROP DATABASE ${name};`);
  }
  for (const name of await list(`SELECT name FROM sys.server_principals WHERE name LIKE N'${PREFIX}%' AND type = 'S';`))
    await login.rows(`DROP LOGIN ${name};`);
}
