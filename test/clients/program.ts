/** Clients that are programs of their own, in whatever language, asked over their standard streams. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  LoginRefused,
  type Answer,
  type Client,
  type ClientConnection,
  type Message,
  type Target,
} from './client';

interface Received {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  /** `errors`: of a login that was refused. */
  readonly error?: { readonly message: string; readonly errors?: readonly Message[] };
}

type Write = (id: number, method: string, params: readonly unknown[]) => string;

/** JSON-RPC behind Content-Length headers, as language servers speak it. @param params one object */
export const writeJsonRpc: Write = (id, method, [params]) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: String(id), method, params });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

/** A line of id, operation and arguments, separated by tabs and percent-encoded, which any language can read. */
const writeLine: Write = (...parts) => `${parts.flat().map(String).map(encodeURIComponent).join('\t')}\n`;

/** A running program. It answers in JSON behind Content-Length headers; several requests may be under way at once. */
export class Program {
  private readonly program: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<string, (received: Received) => void>();
  private readonly events: Received[] = [];
  private readonly listeners = new Set<(event: Received) => void>();
  private readonly ended: Promise<void>;
  private received: Buffer = Buffer.alloc(0);
  private requests = 0;
  private complaints = '';

  constructor(
    command: string,
    args: readonly string[],
    private readonly write: Write = writeLine,
    env: NodeJS.ProcessEnv = process.env,
  ) {
    this.program = spawn(command, args, { env });
    this.program.stdout.on('data', (bytes: Buffer) => this.receive(bytes));
    this.program.stderr.setEncoding('utf8').on('data', (text: string) => (this.complaints += text));
    this.program.stdin.on('error', () => undefined);
    this.program.once('error', (error) => (this.complaints += error.message));
    this.ended = new Promise((resolve) => this.program.once('close', () => resolve()));
    void this.ended.then(() => {
      const error = { message: `the client's program ended: ${this.complaints.slice(-2000)}` };
      for (const answer of this.waiting.values()) answer({ error });
    });
  }

  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.received.subarray(0, Math.max(end, 0)).toString('latin1'))?.[1] ??
          NaN,
      );
      if (end < 0 || !(this.received.length >= end + 4 + length)) return;
      const message = JSON.parse(
        this.received.subarray(end + 4, end + 4 + length).toString('utf8'),
      ) as Received;
      this.received = this.received.subarray(end + 4 + length);
      if (message.method === undefined) this.waiting.get(String(message.id))?.(message);
      else this.events.push(message);
      if (message.method !== undefined) for (const hear of this.listeners) hear(message);
    }
  }

  request<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(String(id), ({ result, error }) => {
        this.waiting.delete(String(id));
        if (error === undefined || error === null) resolve(result as T);
        else reject(error.errors ? new LoginRefused(error.message, error.errors) : new Error(error.message));
      });
      this.program.stdin.write(this.write(id, method, params));
    });
  }

  /** The next notification that matches. Ask before the request that causes it. */
  next<T>(method: string, matches: (params: T) => boolean = () => true): Promise<T> {
    return new Promise((resolve, reject) => {
      const hear = (event: Received): void => {
        if (event.method !== method || !matches(event.params as T)) return;
        this.listeners.delete(hear);
        resolve(event.params as T);
      };
      this.listeners.add(hear);
      void this.ended.then(() => reject(new Error(`the program ended before ${method}`)));
    });
  }

  /** All notifications of a method so far. */
  all<T>(method: string): readonly T[] {
    return this.events.filter((event) => event.method === method).map(({ params }) => params as T);
  }

  async end(): Promise<void> {
    this.program.stdin.end();
    const kill = setTimeout(() => this.program.kill('SIGKILL'), 3_000);
    await this.ended;
    clearTimeout(kill);
  }
}

/** A client behind a small driver in its own language. */
export class DriverClient extends Program implements Client {
  private connections = 0;

  async connect({ port, user, password, encryption, certificateFile }: Target): Promise<ClientConnection> {
    const connection = ++this.connections;
    await this.request('connect', connection, port, user, password, encryption, certificateFile);
    return {
      ask: (operation, ...args) => this.request<Answer>(operation, connection, ...args),
      close: () => this.request('close', connection),
    };
  }
}
