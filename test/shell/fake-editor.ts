/** The few parts of an editor that the shell's logic touches, in the hands of a test. */
import assert from 'node:assert/strict';
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import type { ConnectionRules } from '../../src/gate/connection-rules';
import { OpenServers } from '../../src/shell/servers/open-servers';
import type { CommandContext } from '../../src/shell/commands/command-context';
import type { ServerForm } from '../../src/shell/commands/server-commands';
import { type CommandHandler, Dismissed } from '../../src/shell/kit/command-table';
import { createLog, type Log } from '../../src/shell/kit/log';
import type { SavedServer } from '../../src/shell/servers/saved-server';
import { type KeptState, SavedServers, type Secrets } from '../../src/shell/servers/saved-servers';
import { ServerList } from '../../src/shell/servers/server-list';
import { ServerPasswords } from '../../src/shell/servers/server-passwords';
import { FakeConversation } from './fake-conversation';
import { createRow, type Row } from '../../src/shell/tree/row';
import { FakeMonitor } from './fake-monitor';

export { FakeMonitor };

/** What an editor keeps between windows, as text. */
export class FakeState implements KeptState {
  readonly values = new Map<string, unknown>();
  readonly get = (key: string): unknown => this.values.get(key);
  readonly update: KeptState['update'] = async (key, value) =>
    void this.values.set(key, JSON.parse(JSON.stringify(value)));
}

export class FakeSecrets implements Secrets {
  readonly values = new Map<string, string>();
  readonly get = async (key: string): Promise<string | undefined> => this.values.get(key);
  store: Secrets['store'] = async (key, value) => void this.values.set(key, value);
  readonly delete = async (key: string): Promise<void> => void this.values.delete(key);
}

/** A log that is written into a list. */
export function createFakeLog(logged: string[] = []): Log {
  const write = (line: string): void => void logged.push(line);
  return createLog({ info: write, warn: write, error: write });
}

/** Everything that commands need, with one monitor for each server that is opened. */
export function createDesk(found: ServerSnapshot, answers: unknown[] = []) {
  const [state, secrets, logged, monitors] = [
    new FakeState(),
    new FakeSecrets(),
    [] as string[],
    [] as FakeMonitor[],
  ];
  const servers = new OpenServers(new ServerList(new SavedServers(state, secrets), state), async (server) => {
    const monitor = new FakeMonitor(server.id, { ...found, id: server.id, label: server.name });
    monitors.push(monitor);
    return monitor;
  });
  const conversation = new FakeConversation(answers);
  const log = createFakeLog(logged);
  /** Nobody answers a box. */
  const passwords = new ServerPasswords(servers, {
    askPassword: async () => undefined,
    mayStore: () => true,
    hide: (password) => log.hide(password),
    offer: (...offered) => conversation.offer(...offered),
    onFailure: (error) => void logged.push(String(error)),
  });
  /** What timelines were opened at. */
  const timelines: (readonly [serverId: string, databaseId: number | null])[] = [];
  const context: CommandContext = {
    servers,
    conversation,
    log,
    takeUpNode: () => assert.fail('no other product is here'),
    isOwn: (invoked) => paneRows.has(invoked as object),
    showTimeline: (...at) => void timelines.push(at),
    addServer: async () => undefined,
  };
  const desk = {
    context,
    conversation,
    passwords,
    servers,
    monitors,
    state,
    secrets,
    logged,
    timelines,
    get monitor(): FakeMonitor {
      return monitors[0] ?? assert.fail('no server was opened');
    },
    /** What the first server that was opened was asked. */
    asked: (): readonly unknown[] => monitors[0]?.asked ?? [],
    /** What was asked of it beside its facts. */
    changed: (): readonly unknown[] => desk.asked().filter((each) => each !== 'look'),
  };
  return desk;
}

export type Desk = ReturnType<typeof createDesk>;

export const savedServer: SavedServer = {
  id: 'server-1',
  name: 'Production 7',
  server: 'sql07',
  authentication: 'sql',
  user: 'dba',
  encrypt: 'mandatory',
  trustServerCertificate: false,
};

export const nothingForbidden: ConnectionRules = {
  allowTrustServerCertificate: true,
  allowStoredPasswords: true,
  allowNtlm: true,
  allowIntegrated: true,
  allowedHosts: [],
};

/**
 * The form of Add Server: texts are answered in this order, and a login typed; other choices as they are offered first;
 * without an answer the form is left.
 */
export const createForm = (
  { passwords }: Desk,
  texts: (string | undefined)[] = [],
  more: Partial<ServerForm> = {},
): ServerForm => ({
  input: {
    askText: async () => texts.shift(),
    askChoice: async ({ value, typed }) =>
      typed === undefined ? value : typed.list(texts.shift() ?? '')[0]?.value,
    tell: () => undefined,
  },
  checkAddress: () => null,
  rules: () => nothingForbidden,
  isWindows: false,
  passwords,
  reveal: async () => undefined,
  showDashboard: () => undefined,
  ...more,
});

/** Where a login was refused before, another one is all right. */
export const agree = (): Promise<void> => Promise.resolve();

/** A desk with one saved server. */
export async function openDesk(given: ServerSnapshot, answers: unknown[] = []): Promise<Desk> {
  const desk = createDesk(given, answers);
  await desk.servers.save(savedServer);
  await desk.servers.saved.keepPassword(savedServer.id, 'p4ssword');
  return desk;
}

/** Runs a handler and says how it ended: undefined where it went well or the user left. */
export async function run(handler: CommandHandler, ...args: readonly unknown[]): Promise<string | undefined> {
  try {
    await handler(...args);
    return undefined;
  } catch (error) {
    return error instanceof Dismissed ? undefined : (error as Error).message;
  }
}

/** The rows that these functions made stand in our pane; what merely looks like one does not. */
const paneRows = new WeakSet<object>();

const placeRow = (row: Row): Row => (paneRows.add(row), row);

export const serverRow = placeRow(
  createRow({ kind: 'server', id: 'server-1', serverId: 'server-1', label: 'Production 7' }),
);

export function databaseRow(databaseId: number, serverId = 'server-1'): Row {
  return placeRow(
    createRow({ kind: 'database', id: `${databaseId}`, serverId, label: `db${databaseId}`, databaseId }),
  );
}
