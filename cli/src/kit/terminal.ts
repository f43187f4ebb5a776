/** Questions on the terminal. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { makeVisible } from '../../../src/core/visible';

export type Ask = (question: string) => Promise<string>;

type Terminal = Pick<NodeJS.Process, 'stdin' | 'stderr'>;

/** While a question waits, the terminal sends no signal of its own. */
const sendInterrupt = (): boolean => process.kill(process.pid, 'SIGINT');

/** `askHidden` shows nothing that is typed. null: no terminal. @param interrupt what Ctrl-C does; it ends all asking */
export function findTerminal(
  terminal: Terminal = process,
  interrupt: () => unknown = sendInterrupt,
): { readonly ask: Ask; readonly askHidden: Ask } | null {
  if (!terminal.stdin.isTTY || !terminal.stderr.isTTY) return null;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    interrupt();
  };
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    ask: async (question) => (isOver ? '' : ask(terminal, terminal.stderr, question, end)),
    askHidden: async (question) => (isOver ? '' : ask(terminal, silent, question, end)),
  };
}

/** '' if it is not answered. @param output what is typed is shown there */
function ask(
  { stdin, stderr }: Terminal,
  output: NodeJS.WritableStream,
  question: string,
  interrupt: () => void,
): Promise<string> {
  const shown = makeVisible(question);
  const isHidden = output !== stderr;
  const prompt = createInterface({ input: stdin, output, terminal: true });
  if (isHidden) stderr.write(shown);
  return new Promise((resolve) => {
    prompt.once('SIGINT', () => {
      prompt.close();
      interrupt();
    });
    prompt.once('close', () => {
      if (isHidden) stderr.write('\n');
      resolve('');
    });
    prompt.question(isHidden ? '' : shown, (answer) => {
      resolve(answer);
      prompt.close();
    });
  });
}
