/*
 * Holds one command on a leash: leads a process group of its own, starts the command in it, and ends the whole group as
 * soon as the channel to its holder closes. The operating system closes that channel however the holder ended, so
 * nothing is left behind even when the holder was killed. Started by leashed.mjs with one argument, JSON: {command,
 * args, folders, foldersWhenCut}: the first are removed at the end, the others only when the holder is gone or ends it.
 * Tells its holder the exit code.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const graceMs = 3000;
const { command, args, folders, foldersWhenCut } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
let ending = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
process.on('disconnect', end);
if (!process.connected) end();
child.on('error', (error) => {
  console.error(error.message);
  endGroup(127);
});
child.on('exit', (code) => endGroup(code ?? 1));

function end() {
  if (ending) return;
  ending = true;
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => endGroup(1), graceMs);
}

/* The signal reaches this process too: it is the last thing that happens. */
function endGroup(exitCode) {
  for (const folder of [...folders, ...(ending ? foldersWhenCut : [])])
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const kill = () => process.kill(-process.pid, 'SIGKILL');
  if (process.connected) process.send({ exitCode }, kill);
  else kill();
}
