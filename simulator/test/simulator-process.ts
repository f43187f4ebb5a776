import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const MAIN = join(__dirname, '../main.ts');

export interface SimulatorProcess {
  readonly child: ChildProcess;
  /** What it prints when clients can connect. */
  readonly line: Promise<string>;
  /** The port of that line. */
  readonly port: Promise<number>;
  /** Resolves when it has begun to store a history. */
  readonly isStoring: Promise<void>;
  /** Its exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals>;
}

/** Starts the simulator as a user does; `directory` is where it stands and what it may take for temporary files. */
export function startProcess(directory: string, ...args: readonly string[]): SimulatorProcess {
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), MAIN, ...args], {
    cwd: directory,
    env: { ...process.env, TMPDIR: directory },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const line = once(lines, 'line').then(([text]) => String(text));
  const port = line.then((text) => Number((JSON.parse(text) as { port: number }).port));
  port.catch(() => undefined);
  const exit = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const isStoring = new Promise<void>((resolve) => {
    child.stderr?.on('data', (text: Buffer) => {
      if (text.includes('Stores')) resolve();
    });
  });
  return { child, line, port, isStoring, exit };
}
