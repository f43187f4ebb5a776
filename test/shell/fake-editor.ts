/** The few parts of an editor that the shell's logic touches, in the hands of a test. */
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import type { ConnectionRules } from '../../src/shell/servers/connection-rules';
import { OpenServers } from '../../src/shell/servers/open-servers';
import type { CommandContext } from '../../src/shell/commands/command-context';
import { type CommandHandler, Dismissed } from '../../src/shell/kit/command-table';
import { createLog } from '../../src/shell/kit/log';
import type { SavedServer } from '../../src/shell/servers/saved-server';
import { type KeptState, SavedServers, type Secrets } from '../../src/shell/servers/saved-servers';
import { ServerList } from '../../src/shell/servers/server-list';
import { ServerPasswords } from '../../src/shell/servers/server-passwords';
import { FakeConversation } from './fake-conversation';
import { createRow, type Row } from '../../src/shell/tree/row';
import { FakeMonitor } from './fake-monitor';

export { FakeMonitor };

export class FakeState implements KeptState {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

export class FakeSecrets implements Secrets {
  readonly values = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
  }
}

export interface Desk {
  readonly context: CommandContext;
  /** Nobody answers a box. */
  readonly passwords: ServerPasswords;
  readonly conversation: FakeConversation;
  readonly servers: OpenServers;
  readonly monitors: FakeMonitor[];
  readonly state: FakeState;
  readonly secrets: FakeSecrets;
  readonly logged: string[];
  /** What timelines were opened at. */
  readonly timelines: (readonly [serverId: string, databaseId: number | null])[];
  added: number;
}

/** Everything that commands need, with one monitor for each server that is opened. */
export function createDesk(found: ServerSnapshot, answers: unknown[] = []): Desk {
  const [state, secrets, logged, monitors] = [new FakeState(), new FakeSecrets(), [] as string[], [] as FakeMonitor[]];
  const servers = new OpenServers(new ServerList(new SavedServers(state, secrets), state), {
    createMonitor: async (server) => {
      const monitor = new FakeMonitor(server.id, { ...found, id: server.id, label: server.name });
      monitors.push(monitor);
      return monitor;
    },
  });
  const conversation = new FakeConversation(answers);
  const write = (line: string): void => void logged.push(line);
  const log = createLog({ info: write, warn: write, error: write });
  const passwords = new ServerPasswords(servers, {
    askPassword: async () => undefined,
    mayStore: () => true,
    hide: (password) => log.hide(password),
    offer: (...offered) => conversation.offer(...offered),
    onFailure: (error) => write(String(error)),
  });
  const desk: Desk = {
    conversation,
    passwords,
    servers,
    monitors,
    state,
    secrets,
    logged,
    timelines: [],
    added: 0,
    context: {
      servers,
      conversation,
      log,
      takeUpNode: async () => {
        throw new Error('no other product is here');
      },
      isOwn: (invoked) => paneRows.has(invoked as object),
      showTimeline: (...at) => void desk.timelines.push(at),
      addServer: async () => void desk.added++,
    },
  };
  return desk;
}

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
  allowedHosts: [],
};

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

function placeRow(row: Row): Row {
  paneRows.add(row);
  return row;
}

export const serverRow = placeRow(createRow({ kind: 'server', id: 'server-1', serverId: 'server-1', label: 'Production 7' }));

export function databaseRow(databaseId: number, serverId = 'server-1'): Row {
  return placeRow(createRow({ kind: 'database', id: `${databaseId}`, serverId, label: `db${databaseId}`, databaseId }));
}
