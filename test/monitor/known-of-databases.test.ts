import assert from 'node:assert/strict';
import type { LatencyAnswer } from '../../src/core/evidence/latency-during';
import type { TaskStatistics } from '../../src/core/evidence/task-statistics';
import type { JoinedDatabase } from '../../src/monitor/evidence/joined-database';
import { gatherKnown } from '../../src/monitor/evidence/known-of-databases';

const nowUtcMs = Date.UTC(2026, 2, 8);
const dayMs = 86_400_000;

function joined(databaseId: number, more: Partial<JoinedDatabase> = {}): JoinedDatabase {
  const name = `db${databaseId}`;
  return {
    databaseId,
    name,
    targetSeconds: 0,
    createdUtcMs: 0,
    captured: null,
    sampled: null,
    changes: [],
    flushCacheUtcMs: null,
    backups: null,
    ...more,
  };
}

describe('What verdicts take from the evidence', () => {
  it('is of each database its own, and not known where nobody could tell', () => {
    const task = { delays: [{ database: 3, lateP95Ms: 5 }] } as unknown as TaskStatistics;
    const answer = { kind: 'not enough samples' } as unknown as LatencyAnswer;
    const known = gatherKnown(
      [joined(7, { captured: 3 }), joined(8, { captured: 4 }), joined(9)],
      { task, logLatencies: new Map([[8, answer]]) },
      nowUtcMs,
    );
    assert.deepEqual(
      [...known].map(([id, { flushCache, delay, logLatency }]) => [id, flushCache, delay?.lateP95Ms ?? null, logLatency]),
      [
        [7, null, 5, null],
        [8, null, null, answer],
        [9, null, null, null],
      ],
    );
  });

  it('counts FlushCache messages of the last week alone, and tells none from not read', () => {
    const work = { task: null, logLatencies: new Map() };
    const messages = [nowUtcMs - 8 * dayMs, nowUtcMs - 6 * dayMs, nowUtcMs - 1];
    const known = gatherKnown([joined(7, { flushCacheUtcMs: messages }), joined(8, { flushCacheUtcMs: [] }), joined(9)], work, nowUtcMs);
    assert.deepEqual(
      [7, 8, 9].map((id) => known.get(id)?.flushCache),
      [{ messages: 2, days: 7 }, { messages: 0, days: 7 }, null],
    );
  });
});
