import { readCommand, usage, type Command } from './command-line';
import { startSimulator, type Simulator } from './index';
import type { LogEntry } from './tds/server';

/** Longer than any clean end takes. After this the process ends without waiting. */
const endWithinMs = 5000;

/** Where the other servers of the scenario listen; nothing if there is only one. */
function describeLandscape({ replicas, listeners }: Simulator): object {
  if (replicas.length === 1) return {};
  return {
    replicas: replicas.map(({ name, host, port, roles }) => ({ name, host, port, roles })),
    listeners: listeners.map(({ name, group, isContained, host, port }) => ({
      name,
      group,
      isContained,
      host,
      port,
    })),
  };
}

async function endSimulator(simulator: Simulator | undefined): Promise<void> {
  // Before the start there is nothing to close.
  if (simulator === undefined) process.exit(0);
  setTimeout(() => process.exit(1), endWithinMs).unref();
  await simulator.close();
  process.exit(0);
}

/** Works from the first moment on, because storing a history takes a while. */
function endOnRequest(started: { simulator?: Simulator }, { followStdin }: Command): void {
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending ??= endSimulator(started.simulator).catch(fail);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (!followStdin) return;
  process.stdin.on('error', end).on('end', end).on('close', end).resume();
}

function fail(error: Error): never {
  console.error(error.message);
  process.exit(1);
}

async function main(command: Command): Promise<void> {
  const { scenario, release, databases, storedEvents, switched, port, rate, seed, tls } = command;
  const started: { simulator?: Simulator } = {};
  endOnRequest(started, command);
  const log = ({ event, message }: LogEntry): void => console.error(`${event}: ${message}`);
  if (storedEvents > 0) console.error(`Stores ${storedEvents} events first.`);
  const simulator = await startSimulator({
    scenario,
    ...(release ? { release } : {}),
    ...(databases ? { databases } : {}),
    storedEvents,
    switched,
    isWarm: true,
    port,
    rate,
    seed,
    tls,
    log,
  });
  started.simulator = simulator;
  const address = { host: simulator.host, port: simulator.port };
  console.log(JSON.stringify({ ...address, ...simulator.administrator, ...describeLandscape(simulator) }));
  console.error(
    `A modelled SQL Server, ${simulator.server.serverName}, listens on ${address.host},${address.port}: TLS ${tls}, seed ${seed}, rate ${rate}.`,
  );
  for (const { name, port: own } of simulator.replicas.slice(1))
    console.error(`${name} listens on ${address.host},${own}.`);
  for (const { name, group, port: own } of simulator.listeners)
    console.error(`The listener ${name} of availability group ${group} listens on ${address.host},${own}.`);
}

function readCommandOrExit(): Command {
  try {
    return readCommand(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

main(readCommandOrExit()).catch(fail);
