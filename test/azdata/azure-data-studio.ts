import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { azdataProviderVsix } from '../../tools/build/azdata-provider';
import { vsixFile } from '../../tools/build/vsix';
import { startSimulator, type RunningSimulator } from '../../tools/simulator';
import { findAzureDataStudio } from '../../tools/vscode/azure-data-studio';
import { openChannel } from '../e2e/channel';
import { startHost } from '../e2e/host';
import { storeConnection } from '../hosts/azdata-fake/connections';

/** The saved connection in the Connections viewlet: its id and the name of its row. */
export const seeded = { id: '11111111-2222-3333-4444-555555555555', name: 'reporting' } as const;

export type AzureDataStudio = Awaited<ReturnType<typeof startAzureDataStudio>>;

/**
 * A real Azure Data Studio in a page, with the product, a provider MSSQL, and one saved connection to a simulated server. It takes a minute and more.
 * @throws Refusal where the environment names no Azure Data Studio
 */
export async function startAzureDataStudio(simulatorArgs: readonly string[]) {
  const editor = findAzureDataStudio(process.env);
  const folder = mkdtempSync(join(tmpdir(), 'cph-azdata-'));
  const [channelFile, runsFile] = [join(folder, 'channel'), join(folder, 'runs')];
  const simulator = await startSimulator(simulatorArgs);
  const end = async (): Promise<void> => {
    await simulator.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const host = await startHost({
      editor,
      hasBrowserProfile: true,
      vsixFiles: [vsixFile, azdataProviderVsix],
      machineSettings: seedConnection(simulator),
      env: { AZDATA_PROVIDER_PASSWORD: simulator.password, AZDATA_PROVIDER_CHANNEL: channelFile, AZDATA_PROVIDER_RUNS: runsFile },
    });
    return {
      host,
      simulator,
      /** Questions about `azdata`, as another extension would ask them. */
      azdata: await openChannel(channelFile),
      /** Every text that the provider has sent to the server, in order. */
      readTextsRun: () => readLines(runsFile),
      /** A row of the tree of servers or of our pane. */
      row: (pane: 'Servers' | 'Checkpoint Health', text: string | RegExp): Locator =>
        host.page
          .locator('.sidebar .pane')
          .filter({ has: host.page.locator('.pane-header').getByText(pane, { exact: true }) })
          .locator('.monaco-list-row')
          .filter({ hasText: text })
          .first(),
      dispose: async (): Promise<void> => {
        await host.dispose();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function readLines(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as string);
}

/** The host reads saved connections from its settings, and their passwords from the provider of credentials. */
function seedConnection({ host, port, user }: RunningSimulator): Readonly<Record<string, unknown>> {
  const options = { encrypt: 'Mandatory', trustServerCertificate: true };
  const connection = storeConnection({ ...seeded, server: `${host},${port}`, user, options });
  return {
    // Otherwise a question about them stands in the way.
    'workbench.enablePreviewFeatures': true,
    'telemetry.telemetryLevel': 'off',
    'datasource.connectionGroups': [{ name: 'ROOT', id: connection.groupId }],
    'datasource.connections': [connection],
  };
}
