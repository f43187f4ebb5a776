/** A server as the shell's tests need one: real facts, invented figures. */
import { notTracking, type TrackingStatus } from '../../src/core/capture/tracking-status';
import { type DatabaseFacts, type Facts, notObservable, observed } from '../../src/core/advice/facts';
import { type InstanceVerdict, nothingSeen } from '../../src/core/advice/instance';
import { judgeDatabase, type Verdict } from '../../src/core/advice/verdict';
import type { CheckpointStatistics } from '../../src/core/statistics/statistics';
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import type { Row } from '../../src/shell/tree/row';
import { listChildRows, type PaneState } from '../../src/shell/tree/rows';
import { createServerRow } from '../../src/shell/tree/server-row';
import { describeUnopened } from '../../src/shell/servers/open-servers';
import { databaseOf, factsOf, serverOf } from '../core/advice/facts-of';
import { NOTHING_ADVISED, taskOf } from '../core/advice/task-of';

export const nowUtcMs = Date.UTC(2026, 2, 2, 8, 14, 5);

export function database(databaseId: number, name: string, more: Partial<DatabaseFacts> = {}): DatabaseFacts {
  return databaseOf({ databaseId, name, createdLocal: '2019-04-01T10:00:00.123', ...more });
}

export const systemDatabases = ['master', 'tempdb', 'model', 'msdb'].map((name, at) =>
  database(at + 1, name),
);

export function facts(databases: readonly DatabaseFacts[], more: Partial<Facts['server']> = {}): Facts {
  const [edition, startedUtcMs] = ['Enterprise Edition', nowUtcMs - 12.4 * 86_400_000];
  return factsOf(databases, {
    server: serverOf({
      serverName: 'PROD-SQL07',
      edition,
      nowUtcMs,
      startedUtcMs,
      modelTargetSeconds: 60,
      ...more,
    }),
    state: observed({
      committedTargetMb: 200_000,
      physicalMemoryMb: 262_144,
      hasBufferPoolScanComplete: true,
      hasTimestampUtc: true,
    }),
  });
}

/** What a login without VIEW SERVER STATE gets. */
export function withoutState(given: Facts): Facts {
  const denied = notObservable('VIEW SERVER STATE permission was denied');
  return { ...given, state: denied, roles: denied };
}

export { notTracking };
export { valuesOf as partsOf } from '../core/values-of';

export const tracking: TrackingStatus = {
  ...notTracking,
  state: 'tracking',
  observation: { beginUtcMs: nowUtcMs, endUtcMs: nowUtcMs + (2 * 60 + 14) * 60_000, gaps: [] },
  rowsRead: 17_496,
  checkpoints: 8_746,
  unpaired: 3,
  lostEvents: 0,
  lostBuffers: 0,
  duplicates: 1,
};

/** A connected server; every verdict is what the rules say of an unmeasured database, unless given. */
export function snapshot(given: Facts, more: Partial<ServerSnapshot> = {}): ServerSnapshot {
  const verdicts = new Map(
    given.databases.map((one): [number, Verdict] => [one.databaseId, judgeDatabase(one, given, null)]),
  );
  return {
    ...describeUnopened('server-1', 'Production 7', false),
    connection: 'connected',
    facts: given,
    verdicts,
    ...more,
  };
}

/** The verdict on a server of which nothing was seen. */
export const unseenInstance: InstanceVerdict = { ...nothingSeen, ...NOTHING_ADVISED };

/** The verdict on a server that was watched for 8 hours. @param shares of the checkpoint task, by database_id */
export function instanceWith(
  shares: Readonly<Record<number, number>>,
  more: Partial<InstanceVerdict> = {},
): InstanceVerdict {
  const own = Object.entries(shares).map(([id, share]) => [id, { share, count: 261, late: 0 }] as const);
  const task = taskOf(Object.fromEntries(own));
  const { observedMs, busyShare } = task;
  const state = busyShare >= 0.8 ? 'saturated' : 'mostly free';
  return { ...unseenInstance, state, observedMs, neededMs: 0, task, takers: own.length, ...more };
}

export function figures(index: number, more: Partial<CheckpointStatistics> = {}): CheckpointStatistics {
  return {
    database: index,
    count: 212,
    perHour: 94.9,
    averageMs: 9_800,
    p50Ms: 7_200,
    p95Ms: 29_500,
    p99Ms: 61_000,
    maximumMs: 65_500,
    totalMs: 2_078_000,
    share: 0.26,
    ...more,
  };
}

/** 400 databases, 312 automatic, as after years of upgrades, and the four system databases. */
export function upgradedServer(): Facts {
  const users = Array.from({ length: 400 }, (_, at) =>
    database(at + 5, `Db${String(at + 1).padStart(3, '0')}`, { targetSeconds: at < 312 ? 0 : 60 }),
  );
  return facts([...systemDatabases, ...users]);
}

/** A server with three databases of users, of which c has indirect checkpoints. */
export const shop = (): ServerSnapshot =>
  snapshot(
    facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]),
  );

export const serverRow = (given: ServerSnapshot): Row => createServerRow(given, 'own');

const untouched: PaneState = { filters: new Map(), shown: new Map() };

/** The rows below one of the pane. */
export const rowsUnder = (
  given: ServerSnapshot,
  parent = serverRow(given),
  pane = untouched,
): readonly Row[] => listChildRows(parent, given, pane);

/** An error log with one slow checkpoint. */
export const LOG = [
  '2026-03-02 08:00:00.10 Server      UTC adjustment: 1:00',
  '2026-03-02 09:19:15.00 spid7s      FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 19:0',
  '2026-03-02 09:19:15.00 spid7s                  average writes per second: 4306.30 writes/sec',
  '2026-03-02 09:19:15.00 spid7s                  average throughput:  46.96 MB/sec, I/O saturation: 53644, context switches 101117',
  '2026-03-02 09:19:15.00 spid7s                  last target outstanding: 639360, avgWriteLatency 1',
].join('\r\n');
