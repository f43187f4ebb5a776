import assert from 'node:assert/strict';
import { compareChanges } from '../../../src/core/comparison/comparison';
import { createServerTime } from '../../../src/core/errorlog/server-clock';
import { createBeforeAfterPage } from '../../../src/core/pages/before-after-page';
import { finishSteps } from '../../../src/core/steps';

const SUMMER_UTC_MS = Date.UTC(2026, 6, 1, 10);
const WINTER_UTC_MS = Date.UTC(2026, 0, 15, 10);
/** Berlin; now it is winter. */
const OFFSETS = [
  { fromUtcMs: -Infinity, offsetMinutes: 60 },
  { fromUtcMs: Date.UTC(2026, 2, 29, 1), offsetMinutes: 120 },
  { fromUtcMs: Date.UTC(2026, 9, 25, 1), offsetMinutes: 60 },
];

const NOTHING = {
  forecast: null,
  databaseIds: [],
  isLogRead: true,
  loggedSinceUtcMs: WINTER_UTC_MS,
  seenSinceUtcMs: SUMMER_UTC_MS,
  databases: 400,
  days: 1,
};

function listChanged(offsets: typeof OFFSETS): readonly string[] {
  const database = (name: string, atUtcMs: number) => {
    const change = { atUtcMs, notBeforeUtcMs: atUtcMs - 60_000, source: 'observed', fromSeconds: 0, toSeconds: 60 } as const;
    return { database: null, name, changes: [change], blocks: [], flushCacheUtcMs: null, backups: null };
  };
  const empty = { rows: 0, beginUtcMs: new Float64Array(0), durationMs: new Uint32Array(0), database: new Uint16Array(0) };
  const comparison = finishSteps(
    compareChanges({
      databases: [database('Summer', SUMMER_UTC_MS), database('Winter', WINTER_UTC_MS)],
      columns: empty,
      observation: { beginUtcMs: 0, endUtcMs: 0, gaps: [] },
      instance: [],
      breaks: [],
      errorLog: null,
      offsets,
    }),
  );
  const page = createBeforeAfterPage({
    comparison,
    seen: null,
    signs: null,
    nothing: NOTHING,
    localMsOf: createServerTime(offsets, 60),
    idOf: () => null,
    notes: [],
  });
  return (page.tables[0]?.rows ?? []).map(({ cells }) => `${cells[0]?.text} ${cells[1]?.text}; ${cells[3]?.text}`);
}

describe('the page before and after', () => {
  it('shows when a database changed as the clock of the server showed it then, not with the offset of now', () => {
    assert.deepEqual(listChanged(OFFSETS), [
      'Summer 2026-07-01 12:00:00; seen, not before 2026-07-01 11:59:00',
      'Winter 2026-01-15 11:00:00; seen, not before 2026-01-15 10:59:00',
    ]);
  });

  it('takes the offset of now where no other is known', () => {
    assert.deepEqual(listChanged([]), [
      'Summer 2026-07-01 11:00:00; seen, not before 2026-07-01 10:59:00',
      'Winter 2026-01-15 11:00:00; seen, not before 2026-01-15 10:59:00',
    ]);
  });
});
