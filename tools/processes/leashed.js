'use strict';
/* Runs before anything is installed: Node built-ins only. */
const { spawn } = require('node:child_process');
const { join } = require('node:path');

/** Everything that runs now. @type {Set<Leashed>} */
const running = new Set();
const leashFile = join(__dirname, 'leash.mjs');

/**
 * A running command that cannot outlive this process.
 * @typedef {object} Leashed
 * @property {(listener: (text: string) => void) => void} onOutput standard output and error, decoded, as they come
 * @property {Promise<number>} ended settles with the exit code when the command and everything it started have ended
 * @property {() => Promise<number>} end ends the command and everything it started, then removes its folders
 */

/**
 * Starts a command in a process group of its own that ends with this process, also when this process is killed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, folders?: readonly string[], foldersWhenCut?: readonly string[],
 * showOutput?: boolean}} [options] `folders` are removed when the command has ended, however it ended, `foldersWhenCut`
 * only when it was not left to end by itself; `showOutput` passes its output on to this terminal
 * @returns {Leashed}
 */
function startLeashed(command, args, options = {}) {
  const order = JSON.stringify({
    command,
    args,
    folders: options.folders ?? [],
    foldersWhenCut: options.foldersWhenCut ?? [],
  });
  const output = options.showOutput ? 'inherit' : 'pipe';
  const leash = spawn(process.execPath, [leashFile, order], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  let exitCode = 1;
  leash.on('message', (message) => (exitCode = message.exitCode));
  for (const stream of [leash.stdout, leash.stderr]) stream?.setEncoding('utf8').resume();
  /* The close comes when all output has been read; after a disconnect of our own Node reports the exit only. */
  let cut = false;
  const ended = new Promise((resolve) => {
    leash.once('close', () => resolve(exitCode));
    leash.once('exit', () => cut && resolve(exitCode));
  });
  const leashed = {
    ended,
    onOutput: (listener) => [leash.stdout, leash.stderr].forEach((stream) => stream?.on('data', listener)),
    end() {
      cut = true;
      if (leash.connected) leash.disconnect();
      return ended;
    },
  };
  running.add(leashed);
  void ended.then(() => running.delete(leashed));
  return leashed;
}

/** Ends everything that was started here and still runs. */
async function endAllLeashed() {
  await Promise.all([...running].map((leashed) => leashed.end()));
}

/**
 * Runs a command to its end and gives its exit code and everything that it printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, foldersWhenCut?: readonly string[]}} [options]
 * @returns {Promise<{exitCode: number, output: string}>}
 */
async function runLeashed(command, args, options = {}) {
  const leashed = startLeashed(command, args, options);
  let output = '';
  leashed.onOutput((text) => (output += text));
  return { exitCode: await leashed.ended, output };
}

/**
 * Waits until the output matches a pattern and gives the match.
 * @param {Leashed} leashed
 * @param {RegExp} pattern
 * @param {number} timeoutMs
 * @returns {Promise<RegExpExecArray>} fails when the command ends first or the time is up; the message carries the end
 * of the output
 */
function waitForOutput(leashed, pattern, timeoutMs) {
  return new Promise((resolve, reject) => {
    let seen = '';
    const fail = (why) => {
      clearTimeout(timer);
      reject(new Error(`${why}: ${seen.slice(-1500)}`));
    };
    const timer = setTimeout(
      () => fail(`nothing matched ${pattern} within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    leashed.onOutput((text) => {
      seen += text;
      const match = pattern.exec(seen);
      if (!match) return;
      clearTimeout(timer);
      resolve(match);
    });
    void leashed.ended.then(() => fail('the command ended early'));
  });
}

module.exports = { startLeashed, endAllLeashed, runLeashed, waitForOutput };
