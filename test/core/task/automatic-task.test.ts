import assert from 'node:assert/strict';
import { packCaller } from '../../../src/core/events/event-register';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import { observe, type Row } from '../statistics/columns';
import { valuesOf } from '../values-of';
import { backup, describeRows } from './described-task';

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
  const walk = (fromMs: number, takesMs: number): readonly Row[] =>
    Array.from({ length: 20 }, (_, at): Row => [fromMs + at * takesMs, takesMs - ((at * 37) % 90), at, 8]);
  /** Twenty databases every five minutes, for four of them. */
  const often = Array.from({ length: 287 }, (_, at) => walk(at * 300_000, 12_000)).flat();
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

  it('is not one that walks through many databases every five minutes, or once, beside a task that they ask', () => {
    const asked = Array.from({ length: 1_200 }, (_, at): Row => [
      at * 72_000 + ((at * 7_919) % 60_000),
      200,
      (at * 7) % 20,
      7,
    ]);
    for (const job of [often, walk(4 * HOUR_MS, 0.6 * HOUR_MS)]) {
      const task = describeRows(inOrder(asked, job), day);
      assert.deepEqual(
        [task.busyMs, valuesOf(task.beside, 'cause')[0]],
        [asked.length * 200, 'perhaps a job'],
      );
    }
    assert.ok(describeRows(often, day).busyMs > 60_000_000, 'nobody else is there: a queue');
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

    it('is the engine’s by its session id, where they say no more', () => {
      const [own, other] = [9, 60].map((sessionId) => packCaller({ isSystem: null, sessionId }));
      const task = describeRows(inOrder(whole, often), day, callersOf({ 7: own, 8: other }));
      assert.deepEqual([task.busyMs, valuesOf(task.beside, 'cause')[0]], [whole.length * 1_000, 'unknown']);
    });

    it('is a task of the engine that runs little, beside a task that says nothing and one of a session', () => {
      const few = whole.slice(0, 40);
      const rows = inOrder(few, paced, loop(9, 2_000, 24 * HOUR_MS));
      assert.equal(describeRows(rows, day, callersOf({ 7: ENGINE, 8: SESSION })).busyMs, few.length * 1_000);
    });

    it('has beside it what sessions asked for, snapshots that are still there, and what else the engine ran', () => {
      const beside: readonly Row[] = [
        [10_000, 400_000, 0, 8],
        [500_000, 30_000, 1, 8],
        [HOUR_MS, 30_000, 2, 9],
      ];
      const snapshots = new Map([[1, [515_000]]]);
      const callers = callersOf({ 7: ENGINE, 8: SESSION, 9: ENGINE });
      const task = describeRows(inOrder(whole, beside), { ...day, snapshots }, callers);
      assert.deepEqual(valuesOf(task.beside, 'cause', 'sessionId'), [
        ['session', 60],
        ['snapshot', 60],
        ['engine', 60],
      ]);
    });

    it('is known in each time between restarts, also where one session id is seen on both sides of one', () => {
      const rows = inOrder(
        automatic(7, 0, 16 * HOUR_MS),
        [[17 * HOUR_MS + 100, 50, 0, 7]],
        automatic(9, 17 * HOUR_MS, 24 * HOUR_MS),
      );
      const observation = observe(0, 24 * HOUR_MS, [16 * HOUR_MS + 700_000, 17 * HOUR_MS]);
      const task = describeRows(rows, { ...day, observation }, callersOf({ 7: ENGINE, 9: ENGINE }));
      assert.deepEqual(
        [task.busyMs, valuesOf(task.beside, 'cause')],
        [(rows.length - 1) * 1_000, ['engine']],
      );
    });

    it('has those that say nothing of themselves before the first that say who asked', () => {
      const rows = inOrder(automatic(0, 0, 8 * HOUR_MS), automatic(7, 8 * HOUR_MS, 24 * HOUR_MS));
      assert.equal(describeRows(rows, day, callersOf({ 7: ENGINE })).busyMs, rows.length * 1_000);
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
