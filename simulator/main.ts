import { writeFileSync } from 'node:fs';
import { readCommand, usage, type Command } from './command-line';
import type { Ledger } from './engine/ledger';
import { startSimulator, type Simulator } from './index';
import type { LogEntry } from './tds/server';

/** Longer than any clean end takes; what still runs then is not waited for. */
const endWithinMs = 5000;

/** The ledger as plain JSON, with what each event session captured. */
function ledgerJson(ledger: Ledger): string {
  const { checkpoints, settingChanges, sessionRuns } = ledger;
  const names = [...new Set(sessionRuns.map(({ sessionName }) => sessionName))];
  const captured = Object.fromEntries(names.map((name) => [name, ledger.capturedBy(name)]));
  return JSON.stringify({ checkpoints, settingChanges, sessionRuns, captured }, undefined, 1);
}

async function endSimulator(simulator: Simulator, ledgerFile: string | undefined): Promise<void> {
  setTimeout(() => process.exit(1), endWithinMs).unref();
  await simulator.close();
  if (ledgerFile !== undefined) writeFileSync(ledgerFile, ledgerJson(simulator.server.ledger));
  process.exit(0);
}

function endOnRequest(simulator: Simulator, { ledgerFile, followStdin }: Command): void {
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending ??= endSimulator(simulator, ledgerFile).catch(fail);
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
  const { scenario, release, databases, port, rate, seed, tls } = command;
  const log = ({ event, message }: LogEntry): void => console.error(`${event}: ${message}`);
  const simulator = await startSimulator({
    scenario,
    ...(release ? { release } : {}),
    ...(databases ? { databases } : {}),
    port,
    rate,
    seed,
    tls,
    log,
  });
  endOnRequest(simulator, command);
  const address = { host: simulator.host, port: simulator.port };
  console.log(JSON.stringify({ ...address, ...simulator.administrator }));
  console.error(
    `A modelled SQL Server, ${simulator.server.serverName}, listens on ${address.host},${address.port}: TLS ${tls}, seed ${seed}, rate ${rate}.`,
  );
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
