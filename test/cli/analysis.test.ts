import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEMA_VERSION, TABLES } from '../../src/lake/tables';
import { listChanges } from '../../src/core/comparison/changes';
import { createGapCrossing } from '../../src/core/session/gap-crossing';
import { findObservedPieces, findPiece, measureUnion, sumPieces, type TimeWindow } from '../../src/core/statistics/observed-time';
import { findHeavyDatabases } from '../../src/core/statistics/statistics';
import { finishSteps } from '../../src/core/steps';
import { type AutomaticTime, findAutomaticTime, isAutomatic } from '../../src/core/task/automatic-time';
import type { ChangeMoment } from '../../src/core/task/change-moment';
import { measureTaskShare } from '../../src/core/task/task-share';
import { computeStatistics } from '../core/finished';
import { ANALYSES, type AnalysisName, type AnalysisRow, runAnalyses } from './analysis-texts';
import { createChance } from '../core/errorlog/disturbed-log';
import { modelServer, type ModelledServer, writeModelledLake, writeRows } from './modelled-lake';

const ALL: TimeWindow = { beginUtcMs: -Infinity, endUtcMs: Infinity };
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How far a side reaches, and the time after a change that belongs to none. */
const [REACH_MS, SETTLING_MS] = [42 * 24 * HOUR_MS, HOUR_MS / 4];

describe('The texts of analysis/', () => {
  const random = createChance(20_261_126);
  const servers = ['A', 'b', 'SQL\\Ü 1'].map((name) => modelServer(name, random));
  let folder: string;
  let results: Readonly<Record<AnalysisName, readonly AnalysisRow[]>>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'analysis-'));
    await writeModelledLake(folder, servers, random);
    results = await runAnalyses(folder);
  });

  after(() => rmSync(folder, { recursive: true }));

  const rowsOf = (name: AnalysisName, server: ModelledServer): readonly AnalysisRow[] =>
    results[name].filter((row) => row.server === server.name);

  it('give the figures of every database as the pane does, to the last digit', () => {
    for (const server of servers) {
      const found = rowsOf('offenders', server).map((row) => [row.database_id, row.database_name, ...figuresOf(row)]);
      const expected = computeStatistics(server.columns, server.databases.length, ALL, server.observation)
        .filter(({ count }) => count > 0)
        .map((one) => {
          const { databaseId, name } = server.databases[one.database]!;
          return [databaseId, name, one.count, one.totalMs, one.averageMs, one.p50Ms, one.p95Ms, one.p99Ms, one.maximumMs];
        })
        .sort((a, b) => Number(b[3]) - Number(a[3]) || Number(a[0]) - Number(b[0]));
      assert.ok(expected.length >= 7);
      assert.deepEqual(found, expected);
    }
  });

  it('give the busy share of each day over what was observed of it, to the last digit', () => {
    for (const server of servers) {
      const { beginUtcMs, endUtcMs } = server.observation;
      const expected: unknown[] = [];
      for (let day = beginUtcMs - (beginUtcMs % DAY_MS); day < endUtcMs; day += DAY_MS) {
        const { observedMs, busyMs } = measureBusy(server, { beginUtcMs: day, endUtcMs: day + DAY_MS });
        if (observedMs > 0)
          expected.push([new Date(day).toISOString().slice(0, 10), observedMs * 1_000, busyMs * 1_000, busyMs / observedMs]);
      }
      assert.ok(expected.length >= 2);
      assert.deepEqual(
        rowsOf('saturation', server).map((row) => [row.day_utc, row.observed_us, row.busy_us, row.busy_share]),
        expected,
      );
    }
  });

  it('give no busy share below that of the pane, which leaves out what ran beside the task', () => {
    for (const server of servers) {
      const { columns, databases, observation } = server;
      const scope = { window: observation, observation, automatic: findAutomatic(server), backups: null };
      const { busyShare } = finishSteps(measureTaskShare(columns, databases.length, scope, MINUTE_MS));
      assert.ok(busyShare > 0 && busyShare < Number(results.fleet.find((row) => row.server === server.name)!.busy_share));
    }
  });

  it('give the part of each automatic database in the task, and the fewest that take most of it', () => {
    for (const server of servers) {
      const found = rowsOf('cohort', server);
      const members = [...server.targets].filter(([, seconds]) => seconds === 0).map(([database]) => database);
      const own = members.map((database) => ({ database, ...measureBusy(server, ALL, database) })).sort((a, b) => b.busyMs - a.busyMs);
      assert.ok(own.length >= 3);
      assert.deepEqual(
        found.map(({ database_id, busy_us, share }) => [database_id, busy_us, share]),
        own.map(({ database, busyMs, observedMs }) => [database + 5, busyMs * 1_000, busyMs / observedMs]),
      );
      const heavy = findHeavyDatabases(own.map(({ database, busyMs }) => ({ database, totalMs: busyMs }) as never));
      assert.deepEqual(
        found.filter(({ is_heavy }) => is_heavy === true).map(({ database_id }) => database_id),
        heavy.map((database) => database + 5),
      );
      assert.deepEqual([...new Set(found.map(({ heavy_databases }) => heavy_databases))], [heavy.length]);
      const totalMs = own.reduce((sum, { busyMs }) => sum + busyMs, 0);
      let sumMs = 0;
      for (const [at, { busyMs, observedMs }] of own.entries()) {
        sumMs += busyMs;
        assert.deepEqual(
          [found[at]!.share_of_task, found[at]!.cumulative_share, found[at]!.left_share],
          [busyMs / totalMs, sumMs / totalMs, (totalMs - sumMs) / observedMs],
        );
      }
    }
  });

  it('give the figures before and after each change as the product does for the same time, to the last digit', () => {
    for (const server of servers) {
      const expected = [...server.changes].flatMap(([database, changes]) => {
        const seen = changes.map((change): ChangeMoment => ({
          ...change,
          notBeforeUtcMs: findObservedBefore(server, change.atUtcMs),
          source: 'observed',
        }));
        return listChanges(seen).map(({ atUtcMs, notBeforeUtcMs, fromSeconds, toSeconds }, at, all) => {
          const [previous, next] = [all[at - 1]?.atUtcMs ?? -Infinity, all[at + 1]?.notBeforeUtcMs ?? Infinity];
          const before = { beginUtcMs: Math.max(atUtcMs - REACH_MS, previous + SETTLING_MS), endUtcMs: notBeforeUtcMs };
          const after = { beginUtcMs: atUtcMs + SETTLING_MS, endUtcMs: Math.min(atUtcMs + REACH_MS, next) };
          const figures = [...listSide(server, database, before), ...listSide(server, database, after)];
          return [database + 5, atUtcMs * 1_000, String(fromSeconds), String(toSeconds), ...figures];
        });
      });
      assert.equal(expected.length, 5);
      const sides = ['before', 'after'].flatMap((side) =>
        ['observed_us', 'checkpoints', 'per_hour', 'average_ms', 'p95_ms'].map((each) => `${side}_${each}`),
      );
      assert.deepEqual(
        rowsOf('before_after', server).map((row) =>
          ['database_id', 'changed_us', 'from_seconds', 'to_seconds', ...sides].map((each) => row[each]),
        ),
        expected,
      );
    }
  });

  it('find the minutes with most at once', () => {
    for (const server of servers) {
      const minutes = listMinutes(server).slice(0, 20);
      assert.ok(minutes.some(({ mostAtOnce }) => mostAtOnce > 1));
      assert.deepEqual(
        rowsOf('storms', server).map((row) => [row.minute_us, row.checkpoints, row.databases, row.most_at_once, row.checkpoint_us]),
        minutes.map((each) => [each.minuteMs * 1_000, each.checkpoints, each.databases, each.mostAtOnce, each.checkpointMs * 1_000]),
      );
    }
  });

  it('name the tracked databases without a checkpoint, with the time that they were observed', () => {
    const expected = servers.map((server) => {
      const { observedMs } = measureBusy(server, ALL);
      return [server.name, 13, 'ONLINE', '60', observedMs * 1_000, observedMs / HOUR_MS];
    });
    assert.deepEqual(
      results.silent.map((row) => [row.server, row.database_id, row.state, row.target_seconds, row.observed_us, row.observed_hours]),
      expected.sort((a, b) => Number(b[4]) - Number(a[4])),
    );
  });

  it('rank the servers by what they suffer, and show one that was never reached', () => {
    const expected = servers
      .map((server) => {
        const { observedMs, busyMs } = measureBusy(server, ALL);
        const durations = listSound(server).map((row) => server.columns.durationMs[row]!);
        const { beginUtcMs, endUtcMs } = server.observation;
        return {
          server: server.name,
          busy_share: busyMs / observedMs,
          observed_us: observedMs * 1_000,
          busy_us: busyMs * 1_000,
          gap_us: (endUtcMs - beginUtcMs - observedMs) * 1_000,
          checkpoints: durations.length,
          long_checkpoints: durations.filter((each) => each >= 2 * MINUTE_MS).length,
          longest_ms: Math.max(...durations),
          automatic_databases: [...server.targets.values()].filter((seconds) => seconds === 0).length,
          databases: 8,
          last_run_us: endUtcMs * 1_000,
          last_outcome: 'collected',
          last_reason: null,
        };
      })
      .sort((a, b) => b.busy_share - a.busy_share);
    assert.deepEqual(
      results.fleet.slice(0, -1),
      expected.map((row, at) => ({ rank_no: at + 1, ...row })),
    );
    const never = results.fleet[results.fleet.length - 1]!;
    const { rank_no, last_run_us, ...rest } = never;
    assert.deepEqual([rank_no, Number(last_run_us) > 0], [servers.length + 1, true]);
    const unseen = ['busy_share', 'observed_us', 'busy_us', 'gap_us', 'checkpoints', 'long_checkpoints', 'longest_ms'];
    const unknown = Object.fromEntries([...unseen, 'automatic_databases', 'databases'].map((name) => [name, null]));
    assert.deepEqual(rest, { server: 'NEVER', ...unknown, last_outcome: 'not reached', last_reason: 'No answer.' });
  });

  it('are all in the list, as is every column that they may read', () => {
    const readme = readFileSync(join(__dirname, '../../analysis/README.md'), 'utf8');
    for (const name of ANALYSES) assert.ok(readme.includes(`| \`${name}\` |`), name);
    const sections = new Map(readme.split(/^\| \*\*/m).map((section) => [/^\w+/.exec(section)?.[0], section]));
    for (const [name, { columns }] of Object.entries(TABLES))
      for (const column of Object.keys(columns)) assert.match(sections.get(name) ?? '', new RegExp(`\`${column}\``), `${name}.${column}`);
    assert.ok(readme.includes(`Schema version ${SCHEMA_VERSION}.`));
  });
});

describe('The texts of analysis/, on figures that can be counted by hand', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'analysis-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const NOON = Date.UTC(2026, 2, 2, 12);
  const capture = { capture_id: 'one' };
  const at = (minutes: number): number => NOON + minutes * MINUTE_MS;
  const run = (from: number, to: number, values: object = {}) => ({
    ...{ ...capture, run_id: `to ${to}`, started_utc: at(to), ended_utc: at(to), outcome: 'collected' },
    ...{ observed_from_utc: at(from), observed_to_utc: at(to), ...values },
  });
  const turn = (minutes: number, durationMs: number, databaseId = 5) => ({
    ...{ ...capture, database_id: databaseId, database_name: `db ${databaseId}`, duration_ms: durationMs },
    ...{ begin_utc: at(minutes), end_utc: at(minutes) + durationMs },
  });
  const fact = (minutes: number, name: string, value: string | null, databaseId: number | null = 5) => ({
    ...{
      seen_utc: at(minutes),
      database_id: databaseId,
      database_name: databaseId === null ? null : `db ${databaseId}`,
      fact: name,
      value,
    },
  });
  const target = (minutes: number, value: string, databaseId = 5) => fact(minutes, 'target_recovery_time_seconds', value, databaseId);
  const sideOf = (row: AnalysisRow | undefined, side: string): readonly unknown[] =>
    ['observed_us', 'checkpoints', 'per_hour', 'average_ms', 'p95_ms'].map((name) => row?.[`${side}_${name}`]);
  const UNSEEN = [0, null, null, null, null];

  it('know nothing of the time after a change that was seen a minute ago, and say so', async () => {
    // An hour with a checkpoint every five minutes, then the run that sees the change.
    const checkpoints = Array.from({ length: 12 }, (_, n) => turn(-60 + 5 * n, 1_000 * (n + 1)));
    await writeRows(folder, 'A', { runs: [run(-60, 0), run(0, 1)], checkpoints, facts: [target(-60, '0'), target(0.5, '60')] });
    const [row, ...others] = (await runAnalyses(folder)).before_after;
    assert.equal(others.length, 0);
    // 1 to 12 seconds: on average 6.5; the nearest rank of 95 % among 12 is the last.
    assert.deepEqual(sideOf(row, 'before'), [HOUR_MS * 1_000, 12, 12, 6_500, 12_000]);
    assert.deepEqual(sideOf(row, 'after'), UNSEEN);
  });

  it('have no time between a change and one that takes it back within a quarter of an hour', async () => {
    const facts = [target(-60, '0'), target(0, '60'), target(10, '0')];
    await writeRows(folder, 'A', { runs: [run(-60, 0), run(0, 5), run(5, 70)], checkpoints: [turn(-30, 1_000), turn(50, 3_000)], facts });
    const [there, back] = (await runAnalyses(folder)).before_after;
    // Each change is at most as old as the last observed moment before it was seen; its time after begins a quarter of an hour later.
    assert.deepEqual([sideOf(there, 'after'), sideOf(back, 'before')], [UNSEEN, UNSEEN]);
    assert.deepEqual(sideOf(back, 'after'), [45 * MINUTE_MS * 1_000, 1, 60 / 45, 3_000, 3_000]);
  });

  it('count the databases of users, as the dashboard does, and none of the system', async () => {
    const facts = [1, 2, 3, 4, 5, 6].flatMap((id) => [fact(0, 'state', 'ONLINE', id), target(0, '0', id)]);
    const runs = [run(-60, 0, { databases: 9, automatic_databases: 9 }), run(0, 10, { databases: 2, automatic_databases: 1 }), run(10, 20)];
    await writeRows(folder, 'A', { runs, facts });
    const [row] = (await runAnalyses(folder)).fleet;
    // Observed, and no checkpoint seen: that is none, and the task was free.
    assert.deepEqual([row?.databases, row?.automatic_databases, row?.checkpoints, row?.long_checkpoints, row?.busy_share], [2, 1, 0, 0, 0]);
  });

  it('say nothing of the task where it was never seen which databases are automatic', async () => {
    await writeRows(folder, 'A', { runs: [run(0, 60)], checkpoints: [turn(10, 30 * MINUTE_MS)], facts: [] });
    const { fleet, saturation } = await runAnalyses(folder);
    assert.deepEqual([fleet[0]?.observed_us, fleet[0]?.checkpoints, fleet[0]?.busy_share], [HOUR_MS * 1_000, 1, null]);
    assert.deepEqual([saturation[0]?.observed_us, saturation[0]?.busy_us, saturation[0]?.busy_share], [HOUR_MS * 1_000, null, null]);
  });
});

const figuresOf = (row: AnalysisRow): readonly unknown[] =>
  ['checkpoints', 'total_ms', 'average_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'longest_ms'].map((name) => row[name]);

/** Checkpoints that no gap made doubtful. */
function listSound({ columns, observation }: ModelledServer): readonly number[] {
  const isAcrossGap = createGapCrossing(observation.gaps);
  const rows = Array.from({ length: columns.rows }, (_, row) => row);
  return rows.filter((row) => isAcrossGap?.(columns.beginUtcMs[row]!, columns.beginUtcMs[row]! + columns.durationMs[row]!) !== true);
}

function findAutomatic({ targets, changes }: ModelledServer): AutomaticTime {
  const seen = [...changes].map(([database, own]) => {
    const moments = own.map((change): ChangeMoment => ({ ...change, notBeforeUtcMs: change.atUtcMs, source: 'observed' }));
    return [database, moments] as const;
  });
  return findAutomaticTime(targets, new Map(seen));
}

/** The union of automatic checkpoints of all databases, or of one, in observed time. */
function measureBusy(server: ModelledServer, window: TimeWindow, only: number | null = null): { observedMs: number; busyMs: number } {
  const { columns, observation } = server;
  const automatic = findAutomatic(server);
  const rows = listSound(server)
    .filter((row) => isAutomatic(automatic, columns.database[row]!, columns.beginUtcMs[row]!))
    .filter((row) => only === null || columns.database[row] === only);
  const begins = Float64Array.from(rows, (row) => columns.beginUtcMs[row]!);
  const ends = Float64Array.from(rows, (row) => columns.beginUtcMs[row]! + columns.durationMs[row]!);
  const pieces = findObservedPieces(window, observation);
  return { observedMs: sumPieces(pieces), busyMs: measureUnion(begins, ends, pieces) };
}

/** The last moment before that one up to which a run observed: the change is not older. */
function findObservedBefore({ observation, runs }: ModelledServer, utcMs: number): number {
  const pieces = findObservedPieces(observation, observation);
  const ends = pieces.filter((_, at) => at % 2 === 1);
  const seen = runs.filter((run) => findPiece(pieces, run) >= 0);
  return Math.max(...[...ends, ...seen].filter((end) => end < utcMs));
}

function listSide({ columns, databases, observation }: ModelledServer, database: number, window: TimeWindow): readonly unknown[] {
  const { count, perHour, averageMs, p95Ms } = computeStatistics(columns, databases.length, window, observation)[database]!;
  return [sumPieces(findObservedPieces(window, observation)) * 1_000, count, perHour, averageMs, p95Ms];
}

interface Minute {
  readonly minuteMs: number;
  readonly checkpoints: number;
  readonly databases: number;
  readonly mostAtOnce: number;
  readonly checkpointMs: number;
}

function listMinutes(server: ModelledServer): readonly Minute[] {
  const { columns } = server;
  const byMinute = new Map<number, { from: number; to: number; database: number }[]>();
  for (const row of listSound(server)) {
    const begin = columns.beginUtcMs[row]!;
    const end = begin + columns.durationMs[row]!;
    const first = begin - (begin % MINUTE_MS);
    for (let minute = first; minute === first || minute < end; minute += MINUTE_MS) {
      const cut = { from: Math.max(begin, minute), to: Math.min(end, minute + MINUTE_MS), database: columns.database[row]! };
      byMinute.set(minute, [...(byMinute.get(minute) ?? []), cut]);
    }
  }
  return [...byMinute]
    .map(([minuteMs, cuts]) => ({
      minuteMs,
      checkpoints: cuts.length,
      databases: new Set(cuts.map(({ database }) => database)).size,
      mostAtOnce: Math.max(...cuts.map(({ from }) => cuts.filter((other) => other.from <= from && from < other.to).length)),
      checkpointMs: cuts.reduce((sum, { from, to }) => sum + to - from, 0),
    }))
    .sort((a, b) => b.checkpointMs - a.checkpointMs || b.databases - a.databases || a.minuteMs - b.minuteMs);
}
