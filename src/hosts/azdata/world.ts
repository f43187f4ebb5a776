/** What of Azure Data Studio is used, and what of the editor around it. Both are passed in, so that the same code runs without them. */
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
  /** Milliseconds after which a login that the host does not answer is given up; where it asks the user for a password there is no limit. */
  readonly connectPatienceMs?: number;
  /** Milliseconds after which a query that was not answered makes us look whether its server is there. */
  readonly lookAfterMs?: number;
  /** Milliseconds for which a script waits until it is connected; afterwards it is shown without. */
  readonly scriptPatienceMs?: number;
}

/** The provider of SQL Server's connections. */
export const MSSQL = 'MSSQL';

export function findQueryProvider({ azdata: { dataprotocol, DataProviderType } }: AzdataWorld): azdata.QueryProvider | undefined {
  return dataprotocol.getProvider<azdata.QueryProvider>(MSSQL, DataProviderType.QueryProvider) as azdata.QueryProvider | undefined;
}

/** The extensions that say in their manifest that they connect to SQL Server; active or not. */
export function listProviderExtensions({ vscode: { extensions } }: AzdataWorld): readonly vscode.Extension<unknown>[] {
  return extensions.all.filter(({ packageJSON }) => {
    const contributed = (packageJSON as { contributes?: { connectionProvider?: unknown } } | undefined)?.contributes?.connectionProvider;
    return [contributed].flat().some((provider) => (provider as { providerId?: unknown } | undefined)?.providerId === MSSQL);
  });
}
