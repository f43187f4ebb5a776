import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoginRefused, type Answer, type Client, type ClientConnection, type ServerMessage, type Target } from './client';
import { cellEnd, readMessages, readSets, rowEnd } from './tsql-output';

/** FreeTDS' own command line, as it comes with Debian. It has batches and nothing else. */
export class TsqlClient implements Client {
  private readonly folder = mkdtempSync(join(tmpdir(), 'cph-tsql-'));
  private readonly connections = new Set<TsqlConnection>();

  constructor(private readonly tdsVersion = '7.4') {}

  async connect(target: Target): Promise<ClientConnection> {
    const file = join(this.folder, `${this.connections.size}.conf`);
    writeFileSync(file, this.writeConfiguration(target));
    const connection = new TsqlConnection(target, file);
    this.connections.add(connection);
    await connection.ready();
    return connection;
  }

  private writeConfiguration({ port, encryption, certificateFile }: Target): string {
    const lines = [
      `host = localhost`,
      `port = ${port}`,
      `tds version = ${this.tdsVersion}`,
      'client charset = UTF-8',
      'text size = 2147483647',
    ];
    lines.push(`encryption = ${encryption === 'none' ? 'off' : 'require'}`);
    if (encryption === 'verified') lines.push(`ca file = ${certificateFile}`, 'check certificate hostname = yes');
    return `[simulator]\n${lines.join('\n')}\n`;
  }

  async end(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * One running tsql. Rows come on standard output, messages on standard error; a batch of our own behind each batch says on both that it is over.
 */
class TsqlConnection implements ClientConnection {
  private readonly program: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<void>;
  private out = '';
  private err = '';
  private batches = 0;
  private wake: () => void = () => undefined;
  private isOver = false;

  constructor({ user, password }: Target, configuration: string) {
    // tsql buffers what it prints unless told not to.
    const args = ['-oL', '-eL', 'tsql', '-S', 'simulator', '-U', user, '-P', password, '-t', cellEnd, '-r', rowEnd];
    this.program = spawn('stdbuf', args, { env: { ...process.env, FREETDSCONF: configuration, LC_ALL: 'C.UTF-8' } });
    this.program.stdout.setEncoding('utf8').on('data', (text: string) => this.wakeAfter(() => (this.out += text)));
    this.program.stderr.setEncoding('utf8').on('data', (text: string) => this.wakeAfter(() => (this.err += text)));
    this.program.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.program.once('close', () => resolve(this.wakeAfter(() => (this.isOver = true)))));
  }

  private wakeAfter(change: () => unknown): void {
    change();
    this.wake();
  }

  async ready(): Promise<void> {
    await this.batch('').catch(() => {
      const errors = readMessages(this.err);
      throw errors.length > 0 ? new LoginRefused(this.err.trim(), errors) : new Error(this.err.trim());
    });
  }

  async batch(sql: string): Promise<Answer> {
    const end = `end of batch ${++this.batches}`;
    const asked = sql.trim() === '' ? '' : `${sql}\ngo\n`;
    this.program.stdin.write(`${asked}SELECT '${end}' AS sentinel\nPRINT '${end}'\ngo\n`);
    const outEnd = `sentinel${rowEnd}${end}${rowEnd}`;
    while (!this.out.includes(outEnd) || !this.err.includes(`${end}\n`)) {
      if (this.isOver) throw new Error(`tsql ended: ${this.err}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const sets = readSets(this.take('out', outEnd));
    const messages = readMessages(this.take('err', `${end}\n`));
    const isError = ({ severity }: ServerMessage): boolean => (severity ?? 0) > 10;
    return { sets, errors: messages.filter(isError), infos: messages.filter((message) => !isError(message)) };
  }

  private take(stream: 'out' | 'err', end: string): string {
    const text = this[stream];
    const at = text.indexOf(end);
    this[stream] = text.slice(at + end.length);
    return text.slice(0, at);
  }

  close(): Promise<void> {
    this.program.stdin.end();
    return this.ended;
  }
}
