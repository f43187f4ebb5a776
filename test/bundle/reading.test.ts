import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { prepareOrSkip } from '../pending';

describe(`Reading events under Node ${oldestNodeVersion}, the oldest host's`, function () {
  this.timeout(120_000);

  it('is done by comparison and by the walk', async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    // What is newer than that Node is not translated away: it has to run as webpack ships it.
    const { outputFiles } = await build({
      entryPoints: [join(__dirname, 'reading-client.ts')],
      bundle: true,
      platform: 'node',
      target: 'node20',
      write: false,
    });
    const output = execFileSync(node, ['-'], { input: outputFiles[0]?.text ?? '', encoding: 'utf8' });
    const end = { kind: 'end', atUtcMs: Date.UTC(2016, 6, 9, 3, 30, 14, 23), activity: null };
    const malformed = { kind: 'malformed', reason: 'wrong database_id', detail: '"five" is not a database id.' };
    const readings = [{ ...end, databaseId: 5 }, malformed, { ...end, databaseId: 32767 }];
    assert.deepEqual(JSON.parse(output), { readings, isKnown: true });
  });
});
