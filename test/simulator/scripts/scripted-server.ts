import type { ScriptRequest } from '../../../src/core/script/script-request';
import type { ReviewScript } from '../../../src/core/script/script-set';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator, type SimulatorOptions } from '../../../simulator';
import { runScript } from '../../e2e/run-script';
import { watch } from '../product/watched-server';

/** A simulated server on which scripts are run as a person would run them, beside our monitor, which writes them. */
export interface ScriptedServer {
  readonly simulator: Simulator;
  readonly monitor: ServerMonitor;
  /** @throws Error with one sentence where there is nothing to write */
  write(request: ScriptRequest): Promise<readonly ReviewScript[]>;
  /** Runs a script batch by batch; a CHECKPOINT takes its time, which goes by meanwhile. @returns what it printed, a line each */
  run(script: string, at?: { readonly user?: string; readonly server?: string; readonly database?: string }): Promise<string>;
  dispose(): Promise<void>;
}

const password = 'Str0ng!Passw0rd';
/** Virtual milliseconds that go by at a time. */
const stepMs = 100;

export async function openScriptedServer(options: SimulatorOptions = {}, on?: string): Promise<ScriptedServer> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const portOf = (server: string | undefined): number =>
    [...simulator.replicas, ...simulator.listeners].find(({ name }) => name === server)?.port ?? simulator.port;
  const monitor = watch({ port: portOf(on) }, simulator.administrator);
  return {
    simulator,
    monitor,
    write: async (request) => {
      await monitor.refresh();
      return monitor.writeScript(request);
    },
    run: async (script, { user = simulator.administrator.user, server = on, database } = {}) => {
      const timer = setInterval(() => simulator.server.advance(stepMs), 1);
      try {
        const address = { host: simulator.host, port: portOf(server), user, password, ...(database === undefined ? {} : { database }) };
        return (await runScript(address, script)).join('\n');
      } finally {
        clearInterval(timer);
      }
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
