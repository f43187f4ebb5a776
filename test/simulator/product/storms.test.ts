import assert from 'node:assert/strict';
import type { CheckpointEntry } from '../../../simulator/engine/ledger/checkpoint-columns';
import { createModelledServer } from '../../../simulator/engine/landscape';
import type { ModelledServer } from '../../../simulator/engine/modelled-server';
import { CheckpointStore } from '../../../src/core/capture/checkpoint-store';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import type { BackupRun } from '../../../src/core/task/backup-rows';
import type { TaskScope } from '../../../src/core/task/checkpoint-task';
import { describeTask, type TaskStatistics } from '../../../src/core/task/task-statistics';
import { finishSteps } from '../../../src/core/steps';
import { backupsOf } from '../../../simulator/test/engine/reconciled';
import { DBA, MINUTE_MS, readRows } from '../../../simulator/test/engine/modelled';

const TYPES: Readonly<Record<string, BackupRun['type']>> = { D: 'full', I: 'differential', L: 'log' };

/** What our figures are made of, as a capture of all databases would hold it, and the model's own account of it. */
class Watched {
  readonly store = new CheckpointStore();
  readonly entries: readonly CheckpointEntry[];
  readonly automaticIds: ReadonlySet<number>;
  private readonly ids: readonly number[];

  constructor(
    readonly server: ModelledServer,
    readonly fromUtcMs: number,
  ) {
    const rows = readRows(server, 'sys.databases');
    this.ids = rows.map((row) => Number(row['database_id']));
    this.automaticIds = new Set(rows.flatMap((row) => (row['target_recovery_time_in_seconds'] === 0 ? [Number(row['database_id'])] : [])));
    this.entries = server.ledger.checkpoints;
    for (const { databaseId, beginUtcMs, endUtcMs } of this.entries)
      this.store.append(beginUtcMs, endUtcMs - beginUtcMs, this.ids.indexOf(databaseId));
  }

  scope(withBackups: boolean): TaskScope {
    const window = { beginUtcMs: this.fromUtcMs, endUtcMs: this.server.clock.nowUtcMs() };
    const automatic = findAutomaticTime(new Map(this.ids.map((id, index) => [index, this.automaticIds.has(id) ? 0 : 60])));
    return { window, observation: { ...window, gaps: [] }, automatic, backups: withBackups ? this.readBackups() : null };
  }

  describe(withBackups: boolean): TaskStatistics {
    return finishSteps(describeTask(this.store.columns(), this.ids.length, this.scope(withBackups)));
  }

  /** Time that the model's task spent on checkpoints, as far as it lies in the window. */
  busyMs(): number {
    const { beginUtcMs, endUtcMs } = this.scope(false).window;
    const seen = (entry: CheckpointEntry): number =>
      Math.max(0, Math.min(entry.endUs / 1000, endUtcMs) - Math.max(entry.beginUs / 1000, beginUtcMs));
    return this.entries.reduce((sum, entry) => sum + (entry.kind === 'automatic' ? seen(entry) : 0), 0);
  }

  /** Rows of manual and backup checkpoints that run at the same time as one of the task, to the millisecond of their events. */
  listOverlapping(): readonly number[] {
    const automatic = this.entries.filter(({ kind }) => kind === 'automatic');
    return this.entries.flatMap((entry, row) => {
      const isBeside = (entry.kind === 'manual' || entry.kind === 'backup') && this.automaticIds.has(entry.databaseId);
      const overlaps = ({ beginUtcMs, endUtcMs }: CheckpointEntry): boolean => beginUtcMs < entry.endUtcMs && entry.beginUtcMs < endUtcMs;
      return isBeside && automatic.some(overlaps) ? [row] : [];
    });
  }

  private readBackups(): ReadonlyMap<number, readonly BackupRun[]> {
    const ids = new Map(readRows(this.server, 'sys.databases').map((row) => [row['name'], this.ids.indexOf(Number(row['database_id']))]));
    const runs = new Map<number, BackupRun[]>();
    for (const row of backupsOf(this.server)) {
      const toUtcMs = (value: unknown): number =>
        Date.parse(`${String(value).replace(' ', 'T')}Z`) - Number(row['time_zone']) * 15 * 60_000;
      const index = ids.get(row['database_name'] ?? null) ?? -1;
      const [beginUtcMs, endUtcMs] = [toUtcMs(row['backup_start_date']), toUtcMs(row['backup_finish_date'])];
      if (beginUtcMs < this.fromUtcMs) continue;
      const run: BackupRun = { type: TYPES[String(row['type'])] ?? 'log', beginUtcMs, endUtcMs, bytes: Number(row['backup_size']) };
      runs.set(index, [...(runs.get(index) ?? []), run]);
    }
    return runs;
  }
}

function assertClose(seen: number, expected: number, share: number, what: string): void {
  assert.ok(Math.abs(seen - expected) <= share * expected, `${what}: ${seen} against ${expected}`);
}

describe('the checkpoint task of a simulated server', function () {
  it('in an IO storm is as busy as the ledger says, and what ran beside it is what backups and hands began', async () => {
    const server = createModelledServer({ scenario: 'io-storm', rate: 0 });
    const fromUtcMs = server.clock.nowUtcMs();
    // Not while the job of differential backups runs, from minute 40 on: msdb has whole seconds.
    server.advance(90 * MINUTE_MS);
    const byHand = readRows(server, 'sys.databases').filter(
      (row) => Number(row['database_id']) > 4 && row['target_recovery_time_in_seconds'] === 0,
    );
    const done = byHand.slice(0, 6).map((row) => server.checkpoint(String(row['name']), 20, DBA, new AbortController().signal));
    server.advance(60 * MINUTE_MS);
    await Promise.all(done);
    const watched = new Watched(server, fromUtcMs);
    const task = watched.describe(true);
    assertClose(task.busyMs, watched.busyMs(), 0.01, 'busy time');
    const blind = watched.describe(false);
    assert.ok(Math.abs(blind.busyMs - watched.busyMs()) <= (blind.busyShareMargin ?? 0) * blind.coverage.observedMs + 1);
    assert.ok((task.busyShare ?? 0) > 0.05);
    const truth = watched.listOverlapping();
    assert.ok(truth.some((row) => watched.entries[row]?.kind === 'backup') && truth.some((row) => watched.entries[row]?.kind === 'manual'));
    assert.deepEqual(
      task.beside
        .filter(({ overlapMs }) => overlapMs > 0)
        .map(({ row }) => row)
        .sort((a, b) => a - b),
      truth,
    );
    const causes = new Map(task.beside.map(({ row, cause }) => [row, cause]));
    for (const row of truth) assert.equal(causes.get(row), watched.entries[row]?.kind === 'backup' ? 'backup' : 'unknown', `row ${row}`);
  });

  it('of an upgraded server with 312 automatic databases is as busy as the ledger says, and no database waited longer than it was behind', () => {
    const server = createModelledServer({ scenario: 'legacy-upgrade', rate: 0 });
    const fromUtcMs = server.clock.nowUtcMs();
    server.advance(30 * MINUTE_MS);
    const watched = new Watched(server, fromUtcMs);
    const [known, unknown] = [watched.describe(true), watched.describe(false)];
    for (const task of [known, unknown]) assertClose(task.busyMs, watched.busyMs(), 0.01, 'busy time');
    assert.equal(known.checkpoints, watched.entries.filter(({ kind }) => kind === 'automatic').length);
    // The model counts from the moment at which a checkpoint was due; the first run was not seen from its beginning.
    const waited = new Map<string, number>();
    const begun = fromUtcMs + 5 * MINUTE_MS;
    for (const { kind, databaseId, queuedMs, beginUtcMs } of watched.entries)
      if (kind === 'automatic' && beginUtcMs > begun) waited.set(`${databaseId}`, Math.max(waited.get(`${databaseId}`) ?? 0, queuedMs));
    const ids = readRows(server, 'sys.databases').map((row) => Number(row['database_id']));
    let compared = 0;
    for (const { database, behindMaximumMs } of known.delays) {
      const queuedMs = waited.get(`${ids[database]}`);
      if (queuedMs === undefined || behindMaximumMs === null) continue;
      // A turn of the task takes up to 12 ms more, and events have whole milliseconds.
      assert.ok(behindMaximumMs >= queuedMs - 15, `${ids[database]}: ${behindMaximumMs} against ${queuedMs}`);
      compared++;
    }
    assert.ok(compared > 50, `${compared} databases compared`);
  });
});
