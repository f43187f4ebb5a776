import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ASSEMBLED, assemble } from '../../../tools/build/assembly';

describe('the assembled module', () => {
  it('is what its sources compile to', async () => {
    assert.equal(readFileSync(ASSEMBLED, 'utf8'), await assemble(), 'npm run assemble makes it anew');
  }).timeout(60_000);
});
