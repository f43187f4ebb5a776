'use strict';
/** An error whose message is one sentence for the person at the keyboard; it is printed without a stack. */
class Refusal extends Error {}

/**
 * Runs the main function of a command. A Refusal ends it with its sentence; anything else is a bug and keeps its stack.
 * @param {() => Promise<number>} main gives the exit code
 */
async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Refusal ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

module.exports = { Refusal, runMain };
