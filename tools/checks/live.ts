import { NotNamed, readSettings } from '../../test/live/settings';
import { Refusal } from '../fail';
import { runStages } from './run';
import { ofTests } from './stages';

/**
 * Runs the live tests against the SQL Server that the environment names. With `--simulator [--release YEAR]` it uses
 * the simulator, to check the tests. A fact that cannot be seen on that server counts as skipped, not as failed; the
 * reason is printed and is in the report.
 * @throws Refusal if no server is named: nothing was run, and that is not a success
 */
export async function runLive(args: readonly string[]): Promise<number> {
  Object.assign(process.env, readArguments(args));
  const settings = requireSettings();
  const where =
    settings.kind === 'simulator' ? 'the simulator' : `${settings.address.host},${settings.address.port}`;
  const exitCode = await runStages([ofTests(`live, on ${where}`, { files: ['test/live/*.test.ts'] })]);
  if (settings.kind === 'simulator')
    console.log('\nNothing of this was seen on SQL Server: name one in LIVE_SQL_SERVER.');
  return exitCode;
}

function readArguments(args: readonly string[]): Readonly<Record<string, string>> {
  const [first, option, release] = args;
  if (args.length === 0) return {};
  if (first !== '--simulator' || (option !== undefined && (option !== '--release' || release === undefined)))
    throw new Refusal('Usage: npm run test:live [-- --simulator [--release YEAR]].');
  return { LIVE_SQL_SIMULATOR: 'yes', ...(release === undefined ? {} : { LIVE_SQL_RELEASE: release }) };
}

function requireSettings(): ReturnType<typeof readSettings> {
  try {
    return readSettings(process.env);
  } catch (error) {
    throw error instanceof NotNamed ? new Refusal(`Not run. ${error.message}`) : error;
  }
}
