/** What a command is about: a server, and databases or a group of it. */
import type { Group } from '../../core/advice/verdict';
import { isRow } from '../tree/row';

export interface CommandTarget {
  readonly serverId: string;
  /** Databases that the user pointed at; empty: the server or the group as a whole. */
  readonly databaseIds: readonly number[];
  readonly group: Group | null;
}

type ReadTarget =
  | { readonly kind: 'target'; readonly target: CommandTarget }
  /** From the command palette: the server is still to be asked for. */
  | { readonly kind: 'none' }
  /** A node of another product's tree. */
  | { readonly kind: 'foreign'; readonly node: unknown };

/** @param invoked a row, a CommandTarget or whatever else a menu hands over @param selection the rows selected with it */
export function readTarget(invoked: unknown, selection: unknown): ReadTarget {
  if (invoked === undefined || invoked === null) return { kind: 'none' };
  if (isRow(invoked)) {
    const rows = Array.isArray(selection) && selection.length > 0 ? selection.filter(isRow) : [invoked];
    const ofServer = rows.filter((row) => row.serverId === invoked.serverId);
    const databaseIds = invoked.databaseId === null ? [] : ofServer.flatMap((row) => (row.databaseId === null ? [] : [row.databaseId]));
    return { kind: 'target', target: { serverId: invoked.serverId, databaseIds, group: invoked.kind === 'group' ? invoked.group : null } };
  }
  return isCommandTarget(invoked) ? { kind: 'target', target: invoked } : { kind: 'foreign', node: invoked };
}

function isCommandTarget(invoked: unknown): invoked is CommandTarget {
  if (typeof invoked !== 'object' || invoked === null) return false;
  const target = invoked as Partial<CommandTarget>;
  return typeof target.serverId === 'string' && Array.isArray(target.databaseIds) && target.databaseIds.every(Number.isInteger);
}
