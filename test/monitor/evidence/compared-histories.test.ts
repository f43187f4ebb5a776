import assert from 'node:assert/strict';
import type { DatabaseBlock } from '../../../src/core/write-work/block';
import { compareChanges } from '../../../src/core/comparison/comparison';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { finishSteps } from '../../../src/core/steps';
import { gatherHistories } from '../../../src/monitor/evidence/compared-histories';
import type { JoinedDatabase } from '../../../src/monitor/evidence/joined-database';

const DATABASES = 40;
const CHANGED_UTC_MS = Date.UTC(2026, 2, 2);

/** A log that counts what is listed of it. */
class CountedLog extends WriteWorkLog {
  listings = 0;

  override databaseBlocks(database: number): readonly DatabaseBlock[] {
    this.listings++;
    return super.databaseBlocks(database);
  }
}

function joinDatabase(index: number, hasChanged: boolean): JoinedDatabase {
  const change = { atUtcMs: CHANGED_UTC_MS, notBeforeUtcMs: CHANGED_UTC_MS, source: 'user', fromSeconds: 0, toSeconds: 60 } as const;
  const known = { databaseId: index + 5, name: `db${index}`, targetSeconds: 60, createdUtcMs: -Infinity };
  return { ...known, captured: null, sampled: index, changes: hasChanged ? [change] : [], flushCacheUtcMs: null, backups: null };
}

function gather(changed: number): { readonly log: CountedLog; readonly compare: () => void } {
  const log = new CountedLog();
  const databases = Array.from({ length: DATABASES }, (_, at) => joinDatabase(at, at < changed));
  const input = finishSteps(gatherHistories({ databases, capture: null, work: log, offsets: [] }));
  return { log, compare: () => void finishSteps(compareChanges(input)) };
}

describe('Histories that are compared', () => {
  it('list no blocks before somebody asks: those of hundreds of databases would be half a gigabyte', () => {
    assert.equal(gather(1).log.listings, 0);
  });

  it('list the blocks of a database a few times in all, however often a comparison looks at them', () => {
    const one = gather(1);
    one.compare();
    assert.ok(one.log.listings <= DATABASES + 1, `${one.log.listings} listings`);
    const all = gather(DATABASES);
    all.compare();
    // For the log of the instance, for the wave that changed together (twice), and for each change.
    assert.ok(all.log.listings <= 4 * DATABASES, `${all.log.listings} listings`);
  });
});
