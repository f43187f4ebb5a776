/** Scripts in an editor that the SQL Server extension (mssql) connects to the server, where its node is known; never run, and never over what the user wrote. */
import type { ScriptEditor } from '../host';
import type { MssqlWorld } from './world';

export const NEW_QUERY_COMMAND = 'mssql.objectExplorerNewQuery';
/** It shows its document before it connects; what takes longer than this does not come. */
const EDITOR_TIMEOUT_MS = 10_000;
/** Between the end of its command and the news of the editor that it opened. */
const GRACE_MS = 1_000;

/** @param findNode the server's node in mssql's tree; undefined where none was pointed at */
export function createMssqlEditor(world: MssqlWorld, findNode: (serverId: string) => unknown): ScriptEditor {
  const { editors } = world;
  return {
    open: async (text, _title, serverId, place = 'in front') => {
      const front = editors.active();
      const uri = await fillConnected(world, findNode(serverId), text);
      // Otherwise mssql may connect it to the server used last (since 1.37): the script's own guard names the server that it is for.
      if (uri === null) return editors.open(text, place);
      if (place === 'beside' && front !== null) await editors.moveBeside(uri, front.uri);
    },
  };
}

/** @returns the address of the document that the text is in; null: it is in none */
async function fillConnected(world: MssqlWorld, node: unknown, text: string): Promise<string | null> {
  if (node === undefined) return null;
  const uri = await openEmptyEditor(world, node);
  if (uri === null) return null;
  return (await world.editors.fill(uri, text).catch(() => false)) ? uri : null;
}

/** Opens mssql's empty, connected query. @returns its address; null where the command failed, or nothing came that is new, unsaved, SQL and empty */
function openEmptyEditor(world: MssqlWorld, node: unknown): Promise<string | null> {
  const { editors } = world;
  const known = editors.listDocuments();
  return new Promise((resolve) => {
    const conclude = (uri: string | null): void => {
      listening.dispose();
      timer.dispose();
      resolve(uri);
    };
    const look = (): void => {
      const document = editors.active();
      if (document && document.isUntitled && document.languageId === 'sql' && document.isEmpty && !known.has(document.uri))
        conclude(document.uri);
    };
    const listening = editors.onDidChangeActive(look);
    const timer = world.schedule(EDITOR_TIMEOUT_MS, () => conclude(null));
    world.executeCommand(NEW_QUERY_COMMAND, node).then(
      () => (look(), void world.schedule(GRACE_MS, () => conclude(null))),
      () => conclude(null),
    );
  });
}
