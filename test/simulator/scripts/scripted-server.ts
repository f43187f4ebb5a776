import type { ScriptRequest } from '../../../src/core/script/script-request';
import type { ReviewScript } from '../../../src/core/script/script-set';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator, type SimulatorOptions } from '../../../simulator';
import { watch } from '../product/watched-server';
import { openQueryWindow, type QueryWindow, type Shown } from '../../e2e/query-window';

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
  /** A window for more than one script. */
  open(at?: Where): Promise<QueryWindow>;
  /** Runs a script and closes its connection once such a message was printed. */
  hangUp(script: string, at: RegExp): Promise<void>;
  dispose(): Promise<void>;
}

export interface Where {
  readonly user?: string;
  /** A server or listener of the landscape. */
  readonly server?: string;
  readonly database?: string;
  /** Each message when it comes. */
  readonly heard?: (message: string) => void;
}

const password = 'Str0ng!Passw0rd';

/** @param stepMs virtual milliseconds that go by at a time while a script runs */
export async function openScriptedServer(options: SimulatorOptions = {}, on?: string, stepMs = 100): Promise<ScriptedServer> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const portOf = (server: string | undefined): number =>
    [...simulator.replicas, ...simulator.listeners].find(({ name }) => name === server)?.port ?? simulator.port;
  const monitor = watch({ ...simulator, port: portOf(on) });
  const open = ({ user = simulator.administrator.user, server = on, database, heard }: Where = {}): Promise<QueryWindow> =>
    openQueryWindow({ host: simulator.host, port: portOf(server), user, password, database }, heard);
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
    open,
    write: async (request) => {
      await monitor.refresh();
      return monitor.writeScript(request);
    },
    run: async (script, at) => (await run(await open(at), script)).printed,
    show: async (script, at) => run(await open(at), script),
    hangUp: async (script, at) => {
      const heard = (message: string): void => {
        if (at.test(message)) window.close();
      };
      const window = await open({ heard });
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
