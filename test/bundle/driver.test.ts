import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Reply } from '../../simulator/tds/handler';
import { SqlError } from '../../simulator/tds/handler';
import { startTdsServer, type TdsServer } from '../../simulator/tds/server';
import { root } from '../../tools/packages';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { prepareOrSkip } from '../pending';
import type { Went } from './driver-client';
import { createAnsweringHost, giveRows, INTEGER, PASSWORD } from '../hosts/tds-host';

const TOKEN = 'a-token-of-microsoft-entra';
const MANY = 2_000;

/** `many`: rows enough for several batches; `endless`: nothing until the client asks to stop; anything else: one row. */
async function* answer(sql: string, signal: AbortSignal): AsyncIterable<Reply> {
  if (sql === 'endless') await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  else yield* giveRows([['n', INTEGER]], sql === 'many' ? Array.from({ length: MANY }, (_, n) => [n]) : [[1]]);
}

describe(`Our own driver under Node ${oldestNodeVersion}, the oldest host's`, function () {
  this.timeout(120_000);
  let server: TdsServer;
  let folder: string | undefined;
  let said: { readonly node: string; readonly went: Readonly<Record<string, Went>> };

  before(async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    const host = createAnsweringHost(answer, ({ token, knows, password }) => {
      if (token !== TOKEN && !knows?.(PASSWORD) && password !== PASSWORD) throw new SqlError(18456, 'Login failed.', 14);
    });
    server = await startTdsServer({ host: Object.assign(host, { windowsDomain: 'CONTOSO' }), tls: 'required' });
    folder = mkdtempSync(join(tmpdir(), 'cph-oldest-'));
    const script = join(folder, 'client.js');
    const leftOut = join(root, 'src', 'hosts', 'direct', 'azure-left-out.ts');
    await build({
      entryPoints: [join(__dirname, 'driver-client.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      target: 'node16.17',
      alias: { '@azure/identity': leftOut, '@azure/keyvault-keys': leftOut },
      logLevel: 'error',
    });
    const { stdout } = await promisify(execFile)(node, [script, String(server.port), PASSWORD, TOKEN], { timeout: 60_000 });
    said = JSON.parse(stdout) as typeof said;
  });

  after(async () => {
    await server?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  for (const [kind, name] of [
    ['sql', 'a SQL login'],
    ['windows', 'a Windows login'],
    ['entra', 'a token of Microsoft Entra'],
  ] as const) {
    it(`streams, cancels, times out and goes on after ${name}`, () => {
      assert.equal(said.node, `v${oldestNodeVersion}`);
      assert.deepEqual(said.went[kind], {
        streamedRows: MANY,
        batches: MANY / 500,
        cancelled: 'cancelled',
        timedOut: 'timedOut',
        afterwards: '1',
      });
    });
  }
});
