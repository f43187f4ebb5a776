/**
 * Every command of the manifest, by id. One wrapper runs them all: it turns an error into one sentence on the screen
 * and an entry in the log.
 */
import type { Group } from '../../core/advice/verdict-names';
import { describeError } from '../../monitor/queries/failure';
import { type Log, redact } from './log';
import { t } from '../../core/language';

export const commandIds = [
  'openServer',
  'exploreSample',
  'saveCapture',
  'saveCaptureForVendor',
  'openLake',
  'openEvents',
  'addServer',
  'importServers',
  'editServer',
  'removeServer',
  'refresh',
  'startTracking',
  'startTrackingChosen',
  'stopTracking',
  'removeTracking',
  'addToTracking',
  'removeFromTracking',
  'showTrackingSql',
  'openDashboard',
  'reviewScript',
  'writeScript',
  'setChangeMoment',
  'followEventSession',
  'showEvidence',
  'readErrorLog',
  'explainLogLine',
  'filterDatabases',
  'showMoreDatabases',
  'connectAnotherWay',
  'showConnectionDiagnostics',
  'showLog',
] as const;

export type CommandId = (typeof commandIds)[number];

/**
 * What a command is invoked with: a row of our tree and the rows selected with it, a node of another extension's tree,
 * or nothing.
 */
export type CommandHandler = (target?: unknown, selection?: unknown) => unknown;
export type CommandTable = Readonly<Record<CommandId, CommandHandler>>;

export function fullCommandId(id: CommandId): string {
  return `checkpointHealth.${id}`;
}

/** What a command is about: a server, and databases or a group of it. */
export interface CommandTarget {
  readonly serverId: string;
  /** Databases that the user pointed at; empty means the server or the group as a whole. */
  readonly databaseIds: readonly number[];
  readonly group: Group | null;
  /** A script is to take them back to automatic checkpoints. */
  readonly rollsBack?: boolean;
}

export const targetServer = (serverId: string): CommandTarget => ({ serverId, databaseIds: [], group: null });

/** What a key hands over (package.json, `keybindings`): the command is about the rows that are selected in the pane. */
export const SELECTION = 'selection';

/** Thrown if the user changed their mind. Nothing is shown. */
export class Dismissed extends Error {
  constructor() {
    super('Dismissed');
  }
}

/** Thrown if a server could not be reached. The user is offered the other ways to it. */
export class NotReached extends Error {
  constructor(
    sentence: string,
    readonly serverId: string,
  ) {
    super(sentence);
  }
}

interface CommandWorld {
  readonly register: (id: string, handler: CommandHandler) => { dispose(): void };
  /** @param unreached the server that could not be reached, if that is the error */
  readonly showError: (sentence: string, unreached: string | null) => void;
  readonly log: Log;
}

/**
 * Without a row, these commands would be about a whole server, although the user may have pointed at one database. The
 * others always are.
 */
const pointedAt: ReadonlySet<CommandId> = new Set([
  'startTrackingChosen',
  'addToTracking',
  'removeFromTracking',
  'reviewScript',
  'writeScript',
  'setChangeMoment',
]);
const ROW_GONE = t('The list just refreshed. Select the row again.');

/**
 * Only the menu of a row hands over two things: the row and the selected rows. The row is missing if the tree was read
 * again under the menu.
 */
function hasLostRow(given: readonly unknown[]): boolean {
  const [row, selection] = given;
  const rows: readonly unknown[] = [
    row,
    ...(Array.isArray(selection) ? (selection as readonly unknown[]) : []),
  ];
  return given.length > 1 && rows.some((each) => each === undefined || each === null);
}

export function registerCommands(table: CommandTable, world: CommandWorld): readonly { dispose(): void }[] {
  return commandIds.map((id) => world.register(fullCommandId(id), wrapHandler(id, table[id], world)));
}

function wrapHandler(id: CommandId, handler: CommandHandler, world: CommandWorld): CommandHandler {
  return async (...given: readonly unknown[]) => {
    try {
      if (pointedAt.has(id) && hasLostRow(given)) throw new Error(ROW_GONE);
      await handler(given[0], given[1]);
    } catch (error) {
      if (error instanceof Dismissed) return;
      world.log.error(
        `${fullCommandId(id)}: ${(error instanceof Error && error.stack) || describeError(error)}`,
      );
      world.showError(redact(describeError(error)), error instanceof NotReached ? error.serverId : null);
    }
  };
}
