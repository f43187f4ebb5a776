import type { Facts } from '../../../src/core/advice/facts';
import type { Choice } from '../../../src/core/advice/plan';
import type { ScriptRequest } from '../../../src/core/script/script-request';
import { startSimulator, type SimulatorOptions } from '../../../simulator';
import { changeOf, choiceOf, rollbackOf } from '../../core/script/scripts-of';
import { watch } from '../product/watched-server';
import { openQueryWindow, type QueryWindow, type Shown } from '../../e2e/query-window';

export interface Where {
  readonly user?: string;
  /** A server or listener of the landscape. */
  readonly server?: string;
  readonly database?: string;
  /** Each message when it comes, and how to close the window then. */
  readonly heard?: (message: string, hangUp: () => void) => unknown;
}

export type ScriptedServer = Awaited<ReturnType<typeof openScriptedServer>>;

/**
 * A simulated server, our monitor that writes scripts for it, and query windows in which a person runs them.
 * @param stepMs virtual milliseconds that go by at a time while a script runs
 */
export async function openScriptedServer(options: SimulatorOptions = {}, on?: string, stepMs = 1_000) {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const portOf = (server: string | undefined): number =>
    [...simulator.replicas, ...simulator.listeners].find(({ name }) => name === server)?.port ??
    simulator.port;
  const monitor = watch({ ...simulator, port: portOf(on) });
  /** A window for more than one script. */
  const open = async ({ server = on, heard, ...more }: Where = {}): Promise<QueryWindow> => {
    const address = { host: simulator.host, port: portOf(server), ...simulator.administrator, ...more };
    const window: QueryWindow = await openQueryWindow(address, (message) =>
      heard?.(message, () => window.close()),
    );
    return window;
  };
  /** What our monitor reads of it now. */
  const facts = async (): Promise<Facts> => {
    await monitor.refresh();
    if (monitor.snapshot.facts === null) throw new Error(monitor.snapshot.failure ?? 'no facts');
    return monitor.snapshot.facts;
  };
  const listTargets = (): ReadonlyMap<string, number> =>
    new Map(
      simulator.replicas.flatMap(({ name, server }) => {
        const prefix = simulator.replicas.length > 1 ? `${name}/` : '';
        return [...server.databases.targets()].map(
          ([database, seconds]) => [`${prefix}${database}`, seconds] as const,
        );
      }),
    );
  /**
   * What became of target recovery times meanwhile, by the model itself: "Sales: 0 -> 60", with its server where there
   * are several.
   */
  const during = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = listTargets();
    await act();
    return listChanged(before, listTargets());
  };
  /**
   * Runs a script in a new window, batch by batch; its pauses and CHECKPOINTs take their time. Gives the changes too,
   * as `during` does.
   */
  const show = async (script: string, at?: Where) => {
    const window = await open(at);
    const timer = setInterval(() => simulator.server.advance(stepMs), 1);
    let shown: Shown = { printed: '', tables: [] };
    const changed = await during(async () => (shown = await window.run(script))).finally(() => {
      clearInterval(timer);
      window.close();
    });
    return { ...shown, changed };
  };
  /** A review, with the text that it opens and the text that takes that back; '' where there is none. */
  const review = async (names: readonly string[], more: Partial<Choice> = {}) => {
    const { databases } = await facts();
    const ids = names.map((name) => databases.find((database) => database.name === name)?.databaseId ?? -1);
    const reviewed = await monitor.reviewSwitch(choiceOf(ids, true, more));
    return { ...reviewed, change: changeOf(reviewed.scripts), rollback: rollbackOf(reviewed.scripts) };
  };
  return {
    simulator,
    monitor,
    facts,
    open,
    during,
    show,
    review,
    /** Of all databases, none of them by name. */
    reviewAll: () => review([...simulator.server.databases.targets().keys()], { byName: false }),
    /** Puts targets of databases in place as somebody else would. */
    setTargets: (targets: Readonly<Record<string, number>>) =>
      show(
        Object.entries(targets)
          .map(([name, seconds]) => `ALTER DATABASE [${name}] SET TARGET_RECOVERY_TIME = ${seconds} SECONDS;`)
          .join(' '),
      ),
    /**
     * Runs in place of each ALTER of a target, which `alter` does, also for another login; `at` counts from 1.
     * @returns what ends that
     */
    whileAltering: (act: (alter: (login?: string) => void, at: number) => void) => {
      const { server } = simulator;
      const alter = server.setTargetRecoveryTime.bind(server);
      let altered = 0;
      Object.assign(server, {
        setTargetRecoveryTime: (...[name, seconds, by]: Parameters<typeof alter>) =>
          act((login = by.login) => alter(name, seconds, { ...by, login }), ++altered),
      });
      return () => void Object.assign(server, { setTargetRecoveryTime: alter });
    },
    /** @throws Error with one sentence where there is nothing to write */
    write: async (request: ScriptRequest) => {
      await monitor.refresh();
      return monitor.writeScript(request);
    },
    /** What a script printed, a line each. */
    run: async (script: string, at?: Where) => (await show(script, at)).printed,
    dispose: async (): Promise<void> => {
      await monitor.dispose();
      await simulator.close();
    },
  };
}

/** What became of settings, by their names: "Sales: 0 -> 60", in the order of names. */
export function listChanged<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): readonly string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  return changed
    .map((name) => `${name}: ${before.get(name) ?? 'none'} -> ${after.get(name) ?? 'none'}`)
    .sort();
}

/** The rows of the list of a script, without the commas between them. */
export function rowsOf(script: string): readonly string[] {
  const rows = /^INSERT @list [^\n]*\n([^]*?);$/m.exec(script)?.[1] ?? '';
  return rows.split(/,\n(?= {4}\()/).map((row) => row.trim());
}

/** The script with other rows in its list, or with statements in its place. */
export function replaceList(script: string, rows: readonly string[]): string {
  return script.replace(/^(INSERT @list [^\n]*\n)[^]*?;$/m, (_whole, insert: string) =>
    rows[0]?.startsWith('INSERT') === true ? rows.join('\n') : `${insert}    ${rows.join(',\n    ')};`,
  );
}

/** The script as if it had been written for another server. */
export function writtenFor(script: string, name: string): string {
  return script.replace(/NOT IN \(N'[^)]*'\)/, () => `NOT IN (N'${name}')`);
}
