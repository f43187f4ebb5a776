/** Generated histories of checkpoints, told as the rows that a session would hold, for properties of pairing. */
import fc from 'fast-check';
import type { Capture } from '../../../src/core/capture/capture';
import type { EventRow } from '../../../src/core/events/event';
import { writeCaller, writeEventRow } from '../events/event-rows';

export const T0 = Date.UTC(2026, 0, 5, 10);

/** A checkpoint as it really ran. */
export interface TrueCheckpoint {
  readonly databaseId: number;
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

export interface TimedRow {
  readonly row: EventRow;
  readonly atUtcMs: number;
}

export interface History {
  readonly checkpoints: readonly TrueCheckpoint[];
  /** Two rows a checkpoint, in the order of their buffers. */
  readonly rows: readonly TimedRow[];
}

const step = fc.integer({ min: 0, max: 40 }).map((n) => n * n * 10);

/** One task: one checkpoint after the other. Each is [database, pause before it, duration]. */
const task = fc.array(fc.tuple(fc.integer({ min: 5, max: 8 }), step, step), { minLength: 1, maxLength: 12 });

/** What the events tell of their task. */
export const TOLD = ['activity ids', 'session ids', 'nothing'] as const;

/** Several tasks at once, so that checkpoints of one database overlap. */
export function generateHistory(options: {
  readonly told: (typeof TOLD)[number];
  readonly tasks: number;
}): fc.Arbitrary<History> {
  return fc
    .array(fc.tuple(task, fc.integer({ min: 0, max: 20000 })), { minLength: 1, maxLength: options.tasks })
    .map((tasks) => {
      const checkpoints: TrueCheckpoint[] = [];
      const rows: TimedRow[] = [];
      tasks.forEach(([items, startMs], t) => {
        let atUtcMs = T0 + startMs;
        items.forEach(([databaseId, pauseMs, durationMs], n) => {
          const beginUtcMs = atUtcMs + pauseMs;
          const endUtcMs = (atUtcMs = beginUtcMs + durationMs);
          checkpoints.push({ databaseId, beginUtcMs, endUtcMs });
          const guid = `770C3538-EC3F-4A27-86A9-${String(t).padStart(12, '0')}`;
          // Some tasks write through a buffer of their own, so file order is not time order.
          const file = { fileOffset: String(512 * (t >> 1) + 4096 * Math.floor(n / 4)) };
          const actions = options.told === 'session ids' ? writeCaller(t % 2 === 0, 50 + t) : '';
          for (const [kind, at, k] of [['begin', beginUtcMs, 1] as const, ['end', endUtcMs, 2] as const]) {
            const activity = options.told === 'activity ids' ? `${guid}-${3 * n + k}` : null;
            rows.push({ atUtcMs: at, row: writeEventRow({ kind, databaseId, at, activity, actions }, file) });
          }
        });
      });
      return { checkpoints, rows };
    });
}

/** Rows lost, read twice, cut off or of another name, in any proportion. */
export function disturb(rows: readonly TimedRow[]): fc.Arbitrary<TimedRow[]> {
  const fate = fc.constantFrom('kept', 'kept', 'kept', 'kept', 'lost', 'twice', 'cut', 'other');
  return fc.array(fate, { minLength: rows.length, maxLength: rows.length }).map((fates) =>
    rows.flatMap((timed, i) => {
      const { row } = timed;
      if (fates[i] === 'lost') return [];
      if (fates[i] === 'twice') return [timed, timed];
      if (fates[i] === 'cut')
        return [{ ...timed, row: { ...row, eventData: (row.eventData ?? '').slice(0, 70) } }];
      return fates[i] === 'other' ? [{ ...timed, row: { ...row, objectName: 'wait_info' } }] : [timed];
    }),
  );
}

/** What came of a capture, independent of the order of its rows. */
export function summarize(capture: Capture): Record<string, unknown> {
  const { rowsRead, duplicates, malformed, other, open, held } = capture.ledger();
  const unpaired = capture
    .unpaired()
    .map((event) => `${event.databaseId} ${event.kind} ${event.atUtcMs - T0} ${event.reason}`);
  return {
    checkpoints: listCheckpoints(capture),
    unpaired: unpaired.sort(),
    ledger: { rowsRead, duplicates, malformed, other, open, held },
  };
}

/** How many events did not pair, by reason, in the order in which the reasons were met. */
export function countReasons(capture: Capture): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of capture.unpaired()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/** `database begin duration` of each checkpoint, sorted. */
export function listCheckpoints(capture: Capture): string[] {
  const { rows, beginUtcMs, durationMs, database } = capture.columns;
  return Array.from({ length: rows }, (_, row) => {
    return `${capture.databases[database[row] ?? 0]?.databaseId} ${(beginUtcMs[row] ?? 0) - T0} ${durationMs[row]}`;
  }).sort();
}

export function listTrueCheckpoints(checkpoints: readonly TrueCheckpoint[]): string[] {
  return checkpoints
    .map((one) => `${one.databaseId} ${one.beginUtcMs - T0} ${one.endUtcMs - one.beginUtcMs}`)
    .sort();
}
