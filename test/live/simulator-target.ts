import { startSimulator } from '../../simulator/index';
import { isRelease } from '../../simulator/scenarios/releases';
import { openLogin, type LiveLogin, quoteName } from './login';
import type { LiveDatabases, LiveRight, LiveTarget } from './target';

/** Virtual time for each real one, and how much of it is work. */
const RATE = 60;
const WORK_MS = 10 * 60_000;
/** More than the scenario has on any server. */
const STORY_DATABASES = 20;
/** Those of the scenario that write most log, one that writes little, and one that writes none. */
const DATABASES: LiveDatabases = {
  busyAutomatic: ['Sales_Stock', 'Sales_Orders'],
  busyIndirect: 'Sales_Customers',
  idleAutomatic: 'Sales_Archive',
  readOnly: null,
};
/** Who stands for a login with that right; nobody of the model is dbcreator. */
const LOGINS: Readonly<Partial<Record<LiveRight, string>>> = {
  'VIEW SERVER STATE': 'performance',
  'db_owner of one database': 'owner',
  'CREATE ANY EVENT SESSION': 'session-creator',
};

/** The simulator in place of a server, a primary replica with a readable secondary: it proves that the tests run, find what is there and clean up. It proves nothing about SQL Server. */
export async function openSimulatorTarget(release: number | undefined, manyCount = 0): Promise<LiveTarget> {
  if (release !== undefined && !isRelease(release)) throw new Error(`the simulator has no release ${release}`);
  const simulator = await startSimulator({
    scenario: 'availability-group',
    rate: RATE,
    tls: 'required',
    ...(release === undefined ? {} : { release }),
    ...(manyCount === 0 ? {} : { databases: manyCount + STORY_DATABASES }),
  });
  const { host, port, administrator, server, replicas } = simulator;
  const address = { host, port, ...administrator };
  const login = await openLogin(address);
  const hasCreator = (await login.number("SELECT n = CONVERT(int, SERVERPROPERTY('ProductMajorVersion'))")) >= 16;
  const work = (): Promise<void> => server.clock.wait(WORK_MS);
  return {
    kind: 'simulator',
    address,
    secondary: replicas[1] && { ...address, port: replicas[1].port },
    databases: DATABASES,
    replicated: DATABASES.busyAutomatic[0],
    many: () => chooseMany(login, manyCount),
    work,
    workMany: work,
    login: async (may) => {
      const user = may === 'CREATE ANY EVENT SESSION' && !hasCreator ? undefined : LOGINS[may];
      return user === undefined ? undefined : { ...address, user };
    },
    dispose: () => {
      login.close();
      return simulator.close();
    },
  };
}

/** Idle ones in no group, put back to automatic checkpoints. */
async function chooseMany(login: LiveLogin, count: number): Promise<readonly string[]> {
  const rows = await login.rows(`SELECT TOP (${count}) name FROM sys.databases WHERE name LIKE N'Local%' ORDER BY database_id;`);
  const names = rows.map((row) => String(row['name']));
  for (const name of names) await login.rows(`ALTER DATABASE ${quoteName(name)} SET TARGET_RECOVERY_TIME = 0 SECONDS;`);
  return names;
}
