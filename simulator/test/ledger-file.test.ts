import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireLedgerPath } from '../ledger-file';

describe('the file of a ledger', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ledger-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is refused before the run where nothing can be written, and is not made by asking', async () => {
    requireLedgerPath(join(directory, 'ledger.json'));
    assert.deepEqual(await readdir(directory), []);
    assert.throws(() => requireLedgerPath(directory), /it is a folder/);
    assert.throws(() => requireLedgerPath(join(directory, 'missing', 'ledger.json')), /nothing can be written there/);
  });
});
