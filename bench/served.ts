/**
 * Runs the simulator in a process of its own, so that CPU time is only the client's, and counts the bytes between it
 * and a client.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDirectAccess } from '../src/hosts/direct/access';
import type { ServerAccess } from '../src/hosts/host';
import { keptSecret } from '../test/hosts/opening';

interface Served {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  close(): Promise<void>;
}

/** @param options of simulator/main.ts */
export async function serve(options: readonly string[]): Promise<Served> {
  // From the root of the repository, also if this file is bundled.
  const main = join(process.cwd(), 'simulator/main.ts');
  const given = ['--require', 'tsx/cjs', main, ...options, '--follow-stdin'];
  const child: ChildProcess = spawn(process.execPath, given, { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ];
  const close = async (): Promise<void> => {
    const exit = once(child, 'exit');
    child.stdin?.end();
    await exit;
  };
  return { ...(JSON.parse(line) as Omit<Served, 'close'>), close };
}

/** Forwards between client and server and counts what each sends. */
export async function openMeter(
  port: number,
): Promise<{ readonly port: number; down: number; up: number; close(): void }> {
  const meter = { port: 0, down: 0, up: 0, close: () => void server.close() };
  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    upstream.on('data', (chunk) => (meter.down += chunk.length));
    client.on('data', (chunk) => (meter.up += chunk.length));
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream])
      socket.on('error', () => [client, upstream].forEach((each) => each.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  meter.port = (server.address() as net.AddressInfo).port;
  return meter;
}

export function reachServed({ user, password }: Served, port: number): ServerAccess {
  const address = { id: 'bench', name: 'bench', server: '127.0.0.1', port, user } as const;
  return createDirectAccess({
    server: { ...address, encrypt: 'mandatory', trustServerCertificate: true },
    secrets: keptSecret(password),
  });
}
