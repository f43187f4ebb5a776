import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  LoginRefused,
  type Answer,
  type Client,
  type ClientConnection,
  type ServerMessage,
  type Target,
  type Cell,
  type ResultSet,
} from './client';

/** What tsql is told to write behind each value and each row: unlikely in any data. */
const cellEnd = '<|>';
const rowEnd = '<||>\n';

const prompts = /^(?:\d+> )+|(?:\d+> )+$/g;
const greeting = /^(?:locale|using default charset).*\n/gm;
const footer = /^\(\d+ rows? affected\)\n/m;

/**
 * What tsql printed for one batch. It ends a set with a footer only where it had rows, so a set without rows is read as part of the next one:
 *
 *   c<||> d<||> 1<||> (1 row affected)   ->   {columns: [c], rows: [[d], [1]]}
 */
function readSets(text: string): readonly ResultSet[] {
  return text
    .replace(greeting, '')
    .replace(/^\(1 row affected\)\n/, '')
    .replace(prompts, '')
    .split(footer)
    .filter((block) => block !== '')
    .map((block) => {
      const [columns = [], ...rows] = block
        .split(rowEnd)
        .slice(0, -1)
        .map((line) => line.split(cellEnd));
      return { columns, rows: rows.map((row) => row.map(readCell)) };
    });
}

/** tsql writes NULL for a NULL, so the text NULL cannot be told from it. */
function readCell(text: string): Cell {
  return text === 'NULL' ? null : text;
}

const header = /^\r?Msg (\d+) \(severity (\d+), state (\d+)\) from \S+(?: Procedure \S+)? Line (\d+):\n\t"/m;

/** Messages have a header; what PRINT says stands alone, its lines with those of the next PRINT. */
function readMessages(text: string): readonly ServerMessage[] {
  const match = header.exec(text);
  if (!match) return readPrinted(text);
  const [whole, number, severity, state, line] = match;
  const rest = text.slice(match.index + whole.length);
  const end = rest.indexOf('"\n');
  const message = {
    number: Number(number),
    severity: Number(severity),
    state: Number(state),
    line: Number(line),
    text: rest.slice(0, end),
  };
  return [...readPrinted(text.slice(0, match.index)), message, ...readMessages(rest.slice(end + 2))];
}

function readPrinted(text: string): readonly ServerMessage[] {
  if (text === '') return [];
  return [{ number: 0, severity: 0, state: 1, line: null, text: text.replace(/\n$/, '') }];
}

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
