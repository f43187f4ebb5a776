import type { ScriptRequest } from '../../../src/core/script/script-request';
import type { ReviewScript } from '../../../src/core/script/script-set';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator, type SimulatorOptions } from '../../../simulator';
import { watch } from '../product/watched-server';
import { openQueryWindow, type QueryWindow, type Shown } from './query-window';

/** A simulated server on which scripts are run as a person would run them, beside our monitor, which writes them. */
export interface ScriptedServer {
  readonly simulator: Simulator;
  readonly monitor: ServerMonitor;
  /** @throws Error with one sentence where there is nothing to write */
  write(request: ScriptRequest): Promise<readonly ReviewScript[]>;
  /** Runs a script batch by batch; a CHECKPOINT takes its time, which goes by meanwhile. @returns what it printed, a line each */
  run(script: string, at?: Where): Promise<string>;
  /** The same, with its tables. */
  show(script: string, at?: Where): Promise<Shown>;
  /** Runs a script and closes its connection once such a message was printed. */
  hangUp(script: string, at: RegExp): Promise<void>;
  dispose(): Promise<void>;
}

interface Where {
  readonly user?: string;
  readonly server?: string;
  readonly database?: string;
}

const password = 'Str0ng!Passw0rd';
/** Virtual milliseconds that go by at a time. */
const stepMs = 100;

export async function openScriptedServer(options: SimulatorOptions = {}, on?: string): Promise<ScriptedServer> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const portOf = (server: string | undefined): number =>
    [...simulator.replicas, ...simulator.listeners].find(({ name }) => name === server)?.port ?? simulator.port;
  const monitor = watch({ port: portOf(on) }, simulator.administrator);
  const open = (
    { user = simulator.administrator.user, server = on, database }: Where,
    heard?: (message: string) => void,
  ): Promise<QueryWindow> =>
    openQueryWindow({ host: simulator.host, port: portOf(server), user, password, ...(database === undefined ? {} : { database }) }, heard);
  const run = async (window: QueryWindow, script: string): Promise<Shown> => {
    const timer = setInterval(() => simulator.server.advance(stepMs), 1);
    try {
      return await window.run(script);
    } finally {
      clearInterval(timer);
      window.close();
    }
  };
  return {
    simulator,
    monitor,
    write: async (request) => {
      await monitor.refresh();
      return monitor.writeScript(request);
    },
    run: async (script, at = {}) => (await run(await open(at), script)).printed,
    show: async (script, at = {}) => run(await open(at), script),
    hangUp: async (script, at) => {
      const window = await open({}, (message) => {
        if (at.test(message)) window.close();
      });
      await run(window, script);
    },
    dispose: async () => {
      await monitor.dispose();
      await simulator.close();
    },
  };
}

/** The text of the first script of that kind; '' where there is none. */
export function textOf(scripts: readonly ReviewScript[], kind: ReviewScript['kind'] = 'change'): string {
  return scripts.find((script) => script.kind === kind)?.text ?? '';
}
