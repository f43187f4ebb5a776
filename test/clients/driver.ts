import { createInterface } from 'node:readline';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { LoginRefused, type Ability, type Answer, type Client, type ClientConnection, type ServerMessage, type Target } from './client';

/** What a driver writes for one request: one line of JSON. */
type Reply =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly refused: string; readonly errors: readonly ServerMessage[] }
  | { readonly id: number; readonly failed: string };

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A client behind a small program in its own language. A request is one line: id, operation and arguments, separated by tabs and percent-encoded, which any
 * language can read; an answer is one line of JSON. Several requests may be under way at once, on different connections.
 *
 *   7 <tab> batch <tab> 3 <tab> SELECT%201   ->   {"id": 7, "answer": {"sets": [...], "infos": [], "errors": []}}
 */
export class DriverClient implements Client {
  private readonly driver: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, Waiting>();
  private readonly ended: Promise<void>;
  private requests = 0;
  private connections = 0;
  private complaints = '';

  constructor(
    command: string,
    args: readonly string[],
    private readonly abilities: readonly Ability[],
    env: NodeJS.ProcessEnv = process.env,
  ) {
    this.driver = spawn(command, args, { env });
    createInterface({ input: this.driver.stdout }).on('line', (line) => this.receive(line));
    this.driver.stderr.setEncoding('utf8').on('data', (text: string) => (this.complaints += text));
    this.driver.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.driver.once('close', () => resolve(this.failAll())));
    this.driver.once('error', (error) => (this.complaints += error.message));
  }

  private receive(line: string): void {
    if (!line.startsWith('{')) return;
    const reply = JSON.parse(line) as Reply;
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else if ('refused' in reply) waiting?.reject(new LoginRefused(reply.refused, reply.errors));
    else waiting?.reject(new Error(reply.failed));
  }

  private failAll(): void {
    for (const { reject } of this.waiting.values()) reject(new Error(`the client's program ended: ${this.complaints.slice(-2000)}`));
    this.waiting.clear();
  }

  private ask(operation: string, connection: number, ...args: readonly string[]): Promise<Answer> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.driver.stdin.write(`${[String(id), operation, String(connection), ...args].map(encodeURIComponent).join('\t')}\n`);
    });
  }

  async connect({ port, user, password, encryption, certificateFile }: Target): Promise<ClientConnection> {
    const connection = ++this.connections;
    await this.ask('connect', connection, String(port), user, password, encryption, certificateFile);
    const all: Required<ClientConnection> = {
      batch: (sql) => this.ask('batch', connection, sql),
      cancel: (sql, afterMs) => this.ask('cancel', connection, sql, String(afterMs)),
      limited: (sql, seconds) => this.ask('limited', connection, sql, String(seconds)),
      echo: ({ type, value }) => this.ask('echo', connection, type, ...(value === null ? [] : [value])),
      prepared: (values) => this.ask('prepared', connection, ...values.map(String)),
      transaction: (sql, end) => this.ask('transaction', connection, sql, end),
      drop: async (sql) => void (await this.ask('drop', connection, sql)),
      close: async () => void (await this.ask('close', connection)),
    };
    const { batch, close } = all;
    return { batch, close, ...Object.fromEntries(this.abilities.map((ability) => [ability, all[ability]])) };
  }

  end(): Promise<void> {
    this.driver.stdin.end();
    const kill = setTimeout(() => this.driver.kill('SIGKILL'), 3000);
    return this.ended.finally(() => clearTimeout(kill));
  }
}
