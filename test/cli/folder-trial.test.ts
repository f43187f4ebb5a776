import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryFolder } from '../../cli/src/doctor/folder-trial';
import { makeFolder } from '../temporary-folder';

describe('Trying whether a lake can be written', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));

  it('leaves nothing behind where it works', async () => {
    const answer = await tryFolder(folder);
    assert.deepEqual([answer.level, readdirSync(folder)], ['ok', []]);
    assert.match(answer.sentence, /can be written, and its filesystem has reliable hard links/);
  });

  it('does not make a folder that is not there', async () => {
    const answer = await tryFolder(join(folder, 'a/lake'));
    assert.deepEqual([answer.level, readdirSync(folder)], ['ok', []]);
    assert.match(answer.sentence, /does not exist yet/);
  });

  it('says so if a file is in the way', async () => {
    writeFileSync(join(folder, 'lake'), '');
    for (const lake of ['lake', 'lake/below'])
      assert.match((await tryFolder(join(folder, lake))).sentence, /is not a folder/);
  });

  it('says who may not write', async function () {
    if (process.getuid?.() === 0) {
      // Whoever may do everything is kept out only by a filesystem that takes nothing.
      const answer = await tryFolder('/proc');
      assert.deepEqual([answer.level, /cannot be written/.test(answer.sentence)], ['problem', true]);
      return;
    }
    mkdirSync(join(folder, 'lake'), { mode: 0o500 });
    assert.match(
      (await tryFolder(join(folder, 'lake'))).sentence,
      /cannot be written: .*Let this user write to/,
    );
  });
});
