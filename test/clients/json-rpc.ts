import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

interface Message {
  readonly id?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Listener {
  readonly method: string;
  matches(params: never): boolean;
  resolve(params: never): void;
}

/** A service that speaks JSON-RPC over its standard streams, each message behind a Content-Length header, as language servers do. */
export class JsonRpcService {
  private readonly service: ChildProcessWithoutNullStreams;
  private readonly answers = new Map<string, { resolve(result: unknown): void; reject(error: Error): void }>();
  private readonly events: { readonly method: string; readonly params: unknown }[] = [];
  private readonly listeners = new Set<Listener>();
  private readonly ended: Promise<void>;
  private received: Buffer = Buffer.alloc(0);
  private requests = 0;

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.service = spawn(command, args, { env });
    this.service.stdout.on('data', (bytes: Buffer) => this.receive(bytes));
    this.service.stderr.resume();
    this.service.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.service.once('close', () => resolve()));
    void this.ended.then(() => this.answers.forEach(({ reject }) => reject(new Error('the service ended'))));
  }

  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.received.subarray(0, Math.max(end, 0)).toString('latin1'))?.[1] ?? NaN);
      if (end < 0 || !(this.received.length >= end + 4 + length)) return;
      const message = JSON.parse(this.received.subarray(end + 4, end + 4 + length).toString('utf8')) as Message;
      this.received = this.received.subarray(end + 4 + length);
      this.handle(message);
    }
  }

  private handle({ id, method, params, result, error }: Message): void {
    if (method !== undefined) return this.publish(method, params);
    const answer = this.answers.get(id ?? '');
    this.answers.delete(id ?? '');
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }

  private publish(method: string, params: unknown): void {
    this.events.push({ method, params });
    for (const listener of this.listeners) {
      if (listener.method !== method || !listener.matches(params as never)) continue;
      this.listeners.delete(listener);
      listener.resolve(params as never);
    }
  }

  request<T>(method: string, params: unknown): Promise<T> {
    const id = String(++this.requests);
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return new Promise((resolve, reject) => {
      this.answers.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.service.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    });
  }

  /** The next notification that matches. Ask before the request that causes it. */
  next<T>(method: string, matches: (params: T) => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      this.listeners.add({ method, matches: matches as (params: never) => boolean, resolve: resolve as (params: never) => void });
      void this.ended.then(() => reject(new Error(`the service ended before ${method}`)));
    });
  }

  /** All notifications of a method so far. */
  all<T>(method: string): readonly T[] {
    return this.events.filter((event) => event.method === method).map(({ params }) => params as T);
  }

  async end(): Promise<void> {
    this.service.stdin.end();
    const kill = setTimeout(() => this.service.kill('SIGKILL'), 2000);
    await this.ended;
    clearTimeout(kill);
  }
}
