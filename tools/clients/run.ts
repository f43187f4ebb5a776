import { runMocha } from '../checks/commands';
import { addOutcomes, describeSkip, writeSummary, type Outcome } from '../checks/outcome';
import { Refusal } from '../fail';
import { requireProgram } from '../programs';
import { installDelta, installJdbc } from './java-client';
import { installPython } from './python-client';
import { installSqlToolsService } from './sql-tools-service';

interface ClientSuite {
  readonly name: string;
  /** @throws Refusal if the client cannot be installed on this machine. Its tests then count as skipped. */
  readonly install: () => Promise<unknown>;
}

/**
 * FreeTDS' tsql.
 * @throws Refusal if it is not installed, and this is not a Debian on which we are root.
 */
export async function installTsql(): Promise<void> {
  await requireProgram('tsql', ['-C'], 'freetds-bin', 'FreeTDS, the client tsql');
}

/** A Python, and which readers of `lake_readers.py` it can run. */
interface LakeReaders {
  readonly readers: readonly string[];
  readonly python: string;
  readonly jars: readonly string[];
}

/**
 * Two releases of Spark with Delta Lake, DuckDB, delta-rs and pandas, to read a lake. Each Spark has a Python of its own.
 * @throws Refusal if they cannot be installed.
 */
export async function installLakeReaders(): Promise<readonly LakeReaders[]> {
  return [
    { readers: ['duckdb', 'delta-rs', 'pandas', 'spark'], jars: await installDelta('4.0'), python: await installPython('lake') },
    { readers: ['spark'], jars: await installDelta('3.5'), python: await installPython('spark-3.5') },
  ];
}

/** The clients, each with its tests in `test/clients/NAME.test.ts`. All were written by others. */
const suites: readonly ClientSuite[] = [
  { name: 'tsql', install: installTsql },
  { name: 'pytds', install: () => installPython('pytds') },
  { name: 'mssql-python', install: () => installPython('mssql-python') },
  { name: 'mssql-jdbc', install: installJdbc },
  { name: 'sql-tools-service', install: installSqlToolsService },
  { name: 'lake', install: installLakeReaders },
];

/**
 * Runs the tests of real clients, against the simulator or a lake: all clients, or those named. A client that cannot be installed is skipped with its reason; with
 * CI=true that is a failure. Gives the exit code.
 */
export async function runClients(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new Refusal(`Usage: npm run test:clients [-- <client>...], a client being one of: ${suites.map(({ name }) => name).join(', ')}.`);
  const failsOnSkips = process.env['CI'] === 'true';
  const outcomes: (readonly [string, Outcome])[] = [];
  for (const suite of suites.filter(({ name }) => names.length === 0 || names.includes(name)))
    outcomes.push([suite.name, await runSuite(suite)]);
  console.log(writeSummary(outcomes, failsOnSkips));
  const { failed, skipped } = addOutcomes(outcomes.map(([, outcome]) => outcome));
  return failed.length > 0 || (failsOnSkips && skipped.length > 0) ? 1 : 0;
}

async function runSuite({ name, install }: ClientSuite): Promise<Outcome> {
  console.log(`\n=== ${name}`);
  try {
    await install();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.log(error.message);
    return describeSkip(name, error.message);
  }
  return runMocha(name, [`test/clients/${name}.test.ts`], [], (text) => process.stdout.write(text));
}
