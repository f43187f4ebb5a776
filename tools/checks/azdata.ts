import { obtainBrowser } from '../browser/browser';
import { packageAzdataProvider } from '../build/azdata-provider';
import { packageAll } from '../build/vsix';
import { findAzureDataStudio } from '../vscode/azure-data-studio';
import { runMocha } from './commands';
import { writeSummary } from './outcome';

/** Runs the tests in a real Azure Data Studio, against the simulator. @throws Refusal where the environment names none: nothing was run, which is not a success */
export async function runAzdata(): Promise<number> {
  findAzureDataStudio(process.env);
  await Promise.all([packageAll(), packageAzdataProvider(), obtainBrowser()]);
  const outcome = await runMocha('azdata', ['test/azdata/*.test.ts'], [], (text) => process.stdout.write(text));
  console.log(writeSummary([['azdata', outcome]], false));
  return outcome.failed.length > 0 ? 1 : 0;
}
