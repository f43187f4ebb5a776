import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import type { Disk } from '../../src/captures/capture-file';
import { openCaptureFolder } from '../../src/captures/capture-folder';
import { openServerCaptures } from '../../src/captures/server-captures';
import { type KeptRecord, restoreRecord } from '../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../src/core/capture/ledger';
import type { Simulator } from '../../simulator/index';
import { assertWholeCapture } from '../simulator/product/followed-server';

const DISK: Disk = { files, pause: () => new Promise(setImmediate) };

/** The captures of one server in a folder, as they are found there after each kill. */
export class KeptCaptures {
  private last: KeptRecord | null = null;

  constructor(private readonly path: string) {}

  /** Whether whoever wrote the last one meant to go on with it. */
  get isFollowed(): boolean {
    return this.last?.following !== null;
  }

  /** Reads them as the next process will. Fails if anything is damaged, unaccounted for or in a gap, or if something is gone that was there. */
  async check(): Promise<void> {
    const problems: string[] = [];
    const captures = openServerCaptures(openCaptureFolder(this.path, DISK), 'it', (problem) => problems.push(problem));
    const kept = await captures.recover(null);
    assert.deepEqual(problems, []);
    if (kept === null) return assert.ok(this.last === null, 'what was kept is gone');
    assert.equal(findUnaccountedRows(kept.ledger), 0);
    assert.deepEqual(kept.observation?.gaps, []);
    if (this.last !== null) assertGoesOn(this.last, kept);
    this.last = kept;
  }

  /** Fails unless more has been kept since the last check. */
  async assertGrown(): Promise<void> {
    const rowsRead = this.last?.ledger.rowsRead ?? 0;
    await this.check();
    assert.ok((this.last?.ledger.rowsRead ?? 0) > rowsRead);
  }

  /** Fails unless the last capture found holds every checkpoint that the server recorded, once, and no other. */
  assertWhole(simulator: Simulator): void {
    assert.ok(this.last !== null);
    assertWholeCapture({ capture: restoreRecord(this.last) }, simulator);
  }
}

/** The same capture, with all rows that were there, and nothing read twice. */
function assertGoesOn(before: KeptRecord, after: KeptRecord): void {
  assert.equal(after.id, before.id);
  assert.ok(after.ledger.rowsRead >= before.ledger.rowsRead);
  assert.equal(after.ledger.duplicates, before.ledger.duplicates);
  const { rows } = before.columns;
  for (const name of ['beginUtcMs', 'durationMs', 'database'] as const)
    assert.deepEqual(after.columns[name].subarray(0, rows), before.columns[name].subarray(0, rows), name);
}
