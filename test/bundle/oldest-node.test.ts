import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Reply, SqlError } from '../../simulator/tds/handler';
import { startTdsServer, type TdsServer } from '../../simulator/tds/server';
import { root } from '../../tools/packages';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { readParquet } from '../core/export/parquet-reader';
import { createAnsweringHost, giveRows, INTEGER, PASSWORD } from '../hosts/tds-host';
import { prepareOrSkip } from '../pending';

const TOKEN = 'a-token-of-microsoft-entra';

/** `many`: many rows; `endless`: nothing until the client asks to stop; anything else: one row. */
async function* answer(sql: string, signal: AbortSignal): AsyncIterable<Reply> {
  if (sql === 'endless')
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  else
    yield* giveRows([['n', INTEGER]], sql === 'many' ? Array.from({ length: 2_000 }, (_, n) => [n]) : [[1]]);
}

describe(`Our code under Node ${oldestNodeVersion}, the oldest host's`, () => {
  let server: TdsServer;
  let folder: string | undefined;
  let said: { readonly node: string; readonly events: object; readonly went: readonly object[] };
  let parquetFile = '';

  before(async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    const host = createAnsweringHost(answer, ({ token, knows, password }) => {
      if (token !== TOKEN && !knows?.(PASSWORD) && password !== PASSWORD)
        throw new SqlError(18456, 'Login failed.', 14);
    });
    server = await startTdsServer({
      host: Object.assign(host, { windowsDomain: 'CONTOSO' }),
      tls: 'required',
    });
    folder = mkdtempSync(join(tmpdir(), 'cph-oldest-'));
    parquetFile = join(folder, 'checkpoints.parquet');
    const script = join(folder, 'client.js');
    const leftOut = join(root, 'src', 'hosts', 'direct', 'azure-left-out.ts');
    await build({
      entryPoints: [join(__dirname, 'oldest-node-client.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      // What is newer than that Node is not translated away: it has to run as webpack ships it.
      target: 'node20',
      alias: { '@azure/identity': leftOut, '@azure/keyvault-keys': leftOut },
      logLevel: 'error',
    });
    const args = [script, String(server.port), PASSWORD, TOKEN, parquetFile];
    const { stdout } = await promisify(execFile)(node, args, { timeout: 60_000 });
    said = JSON.parse(stdout) as typeof said;
    assert.equal(said.node, `v${oldestNodeVersion}`);
  });

  after(async () => {
    await server?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  for (const [at, name] of ['a SQL login', 'a Windows login', 'a token of Microsoft Entra'].entries())
    it(`streams, cancels, times out and goes on after ${name}`, () => {
      const expected = { rows: 2_000, cancelled: 'cancelled', timedOut: 'timedOut', afterwards: '1' };
      assert.deepEqual(said.went[at], expected);
    });

  it('reads events by comparison and by the walk', () => {
    const end = { kind: 'end', atUtcMs: Date.UTC(2016, 6, 9, 3, 30, 14, 23), activity: null };
    const malformed = {
      kind: 'malformed',
      reason: 'wrong database_id',
      detail: '"five" is not a database id.',
    };
    const readings = [{ ...end, databaseId: 5 }, malformed, { ...end, databaseId: 32767 }];
    assert.deepEqual(said.events, { readings, isKnown: true });
  });

  it('writes Parquet that another program reads', async () => {
    const { rows } = await readParquet(readFileSync(parquetFile));
    assert.equal(rows.length, 2_000);
    assert.deepEqual(rows[1_999], {
      begin_utc: '2026-03-29T00:00:01.999Z',
      end_utc: '2026-03-29T00:00:02.039Z',
      begin_server_time: '2026-03-29T02:00:01.999+02:00',
      duration_ms: 40,
      database_id: 5,
      database: 'a]b\'c"-- 😀',
      across_gap: true,
    });
  });
});
