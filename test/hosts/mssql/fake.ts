/**
 * A world with an SQL Server extension (mssql) in it, whose answers a test sets; every call that reaches it is noted.
 */
import type { MssqlWorld, OpenedDocument } from '../../../src/hosts/mssql/world';
import { Emitter } from '../../emitter';

export type Way = 'exports' | 'commands' | 'neither' | 'absent' | 'broken';

export const OURS = 'checkpoint-health.checkpoint-health';
export const PASSWORD = 'Str0ng!Passw0rd';

/** An error as mssql throws it. */
export function sharingError(code: string): Error {
  return Object.assign(new Error(`mssql says ${code}`), { code });
}

export type FakeMssql = ReturnType<typeof createFakeMssql>;

const CALLS = ['connect', 'disconnect', 'isConnected', 'executeSimpleQuery'];
/** Answered where the test says how. */
const ASKING = 'getActiveEditorConnectionId';

export function createFakeMssql(way: Way = 'exports') {
  const settings = new Emitter();
  const timers = new Set<{ dueMs: number; task: () => void }>();
  let nowMs = 0;
  const { editors, textEditors, tellActive } = createFakeEditors();
  const run = (kind: string, name: string, args: readonly unknown[]): unknown => {
    const shown = name === 'executeSimpleQuery' ? args.slice(0, 1) : args;
    fake.calls.push(
      `${kind}.${name}(${shown.map((arg) => (arg === OURS ? 'ours' : typeof arg === 'object' ? 'node' : arg)).join(', ')})`,
    );
    const action = fake.does[name];
    if (!action) throw new Error(`command ${name} not found`);
    return action(...args);
  };
  const listCalls = (): readonly string[] => (fake.does[ASKING] === undefined ? CALLS : [...CALLS, ASKING]);
  const share = (): unknown =>
    Object.fromEntries(
      listCalls().map((name) => [name, (...args: readonly unknown[]) => run('exports', name, args)]),
    );
  const exports = (): unknown =>
    fake.way === 'exports'
      ? { connectionSharing: share(), sendRequest: () => fake.does['sendRequest']?.() }
      : { uriOwnershipApi: {} };
  const world: MssqlWorld = {
    extensionId: OURS,
    findExtension: () =>
      fake.way === 'absent'
        ? undefined
        : {
            version: '1.42.0',
            isActive: fake.isActive,
            hasContainer: true,
            activate: async () => {
              if (fake.way === 'broken') throw new Error('it broke');
              fake.isActive = true;
              return exports();
            },
            exports,
          },
    executeCommand: async (id, ...args) => {
      const answer = await run('commands', id.replace(/^mssql\.(connectionSharing\.)?/, ''), args);
      tellActive();
      return answer;
    },
    listCommands: async () =>
      fake.way === 'commands'
        ? listCalls().map((name) => `mssql.connectionSharing.${name}`)
        : ['mssql.connect'],
    readConnections: () => ({ user: fake.user, workspace: fake.workspace }),
    readGroups: () => ({ user: fake.groups, workspace: undefined }),
    remembersPasswords: () => fake.remembersPasswords,
    wasReached: () => fake.wasReached,
    readCellLimit: () => fake.cellLimit,
    isTrusted: () => fake.isTrusted,
    onDidChange: settings.event,
    canReach: async () => fake.isThere,
    answersAt: async () => !fake.isSilent,
    schedule: (delayMs, task) => {
      const timer = { dueMs: nowMs + delayMs, task };
      timers.add(timer);
      return { dispose: () => void timers.delete(timer) };
    },
    editors: textEditors,
  };
  const fake = {
    world,
    way,
    isActive: false,
    isTrusted: true,
    user: undefined as unknown,
    workspace: undefined as unknown,
    /** The setting mssql.connectionGroups of the user. */
    groups: undefined as unknown,
    remembersPasswords: false,
    wasReached: true,
    /** On a new machine it has none of the passwords that its profiles say are saved. */
    hasPasswords: true,
    cellLimit: 65_535 as unknown,
    /** Whether something listens where the servers are; null: that cannot be told. */
    isThere: true as boolean | null,
    /** It accepts connections and answers none. */
    isSilent: false,
    /** What mssql does for a call or command, by its name without the prefix; it may wait. */
    does: {
      connect: () => 'uri-1',
      disconnect: () => undefined,
      isConnected: () => true,
      executeSimpleQuery: () => answerWith([['1']]),
    } as Record<string, (...args: readonly unknown[]) => unknown>,
    /** Calls in order, for example `exports.connect(ours, id)`; a query's text is left out. */
    calls: [] as string[],
    editors,
    tellChange: settings.fire,
    /** Lets all time-outs up to this one run out. */
    pass: (durationMs: number) => {
      nowMs += durationMs;
      for (const timer of [...timers].filter(({ dueMs }) => dueMs <= nowMs)) {
        timers.delete(timer);
        timer.task();
      }
    },
  };
  return fake;
}

/** The editors of the fake: documents by address, one of them in front. */
function createFakeEditors() {
  const active = new Emitter();
  const editors = {
    documents: new Map<
      string,
      { text: string; languageId: string; isUntitled: boolean; connectedTo: string | null }
    >(),
    /** Addresses in each group, the one in front last. */
    groups: [[]] as string[][],
    front: null as string | null,
    show: (
      uri: string,
      shown: Partial<Pick<OpenedDocument, 'languageId' | 'isUntitled'>> & {
        text?: string;
        connectedTo?: string;
      } = {},
    ): void => {
      const { text = '', languageId = 'sql', isUntitled = true, connectedTo = null } = shown;
      editors.documents.set(uri, { text, languageId, isUntitled, connectedTo });
      editors.groups[0]?.push(uri);
      editors.front = uri;
      active.fire();
    },
  };
  const textEditors: MssqlWorld['editors'] = {
    listDocuments: () => new Set(editors.documents.keys()),
    active: () => {
      const { front } = editors;
      const found = editors.documents.get(front ?? '');
      if (!found || front === null) return null;
      return {
        uri: front,
        languageId: found.languageId,
        isUntitled: found.isUntitled,
        isEmpty: found.text === '',
      };
    },
    onDidChangeActive: active.event,
    fill: async (uri, text) => {
      const document = editors.documents.get(uri);
      if (!document || editors.front !== uri || document.text !== '') return false;
      document.text = text;
      return true;
    },
    moveBeside: async (uri, frontUri) => {
      if (editors.front !== uri) return;
      (editors.groups[1] ??= []).push(editors.groups[0]?.pop() ?? '');
      editors.front = frontUri;
    },
  };
  return { editors, textEditors, tellActive: active.fire };
}

/**
 * What the language client throws for an error of the service: its message, no code that says anything, and in another
 * realm no Error.
 */
export function responseError(message: string): unknown {
  return { code: 0, data: undefined, message };
}

export const NOT_CONNECTED = 'This editor is not connected to a database\nParameter name: OwnerUri';

export type ServedMssql = ReturnType<typeof serve>;

/**
 * Lets the fake answer as mssql does, by its profiles and with a login for each query: as the real ones were seen and
 * read (docs/facts.md, Hosts 1 and 3).
 */
export function serve(fake: FakeMssql) {
  const uris = new Map<string, string>();
  const remembered = new Set<unknown>();
  const served = {
    server: 'up' as 'up' | 'down' | 'refusing' | 'silent',
    isServiceGone: false,
    /** What it answers to `disconnect` reaches nobody who catches it. */
    uncaught: 0,
    logins: 0,
    refused: 0,
    /** Nameless prompts that stand open; answering one with nothing is what Escape does. */
    prompts: [] as ((password?: string) => void)[],
    /** The most that ever stood open at once. */
    mostPrompts: 0,
    prompted: 0,
  };
  const askService = async (): Promise<void> => {
    if (served.isServiceGone) throw responseError('Client is not running');
  };
  const logIn = async (password: string): Promise<boolean> => {
    if (served.isServiceGone) return false;
    // The service finds out after 15 s that a server is down.
    if (served.server === 'down') return new Promise(() => undefined);
    served.logins++;
    if (served.server === 'silent') return new Promise(() => undefined);
    const isLetIn = served.server === 'up' && password === PASSWORD;
    if (!isLetIn) served.refused++;
    return isLetIn;
  };
  const prompt = (): Promise<string> => {
    served.prompted++;
    // A second one replaces the first, which then logs in with nothing.
    served.prompts.splice(0).forEach((lose) => lose());
    return new Promise((resolve) => served.prompts.push((password = '') => resolve(password)));
  };
  fake.does['connect'] = async (_ours, id) => {
    const profile = (fake.user as { id: string; groupId?: string; savePassword?: boolean }[]).find(
      (each) => each.id === id,
    );
    const groups = fake.groups as { id: string }[] | undefined;
    if (
      profile === undefined ||
      (groups !== undefined && !groups.some((group) => group.id === profile.groupId))
    )
      throw sharingError('CONNECTION_NOT_FOUND');
    const isKept = (profile.savePassword === true && fake.hasPasswords) || remembered.has(id);
    const asked = isKept ? Promise.resolve(PASSWORD) : prompt();
    served.mostPrompts = Math.max(served.mostPrompts, served.prompts.length);
    if (!(await logIn(await asked))) throw sharingError('CONNECTION_FAILED');
    if (fake.remembersPasswords) remembered.add(id);
    const uri = `uri-${uris.size + 1}`;
    uris.set(uri, String(id));
    return uri;
  };
  fake.does['disconnect'] = (uri) => {
    uris.delete(String(uri));
    void askService().catch(() => served.uncaught++);
  };
  fake.does['sendRequest'] = askService;
  // For some time after that too.
  fake.does['isConnected'] = () => true;
  fake.does['executeSimpleQuery'] = async (uri) => {
    await askService();
    if (!uris.has(String(uri)) || !(await logIn(PASSWORD))) throw responseError(NOT_CONNECTED);
    return CAUGHT_ANSWER;
  };
  return served;
}

/** What `SELECT a = 1;` answers as the monitor sends it: one row, and the row that ends it. */
export const CAUGHT_ANSWER = {
  ...answerWith([
    ['1', null, null, '1', '1'],
    ['2', null, null, null, null],
  ]),
  columnInfo: ['part', 'caught_number', 'caught_message', 'ordinal', 'c1'].map((columnName) => ({
    columnName,
    dataType: 'nvarchar',
  })),
};

/** An answer of executeSimpleQuery: columns a, b, ... and these cells; null is SQL NULL. */
export function answerWith(
  rows: readonly (readonly (string | null)[])[],
  columnCount = rows[0]?.length ?? 1,
) {
  return {
    rowCount: rows.length,
    columnInfo: Array.from({ length: columnCount }, (_, index) => ({
      columnName: 'abcdefgh'[index],
      dataType: 'nvarchar',
    })),
    rows: rows.map((row) => row.map((text) => ({ displayValue: text ?? 'NULL', isNull: text === null }))),
  };
}
