import { join } from 'node:path';
import { root } from './packages';
import { startLeashed, waitForOutput } from './processes/leashed';

const readyTimeoutMs = 60_000;

/** The first line that a simulator prints: where it listens and which login it accepts. */
interface SimulatorAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A simulated SQL Server in a process of its own. */
export type RunningSimulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts the simulator and waits until it listens. `args` are its own options; `--rate 60` makes an hour a minute. */
export async function startSimulator(args: readonly string[]) {
  const program = ['--require', 'tsx/cjs', join(root, 'simulator', 'main.ts'), '--follow-stdin', ...args];
  const simulator = startLeashed(process.execPath, program, { cwd: root });
  try {
    const [line] = await waitForOutput(simulator, /^\{.*\}$/m, readyTimeoutMs);
    return { ...(JSON.parse(line) as SimulatorAddress), ended: simulator.ended, end: () => simulator.end() };
  } catch (error) {
    await simulator.end();
    throw error;
  }
}
