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
import { modelServer, type ModelledServer, writeModelledLake } from './modelled-lake';

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
    assert.deepEqual([never.server, never.busy_share, never.last_outcome, never.last_reason], ['NEVER', null, 'not reached', 'No answer.']);
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
