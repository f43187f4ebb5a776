/** The few parts of an editor that the shell's logic touches, in the hands of a test. */
import { type Choice as SwitchChoice, oneWave } from '../../src/core/advice/plan';
import type { AdoptableSession } from '../../src/core/capture/adoptable-session';
import type { EvidencePage, EvidencePages } from '../../src/core/picture/evidence-page';
import { NOTHING_READING } from '../../src/core/picture/evidence-state';
import { NO_TIME_MARKS } from '../../src/core/picture/time-marks';
import type { TimelineEvidence } from '../../src/monitor/evidence/evidence-world';
import { OpenServers } from '../../src/shell/servers/open-servers';
import type { CommandContext } from '../../src/shell/command-context';
import { type CommandHandler, Dismissed } from '../../src/shell/commands';
import type { Choice, Conversation } from '../../src/shell/conversation';
import { createLog } from '../../src/shell/log';
import { type KeptState, type SavedServer, SavedServers, type Secrets } from '../../src/shell/servers/saved-servers';
import { ServerList } from '../../src/shell/servers/server-list';
import type { ServerChange, ServerMonitor, ServerSnapshot, SwitchReview } from '../../src/monitor/server-monitor';
import { createRow, type Row } from '../../src/shell/tree/row';
import type { ScriptRequest } from '../../src/core/script/script-request';
import type { ReviewScript } from '../../src/core/script/script-set';
import type { ReviewText } from '../../src/core/script/text';

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

const emptyPage: EvidencePage = { summary: '', tables: [], notes: [] };

/** A monitor that does nothing but write down what it was asked. */
export class FakeMonitor implements ServerMonitor {
  readonly asked: unknown[] = [];
  readonly capture = null;
  readonly timeline: TimelineEvidence = {
    marks: NO_TIME_MARKS,
    offsets: [],
    state: NOTHING_READING,
    readSamples: () => null,
    cancelReading: () => void this.asked.push('cancelReading'),
  };
  isDisposed = false;
  leftFiles: readonly string[] = [];
  adoptable: readonly AdoptableSession[] = [];
  isKept = false;
  pages: EvidencePages = { beforeAfter: emptyPage, writeWork: emptyPage, errorLog: emptyPage };
  review: SwitchReview = {
    plan: { targetSeconds: 60, waves: oneWave, steps: [], exclusions: [] },
    preflight: { server: [], databases: new Map(), unseen: [] },
    scripts: {
      scripts: (['change', 'rollback'] as const).map((kind) => ({ title: kind, kind, wave: null, text: kind as string as ReviewText })),
      record: '',
    },
  };
  private readonly listeners = new Set<(change: ServerChange) => void>();

  constructor(
    readonly id: string,
    /** What the next refresh finds. */
    public found: ServerSnapshot,
    public snapshot: ServerSnapshot = { ...found, connection: 'not connected', facts: null },
  ) {}

  onDidChange(listener: (change: ServerChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  change(change: ServerChange): void {
    for (const listener of this.listeners) listener(change);
  }

  async refresh(): Promise<void> {
    this.asked.push('refresh');
    this.snapshot = this.found;
    this.change('facts');
  }

  async look(): Promise<void> {
    this.asked.push('look');
    this.snapshot = this.found;
    this.change('facts');
  }

  async startTracking(databaseIds: readonly number[] | null): Promise<void> {
    this.asked.push(['startTracking', databaseIds]);
  }

  async changeTrackedDatabases(databaseIds: readonly number[] | null): Promise<void> {
    this.asked.push(['changeTrackedDatabases', databaseIds]);
  }

  async stopTracking(): Promise<void> {
    this.asked.push('stopTracking');
  }

  async removeTracking(): Promise<readonly string[]> {
    this.asked.push('removeTracking');
    return this.leftFiles;
  }

  showTrackingTexts(databaseIds: readonly number[] | null): ReturnType<ServerMonitor['showTrackingTexts']> {
    this.asked.push(['showTrackingTexts', databaseIds]);
    return [];
  }

  async reviewSwitch({ databaseIds, byName, targetSeconds }: SwitchChoice): Promise<SwitchReview> {
    this.asked.push(['reviewSwitch', databaseIds, byName, targetSeconds]);
    return this.review;
  }

  async writeScript(request: ScriptRequest): Promise<readonly ReviewScript[]> {
    this.asked.push(['writeScript', request]);
    return this.review.scripts?.scripts ?? [];
  }

  askForEvidence(): null {
    return null;
  }

  async gatherEvidence(): Promise<EvidencePages> {
    this.asked.push('gatherEvidence');
    return this.pages;
  }

  async setChanges(databaseIds: readonly number[], atUtcMs: number): Promise<boolean> {
    this.asked.push(['setChanges', databaseIds, atUtcMs]);
    return this.isKept;
  }

  async listAdoptable(): Promise<readonly AdoptableSession[]> {
    return this.adoptable;
  }

  async adopt(sessionName: string): Promise<void> {
    this.asked.push(['adopt', sessionName]);
  }

  async leave(reason: string): Promise<void> {
    this.asked.push(['leave', reason]);
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.listeners.clear();
  }
}

/** Answers in the order given; a question without an answer is left. Everything said is written down. */
export class FakeConversation implements Conversation {
  readonly said: string[] = [];
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

  async confirm(question: string): Promise<void> {
    this.said.push(question);
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

export const serverRow = createRow({ kind: 'server', id: 'server-1', serverId: 'server-1', label: 'Production 7' });

export function databaseRow(databaseId: number, serverId = 'server-1'): Row {
  return createRow({ kind: 'database', id: `${databaseId}`, serverId, label: `db${databaseId}`, databaseId });
}
