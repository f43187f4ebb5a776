/**
 * The connections that the SQL Server extension (mssql) shares with other extensions, through its exports or its
 * commands, whichever exist. Looked up each time, because the extension may be disabled, removed or updated while we
 * run, and is retiring this way in (docs/facts.md, Hosts 0).
 */
import type { SharingObstacle } from './errors';
import type { MssqlExtension, MssqlWorld } from './world';

/**
 * The calls that we need of `IConnectionSharingService` (typings/vscode-mssql.d.ts, v1.34.1 to v1.45). Their results
 * are another's, so unknown.
 */
export interface SharedConnections {
  /**
   * May ask the user for approval, and for a password. Neither way is given a database: the exported `connect` drops it
   * (extension.ts, v1.34.1 to v1.45), and every text of ours names its databases itself.
   */
  connect(extensionId: string, connectionId: string): Promise<unknown>;
  disconnect(uri: string): Promise<unknown>;
  isConnected(uri: string): Promise<unknown>;
  executeSimpleQuery(uri: string, text: string): Promise<unknown>;
  /** Only asks for approval, as `connect` does too. We can do without it. */
  readonly getActiveEditorConnectionId?: (extensionId: string) => Promise<unknown>;
  /**
   * Asks SQL Tools Service for its version: once it has ended, `connect` fails as for a refused login, and this says so
   * (tried: the source of 1.46, its service killed).
   */
  readonly askService?: () => Promise<unknown>;
}

export const sharingCalls = ['connect', 'disconnect', 'isConnected', 'executeSimpleQuery'] as const;
export const EDIT_PERMISSIONS_COMMAND = 'mssql.connectionSharing.editConnectionSharingPermissions';

/** Its first start downloads SQL Tools Service, which can take as long as the network needs. */
const ACTIVATION_TIMEOUT_MS = 60_000;

export function nameSharingCommand(call: string): string {
  return `mssql.connectionSharing.${call}`;
}

/**
 * Starts mssql if it is not running, and looks for its calls.
 * @param onLateStart called if it has started when it was no longer waited for
 * @returns the calls, or why there are none
 */
export async function findSharing(
  world: MssqlWorld,
  onLateStart: () => void = () => undefined,
): Promise<SharedConnections | SharingObstacle> {
  const extension = world.findExtension();
  if (extension === undefined) return 'absent';
  let exports: unknown;
  try {
    exports = await activate(world, extension, onLateStart);
  } catch {
    return 'not started';
  }
  const exported = readExported(exports);
  if (exported !== null) return { ...wrapExports(exported), ...findServiceCall(exports) };
  const commands = new Set(await world.listCommands().catch(() => []));
  return sharingCalls.every((call) => commands.has(nameSharingCommand(call)))
    ? wrapCommands(world, commands)
    : 'not shared';
}

function activate(world: MssqlWorld, extension: MssqlExtension, onLateStart: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = world.schedule(ACTIVATION_TIMEOUT_MS, () => {
      isLate = true;
      reject(new Error('it has not started in time'));
    });
    extension
      .activate()
      .then((exports) => {
        resolve(exports);
        // Nothing else tells us: VS Code has no event for the start of an extension.
        if (isLate) onLateStart();
      }, reject)
      .finally(() => timer.dispose());
  });
}

type Call = (...args: readonly string[]) => unknown;
type Exported = Readonly<Record<(typeof sharingCalls)[number], Call>> & {
  readonly getActiveEditorConnectionId?: Call;
};

/** `exports.connectionSharing` with all the calls that we need; null if one is missing. */
export function readExported(exports: unknown): Exported | null {
  try {
    const sharing = (exports as { readonly connectionSharing?: Partial<Exported> } | null | undefined)
      ?.connectionSharing;
    return sharing && sharingCalls.every((call) => typeof sharing[call] === 'function')
      ? (sharing as Exported)
      : null;
  } catch {
    return null;
  }
}

/* Some of the exported functions are synchronous and throw instead of rejecting. */
function wrapExports(exported: Exported): SharedConnections {
  return {
    connect: async (...args) => exported.connect(...args),
    disconnect: async (...args) => exported.disconnect(...args),
    isConnected: async (...args) => exported.isConnected(...args),
    executeSimpleQuery: async (...args) => exported.executeSimpleQuery(...args),
    ...(typeof exported.getActiveEditorConnectionId === 'function'
      ? {
          getActiveEditorConnectionId: async (extensionId) =>
            exported.getActiveEditorConnectionId?.(extensionId),
        }
      : {}),
  };
}

/** `exports.sendRequest` (IExtension in typings/vscode-mssql.d.ts) with VersionRequest of SQL Tools Service. */
function findServiceCall(exports: unknown): Pick<SharedConnections, 'askService'> {
  const { sendRequest } = exports as { readonly sendRequest?: unknown };
  if (typeof sendRequest !== 'function') return {};
  return { askService: async () => sendRequest({ method: 'version', numberOfParams: 0 }) as unknown };
}

function wrapCommands(world: MssqlWorld, commands: ReadonlySet<string>): SharedConnections {
  return {
    connect: (...args) => world.executeCommand(nameSharingCommand('connect'), ...args),
    disconnect: (...args) => world.executeCommand(nameSharingCommand('disconnect'), ...args),
    isConnected: (...args) => world.executeCommand(nameSharingCommand('isConnected'), ...args),
    executeSimpleQuery: (...args) => world.executeCommand(nameSharingCommand('executeSimpleQuery'), ...args),
    ...(commands.has(nameSharingCommand('getActiveEditorConnectionId'))
      ? {
          getActiveEditorConnectionId: (ours) =>
            world.executeCommand(nameSharingCommand('getActiveEditorConnectionId'), ours),
        }
      : {}),
  };
}
