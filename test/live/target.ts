import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/index';
import { isRelease } from '../../simulator/scenarios/releases';
import type { LoginAddress } from '../e2e/query-window';
import { type LiveLogin, openLogin, quoteName, quoteText } from './login';
import type { LiveSettings } from './settings';

const MANY = 50;
/** Every database and login of the tests begins with this, and whatever begins with it is dropped. */
const PREFIX = 'CheckpointHealthLive';
/**
 * A log of a fixed size is 70 % full again and again, which calls for an automatic checkpoint (docs/facts.md, SQL
 * Server 1).
 */
const LOG_MB = 64;
const WORK = readFileSync(join(__dirname, 'work.sql'), 'utf8').replace(/<seconds, int, (\d+)>/, '$1');

/** A server with databases that work when they are told to. */
export interface LiveTarget {
  readonly address: LoginAddress;
  readonly login: LiveLogin;
  readonly databases: {
    readonly busyAutomatic: readonly [string, string];
    readonly busyIndirect: string;
    readonly idleAutomatic: string;
    /** null where there is none. */
    readonly readOnly: string | null;
  };
  /** Fifty more databases with automatic checkpoints. */
  readonly many: readonly string[];
  /** Lets the busy databases and the fifty write for so long that checkpoints must come. */
  work(): Promise<void>;
  /** A login that may do this and no more. */
  loginOf(may: LiveRight): Promise<LoginAddress>;
  /** Takes away everything that the tests have made. */
  dispose(): Promise<void>;
}

export const openTarget = (settings: LiveSettings): Promise<LiveTarget> =>
  settings.kind === 'simulator'
    ? openSimulatorTarget(settings.release)
    : openSqlServerTarget(settings.address);

/**
 * The simulator in place of a server: it proves that the tests run, find what is there and clean up. It proves nothing
 * about SQL Server.
 */
async function openSimulatorTarget(release: number | undefined): Promise<LiveTarget> {
  if (release !== undefined && !isRelease(release))
    throw new Error(`the simulator has no release ${release}`);
  const simulator = await startSimulator({
    scenario: 'availability-group',
    rate: 60,
    tls: 'required',
    ...(release === undefined ? {} : { release }),
    databases: MANY + 20,
  });
  const { host, port, administrator, server } = simulator;
  const address = { host, port, ...administrator };
  const login = await openLogin(address);
  const found = await login.rows(
    `SELECT TOP (${MANY}) name FROM sys.databases WHERE name LIKE N'Local%' ORDER BY database_id;`,
  );
  const many = found.map((row) => String(row['name']));
  for (const name of many)
    await login.rows(`ALTER DATABASE ${quoteName(name)} SET TARGET_RECOVERY_TIME = 0 SECONDS;`);
  const users = { 'VIEW SERVER STATE': 'performance', 'db_owner of one database': 'owner' };
  return {
    address,
    login,
    databases: {
      busyAutomatic: ['Sales_Stock', 'Sales_Orders'],
      busyIndirect: 'Sales_Customers',
      idleAutomatic: 'Sales_Archive',
      readOnly: null,
    },
    many,
    work: () => server.clock.wait(10 * 60_000),
    loginOf: (may) => Promise.resolve({ ...address, user: users[may] }),
    dispose: () => {
      login.close();
      return simulator.close();
    },
  };
}

/** A SQL Server that may be used up: creates databases of its own, works them with T-SQL, and drops them. */
export async function openSqlServerTarget(address: LoginAddress, open = openLogin): Promise<LiveTarget> {
  const login = await open(address);
  const readOnly = `${PREFIX}E`;
  const databases = {
    busyAutomatic: [`${PREFIX}A`, `${PREFIX} B]'"--`],
    busyIndirect: `${PREFIX}C`,
    idleAutomatic: `${PREFIX}D`,
    readOnly,
  } as const;
  // Every fifth has a name that a script could stumble over.
  const many = Array.from(
    { length: MANY },
    (_, i) => `${PREFIX}M${i + 1}${i % 5 === 4 ? ' ]\'"--$(x)<a,b,c>%' : ''}`,
  );
  const workOne = async (name: string): Promise<void> => {
    const worker = await open({ ...address, database: name });
    await worker.rows(WORK).finally(() => worker.close());
  };
  const logins = new Map<LiveRight, Promise<LoginAddress>>();
  const dispose = (): Promise<void> => removeAll(login).finally(() => login.close());
  try {
    await removeAll(login);
    for (const name of [...databases.busyAutomatic, databases.idleAutomatic, readOnly, ...many])
      await createDatabase(login, name, 0);
    await createDatabase(login, databases.busyIndirect, 60);
    await login.rows(`ALTER DATABASE ${quoteName(readOnly)} SET READ_ONLY WITH ROLLBACK IMMEDIATE;`);
  } catch (error) {
    await dispose().catch(() => undefined);
    throw error;
  }
  return {
    address,
    login,
    databases,
    many,
    work: async () =>
      void (await Promise.all([...databases.busyAutomatic, databases.busyIndirect, ...many].map(workOne))),
    loginOf: (may) => {
      const known = logins.get(may) ?? createLogin(login, address, may, databases.idleAutomatic);
      logins.set(may, known);
      return known;
    },
    dispose,
  };
}

async function createDatabase(login: LiveLogin, name: string, targetSeconds: number): Promise<void> {
  const database = quoteName(name);
  await login.rows(`CREATE DATABASE ${database};`);
  await login.rows(`ALTER DATABASE ${database} SET RECOVERY SIMPLE;`);
  await login.rows(`ALTER DATABASE ${database} SET TARGET_RECOVERY_TIME = ${targetSeconds} SECONDS;`);
  const [log] = await login.rows(
    `SELECT name FROM sys.master_files WHERE database_id = DB_ID(${quoteText(name)}) AND type = 1;`,
  );
  const file = quoteText(String(log?.['name'] ?? ''));
  await login.rows(
    `ALTER DATABASE ${database} MODIFY FILE (NAME = ${file}, SIZE = ${LOG_MB} MB, FILEGROWTH = 0);`,
  );
}

/** What a login may do, and how it comes to it. */
const GRANTS = {
  'VIEW SERVER STATE': (name: string) => `GRANT VIEW SERVER STATE TO ${name};`,
  'db_owner of one database': (name: string, database: string) =>
    `USE ${database}; CREATE USER ${name} FOR LOGIN ${name}; ALTER ROLE db_owner ADD MEMBER ${name}; USE master;`,
} as const;
export type LiveRight = keyof typeof GRANTS;

/** Each right has a login of its own. */
async function createLogin(
  login: LiveLogin,
  address: LoginAddress,
  may: LiveRight,
  database: string,
): Promise<LoginAddress> {
  const user = `${PREFIX}${may.replace(/\W/g, '')}`;
  const password = `Aa1!${randomBytes(18).toString('hex')}`;
  await login.rows(`CREATE LOGIN ${quoteName(user)} WITH PASSWORD = ${quoteText(password)};`);
  await login.rows(GRANTS[may](quoteName(user), quoteName(database)));
  return { ...address, user, password };
}

/** What an earlier run may have left behind goes too. */
async function removeAll(login: LiveLogin): Promise<void> {
  const list = async (sql: string): Promise<readonly string[]> =>
    (await login.rows(sql)).map((row) => quoteName(String(row['name'])));
  const sessions = `SELECT name FROM sys.server_event_sessions WHERE name LIKE N'${PREFIX}%' OR name = N'CheckpointHealth';`;
  for (const name of await list(sessions)) await login.rows(`DROP EVENT SESSION ${name} ON SERVER;`);
  for (const name of await list(`SELECT name FROM sys.databases WHERE name LIKE N'${PREFIX}%';`)) {
    await login.run(`ALTER DATABASE ${name} SET SINGLE_USER WITH ROLLBACK IMMEDIATE;`);
    await login.rows(`DROP DATABASE ${name};`);
  }
  for (const name of await list(
    `SELECT name FROM sys.server_principals WHERE name LIKE N'${PREFIX}%' AND type = 'S';`,
  ))
    await login.rows(`DROP LOGIN ${name};`);
}
