import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import { measureTaskShare } from '../../../src/core/task/task-share';
import { describeTask, type TaskStatistics } from '../../../src/core/task/task-statistics';
import { finishSteps, ROWS_A_STEP } from '../../../src/core/steps';
import { countPauses } from '../finished';
import { ALL, backup, describeRows } from './described-task';
import { columnsOf, observe, type Row } from '../statistics/columns';
import { valuesOf } from '../values-of';
import { forAll } from '../../for-all';
import { changedAt } from './changed';

const switched = (atUtcMs: number, fromSeconds: number, toSeconds: number) =>
  changedAt(atUtcMs, { notBeforeUtcMs: atUtcMs - 100, fromSeconds, toSeconds });

describe('the one task of automatic checkpoints', () => {
  it('runs no two at once: of those that overlap it has as many as fit one after the other', () => {
    const task = describeRows([
      [1000, 900, 0],
      [1100, 100, 1],
      [1210, 100, 2],
      [1320, 100, 1],
    ]);
    assert.equal(task.busyMs, 300);
    assert.deepEqual(task.beside, [
      {
        row: 0,
        database: 0,
        beginUtcMs: 1000,
        durationMs: 900,
        cause: 'unknown',
        sessionId: null,
        overlapMs: 300,
      },
    ]);
    assert.equal(task.busyShareMargin, 0.09);
  });

  it('is found among thousands that all hang together, and lists the first thousand beside it', () => {
    const long = Array.from({ length: 3000 }, (_, i): Row => [i * 3, 40, 0]);
    const short = Array.from({ length: 3000 }, (_, i): Row => [i * 3, 2, 1]);
    const task = describeRows([...long, ...short]);
    assert.equal(task.busyMs, 6038);
    assert.equal(task.beside.length, 1000);
    assert.ok(task.beside.every(({ durationMs, overlapMs }) => durationMs === 40 && overlapMs >= 26));
    assert.equal(task.busyShareMargin, (8997 + 40) / 10_000);
  });

  it('of two that overlap has the one that follows closest on what it ran before', () => {
    const task = describeRows([
      [1000, 500, 0],
      [1490, 100, 1],
      [1505, 600, 2],
    ]);
    assert.deepEqual(valuesOf(task.beside, 'row'), [1]);
  });

  it('did not run the checkpoint that a backup begins with, whether it overlaps or not', () => {
    const rows: readonly Row[] = [
      [1000, 500, 0],
      [1100, 200, 1],
      [1600, 100, 1],
      [5200, 300, 2],
    ];
    const backups = new Map([
      [1, [backup(1000, 4000), backup(1500, 1700, 'log')]],
      [2, [backup(5000, 9000, 'differential')]],
    ]);
    const task = describeRows(rows, { backups });
    assert.deepEqual(valuesOf(task.beside, 'row', 'cause', 'overlapMs'), [
      [1, 'backup', 200],
      [3, 'backup', 0],
    ]);
    assert.deepEqual([task.busyMs, task.busyShareMargin], [600, 0]);
    assert.deepEqual(valuesOf(describeRows(rows).beside, 'cause'), ['unknown']);
  });

  it('takes a backup for the cause of one checkpoint only, and of none that began long after it', () => {
    const rows: readonly Row[] = [
      [1000, 10, 1],
      [1300, 10, 1],
      [15_000, 10, 1],
    ];
    const scope = { window: { beginUtcMs: 0, endUtcMs: 20_000 }, observation: observe(0, 20_000) };
    const task = describeRows(rows, {
      ...scope,
      backups: new Map([[1, [backup(1000, 20_000), backup(2000, 20_000)]]]),
    });
    assert.deepEqual(valuesOf(task.beside, 'row'), [0, 1]);
  });

  it('has no checkpoint of a database with indirect ones, before or after its change', () => {
    const targets = new Map([
      [0, 60],
      [1, 0],
      [2, null],
      [3, 0],
    ]);
    const changes = new Map([
      [0, [switched(5000, 0, 60)]],
      [3, [switched(2000, 0, 60), switched(6000, 60, 0)]],
    ]);
    const rows = [1000, 4950, 5500, 7000].flatMap((begin) =>
      [0, 1, 2, 3].map((database): Row => [begin + database * 10, 5, database]),
    );
    const task = describeRows(rows, { automatic: findAutomaticTime(targets, changes) });
    // 0 before 4900, 1 always, 3 before 1900 and from 6000 on.
    assert.equal(task.busyMs, (1 + 4 + 2) * 5);
  });

  it('counts what is automatic again since its last known change, where nothing tells when: rather too busy than falsely free', () => {
    const change = changedAt(2000, { source: 'error log' });
    const automatic = findAutomaticTime(new Map([[0, 0]]), new Map([[0, [change]]]));
    assert.equal(
      describeRows(
        [
          [1000, 5, 0],
          [5000, 5, 0],
        ],
        { automatic },
      ).busyMs,
      10,
    );
  });

  it('counts only what was seen of a run that a gap or an edge of the window cuts', () => {
    const rows: readonly Row[] = [
      [0, 400, 0],
      [2000, 100, 0],
      [2150, 100, 1],
      [9800, 900, 2],
    ];
    const task = describeRows(rows, { observation: observe(0, 10_000, [2110, 2140]) });
    assert.deepEqual([task.busyMs, task.longestRun?.endUtcMs], [400 + 200 + 200, 400]);
    assert.deepEqual(valuesOf(task.delays, 'database', 'checkpoints'), [
      [0, 1],
      [1, 0],
      [2, 1],
    ]);
    const inside = describeRows(rows, { window: { beginUtcMs: 100, endUtcMs: 2160 } });
    assert.equal(inside.busyMs, 300 + 100 + 10);
  });

  it('tells how far each database stood behind the others', () => {
    const quiet = Array.from({ length: 6 }, (_, i): Row => [i * 1000 + 100, 10, 1]);
    const task = describeRows([...quiet, [6500, 700, 0], [7205, 10, 1]]);
    const delay = task.delays.find(({ database }) => database === 1);
    assert.deepEqual([delay?.checkpoints, delay?.behindP50Ms, delay?.behindMaximumMs], [6, 0, 705]);
  });

  it('counts a turn in the hours in which it begins, and takes time of all in which it runs', () => {
    const pieces = Float64Array.of(0, 2_000, 6_000, 10_000);
    const observation = { ...observe(0, 10_000), leftOut: [{ beginUtcMs: 2_000, endUtcMs: 6_000 }] };
    const window = { beginUtcMs: 0, endUtcMs: 10_000, pieces };
    const rows = columnsOf([1_000, 500, 0], [5_000, 2_000, 1], [8_000, 500, 1]);
    const scope = { window, observation, automatic: ALL, backups: null };
    const { databases, busyShare } = finishSteps(measureTaskShare(rows, 2, scope, 1_000));
    assert.deepEqual([busyShare, databases.get(0)?.count, databases.get(1)?.count], [2_000 / 6_000, 1, 1]);
  });

  it('says nothing where no time was observed', () => {
    const task = describeRows([[10, 5, 0]], { observation: observe(0, 0) });
    assert.deepEqual(
      [task.busyShare, task.busyShareMargin, task.longestRun, task.delays],
      [null, null, null, []],
    );
  });
});

describe('busy share, runs and delays', () => {
  const time = fc.integer({ min: 0, max: 1500 });
  const cases = fc.record({
    rows: fc.array(fc.tuple(time, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 3 })), {
      maxLength: 14,
    }),
    window: fc.tuple(time, time),
    observed: fc.tuple(time, time),
    gaps: fc.array(fc.tuple(time, time), { maxLength: 3 }),
  });

  it('equal what comes of going through every millisecond, for any checkpoints, window and gaps', () => {
    forAll(cases, 400, ({ rows, window: [windowBegin, windowEnd], observed, gaps }) => {
      const window = { beginUtcMs: windowBegin, endUtcMs: windowEnd };
      const task = describeRows(rows, { window, observation: observe(...observed, ...gaps) });
      const isSeen = (ms: number): boolean =>
        ms >= windowBegin &&
        ms < windowEnd &&
        ms >= observed[0] &&
        ms < observed[1] &&
        !gaps.some(([a, b]) => ms >= a && ms < b);
      const candidates = rows.flatMap(([begin, ms], row) => {
        const end = begin + ms;
        const isIn = begin < windowEnd && (begin >= windowBegin || end > windowBegin);
        return isIn && !gaps.some(([a, b]) => a < b && begin < b && b <= end) ? [{ row, begin, end }] : [];
      });
      const beside = new Set(task.beside.map(({ row }) => row));
      const mine = candidates
        .filter(({ row }) => !beside.has(row))
        .sort((a, b) => a.begin - b.begin || a.end - b.end);
      // No two overlap, and no more could be had: the greatest number of intervals apart from each other is found by
      // earliest end.
      assert.ok(mine.slice(1).every(({ begin }, i) => begin >= (mine[i]?.end ?? 0)));
      let [most, until] = [0, -1];
      for (const { begin, end } of [...candidates].sort((a, b) => a.end - b.end || a.begin - b.begin)) {
        if (begin >= until) [most, until] = [most + 1, end];
      }
      assert.equal(mine.length, most);
      assert.equal(mine.length + beside.size, candidates.length);
      const milliseconds = Array.from({ length: 1501 }, (_, ms) => ms).filter(isSeen);
      const busy = new Set(
        milliseconds.filter((ms) => mine.some(({ begin, end }) => ms >= begin && ms < end)),
      );
      assert.equal(task.busyMs, busy.size);
      assert.equal(task.busyShare, milliseconds.length === 0 ? null : busy.size / milliseconds.length);
      // Every pause of the task inside of a run is seen, and no longer than 0.12 s.
      const { longestRun: longest } = task;
      if (longest !== null) {
        let pause = 0;
        for (let ms = longest.beginUtcMs; ms < longest.endUtcMs; ms++) {
          assert.ok(isSeen(ms), `not seen: ${ms}`);
          // One that ends in the millisecond in which it begins ends a pause, and the next one begins.
          pause = busy.has(ms) ? 0 : mine.some(({ begin }) => begin === ms) ? 1 : pause + 1;
          assert.ok(pause <= 120);
        }
      }
      for (const { behindMaximumMs } of task.delays) assert.ok((behindMaximumMs ?? 0) <= lengthOf(task));
    });
  });

  const lengthOf = ({ longestRun }: TaskStatistics): number =>
    longestRun === null ? 0 : longestRun.endUtcMs - longestRun.beginUtcMs;

  it('of runs and delays equal those found one by one, where nothing overlaps', () => {
    const steps = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 0, max: 2 }),
      ),
      { minLength: 1, maxLength: 40 },
    );
    forAll(steps, 300, (given) => {
      let at = 1000;
      const rows = given.map(([pause, ms, database]): Row => [
        (at += pause) && (at += ms) - ms,
        ms,
        database,
      ]);
      const whole = { beginUtcMs: 0, endUtcMs: at + 1000 };
      const shuffled = rows
        .map((row, i) => ({ row, place: (i * 7919) % rows.length }))
        .sort((a, b) => a.place - b.place);
      const task = describeRows(
        shuffled.map(({ row }) => row),
        { window: whole, observation: observe(0, at + 1000) },
      );
      const runs: Row[][] = [];
      for (const row of rows) {
        const last = runs[runs.length - 1]?.slice(-1)[0];
        if (last !== undefined && row[0] - (last[0] + last[1]) <= 120) runs[runs.length - 1]?.push(row);
        else runs.push([row]);
      }
      const lengths = runs.map(
        (run) => (run.slice(-1)[0]?.[0] ?? 0) + (run.slice(-1)[0]?.[1] ?? 0) - (run[0]?.[0] ?? 0),
      );
      assert.equal(lengthOf(task), Math.max(...lengths));
      const longest = runs[lengths.indexOf(lengthOf(task))] ?? [];
      assert.deepEqual(task.longestRun?.databases, [...new Set(longest.map(([, , database]) => database))]);
      assert.equal(task.busyShareMargin, 0);
      for (const delay of task.delays) {
        const behind = runs.flatMap((run) =>
          run.filter((row) => row[2] === delay.database).map((row) => row[0] - (run[0]?.[0] ?? 0)),
        );
        assert.equal(delay.behindMaximumMs, Math.max(...behind));
        assert.equal(delay.checkpoints, behind.length);
      }
    });
  });

  it('are computed in steps of this many checkpoints, whether each is a run of its own or all are one', () => {
    const count = 2 * ROWS_A_STEP;
    for (const everyMs of [1_000, 10]) {
      const beginUtcMs = Float64Array.from({ length: count }, (_, row) => row * everyMs);
      const columns = {
        rows: count,
        beginUtcMs,
        durationMs: new Uint32Array(count).fill(5),
        database: new Uint16Array(count),
      };
      const window = { beginUtcMs: -1_000, endUtcMs: count * everyMs };
      const automatic = findAutomaticTime(new Map([[0, 0]]));
      const steps = describeTask(columns, 1, {
        window,
        observation: { ...window, gaps: [] },
        automatic,
        backups: null,
      });
      const { pauses, value } = countPauses(steps);
      // In order (twice), taken one by one in smaller steps, the runs, and twice the waits.
      assert.ok(pauses >= 6 * 2 + 8 * 2 - 8, `${pauses} pauses`);
      assert.equal(value.busyMs, 5 * count);
    }
  });
});
