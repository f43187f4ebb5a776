import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', '.github', 'workflows');

describe('The workflows', () => {
  it('use every action at one commit, which nobody can move, with its version beside it', () => {
    const uses = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/^.*\buses:.*$/gm) ?? []);
    assert.ok(uses.length > 0);
    for (const line of uses) assert.match(line, /\buses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
