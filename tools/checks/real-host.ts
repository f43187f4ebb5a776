import { packageAzdataProvider } from '../build/azdata-provider';
import { findAzureDataStudio } from '../vscode/azure-data-studio';
import { findMssqlVsix, installMssql } from '../vscode/mssql';
import { runStages } from './run';
import { inEditor } from './stages';

/** The hosts, by the folder of their tests. `find` refuses if the environment names none. */
const hosts = {
  azdata: { find: findAzureDataStudio, prepare: packageAzdataProvider },
  mssql: { find: findMssqlVsix, prepare: () => installMssql(process.env) },
} as const;

/**
 * Runs the tests in a real host, against the simulator.
 * @throws Refusal if the environment names no host: nothing was run, and that is not a success
 */
export async function runRealHost(name: keyof typeof hosts): Promise<number> {
  const { find, prepare } = hosts[name];
  find(process.env);
  await prepare();
  return runStages([inEditor(name, { files: [`test/${name}/*.test.ts`] })]);
}
