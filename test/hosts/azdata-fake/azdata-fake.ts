/**
 * Azure Data Studio 1.47 as far as this product asks it, typed by @types/azdata. It is built on the recordings beside it and on the host's own source, and has
 * the quirks of docs/facts.md, Hosts 2 and 3: an id that is not in use is ignored, rows are display text, a login of its own for each query, one result set.
 */
import { randomUUID } from 'node:crypto';
import type * as azdata from 'azdata';
import type { Azdata } from '../../../src/hosts/azdata/world';
import { HostConnections, LoginRefused, type LogIn } from './connections';
import { HostEditors, type ShowDocument } from './editors';
import type { Display } from './cells';
import {
  copyProfile,
  readGiven,
  readStored,
  storeConnection,
  toConnectionProfile,
  withoutPassword,
  writeUri,
  type ConnectionToStore,
  type HostProfile,
  type StoredConnection,
} from './profile';
import { HostQueries, type Execute } from './queries';

export interface AzdataFakeOptions {
  /** In the user's settings. */
  readonly saved?: readonly ConnectionToStore[];
  /** In the settings of the workspace that is open. */
  readonly workspace?: readonly ConnectionToStore[];
  /** Instead of both: settings that somebody else keeps. */
  readonly settings?: AzdataFake['settings'];
  /** Saved passwords, by the connection's id. */
  readonly passwords?: Readonly<Record<string, string>>;
  /** The saved password of every other connection. */
  readonly passwordOfAll?: string;
  readonly logIn?: LogIn;
  readonly execute?: Execute;
  readonly show?: ShowDocument;
  readonly display?: Partial<Display>;
}

/** What the user does with the connection dialog: connects with these options, or closes it. */
export type Dialog = (initial: azdata.IConnectionProfile | undefined) => Readonly<Record<string, unknown>> | null;

export interface AzdataFake {
  readonly azdata: Azdata;
  readonly connections: HostConnections;
  readonly queries: HostQueries;
  readonly editors: HostEditors;
  /** Settings, in a form that a test may change. */
  readonly settings: { user?: StoredConnection[] | undefined; workspace?: StoredConnection[] | undefined };
  /** Used once and saved nowhere. */
  readonly recent: StoredConnection[];
  /** What was handed to `connect`, passwords included. */
  readonly connected: azdata.IConnectionProfile[];
  /** Opened by `connect`. */
  readonly dashboards: string[];
  dialog: Dialog;
  /** False: the extension that provides MSSQL has not registered anything yet; what is connected then waits for it. */
  hasProvider: boolean;
  /** False: the host has not read the manifest of that extension yet, as for some seconds after a window was loaded; then it names no server. */
  hasCapabilities: boolean;
  find(id: string): HostProfile;
}

export function createAzdataFake(options: AzdataFakeOptions = {}): AzdataFake {
  const { saved = [], workspace, passwords = {}, logIn = acceptPassword(passwords), execute = answerNothing, show, display } = options;
  const connections = new HostConnections(logIn);
  const queries = new HostQueries(connections, execute, { decimalMark: '.', bits: '1', hasInvariantText: true, ...display });
  const editors = new HostEditors(connections, show);
  const fake: Omit<AzdataFake, 'azdata' | 'find'> & { azdata?: Azdata; find?: AzdataFake['find'] } = {
    connections,
    queries,
    editors,
    settings: options.settings ?? { user: saved.map(storeConnection), workspace: workspace?.map(storeConnection) },
    recent: [],
    connected: [],
    dashboards: [],
    dialog: () => null,
    hasProvider: true,
    hasCapabilities: true,
  };
  const known = (): readonly HostProfile[] =>
    listKnown(connections, [...fake.recent, ...(fake.settings.user ?? []), ...(fake.settings.workspace ?? [])]);
  const find = (id: string): HostProfile => {
    const profile = known().find((one) => one.id === id);
    if (profile === undefined) throw new Error(`no connection ${id}`);
    return copyProfile(profile, { options: { password: profile.options['password'] || passwords[id] || options.passwordOfAll || '' } });
  };
  const connection = {
    getConnections: async (activeOnly) =>
      (activeOnly === true ? connections.active() : known()).map((profile) =>
        toConnectionProfile(withoutPassword(profile), fake.hasCapabilities),
      ),
    getConnection: async (uri) => {
      const profile = connections.find(uri);
      return profile && toConnectionProfile(profile);
    },
    getCredentials: async (id) => (known().some((one) => one.id === id) ? { password: String(find(id).options['password']) } : undefined),
    getUriForConnection: async (id) => connections.findUri(id),
    connect: async (given, save = true, showDashboard = true) => {
      fake.connected.push(given);
      if (!fake.hasProvider || !fake.hasCapabilities) return new Promise(() => undefined);
      const profile = copyProfile(readGiven(given), { id: randomUUID() });
      const result = await connections.connect(profile, writeUri(profile));
      if (save) fake.settings.user?.push(withoutPassword(profile));
      if (showDashboard) fake.dashboards.push(profile.id);
      return result;
    },
    openConnectionDialog: async (_providers, initial) => openDialog(connections, fake.dialog(initial), initial),
    registerConnectionEventListener: (listener) => connections.listen(listener),
  } as Azdata['connection'];
  const provider = { providerId: 'MSSQL', runQueryAndReturn: queries.runQueryAndReturn };
  return Object.assign(fake, {
    find,
    azdata: {
      version: '1.47.0',
      connection,
      dataprotocol: {
        getProvider: ((id: string) => (fake.hasProvider && id === 'MSSQL' ? provider : undefined)) as Azdata['dataprotocol']['getProvider'],
      },
      queryeditor: { openQueryDocument: editors.openQueryDocument, connect: editors.connect },
      DataProviderType: { QueryProvider: 'QueryProvider' } as unknown as Azdata['DataProviderType'],
    },
  });
}

/** In use, used recently, saved; each id once (connectionManagementService.ts, getConnections). */
function listKnown(connections: HostConnections, stored: readonly StoredConnection[]): readonly HostProfile[] {
  const known = [...connections.active()];
  for (const profile of stored.map(readStored)) if (!known.some(({ id }) => id === profile.id)) known.push(profile);
  return known;
}

async function openDialog(
  connections: HostConnections,
  chosen: Readonly<Record<string, unknown>> | null,
  initial: azdata.IConnectionProfile | undefined,
): Promise<azdata.connection.Connection | undefined> {
  if (chosen === null || initial === undefined) return undefined;
  const given = readGiven(initial);
  const profile = copyProfile(given, { options: { ...given.options, ...chosen } });
  const { connected } = await connections.connect(profile, writeUri(profile));
  return connected
    ? { connectionId: profile.id, providerName: profile.providerName, options: withoutPassword(profile).options }
    : undefined;
}

/** SQL Server's own refusal of a wrong password, with the database that the login gets. */
function acceptPassword(passwords: Readonly<Record<string, string>>): LogIn {
  return async ({ options }) => {
    if (!Object.values(passwords).includes(String(options['password']))) {
      throw new LoginRefused(`Login failed for user '${String(options['user'])}'.`, 18456);
    }
    return String(options['database'] || 'master');
  };
}

const answerNothing: Execute = async () => ({ sets: [] });
