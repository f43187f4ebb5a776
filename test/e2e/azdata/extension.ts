/** Azure Data Studio in a VS Code, for tests: see README.md. */
import Module from 'node:module';
import * as vscode from 'vscode';
import { AzdataFake, executeOverTds, logInOverTds, type Reach } from '../../hosts/azdata-fake/azdata-fake';
import type { StoredConnection } from '../../hosts/azdata-fake/connections';
import { ServerRows } from './rows';

/** What the test that starts the host sets. */
export interface StandInEnvironment {
  readonly servers: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
  readonly password: string;
}

/** What a test may ask. */
export interface Observation {
  /** Documents of query editors, and the server that each is connected to; null: to none. */
  readonly scripts: readonly { readonly uri: string; readonly server: string | null }[];
}

export function activate(context: vscode.ExtensionContext): void {
  const environment = JSON.parse(
    process.env['AZDATA_STAND_IN'] ?? '{"servers": {}, "password": ""}',
  ) as StandInEnvironment;
  const reach: Reach = (name) => environment.servers[name] ?? { host: name, port: 1433 };
  const fake = new AzdataFake({
    settings,
    passwordOfAll: environment.password,
    logIn: logInOverTds(reach),
    execute: executeOverTds(reach),
    show: showDocument,
    display: { decimalMark: ',', bits: 'True' },
  });
  provide(fake);
  const rows = new ServerRows(fake);
  context.subscriptions.push(
    vscode.window.registerTreeDataProvider('dataExplorer.servers', rows),
    vscode.commands.registerCommand('azdata.standIn.observe', () => observe(fake)),
    vscode.workspace.onDidChangeConfiguration(
      (change) => change.affectsConfiguration('datasource') && rows.refresh(),
    ),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => fake.connections.disconnect(uri.toString())),
  );
}

/** Whoever asks for the module `azdata` from now on gets the fake. */
function provide({ azdata }: AzdataFake): void {
  const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
  const load = loader._load;
  loader._load = function (this: unknown, name, ...rest) {
    return name === 'azdata' ? azdata : load.call(this, name, ...rest);
  };
}

/** Saved connections as the settings have them now. */
const settings = {
  get user() {
    return inspect()?.globalValue;
  },
  get workspace() {
    return inspect()?.workspaceValue;
  },
};

function inspect(): { globalValue?: StoredConnection[]; workspaceValue?: StoredConnection[] } | undefined {
  return vscode.workspace.getConfiguration('datasource').inspect<StoredConnection[]>('connections');
}

async function showDocument(content: string): Promise<string> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await vscode.window.showTextDocument(document, { preview: false });
  return document.uri.toString();
}

function observe({ editors }: AzdataFake): Observation {
  return {
    scripts: editors.opened.map(({ uri }) => ({ uri, server: editors.connectedTo(uri) })),
  };
}
