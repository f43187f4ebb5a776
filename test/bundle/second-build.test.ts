import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageExtension, vsixFile } from '../../tools/build/vsix';
import { root } from '../../tools/packages';

describe('A second build in another folder', () => {
  // The same volume, so that nothing has to be copied.
  const copy = join(root, 'artifacts', 'second-build');
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  before(remove);
  after(remove);

  it('gives the same package, byte for byte', async () => {
    mkdirSync(copy, { recursive: true });
    const parts = readdirSync(root).filter((name) => !['.git', '.host', 'artifacts', 'dist'].includes(name));
    execFileSync('cp', ['-al', ...parts.map((name) => join(root, name)), copy]);
    const file = join(copy, 'second.vsix');
    await packageExtension(copy, file);
    const [first, second] = [vsixFile, file].map((each) =>
      createHash('sha256').update(readFileSync(each)).digest('hex'),
    );
    assert.equal(second, first);
  });
});
