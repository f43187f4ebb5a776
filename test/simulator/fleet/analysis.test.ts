import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServer, type RunWorld } from '../../../cli/src/collect/server-run';
import { Lake } from '../../../src/lake/lake';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { type DatabaseFacts, type Facts, recoveryIntervalMs } from '../../../src/core/advice/facts';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import { measureCoverage } from '../../../src/core/statistics/coverage';
import { finishSteps } from '../../../src/core/steps';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import { measureTaskShare, type TaskShare } from '../../../src/core/task/task-share';
import { type AnalysisName, type AnalysisRow, runAnalyses } from '../../cli/analysis-texts';
import { computeStatistics } from '../../core/finished';
import { openBreaker } from '../../monitor/fake-surroundings';
import { type Followed, follow } from '../product/followed-server';
import { reach, runAsAdministrator } from '../product/watched-server';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What the second server records, by database_id. */
const CHOSEN = [5, 6, 8, 9, 11, 12];

/** A simulated server, and a window that is open on it all the time: both look at the same moments. */
interface Watched {
  readonly name: string;
  readonly simulator: Simulator;
  readonly followed: Followed;
}

describe('The texts of analysis/ over servers that were collected', function () {
  this.timeout(120_000);
  let folder: string;
  let one: Watched;
  let two: Watched;
  let changed: DatabaseFacts;
  let results: Readonly<Record<AnalysisName, readonly AnalysisRow[]>>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'analysis-'));
    one = await open('ONE', await startSimulator({ rate: 0, tls: 'required', databases: 20, seed: 3 }), null);
    two = await open('TWO', await startSimulator({ rate: 0, tls: 'required', databases: 12, seed: 8 }), CHOSEN);
    await goOn(25 * MINUTE_MS);
    await pauseTracking(one.simulator);
    await goOn(25 * MINUTE_MS);
    changed = one.followed.monitor.snapshot.facts!.databases.find(
      (each) => each.databaseId > 4 && each.targetSeconds === 0 && !each.isReadOnly,
    )!;
    await runAsAdministrator(one.simulator, `ALTER DATABASE [${changed.name}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
    await goOn(5 * MINUTE_MS);
    await goOn(40 * MINUTE_MS);
    results = await runAnalyses(folder);
  });

  after(async () => {
    for (const { followed, simulator } of [one, two]) {
      await followed.monitor.dispose();
      await simulator.close();
    }
    rmSync(folder, { recursive: true });
  });

  async function open(name: string, simulator: Simulator, databaseIds: readonly number[] | null): Promise<Watched> {
    const followed = await follow(simulator);
    await followed.monitor.startTracking(databaseIds);
    return { name, simulator, followed };
  }

  async function goOn(ms: number): Promise<void> {
    for (const { name, simulator, followed } of [one, two]) {
      await followed.pass(ms);
      const lake = await Lake.open(folder);
      const standing = await lake.stand();
      const state = standing.states.get(name)?.state ?? null;
      const { harvest, outcome } = await runServer(name, `run ${ms}`, reach(simulator), state, world(), new AbortController().signal);
      assert.ok(outcome === 'collected' || outcome === 'nothing new', outcome);
      assert.deepEqual(await lake.append([harvest], standing), []);
    }
  }

  it('give the figures that a window gives which was open all the time, to the last digit', () => {
    for (const { name, followed } of [one, two]) {
      const { columns, databases, observation } = captureOf(followed);
      const statistics = computeStatistics(columns, databases.length, observation!, observation!);
      const expected = statistics
        .filter(({ count }) => count > 0)
        .map((each) => [
          databases[each.database]!.databaseId,
          each.count,
          each.totalMs,
          each.averageMs,
          each.p50Ms,
          each.p95Ms,
          each.p99Ms,
          each.maximumMs,
        ])
        .sort((a, b) => Number(b[2]) - Number(a[2]) || Number(a[0]) - Number(b[0]));
      assert.ok(expected.length >= 2);
      const figures = ['database_id', 'checkpoints', 'total_ms', 'average_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'longest_ms'];
      assert.deepEqual(
        rowsOf('offenders', name).map((row) => figures.map((each) => row[each])),
        expected,
      );
    }
  });

  it('give the observed time and the time in gaps that the window has, to the last digit', () => {
    for (const { name, followed } of [one, two]) {
      const { observation } = captureOf(followed);
      const { observedMs, gapMs } = measureCoverage(observation!, observation!);
      const [row] = rowsOf('fleet', name);
      assert.deepEqual([row!.observed_us, row!.gap_us], [observedMs * 1_000, gapMs * 1_000]);
      const days = rowsOf('saturation', name);
      assert.equal(
        days.reduce((sum, { observed_us }) => sum + Number(observed_us), 0),
        observedMs * 1_000,
      );
    }
    assert.ok(Number(rowsOf('fleet', 'ONE')[0]!.gap_us) >= 10 * MINUTE_MS * 1_000);
  });

  it('give the busy share of the task that the window gives, where nothing ran beside it', () => {
    const task = measureTask(two.followed);
    assert.ok(task.busyShare > 0);
    assert.equal(rowsOf('fleet', 'TWO')[0]!.busy_share, task.busyShare);
    assert.deepEqual(
      rowsOf('cohort', 'TWO').map(({ database_id, share, checkpoints }) => [database_id, share, checkpoints]),
      [...task.databases].map(([id, own]) => [id, own.share, own.count]).sort((a, b) => Number(b[1]) - Number(a[1])),
    );
  });

  it('show the change of one database with both sides', () => {
    const rows = rowsOf('before_after', 'ONE');
    assert.deepEqual(
      rows.map((row) => [row.database_id, row.from_seconds, row.to_seconds]),
      [[changed.databaseId, '0', '60']],
    );
    const [row] = rows;
    assert.ok(Number(row!.before_observed_us) > 0 && Number(row!.after_observed_us) === 25 * MINUTE_MS * 1_000);
  });

  it('name as silent only what the session records', () => {
    const { facts } = two.followed.monitor.snapshot;
    assert.equal(facts!.databases.length > CHOSEN.length + 4, true);
    const { columns, databases, observation } = captureOf(one.followed);
    const seen = new Set(Array.from({ length: columns.rows }, (_, row) => databases[columns.database[row]!]!.databaseId));
    const silent = one.followed.monitor.snapshot.facts!.databases.map(({ databaseId }) => databaseId).filter((id) => !seen.has(id));
    const hours = measureCoverage(observation!, observation!).observedMs / HOUR_MS;
    assert.deepEqual(
      rowsOf('silent', 'ONE')
        .map(({ database_id, observed_hours }) => [database_id, observed_hours])
        .sort(),
      silent.map((id) => [id, hours]).sort(),
    );
    assert.deepEqual(
      rowsOf('silent', 'TWO').filter(({ database_id }) => !CHOSEN.includes(Number(database_id))),
      [],
    );
  });

  const rowsOf = (name: AnalysisName, server: string): readonly AnalysisRow[] => results[name].filter((row) => row.server === server);
});

const world = (): RunWorld => ({
  breaker: openBreaker(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
  elapsedMs: () => performance.now(),
  nowMs: () => Date.now(),
  log: { sql: () => undefined, warn: (message) => assert.fail(message) },
  newCaptureId: () => 'capture',
});

async function pauseTracking(simulator: Simulator): Promise<void> {
  await runAsAdministrator(simulator, 'ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = STOP;');
  simulator.server.advance(12 * MINUTE_MS);
  await runAsAdministrator(simulator, 'ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;');
}

function captureOf({ monitor: { capture } }: Followed): CaptureRecord {
  assert.ok(capture?.observation);
  return capture;
}

function measureTask(followed: Followed): TaskShare {
  const facts = followed.monitor.snapshot.facts as Facts;
  const { columns, databases, observation } = captureOf(followed);
  const targetOf = new Map(facts.databases.map(({ databaseId, targetSeconds }) => [databaseId, targetSeconds]));
  const automatic = findAutomaticTime(new Map(databases.map(({ databaseId }, index) => [index, targetOf.get(databaseId) ?? null])));
  const scope = { window: observation!, observation: observation!, automatic, backups: null };
  const task = finishSteps(measureTaskShare(columns, databases.length, scope, recoveryIntervalMs(facts.server)));
  return { ...task, databases: new Map([...task.databases].map(([index, own]) => [databases[index]!.databaseId, own])) };
}
