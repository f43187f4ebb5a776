import type { KeptRecord } from '../../src/core/capture/capture-record';
import type { Connection, ResultSet, ServerAccess } from '../../src/hosts/host';
import { LoginBreaker } from '../../src/monitor/queries/login-breaker';
import { ServerQuery } from '../../src/monitor/queries/server-query';
import { thisComputer } from '../../src/monitor/queries/slices';
import type {
  Installation,
  MonitorSurroundings,
  StartedSession,
} from '../../src/monitor/queries/surroundings';

/** An installation that remembers for as long as it lives. */
export function installationOf(id = '3f9a1c2e'): Installation {
  const started = new Map<string, StartedSession>();
  let marks = 0;
  return {
    newMark: () => `${id}${String(++marks).padStart(24, '0')}`,
    findStarted: (mark) => started.get(mark) ?? null,
    keepStarted: (session) => Promise.resolve(void started.set(session.mark, session)),
  };
}

export function surroundingsOf(
  access: ServerAccess,
  timers: FakeTimers,
  kept: KeptRecord[] = [],
  installation = installationOf(),
): MonitorSurroundings & { readonly logged: string[] } {
  const logged: string[] = [];
  let captures = 0;
  return {
    access,
    breaker: new LoginBreaker({ schedule: timers.schedule, elapsedMs: () => 0, nowMs: () => 0 }),
    schedule: timers.schedule,
    installation,
    newCaptureId: () => `capture-${++captures}`,
    log: { sql: (title, text) => logged.push(`${title}\n${text}`), warn: (message) => logged.push(message) },
    captures: {
      keep: (record) => Promise.resolve(void kept.push(record)),
      recover: (name) =>
        Promise.resolve(recoverLast(kept.filter(({ serverName }) => name === null || serverName === name))),
    },
    pollIntervalMs: 2_000,
    refreshIntervalMs: 30_000,
    sampling: { instanceMs: 15_000, databasesMs: 60_000 },
    elapsedMs: () => 0,
    logged,
  };
}

/** The last record, with the last kept sections of its server: sections that did not come with it stay. */
function recoverLast(kept: readonly KeptRecord[]): KeptRecord | null {
  const last = kept[kept.length - 1];
  if (last === undefined) return null;
  const sections = new Map(
    kept
      .filter(({ serverName }) => serverName === last.serverName)
      .flatMap((one) => one.sections.map((section) => [section.name, section])),
  );
  return { ...last, sections: [...sections.values()] };
}

type Query = Connection['query'];

/** The same way to a server; each query goes by way of `query`, which asks on by the connection. */
export function through(
  access: ServerAccess,
  query: (connection: Connection, ...asked: Parameters<Query>) => ReturnType<Query>,
): ServerAccess {
  const { id, label, account } = access;
  const open: ServerAccess['open'] = async (opening) => {
    const connection = await access.open(opening);
    return {
      ...connection,
      close: () => connection.close(),
      query: (...asked) => query(connection, ...asked),
    };
  };
  return { id, label, account, open };
}

/** A server that answers each text so, without an editor or a driver in between. */
export function answerWith(
  answer: (text: string) => ResultSet,
  capabilities = { session: false, parameters: false, errors: true },
): ServerQuery {
  const connection: Connection = {
    capabilities,
    query: (text) => Promise.resolve().then(() => [answer(text)]),
    close: () => Promise.resolve(),
  };
  const account = { key: 'a', shown: 'login a' };
  return new ServerQuery(
    { id: 's', label: 'S', account, open: () => Promise.resolve(connection) },
    openBreaker(),
  );
}

export const openBreaker = (): LoginBreaker => new LoginBreaker(thisComputer);

/** Timers that run when the test says so. */
export class FakeTimers {
  private readonly tasks = new Map<object, { delayMs: number; task: () => void }>();

  readonly schedule = (delayMs: number, task: () => void): { dispose(): void } => {
    const key = {};
    this.tasks.set(key, { delayMs, task });
    return { dispose: () => void this.tasks.delete(key) };
  };

  get delays(): number[] {
    return [...this.tasks.values()].map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  }

  /** Runs the tasks that wait at most that long. */
  fire(upToMs: number): void {
    for (const [key, { delayMs, task }] of [...this.tasks]) {
      if (delayMs > upToMs || !this.tasks.delete(key)) continue;
      task();
    }
  }
}
