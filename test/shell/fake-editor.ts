/** The few parts of an editor that the shell's logic touches, in the hands of a test. */
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import { OpenServers } from '../../src/shell/servers/open-servers';
import type { CommandContext } from '../../src/shell/command-context';
import { type CommandHandler, Dismissed } from '../../src/shell/commands';
import type { Choice, Conversation } from '../../src/shell/conversation';
import { createLog } from '../../src/shell/log';
import { type KeptState, type SavedServer, SavedServers, type Secrets } from '../../src/shell/servers/saved-servers';
import { ServerList } from '../../src/shell/servers/server-list';
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

/** Answers in the order given; a question without an answer is left. Everything said is written down. */
export class FakeConversation implements Conversation {
  readonly said: string[] = [];
  /** Beside the questions of dialogs. */
  readonly details: string[] = [];
  readonly offered: Choice<unknown>[][] = [];
  readonly shown: string[] = [];

  constructor(private readonly answers: unknown[] = []) {}

  async chooseOne<T>(title: string, choices: readonly Choice<T>[]): Promise<T> {
    this.said.push(title);
    this.offered.push([...choices]);
    return this.next() as T;
  }

  async chooseMany<T>(title: string, choices: readonly Choice<T>[]): Promise<readonly T[]> {
    this.said.push(title);
    this.offered.push([...choices]);
    const answer = this.next();
    return answer === 'as offered' ? choices.filter((choice) => choice.isPicked).map((choice) => choice.value) : (answer as T[]);
  }

  async askText(asked: Parameters<Conversation['askText']>[0]): Promise<string> {
    this.said.push(asked.prompt);
    const answer = this.next() as string;
    const complaint = asked.check?.(answer) ?? null;
    if (complaint !== null) throw new Error(`not accepted: ${complaint}`);
    return answer;
  }

  async confirm(question: string, detail: string): Promise<void> {
    this.said.push(question);
    this.details.push(detail);
    if (this.next() !== true) throw new Dismissed();
  }

  tell(sentence: string): void {
    this.said.push(sentence);
  }

  offer(sentence: string, _button: string, act: () => Promise<void>): void {
    this.said.push(sentence);
    if (this.answers.shift() === true) void act();
  }

  showWork<T>(_title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return work(new AbortController().signal);
  }

  async showText(text: string): Promise<void> {
    this.shown.push(text);
  }

  private next(): unknown {
    if (this.answers.length === 0) throw new Dismissed();
    return this.answers.shift();
  }
}

export interface Desk {
  readonly context: CommandContext;
  readonly conversation: FakeConversation;
  readonly servers: OpenServers;
  readonly monitors: FakeMonitor[];
  readonly state: FakeState;
  readonly secrets: FakeSecrets;
  readonly logged: string[];
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
    summarizeCapture: () => null,
  });
  const conversation = new FakeConversation(answers);
  const write = (line: string): void => void logged.push(line);
  const log = createLog({ info: write, warn: write, error: write });
  const desk: Desk = {
    conversation,
    servers,
    monitors,
    state,
    secrets,
    logged,
    added: 0,
    context: {
      servers,
      conversation,
      log,
      takeUpNode: async () => {
        throw new Error('no other product is here');
      },
      isOwn: (invoked) => paneRows.has(invoked as object),
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

/** A desk with one saved server. */
export async function openDesk(given: ServerSnapshot, answers: unknown[] = []): Promise<Desk> {
  const desk = createDesk(given, answers);
  await desk.servers.save(savedServer, 'p4ssword');
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
