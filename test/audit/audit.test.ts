import assert from 'node:assert/strict';
import { join } from 'node:path';
import { installPython } from '../../tools/clients/python-client';
import { runLeashed } from '../../tools/processes/leashed';
import { recordServer } from './recording';
import { makeFolder } from '../temporary-folder';

/** SEED=17 repeats what a run printed. Without it each run takes other servers, the short form always the same. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const SERVERS = Number(process.env['SERVERS'] ?? 10);
/** How much happens to each; all of it unless said. */
const DEEDS = Number(process.env['DEEDS'] ?? 99);

describe(`Every figure of ${SERVERS} servers from seed ${SEED} on`, function () {
  this.timeout(SERVERS * 240_000);
  const folder = makeFolder();

  it('is what a second program computes from what the servers know of themselves', async () => {
    const folders = Array.from({ length: SERVERS }, (_, at) => join(folder, `${SEED + at}`));
    for (const [at, own] of folders.entries())
      console.log(`      ${SEED + at}: ${await recordServer(own, SEED + at, DEEDS)}`);
    const { exitCode, output } = await runLeashed(await installPython('audit'), [
      join(__dirname, 'audit.py'),
      ...folders,
    ]);
    console.log(`      ${output.trim().split('\n').join('\n      ')}`);
    assert.equal(exitCode, 0, 'figures differ');
  });
});
