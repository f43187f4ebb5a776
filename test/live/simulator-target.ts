import type { LoginAddress } from '../e2e/query-window';
import { startSimulator } from '../../simulator/index';
import { isRelease } from '../../simulator/scenarios/releases';
import { openLogin, type LiveLogin } from './login';
import type { LiveDatabases, LiveRight, LiveTarget } from './target';
import { quoteName } from './quoting';

/** Virtual time for each real one, and how much of it is work. */
const rate = 60;
const workMs = 10 * 60_000;
/** More than the scenario has on any server. */
const storyDatabases = 20;
/** Who stands for a login with that right; nobody of the model is dbcreator. */
const logins: Readonly<Partial<Record<LiveRight, string>>> = { 'VIEW SERVER STATE': 'performance', 'db_owner of one database': 'owner' };

/** The simulator in place of a server, a primary replica with a readable secondary: it proves that the tests run, find what is there and clean up. It proves nothing about SQL Server. */
export async function openSimulatorTarget(release: number | undefined, manyCount = 0): Promise<LiveTarget> {
  if (release !== undefined && !isRelease(release)) throw new Error(`the simulator has no release ${release}`);
  const simulator = await startSimulator({
    scenario: 'availability-group',
    rate,
    tls: 'required',
    ...(release === undefined ? {} : { release }),
    ...(manyCount === 0 ? {} : { databases: manyCount + storyDatabases }),
  });
  const { host, port, administrator, server, replicas } = simulator;
  const address = { host, port, ...administrator };
  const login = await openLogin(address);
  try {
    const hasCreator = (await login.number("SELECT n = CONVERT(int, SERVERPROPERTY('ProductMajorVersion'))")) >= 16;
    const databases = await chooseDatabases(login);
    return {
      kind: 'simulator',
      address,
      secondary: replicas[1] && { host, port: replicas[1].port, ...administrator },
      databases,
      replicated: databases.busyAutomatic[0],
      many: () => chooseMany(address, manyCount),
      workMany: () => server.clock.wait(workMs),
      login: (may) => {
        const user = logins[may];
        return Promise.resolve(user === undefined ? undefined : { host, port, user, password: administrator.password });
      },
      work: () => server.clock.wait(workMs),
      creator: () => Promise.resolve(hasCreator ? { host, port, user: 'session-creator', password: administrator.password } : undefined),
      dispose: () => simulator.close(),
    };
  } catch (error) {
    await simulator.close();
    throw error;
  } finally {
    login.close();
  }
}

/** Those that write most log, and one that writes none. */
async function chooseDatabases(login: LiveLogin): Promise<LiveDatabases> {
  const rows = await login.rows(`
    SELECT
        d.name,
        target_seconds = d.target_recovery_time_in_seconds,
        is_read_only = CONVERT(int, d.is_read_only),
        log_bytes = CONVERT(float, f.num_of_bytes_written)
    FROM sys.databases AS d
    INNER JOIN sys.dm_io_virtual_file_stats(NULL, 2) AS f
        ON f.database_id = d.database_id
    WHERE d.database_id > 4
    AND   d.state = 0
    AND   (d.is_read_only = 1 OR DATABASEPROPERTYEX(d.name, 'Updateability') = 'READ_WRITE')
    ORDER BY f.num_of_bytes_written DESC, d.database_id;`);
  const names = (isWanted: (row: (typeof rows)[number]) => boolean): string[] => rows.filter(isWanted).map((row) => String(row['name']));
  const automatic = names((row) => row['target_seconds'] === 0 && row['is_read_only'] === 0);
  const [first, second] = automatic;
  const [busyIndirect] = names((row) => row['target_seconds'] === 60);
  const idleAutomatic = automatic[automatic.length - 1];
  const [readOnly = null] = names((row) => row['is_read_only'] === 1);
  if (first === undefined || second === undefined || busyIndirect === undefined || idleAutomatic === undefined)
    throw new Error('the modelled server has too few databases for the live tests');
  return { busyAutomatic: [first, second], busyIndirect, idleAutomatic, readOnly };
}

/** Idle ones in no group, put back to automatic checkpoints. */
async function chooseMany(address: LoginAddress, count: number): Promise<readonly string[]> {
  const login = await openLogin(address);
  try {
    const rows = await login.rows(`SELECT TOP (${count}) name FROM sys.databases WHERE name LIKE N'Local%' ORDER BY database_id;`);
    const names = rows.map((row) => String(row['name']));
    for (const name of names) await login.rows(`ALTER DATABASE ${quoteName(name)} SET TARGET_RECOVERY_TIME = 0 SECONDS;`);
    return names;
  } finally {
    login.close();
  }
}
