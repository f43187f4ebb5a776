import { obtainBrowser } from '../browser/browser';
import { packageAzdataProvider } from '../build/azdata-provider';
import { packageAll } from '../build/vsix';
import { findAzureDataStudio } from '../vscode/azure-data-studio';
import { findMssqlVsix, installMssql } from '../vscode/mssql';
import { runMocha } from './commands';
import { writeSummary } from './outcome';

/** The hosts, by the folder of their tests. `find` refuses if the environment names none. */
const hosts = {
  azdata: { find: findAzureDataStudio, prepare: packageAzdataProvider },
  mssql: { find: findMssqlVsix, prepare: () => installMssql(process.env) },
} as const;

/** Runs the tests in a real host, against the simulator. @throws Refusal if the environment names no host: nothing was run, and that is not a success */
export async function runRealHost(name: keyof typeof hosts): Promise<number> {
  const { find, prepare } = hosts[name];
  find(process.env);
  await Promise.all([packageAll(), prepare(), obtainBrowser()]);
  const outcome = await runMocha(name, [`test/${name}/*.test.ts`], [], (text) => process.stdout.write(text));
  console.log(writeSummary([[name, outcome]], false));
  return outcome.failed.length > 0 ? 1 : 0;
}
