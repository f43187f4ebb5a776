'use strict';
/* Runs before anything is installed: Node built-ins only. */
const { endAllLeashed } = require('./leashed.js');

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const parentCheckMs = 1000;

/** From now on a signal to end, or the end of the program that started this one, first ends everything that was started here. */
function endWithEverything() {
  for (const [signal, number] of Object.entries(signals)) process.once(signal, () => endNow(128 + number));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && endNow(1), parentCheckMs).unref();
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
