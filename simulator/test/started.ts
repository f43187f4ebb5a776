import { startSimulator, type Simulator, type SimulatorOptions } from '../index';
import { connect, disconnect, run } from './tds/tedious-client';

export const LOGIN = { userName: 'dba', password: 'Str0ng!Passw0rd' };

/** Gives each test simulators whose time stands, which end with it. */
export function useSimulators(): (options?: SimulatorOptions) => Promise<Simulator> {
  const started: Simulator[] = [];
  afterEach(async () => {
    for (const simulator of started.splice(0)) await simulator.close();
  });
  return async (options = {}) => {
    const simulator = await startSimulator({ rate: 0, tls: 'off', ...options });
    started.push(simulator);
    return simulator;
  };
}

/** The first result set of a batch on a connection of its own. */
export async function askAt(port: number, sql: string): Promise<unknown> {
  const connection = await connect(port, LOGIN);
  const { sets } = await run(connection, sql);
  await disconnect(connection);
  return sets[0];
}
