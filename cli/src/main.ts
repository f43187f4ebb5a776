/** The program `checkpoint-health`. */
import { CommanderError } from 'commander';
import { createProgram } from './commands/program';
import { BadUsage, EXIT } from './kit/exit';

async function main(): Promise<number> {
  try {
    await createProgram((code) => void (process.exitCode = code)).parseAsync();
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof BadUsage ? EXIT.usage : EXIT.failed;
  }
}

void main().then((code) => (process.exitCode = code));
