/** A capture made up for tests of the dashboard: seeded, so that every run draws the same picture. */
import { notTracking } from '../../src/core/capture/tracking-status';
import type { DatabaseView, Gap, ServerView, ToWebview, TrackingView } from '../../src/protocol';
import { FAKE_INSTANCE } from './fake-instance';
import { changeOf } from '../core/task/changed';
import { gapOf } from '../core/gap-of';

export const BEGIN_UTC_MS = Date.UTC(2026, 10, 21, 11, 45);
export const SPAN_MS = 2 * 3_600_000 + 14 * 60_000;
export const END_UTC_MS = BEGIN_UTC_MS + SPAN_MS;

export interface FakeCheckpoint {
  readonly database: number;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  /** 1: a session asked for it; 2: the engine. Absent: not known. */
  readonly caller?: number;
}

const NAMES = [
  ...'dbA dbB dbC Orders_EU Orders_US Telemetry Billing Identity Search Archive_2019 Reports Audit'.split(
    ' ',
  ),
  ...'Catalog Sessions Queue Mail Ledger Pricing Stock Shipping Returns Loyalty Content Media'.split(' '),
];

/** Minimal standard generator: the same numbers everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/** Databases of which the first `busy` have checkpoints. */
export function fakeDatabases(count: number, busy: number): readonly DatabaseView[] {
  return Array.from({ length: count }, (_, i): DatabaseView => {
    const automatic = i % 400 < 312;
    const verdict = i < 3 ? 'Switch' : i < 9 ? 'Watch' : i < busy ? 'Leave' : 'Cannot tell here';
    return {
      databaseId: i + 5,
      name: NAMES[i] ?? `Tenant_${String(i).padStart(4, '0')}`,
      targetSeconds: automatic ? 0 : 60,
      verdict,
      reason:
        verdict === 'Switch'
          ? 'Log writes slow down while it checkpoints, every time, and FlushCache was logged 7 times.'
          : 'Its checkpoints are short, and nothing slowed down while they ran.',
      part: !automatic ? null : i < 3 ? 'feeds' : i < 9 ? 'waits' : i < busy ? 'quiet' : 'none seen',
      group: !automatic
        ? 'Indirect'
        : i < 3
          ? 'Feeds the queue'
          : i < 9
            ? 'Waits in the queue'
            : i < busy
              ? 'Quiet'
              : 'No checkpoint seen',
    };
  });
}

/** How many databases have checkpoints. */
const BUSY = 45;

/**
 * Checkpoints one after the other, as one task serves all databases; the first databases have the long ones. None in
 * the gap.
 */
function makeCheckpoints(gap: Gap): readonly FakeCheckpoint[] {
  const random = createRandom(7);
  const weights = Array.from({ length: BUSY }, (_, i) => 1 + 3 / (1 + i / 4));
  const sum = weights.reduce((a, b) => a + b, 0);
  const made: FakeCheckpoint[] = [];
  for (let at = BEGIN_UTC_MS; at < END_UTC_MS;) {
    if (at >= gap.beginUtcMs - 70_000 && at < gap.endUtcMs) {
      at = gap.endUtcMs;
      continue;
    }
    const database = pick(weights, random() * sum);
    const usualMs = 6000 / (1 + database / 1.2) ** 1.1;
    const rare = database < 2 && random() < 0.06 ? 7 : 1;
    const durationMs = Math.round(usualMs * rare * Math.exp((random() + random() + random() - 1.5) * 1.6));
    if (at + durationMs < END_UTC_MS) made.push({ database, beginUtcMs: Math.round(at), durationMs });
    at += durationMs * (1 + random() * 0.35) + random() * 600;
  }
  return made;
}

function pick(weights: readonly number[], at: number): number {
  let rest = at;
  for (let i = 0; i < weights.length; i++) if ((rest -= weights[i]!) < 0) return i;
  return weights.length - 1;
}

/** A `columns` message of some checkpoints. */
export function columnsMessage(
  checkpoints: readonly FakeCheckpoint[],
  fromRow = 0,
  captureId = 'capture-1',
  generation = 1,
): Extract<ToWebview, { type: 'columns' }> {
  return {
    type: 'columns',
    captureId,
    generation,
    fromRow,
    rows: checkpoints.length,
    ofRows: fromRow + checkpoints.length,
    beginUtcMs: Float64Array.from(checkpoints, (c) => c.beginUtcMs).buffer,
    durationMs: Uint32Array.from(checkpoints, (c) => c.durationMs).buffer,
    database: Uint16Array.from(checkpoints, (c) => c.database).buffer,
    caller: Uint8Array.from(checkpoints, (c) => c.caller ?? 0).buffer,
  };
}

export const FAKE_GAP: Gap = gapOf(
  'server restarted',
  BEGIN_UTC_MS + 17 * 60_000,
  BEGIN_UTC_MS + 20 * 60_000,
  'server restart',
);

export const FAKE_CHECKPOINTS = makeCheckpoints(FAKE_GAP);

export const FAKE_SERVER: ServerView = {
  name: 'PROD-SQL07',
  description: 'SQL Server 2016 SP3 · 3 TB memory · UTC+1',
  automatic: 312,
  databases: 400,
  utcOffsetMinutes: 60,
  offsets: [],
  recoveryIntervalMs: 60_000,
  nextWave: null,
  instance: FAKE_INSTANCE,
  sides: null,
};

/** The state of tracking with a ledger that adds up. */
export function fakeTracking(checkpoints: number, part: Partial<TrackingView> = {}): TrackingView {
  const observation = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS, gaps: [FAKE_GAP] };
  const counts = { rowsRead: checkpoints * 2 + 3, checkpoints, unpaired: 3, lostEvents: 0, lostBuffers: 0 };
  return { ...notTracking, state: 'tracking', observation, ...counts, obstacle: null, ...part };
}

/** All messages of a server with 400 databases of which 45 were busy for two hours. */
export function fakeMessages(
  databases = fakeDatabases(400, BUSY),
  checkpoints = FAKE_CHECKPOINTS,
): readonly ToWebview[] {
  const changes = [changeOf(5, BEGIN_UTC_MS + 95 * 60_000, { source: 'error log' })];
  return [
    { type: 'server', server: FAKE_SERVER },
    { type: 'databases', captureId: 'capture-1', databases },
    { type: 'changes', changes },
    { type: 'tracking', tracking: fakeTracking(checkpoints.length) },
    columnsMessage(checkpoints),
  ];
}

/** A server, its databases and how it is tracked, before it was ever told of a checkpoint. */
export const fakeIdle = (part: Partial<TrackingView> = {}): readonly ToWebview[] => [
  { type: 'server', server: FAKE_SERVER },
  { type: 'tracking', tracking: fakeTracking(0, { observation: null, ...part }) },
];

/** A login that may not create event sessions. */
export const FAKE_OBSTACLE = {
  brief: 'needs ALTER ANY EVENT SESSION',
  missing: ['ALTER ANY EVENT SESSION'],
  sentence: 'Tracking needs ALTER ANY EVENT SESSION, which the login reader does not have.',
  grant: 'USE master; GRANT ALTER ANY EVENT SESSION TO [reader];',
};
