import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoginAddress } from '../e2e/query-window';
import { openLogin, type LiveLogin } from './login';
import { replicate } from './replicas';
import type { LiveDatabases, LiveRight, LiveTarget } from './target';
import { quoteName, quoteText } from './quoting';

/** Every database and login of the tests begins with this, and whatever begins with it is dropped. */
const prefix = 'CheckpointHealthLive';
/** The database that a secondary replica gets; it stays when the tests are over. */
const replicated = `${prefix}Replicated`;
const creatorName = `${prefix}Creator`;
/** A log of a fixed size is 70 % full again and again, which calls for an automatic checkpoint (docs/facts.md, SQL Server 1). */
const logMb = 64;
const workText = readFileSync(join(__dirname, 'work.sql'), 'utf8').replace(/<seconds, int, (\d+)>/, '$1');

const names: LiveDatabases = {
  busyAutomatic: [`${prefix}A`, `${prefix} B]'"--`],
  busyIndirect: `${prefix}C`,
  idleAutomatic: `${prefix}D`,
  readOnly: `${prefix}E`,
};

/** A SQL Server that may be used up: creates databases of its own, works them with T-SQL, and drops them. */
export async function openSqlServerTarget(
  address: LoginAddress,
  secondary: LoginAddress | undefined,
  manyCount: number,
  open = openLogin,
): Promise<LiveTarget> {
  const login = await open(address);
  try {
    await removeAll(login);
    for (const name of [...names.busyAutomatic, names.idleAutomatic]) await createDatabase(login, name, 0);
    await createDatabase(login, names.busyIndirect, 60);
    await createDatabase(login, names.readOnly ?? '', 0);
    await login.rows(`ALTER DATABASE ${quoteName(names.readOnly ?? '')} SET READ_ONLY WITH ROLLBACK IMMEDIATE;`);
    if (secondary !== undefined) await replicateTo(login, await open(secondary));
    return {
      kind: 'SQL Server',
      address,
      secondary,
      databases: names,
      replicated: secondary === undefined ? null : replicated,
      many: () => createMany(login, manyCount),
      work: () => workAll(login, () => open(address)),
      workMany: () => workEach(listMany(manyCount), () => open(address)),
      login: (may) => createLogin(login, address, may),
      creator: () => createCreator(login, address),
      dispose: () => removeAll(login).finally(() => login.close()),
    };
  } catch (error) {
    await removeAll(login).catch(() => undefined);
    login.close();
    throw error;
  }
}

async function replicateTo(login: LiveLogin, secondary: LiveLogin): Promise<void> {
  try {
    await replicate(login, secondary, replicated);
  } finally {
    secondary.close();
  }
}

async function createDatabase(login: LiveLogin, name: string, targetSeconds: number): Promise<void> {
  const database = quoteName(name);
  await login.rows(`CREATE DATABASE ${database};`);
  await login.rows(`ALTER DATABASE ${database} SET RECOVERY SIMPLE;`);
  await login.rows(`ALTER DATABASE ${database} SET TARGET_RECOVERY_TIME = ${targetSeconds} SECONDS;`);
  const [log] = await login.rows(`SELECT name FROM sys.master_files WHERE database_id = DB_ID(${quoteText(name)}) AND type = 1;`);
  const file = quoteText(String(log?.['name'] ?? ''));
  await login.rows(`ALTER DATABASE ${database} MODIFY FILE (NAME = ${file}, SIZE = ${logMb} MB, FILEGROWTH = 0);`);
}

async function workAll(login: LiveLogin, open: () => Promise<LiveLogin>): Promise<void> {
  const hasReplicated = (await login.number(`SELECT n = ISNULL(DB_ID(${quoteText(replicated)}), 0);`)) > 0;
  const busy = [...names.busyAutomatic, names.busyIndirect, ...(hasReplicated ? [replicated] : [])];
  await workEach(busy, open);
}

async function workEach(busy: readonly string[], open: () => Promise<LiveLogin>): Promise<void> {
  await Promise.all(busy.map(async (name) => workOne(await open(), name)));
}

/** Every fifth has a name that a script could stumble over. */
function listMany(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}M${String(i + 1).padStart(3, '0')}${i % 5 === 4 ? ' ]\'"--$(x)<a,b,c>%' : ''}`);
}

async function createMany(login: LiveLogin, count: number): Promise<readonly string[]> {
  const many = listMany(count);
  for (const name of many) await createDatabase(login, name, 0);
  return many;
}

async function workOne(login: LiveLogin, name: string): Promise<void> {
  try {
    await login.rows(`USE ${quoteName(name)};`);
    await login.rows(workText);
  } finally {
    login.close();
  }
}

async function createCreator(login: LiveLogin, address: LoginAddress): Promise<LoginAddress | undefined> {
  if ((await login.number("SELECT n = CONVERT(int, SERVERPROPERTY('ProductMajorVersion'));")) < 16) return undefined;
  const password = `Aa1!${randomBytes(18).toString('hex')}`;
  await login.rows(`CREATE LOGIN ${quoteName(creatorName)} WITH PASSWORD = ${quoteText(password)};`);
  await login.rows(`GRANT CREATE ANY EVENT SESSION TO ${quoteName(creatorName)};`);
  return { ...address, user: creatorName, password };
}

const grants: Readonly<Record<LiveRight, (name: string) => readonly string[]>> = {
  'VIEW SERVER STATE': (name) => [`GRANT VIEW SERVER STATE TO ${name};`],
  'db_owner of one database': (name) => [
    `USE ${quoteName(names.idleAutomatic)}; CREATE USER ${name} FOR LOGIN ${name}; ALTER ROLE db_owner ADD MEMBER ${name};`,
    'USE master;',
  ],
  dbcreator: (name) => [`ALTER SERVER ROLE dbcreator ADD MEMBER ${name};`],
};

/** Each right has a login of its own; it is asked for once. */
async function createLogin(login: LiveLogin, address: LoginAddress, may: LiveRight): Promise<LoginAddress> {
  const user = `${prefix}${may.replace(/\W/g, '')}`;
  const password = `Aa1!${randomBytes(18).toString('hex')}`;
  await login.rows(`CREATE LOGIN ${quoteName(user)} WITH PASSWORD = ${quoteText(password)};`);
  for (const text of grants[may](quoteName(user))) await login.rows(text);
  return { ...address, user, password };
}

/** What an earlier run may have left behind goes too; the availability group stays. */
async function removeAll(login: LiveLogin): Promise<void> {
  const sessions = await login.rows(
    `SELECT name FROM sys.server_event_sessions WHERE name LIKE N'${prefix}%' OR name = N'CheckpointHealth';`,
  );
  for (const { name } of sessions) await login.rows(`DROP EVENT SESSION ${quoteName(String(name))} ON SERVER;`);
  const databases = await login.rows(`SELECT name FROM sys.databases WHERE name LIKE N'${prefix}%' AND name <> N'${replicated}';`);
  for (const { name } of databases) {
    await login.attempt(`ALTER DATABASE ${quoteName(String(name))} SET SINGLE_USER WITH ROLLBACK IMMEDIATE;`);
    await login.rows(`DROP DATABASE ${quoteName(String(name))};`);
  }
  const logins = await login.rows(`SELECT name FROM sys.server_principals WHERE name LIKE N'${prefix}%' AND type = 'S';`);
  for (const { name } of logins) await login.rows(`DROP LOGIN ${quoteName(String(name))};`);
}
