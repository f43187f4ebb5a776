import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { readParquet } from '../core/export/parquet-reader';
import { prepareOrSkip } from '../pending';

describe(`Parquet that is written under Node ${oldestNodeVersion}, the oldest host's`, function () {
  this.timeout(120_000);

  it('is what another program reads', async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    const folder = mkdtempSync(join(tmpdir(), 'cph-parquet-'));
    const [script, file] = [join(folder, 'client.js'), join(folder, 'checkpoints.parquet')];
    try {
      // What is newer than that Node is not translated away: it has to run as webpack ships it.
      await build({
        entryPoints: [join(__dirname, 'parquet-client.ts')],
        outfile: script,
        bundle: true,
        platform: 'node',
        target: 'node20',
      });
      assert.equal(execFileSync(node, [script, file], { encoding: 'utf8' }).trim(), `v${oldestNodeVersion}`);
      const { rows } = await readParquet(readFileSync(file));
      assert.equal(rows.length, 2_000);
      assert.deepEqual(rows[1_999], {
        begin_utc: '2026-03-02T00:00:01.999Z',
        end_utc: '2026-03-02T00:00:02.039Z',
        begin_server_time: '2026-03-02T01:00:01.999+01:00',
        duration_ms: 40,
        database_id: 5,
        database: 'a]b\'c"-- 😀',
        across_gap: false,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
