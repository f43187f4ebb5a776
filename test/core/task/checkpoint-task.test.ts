import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import { packCaller } from '../../../src/core/events/event-register';
import type { BackupRun } from '../../../src/core/task/backup-rows';
import type { TaskScope } from '../../../src/core/task/checkpoint-task';
import { measureTaskShare } from '../../../src/core/task/task-share';
import { describeTask, type TaskStatistics } from '../../../src/core/task/task-statistics';
import { finishSteps, ROWS_A_STEP } from '../../../src/core/steps';
import { countPauses } from '../finished';
import { columnsOf, observe, type Row } from '../statistics/columns';
import { valuesOf } from '../values-of';
import { forAll } from '../../for-all';
import { changedAt } from './changed';

const ALL = findAutomaticTime(new Map([0, 1, 2, 3].map((database) => [database, 0])));

/** @param callers by the number of the task; absent: not recorded */
function describeRows(
  rows: readonly Row[],
  scope: Partial<TaskScope> = {},
  callers?: Uint32Array,
): TaskStatistics {
  const whole = {
    window: { beginUtcMs: 0, endUtcMs: 10_000 },
    observation: observe(0, 10_000),
    automatic: ALL,
    backups: null,
  };
  const columns = { ...columnsOf(...rows), ...(callers && { callers }) };
  return finishSteps(describeTask(columns, 4, { ...whole, ...scope }));
}

const backup = (beginUtcMs: number, endUtcMs: number, type: BackupRun['type'] = 'full'): BackupRun => ({
  type,
  beginUtcMs,
  endUtcMs,
  bytes: 1,
});
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
      { row: 0, database: 0, beginUtcMs: 1000, durationMs: 900, cause: 'unknown', overlapMs: 300 },
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

describe('the task that events name', () => {
  const HOUR_MS = 3_600_000;
  const day = { window: { beginUtcMs: 0, endUtcMs: 24 * HOUR_MS }, observation: observe(0, 24 * HOUR_MS) };
  /** Four databases, each in its own time about every ten minutes, for a second each. */
  const automatic = (task: number, fromMs: number, toMs: number): readonly Row[] =>
    [0, 1, 2, 3].flatMap((database) =>
      Array.from({ length: Math.floor((toMs - fromMs) / 600_000) }, (_, turn): Row => {
        const beginUtcMs =
          fromMs + turn * 600_000 + database * 131_000 + ((turn * (database + 3) * 7_919) % 60_000);
        return [beginUtcMs, 1_000, database, task];
      }),
    );
  /** One session that goes from database to database without a rest. */
  const loop = (task: number, fromMs: number, toMs: number, takesMs = 90_000): readonly Row[] =>
    Array.from({ length: Math.floor((toMs - fromMs) / takesMs) }, (_, at): Row => [
      fromMs + at * takesMs,
      takesMs - 5,
      at % 4,
      task,
    ]);
  const inOrder = (...parts: readonly (readonly Row[])[]): readonly Row[] =>
    parts.flat().sort((a, b) => a[0] - b[0]);
  const whole = automatic(7, 0, 24 * HOUR_MS);

  it('runs none of the checkpoints that another task ran, whether they overlap or not, and nothing is in doubt', () => {
    const task = describeRows(
      inOrder(whole, [[1_000, 400_000, 0, 8]], [[23.9 * HOUR_MS, 50_000, 2, 9]]),
      day,
    );
    assert.deepEqual([task.busyMs, task.busyShareMargin], [whole.length * 1_000, 0]);
    assert.equal(task.beside.length, 2);
  });

  it('keeps the turns of a database that was dropped, and those of one with indirect checkpoints', () => {
    const living = findAutomaticTime(new Map([0, 1].map((database) => [database, 0])));
    const task = describeRows(inOrder(whole, [[1_000, 400_000, 3, 8]]), { ...day, automatic: living });
    assert.deepEqual([task.busyMs, task.beside.length], [whole.length * 1_000, 0]);
  });

  it('is not the session of a loop that takes more time than it, for an hour or all day, whatever pace the loop has', () => {
    for (const [fromMs, toMs] of [
      [4 * HOUR_MS, 5 * HOUR_MS],
      [2 * HOUR_MS, 20 * HOUR_MS],
      [0, 24 * HOUR_MS],
    ] as const)
      for (const takesMs of [1_500, 90_000]) {
        const task = describeRows(inOrder(whole, loop(8, fromMs, toMs, takesMs)), day);
        assert.deepEqual(
          [task.busyMs, task.busyShareMargin],
          [whole.length * 1_000, 0],
          `${fromMs} to ${toMs}, ${takesMs}`,
        );
      }
  });

  it('that small logs call back every few seconds is not given up for a loop that keeps its pace', () => {
    const often = Array.from({ length: 12_000 }, (_, at): Row => [
      at * 6_000 + ((at * 37) % 60),
      5_900,
      at % 4,
      7,
    ]);
    const paced = Array.from({ length: 2_200 }, (_, at): Row => [at * 32_000, 100, at % 4, 8]);
    assert.equal(describeRows(inOrder(often, paced), day).busyMs, often.length * 5_900);
  });

  it('that never rests is not given up for a session that comes now and then', () => {
    // Whoever waits is served within a tenth of a second, now sooner, now later.
    const saturated = loop(7, 0, 24 * HOUR_MS).map(([beginUtcMs, , database], at): Row => [
      beginUtcMs + ((at * 37) % 90),
      89_900,
      database,
      7,
    ]);
    const now: readonly Row[] = Array.from({ length: 60 }, (_, at) => [
      at * 1_400_000 + ((at * 7_919_000) % 900_000),
      5_000,
      (at * 7) % 4,
      8,
    ]);
    assert.equal(describeRows(inOrder(saturated, now), day).busyMs, saturated.length * 89_900);
  });

  it('is another one after a restart', () => {
    const restarted = inOrder(
      automatic(7, 0, 8 * HOUR_MS),
      automatic(9, 9 * HOUR_MS, 24 * HOUR_MS),
      loop(8, 10 * HOUR_MS, 12 * HOUR_MS),
    );
    const task = describeRows(restarted, {
      ...day,
      observation: observe(0, 24 * HOUR_MS, [8 * HOUR_MS + 700_000, 9 * HOUR_MS]),
    });
    assert.equal(task.busyMs, 23 * 24 * 1_000);
  });

  it('is known by the whole time that was observed, also in a window that a loop fills', () => {
    const window = { beginUtcMs: 4 * HOUR_MS, endUtcMs: 5 * HOUR_MS };
    const task = describeRows(inOrder(whole, loop(8, 4 * HOUR_MS, 5 * HOUR_MS)), { ...day, window });
    assert.ok(task.busyMs > 20_000 && task.busyMs < 30_000, String(task.busyMs));
  });

  it('has a backup for the cause of a checkpoint that another task ran, and none of its own', () => {
    const own = whole[10] as Row;
    const backups = new Map([[own[2], [backup(own[0] - 1_000, own[0] + 60_000)]]]);
    const task = describeRows(inOrder(whole, [[own[0] + 200, 5_000, own[2], 8]]), { ...day, backups });
    assert.deepEqual([task.busyMs, valuesOf(task.beside, 'cause')], [whole.length * 1_000, ['backup']]);
  });

  describe('where they say who asked', () => {
    const [ENGINE, SESSION] = [true, false].map((isSystem) => packCaller({ isSystem, sessionId: 60 }));
    const callersOf = (numbers: Readonly<Record<number, number | undefined>>): Uint32Array =>
      Uint32Array.from({ length: 10 }, (_, task) => numbers[task] ?? 0);
    const paced = loop(8, 0, 24 * HOUR_MS);

    it('is no session that asks, though that is there all day and nothing else is', () => {
      const task = describeRows(paced, day, callersOf({ 8: SESSION }));
      assert.deepEqual([task.busyMs, task.beside.length], [0, paced.length]);
      assert.equal(describeRows(paced, day, callersOf({})).beside.length, 0, 'where they do not say');
    });

    it('is a task of the engine that runs little, beside a task that says nothing and one of a session', () => {
      const few = whole.slice(0, 40);
      const rows = inOrder(few, paced, loop(9, 2_000, 24 * HOUR_MS));
      assert.equal(describeRows(rows, day, callersOf({ 7: ENGINE, 8: SESSION })).busyMs, few.length * 1_000);
    });

    it('is one of those that say nothing where the events of another time say who asked', () => {
      const rows = inOrder(automatic(6, 0, 8 * HOUR_MS), automatic(7, 9 * HOUR_MS, 24 * HOUR_MS));
      const observation = observe(0, 24 * HOUR_MS, [8 * HOUR_MS + 700_000, 9 * HOUR_MS]);
      const task = describeRows(rows, { ...day, observation }, callersOf({ 7: ENGINE }));
      assert.equal(task.busyMs, rows.length * 1_000);
    });
  });

  it('is no task of backups, where msdb shows that every second of its checkpoints began one', () => {
    const night = Array.from({ length: 40 }, (_, at): Row => [at * 1_800_000, 300_000, at % 4, 8]);
    const backups = new Map(
      [0, 1, 2, 3].map((database) => [
        database,
        night.filter((row) => row[2] === database).map(([at]) => backup(at - 500, at + 900_000)),
      ]),
    );
    const rows = inOrder(whole, night);
    assert.equal(describeRows(rows, { ...day, backups }).busyMs, whole.length * 1_000);
  });

  it('is told by overlaps alone where an earlier version kept the checkpoints, as before', () => {
    const older = whole.map(([beginUtcMs, durationMs, database]): Row => [beginUtcMs, durationMs, database]);
    const task = describeRows(inOrder(older, [[1_000, 400_000, 0]]), day);
    assert.deepEqual(valuesOf(task.beside, 'cause'), ['unknown']);
    assert.ok((task.busyShareMargin ?? 0) > 0);
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
