/**
 * Shows scripts in an editor that mssql connects to the server, if the server's node is known: that needs none of the
 * connections that it shares. Never runs them or overwrites what the user wrote.
 */
import type { ConnectionHost } from '../host';
import type { MssqlWorld } from './world';

export const NEW_QUERY_COMMAND = 'mssql.objectExplorerNewQuery';
/** mssql shows its document before it connects. If that takes longer, it will not happen. */
const EDITOR_TIMEOUT_MS = 10_000;
/** Time between the end of mssql's command and the event for the editor that it opened. */
const GRACE_MS = 1_000;

/** @param findNode the server's node in mssql's tree; undefined if the user pointed at none */
export function createMssqlEditor(
  world: MssqlWorld,
  findNode: (serverId: string) => unknown,
): ConnectionHost['editor'] {
  const { editors } = world;
  return {
    open: async (text, _title, serverId, place = 'in front') => {
      const front = editors.active();
      const uri = await fillConnected(world, findNode(serverId), text);
      if (uri !== null && place === 'beside' && front !== null) await editors.moveBeside(uri, front.uri);
      return uri;
    },
  };
}

/** @returns the address of the document that contains the text; null if none does */
async function fillConnected(world: MssqlWorld, node: unknown, text: string): Promise<string | null> {
  if (node === undefined) return null;
  const uri = await openEmptyEditor(world, node);
  if (uri === null) return null;
  return (await world.editors.fill(uri, text).catch(() => false)) ? uri : null;
}

/**
 * Opens mssql's empty, connected query.
 * @returns its address; null if the command failed, or if no new, unsaved, empty SQL document appeared
 */
function openEmptyEditor(world: MssqlWorld, node: unknown): Promise<string | null> {
  const { editors } = world;
  const others = editors.listDocuments();
  return new Promise((resolve) => {
    const conclude = (uri: string | null): void => {
      listening.dispose();
      timer.dispose();
      resolve(uri);
    };
    const look = (): void => {
      const document = editors.active();
      if (document === null || others.has(document.uri)) return;
      const { uri, isUntitled, languageId, isEmpty } = document;
      if (isUntitled && languageId === 'sql' && isEmpty) conclude(uri);
      // The user opened it: mssql's is empty SQL from the first on.
      else others.add(uri);
    };
    const listening = editors.onDidChangeActive(look);
    const timer = world.schedule(EDITOR_TIMEOUT_MS, () => conclude(null));
    world.executeCommand(NEW_QUERY_COMMAND, node).then(
      () => (look(), void world.schedule(GRACE_MS, () => conclude(null))),
      () => conclude(null),
    );
  });
}
