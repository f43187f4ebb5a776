/** Questions on the terminal. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export type Ask = (question: string) => Promise<string>;

/** null: there is no terminal, and nobody is asked. */
export function findTerminal(): { readonly ask: Ask; readonly askHidden: Ask } | null {
  return process.stdin.isTTY && process.stderr.isTTY ? { ask: askOpen, askHidden } : null;
}

function askOpen(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    prompt.once('close', () => resolve(''));
    prompt.question(question, (answer) => {
      resolve(answer);
      prompt.close();
    });
  });
}

/** Asks without showing what is typed. */
function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve) => {
    prompt.once('close', () => resolve(''));
    prompt.question('', (answer) => {
      resolve(answer);
      prompt.close();
      process.stderr.write('\n');
    });
  });
}
