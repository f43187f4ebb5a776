/** FreeTDS' own command line, as it comes with Debian. It has batches and nothing else. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoginRefused, type Answer, type Client, type ClientConnection, type Message, type Target } from './client';

/** What tsql is told to write behind each value and each row: unlikely in any data. */
const CELL_END = '<|>';
const ROW_END = '<||>\n';

/**
 * What tsql printed for one batch. It ends a set with a footer only where it had rows, so a set without rows is read as part of the next one. It writes NULL for a
 * NULL, so the text NULL cannot be told from it.
 *
 *   c<||> d<||> 1<||> (1 row affected)   ->   {columns: [c], rows: [[d], [1]]}
 */
function readSets(text: string): Answer['sets'] {
  return text
    .replace(/^(?:locale|using default charset).*\n/gm, '')
    .replace(/^\(1 row affected\)\n/, '')
    .replace(/^(?:\d+> )+|(?:\d+> )+$/g, '')
    .split(/^\(\d+ rows? affected\)\n/m)
    .filter((block) => block !== '')
    .map((block) => {
      const lines = block.split(ROW_END).slice(0, -1);
      const [columns = [], ...rows] = lines.map((line) => line.split(CELL_END));
      return { columns, rows: rows.map((row) => row.map((cell) => (cell === 'NULL' ? null : cell))) };
    });
}

/** Messages have a header; what PRINT says stands alone, its lines with those of the next PRINT. */
function readMessages(text: string): readonly Message[] {
  const header = /^\r?Msg (\d+) \(severity (\d+), state (\d+)\) from \S+(?: Procedure \S+)? Line (\d+):\n\t"([^]*?)"\n/m;
  const match = header.exec(text);
  const before = match ? text.slice(0, match.index) : text;
  const printed = before === '' ? [] : [{ number: 0, severity: 0, state: 1, line: null, text: before.replace(/\n$/, '') }];
  if (!match) return printed;
  const [number = 0, severity = 0, state = 0, line = 0] = match.slice(1, 5).map(Number);
  const rest = text.slice(match.index + match[0].length);
  return [...printed, { number, severity, state, line, text: match[5] ?? '' }, ...readMessages(rest)];
}

export class TsqlClient implements Client {
  private readonly folder = mkdtempSync(join(tmpdir(), 'cph-tsql-'));
  private readonly running: ClientConnection[] = [];

  async connect(target: Target): Promise<ClientConnection> {
    const file = join(this.folder, `${this.running.length}.conf`);
    const { port, encryption, certificateFile } = target;
    const lines = [
      '[simulator]',
      'host = localhost',
      `port = ${port}`,
      'tds version = 7.4',
      'client charset = UTF-8',
      'text size = 2147483647',
    ];
    lines.push(`encryption = ${encryption === 'none' ? 'off' : 'require'}`);
    if (encryption === 'verified') lines.push(`ca file = ${certificateFile}`, 'check certificate hostname = yes');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const connection = startTsql(target, file);
    this.running.push(connection);
    await connection.ask('batch', '').catch((error: Error) => {
      const errors = readMessages(error.message);
      throw errors.some(({ severity }) => severity !== 0) ? new LoginRefused(error.message.trim(), errors) : error;
    });
    return connection;
  }

  async end(): Promise<void> {
    await Promise.all(this.running.map((connection) => connection.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One running tsql. Rows come on standard output, messages on standard error; a batch of our own behind each batch says on both that it is over. */
function startTsql({ user, password }: Target, configuration: string): ClientConnection {
  // tsql buffers what it prints unless told not to.
  const args = ['-oL', '-eL', 'tsql', '-S', 'simulator', '-U', user, '-P', password, '-t', CELL_END, '-r', ROW_END];
  const program = spawn('stdbuf', args, { env: { ...process.env, FREETDSCONF: configuration, LC_ALL: 'C.UTF-8' } });
  let [out, err, batches, isOver] = ['', '', 0, false];
  let wake: () => void = () => undefined;
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    wake();
  });
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    wake();
  });
  program.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => program.once('close', resolve)).then(() => {
    isOver = true;
    wake();
  });
  return {
    ask: async (_batch, sql = '') => {
      const end = `end of batch ${++batches}`;
      const outEnd = `sentinel${ROW_END}${end}${ROW_END}`;
      program.stdin.write(`${sql === '' ? '' : `${sql}\ngo\n`}SELECT '${end}' AS sentinel\nPRINT '${end}'\ngo\n`);
      while (!out.includes(outEnd) || !err.includes(`${end}\n`)) {
        if (isOver) throw new Error(err);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const [sets = '', ...moreSets] = out.split(outEnd);
      const [told = '', ...moreTold] = err.split(`${end}\n`);
      [out, err] = [moreSets.join(outEnd), moreTold.join(`${end}\n`)];
      const messages = readMessages(told);
      const isError = ({ severity }: Message): boolean => (severity ?? 0) > 10;
      return { sets: readSets(sets), errors: messages.filter(isError), infos: messages.filter((one) => !isError(one)) };
    },
    close: async () => {
      program.stdin.end();
      await ended;
    },
  };
}
