import { runMocha } from '../checks/commands';
import { addOutcomes, describeSkip, writeSummary, type Outcome } from '../checks/outcome';
import { Refusal } from '../fail';
import { requireProgram } from '../programs';
import { installJdbc } from './java-client';
import { installPython } from './python-client';
import { installSqlToolsService } from './sql-tools-service';

interface ClientSuite {
  readonly name: string;
  /** @throws Refusal where the client cannot be had on this machine: its tests are then counted as skipped. */
  readonly install: () => Promise<unknown>;
}

/**
 * FreeTDS' tsql.
 * @throws Refusal where it is not installed and this is no Debian of which we are root.
 */
export async function installTsql(): Promise<void> {
  await requireProgram('tsql', ['-C'], 'freetds-bin', 'FreeTDS, the client tsql');
}

/** The clients, each with its tests in `test/clients/NAME.test.ts`. None was written here. */
const suites: readonly ClientSuite[] = [
  { name: 'tsql', install: installTsql },
  { name: 'pytds', install: () => installPython('pytds') },
  { name: 'mssql-python', install: () => installPython('mssql-python') },
  { name: 'mssql-jdbc', install: installJdbc },
  { name: 'sql-tools-service', install: installSqlToolsService },
];

/**
 * Runs the conversations of real clients with the simulator: all, or those named. A client that cannot be installed is skipped with its reason, which is a
 * failure where CI=true. Gives the exit code.
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
