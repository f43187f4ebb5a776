/** Shows scripts in a query editor of Azure Data Studio, connected to their server. Only the user runs them. */
import { isSameName } from './profile';
import { clicked, type AzdataLogin } from './login';
import { waitFor } from '../waiting';
import { MSSQL, type AzdataWorld } from './world';
import { type ConnectionHost, ConnectionError, type HostServer } from '../host';
import { t } from '../../core/language';

/** Our own choice: long enough for a login over a slow line, short enough that the user does not wonder. */
const PATIENCE_MS = 30_000;

/** @param findServer the server of an id; null if it is no longer known */
export function createAzdataEditor(
  world: AzdataWorld,
  login: AzdataLogin,
  findServer: (id: string) => Promise<HostServer | null>,
): ConnectionHost['editor'] {
  const refused = new Map<string, Refused>();
  return {
    open: async (content, _title, serverId, place = 'in front') => {
      const document = await world.azdata.queryeditor.openQueryDocument({ content }, MSSQL);
      if (place === 'beside') await moveBeside(world);
      const server = await findServer(serverId);
      const failure =
        server === null
          ? t('its server is no longer listed')
          : await connectOnce(refused, server, () => connect(world, login, server, document.uri));
      if (failure !== null) warn(world, server, failure);
      return document.uri;
    },
  };
}

interface Refused {
  readonly failure: string;
  readonly atMs: number;
}

/** One click can open many scripts. If the first could not connect, the others do not try. */
async function connectOnce(
  refused: Map<string, Refused>,
  { id }: HostServer,
  attempt: () => Promise<string | null>,
): Promise<string | null> {
  const known = refused.get(id);
  if (known !== undefined && Date.now() - known.atMs < PATIENCE_MS) return known.failure;
  refused.delete(id);
  const failure = await attempt();
  if (failure !== null) refused.set(id, { failure, atMs: Date.now() });
  return failure;
}

/** A query editor always opens in front. So we move it, and activate the editor that was in front. */
async function moveBeside({ vscode: { commands } }: AzdataWorld): Promise<void> {
  await commands.executeCommand('workbench.action.moveEditorToRightGroup');
  await commands.executeCommand('workbench.action.focusLeftGroup');
}

/** @returns null if the editor is connected to that server; else why not */
async function connect(
  world: AzdataWorld,
  login: AzdataLogin,
  server: HostServer,
  uri: string,
): Promise<string | null> {
  const timeoutMs = world.scriptPatienceMs ?? PATIENCE_MS;
  const tooLong = (): Error =>
    new ConnectionError('timedOut', t('{0} did not answer within {1} s', server.name, timeoutMs / 1000));
  try {
    return await waitFor(connectTo(world, login, server, uri), {
      timeoutMs,
      onTimeout: tooLong,
      onAbort: tooLong,
    });
  } catch (error) {
    return error instanceof ConnectionError ? error.message : t('Azure Data Studio does not say why');
  }
}

async function connectTo(
  { azdata: { connection, queryeditor } }: AzdataWorld,
  login: AzdataLogin,
  server: HostServer,
  uri: string,
): Promise<string | null> {
  // The host silently ignores an id that is not in use (mainThreadQueryEditor.ts, $connect).
  await queryeditor.connect(uri, await login.open(server, clicked));
  const made = (await connection.getConnection(uri)) as { readonly serverName: string } | undefined;
  if (made === undefined) return t('Azure Data Studio does not say why');
  return isSameName(made.serverName, server.server) ? null : t('it is connected to {0}', made.serverName);
}

function warn({ vscode }: AzdataWorld, server: HostServer | null, failure: string): void {
  const reason = failure.replace(/(?<![.\s])[.\s]+$/, '');
  const notice =
    server === null
      ? t(
          'The script is open, but it is not connected to its server ({0}). Connect its editor before you run it.',
          reason,
        )
      : t(
          'The script is open, but it is not connected to {0} ({1}). Connect its editor before you run it.',
          server.name,
          reason,
        );
  void vscode.window.showWarningMessage(notice);
}
