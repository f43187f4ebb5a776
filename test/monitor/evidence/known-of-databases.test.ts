import assert from 'node:assert/strict';
import type { LatencyAnswer } from '../../../src/core/write-work/latency-during';
import type {
  FailedCheckpoint,
  Notice,
  LoggedScan,
  SlowIo,
} from '../../../src/core/errorlog/error-log-message';
import { observed } from '../../../src/core/observed';
import type { JoinedDatabase } from '../../../src/monitor/evidence/joined-database';
import { addRedo, gatherKnown, NO_REDO } from '../../../src/monitor/evidence/known-of-databases';

const nowUtcMs = Date.UTC(2026, 2, 8);
const dayMs = 86_400_000;

function joined(databaseId: number, more: Partial<JoinedDatabase> = {}): JoinedDatabase {
  const nothing = {
    captured: null,
    sampled: null,
    changes: [],
    hasEarlierChanges: false,
    flushCacheUtcMs: null,
    backups: null,
  };
  return {
    databaseId,
    index: databaseId,
    name: `db${databaseId}`,
    targetSeconds: 0,
    createdUtcMs: 0,
    ...nothing,
    ...more,
  };
}

const beside = { logLatencies: new Map(), logged: null, redo: NO_REDO, nowUtcMs };

describe('What verdicts take from the evidence', () => {
  it('belongs to each database alone, and is null if nobody knows', () => {
    const answer = { kind: 'not enough samples' } as unknown as LatencyAnswer;
    const known = gatherKnown([joined(8), joined(9)], { ...beside, logLatencies: new Map([[8, answer]]) });
    const tell = (id: number) => {
      const { flushCache, logLatency, scanMs, toRedoMb } = known.get(id) ?? assert.fail();
      return [flushCache, logLatency, scanMs, toRedoMb];
    };
    assert.deepEqual([tell(8), tell(9)].flat(), [null, answer, null, null, null, null, null, null]);
  });

  it('counts only FlushCache messages of the last week, and tells 0 from not read', () => {
    const messages = [nowUtcMs - 8 * dayMs, nowUtcMs - 6 * dayMs, nowUtcMs - 1];
    const databases = [
      joined(7, { flushCacheUtcMs: messages }),
      joined(8, { flushCacheUtcMs: [] }),
      joined(9),
    ];
    const known = gatherKnown(databases, beside);
    assert.deepEqual(
      [7, 8, 9].map((id) => known.get(id)?.flushCache),
      [{ messages: 2, days: 7 }, { messages: 0, days: 7 }, null],
    );
  });

  it('takes the longest scan of a checkpoint in the last week, and none of a backup', () => {
    const scan = (databaseId: number, durationSeconds: number, command: string, atUtcMs: number) =>
      ({ databaseId, durationSeconds, command, atUtcMs, sureness: 'known' }) as unknown as LoggedScan;
    const scans = [
      scan(7, 12, 'CHECKPOINT', nowUtcMs - dayMs),
      scan(7, 228, 'CHECKPOINT', nowUtcMs - 2 * dayMs),
      scan(7, 900, 'CHECKPOINT', nowUtcMs - 9 * dayMs),
      scan(8, 300, 'BACKUP DATABASE', nowUtcMs),
    ];
    const known = gatherKnown([joined(7), joined(8)], {
      ...beside,
      logged: { scans, slowIos: [], failures: [], notices: [] },
    });
    assert.deepEqual([known.get(7)?.scanMs, known.get(8)?.scanMs], [228_000, null]);
  });

  it('counts failed checkpoints, slow I/O and latch time-outs of the last week by id or by name, and none of another database of that name before', () => {
    const read = (databaseId: number | null, databaseName: string | null, atUtcMs: number) =>
      ({ databaseId, databaseName, atUtcMs, sureness: 'known' }) as unknown as FailedCheckpoint & SlowIo;
    const all = [
      read(7, null, nowUtcMs - 1),
      read(null, 'db7', nowUtcMs - dayMs),
      read(7, null, nowUtcMs - 8 * dayMs),
      read(null, 'db8', nowUtcMs - dayMs),
    ];
    const databases = [joined(7), joined(8, { createdUtcMs: nowUtcMs }), joined(9)];
    const known = gatherKnown(databases, {
      ...beside,
      logged: {
        scans: [],
        failures: all,
        slowIos: all.slice(0, 1),
        notices: all.map((one) => ({ ...one, kind: 'latch time-out' }) as unknown as Notice),
      },
    });
    assert.deepEqual(
      [7, 8, 9].map((id) => [known.get(id)?.failures, known.get(id)?.slowIos, known.get(id)?.latches]),
      [
        // A latch is of an id; no message names a database for it.
        [2, 1, 1],
        [0, 0, 0],
        [0, 0, 0],
      ],
    );
  });

  it('takes the 95th percentile of the log to redo, each reading once', () => {
    let redo = NO_REDO;
    const logs = (megabytes: number) =>
      observed(new Map([[7, { vlfCount: 4, sinceCheckpointMb: megabytes }]]));
    for (let at = 1; at <= 20; at++) redo = addRedo(redo, { logs: logs(at), moreReadUtcMs: at });
    redo = addRedo(redo, { logs: logs(5_000), moreReadUtcMs: 20 });
    const known = gatherKnown([joined(7), joined(8)], { ...beside, redo });
    assert.deepEqual([known.get(7)?.toRedoMb, known.get(8)?.toRedoMb], [19, null]);
  });
});
