/**
 * Azure Data Studio 1.47 as far as this product asks it, typed by @types/azdata. It is built on the recordings beside
 * it and on the host's own source, and has the quirks of docs/facts.md, Hosts 2 and 3: an id that is not in use is
 * ignored, rows are display text, a login of its own for each query, one result set.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as azdata from 'azdata';
import type { Azdata, AzdataWorld } from '../../../src/hosts/azdata/world';
import type { Display } from '../../azdata/provider/cells';
import { type ResultSet, withLogin } from '../../azdata/provider/login';
import { NO_RESULTS, showSet, withQueryLogin } from '../../azdata/provider/simple-execute';
import { Emitter } from '../../emitter';
import * as profiles from './connections';
import {
  copyProfile,
  type HostProfile,
  LoginRefused,
  type LogIn,
  storeConnection,
  withoutPassword,
  writeUri,
} from './connections';

/**
 * What a real Azure Data Studio 1.47 handed over (VS Code 1.79.2, Node 16.17.1, a stand-in for its provider MSSQL).
 * `serverCapabilities` is cut, and `database-row-argument` was put together from the observed keys. The password `pw`
 * is the host's doing: it must not be found anywhere afterwards.
 */
type RecordingName =
  | 'server-row-argument'
  | 'database-row-argument'
  | 'dashboard-toolbar-argument'
  | 'connection-events'
  | 'run-query-and-return';

/** A recording, read again each time: whoever gets it may change it. */
export function readRecording<T = unknown>(name: RecordingName): T {
  return JSON.parse(readFileSync(join(__dirname, 'recordings', `${name}.json`), 'utf8')) as T;
}

/** The id and the password of the connection that was recorded. */
export const recordedId = '11111111-2222-3333-4444-555555555555';
export const recordedPassword = 'pw';

export const setOf = (names: readonly string[], rows: ResultSet['rows']): ResultSet => ({
  columns: names.map((colName) => ({ colName, type: { name: 'nvarchar' } })),
  rows,
});

/**
 * What the server gives for one text, run on a login of its own; result sets that came before an error are given with
 * it.
 */
type Execute = (
  profile: HostProfile,
  text: string,
) => Promise<{ readonly sets: readonly ResultSet[]; readonly error?: string | undefined }>;

export interface AzdataFakeOptions {
  /** In the user's settings. */
  readonly saved?: readonly profiles.ConnectionToStore[];
  /** In the settings of the workspace that is open. */
  readonly workspace?: readonly profiles.ConnectionToStore[];
  /** Instead of both: settings that somebody else keeps. */
  readonly settings?: AzdataFake['settings'];
  /** Saved passwords, by the connection's id. */
  readonly passwords?: Readonly<Record<string, string>>;
  /** The saved password of every other connection. */
  readonly passwordOfAll?: string;
  readonly logIn?: LogIn;
  readonly execute?: Execute;
  /** Shows a text in an unsaved SQL document and gives its URI. */
  readonly show?: (content: string) => Promise<string>;
  /** Older services have no invariant text. */
  readonly display?: Partial<Display & { readonly hasInvariantText: boolean }>;
}

/** What the user does with the connection dialog: connects with these options, or closes it. */
export type Dialog = (
  initial: azdata.IConnectionProfile | undefined,
) => Readonly<Record<string, unknown>> | null;

export class AzdataFake {
  readonly azdata: Azdata;
  readonly connections: profiles.HostConnections;
  readonly queries: HostQueries;
  readonly editors: HostEditors;
  /** Settings, in a form that a test may change. */
  readonly settings: {
    user?: profiles.StoredConnection[] | undefined;
    workspace?: profiles.StoredConnection[] | undefined;
  };
  /** Used once and saved nowhere. */
  readonly recent: profiles.StoredConnection[] = [];
  /** What was handed to `connect`, passwords included. */
  readonly connected: azdata.IConnectionProfile[] = [];
  /** Opened by `connect`. */
  readonly dashboards: string[] = [];
  dialog: Dialog = () => null;
  /** False: the extension that provides MSSQL has not registered anything yet; what is connected then waits for it. */
  hasProvider = true;
  /**
   * False: the host has not read the manifest of that extension yet, as for some seconds after a window was loaded;
   * then it names no server.
   */
  hasCapabilities = true;

  constructor(private readonly options: AzdataFakeOptions = {}) {
    const { saved = [], workspace } = options;
    this.connections = new profiles.HostConnections(options.logIn ?? acceptPassword(options.passwords ?? {}));
    const queries = (this.queries = new HostQueries(this.connections, options));
    const editors = (this.editors = new HostEditors(this.connections, options.show));
    this.settings = options.settings ?? {
      user: saved.map(storeConnection),
      workspace: workspace?.map(storeConnection),
    };
    const provider = { providerId: 'MSSQL', runQueryAndReturn: queries.runQueryAndReturn };
    const getProvider = (id: string): unknown => (this.hasProvider && id === 'MSSQL' ? provider : undefined);
    this.azdata = {
      version: '1.47.0',
      connection: createConnectionApi(this),
      dataprotocol: { getProvider: getProvider as Azdata['dataprotocol']['getProvider'] },
      queryeditor: { openQueryDocument: editors.openQueryDocument, connect: editors.connect },
      DataProviderType: { QueryProvider: 'QueryProvider' } as unknown as Azdata['DataProviderType'],
    };
  }

  known(): readonly HostProfile[] {
    const { user = [], workspace = [] } = this.settings;
    // In use, used recently, saved (connectionManagementService.ts, getConnections).
    return profiles.eachOnce([
      ...this.connections.active(),
      ...[...this.recent, ...user, ...workspace].map(profiles.readStored),
    ]);
  }

  readonly find = (id: string): HostProfile => {
    const profile = this.known().find((one) => one.id === id);
    if (profile === undefined) throw new Error(`no connection ${id}`);
    const { passwords, passwordOfAll = '' } = this.options;
    return copyProfile(profile, {
      options: { password: profile.options['password'] || passwords?.[id] || passwordOfAll },
    });
  };
}

/** `azdata.connection` over the connections of a fake. */
function createConnectionApi(fake: AzdataFake): Azdata['connection'] {
  return {
    getConnections: async (activeOnly) =>
      (activeOnly === true ? fake.connections.active() : fake.known()).map((profile) =>
        profiles.toConnectionProfile(withoutPassword(profile), fake.hasCapabilities),
      ),
    getConnection: async (uri) => {
      const profile = fake.connections.find(uri);
      return profile && profiles.toConnectionProfile(profile);
    },
    getCredentials: async (id) =>
      fake.known().some((one) => one.id === id)
        ? { password: String(fake.find(id).options['password']) }
        : undefined,
    getUriForConnection: async (id) => fake.connections.findUri(id),
    connect: async (given, save = true, showDashboard = true) => {
      fake.connected.push(given);
      if (!fake.hasProvider || !fake.hasCapabilities) return new Promise(() => undefined);
      const profile = copyProfile(profiles.readGiven(given), { id: randomUUID() });
      const result = await fake.connections.connect(profile, writeUri(profile));
      if (save) fake.settings.user?.push(withoutPassword(profile));
      if (showDashboard) fake.dashboards.push(profile.id);
      return result;
    },
    openConnectionDialog: async (_providers, initial) => {
      const chosen = fake.dialog(initial);
      if (chosen === null || initial === undefined) return undefined;
      const profile = copyProfile(profiles.readGiven(initial), { options: { ...chosen } });
      const { id: connectionId, providerName } = profile;
      const { connected } = await fake.connections.connect(profile, writeUri(profile));
      return connected
        ? { connectionId, providerName, options: withoutPassword(profile).options }
        : undefined;
    },
    registerConnectionEventListener: (listener) => fake.connections.listen(listener),
  } as Azdata['connection'];
}

/** SQL Server's own refusal of a wrong password, with the database that the login gets. */
function acceptPassword(passwords: Readonly<Record<string, string>>): LogIn {
  return async ({ options }) => {
    if (Object.values(passwords).includes(String(options['password'])))
      return String(options['database'] || 'master');
    throw new LoginRefused(`Login failed for user '${String(options['user'])}'.`, 18456);
  };
}

/**
 * `runQueryAndReturn` as SQL Tools Service answers it: a login of its own for each text, and the first result set of
 * its first batch.
 */
class HostQueries {
  readonly asked: { readonly uri: string; readonly server: string; readonly text: string }[] = [];
  /** What the user's settings run at the beginning of each login of his; it reaches our texts too. */
  userSettings = '';
  /** Answers no more: what is asked stays open for ever. */
  isStuck = false;
  /** Newer services say what SQL Server said where there is no result. */
  saysErrors = false;

  constructor(
    private readonly connections: profiles.HostConnections,
    private readonly options: AzdataFakeOptions,
  ) {}

  readonly runQueryAndReturn = async (uri: string, text: string): Promise<azdata.SimpleExecuteResult> => {
    const profile = this.connections.find(uri);
    if (profile === undefined) throw new Error('SpecifiedUri does not have existing connection');
    this.asked.push({ uri, server: String(profile.options['server']), text });
    if (this.isStuck) return new Promise(() => undefined);
    const { execute, display } = this.options;
    const { sets, error } = (await execute?.(profile, `${this.userSettings}${text}`)) ?? {
      sets: [],
      error: undefined,
    };
    const [first] = sets;
    if (first === undefined) throw new Error(error !== undefined && this.saysErrors ? error : NO_RESULTS);
    const { hasInvariantText = true, ...shown } = {
      decimalMark: '.',
      bits: '1',
      maxChars: 65_535,
      ...display,
    } as const;
    const answer = showSet(first, shown) as azdata.SimpleExecuteResult;
    if (!hasInvariantText)
      for (const cell of answer.rows.flat()) Reflect.deleteProperty(cell, 'invariantCultureDisplayValue');
    return answer;
  };
}

/** Query editors, after mainThreadQueryEditor.ts. */
class HostEditors {
  readonly opened: { readonly uri: string; readonly content: string }[] = [];
  /** `connect` of an editor never ends, as that of a document may not. */
  isStuck = false;

  constructor(
    private readonly connections: profiles.HostConnections,
    private readonly show: AzdataFakeOptions['show'],
  ) {}

  readonly openQueryDocument = async (
    options?: { content?: string },
    providerId = 'MSSQL',
  ): Promise<azdata.queryeditor.QueryDocument> => {
    const content = options?.content ?? '';
    const uri = (await this.show?.(content)) ?? `untitled:SQLQuery_${this.opened.length + 1}`;
    this.opened.push({ uri, content });
    return { uri, providerId } as azdata.queryeditor.QueryDocument;
  };

  /** An id that is not in use is ignored, and a login that fails is not told of. */
  readonly connect = async (uri: string, id: string): Promise<void> => {
    if (this.isStuck) return new Promise(() => undefined);
    const profile = this.connections.active().find((one) => one.id === id);
    if (profile !== undefined) await this.connections.connect(profile, uri);
  };

  /** Where the script is connected to; null where it is not. */
  connectedTo(uri: string): string | null {
    const server = this.connections.find(uri)?.options['server'];
    return typeof server === 'string' ? server : null;
  }
}

/** What of VS Code the adapter asks, beside the module `azdata`. */
export function createEditorFake(host: AzdataFake) {
  const [configuration, trust, extensions] = [new Emitter<object>(), new Emitter(), new Emitter()];
  const provided = { version: '1.47.0', contributes: { connectionProvider: { providerId: 'MSSQL' } } };
  const fake = {
    warnings: [] as string[],
    commands: [] as string[],
    isTrusted: true,
    /** `mssql.query`. */
    querySettings: {} as Record<string, unknown>,
    /** `datasource.connectionGroups` of the user. */
    groups: undefined as unknown,
    extensions: [
      { id: 'vscode.git', packageJSON: {}, activate: async (): Promise<unknown> => undefined },
      {
        id: 'Microsoft.mssql',
        packageJSON: provided,
        activate: async (): Promise<unknown> => (host.hasProvider = true),
      },
    ],
    /** As if a setting was written. */
    changeSettings: (section: string) =>
      configuration.fire({ affectsConfiguration: (asked: string) => section.startsWith(asked) }),
    trust: () => {
      fake.isTrusted = true;
      trust.fire();
    },
    changeExtensions: extensions.fire,
  };
  const { settings } = host;
  const inspect = (name: string): object =>
    name === 'connectionGroups'
      ? { globalValue: fake.groups }
      : { globalValue: settings.user, workspaceValue: settings.workspace };
  const vscode = {
    workspace: {
      get isTrusted() {
        return fake.isTrusted;
      },
      getConfiguration: () => ({ inspect, get: (name: string) => fake.querySettings[name] }),
      onDidChangeConfiguration: configuration.event,
      onDidGrantWorkspaceTrust: trust.event,
    },
    window: { showWarningMessage: async (sentence: string) => void fake.warnings.push(sentence) },
    commands: { executeCommand: async (command: string) => void fake.commands.push(command) },
    extensions: {
      get all() {
        return fake.extensions;
      },
      onDidChange: extensions.event,
    },
  };
  return Object.assign(fake, { vscode: vscode as unknown as AzdataWorld['vscode'] });
}

/** Where a server of this name listens; the name may be any. */
export type Reach = (serverName: string) => { readonly host: string; readonly port: number };

function locate({ options }: HostProfile, reach: Reach): { options: Record<string, unknown> } {
  const { host, port } = reach(String(options['server']));
  return { options: { ...options, server: `${host},${port}` } };
}

/**
 * Behind the fake a server that speaks TDS. The number is that of SQL Server's refusal; tedious itself only says that
 * the login failed.
 */
export function logInOverTds(reach: Reach): LogIn {
  return (profile) =>
    withLogin(locate(profile, reach), async (run) =>
      String((await run('SELECT DB_NAME();')).sets[0]?.rows[0]?.[0]),
    ).catch(({ message, code, number }: Error & { code?: string; number?: number }) => {
      throw new LoginRefused(message, number ?? (code === 'ELOGIN' ? 18456 : -1));
    });
}

/** Each text on a login of its own, as SQL Tools Service does it. */
export function executeOverTds(reach: Reach): Execute {
  return (profile, text) =>
    withQueryLogin(locate(profile, reach), async (run) => {
      const { sets, messages } = await run(text);
      return { sets, error: messages.find(({ isError }) => isError)?.text };
    });
}
