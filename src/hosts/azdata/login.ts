/** Finds a connection of Azure Data Studio to use: the user's own if it is connected, else one of ours beside it. */
import type * as azdata from 'azdata';
import type { HostServer, Opening } from '../host';
import {
  connectionId,
  isSameName,
  mayShowFirewall,
  needsPassword,
  needsSignIn,
  readAzdataProfile,
  type AzdataProfile,
} from './profile';
import {
  explainClosed,
  explainConnectError,
  explainConnectFailure,
  explainMoved,
  explainNoConnection,
  explainNoProvider,
  explainOtherServer,
  explainSilence,
  explainUntrusted,
} from './errors';
import type { AzdataServers } from './servers';
import { waitFor } from '../waiting';
import { findQueryProvider, listProviderExtensions, MSSQL, type AzdataWorld } from './world';
import { t } from '../../core/language';

/**
 * The name of our connections in sys.dm_exec_sessions. It also keeps them apart from the user's. The host knows a
 * connection by its options, and a second one with the same options replaces the first; the first one's row in the tree
 * then waits for ever when it is opened (connectionStatusManager.ts, addConnection; treeUpdateUtils.ts,
 * getAsyncConnectionNodeChildren).
 */
const APPLICATION_NAME = 'Checkpoint Health';

/** Our own choice: longer than a login takes, even if the host asks whether to trust a certificate. */
const PATIENCE_MS = 120_000;

const LOOK_AGAIN_MS = 200;

/** What connecting calls before it logs in or asks the user. */
type LoginOpening = Pick<Opening, 'turn' | 'askUser'>;

/** For work that the user has just asked for by a click, such as connecting a script. */
export const clicked: LoginOpening = { turn: () => Promise.resolve(), askUser: (_what, ask) => ask() };

export class AzdataLogin {
  private readonly opening = new Map<string, Promise<string>>();
  /** Connections in use whose last query could not log in. Only connecting again shows whether they still work. */
  private readonly doubtful = new Set<string>();
  /** Called when an attempt to connect has ended, with or without success. */
  onDone: () => void = () => undefined;

  constructor(
    private readonly world: AzdataWorld,
    private readonly servers: AzdataServers,
  ) {}

  /** True while we connect: an event of the host may then come from us. */
  get isBusy(): boolean {
    return this.opening.size > 0;
  }

  /**
   * The id of a connection in use. Connects first if there is none.
   * @param opening decides whether to log in and to ask the user @throws ConnectionError
   */
  async open(server: HostServer, opening: LoginOpening): Promise<string> {
    const id = connectionId(server.id);
    const known = this.servers.find(id);
    if (known !== null && this.servers.isForbidden(known)) throw explainUntrusted(server);
    const inUse = await this.findInUse(server, id);
    if (inUse !== null) return inUse;
    return this.opening.get(id) ?? this.start(server, id, opening);
  }

  /** It is no longer waited for: a dialog that the host never closes must not block the next attempt. */
  abandon(server: HostServer): void {
    this.opening.delete(connectionId(server.id));
  }

  /** A query on this connection could not log in. */
  doubt(id: string): void {
    this.doubtful.add(id);
  }

  /** The user connected it. */
  trust(id: string): void {
    this.doubtful.delete(id);
  }

  /**
   * The URI that queries are sent to. null if that connection is not in use any more, or leads elsewhere because the
   * user edited it.
   */
  async findUri(server: HostServer, id: string): Promise<string | null> {
    const { connection } = this.world.azdata;
    const uri = (await connection.getUriForConnection(id)) as string | undefined;
    // A query editor has a connection of its own under the same id. It ends with the editor, and its database is the
    // editor's.
    if (uri === undefined || !uri.startsWith('connection:')) return null;
    const made = (await connection.getConnection(uri)) as { readonly serverName: string } | undefined;
    return made !== undefined && isSameName(made.serverName, server.server) ? uri : null;
  }

  /** Keeps the attempt, so that no second one starts: in the host, two at once would replace each other. */
  private start(server: HostServer, id: string, given: LoginOpening): Promise<string> {
    const opening: Promise<string> = this.connect(server, id, given).finally(() => {
      if (this.opening.get(id) === opening) this.opening.delete(id);
      this.onDone();
    });
    this.opening.set(id, opening);
    return opening;
  }

  private async findInUse(server: HostServer, id: string): Promise<string | null> {
    for (const one of [id, this.servers.ours.get(id)])
      if (one !== undefined && !this.doubtful.has(one) && (await this.findUri(server, one)) !== null)
        return one;
    return null;
  }

  private async connect(server: HostServer, id: string, opening: LoginOpening): Promise<string> {
    const found = await this.findReady(server, id);
    await this.requireProvider(server);
    const profile = readAzdataProfile(found) ?? this.servers.find(id);
    if (profile === null) throw explainNoConnection(server);
    if (this.servers.isForbidden(profile)) throw explainUntrusted(server);
    if (!isSameName(profile.serverName, server.server)) throw explainMoved(server);
    const password = found === undefined ? undefined : await this.readPassword(id);
    const live = await this.logIn(
      server,
      profile,
      { options: found?.options, password: password ?? '' },
      opening,
    );
    this.doubtful.delete(live);
    if (live !== id) this.servers.ours.set(id, live);
    return live;
  }

  /** Logs in. Without a saved password the host's dialog does it, each time the user types a password. */
  private async logIn(
    server: HostServer,
    profile: AzdataProfile,
    {
      options,
      password,
    }: { readonly options: Readonly<Record<string, unknown>> | undefined; readonly password: string },
    opening: LoginOpening,
  ): Promise<string> {
    const connect = async (): Promise<string> => {
      await opening.turn();
      return this.connectSilently(server, createProfile(profile, options, password));
    };
    if (needsPassword(profile) && password === '')
      return opening.askUser(
        t('the password of {0} on {1}, in the dialog of Azure Data Studio', profile.userName, server.name),
        () => this.ask(server, profile),
      );
    if (needsSignIn(profile))
      return opening.askUser(t('a sign-in to {0} by Azure Data Studio', server.name), connect);
    return mayShowFirewall(profile)
      ? opening.askUser(
          t('a login to {0}: Azure Data Studio may ask about its firewall', server.name),
          connect,
        )
      : connect();
  }

  /**
   * Soon after a window is loaded, the host does not know the options of a SQL Server connection yet: its profile names
   * no server, and what we hand over loses its options (connectionProviderExtension.ts handles manifests in the phase
   * Restored; providerConnectionInfo.ts).
   */
  private async findReady(
    server: HostServer,
    id: string,
  ): Promise<azdata.connection.ConnectionProfile | undefined> {
    const { timeoutMs, onTimeout } = this.patience(server);
    const deadlineMs = Date.now() + timeoutMs;
    for (;;) {
      const found = (await this.world.azdata.connection.getConnections(false)).find(
        ({ connectionId }) => connectionId === id,
      );
      if (found === undefined || (found.serverName as string | undefined)) return found;
      if (Date.now() > deadlineMs) throw onTimeout();
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  /**
   * If the host does not have a provider, asking for it opens a dialog over everything. If the provider is not active
   * yet, as after a reload, the host may wait for ever. So may an extension that downloads its service first.
   */
  private async requireProvider(server: HostServer): Promise<void> {
    if (findQueryProvider(this.world) !== undefined) return;
    const extensions = listProviderExtensions(this.world);
    if (extensions.length === 0) throw explainNoProvider();
    await waitFor(Promise.all(extensions.map((extension) => extension.activate())), this.patience(server));
  }

  private patience(server: HostServer) {
    const timeoutMs = this.world.connectPatienceMs ?? PATIENCE_MS;
    const onTimeout = (): Error => explainSilence(server, timeoutMs);
    return { timeoutMs, onTimeout, onAbort: onTimeout };
  }

  private async connectSilently(server: HostServer, profile: azdata.IConnectionProfile): Promise<string> {
    const asked = this.world.azdata.connection.connect(profile, false, false);
    const result = await waitFor(asked, this.patience(server)).then(
      (answer) => answer as azdata.ConnectionResult | undefined,
      (error) => {
        throw explainConnectError(server, error, [profile.password]);
      },
    );
    if (result?.connected === true && result.connectionId) return result.connectionId;
    throw explainConnectFailure(server, result, [profile.password]);
  }

  /** Opens the host's own dialog, for a login without a saved password. */
  private async ask(server: HostServer, profile: AzdataProfile): Promise<string> {
    const options = {
      saveConnection: false,
      showDashboard: false,
      showConnectionDialogOnError: true,
      showFirewallRuleOnError: true,
    };
    const made = await this.world.azdata.connection
      .openConnectionDialog([MSSQL], createProfile(profile, undefined, ''), options)
      .then(
        (answer) => answer as azdata.connection.Connection | undefined,
        (error) => {
          throw explainConnectError(server, error);
        },
      );
    if (made === undefined) throw explainClosed(server);
    const address: unknown = (made.options as Record<string, unknown> | undefined)?.['server'];
    if (typeof address === 'string' && !isSameName(address, profile.serverName))
      throw explainOtherServer(server);
    return made.connectionId;
  }

  private async readPassword(id: string): Promise<string | undefined> {
    const credentials = (await this.world.azdata.connection.getCredentials(id)) as
      | Record<string, string>
      | undefined;
    return credentials?.['password'];
  }
}

/** What the host connects with. We make it for this moment and keep nothing; the host saves nothing of it. */
function createProfile(
  profile: AzdataProfile,
  options: Readonly<Record<string, unknown>> | undefined,
  password: string,
): azdata.IConnectionProfile & { readonly azureAccount?: string } {
  const all: Record<string, unknown> = {
    ...profile.options,
    ...options,
    applicationName: APPLICATION_NAME,
    password,
  };
  const text = (name: string): string | undefined => (typeof all[name] === 'string' ? all[name] : undefined);
  return {
    id: profile.id,
    providerName: MSSQL,
    connectionName: profile.connectionName,
    serverName: profile.serverName,
    databaseName: profile.databaseName,
    userName: profile.userName,
    authenticationType: profile.authenticationType,
    password,
    savePassword: false,
    saveProfile: false,
    groupFullName: '',
    groupId: profile.groupId,
    azureTenantId: text('azureTenantId'),
    azureAccount: text('azureAccount'),
    options: all,
  };
}
