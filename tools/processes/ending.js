'use strict';
/* Runs before anything is installed: Node built-ins only. */
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { endAllLeashed } = require('./leashed.js');

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const starterCheckMs = 1000;

/**
 * From now on a signal to end, or the end of the program that started this one, first ends everything that was started
 * here.
 */
function endWithEverything() {
  for (const [signal, number] of Object.entries(signals)) process.once(signal, () => endNow(128 + number));
  const parent = process.ppid;
  const npm = process.env['npm_lifecycle_event'] ? findParent(parent) : undefined;
  const isAlone = () => process.ppid !== parent || (npm !== undefined && !isRunning(npm));
  setInterval(() => isAlone() && endNow(1), starterCheckMs).unref();
}

/* npm starts a script through a shell, which outlives an npm that was killed. */
function findParent(pid) {
  try {
    if (process.platform === 'linux')
      return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return undefined; // only the shell is watched then
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

let ending;

/**
 * Ends everything that was started here, then this process.
 * @param {number} exitCode
 */
function endNow(exitCode) {
  ending ??= endAllLeashed().then(() => process.exit(exitCode));
  return ending;
}

module.exports = { endWithEverything, endNow };
