/** The program `checkpoint-health`. */
import { isMainThread } from 'node:worker_threads';
import { CommanderError } from 'commander';
import { createProgram, outputOf } from './commands/program';
import { BadUsage, EXIT } from './kit/exit';

const program = createProgram((code) => void (process.exitCode = code));
let areResultsLost = false;

function listen(): void {
  /*
   * Without a listener, a stream that takes nothing more ends the program with 1, which means that check found something.
   */
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // Who stops reading, as head does, has what was wanted.
    if (code === 'EPIPE' || areResultsLost) return;
    areResultsLost = true;
    process.exitCode = EXIT.failed;
    outputOf(program).event('error', `The results cannot be written to standard output: ${message}`);
  });
  /*
   * Node would write both to standard error in a form of its own, and end with 1 as well. Its warnings are for a log, not
   * for a person at a terminal.
   */
  process.removeAllListeners('warning').on('warning', ({ message }) => {
    if (!process.stderr.isTTY) outputOf(program).event('warning', message);
  });
  process.on('uncaughtException', ({ message, stack }) => {
    outputOf(program).event('error', `A fault of this program: ${message}`, { stack });
    process.exit(EXIT.failed);
  });
}

async function main(): Promise<number> {
  listen();
  try {
    await program.parseAsync();
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    outputOf(program).event('error', error instanceof Error ? error.message : String(error));
    return error instanceof BadUsage ? EXIT.usage : EXIT.failed;
  }
}

// Another thread has its work elsewhere (report/from-lake.ts).
if (isMainThread) void main().then((code) => (process.exitCode = areResultsLost ? EXIT.failed : code));
