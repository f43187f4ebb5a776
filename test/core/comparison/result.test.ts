import assert from 'node:assert/strict';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import { CheckpointStore } from '../../../src/core/capture/checkpoint-store';
import { type ChangedDatabase, computeResult, type Result } from '../../../src/core/comparison/result';
import { chooseSides, type Side, type Sides } from '../../../src/core/comparison/sides';
import type { Gap } from '../../../src/core/session/gap';
import { finishSteps } from '../../../src/core/steps';
import type { ChangeMoment } from '../../../src/core/task/change-moment';
import { taskOf } from '../advice/task-of';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time';
import { gapOf } from '../gap-of';

/** Tuesday, 17 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 17, 8);
const UTC = [{ fromUtcMs: -Infinity, offsetMinutes: 0 }];

const changeAt = (atUtcMs: number, toSeconds = 60): ChangeMoment => ({
  atUtcMs,
  notBeforeUtcMs: atUtcMs,
  source: 'error log',
  fromSeconds: 60 - toSeconds,
  toSeconds,
});
const watch = (fromUtcMs: number, toUtcMs: number, gaps: readonly Gap[] = []): Observation => ({
  beginUtcMs: fromUtcMs,
  endUtcMs: toUtcMs,
  gaps,
});
const choose = (changesUtcMs: readonly number[], observation: Observation, offsets = UTC): Sides =>
  chooseSides(
    changesUtcMs.map((utcMs) => changeAt(utcMs)),
    observation,
    offsets,
  ) ?? assert.fail('there are changes');
/** In hours after eight o'clock of the first day. */
const hoursOf = ({ beginUtcMs, endUtcMs, observedMs }: Side): readonly number[] => [
  (beginUtcMs - EIGHT) / HOUR_MS,
  (endUtcMs - EIGHT) / HOUR_MS,
  observedMs / HOUR_MS,
];

describe('The time before and after a change', () => {
  it('begins three minutes after the last change, and ends before the first', () => {
    const { before, after, areSameHours } = choose(
      [EIGHT + 3 * HOUR_MS, EIGHT + 4 * HOUR_MS],
      watch(EIGHT, EIGHT + 5 * HOUR_MS),
    );
    assert.deepEqual([hoursOf(before), hoursOf(after), areSameHours], [[0, 3, 3], [4.05, 5, 0.95], false]);
  });

  it('is the same hours of day on both sides once they share half an hour, whatever the date', () => {
    const changed = EIGHT + 4 * HOUR_MS;
    const soon = choose([changed], watch(EIGHT, EIGHT + DAY_MS + 0.4 * HOUR_MS));
    assert.deepEqual(
      [soon.areSameHours, hoursOf(soon.before), soon.after.observedMs],
      [false, [0, 4, 4], 20.35 * HOUR_MS],
    );
    const next = choose([changed], watch(EIGHT, EIGHT + DAY_MS + 2 * HOUR_MS));
    assert.deepEqual(
      [next.areSameHours, hoursOf(next.before), hoursOf(next.after)],
      [true, [0, 2, 2], [24, 26, 2]],
    );
    // A week later: the same two hours of all working days after it, and none of the weekend.
    const week = choose([changed], watch(EIGHT, EIGHT + 7 * DAY_MS));
    assert.deepEqual([hoursOf(week.before), week.after.observedMs / HOUR_MS], [[0, 4, 4], 4 * 4]);
  });

  it('does not take a Saturday for a working day', () => {
    const friday = EIGHT + 3 * DAY_MS;
    const { areSameHours } = choose([friday + 4 * HOUR_MS], watch(friday, friday + DAY_MS + 4 * HOUR_MS));
    assert.equal(areSameHours, false);
  });

  it('goes by the clock of the server: two hours shift with it', () => {
    const changed = EIGHT + 4 * HOUR_MS;
    const summer = [...UTC, { fromUtcMs: EIGHT + 12 * HOUR_MS, offsetMinutes: 60 }];
    assert.deepEqual(
      hoursOf(choose([changed], watch(EIGHT, EIGHT + DAY_MS + HOUR_MS), summer).after),
      [23, 25, 2],
    );
  });

  it('is at most eight hours before, unless the hours are the same', () => {
    const { before } = choose([EIGHT + 20 * HOUR_MS], watch(EIGHT, EIGHT + 20.4 * HOUR_MS));
    assert.deepEqual(hoursOf(before), [12, 20, 8]);
  });

  it('leaves out gaps, and what was four weeks before', () => {
    const gap = gapOf('permission lost', EIGHT + HOUR_MS, EIGHT + 2 * HOUR_MS, 'It was refused.');
    const old = EIGHT - 40 * DAY_MS;
    const { before, firstUtcMs } = choose(
      [old, EIGHT + 3 * HOUR_MS],
      watch(old - HOUR_MS, EIGHT + 3.4 * HOUR_MS, [gap]),
    );
    assert.deepEqual([hoursOf(before), firstUtcMs], [[-6, 3, 8], EIGHT + 3 * HOUR_MS]);
  });
});

/** One of three databases each minute. Before the change they take this long, and afterwards 40 ms each minute. */
function computeOf(changes: Readonly<Record<string, readonly ChangeMoment[]>>): Result {
  const store = new CheckpointStore();
  const changedUtcMs = EIGHT + 3 * HOUR_MS;
  const observation = watch(EIGHT, changedUtcMs + HOUR_MS + 3 * MINUTE_MS);
  // The last has no checkpoint.
  const names = ['Sales', 'Stock', 'Mail', 'Idle'];
  const lastsMs = [20_000, 10_000, 30_000];
  for (let minute = 0; EIGHT + minute * MINUTE_MS < observation.endUtcMs; minute++) {
    const at = EIGHT + minute * MINUTE_MS;
    const turn = minute % 3;
    if (at < changedUtcMs || turn === 2) store.append(at, lastsMs[turn]!, turn);
    if (at >= changedUtcMs) for (const database of [0, 1]) store.append(at + 40_000, 40, database);
  }
  const changed = names.flatMap((name, captured): readonly ChangedDatabase[] =>
    changes[name] === undefined
      ? []
      : [
          {
            databaseId: captured + 5,
            name,
            captured: captured === 3 ? null : captured,
            changes: changes[name],
            isRecorded: true,
            isAutomatic: changes[name].at(-1)!.toSeconds === 0,
          },
        ],
  );
  const sides = chooseSides(Object.values(changes).flat(), observation, UTC)!;
  const task = {
    before: taskOf({ 0: { share: 1 / 9 }, 1: { share: 1 / 18 }, 2: { share: 1 / 6 } }),
    after: taskOf({ 2: { share: 1 / 6 } }),
  };
  return finishSteps(computeResult({ columns: store.columns(), databases: 3, sides, task, changed }));
}

describe('Sides of a capture in which the clock was moved by decades', () => {
  it('are chosen at once, and not compared hour by hour', () => {
    const startedMs = performance.now();
    const { areSameHours, before, after } = choose(
      [EIGHT + 3 * HOUR_MS],
      watch(EIGHT - 3 * DAY_MS, Date.UTC(2199, 0, 1)),
    );
    assert.deepEqual([areSameHours, hoursOf(before)[2], after.endUtcMs], [false, 8, Date.UTC(2199, 0, 1)]);
    assert.ok(performance.now() - startedMs < 500);
  });
});

describe('What became of changed databases', () => {
  const changed = [changeAt(EIGHT + 3 * HOUR_MS)];

  it('is, of each, what anyone would count: checkpoints, how long they took, and seconds an hour', () => {
    const { rows } = computeOf({ Sales: changed, Stock: changed });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Sales', 'Stock'],
    );
    const { before, after } = rows[0]!;
    assert.deepEqual(
      [before.perHour, before.averageMs, before.p95Ms, before.longestMs, before.secondsPerHour],
      [20, 20_000, 20_000, 20_000, 400],
    );
    assert.deepEqual([after.perHour, after.averageMs, after.longestMs], [60, 40, 40]);
    assert.ok(Math.abs((after.secondsPerHour ?? 0) - 2.4) < 1e-9);
    assert.ok(
      Math.abs((before.share ?? 0) - 400 / 3600) < 1e-9 && Math.abs((after.share ?? 0) - 2.4 / 3600) < 1e-9,
    );
  });

  it('is told of all together and of the whole server, and rows add up to it', () => {
    const { rows, together, server } = computeOf({ Sales: changed, Stock: changed });
    assert.deepEqual(
      [together.databases, together.before.perHour, together.before.averageMs],
      [2, 40, 15_000],
    );
    for (const side of ['before', 'after'] as const)
      assert.ok(
        Math.abs(
          rows.reduce((sum, row) => sum + row[side].secondsPerHour!, 0) - together[side].secondsPerHour!,
        ) < 1e-9,
      );
    assert.deepEqual(
      [server.before.perHour, server.before.longestMs, server.after.longestMs],
      [60, 30_000, 30_000],
    );
  });

  it('has one average checkpoint of each, one after another, and the longest time without one', () => {
    const { oneOfEachMs, longestWithoutMs } = computeOf({ Sales: changed, Stock: changed });
    assert.deepEqual(oneOfEachMs, { before: 30_000, after: 80 });
    // Stock takes ten seconds of every three minutes; afterwards one comes each minute.
    assert.deepEqual(longestWithoutMs, { before: 170_000, after: 59_960 });
    assert.deepEqual(computeOf({ Sales: changed, Idle: changed }).longestWithoutMs, {
      before: 3 * HOUR_MS,
      after: HOUR_MS,
    });
  });

  it('leaves a database that is automatic again out of the sum, but not out of the list', () => {
    const { rows, together } = computeOf({
      Sales: changed,
      Stock: [...changed, changeAt(EIGHT + 3 * HOUR_MS + 1, 0)],
    });
    assert.deepEqual([rows.length, together.databases, together.before.secondsPerHour], [2, 1, 400]);
  });

  it('says nothing of a side without observed time', () => {
    const { sides, server } = computeOf({ Sales: [changeAt(EIGHT - HOUR_MS)] });
    assert.deepEqual([sides.before.observedMs, server.before.perHour, server.before.share], [0, null, null]);
  });

  /** Checkpoints of two databases, changed between two mornings from eight to twelve. */
  const ofMornings = (
    rows: readonly (readonly [atUtcMs: number, lastsMs: number, database?: number])[],
    gaps: readonly Gap[],
  ): Result => {
    const store = new CheckpointStore();
    for (const [at, lastsMs, database = 0] of rows) store.append(at, lastsMs, database);
    const night = gapOf('session stopped', EIGHT + 4 * HOUR_MS, EIGHT + DAY_MS);
    const change = changeAt(EIGHT + 12 * HOUR_MS);
    const sides = chooseSides([change], watch(EIGHT, EIGHT + DAY_MS + 4 * HOUR_MS, [...gaps, night]), UTC)!;
    const task = { before: taskOf({}), after: taskOf({}) };
    const changed = [0, 1].map((captured) => ({
      databaseId: captured,
      name: '',
      captured,
      changes: [change],
      isRecorded: true,
      isAutomatic: false,
    }));
    return finishSteps(computeResult({ columns: store.columns(), databases: 2, sides, task, changed }));
  };
  const gap = gapOf(
    'session stopped',
    EIGHT + 2 * HOUR_MS + 10 * MINUTE_MS,
    EIGHT + 2 * HOUR_MS + 11 * MINUTE_MS,
  );

  it('keeps a long checkpoint that nothing was lost of, though its hour has a minute that does not count', () => {
    const { server } = ofMornings(
      [
        [EIGHT, 1000],
        [EIGHT + DAY_MS + 2 * HOUR_MS, 20 * MINUTE_MS],
      ],
      [gap],
    );
    assert.equal(server.after.longestMs, 20 * MINUTE_MS);
  });

  it('leaves out of all figures what begins in a gap', () => {
    const { rows } = ofMornings(
      [
        [EIGHT, 1000],
        [gap.beginUtcMs + 1000, 9_000],
        [EIGHT + DAY_MS, 1000],
      ],
      [gap],
    );
    assert.deepEqual([rows[0]?.before.checkpoints, rows[0]?.before.longestMs], [1, 1000]);
  });

  it('counts a side in which a database has no checkpoint at all as time without one, and has no round of averages then', () => {
    const { longestWithoutMs, oneOfEachMs } = ofMornings(
      [
        [EIGHT, 1000],
        [EIGHT, 1000, 1],
        [EIGHT + DAY_MS, 1000],
      ],
      [],
    );
    assert.deepEqual([longestWithoutMs.after, oneOfEachMs], [4 * HOUR_MS, { before: 2000, after: null }]);
  });

  it('knows nothing of a database that was not recorded on a side, and puts it in no sum', () => {
    const change = changeAt(EIGHT + 2 * HOUR_MS);
    const unrecorded = [{ database: 0, beginUtcMs: EIGHT, endUtcMs: EIGHT + 2 * HOUR_MS }];
    const sides = chooseSides([change], { ...watch(EIGHT, EIGHT + 4 * HOUR_MS), unrecorded }, UTC)!;
    const store = new CheckpointStore();
    for (let minute = 125; minute < 240; minute++) store.append(EIGHT + minute * MINUTE_MS, 1000, 0);
    const of = { name: '', changes: [change], isAutomatic: false };
    const changed = [
      { ...of, databaseId: 5, captured: 0, isRecorded: true },
      { ...of, databaseId: 6, captured: null, isRecorded: false },
    ];
    const task = { before: taskOf({}), after: taskOf({ 0: { share: 1 / 60 } }) };
    const { rows, together } = finishSteps(
      computeResult({ columns: store.columns(), databases: 1, sides, task, changed }),
    );
    const figures = new Map(
      rows.map(({ databaseId, before, after }) => [databaseId, [before.perHour, before.share, after.share]]),
    );
    assert.deepEqual(
      [figures.get(5), figures.get(6), together.databases],
      [[null, null, 1 / 60], [null, null, null], 0],
    );
  });
});
