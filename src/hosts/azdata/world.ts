/**
 * The parts of Azure Data Studio and of its editor that we use. They are passed in, so that the same code runs without
 * them.
 */
import type * as azdata from 'azdata';
import type * as vscode from 'vscode';
import type { CanReach } from '../sql-tools-service';

/** The parts of the module `azdata` that are used; none is newer than Azure Data Studio 1.47. */
export interface Azdata {
  readonly version: string;
  readonly connection: Pick<
    typeof azdata.connection,
    | 'getConnections'
    | 'getConnection'
    | 'getCredentials'
    | 'getUriForConnection'
    | 'connect'
    | 'openConnectionDialog'
    | 'registerConnectionEventListener'
  >;
  readonly dataprotocol: Pick<typeof azdata.dataprotocol, 'getProvider'>;
  readonly queryeditor: Pick<typeof azdata.queryeditor, 'openQueryDocument' | 'connect'>;
  readonly DataProviderType: Pick<typeof azdata.DataProviderType, 'QueryProvider'>;
}

export interface AzdataWorld {
  readonly azdata: Azdata;
  readonly vscode: {
    readonly workspace: Pick<
      typeof vscode.workspace,
      'isTrusted' | 'getConfiguration' | 'onDidChangeConfiguration' | 'onDidGrantWorkspaceTrust'
    >;
    readonly window: Pick<typeof vscode.window, 'showWarningMessage'>;
    readonly commands: Pick<typeof vscode.commands, 'executeCommand'>;
    readonly extensions: Pick<typeof vscode.extensions, 'all' | 'onDidChange'>;
  };
  readonly canReach: CanReach;
  /**
   * Milliseconds after which we give up a login that the host does not answer. No limit while the host asks the user
   * for a password.
   */
  readonly connectPatienceMs?: number;
  /** Milliseconds after which, without an answer to a query, we check whether its server is there. */
  readonly lookAfterMs?: number;
  /** Milliseconds that a script waits for its connection; then it is shown without one. */
  readonly scriptPatienceMs?: number;
}

/** The provider of SQL Server's connections. */
export const MSSQL = 'MSSQL';

export function findQueryProvider({
  azdata: { dataprotocol, DataProviderType },
}: AzdataWorld): azdata.QueryProvider | undefined {
  return dataprotocol.getProvider<azdata.QueryProvider>(MSSQL, DataProviderType.QueryProvider) as
    | azdata.QueryProvider
    | undefined;
}

/** The extensions whose manifest says that they connect to SQL Server, active or not. */
export function listProviderExtensions({
  vscode: { extensions },
}: AzdataWorld): readonly vscode.Extension<unknown>[] {
  return extensions.all.filter(({ packageJSON }) => {
    const contributed = (packageJSON as { contributes?: { connectionProvider?: unknown } } | undefined)
      ?.contributes?.connectionProvider;
    return [contributed]
      .flat()
      .some((provider) => (provider as { providerId?: unknown } | undefined)?.providerId === MSSQL);
  });
}
