import assert from 'node:assert/strict';
import { installMssql } from '../../tools/vscode/mssql';
import { appears, eventually } from '../e2e/eventually';
import type { Host } from '../e2e/host';
import { describeStory } from '../e2e/story';
import {
  approve,
  describeConnection,
  mssqlRows,
  openMssqlPane,
  ourRows,
  saveConnections,
  startMssql,
  typePassword,
} from '../e2e/mssql/way';
import type { Way } from '../e2e/ways/way';

const serverName = 'PROD-SQL07';
const id = '11111111-2222-3333-4444-555555555555';

/** Id of the connection of the editor in front, as the extension tells it to ours, which may ask. */
function readConnectionOfEditor(host: Host): Promise<string | null> {
  return host.runCommandById(
    'mssql.connectionSharing.getActiveEditorConnectionId',
    'checkpoint-health.checkpoint-health',
  );
}

/** The connections of the SQL Server extension that the environment names, as it is published. */
const realMssql: Way = {
  name: "by the unmodified SQL Server extension's connection",
  short: 'real-mssql',
  vsixFiles: async () => [(await installMssql(process.env)).vsix],
  host: async () => {
    const { editor, env, completeExtensions } = await installMssql(process.env);
    const machineSettings = { 'telemetry.telemetryLevel': 'off' };
    return { editor, env, completeExtensions, machineSettings, hasBrowserProfile: true };
  },
  serverName,
  openPane: async (host, simulator) => {
    host.paneTitle = 'Checkpoint Health';
    // In the group that it gives to profiles of none.
    await saveConnections(host, [
      { ...describeConnection(id, serverName, simulator), groupId: 'ROOT', savePassword: true },
    ]);
    await openMssqlPane(host);
    await startMssql(host);
    await mssqlRows(host, serverName).waitFor();
    // After installing, most versions open a page of their news: a second webview.
    await appears(host.page.locator('.editor-group-container .tab').first(), 30_000);
    await host.runCommandById('workbench.action.closeAllEditors');
    await host.takeContextMenuItem(mssqlRows(host, serverName), 'Show Checkpoint Health');
    await approve(host);
    await typePassword(host, simulator.administrator.password);
    // The row below it names the server too, as long as the password is waited for.
    await ourRows(host, serverName).first().waitFor();
  },
  connectsScripts: true,
  connectedTo: async (host) => {
    // It is connected once it is on screen.
    await eventually(async () => assert.equal(await readConnectionOfEditor(host), id));
    return serverName;
  },
};

describeStory(realMssql);
