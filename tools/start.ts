import { spawn } from 'node:child_process';
import { devVsixFile, packageAll, vsixFile } from './build/vsix';
import { Refusal } from './fail';
import { endAllLeashed } from './processes/leashed';
import { startSimulator, type RunningSimulator } from './simulator';
import { installVsCode } from './vscode/install';
import { startVsCode } from './vscode/server';

/**
 * Virtual seconds per second in the simulator: an hour of checkpoints takes three minutes. Faster, no sample would be
 * short enough.
 */
const simulatorRate = '20';
/**
 * Somebody switched these two virtual weeks ago: the error log tells it, and the others still share the checkpoint
 * task.
 */
const switchedDatabases = '12';

/**
 * Builds everything, starts the simulator and a VS Code connected to it, and waits until one of them ends. After a
 * signal, ends both before it returns.
 */
export async function start(): Promise<number> {
  console.log('Building the extension and fetching VS Code ...');
  await Promise.all([packageAll(), installVsCode()]);
  console.log('Starting the simulated SQL Server and VS Code ...');
  const simulator = await startSimulator(['--rate', simulatorRate, '--switched', switchedDatabases]);
  const vscode = await startVsCode({
    vsixFiles: [vsixFile, devVsixFile],
    env: () => ({ CHECKPOINT_HEALTH_DEV_SERVER: describeServer(simulator) }),
  });
  const { host, port, user, password } = simulator;
  console.log(`\nCheckpoint Health runs in VS Code at ${vscode.address}`);
  console.log(`The simulated SQL Server listens at ${host},${port}: login ${user}, password ${password}`);
  console.log(
    `From a terminal: sqlcmd -C -S ${host},${port} -U ${user} -P '${password}'\n\nPress Ctrl-C to end it.`,
  );
  openInBrowser(vscode.address);
  const ended = await Promise.race([
    simulator.ended.then(() => 'The simulated SQL Server'),
    vscode.ended.then(() => 'VS Code'),
  ]);
  await endAllLeashed();
  throw new Refusal(
    `${ended} ended by itself: run the command again, and look at its messages above if it happens twice.`,
  );
}

function describeServer({ host, port, user, password }: RunningSimulator): string {
  return JSON.stringify({
    name: 'Simulated SQL Server',
    server: host,
    port,
    user,
    password,
    encrypt: true,
    trustServerCertificate: true,
  });
}

/* Only for convenience: without a display or such a program, the printed address is enough. */
function openInBrowser(address: string): void {
  const hasDisplay =
    process.platform === 'darwin' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  if (!hasDisplay || process.env['CI'] || process.env['BROWSER'] === 'none') return;
  const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [address], {
    detached: true,
    stdio: 'ignore',
  });
  opener.on('error', () => undefined).unref();
}
