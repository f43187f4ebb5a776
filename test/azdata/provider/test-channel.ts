import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as azdata from 'azdata';
import * as vscode from 'vscode';

type Answer = (details: Readonly<Record<string, unknown>>) => unknown;

/* What a test may ask. Each gives a value that survives JSON. */
const answers: Readonly<Record<string, Answer>> = {
  versions: () => ({ vscode: vscode.version, azdata: azdata.version, node: process.version, app: vscode.env.appName }),
  connections: async ({ activeOnly }) => (await azdata.connection.getConnections(activeOnly === true)).map(describeConnection),
  query: async ({ connectionId, sql }) => {
    const uri = await azdata.connection.getUriForConnection(String(connectionId));
    const provider = azdata.dataprotocol.getProvider<azdata.QueryProvider>('MSSQL', azdata.DataProviderType.QueryProvider);
    return { uri, result: await provider.runQueryAndReturn(uri, String(sql)) };
  },
  /** What the editor with this document is connected to; null where it is not. */
  connectionOf: async ({ uri }) => {
    const profile = (await azdata.connection.getConnection(String(uri))) as azdata.connection.ConnectionProfile | undefined;
    return profile ? describeConnection(profile) : null;
  },
};

function describeConnection({ connectionId, providerId, serverName, databaseName }: azdata.connection.ConnectionProfile): object {
  return { connectionId, providerId, serverName, databaseName };
}

/** Listens on this machine only, for whoever can read the file that the address and its secret path are written to. */
export async function openTestChannel(file: string): Promise<vscode.Disposable> {
  const secretPath = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== secretPath) return void response.writeHead(404).end();
    void answer(request).then((result) => response.end(JSON.stringify(result)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(`${file}.part`, `http://127.0.0.1:${(server.address() as AddressInfo).port}${secretPath}`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return new vscode.Disposable(() => server.close());
}

async function answer(request: IncomingMessage): Promise<{ value: unknown } | { error: string }> {
  try {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += String(part);
    const { question, ...details } = JSON.parse(body) as { question: string };
    return { value: (await answers[question]!(details)) ?? null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
