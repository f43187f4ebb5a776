/** What of VS Code the adapter asks, beside the fake of azdata. */
import type { AzdataWorld } from '../../../src/hosts/azdata/world';
import type { AzdataFake } from './azdata-fake';

export interface EditorFake {
  readonly vscode: AzdataWorld['vscode'];
  readonly warnings: string[];
  readonly commands: string[];
  isTrusted: boolean;
  /** `mssql.query`. */
  readonly querySettings: Record<string, unknown>;
  /** `datasource.connectionGroups` of the user. */
  groups: unknown;
  extensions: { readonly id: string; readonly packageJSON: object; activate(): Promise<unknown> }[];
  /** As if the setting `datasource.connections` was written. */
  changeSettings(section?: string): void;
  trust(): void;
  changeExtensions(): void;
}

export function createEditorFake(host: AzdataFake): EditorFake {
  const { settings } = host;
  const [configuration, trust, extensions] = [createEvent<(section: string) => boolean>(), createEvent<void>(), createEvent<void>()];
  const fake: Omit<EditorFake, 'vscode'> = {
    warnings: [],
    commands: [],
    isTrusted: true,
    querySettings: {},
    groups: undefined,
    extensions: [
      { id: 'vscode.git', packageJSON: {}, activate: async () => undefined },
      {
        id: 'Microsoft.mssql',
        packageJSON: { version: '1.47.0', contributes: { connectionProvider: { providerId: 'MSSQL' } } },
        activate: async () => (host.hasProvider = true),
      },
    ],
    changeSettings: (section = 'datasource') => configuration.fire((asked) => section.startsWith(asked)),
    trust: () => {
      fake.isTrusted = true;
      trust.fire();
    },
    changeExtensions: () => extensions.fire(),
  };
  const vscode = {
    workspace: {
      get isTrusted() {
        return fake.isTrusted;
      },
      getConfiguration: () => ({
        inspect: (name: string) =>
          name === 'connectionGroups'
            ? { key: '', globalValue: fake.groups, workspaceValue: undefined }
            : { key: '', globalValue: settings.user, workspaceValue: settings.workspace },
        get: (name: string) => fake.querySettings[name],
      }),
      onDidChangeConfiguration: configuration.on((affects, listener) => listener({ affectsConfiguration: affects })),
      onDidGrantWorkspaceTrust: trust.on((_, listener) => listener(undefined)),
    },
    window: { showWarningMessage: async (sentence: string) => void fake.warnings.push(sentence) },
    commands: { executeCommand: async (command: string) => void fake.commands.push(command) },
    extensions: {
      get all() {
        return fake.extensions;
      },
      onDidChange: extensions.on((_, listener) => listener(undefined)),
    },
  };
  return Object.assign(fake, { vscode: vscode as unknown as AzdataWorld['vscode'] });
}

type Heard = (value: never) => void;

function createEvent<T>(): {
  fire(value: T): void;
  on(tell: (value: T, listener: (given: unknown) => void) => void): (listener: Heard) => { dispose(): void };
} {
  const heard = new Set<(value: T) => void>();
  return {
    fire: (value) => heard.forEach((listener) => listener(value)),
    on: (tell) => (listener) => {
      const own = (value: T): void => tell(value, listener as (given: unknown) => void);
      heard.add(own);
      return { dispose: () => heard.delete(own) };
    },
  };
}
