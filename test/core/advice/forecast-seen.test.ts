import assert from 'node:assert/strict';
import type { KeptForecast } from '../../../src/core/advice/forecast';
import {
  choosePlan,
  compareForecast,
  findLastRun,
  findLastWave,
  findMissed,
  listPlanned,
  type SeenWave,
} from '../../../src/core/advice/forecast-seen';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import { finishSteps } from '../../../src/core/steps';
import { observe } from '../statistics/columns';
import { valuesOf } from '../values-of';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time';
import { changeOf } from '../task/changed';

/** Monday, 2 March 2026, 08:00 UTC. */
const MONDAY_8 = Date.UTC(2026, 2, 2, 8);
const EIGHT_HOURS = {
  fromUtcMs: MONDAY_8,
  toUtcMs: MONDAY_8 + 8 * HOUR_MS,
  madeUtcMs: MONDAY_8 + 8 * HOUR_MS,
};

/** One wave of four databases, of which a queue of 97 % is to become 22 to 78 %. */
const ONE_WAVE: KeptForecast = {
  ...EIGHT_HOURS,
  now: 0.97,
  bound: 0.3,
  waves: [{ low: 0.22, high: 0.78, databaseIds: [5, 6, 7, 8] }],
};

interface Site {
  readonly kept?: KeptForecast;
  /** How busy the task is in the hour that begins then, 0 to 1. */
  readonly busy: (utcMs: number) => number;
  readonly after?: number;
  /** How long that was observed. */
  readonly afterMs?: number;
  readonly switchedUtcMs: Readonly<Record<number, number>>;
  readonly days: number;
  readonly margin?: number;
  /** Ids of the databases with automatic checkpoints now. */
  readonly automatic?: readonly number[];
  readonly gaps?: Observation['gaps'];
  /** When a database of no wave was changed. */
  readonly otherUtcMs?: number;
}

/** A turn at the beginning of every minute. @param after how busy the task was since the last change */
function see({
  kept = ONE_WAVE,
  busy,
  after = 0.5,
  switchedUtcMs,
  days,
  margin = 0,
  automatic = [],
  gaps = [],
  otherUtcMs = -Infinity,
  afterMs = 2 * HOUR_MS,
}: Site): readonly SeenWave[] {
  const minutes = Math.round((days * DAY_MS) / MINUTE_MS);
  const beginUtcMs = Float64Array.from({ length: minutes }, (_, i) => MONDAY_8 + i * MINUTE_MS);
  const durationMs = Uint32Array.from(beginUtcMs, (at) =>
    Math.round(busy(Math.floor(at / HOUR_MS) * HOUR_MS) * MINUTE_MS),
  );
  return finishSteps(
    compareForecast(kept, {
      columns: { rows: minutes, beginUtcMs, durationMs, database: new Uint16Array(minutes) },
      observation: { beginUtcMs: MONDAY_8, endUtcMs: MONDAY_8 + days * DAY_MS, gaps },
      rows: Uint32Array.from(beginUtcMs, (_, i) => i),
      margin,
      after: {
        sinceUtcMs: Math.max(...Object.values(switchedUtcMs), otherUtcMs),
        observedMs: afterMs,
        busyShare: after,
      },
      switchedUtcMs: (id) => switchedUtcMs[id] ?? null,
      isAutomatic: (id) => automatic.includes(id),
    }),
  );
}

const evening = MONDAY_8 + 14 * HOUR_MS;
const allAt = (utcMs: number): Readonly<Record<number, number>> =>
  Object.fromEntries([5, 6, 7, 8].map((id) => [id, utcMs]));
/** Waves of these databases, each of which is to leave the task 10 to 30 % busy. */
const inWaves = (...waves: readonly (readonly number[])[]): KeptForecast => ({
  ...ONE_WAVE,
  waves: waves.map((databaseIds) => ({ low: 0.1, high: 0.3, databaseIds })),
});

describe('A forecast, held to what was seen', () => {
  it('says above and below where the task is so, and not where a point or two are missing or uncertain', () => {
    const verdictOf = (after: number, margin = 0): string | null | undefined =>
      see({ busy: () => 0.5, after, switchedUtcMs: allAt(evening), days: 2, margin })[0]?.verdict;
    assert.deepEqual(
      [0.95, 0.79, 0.5, 0.21, 0.05].map((share) => verdictOf(share)),
      ['above', 'as forecast', 'as forecast', 'as forecast', 'below'],
    );
    assert.equal(verdictOf(0.95, 0.2), 'as forecast');
  });

  it('missed where the task is busier than forecast half an hour after the last wave, not where it is less busy', () => {
    const missed = (after: number, minutes: number) =>
      findMissed(
        see({ busy: () => 0.5, after, afterMs: minutes * MINUTE_MS, switchedUtcMs: allAt(evening), days: 2 }),
      );
    assert.deepEqual(missed(0.95, 30), { wave: 1, low: 0.22, high: 0.78, busyShare: 0.95 });
    assert.deepEqual([missed(0.95, 29), missed(0.5, 30), missed(0.05, 30)], [null, null, null]);
  });

  it('takes a wave for run once half of its databases were changed', () => {
    const one = see({ busy: () => 0.5, switchedUtcMs: { 5: evening }, days: 1 });
    assert.deepEqual([one[0]?.runUtcMs, findLastRun(one)], [null, null]);
    const two = see({ busy: () => 0.5, switchedUtcMs: { 5: evening, 6: evening + HOUR_MS }, days: 1 });
    assert.equal(two[0]?.runUtcMs, evening + HOUR_MS);
  });

  it('holds each wave to the time until the next, the last one to the time that the page shows, and a wave run before another to nothing yet', () => {
    const kept = {
      ...ONE_WAVE,
      waves: [
        { low: 0.9, high: 1, databaseIds: [5] },
        { low: 0.1, high: 0.3, databaseIds: [6] },
      ],
    };
    const tuesday = evening + DAY_MS;
    const busy = (utcMs: number): number => (utcMs >= tuesday ? 0.2 : 0.95);
    const inOrder = see({ kept, busy, after: 0.21, switchedUtcMs: { 5: evening, 6: tuesday }, days: 4 });
    assert.deepEqual(
      inOrder.map(({ busyShare, verdict }) => [busyShare?.toFixed(2), verdict]),
      [
        ['0.95', 'as forecast'],
        ['0.21', 'as forecast'],
      ],
    );
    assert.equal(findLastRun(inOrder)?.wave, 2);
    const second = see({ kept, busy, switchedUtcMs: { 6: evening }, days: 4 });
    assert.deepEqual(valuesOf(second, 'runUtcMs'), [null, null]);
  });

  it('tells nothing of a wave that another followed within ten minutes, ran with, or was run before', () => {
    const kept = inWaves([5], [6]);
    for (const minutes of [12, 0, -30]) {
      const switchedUtcMs = { 5: evening, 6: evening + minutes * MINUTE_MS };
      const [first] = see({ kept, busy: () => 0.5, switchedUtcMs, days: 1 });
      assert.deepEqual([first?.busyShare, first?.verdict, first?.missingMs], [null, null, 0], `${minutes}`);
    }
  });

  it('says nothing of a forecast while a database of it, or of a wave before it, is still automatic', () => {
    const site = { busy: () => 0.5, after: 0.95, days: 2 };
    const [half] = see({ ...site, switchedUtcMs: { 5: evening, 6: evening }, automatic: [7, 8, 99] });
    assert.deepEqual([half?.busyShare, half?.verdict, half?.automatic], [0.95, null, 2]);
    const kept = inWaves([5, 6], [7]);
    const switchedUtcMs = { 5: evening, 7: evening + HOUR_MS };
    const late = see({ ...site, kept, switchedUtcMs, automatic: [6] });
    assert.deepEqual(valuesOf(late, 'verdict'), [null, null]);
  });

  it('holds a wave to the time since the last of its databases was changed, not the half of them', () => {
    const kept = inWaves([5, 6], [7]);
    const busy = (utcMs: number): number => (utcMs < evening + 2 * HOUR_MS ? 0.9 : 0.2);
    const switchedUtcMs = { 5: evening, 6: evening + 2 * HOUR_MS, 7: evening + 4 * HOUR_MS };
    const [first] = see({ kept, busy, switchedUtcMs, days: 2 });
    assert.deepEqual([first?.busyShare?.toFixed(2), first?.verdict], ['0.20', 'as forecast']);
  });

  it('holds a wave to the time until the next change, of a part of the next wave or of a database of none', () => {
    const kept = inWaves([5], [6, 7, 8]);
    const busy = (utcMs: number): number => (utcMs < evening + 2 * HOUR_MS ? 0.2 : 0.9);
    const site = { kept, busy, after: 0.9, days: 2, automatic: [7, 8] };
    const [part] = see({ ...site, switchedUtcMs: { 5: evening, 6: evening + 2 * HOUR_MS } });
    const [other] = see({ ...site, switchedUtcMs: { 5: evening }, otherUtcMs: evening + 2 * HOUR_MS });
    assert.deepEqual(
      [part?.busyShare?.toFixed(2), part?.verdict, other?.busyShare?.toFixed(2)],
      ['0.20', 'as forecast', '0.20'],
    );
  });

  it('counts no turn in a gap', () => {
    const kept = inWaves([5], [6]);
    // Busy 0.8 in the hour that was not seen, 0.2 in the hour that was.
    const busy = (utcMs: number): number => (utcMs === evening + HOUR_MS ? 0.8 : 0.2);
    const { gaps } = observe(MONDAY_8, evening, [evening + HOUR_MS, evening + 2 * HOUR_MS]);
    const switchedUtcMs = { 5: evening, 6: evening + 2 * HOUR_MS };
    const [first] = see({ kept, busy, switchedUtcMs, days: 2, gaps });
    assert.deepEqual([first?.busyShare?.toFixed(2), first?.verdict], ['0.20', 'as forecast']);
  });
});

describe('The waves that are still to be run', () => {
  const kept = inWaves([5], [6, 7], [8]);
  const listAfter = (...ids: readonly number[]) =>
    listPlanned(kept, (id) => (ids.includes(id) ? evening : null));

  it('are none before the first was run, and keep their members and numbers then', () => {
    assert.deepEqual([listAfter(), listAfter(6, 7)], [null, null]);
    const { madeUtcMs } = kept;
    assert.deepEqual(listAfter(5), { madeUtcMs, ran: 1, last: [5], waves: [[6, 7], [8]] });
    assert.deepEqual(
      listAfter(5, 6),
      { madeUtcMs, ran: 2, last: [6, 7], waves: [[7, 8]] },
      'what was left out goes with the next',
    );
    assert.deepEqual(listAfter(5, 6, 8)?.waves, [[7]]);
    assert.deepEqual(listAfter(5, 6, 7, 8), { madeUtcMs, ran: 3, last: [8], waves: [] });
  });
});

describe('The last wave', () => {
  const row = (databaseId: number, minute: number, fromSeconds: number | null = 0, isAutomatic = false) => ({
    databaseId,
    isAutomatic,
    change: { atUtcMs: evening + minute * MINUTE_MS, fromSeconds },
  });
  const find = (
    rows: readonly ReturnType<typeof row>[],
    last: readonly number[],
    seenMs = 0,
    isRecording = true,
  ) => {
    const lastUtcMs = Math.max(...rows.map(({ change }) => change.atUtcMs));
    const after = { observedMs: seenMs, endUtcMs: lastUtcMs + 3 * MINUTE_MS + seenMs };
    return findLastWave(
      { rows, sides: { after, lastUtcMs } },
      { madeUtcMs: 0, ran: 2, last, waves: [] },
      isRecording,
    );
  };

  it('is the planned one, however long it took, without what was changed by hand beside it or is automatic again', () => {
    const rows = [row(5, -60), row(6, 0), row(7, 9), row(8, 10, 0, true), row(9, 11, null), row(10, 11)];
    const { wave, changed, databaseIds, atUtcMs } = find(rows, [6, 7, 8, 9]);
    assert.deepEqual([wave, changed, databaseIds, atUtcMs], [2, 4, [6, 7, 9], evening + 11 * MINUTE_MS]);
  });

  it('is what was changed within five minutes, where that was by hand, and takes back only what was automatic', () => {
    const rows = [row(5, -60), row(6, 0), row(7, 4), row(8, 8), row(9, 8, 120), row(10, 8, null)];
    const { wave, changed, databaseIds } = find(rows, [5, 6]);
    assert.deepEqual([wave, changed, databaseIds], [null, 4, [7, 8]]);
  });

  it('is no wave where most of it is automatic again', () => {
    const { wave, databaseIds } = find([row(6, 0, 60, true), row(7, 0, 60, true), row(8, -30)], [6, 7, 8]);
    assert.deepEqual([wave, databaseIds], [null, []]);
  });

  it('has its result once ten minutes were seen after three in which it settles, if it is recorded', () => {
    const [rows, lastUtcMs] = [[row(6, 0)], evening];
    assert.equal(find(rows, [6]).resultUtcMs, lastUtcMs + 13 * MINUTE_MS);
    assert.equal(find(rows, [6], 4 * MINUTE_MS).resultUtcMs, lastUtcMs + 13 * MINUTE_MS);
    assert.equal(find(rows, [6], 30 * MINUTE_MS).resultUtcMs, lastUtcMs + 33 * MINUTE_MS);
    assert.equal(find(rows, [6], 4 * MINUTE_MS, false).resultUtcMs, null, 'tracking was stopped');
  });
});

describe('The plan that counts', () => {
  const wave = (...databaseIds: number[]) => ({ low: 0.1, high: 0.2, databaseIds });
  const plan = (madeUtcMs: number, ...waves: ReturnType<typeof wave>[]): KeptForecast => ({
    ...ONE_WAVE,
    madeUtcMs,
    waves,
  });
  const kept = plan(1, wave(5), wave(6, 7), wave(8));
  const run = (atUtcMs: number, ...ids: number[]) => ids.map((id) => changeOf(id, atUtcMs));
  const idsOf = (plans: readonly KeptForecast[], ...changes: ReturnType<typeof run>[]) =>
    choosePlan(plans, changes.flat())?.waves.map(({ databaseIds }) => databaseIds);

  it('is the newest one as long as nothing was run, and the one of which a wave was run, also if another was opened meanwhile', () => {
    const other = plan(2, wave(9));
    assert.equal(choosePlan([], []), null);
    assert.equal(choosePlan([kept, other], []), other);
    assert.deepEqual(idsOf([kept, other], run(3, 5)), [[5], [6, 7], [8]]);
    assert.deepEqual(idsOf([kept, plan(4, wave(9))], run(3, 5)), [[5], [6, 7], [8]], 'opened and not run');
  });

  it('keeps its waves once one was run; what is foreseen of a wave to come is renewed when its script is opened, and frozen when it runs', () => {
    const newer = plan(10, { ...wave(8), low: 0.05 });
    const lows = (...changes: ReturnType<typeof run>[]) =>
      choosePlan([kept, newer], changes.flat())?.waves.map(({ low }) => low);
    assert.deepEqual(lows(run(3, 5)), [0.1, 0.1, 0.05]);
    assert.deepEqual(lows(run(3, 5), run(4, 6, 7), run(5, 8)), [0.1, 0.1, 0.1]);
    assert.deepEqual(lows(run(3, 5), run(4, 6, 7), run(11, 8)), [0.1, 0.1, 0.05]);
  });

  it('goes on with other databases once they were switched, or once all its waves were run, and loses no wave that is left', () => {
    const more = plan(10, wave(6, 7, 9));
    assert.deepEqual(idsOf([kept, more], run(3, 5), run(11, 6, 7, 9)), [[5], [6, 7, 9], [8]]);
    assert.deepEqual(idsOf([kept, plan(10, wave(9))], run(3, 5), run(4, 6, 7), run(5, 8)), [
      [5],
      [6, 7],
      [8],
      [9],
    ]);
    assert.equal(choosePlan([kept, more], run(3, 5))?.madeUtcMs, kept.madeUtcMs);
  });

  it('takes no wave for the first one that was run before the first', () => {
    assert.deepEqual(idsOf([kept, plan(10, wave(5, 9))], run(3, 8)), [[5, 9]]);
  });
});
