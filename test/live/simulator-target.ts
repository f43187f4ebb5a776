import { startSimulator } from '../../simulator/index';
import { isRelease } from '../../simulator/scenarios/releases';
import { openLogin, type LiveLogin } from './login';
import type { LiveDatabases, LiveTarget } from './target';

/** Virtual time for each real one, and how much of it is work. */
const rate = 60;
const workMs = 10 * 60_000;

/** The simulator in place of a server, a primary replica with a readable secondary: it proves that the tests run, find what is there and clean up. It proves nothing about SQL Server. */
export async function openSimulatorTarget(release: number | undefined): Promise<LiveTarget> {
  if (release !== undefined && !isRelease(release)) throw new Error(`the simulator has no release ${release}`);
  const simulator = await startSimulator({
    scenario: 'availability-group',
    rate,
    tls: 'required',
    ...(release === undefined ? {} : { release }),
  });
  const { host, port, administrator, server, replicas } = simulator;
  const address = { host, port, ...administrator };
  const login = await openLogin(address);
  try {
    const hasCreator = (await login.number("SELECT n = CONVERT(int, SERVERPROPERTY('ProductMajorVersion'))")) >= 16;
    return {
      kind: 'simulator',
      address,
      secondary: replicas[1] && { host, port: replicas[1].port, ...administrator },
      databases: await chooseDatabases(login),
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
